//! The points of walls that are nearest to a body, and moves that keep clear of them.

use super::grounds::{Grounds, Standpoint};
use super::moves::Moves;
use super::steering::{MOST_WALLS, WallPoint};

/// The part of its radius that a body keeps from walls where no proof is asked for: the sums of the
/// coordinates and of moves round.
const ASIDE: f32 = 1.0 / 64.0;

/// What a body sees of walls.
pub(super) struct SeenWalls {
    /// The count of points.
    pub(super) count: usize,
    /// The length of the moves that come to no wall in any direction; 0 if that is not known.
    pub(super) free: f32,
}

/// Fills in the nearest points of walls within a range, up to the capacity.
///
/// A disc that moves by less than its distance from all walls reaches none: so such moves need no
/// proof.
pub(super) fn wall_points<V: Moves>(
    walls: &impl Grounds,
    from: Standpoint,
    range: f32,
    points: &mut [WallPoint<V>; MOST_WALLS],
) -> SeenWalls {
    let (mut count, mut least) = (0, range - from.radius);
    let are_all = V::visit_walls(walls, from, range, |point| {
        least = least.min(point.room);
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
    let rounding = from.position.abs().max_element() * (4.0 * f32::EPSILON);
    let free = if are_all { least - from.radius * ASIDE - rounding } else { 0.0 };
    SeenWalls { count, free: free.max(0.0) }
}

/// Returns the part of a move that does not point into the walls that it would reach.
fn along_walls<V: Moves>(walls: &impl Grounds, from: Standpoint, by: V) -> V {
    let mut points = [WallPoint::<V>::default(); MOST_WALLS];
    let range = from.radius + by.length() * 1.5;
    let SeenWalls { count, .. } = wall_points(walls, from, range, &mut points);
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

/// Returns whether walls allow a move. Moves of that [free](SeenWalls::free) length are clear.
#[inline]
pub(super) fn is_clear<V: Moves>(
    grounds: &impl Grounds,
    (from, free): (Standpoint, f32),
    by: V,
) -> bool {
    let is_free = by.length_squared() < free * free;
    debug_assert!(!is_free || is_clear_for(grounds, from, by), "{by:?} from {from:?}, {free}");
    is_free || is_clear_for(grounds, from, by)
}

fn is_clear_for<V: Moves>(grounds: &impl Grounds, from: Standpoint, by: V) -> bool {
    let Standpoint { ground, position, radius } = from;
    grounds.is_clear(ground, position, by.moved(position), radius)
}

/// Shortens a move that walls bar, or turns it along the wall.
pub(super) fn prove_walls<V: Moves>(
    grounds: &impl Grounds,
    (from, free): (Standpoint, f32),
    by: V,
) -> Proved<V> {
    if is_clear(grounds, (from, free), by) {
        return Proved { by, by_wall: false, in_wall: false };
    }
    let Standpoint { radius, .. } = from;
    let is_clear = |by: V, radius: f32| is_clear_for(grounds, Standpoint { radius, ..from }, by);
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
