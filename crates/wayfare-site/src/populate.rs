//! Agents for grids that have none.

use wayfare::agent::PatrolOrder;
use wayfare::crowd::AvoidanceQuality;
use wayfare_world::Terrain;
use wayfare_world::scene::{Rectangle, Scene, SceneAgent, SceneBehaviour, Spot};

use crate::{CellLayout, Layout, Site};

/// The places that agents go to.
const PLACES: u64 = 24;
/// Characters for grounds. `.` and `#` have meanings of their own.
const GLYPHS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Agents to be put on a grid: see [`populate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Population {
    /// The number of agents, at least 1.
    pub count: u32,
    /// Decides on the places that they go to.
    pub seed: u64,
    /// How they avoid each other.
    pub avoidance: AvoidanceQuality,
}

/// A scene on a copy of a grid, as it is now, whose agents go to and fro between places all over
/// its largest region. `None` for other worlds, and where no agent can stand.
///
/// ```
/// use wayfare::crowd::AvoidanceQuality;
/// use wayfare_site::{
///     MemoryFiles, NoFiles, OpenOptions, Population, open_bytes, open_simulation_bytes, populate,
/// };
/// use wayfare_world::scene;
///
/// let map = b"......\n.####.\n......\n";
/// let site = open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default())?;
/// let three = Population { count: 3, seed: 7, avoidance: AvoidanceQuality::Off };
/// let scene = populate(site.as_ref(), three).expect("a grid with room");
/// let text = scene::write(&scene)?;
/// let played = open_simulation_bytes("yard.toml", text.as_bytes(), &MemoryFiles::new(), None)?;
/// let mut count = 0;
/// played.for_each_agent(&mut |_| count += 1);
/// assert_eq!(count, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn populate(site: &dyn Site, population: Population) -> Option<Scene> {
    let Layout::Cells(cells) = site.layout() else { return None };
    let region = largest_region(site);
    let (first, rest) = (*region.first()?, u64::try_from(region.len()).ok()?);
    let cell = |state: u32| {
        let offset = state.saturating_sub(cells.first);
        let stride = cells.stride.max(1);
        Spot::Cell([offset % stride, offset / stride])
    };
    let mut scene = Scene::new(site.about().name.clone());
    (scene.terrains, scene.scene.map) = drawn(&cells);
    let chosen = (0..PLACES).map(|number| {
        let place = mix(population.seed.wrapping_add(number)) % rest;
        region.get(usize::try_from(place).unwrap_or_default()).copied().unwrap_or(first)
    });
    let mut agent = SceneAgent::new("walker", cell(first));
    agent.count = Some(population.count.max(1));
    agent.area = Some(Rectangle { min: [0.0; 2], max: [cells.width as f32, cells.height as f32] });
    agent.avoidance = Some(population.avoidance);
    agent.behaviours = vec![SceneBehaviour::Patrol {
        points: chosen.map(cell).collect(),
        order: PatrolOrder::Random,
        dwell: 1.0,
        start: 0,
    }];
    scene.agents.push(agent);
    Some(scene)
}

/// The states of the region with the most states, in order; all free states where regions are not
/// known.
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

/// The terrain table and the text map of a grid.
fn drawn(cells: &CellLayout) -> (Vec<Terrain>, Option<String>) {
    let mut terrains = Vec::new();
    let mut glyphs = Vec::new();
    for (number, ground) in cells.grounds.iter().enumerate() {
        // Blocked cells without a ground of their own come last.
        let is_last = number + 1 == cells.grounds.len();
        let glyph = GLYPHS.chars().nth(number).filter(|_| !is_last).unwrap_or('#');
        glyphs.push(glyph);
        if glyph != '#' {
            let mut terrain = Terrain::new(ground.name.clone(), glyph, ground.colour);
            terrain.multiplier = ground.multiplier;
            terrain.penalty = ground.penalty;
            terrain.walkable = ground.is_open;
            terrains.push(terrain);
        }
    }
    let mut map = String::with_capacity(cells.ground.len() + cells.height as usize);
    for row in cells.ground.chunks(cells.width.max(1) as usize) {
        map.extend(row.iter().map(|ground| glyphs.get(usize::from(*ground)).unwrap_or(&'#')));
        map.push('\n');
    }
    (terrains, Some(map))
}

/// A number that looks random. The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
fn mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
