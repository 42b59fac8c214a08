//! Two axes or three: bodies on the ground are discs, seen from above, and bodies that fly or swim
//! are balls. A step is written once for both.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

use glam::{Vec2, Vec3};

use super::quad::{FourOf, Quad};

/// The vectors of a crowd: of two axes or of three.
pub trait Axes:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<f32, Output = Self>
    + Div<f32, Output = Self>
{
    /// Four vectors side by side.
    type Four: FourOf<Self>;

    /// The origin.
    const ZERO: Self;

    /// Returns the scalar product of two vectors.
    fn dot(self, other: Self) -> f32;

    /// Returns the vector, shortened to a length of `most` if it is longer.
    fn clamp_length_max(self, most: f32) -> Self;

    /// Returns whether all coordinates are finite.
    fn is_finite(self) -> bool;

    /// Returns the square of the length.
    #[inline]
    fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// Returns the length.
    #[inline]
    fn length(self) -> f32 {
        self.length_squared().sqrt()
    }

    /// Returns the distance of two points.
    #[inline]
    fn distance(self, other: Self) -> f32 {
        (self - other).length()
    }

    /// Returns the square of the distance of two points.
    #[inline]
    fn distance_squared(self, other: Self) -> f32 {
        (self - other).length_squared()
    }
}

macro_rules! axes {
    ($vector:ty, $axes:literal) => {
        impl Axes for $vector {
            type Four = Quad<$axes>;

            const ZERO: Self = Self::ZERO;

            #[inline]
            fn dot(self, other: Self) -> f32 {
                self.dot(other)
            }

            #[inline]
            fn clamp_length_max(self, most: f32) -> Self {
                self.clamp_length_max(most)
            }

            #[inline]
            fn is_finite(self) -> bool {
                self.is_finite()
            }
        }
    };
}

axes!(Vec2, 2);
axes!(Vec3, 3);
