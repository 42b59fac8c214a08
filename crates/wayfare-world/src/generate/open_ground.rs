//! A bitmap of open and closed tiles, which the generators carve.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use wayfare::space::TerrainId;

use crate::error::{WorldError, WorldErrorKind};
use crate::movingai_map;
use crate::tile_map::TileMap;

/// Longest side that a generator makes, in tiles.
pub(super) const MAX_SIDE: u32 = 8192;

/// Open (true) and closed tiles.
#[derive(Clone)]
pub(super) struct OpenGround {
    pub(super) width: usize,
    pub(super) height: usize,
    open: Vec<bool>,
}

impl OpenGround {
    /// All open or all closed.
    pub(super) fn new(width: u32, height: u32, least: u32, open: bool) -> Result<Self, WorldError> {
        if !(least..=MAX_SIDE).contains(&width) || !(least..=MAX_SIDE).contains(&height) {
            return Err(WorldError::new(
                WorldErrorKind::Value,
                format!(
                    "a map of {width} × {height} tiles cannot be made: this generator takes sides \
                     from {least} to {MAX_SIDE}"
                ),
            ));
        }
        let (width, height) = (width as usize, height as usize);
        Ok(OpenGround { width, height, open: vec![open; width * height] })
    }

    pub(super) fn is_open(&self, x: usize, y: usize) -> bool {
        x < self.width && y < self.height && self.open[y * self.width + x]
    }

    /// Outside the map, nothing happens.
    pub(super) fn set(&mut self, x: usize, y: usize, open: bool) {
        if x < self.width && y < self.height {
            self.open[y * self.width + x] = open;
        }
    }

    /// From `(x0, y0)` up to, not including, `(x1, y1)`.
    pub(super) fn fill(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize), open: bool) {
        for y in y0..y1.min(self.height) {
            for x in x0..x1.min(self.width) {
                self.set(x, y, open);
            }
        }
    }

    /// Closes all but the largest region that hangs together by sides; the first of equals stays.
    pub(super) fn keep_largest_region(&mut self) {
        let (labels, sizes) = regions(self.width, &self.open, |_, _| true);
        let largest = (0..sizes.len()).rev().max_by_key(|&region| sizes[region]);
        for (open, label) in self.open.iter_mut().zip(labels) {
            *open = label.is_some() && label.map(|label| label as usize) == largest;
        }
    }

    /// As a tile map with the terrains of a Moving AI map.
    pub(super) fn into_map(self, name: &str) -> Result<TileMap, WorldError> {
        let tiles = self.open.iter().map(|&open| TerrainId(u8::from(!open))).collect();
        // Within MAX_SIDE.
        let (width, height) = (self.width as u32, self.height as u32);
        TileMap::new(name, width, height, movingai_map::terrains(), tiles)
    }
}

/// Labels the regions of open tiles that hang together by sides where `joined` says so; returns
/// the label of each tile and the size of each region.
pub(super) fn regions(
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

/// The random numbers of every generator: a small generator whose numbers never change.
pub(super) fn random(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}
