//! The points of walls that are nearest to a body.

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
pub(super) fn along_walls<V: Moves>(walls: &impl Grounds, from: Standpoint, by: V) -> V {
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
