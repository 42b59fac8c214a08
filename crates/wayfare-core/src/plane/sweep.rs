//! Discs swept along segments over a plane of unit squares, some of which are walls.
//!
//! A disc of radius `r` that moves along a segment touches a wall if and only if the distance
//! between segment and wall is less than `r`: its middle is at each point of the segment once.

use std::ops::RangeInclusive;

use glam::DVec2;

use crate::ops::floor;

/// A disc may reach this far into a wall, in sides of a square: coordinates are rounded, and a disc
/// as wide as a passage has to fit into it.
pub const TOUCH: f64 = 1e-3;

/// Returns whether a disc can be swept along a segment without touching a wall. `is_wall` is asked
/// for squares by column and row; the square (x, y) reaches from (x, y) to (x + 1, y + 1).
///
/// `may_hold_walls` is asked first for each row, with the columns to be looked at: an answer of
/// false spares the questions for its squares. The squares that the segment itself touches count
/// like all others.
///
/// `radius` is in sides of a square and at least 0. O((length + radius) · radius) squares.
pub fn disc_sweep_is_clear(
    from: DVec2,
    to: DVec2,
    radius: f64,
    mut may_hold_walls: impl FnMut(i64, RangeInclusive<i64>) -> bool,
    mut is_wall: impl FnMut(i64, i64) -> bool,
) -> bool {
    let most = radius - TOUCH;
    if most <= 0.0 {
        return true;
    }
    let way = to - from;
    let steepness = 1.0 / way.y;
    let rows = floor(from.y.min(to.y) - most)..=floor(from.y.max(to.y) + most);
    for y in rows {
        // The part of the segment that is near enough to the row, as shares of its length.
        let share = |line: f64| ((line - from.y) * steepness).clamp(0.0, 1.0);
        let (above, below) = (y as f64 - most, (y + 1) as f64 + most);
        let (first, last) = if way.y == 0.0 { (0.0, 1.0) } else { (share(above), share(below)) };
        let ends = (from.x + way.x * first, from.x + way.x * last);
        let columns = floor(ends.0.min(ends.1) - most)..=floor(ends.0.max(ends.1) + most);
        if !may_hold_walls(y, columns.clone()) {
            continue;
        }
        for x in columns {
            let corner = DVec2::new(x as f64, y as f64);
            if is_wall(x, y) && distance_squared(from, way, corner) < most * most {
                return false;
            }
        }
    }
    true
}

/// Returns the square of the distance between a segment and the unit square at `corner`.
///
/// Two convex figures that do not meet are nearest to each other at a corner of one of them.
pub fn distance_squared(from: DVec2, way: DVec2, corner: DVec2) -> f64 {
    let to_square = |point: DVec2| point.distance_squared(point.clamp(corner, corner + DVec2::ONE));
    if crosses(from, way, corner) {
        return 0.0;
    }
    let length_squared = way.length_squared();
    let to_segment = |point: DVec2| {
        let share = (point - from).dot(way) / length_squared;
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        point.distance_squared(from + way * share)
    };
    let corners = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE];
    let ends = to_square(from).min(to_square(from + way));
    corners.iter().fold(ends, |least, &offset| least.min(to_segment(corner + offset)))
}

/// Returns whether a segment meets the unit square at `corner`.
fn crosses(from: DVec2, way: DVec2, corner: DVec2) -> bool {
    let (mut enters, mut leaves) = (0.0f64, 1.0f64);
    for (at, step, low) in [(from.x, way.x, corner.x), (from.y, way.y, corner.y)] {
        if step == 0.0 {
            if at < low || at > low + 1.0 {
                return false;
            }
        } else {
            let (a, b) = ((low - at) / step, (low + 1.0 - at) / step);
            (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
        }
    }
    enters <= leaves
}
