//! Plane geometry: a mesh as it is seen from above.
//!
//! The plan of a point `(x, y, z)` is `(x, -z)`: with y up, a viewer above the mesh who has x to
//! the right sees z pointing down. Counter-clockwise means the same as in textbooks.
//!
//! # Exact turns
//!
//! Searches tell left from right by [`turn`], and contradict themselves if its sign is ever wrong.
//! So they use points of a [`Raster`], whose step is 2⁻²⁵ of a power of two that no coordinate of
//! the mesh exceeds. Differences of points are then integers of at most 26 bits, products of two
//! have 52, and their difference 53: double precision represents all of them, and the sign is
//! exact. A point moves by half a step at most, a quarter of the rounding of the largest coordinate
//! in single floats.

use glam::{DVec2, DVec3, Vec2, Vec3};

/// Returns a point as seen from above.
#[inline(always)]
pub(crate) fn plan(point: Vec3) -> DVec2 {
    DVec2::new(f64::from(point.x), -f64::from(point.z))
}

/// Returns the [`plan`] of a point that is not rounded.
#[inline(always)]
pub(super) fn exact_plan(point: DVec3) -> DVec2 {
    DVec2::new(point.x, -point.z)
}

/// Returns twice the area of the triangle: above 0 if `c` lies to the left of the line from `a` to
/// `b`.
#[inline(always)]
pub fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The points in plan between which turns are exact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Raster {
    /// A power of two, in metres.
    step: f64,
}

impl Raster {
    /// Returns the raster for points no farther out than the farthest of these.
    pub(crate) fn around(places: &[Vec3]) -> Self {
        let farthest = |most: f32, at: &Vec3| most.max(at.x.abs()).max(at.z.abs());
        let most = places.iter().fold(f32::MIN_POSITIVE, farthest);
        // Cut off behind its exponent, and doubled: a power of two above it.
        let power = f32::from_bits(most.to_bits() & 0x7f80_0000);
        Self { step: f64::from(power) * 2.0 / f64::from(1 << 25) }
    }

    /// Returns the distance between neighbouring points along an axis, in metres.
    pub(super) fn step(self) -> f64 {
        self.step
    }

    /// Returns the raster point nearest to a point as seen from above: a single float on either
    /// axis.
    #[inline]
    pub(crate) fn place(self, point: Vec3) -> Vec2 {
        // Adding zero turns the negative zero into the positive one.
        ((plan(point) / self.step).round() * self.step + DVec2::ZERO).as_vec2()
    }
}
