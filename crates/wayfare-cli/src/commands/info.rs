//! `info`: the content of a file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;
use wayfare::index::{IndexFileHead, IndexKind};
use wayfare::space::voxel::VoxelSize;
use wayfare_formats::movingai_scen::Scenario;
use wayfare_formats::{TileMap, VoxelScene};
use wayfare_scene::scene::Scene;
use wayfare_scene::{World, read_path_with};
use wayfare_site::{Site, build, regions};

use super::shared;
use crate::args::InfoArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Align, Printer, Table, counted, decimals, grouped, rounded, tidy};

/// The document that `--format json` prints: the common part of all kinds of file, and a part for
/// each kind.
#[derive(Serialize, Default)]
struct Document {
    file: String,
    kind: &'static str,
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tiles: Option<Tiles>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<SceneParts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<ScenarioParts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mesh: Option<MeshParts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    navmesh: Option<NavMeshParts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    voxels: Option<VoxelParts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<IndexParts>,
    /// The space that searches run on.
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<SpaceParts>,
}

#[derive(Serialize)]
struct Tiles {
    width: u32,
    height: u32,
    terrains: Vec<TerrainLine>,
}

#[derive(Serialize)]
struct TerrainLine {
    name: String,
    glyph: char,
    tiles: usize,
    walkable: bool,
    multiplier: f32,
    penalty: f32,
    medium: u8,
}

#[derive(Serialize)]
struct SceneParts {
    description: String,
    obstacles: usize,
    surfaces: usize,
    waypoints: usize,
    placements: usize,
    links: usize,
    auto_links: bool,
    grid: bool,
    /// The file that it plays in; null where that is itself.
    world: Option<String>,
    agents: u64,
    groups: usize,
    nav_links: usize,
    events: usize,
    routes: Vec<String>,
}

#[derive(Serialize)]
struct ScenarioParts {
    queries: usize,
    maps: Vec<String>,
    shortest: f64,
    longest: f64,
}

#[derive(Serialize)]
struct MeshParts {
    vertices: usize,
    triangles: usize,
}

#[derive(Serialize)]
struct NavMeshParts {
    vertices: usize,
    polygons: usize,
    /// The corners of the polygon that has most.
    most_corners: usize,
    /// Seen from above, in square metres.
    area: f64,
    /// Leaps, drops and climbs.
    links: usize,
    /// The radius of the bodies that it is made for, in metres.
    body_radius: f32,
}

#[derive(Serialize)]
struct VoxelParts {
    width: u32,
    height: u32,
    depth: u32,
    /// Blocks that are not air.
    filled: u64,
    /// The kinds that occur, as the file names them; air is not among them.
    blocks: Vec<String>,
    routes: Vec<String>,
}

#[derive(Serialize)]
struct IndexParts {
    /// "grid" or "navigation mesh".
    of: String,
    corners: u32,
    hubs: u32,
    /// Only of navigation meshes.
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<u32>,
    /// Tells the indexed world, movement and revision from others.
    fingerprint: String,
    bytes: u64,
}

#[derive(Serialize)]
struct SpaceParts {
    kind: &'static str,
    states: u64,
    /// The cells that this walker can stand on.
    free: u64,
    /// Null where the world is too large to tell.
    regions: Option<u64>,
    largest_region: Option<u64>,
    /// Null where the space does not keep count.
    bytes: Option<usize>,
}

/// Most kinds of block that are named to people.
const MOST_KINDS: usize = 20;

