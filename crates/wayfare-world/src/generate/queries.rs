//! Random queries on a tile map.

use rand::RngExt;

use crate::generate::open_ground::{random, regions};
use crate::tile_map::{TileMap, TilePosition};

/// A start and a goal.
///
/// ```
/// use wayfare_world::{ascii, generate};
///
/// let map = ascii::read(b"....\n.##.\n....\n", "yard")?;
/// let queries = generate::random_queries(&map, 5, 7);
/// assert!(queries.iter().all(|query| query.start != query.goal));
/// # Ok::<(), wayfare_world::WorldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomQuery {
    /// The start.
    pub start: TilePosition,
    /// The goal.
    pub goal: TilePosition,
}

/// `count` queries between places that are walkable and can reach each other by straight steps
/// within one medium (so under every rule for corners). Start and goal differ unless the place is
/// an island of one tile. Fewer (none) only when nothing is walkable.
pub fn random_queries(map: &TileMap, count: usize, seed: u64) -> Vec<RandomQuery> {
    let tiles = map.tiles();
    let width = map.width() as usize;
    let open: Vec<bool> = tiles.iter().map(|tile| map.terrain(*tile).walkable).collect();
    let (labels, sizes) =
        regions(width, &open, |a, b| map.terrain(tiles[a]).medium == map.terrain(tiles[b]).medium);
    // The open tiles, region by region.
    let mut starts = vec![0usize; sizes.len() + 1];
    for (region, size) in sizes.iter().enumerate() {
        starts[region + 1] = starts[region] + size;
    }
    let mut next = starts.clone();
    let mut sorted = vec![0usize; starts[sizes.len()]];
    for (tile, label) in labels.iter().enumerate() {
        if let Some(label) = label {
            sorted[next[*label as usize]] = tile;
            next[*label as usize] += 1;
        }
    }
    if sorted.is_empty() {
        return Vec::new();
    }
    // Coordinates are below the map's u32 sides.
    let position =
        |tile: usize| TilePosition { x: (tile % width) as u32, y: (tile / width) as u32 };
    let mut random = random(seed);
    (0..count)
        .map(|_| {
            let at = random.random_range(0..sorted.len());
            let region = starts.partition_point(|start| *start <= at) - 1;
            let (first, size) = (starts[region], sizes[region]);
            // Any tile of the region but the start.
            let step = if size > 1 { random.random_range(1..size) } else { 0 };
            let goal = first + (at - first + step) % size;
            RandomQuery { start: position(sorted[at]), goal: position(sorted[goal]) }
        })
        .collect()
}
