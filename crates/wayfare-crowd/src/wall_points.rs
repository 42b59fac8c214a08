//! The points of walls that are nearest to a body, and moves that keep clear of them.

use super::grounds::{Grounds, Standpoint};
use super::moves::Moves;
use super::steering::{MOST_WALLS, WallPoint};

/// Fills in the nearest points of walls, up to the capacity, and returns their count.
pub(super) fn wall_points<V: Moves>(
    walls: &impl Grounds,
    from: Standpoint,
    range: f32,
    points: &mut [WallPoint<V>; MOST_WALLS],
) -> usize {
    let mut count = 0;
    V::visit_walls(walls, from, range, |point| {
        if count < MOST_WALLS {
            points[count] = point;
            count += 1;
            return;
        }
        // Replaces the farthest one.
        let farthest = points.iter_mut().max_by(|a, b| a.room.total_cmp(&b.room));
        if let Some(farthest) = farthest.filter(|farthest| farthest.room > point.room) {
            *farthest = point;
        }
    });
    count
}

/// Returns the part of a move that does not point into the walls that it would reach.
fn along_walls<V: Moves>(walls: &impl Grounds, from: Standpoint, by: V) -> V {
    let mut points = [WallPoint::<V>::default(); MOST_WALLS];
    let range = from.radius + by.length() * 1.5;
    let count = wall_points(walls, from, range, &mut points);
    let slid = points[..count].iter().fold(by, |by, point| {
        // Where the move would bring the body nearer than it may.
        let into = -point.away.dot(by) - point.room.max(0.0);
        if into > 0.0 { by + point.away * into } else { by }
    });
    slid.clamp_length_max(by.length())
}

/// A move that walls allow.
pub(super) struct Proved<V> {
    pub(super) by: V,
    /// Whether a wall bars the move that was asked for.
    pub(super) by_wall: bool,
    /// Whether the body reaches into a wall.
    pub(super) in_wall: bool,
}

/// Shortens a move that walls bar, or turns it along the wall.
pub(super) fn prove_walls<V: Moves>(grounds: &impl Grounds, from: Standpoint, by: V) -> Proved<V> {
    let Standpoint { ground, position, radius } = from;
    let is_clear =
        |by: V, radius: f32| grounds.is_clear(ground, position, by.moved(position), radius);
    if is_clear(by, radius) {
        return Proved { by, by_wall: false, in_wall: false };
    }
    // A body that is in a wall already is proved with the part of it that is not.
    let parts = [1.0, 0.75, 0.5, 0.25, 0.0].map(|part| part * radius);
    let free = parts.into_iter().find(|&radius| is_clear(V::ZERO, radius));
    let room = free.unwrap_or(0.0);
    let along = along_walls(grounds, from, by);
    let ways = [by, along].into_iter().chain(by.parts());
    let ways = ways.chain([by * 0.5, along * 0.5, by * 0.25, by * 0.0625]);
    let mut clear = ways.filter(|&by| is_clear(by, room));
    let by = clear.next().unwrap_or(V::ZERO);
    Proved { by, by_wall: true, in_wall: free != Some(radius) }
}