pub(super) fn run(args: &InfoArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    if let Some(index) = index(&args.file)? {
        let file = args.file.display().to_string();
        let document = Document { file, kind: "index", index: Some(index), ..Document::default() };
        return tell(&document, printer);
    }
    let options = args.movement.options();
    let world = read_path_with(&args.file, options.heightmap())?;
    let mut document = Document { file: args.file.display().to_string(), ..Document::default() };
    match &world {
        World::TileMap(map) => {
            document.kind = "tile map";
            document.name = Some(map.name().to_owned());
            document.tiles = Some(tiles(map));
        }
        World::Scene(scene) => {
            document.kind = "scene";
            document.name = Some(scene.scene.name.clone());
            document.scene = Some(parts(scene));
        }
        World::Scenario(scenario) => {
            document.kind = "scenario";
            document.scenario = Some(queries(scenario));
        }
        World::Mesh(mesh) => {
            document.kind = "mesh";
            document.mesh = Some(MeshParts {
                vertices: mesh.vertices().len(),
                triangles: mesh.triangles().len(),
            });
        }
        World::Voxels(world) => {
            document.kind = "voxel world";
            document.name = Some(world.name().to_owned());
            document.voxels = Some(voxels(world));
        }
        World::VoxelScenario(scenario) => {
            document.kind = "voxel scenario";
            let lengths = || scenario.entries.iter().map(|query| query.optimal_length);
            document.scenario = Some(ScenarioParts {
                queries: scenario.entries.len(),
                maps: vec![scenario.map.clone()],
                shortest: rounded(lengths().reduce(f64::min).unwrap_or(0.0)),
                longest: rounded(lengths().reduce(f64::max).unwrap_or(0.0)),
            });
        }
        World::MeshScenario(scenario) => {
            document.kind = "mesh scenario";
            let lengths = || scenario.entries.iter().map(|query| query.optimal_length);
            document.scenario = Some(ScenarioParts {
                queries: scenario.entries.len(),
                maps: vec![scenario.mesh.clone()],
                shortest: rounded(lengths().reduce(f64::min).unwrap_or(0.0)),
                longest: rounded(lengths().reduce(f64::max).unwrap_or(0.0)),
            });
        }
        World::NavMesh(linked) => {
            let mesh = &linked.mesh;
            document.kind = "navigation mesh";
            let corners = mesh.polygons().map(|polygon| mesh.corners(polygon).len());
            document.navmesh = Some(NavMeshParts {
                vertices: mesh.vertices().len(),
                polygons: mesh.len(),
                most_corners: corners.max().unwrap_or(0),
                area: rounded(mesh.polygons().map(|polygon| mesh.plan_area(polygon)).sum()),
                links: linked.links.len(),
                body_radius: mesh.body_radius(),
            });
        }
        _ => document.kind = "unknown",
    }
    let is_searchable = match &world {
        World::TileMap(_) | World::Voxels(_) | World::NavMesh(_) => true,
        World::Scene(scene) => {
            !scene.waypoints.is_empty()
                || !scene.placements.is_empty()
                || scene.grid.is_some()
                || scene.scene.map.is_some()
        }
        _ => false,
    };
    if is_searchable {
        let site = build(&args.file, world, &options)?;
        shared::remarks(site.as_ref(), printer);
        for detail in &site.about().details {
            printer.note(detail);
        }
        document.space = Some(space(site.as_ref()));
    }
    tell(&document, printer)
}

fn tell(document: &Document, printer: &mut Printer) -> Result<Exit, Failure> {
    if printer.is_json() {
        printer.json(document)?;
    } else {
        print(document, printer)?;
    }
    Ok(Exit::Done)
}

/// Returns the heading of an index file; `None` if the file is none, or cannot be opened: reading
/// it as a world reports that.
fn index(path: &Path) -> Result<Option<IndexParts>, Failure> {
    // Before it is opened: opening a pipe waits for a writer.
    if !path.is_file() {
        return Ok(None);
    }
    let mut head = [0; 8];
    let begins = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    if begins.is_err() || IndexKind::of(&head).is_none() {
        return Ok(None);
    }
    let wrong = |problem: String| Failure::Unsearchable { path: path.to_path_buf(), problem };
    let bytes = shared::read(path)?;
    let head = IndexFileHead::read(&bytes).map_err(|error| wrong(error.to_string()))?;
    Ok(Some(IndexParts {
        of: head.kind.to_string(),
        corners: head.corners,
        hubs: head.hubs,
        views: head.views,
        fingerprint: format!("{:016x}", head.fingerprint),
        bytes: bytes.len() as u64,
    }))
}

fn tiles(map: &TileMap) -> Tiles {
    let terrains = map.terrains().iter().zip(map.histogram()).map(|(terrain, tiles)| TerrainLine {
        name: terrain.name.clone(),
        glyph: terrain.glyph,
        tiles,
        walkable: terrain.walkable,
        multiplier: terrain.multiplier,
        penalty: terrain.penalty,
        medium: terrain.medium.0,
    });
    Tiles { width: map.width(), height: map.height(), terrains: terrains.collect() }
}

