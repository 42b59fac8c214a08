//! Balls swept along segments through unit cubes, some of which are walls.
//!
//! A ball of radius `r` that moves along a segment touches a cube if and only if the distance
//! between segment and cube is less than `r`: its middle is at each point of the segment once.

use glam::DVec3;

/// A ball may reach this far into a wall, in sides of a cube: coordinates are rounded, and a ball
/// as wide as a passage has to fit into it.
pub const TOUCH: f64 = 1e-3;

/// The longest piece of a segment whose surroundings are looked at in one go, in sides of a cube.
const PIECE: f64 = 2.0;

/// Returns whether a ball can be swept along a segment without touching a wall. `is_wall` is asked
/// for cubes by the coordinates of their lowest corner.
///
/// `may_hold_walls` is asked first for each piece of the segment, with the lowest and the highest
/// cube of a box around it: an answer of false spares the questions for its cubes. The cubes that
/// the segment itself touches count like all others.
///
/// `radius` is in sides of a cube and at least 0. O((length + radius) · radius²) cubes.
pub fn ball_sweep_is_clear(
    from: DVec3,
    to: DVec3,
    radius: f64,
    may_hold_walls: impl Fn([i32; 3], [i32; 3]) -> bool,
    is_wall: impl Fn([i32; 3]) -> bool,
) -> bool {
    let most = radius - TOUCH;
    if most <= 0.0 {
        return true;
    }
    let way = to - from;
    let pieces = (way.abs().max_element() / PIECE).ceil().max(1.0) as u32;
    let point = |share: u32| from + way * (f64::from(share) / f64::from(pieces));
    (0..pieces).all(|piece| {
        let (begin, end) = (point(piece), point(piece + 1));
        let low = (begin.min(end) - most).floor().as_ivec3();
        let high = (begin.max(end) + most).floor().as_ivec3();
        let holds_none = !may_hold_walls(low.into(), high.into());
        holds_none
            || (low.z..=high.z).all(|z| {
                (low.y..=high.y).all(|y| {
                    (low.x..=high.x).all(|x| {
                        let corner = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                        !is_wall([x, y, z])
                            || distance_squared(begin, end - begin, corner) >= most * most
                    })
                })
            })
    })
}

/// Returns the square of the distance between a segment and the unit cube at `corner`.
///
/// Along the segment it is a convex function, and a quadratic polynomial between the points where
/// the segment meets the planes of the cube's sides. Each of these points bounds the minimum from
/// below or from above by the sign of the slope there. Between the last bounds the slope is linear.
fn distance_squared(from: DVec3, way: DVec3, corner: DVec3) -> f64 {
    let beyond = |share: f64| {
        let point = from + way * share;
        point - point.clamp(corner, corner + DVec3::ONE)
    };
    let slope = |share: f64| way.dot(beyond(share));
    let (mut low, mut high) = (0.0, 1.0);
    if slope(low) >= 0.0 {
        return beyond(low).length_squared();
    }
    if slope(high) <= 0.0 {
        return beyond(high).length_squared();
    }
    for axis in 0..3 {
        for side in [0.0, 1.0] {
            let share = (corner[axis] + side - from[axis]) / way[axis];
            if low < share && share < high {
                if slope(share) > 0.0 { high = share } else { low = share }
            }
        }
    }
    let (falling, rising) = (-slope(low), slope(high));
    let least = if falling > 0.0 { low + (high - low) * falling / (falling + rising) } else { low };
    beyond(least).length_squared()
}
