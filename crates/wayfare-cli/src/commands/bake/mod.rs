//! `bake`: a navigation mesh from a level.

mod pictures;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use serde::Serialize;
use wayfare_bake::{
    Bake, BakeSettings, Baked, Ground, LevelGeometry, PolygonMesh, Stage, WalkerShape,
};
use wayfare_formats::LinkedMesh;
use wayfare_formats::obj::TriangleMesh;
use wayfare_scene::{World, read_path, write_path};
use wayfare_site::level_geometry;

use crate::args::BakeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Bar, Printer, decimals, grouped, write_still};

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'a> {
    level: &'a Path,
    triangles: usize,
    /// Side and height of a cell in metres.
    cell: [f32; 2],
    /// Cells along x and z.
    cells: [u32; 2],
    polygons: usize,
    vertices: usize,
    /// The area of the mesh in plan, in square metres.
    area: f64,
    /// Leaps, drops and climbs.
    links: usize,
    milliseconds: f64,
    written: Vec<&'a Path>,
}

pub(super) fn run(args: &BakeArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let World::Mesh(mesh) = read_path(&args.level)? else {
        return Err(Failure::Unsearchable {
            path: args.level.clone(),
            problem: "this is no level of triangles; a level is .obj, .glb or .gltf".to_owned(),
        });
    };
    let level = level_of(&mesh, args)?;
    let settings = settings_of(&level, args);
    let begun = Instant::now();
    let made = bake(args, &level, settings)?;
    let Made { baked, linked } = &made;
    let milliseconds = begun.elapsed().as_secs_f64() * 1000.0;
    if baked.polygons.is_empty() {
        printer.warn(
            "nothing is walkable: is the level upside down (--flip), steeper than --slope, \
             or narrower than --radius?",
        );
    }
    for output in &args.outputs {
        write(output, args, &level, settings, &made)?;
    }
    let lattice = baked.polygons.lattice();
    if printer.is_json() {
        printer.json(&Document {
            level: &args.level,
            triangles: level.triangles().len(),
            cell: [settings.cell_size, settings.cell_height],
            cells: [lattice.width(), lattice.depth()],
            polygons: baked.polygons.len(),
            vertices: baked.polygons.vertices().len(),
            area: baked.polygons.area_in_plan(),
            links: linked.as_ref().map_or(0, |linked| linked.links.len()),
            milliseconds,
            written: args.outputs.iter().map(AsRef::as_ref).collect(),
        })?;
        return Ok(Exit::Done);
    }
    let metres = |value: f32| decimals(f64::from(value), 2);
    printer.field("triangles", grouped(level.triangles().len() as u64))?;
    let cells = format!(
        "{} × {} of {} m, {} m high",
        lattice.width(),
        lattice.depth(),
        metres(settings.cell_size),
        metres(settings.cell_height),
    );
    printer.field("cells", cells)?;
    if let Some(side) = settings.tile_side {
        printer.field("tiles", format!("{side} cells a side"))?;
    }
    printer.field("polygons", grouped(baked.polygons.len() as u64))?;
    printer.field("vertices", grouped(baked.polygons.vertices().len() as u64))?;
    printer.field("area", format!("{} m²", decimals(baked.polygons.area_in_plan(), 1)))?;
    if let Some(linked) = linked.as_ref().filter(|_| args.abilities().are_any()) {
        let summary = linked.summary();
        printer.field("links", if summary.is_empty() { "none" } else { &summary })?;
    }
    printer.field("time", format!("{} ms", decimals(milliseconds, 1)))?;
    for output in &args.outputs {
        printer.field("written", output.display().to_string())?;
    }
    Ok(Exit::Done)
}

/// Returns the level's triangles, with the areas of their materials.
fn level_of(mesh: &TriangleMesh, args: &BakeArgs) -> Result<LevelGeometry, Failure> {
    if let Some((unknown, _)) =
        args.areas.iter().find(|(material, _)| !mesh.materials().contains(material))
    {
        let known = match mesh.materials() {
            [] => "it names none".to_owned(),
            names => format!("it has {}", names.join(", ")),
        };
        let problem = format!("the level has no material '{unknown}'; {known}");
        return Err(Failure::Usage(problem));
    }
    let ground = |name: &str| {
        let named = args.areas.iter().rev().find(|(material, _)| material == name);
        named.map_or(Ground::PLAIN, |(_, ground)| *ground)
    };
    Ok(level_geometry(mesh, ground, args.flip)?)
}