fn voxels(world: &VoxelScene) -> VoxelParts {
    let VoxelSize { width, height, depth } = world.size();
    let kinds = world.palette().iter().zip(world.histogram()).skip(1);
    let occurring = kinds.filter(|(_, count)| *count > 0);
    VoxelParts {
        width,
        height,
        depth,
        filled: world.filled(),
        blocks: occurring.map(|(kind, _)| kind.name.clone()).collect(),
        routes: world.routes().iter().map(|route| route.name.clone()).collect(),
    }
}

fn parts(scene: &Scene) -> SceneParts {
    SceneParts {
        description: scene.scene.description.clone(),
        obstacles: scene.obstacles.len(),
        surfaces: scene.surfaces.len(),
        waypoints: scene.waypoints.len(),
        placements: scene.placements.len(),
        links: scene.links.len(),
        auto_links: scene.auto_links.is_some(),
        grid: scene.grid.is_some(),
        world: scene.scene.world.clone(),
        agents: scene.agents.iter().map(|agent| u64::from(agent.number())).sum(),
        groups: scene.groups.len(),
        nav_links: scene.nav_links.len(),
        events: scene.events.len(),
        routes: scene.queries.iter().map(|query| query.name.clone()).collect(),
    }
}

fn queries(scenario: &Scenario) -> ScenarioParts {
    let lengths = || scenario.entries.iter().map(|entry| entry.optimal_length);
    let mut maps: Vec<String> = scenario.entries.iter().map(|entry| entry.map.clone()).collect();
    maps.sort_unstable();
    maps.dedup();
    ScenarioParts {
        queries: scenario.entries.len(),
        maps,
        shortest: rounded(lengths().reduce(f64::min).unwrap_or(0.0)),
        longest: rounded(lengths().reduce(f64::max).unwrap_or(0.0)),
    }
}

fn space(site: &dyn Site) -> SpaceParts {
    let regions = regions(site);
    let told = |number: u64| site.knows_regions().then_some(number);
    let about = site.about();
    SpaceParts {
        kind: about.kind,
        states: about.states,
        free: regions.total,
        regions: told(regions.count),
        largest_region: told(regions.largest),
        bytes: about.bytes,
    }
}

fn print(document: &Document, printer: &mut Printer) -> Result<(), Failure> {
    printer.field("file", &document.file)?;
    printer.field("kind", document.kind)?;
    if let Some(name) = &document.name {
        printer.field("name", name)?;
    }
    if let Some(tiles) = &document.tiles {
        printer.field("size", format!("{} × {} cells", tiles.width, tiles.height))?;
    }
    if let Some(voxels) = &document.voxels {
        let VoxelParts { width, height, depth, filled, blocks, routes } = voxels;
        printer.field("size", format!("{width} × {height} × {depth} blocks"))?;
        let kinds = match blocks.len() {
            0 => String::new(),
            // All of them are in the JSON.
            more if more > MOST_KINDS => {
                format!(": {} and {} more", blocks[..MOST_KINDS].join(", "), more - MOST_KINDS)
            }
            _ => format!(": {}", blocks.join(", ")),
        };
        printer.field("filled", format!("{}{kinds}", counted(*filled, "block")))?;
        let routes: Vec<String> = routes.iter().map(|name| format!("'{name}'")).collect();
        if !routes.is_empty() {
            printer.field("routes", routes.join(", "))?;
        }
    }
    if let Some(IndexParts { of, corners, hubs, views, fingerprint, bytes }) = &document.index {
        printer.field("index", format!("of a {of}"))?;
        printer.field("corners", grouped(u64::from(*corners)))?;
        printer.field("hubs", grouped(u64::from(*hubs)))?;
        if let Some(views) = views {
            printer.field("views", grouped(u64::from(*views)))?;
        }
        printer.field("fingerprint", fingerprint)?;
        printer.field("size", format!("{} KiB", grouped(bytes / 1024)))?;
    }
    if let Some(scene) = &document.scene {
        print_scene(scene, printer)?;
    }
    if let Some(scenario) = &document.scenario {
        let ScenarioParts { queries, maps, shortest, longest } = scenario;
        printer.field("queries", grouped(*queries as u64))?;
        printer.field("maps", maps.join(", "))?;
        let lengths = format!("from {} to {}", tidy(*shortest), tidy(*longest));
        printer.field("lengths", lengths)?;
    }
    if let Some(mesh) = &document.mesh {
        printer.field("vertices", grouped(mesh.vertices as u64))?;
        printer.field("triangles", grouped(mesh.triangles as u64))?;
    }
    if let Some(parts) = &document.navmesh {
        let NavMeshParts { vertices, polygons, most_corners, links, body_radius, .. } = parts;
        let corners = format!("of up to {most_corners} corners");
        printer.field("polygons", format!("{} {corners}", grouped(*polygons as u64)))?;
        printer.field("vertices", grouped(*vertices as u64))?;
        printer.field("links", grouped(*links as u64))?;
        if *body_radius > 0.0 {
            printer.field("made for", format!("bodies of radius {body_radius} m"))?;
        }
    }
    if let Some(space) = &document.space {
        let share = space.free as f64 * 100.0 / (space.states as f64).max(1.0);
        let free = format!(
            "{} of {} ({} %)",
            grouped(space.free),
            grouped(space.states),
            decimals(share, 1)
        );
        printer.field("free", free)?;
        if let (Some(regions), Some(largest)) = (space.regions, space.largest_region) {
            let (regions, largest) = (counted(regions, "region"), grouped(largest));
            printer.field("regions", format!("{regions}, the largest of {largest}"))?;
        }
        if let Some(bytes) = space.bytes {
            printer.field("memory", shared::memory(bytes))?;
        }
    }
    if let Some(tiles) = &document.tiles {
        printer.line("")?;
        print_terrains(&tiles.terrains, printer)?;
    }
    Ok(())
}

