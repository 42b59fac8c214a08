//! The transcendental functions that results depend on.
//!
//! The standard library hands `sin` and its kin to the platform, and platforms differ in the last bit. Everything in
//! Wayfare that needs one goes through here, so that a route, a crowd or a picture is the same on every target.
//! `sqrt` is exact by IEEE 754 and needs no detour.

/// Sine and cosine of an angle in radians.
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// The angle in radians, in `-π..=π`, of the direction `(x, y)` from the positive x axis.
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// The angle in radians, in `0..=π`, whose cosine is `x`; `x` is clamped to `-1..=1` first.
#[must_use]
pub fn acos(x: f32) -> f32 {
    libm::acosf(x.clamp(-1.0, 1.0))
}

/// The tangent of an angle in radians.
#[must_use]
pub fn tan(angle: f32) -> f32 {
    libm::tanf(angle)
}

/// `e` to the power of `x`.
#[must_use]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// `x` to the power of `y`.
#[must_use]
pub fn powf(x: f32, y: f32) -> f32 {
    libm::powf(x, y)
}
