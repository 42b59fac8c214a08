//! Speed by density, as measured.

use wayfare_core::ops::exp;

/// Returns the speed of people at a density on level ground, in m/s. `free_speed`: the speed of a
/// person alone, in m/s; 1.34 is the mean of people. 0 from 5.4 persons a square metre on, and if
/// `density` is NaN.
///
/// `v(ρ) = v₀ (1 − exp(−1.913 (1/ρ − 1/5.4)))`. Source: U. Weidmann, Transporttechnik der
/// Fussgänger, 1993.
///
/// ```
/// use wayfare_measure::weidmann_speed;
///
/// assert!((weidmann_speed(1.0, 1.34) - 1.06).abs() < 0.01);
/// assert_eq!(weidmann_speed(6.0, 1.34), 0.0);
/// assert_eq!(weidmann_speed(0.0, 1.34), 1.34);
/// ```
#[must_use]
pub fn weidmann_speed(density: f32, free_speed: f32) -> f32 {
    (free_speed * (1.0 - exp(-1.913 * (1.0 / density - 1.0 / 5.4)))).max(0.0)
}
