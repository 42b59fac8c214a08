//! Perfect mazes: exactly one way between any two places.

use rand::RngExt;

use crate::error::WorldError;
use crate::generate::open_ground::{OpenGround, random};
use crate::tile_map::TileMap;

/// A maze of `width` × `height` tiles (3 to 8192 each) with corridors `corridor` tiles wide (at
/// least 1) and walls one tile thick, carved by a depth-first walk: long winding corridors. Where
/// the size is no multiple of the corridor's, the right and lower walls are thicker.
///
/// # Errors
/// When a side is out of range, or so short that no corridor fits.
pub fn maze(width: u32, height: u32, corridor: u32, seed: u64) -> Result<TileMap, WorldError> {
    let corridor = corridor.clamp(1, super::open_ground::MAX_SIDE) as usize;
    let least = corridor as u32 + 2;
    let mut ground = OpenGround::new(width, height, least, false)?;
    let mut random = random(seed);
    let pitch = corridor + 1;
    let (columns, rows) = ((ground.width - 1) / pitch, (ground.height - 1) / pitch);
    // Opens the room, or both rooms and the wall between them.
    let mut carve = |a: (usize, usize), b: (usize, usize)| {
        let from = (a.0.min(b.0) * pitch + 1, a.1.min(b.1) * pitch + 1);
        let to = (a.0.max(b.0) * pitch + 1 + corridor, a.1.max(b.1) * pitch + 1 + corridor);
        ground.fill(from, to, true);
    };
    let mut visited = vec![false; columns * rows];
    let mut trail = vec![(0usize, 0usize)];
    visited[0] = true;
    carve((0, 0), (0, 0));
    while let Some(&(x, y)) = trail.last() {
        let mut choices = [(0, 0); 4];
        let mut count = 0;
        let around = [
            (x > 0).then(|| (x - 1, y)),
            (x + 1 < columns).then_some((x + 1, y)),
            (y > 0).then(|| (x, y - 1)),
            (y + 1 < rows).then_some((x, y + 1)),
        ];
        for room in around.into_iter().flatten() {
            if !visited[room.1 * columns + room.0] {
                choices[count] = room;
                count += 1;
            }
        }
        if count == 0 {
            trail.pop();
            continue;
        }
        let next = choices[random.random_range(0..count)];
        visited[next.1 * columns + next.0] = true;
        carve((x, y), next);
        trail.push(next);
    }
    ground.into_map("maze")
}
