//! Agents for worlds that have none.

use glam::Vec3;
use wayfare::agent::PatrolOrder;
use wayfare::crowd::AvoidanceQuality;
use wayfare_formats::Terrain;
use wayfare_scene::scene::{
    AgentClass, GroundChange, Rectangle, Scene, SceneAgent, SceneBehaviour, ScheduledCommand, Spot,
};

#[cfg(doc)]
use crate::About;
use crate::movement;
use crate::round_trips::largest_round_trip;
use crate::{
    CellLayout, EndpointTexts, Layout, Level, LevelBake, PolygonLayout, Site, SiteError,
    choose_ends, graph_scene,
};

/// The count of places that agents go to.
const PLACES: u64 = 24;
/// Beyond the end of any simulation, in seconds: a month.
const NEVER: f32 = 2_600_000.0;
/// Characters for grounds. `.` and `#` have meanings of their own.
const GLYPHS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Agents to be put on a world: see [`populate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Population {
    /// The count of agents, at least 1.
    pub count: u32,
    /// Chooses the places that they go to.
    pub seed: u64,
    /// How they avoid each other.
    pub avoidance: AvoidanceQuality,
}

/// Returns a scene on a world whose agents go to and fro between places all over its largest
/// region. They are of `class`, a class of `own`, the scene that the world was read from, and move
/// as [`Site::movement`] says. `None` if there is no room.
///
/// A grid and a graph of waypoints are in the scene as they are now. A level, a mesh and a world of
/// blocks stay in their file, which the scene names: that of `own`, else [`About::file`], to be had
/// beside the scene when it is played.
///
/// ```
/// use wayfare::crowd::AvoidanceQuality;
/// use wayfare_site::{
///     MemoryFiles, NoFiles, OpenOptions, Population, open_bytes, open_simulation_bytes, populate,
/// };
/// use wayfare_scene::scene;
///
/// let three = Population { count: 3, seed: 7, avoidance: AvoidanceQuality::Off };
/// for (name, world) in [
///     ("yard.txt", "......\n.####.\n......\n"),
///     ("yard.obj", "v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nf 1 2 3 4\n"),
/// ] {
///     let site = open_bytes(name, world.as_bytes(), &NoFiles, &OpenOptions::default())?;
///     let text = scene::write(&populate(site.as_ref(), None, None, three).expect("room"))?;
///     let files = MemoryFiles::new().with(name, world);
///     let played = open_simulation_bytes("yard.toml", text.as_bytes(), &files, None)?;
///     let mut count = 0;
///     played.for_each_agent(&mut |_| count += 1);
///     assert_eq!(count, 3);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn populate(
    site: &dyn Site,
    own: Option<&Scene>,
    class: Option<&str>,
    population: Population,
) -> Option<Scene> {
    let (mut scene, haunt) = match site.layout() {
        Layout::Cells(cells) => on_cells(site, &cells)?,
        Layout::Polygons(mesh) => on_mesh(site, &mesh, own)?,
        Layout::Points(_) => (graph_scene(site, own).ok()?, at_states(site)?),
        Layout::Blocks(_) => (beside_file(site, own), at_states(site)?),
    };
    let mut agent = SceneAgent::new(free_name("walker", &scene.agents, |it| &it.name), haunt.first);
    agent.count = Some(population.count.max(1));
    agent.area = Some(haunt.area);
    agent.avoidance = Some(population.avoidance);
    let known = own.and_then(|own| own.classes.iter().find(|known| Some(&*known.name) == class));
    let mut class = movement::class(&site.movement(), known);
    // Without a class of their own they would be of the scene's first.
    if class != AgentClass::default() || !scene.classes.is_empty() {
        class.name = free_name("walker", &scene.classes, |it| &it.name);
        agent.class = Some(class.name.clone());
        scene.classes.push(class);
    }
    let numbers = (0..PLACES).map(|number| mix(population.seed.wrapping_add(number)));
    agent.behaviours = vec![SceneBehaviour::Patrol {
        points: numbers.map(haunt.place).collect(),
        order: PatrolOrder::Random,
        dwell: 1.0,
        start: 0,
    }];
    scene.agents.push(agent);
    Some(scene)
}

