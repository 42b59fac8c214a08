//! Caves, by cellular automata.
//!
//! Source: L. Johnson, G. Yannakakis, J. Togelius, "Cellular automata for real-time generation of
//! infinite cave levels", 2010.

use rand::RngExt;

use crate::error::WorldError;
use crate::generate::open_ground::{OpenGround, random};
use crate::tile_map::TileMap;

/// A cave of `width` × `height` tiles (16 to 8192 each): one winding region, where every open tile
/// can be reached from every other. Time and memory are proportional to the tiles.
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
    /// Share of tiles that start closed: fewer give one hall, more give small bubbles.
    const CLOSED_AT_FIRST: f64 = 0.48;
    /// Rounds of smoothing: by then hardly a tile changes any more.
    const ROUNDS: usize = 5;

    let mut ground = OpenGround::new(width, height, 16, false)?;
    let mut random = random(seed);
    for y in 1..ground.height - 1 {
        for x in 1..ground.width - 1 {
            ground.set(x, y, !random.random_bool(CLOSED_AT_FIRST));
        }
    }
    for _ in 0..ROUNDS {
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
    ground.keep_largest_region();
    ground.into_map("cave")
}
