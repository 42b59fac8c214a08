//! Straight segments.

use glam::Vec3;

/// Returns the point of a segment that is nearest to another point.
#[inline]
pub fn nearest_on_segment(point: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let way = to - from;
    let share = (point - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
    from + way * share.clamp(0.0, 1.0)
}