/// Where agents are put.
struct Haunt<'s> {
    /// A place of theirs.
    first: Spot,
    /// A rectangle around all places, seen from above.
    area: Rectangle,
    /// Returns a place by a random number.
    place: Box<dyn Fn(u64) -> Spot + 's>,
}

impl<'s> Haunt<'s> {
    /// Returns states that are as likely as each other.
    fn of_states(
        states: Vec<u32>,
        area: Rectangle,
        spot: impl Fn(u32) -> Spot + 's,
    ) -> Option<Self> {
        let (first, count) = (*states.first()?, u64::try_from(states.len()).ok()?);
        let place = move |number: u64| {
            let state = usize::try_from(number % count).ok().and_then(|at| states.get(at));
            state.copied().unwrap_or(first)
        };
        let (first, place) = (spot(first), Box::new(move |number| spot(place(number))));
        Some(Self { first, area, place })
    }
}

/// Returns the rectangle around points, seen from above, with room beside them.
fn around(points: impl Iterator<Item = [f32; 3]>, room: f32) -> Rectangle {
    let nothing = Rectangle { min: [f32::INFINITY; 2], max: [f32::NEG_INFINITY; 2] };
    let grown = |Rectangle { min, max }: Rectangle, [x, _, z]: [f32; 3]| Rectangle {
        min: [min[0].min(x - room), min[1].min(z - room)],
        max: [max[0].max(x + room), max[1].max(z + room)],
    };
    points.fold(nothing, grown)
}

/// Returns a name that none of `known` has.
fn free_name<T>(name: &str, known: &[T], name_of: impl Fn(&T) -> &String) -> String {
    let mut free = name.to_owned();
    while known.iter().any(|known| *name_of(known) == free) {
        free.push('_');
    }
    free
}

/// Returns the scene of a grid, as it is now.
fn on_cells<'s>(site: &dyn Site, cells: &CellLayout) -> Option<(Scene, Haunt<'s>)> {
    let mut scene = Scene::new(site.about().name.clone());
    scene.costs.blur = cells.blur;
    (scene.terrains, scene.scene.map) = drawn(cells);
    let area = Rectangle { min: [0.0; 2], max: [cells.width as f32, cells.height as f32] };
    let corner = (cells.first, cells.stride);
    let haunt = Haunt::of_states(largest_region(site), area, move |state| cell(corner, state))?;
    // The first cell as it is, long after everything: a scene that may replace ground keeps
    // terrains that no cell has at the beginning, which `ground_change` may bring.
    let glyph =
        cells.ground.first().and_then(|ground| glyphs(cells).get(usize::from(*ground)).copied());
    let map = glyph.unwrap_or('#').to_string();
    let replace = GroundChange { map, entry: haunt.first.clone(), ..GroundChange::default() };
    scene.events.push(ScheduledCommand {
        at: NEVER,
        replace: Some(replace),
        ..ScheduledCommand::default()
    });
    Some((scene, haunt))
}

/// Returns the scene beside the file of a world.
fn beside_file(site: &dyn Site, own: Option<&Scene>) -> Scene {
    let mut scene = own.cloned().unwrap_or_else(|| Scene::new(site.about().name.clone()));
    if scene.scene.world.is_none() {
        let file = site.about().file.file_name().unwrap_or_default();
        scene.scene.world = Some(file.to_string_lossy().into_owned());
    }
    scene
}

/// Returns the states of blocks or waypoints as places. Each can be reached from each.
fn at_states<'s>(site: &'s dyn Site) -> Option<Haunt<'s>> {
    let mut states = largest_region(site);
    if site.knows_regions() {
        states = largest_round_trip(&states, |state| {
            site.moves_from(state).into_iter().map(|step| step.state).collect()
        });
    }
    let at = |state| site.position(state).to_array();
    let area = around(states.iter().map(|&state| at(state)), 1.0);
    Haunt::of_states(states, area, move |state| Spot::Point(at(state)))
}

