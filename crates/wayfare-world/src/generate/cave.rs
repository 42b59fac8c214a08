//! Caves, by cellular automata.
//!
//! Source: L. Johnson, G. Yannakakis, J. Togelius, "Cellular automata for real-time generation of
//! infinite cave levels", 2010. Here in two scales: a coarse automaton lays out halls and passages,
//! a fine one roughens their walls.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::error::WorldError;
use crate::generate::open_ground::{OpenGround, random};
use crate::tile_map::TileMap;

/// A cave of `width` × `height` tiles (32 to 8192 each): halls and passages in one region, where
/// every open tile can be reached from every other. Time and memory are proportional to the tiles.
///
/// ```
/// use wayfare_world::generate;
///
/// let cave = generate::cave(64, 48, 7)?;
/// assert_eq!(cave, generate::cave(64, 48, 7)?);
/// assert!(cave.histogram()[0] > 500);
/// # Ok::<(), wayfare_world::WorldError>(())
/// ```
///
/// # Errors
/// When a side is out of range.
pub fn cave(width: u32, height: u32, seed: u64) -> Result<TileMap, WorldError> {
    /// Share of coarse tiles that start closed: fewer give one hall, more give small bubbles.
    const CLOSED_AT_FIRST: f64 = 0.47;
    /// Share of fine tiles that start as the opposite of their coarse tile.
    const ROUGHNESS: f64 = 0.22;

    let mut ground = OpenGround::new(width, height, 32, false)?;
    let mut random = random(seed);
    // Tiles of the map along a side of a coarse tile, about half the width of a passage; small
    // caves have narrower ones, or they would be a single hall.
    let scale = (width.min(height) / 40).clamp(1, 5);
    let (columns, rows) = (width.div_ceil(scale), height.div_ceil(scale));
    let scale = scale as usize;
    let mut coarse = OpenGround::new(columns, rows, 1, false)?;
    scatter(&mut coarse, &mut random, |_, _| CLOSED_AT_FIRST);
    smooth(&mut coarse, 4);
    // Even the smallest cave has a hall.
    let middle = (coarse.width / 2, coarse.height / 2);
    coarse.fill((middle.0 - 1, middle.1 - 1), (middle.0 + 1, middle.1 + 1), true);
    scatter(&mut ground, &mut random, |x, y| {
        if coarse.is_open(x / scale, y / scale) { ROUGHNESS } else { 1.0 - ROUGHNESS }
    });
    smooth(&mut ground, 3);
    ground.keep_largest_region();
    ground.into_map("cave")
}

/// Closes each tile with the probability given for it; the border is closed.
fn scatter(ground: &mut OpenGround, random: &mut Pcg64Mcg, closed: impl Fn(usize, usize) -> f64) {
    for y in 1..ground.height - 1 {
        for x in 1..ground.width - 1 {
            ground.set(x, y, !random.random_bool(closed(x, y)));
        }
    }
}

/// So many rounds in which each tile becomes what most of the nine around it are.
fn smooth(ground: &mut OpenGround, rounds: usize) {
    for _ in 0..rounds {
        let before = ground.clone();
        for y in 1..ground.height - 1 {
            for x in 1..ground.width - 1 {
                let walls = (y - 1..=y + 1)
                    .flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)))
                    .filter(|&(x, y)| !before.is_open(x, y))
                    .count();
                ground.set(x, y, walls < 5);
            }
        }
    }
}