fn settings_of(level: &LevelGeometry, args: &BakeArgs) -> BakeSettings {
    let walker = WalkerShape {
        radius: args.radius,
        height: args.height,
        step: args.step,
        slope: args.slope,
    };
    let default = BakeSettings::for_level(level, walker);
    let cell_size = args.cell_size.unwrap_or(default.cell_size);
    let cell_height = args.cell_height.unwrap_or(match args.cell_size {
        Some(size) => size * (2.0 / 3.0),
        None => default.cell_height,
    });
    BakeSettings {
        cell_size,
        cell_height,
        partition: args.partition.partition(),
        tile_side: args.tile_side.map_or(default.tile_side, |side| (side > 0).then_some(side)),
        max_corners: args.max_corners,
        max_outline_error: args.outline_error,
        min_island: args.min_island,
        memory_limit: args.memory_limit.saturating_mul(1_000_000),
        ..default
    }
}

/// The products of a level.
struct Made {
    baked: Baked,
    /// The mesh for searches with its links, if it is written or links are asked for.
    linked: Option<LinkedMesh>,
}

fn bake(args: &BakeArgs, level: &LevelGeometry, settings: BakeSettings) -> Result<Made, Failure> {
    let bar = Mutex::new(Bar::new("Baking"));
    let stages = Stage::ALL.len() as f32;
    let report = |stage: Stage, part: f32| {
        // With tiles, all stages of a tile are one part.
        let done = match settings.tile_side {
            Some(_) => part,
            None => ((stage as usize as f32 + part) / stages).min(1.0),
        };
        if let Ok(mut bar) = bar.lock() {
            bar.set((done * 1000.0) as u64, 1000);
        }
    };
    let bake = Bake::new(level, settings)?.reporting_to(&report);
    let baked = bake.run()?;
    let is_mesh = |output: &PathBuf| {
        let extension = output.extension().unwrap_or_default().to_ascii_lowercase();
        ["navmesh", "mesh", "bin"].iter().any(|mesh| extension == *mesh)
    };
    let abilities = args.abilities();
    if !abilities.are_any() && !args.outputs.iter().any(is_mesh) {
        return Ok(Made { baked, linked: None });
    }
    let mesh = baked.polygons.nav_mesh().map_err(|problem| Failure::Unsearchable {
        path: args.level.clone(),
        problem: problem.to_string(),
    })?;
    let links = bake.jumps(&mesh, &abilities)?;
    Ok(Made { baked, linked: Some(LinkedMesh { mesh, links }) })
}

fn write(
    output: &Path,
    args: &BakeArgs,
    level: &LevelGeometry,
    settings: BakeSettings,
    Made { baked, linked }: &Made,
) -> Result<(), Failure> {
    let extension = output.extension().unwrap_or_default().to_ascii_lowercase();
    if extension == "png" || extension == "svg" {
        let failed = |problem| Failure::Picture { path: output.to_path_buf(), problem };
        let mut view = pictures::of_stage(args, level, settings, baked)?;
        if let (Some(linked), Stage::Polygons) = (linked, args.stage) {
            pictures::draw_links(&mut view, &linked.links);
        }
        let links = linked.as_ref().map(LinkedMesh::summary).unwrap_or_default();
        let caption = pictures::caption(args, baked, &links);
        let picture = view.draw(args.side, &args.theme.theme(), &caption).map_err(failed)?;
        return write_still(&picture, output).map_err(failed);
    }
    let world = match linked {
        Some(linked) if extension != "obj" => World::NavMesh(linked.clone()),
        _ => World::Mesh(triangles_of(&baked.polygons)?),
    };
    write_path(output, &world).map_err(Failure::Unwritten)
}

/// Returns the polygons as fans of triangles.
fn triangles_of(mesh: &PolygonMesh) -> Result<TriangleMesh, Failure> {
    let vertices = mesh.positions().map(|at| at.to_array()).collect();
    let mut triangles = Vec::new();
    for polygon in mesh.polygons() {
        triangles.extend((1..polygon.len() - 1).map(|i| [polygon[0], polygon[i], polygon[i + 1]]));
    }
    Ok(TriangleMesh::new(vertices, triangles)?)
}
