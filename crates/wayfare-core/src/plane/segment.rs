//! Straight segments.

use glam::{DVec2, Vec3};

/// Returns the point of a segment that is nearest to another point.
#[inline]
pub fn nearest_on_segment(point: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let way = to - from;
    let share = (point - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
    from + way * share.clamp(0.0, 1.0)
}

/// Returns the share of a segment, 0 to 1, at which it is nearest to a point.
#[inline]
pub fn share_along(point: DVec2, from: DVec2, to: DVec2) -> f64 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared();
    // A segment of length 0 has no share.
    if share > 0.0 { share.min(1.0) } else { 0.0 }
}

/// Returns the point of a segment that is nearest to a point.
#[inline]
pub fn nearest_on(point: DVec2, from: DVec2, to: DVec2) -> DVec2 {
    from + (to - from) * share_along(point, from, to)
}
