//! Agents for grids that have none.

use wayfare::agent::PatrolOrder;
use wayfare::crowd::AvoidanceQuality;
use wayfare_formats::Terrain;
use wayfare_scene::scene::{
    GroundChange, Rectangle, Scene, SceneAgent, SceneBehaviour, ScheduledCommand, Spot,
};

use crate::{CellLayout, EndpointTexts, Layout, Site, SiteError, choose_ends};

/// The count of places that agents go to.
const PLACES: u64 = 24;
/// Beyond the end of any simulation, in seconds: a month.
const NEVER: f32 = 2_600_000.0;
/// Characters for grounds. `.` and `#` have meanings of their own.
const GLYPHS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Agents to be put on a grid: see [`populate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Population {
    /// The count of agents, at least 1.
    pub count: u32,
    /// Chooses the places that they go to.
    pub seed: u64,
    /// How they avoid each other.
    pub avoidance: AvoidanceQuality,
}

/// Returns a scene on a copy of a grid, as it is now, whose agents go to and fro between places all
/// over its largest region. `None` for other worlds, and if no cell is free.
///
/// ```
/// use wayfare::crowd::AvoidanceQuality;
/// use wayfare_site::{
///     MemoryFiles, NoFiles, OpenOptions, Population, open_bytes, open_simulation_bytes, populate,
/// };
/// use wayfare_scene::scene;
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
    let cell = |state: u32| spot(&cells, state);
    let mut scene = Scene::new(site.about().name.clone());
    scene.costs.blur = cells.blur;
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
    // The first cell as it is, long after everything: a scene that may replace ground keeps
    // terrains that no cell has at the beginning, which `ground_change` may bring.
    let glyph =
        cells.ground.first().and_then(|ground| glyphs(&cells).get(usize::from(*ground)).copied());
    let map = glyph.unwrap_or('#').to_string();
    let replace = GroundChange { map, entry: cell(first), ..GroundChange::default() };
    scene.events.push(ScheduledCommand {
        at: NEVER,
        replace: Some(replace),
        ..ScheduledCommand::default()
    });
    Some(scene)
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
    let (map, entry) = (rows.join("\n"), spot(&after, entry));
    let change = GroundChange { map, entry, ..GroundChange::default() };
    Ok((change, ground))
}

/// Returns a state of a grid by column and row.
fn spot(cells: &CellLayout, state: u32) -> Spot {
    let offset = state.saturating_sub(cells.first);
    let stride = cells.stride.max(1);
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
        let mut name = blocked.name.clone();
        while terrains.iter().any(|terrain: &Terrain| terrain.name == name) {
            name.push('_');
        }
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
