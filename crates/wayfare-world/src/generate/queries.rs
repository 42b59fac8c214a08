//! Random queries on a tile map.

use rand::RngExt;

use super::random;
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

/// Labels the regions of open tiles that hang together by sides where `joined` says so; returns
/// the label of each tile and the size of each region.
fn regions(
    width: usize,
    open: &[bool],
    joined: impl Fn(usize, usize) -> bool,
) -> (Vec<Option<u32>>, Vec<usize>) {
    let mut labels = vec![None; open.len()];
    let mut sizes = Vec::new();
    let mut stack = Vec::new();
    for seed in 0..open.len() {
        if !open[seed] || labels[seed].is_some() {
            continue;
        }
        // Maps have fewer than 2³² tiles, so regions have, too.
        let label = Some(sizes.len() as u32);
        let mut size = 0;
        labels[seed] = label;
        stack.push(seed);
        while let Some(tile) = stack.pop() {
            size += 1;
            let x = tile % width;
            let neighbours = [
                (x > 0).then(|| tile - 1),
                (x + 1 < width).then(|| tile + 1),
                tile.checked_sub(width),
                (tile + width < open.len()).then(|| tile + width),
            ];
            for next in neighbours.into_iter().flatten() {
                if open[next] && labels[next].is_none() && joined(tile, next) {
                    labels[next] = label;
                    stack.push(next);
                }
            }
        }
        sizes.push(size);
    }
    (labels, sizes)
}
