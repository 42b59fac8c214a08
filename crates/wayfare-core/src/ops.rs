//! The transcendental functions that results depend on.
//!
//! The standard library leaves `sin` and the like to the platform, and platforms differ in the last
//! bit. All of Wayfare calls these functions instead, so that a path, a crowd or a picture is the
//! same on every target. `sqrt` is exact by IEEE 754 and needs no replacement.
//!
//! ```
//! let quarter = wayfare::ops::sin_cos(std::f32::consts::FRAC_PI_2);
//! assert_eq!((quarter.sin, quarter.cos.abs() < 1e-7), (1.0, true));
//! ```

/// Returns the largest whole number that is at most `x`, as `x.floor() as i64` without a call:
/// processors need not have an instruction for it, and targets that allow for those call a
/// function.
#[inline]
pub fn floor(x: f64) -> i64 {
    let whole = x as i64; // rounded towards 0
    whole.saturating_sub(i64::from(x < whole as f64))
}

/// The sine and the cosine of an angle, both −1 to 1.
///
/// ```
/// use wayfare::ops::{SinCos, sin_cos};
/// let SinCos { sin, cos } = sin_cos(std::f32::consts::FRAC_PI_2);
/// assert!(sin == 1.0 && cos.abs() < 1e-6);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SinCos {
    /// The sine.
    pub sin: f32,
    /// The cosine.
    pub cos: f32,
}

/// Returns the sine and the cosine of an angle in radians.
#[must_use]
pub fn sin_cos(angle: f32) -> SinCos {
    let (sin, cos) = libm::sincosf(angle);
    SinCos { sin, cos }
}

/// Returns the angle in radians, in `-π..=π`, of the direction `(x, y)` from the positive x axis.
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Returns the tangent of an angle in radians.
#[must_use]
pub fn tan(angle: f32) -> f32 {
    libm::tanf(angle)
}

/// `e` to the power `x`.
#[must_use]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// `x` to the power `y`.
#[must_use]
pub fn powf(x: f32, y: f32) -> f32 {
    libm::powf(x, y)
}
