//! Plane geometry: a mesh as it is seen from above.
//!
//! The plan of a point `(x, y, z)` is `(x, -z)`: with y up, a viewer above the mesh who has x to
//! the right sees z pointing down. Counter-clockwise means the same as in textbooks.
//!
//! Coordinates of a mesh are single floats, so their differences are exact in double precision
//! where the two are within 2²⁹ of each other, and [`turn`] of three of them has the right sign
//! unless the corners are collinear within about 10⁻¹⁵ of their distance.

use glam::{DVec2, Vec3};

/// A point as seen from above.
#[inline(always)]
pub(crate) fn plan(point: Vec3) -> DVec2 {
    DVec2::new(f64::from(point.x), -f64::from(point.z))
}

/// Twice the area of the triangle: above 0 where `c` lies to the left of the line from `a` to `b`.
#[inline(always)]
pub(crate) fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}