fn print_scene(scene: &SceneParts, printer: &mut Printer) -> Result<(), Failure> {
    if !scene.description.is_empty() {
        printer.field("about", &scene.description)?;
    }
    let placed = match scene.placements {
        0 => String::new(),
        rules => format!(", and {} that place more", counted(rules as u64, "rule")),
    };
    let auto = if scene.auto_links { ", and those that see each other" } else { "" };
    printer.field("waypoints", format!("{} by hand{placed}", grouped(scene.waypoints as u64)))?;
    printer.field("links", format!("{} by hand{auto}", grouped(scene.links as u64)))?;
    printer.field("obstacles", grouped(scene.obstacles as u64))?;
    printer.field("surfaces", grouped(scene.surfaces as u64))?;
    if let Some(world) = &scene.world {
        printer.field("plays in", world)?;
    }
    if scene.agents > 0 {
        let links = counted(scene.nav_links as u64, "link");
        let events = counted(scene.events as u64, "event");
        let agents = grouped(scene.agents);
        let groups = match scene.groups {
            0 => String::new(),
            groups => format!(" in {}", counted(groups as u64, "group")),
        };
        printer.field("agents", format!("{agents}{groups}, {links} to go through, {events}"))?;
    }
    if !scene.routes.is_empty() {
        let routes: Vec<String> = scene.routes.iter().map(|name| format!("'{name}'")).collect();
        printer.field("routes", routes.join(", "))?;
    }
    Ok(())
}

fn print_terrains(terrains: &[TerrainLine], printer: &mut Printer) -> Result<(), Failure> {
    let mut table = Table::new(&[
        ("terrain", Align::Left),
        ("glyph", Align::Left),
        ("tiles", Align::Right),
        ("multiplier", Align::Right),
        ("penalty", Align::Right),
        ("medium", Align::Right),
        ("", Align::Left),
    ]);
    for terrain in terrains.iter().filter(|terrain| terrain.tiles > 0) {
        let blocked = if terrain.walkable { "" } else { "blocked" };
        table.row([
            terrain.name.clone(),
            terrain.glyph.to_string(),
            grouped(terrain.tiles as u64),
            tidy(f64::from(terrain.multiplier)),
            tidy(f64::from(terrain.penalty)),
            terrain.medium.to_string(),
            blocked.to_owned(),
        ]);
    }
    printer.text(&table.render(printer.is_styled()))
}