/// Returns the scene of a navigation mesh. A place is as likely as any other of the same size.
fn on_mesh<'s>(
    site: &dyn Site,
    mesh: &PolygonLayout,
    own: Option<&Scene>,
) -> Option<(Scene, Haunt<'s>)> {
    let mut scene = beside_file(site, own);
    let mut settings = scene.navmesh.take().unwrap_or_default();
    let bake = site.level().map(Level::bake);
    if let Some(LevelBake { walker, cell_size }) = bake {
        settings.radius = Some(walker.radius);
        settings.height = Some(walker.height);
        settings.step = Some(walker.step);
        settings.slope = Some(walker.slope);
        settings.cell_size = cell_size;
    }
    scene.navmesh = Some(settings);

    let corners = |state: u32| {
        let polygon = mesh.polygons.get(state as usize)?;
        let corner = |at: &u32| mesh.vertices.get(*at as usize).map(|at| Vec3::from_array(*at));
        polygon.iter().map(corner).collect::<Option<Vec<Vec3>>>()
    };
    let outlines: Vec<Vec<Vec3>> = largest_region(site).into_iter().filter_map(corners).collect();
    let mut triangles: Vec<([Vec3; 3], f64)> = Vec::new();
    let mut whole = 0.0;
    for outline in &outlines {
        // Places are off the outline by a tenth of the way to the middle.
        let middle = outline.iter().sum::<Vec3>() / outline.len().max(1) as f32;
        let inner = |at: &Vec3| at.lerp(middle, 0.1);
        for (number, at) in outline.iter().enumerate() {
            let next = outline.get(number + 1).or(outline.first()).unwrap_or(at);
            let [a, b] = [at, next].map(|at| (inner(at) - middle).as_dvec3());
            whole += (a.x * b.z - a.z * b.x).abs() / 2.0;
            triangles.push(([middle, inner(at), inner(next)], whole));
        }
    }
    let size = |number: usize| {
        let before = number.checked_sub(1).and_then(|before| triangles.get(before));
        triangles.get(number).map_or(0.0, |it| it.1) - before.map_or(0.0, |it| it.1)
    };
    let largest = (0..triangles.len()).max_by(|a, b| size(*a).total_cmp(&size(*b)))?;
    let first = triangles.get(largest).map(|([middle, ..], _)| *middle)?;
    let area = around(outlines.iter().flatten().map(Vec3::to_array), 0.0);
    let place = move |number: u64| {
        let share = |number: u64| (number >> 11) as f64 / (1u64 << 53) as f64;
        let wanted = share(number) * whole;
        let chosen = triangles.partition_point(|(_, until)| *until <= wanted);
        let Some(([a, b, c], _)) = triangles.get(chosen).or(triangles.last()) else {
            return Spot::Point(first.to_array());
        };
        let [mut along, mut across] = [mix(number), mix(mix(number))].map(|it| share(it) as f32);
        if along + across > 1.0 {
            [along, across] = [1.0 - along, 1.0 - across];
        }
        Spot::Point((a + (b - a) * along + (c - a) * across).to_array())
    };
    let first = Spot::Point(first.to_array());
    Some((scene, Haunt { first, area, place: Box::new(place) }))
}

/// Returns the change that replaces the ground of a [`populate`]d grid by another grid's, with the
/// new ground of each cell as an index into the old grid's grounds. Agents on ground that it blocks
/// begin again at the other grid's first end.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, ground_change, open_bytes};
///
/// let open = |map: &[u8]| open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default());
/// let (old, new) = (open(b"S..\n.#.\n..G\n")?, open(b"S..\n..#\n..G\n")?);
/// let (change, ground) = ground_change(old.as_ref(), new.as_ref())?;
/// assert_eq!((change.corner, change.map.as_str()), ([0, 0], "   \n ab\n   "));
/// assert_eq!(ground, [0, 0, 0, 0, 0, 1, 0, 0, 0]);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
///
/// # Errors
/// When one of them is no grid, their sizes differ, or the old one lacks a ground of the other.
pub fn ground_change(old: &dyn Site, new: &dyn Site) -> Result<(GroundChange, Vec<u8>), SiteError> {
    let (Layout::Cells(before), Layout::Cells(after)) = (old.layout(), new.layout()) else {
        return Err(SiteError::NotEditable);
    };
    if (before.width, before.height) != (after.width, after.height) {
        let problem = format!(
            "{} has {} by {} cells, and {} has {} by {}",
            old.about().name,
            before.width,
            before.height,
            new.about().name,
            after.width,
            after.height
        );
        return Err(SiteError::unsearchable(&new.about().file, &problem));
    }
    let known = after.grounds.iter().map(|ground| {
        let number = before.grounds.iter().position(|known| known.name == ground.name);
        number.and_then(|number| u8::try_from(number).ok())
    });
    let known: Vec<Option<u8>> = known.collect();
    let ground = after.ground.iter().map(|&number| {
        let unknown = || {
            let look = after.grounds.get(usize::from(number));
            SiteError::NoGround { name: look.map(|look| look.name.clone()).unwrap_or_default() }
        };
        known.get(usize::from(number)).copied().flatten().ok_or_else(unknown)
    });
    let ground: Vec<u8> = ground.collect::<Result<_, SiteError>>()?;
    let glyphs = glyphs(&before);
    let glyph = |number: u8| glyphs.get(usize::from(number)).copied().unwrap_or('#');
    let width = before.width.max(1) as usize;
    let rows = ground.chunks(width).zip(before.ground.chunks(width)).map(|(row, old)| {
        let cells = row.iter().zip(old);
        cells.map(|(now, was)| if now == was { ' ' } else { glyph(*now) }).collect()
    });
    let rows: Vec<String> = rows.collect();
    let entry = choose_ends(new, EndpointTexts::default())?.ends.start;
    let (map, entry) = (rows.join("\n"), cell((after.first, after.stride), entry));
    let change = GroundChange { map, entry, ..GroundChange::default() };
    Ok((change, ground))
}

