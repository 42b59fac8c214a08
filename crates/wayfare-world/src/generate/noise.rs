//! Random obstacles.

use rand::RngExt;
use wayfare::space::TerrainId;

use super::random;
use crate::error::{WorldError, WorldErrorKind};
use crate::movingai_map;
use crate::tile_map::TileMap;

/// The longest side, in tiles.
const MOST: u32 = 8192;

/// A map of `width` × `height` tiles (1 to 8192 each) of which each is closed with the probability
/// `density`: 0 (an open field) to 1 (solid); what is outside that range counts as its nearer end.
/// Above about 0.4, little hangs together.
///
/// # Errors
/// When a side is out of range.
pub fn noise(width: u32, height: u32, density: f32, seed: u64) -> Result<TileMap, WorldError> {
    if !(1..=MOST).contains(&width) || !(1..=MOST).contains(&height) {
        let problem = format!(
            "a map of {width} × {height} tiles cannot be made: sides are from 1 to {MOST} tiles"
        );
        return Err(WorldError::new(WorldErrorKind::Value, problem));
    }
    let density = if density.is_nan() { 0.0 } else { f64::from(density.clamp(0.0, 1.0)) };
    let mut random = random(seed);
    let tiles = (0..width as usize * height as usize)
        .map(|_| TerrainId(u8::from(random.random_bool(density))))
        .collect();
    TileMap::new("noise", width, height, movingai_map::terrains(), tiles)
}
