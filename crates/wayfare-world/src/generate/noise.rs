//! Random obstacles.

use rand::RngExt;

use crate::error::WorldError;
use crate::generate::open_ground::{OpenGround, random};
use crate::tile_map::TileMap;

/// A map of `width` × `height` tiles (1 to 8192 each) of which each is closed with the probability
/// `density`: 0 (an open field) to 1 (solid); what is outside that range counts as its nearer end.
/// Above about 0.4, little hangs together.
///
/// # Errors
/// When a side is out of range.
pub fn noise(width: u32, height: u32, density: f32, seed: u64) -> Result<TileMap, WorldError> {
    let density = if density.is_nan() { 0.0 } else { f64::from(density.clamp(0.0, 1.0)) };
    let mut ground = OpenGround::new(width, height, 1, true)?;
    let mut random = random(seed);
    for y in 0..ground.height {
        for x in 0..ground.width {
            ground.set(x, y, !random.random_bool(density));
        }
    }
    ground.into_map("noise")
}
