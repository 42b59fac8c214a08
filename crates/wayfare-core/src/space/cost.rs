//! Costs: the sums over moves, which order paths.

use std::fmt::Debug;

/// The cost of one straight step on a grid. See [`DIAGONAL`].
pub const STRAIGHT: u32 = 5741;

/// The cost of one diagonal step on a grid.
///
/// 8119 / 5741 is a continued-fraction convergent of √2: sums of these two integers order paths
/// exactly as sums of 1 and √2 do while the paths differ by at most 5740 diagonals (1414 / 1000
/// already fails at 99).
pub const DIAGONAL: u32 = 8119;

/// A sum of move costs.
///
/// Costs are integers wherever they can be, so that every machine orders paths alike. Two widths
/// exist:
///
/// | type | infinity | holds | for |
/// |---|---|---|---|
/// | `u32` | 2³¹ − 1 | 374,000 straight grid steps | most grids: the smaller node is the faster one |
/// | `u64` | 2⁴⁷ | 24 thousand million straight steps | long mazes, heavy terrain, waypoint graphs |
///
/// Sums saturate at [`Cost::INFINITY`]; a search that meets an infinite sum says so
/// ([`Limit::CostRange`](crate::search::Limit::CostRange)) instead of returning a wrong path.
///
/// Example: [`Space`](super::Space).
pub trait Cost: Copy + Ord + Debug + Default + Send + Sync + 'static {
    /// No cost at all.
    const ZERO: Self;
    /// More than the cost of any path. The sum of two costs never wraps below it.
    const INFINITY: Self;

    /// Returns the sum, saturating at infinity.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// Returns the difference, or zero where `other` is the larger.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// Returns the cost nearest to `value`, saturating at infinity.
    #[must_use]
    fn from_u64(value: u64) -> Self;

    /// Returns the value as an integer that orders as the cost does, at most 2⁴⁷.
    #[must_use]
    fn to_u64(self) -> u64;

    /// Returns the cost times `numerator / denominator`, rounded down, saturating at infinity.
    #[must_use]
    fn scaled(self, numerator: u32, denominator: u32) -> Self {
        let product =
            u128::from(self.to_u64()) * u128::from(numerator) / u128::from(denominator.max(1));
        Self::from_u64(u64::try_from(product).unwrap_or(u64::MAX))
    }
}

impl Cost for u32 {
    const ZERO: Self = 0;
    const INFINITY: Self = u32::MAX / 2;

    #[inline]
    fn plus(self, other: Self) -> Self {
        (self + other).min(Self::INFINITY)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self.saturating_sub(other)
    }

    #[inline]
    fn from_u64(value: u64) -> Self {
        value.min(u64::from(Self::INFINITY)) as u32
    }

    #[inline]
    fn to_u64(self) -> u64 {
        u64::from(self)
    }
}

impl Cost for u64 {
    const ZERO: Self = 0;
    const INFINITY: Self = 1 << 47;

    #[inline]
    fn plus(self, other: Self) -> Self {
        (self + other).min(Self::INFINITY)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self.saturating_sub(other)
    }

    #[inline]
    fn from_u64(value: u64) -> Self {
        value.min(Self::INFINITY)
    }

    #[inline]
    fn to_u64(self) -> u64 {
        self
    }
}