/// Returns a state of a grid by column and row. `corner`: the state of the first cell, and the
/// count of states from row to row.
fn cell((first, stride): (u32, u32), state: u32) -> Spot {
    let (offset, stride) = (state.saturating_sub(first), stride.max(1));
    Spot::Cell([offset % stride, offset / stride])
}

/// Returns the character of each ground of a grid in a text map.
fn glyphs(cells: &CellLayout) -> Vec<char> {
    // Blocked cells without a ground of their own come last.
    let last = cells.grounds.len().saturating_sub(1);
    let glyph = |number| GLYPHS.chars().nth(number).filter(|_| number < last).unwrap_or('#');
    (0..cells.grounds.len()).map(glyph).collect()
}

/// Returns the states of the region with the most states, in order; all free states where regions
/// are not known.
fn largest_region(site: &dyn Site) -> Vec<u32> {
    let mut sizes: Vec<u32> = Vec::new();
    let mut states = Vec::new();
    site.for_each_free(&mut |free| {
        let region = free.region as usize;
        if sizes.len() <= region {
            sizes.resize(region + 1, 0);
        }
        if let Some(size) = sizes.get_mut(region) {
            *size += 1;
        }
        states.push((free.state, free.region));
    });
    let largest = (0u32..).zip(&sizes).max_by_key(|(region, size)| (**size, u32::MAX - region));
    let Some((largest, _)) = largest else { return Vec::new() };
    states.retain(|(_, region)| *region == largest);
    states.into_iter().map(|(state, _)| state).collect()
}

/// Returns the terrain table and the text map of a grid.
pub(crate) fn drawn(cells: &CellLayout) -> (Vec<Terrain>, Option<String>) {
    let mut terrains = Vec::new();
    let glyphs = glyphs(cells);
    for (ground, &glyph) in cells.grounds.iter().zip(&glyphs) {
        if glyph != '#' {
            let mut terrain = Terrain::new(ground.name.clone(), glyph, ground.colour);
            terrain.multiplier = ground.multiplier;
            terrain.penalty = ground.penalty;
            terrain.walkable = ground.is_open;
            terrains.push(terrain);
        }
    }
    // Blocked cells without a ground of their own: `#` by itself means nothing where the table has
    // a wall by another character.
    let last = cells.grounds.len().saturating_sub(1);
    let is_used = cells.ground.iter().any(|&ground| usize::from(ground) >= last);
    if let Some(blocked) = cells.grounds.last().filter(|_| is_used && !terrains.is_empty()) {
        let name = free_name(&blocked.name, &terrains, |terrain: &Terrain| &terrain.name);
        let mut wall = Terrain::new(name, '#', blocked.colour);
        wall.walkable = false;
        terrains.push(wall);
    }
    let mut map = String::with_capacity(cells.ground.len() + cells.height as usize);
    for row in cells.ground.chunks(cells.width.max(1) as usize) {
        map.extend(row.iter().map(|ground| glyphs.get(usize::from(*ground)).unwrap_or(&'#')));
        map.push('\n');
    }
    (terrains, Some(map))
}

/// Returns a pseudo-random number. The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
fn mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
