//! Four vectors side by side, axis by axis.
//!
//! Each lane makes the operations of a scalar program in the same order, by instructions that IEEE
//! 754 defines to the last bit. So the results are those of every target, with or without SIMD.
//! Masks have all bits of a lane set, or none.

use std::ops::{Add, Mul, Sub};

use glam::{Vec2, Vec3};
use wide::f32x4;

/// Lanes to a quad.
pub(super) const LANES: usize = 4;

/// Four vectors of `AXES` axes.
#[derive(Clone, Copy, Debug)]
pub struct Quad<const AXES: usize>([f32x4; AXES]);

impl<const AXES: usize> Default for Quad<AXES> {
    fn default() -> Self {
        Self([f32x4::ZERO; AXES])
    }
}

/// Four vectors of one type.
pub trait FourOf<V>:
    Copy
    + std::fmt::Debug
    + Default
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<f32x4, Output = Self>
{
    /// Returns a vector in all lanes.
    fn splat(vector: V) -> Self;

    /// Returns four vectors.
    fn lanes(vectors: [V; LANES]) -> Self;

    /// Returns the first and the second vectors of four pairs that lie side by side in memory.
    fn pairs(pairs: [[V; 2]; LANES]) -> [Self; 2];

    /// Returns the vector of a lane.
    fn lane(&self, lane: usize) -> V;

    /// Changes the vector of a lane.
    fn set_lane(&mut self, lane: usize, vector: V);

    /// Returns the scalar products.
    fn dot(self, other: Self) -> f32x4;

    /// Returns the vectors of `other` where the mask is not set.
    fn where_set(self, mask: f32x4, other: Self) -> Self;

    /// Returns the squares of the lengths.
    #[inline]
    fn length_squared(self) -> f32x4 {
        self.dot(self)
    }
}

impl<const AXES: usize> Quad<AXES> {
    /// Returns the coordinates along an axis.
    #[inline]
    pub(super) fn axis(self, axis: usize) -> f32x4 {
        self.0[axis]
    }

    /// Returns the vectors of these coordinates.
    #[inline]
    pub(super) fn of(axes: [f32x4; AXES]) -> Self {
        Self(axes)
    }
}

// Axis by axis in words: of functions over arrays compilers make detours through memory.
macro_rules! four_of {
    ($vector:ty, $axes:literal, $($axis:literal)*, $pairs:expr) => {
        impl Add for Quad<$axes> {
            type Output = Self;

            #[inline]
            fn add(self, other: Self) -> Self {
                Self([$(self.0[$axis] + other.0[$axis]),*])
            }
        }

        impl Sub for Quad<$axes> {
            type Output = Self;

            #[inline]
            fn sub(self, other: Self) -> Self {
                Self([$(self.0[$axis] - other.0[$axis]),*])
            }
        }

        impl Mul<f32x4> for Quad<$axes> {
            type Output = Self;

            #[inline]
            fn mul(self, by: f32x4) -> Self {
                Self([$(self.0[$axis] * by),*])
            }
        }

        impl FourOf<$vector> for Quad<$axes> {
            #[inline]
            fn splat(vector: $vector) -> Self {
                Self([$(f32x4::splat(vector[$axis])),*])
            }

            #[inline]
            fn lanes(vectors: [$vector; LANES]) -> Self {
                let [a, b, c, d] = vectors;
                Self([$(f32x4::new([a[$axis], b[$axis], c[$axis], d[$axis]])),*])
            }

            #[inline]
            fn pairs(pairs: [[$vector; 2]; LANES]) -> [Self; 2] {
                $pairs(pairs)
            }

            #[inline]
            fn lane(&self, lane: usize) -> $vector {
                [$(self.0[$axis].as_array()[lane]),*].into()
            }

            #[inline]
            fn set_lane(&mut self, lane: usize, vector: $vector) {
                $(self.0[$axis].as_mut_array()[lane] = vector[$axis];)*
            }

            #[inline]
            fn dot(self, other: Self) -> f32x4 {
                let products = [$(self.0[$axis] * other.0[$axis]),*];
                products[1..].iter().fold(products[0], |sum, &product| sum + product)
            }

            #[inline]
            fn where_set(self, mask: f32x4, other: Self) -> Self {
                Self([$(mask.bitselect(self.0[$axis], other.0[$axis])),*])
            }
        }
    };
}

four_of!(Vec2, 2, 0 1, |pairs: [[Vec2; 2]; LANES]| {
    let [x, y, z, w] = f32x4::transpose(pairs.map(|[a, b]| f32x4::new([a.x, a.y, b.x, b.y])));
    [Self([x, y]), Self([z, w])]
});
four_of!(Vec3, 3, 0 1 2, |[[a, e], [b, f], [c, g], [d, h]]: [[Vec3; 2]; LANES]| {
    [Self::lanes([a, b, c, d]), Self::lanes([e, f, g, h])]
});

/// The masks of the first lanes, by their count.
static FIRST: [f32x4; LANES + 1] = {
    const ALL: f32 = f32::from_bits(u32::MAX);
    [
        f32x4::new([0.0; LANES]),
        f32x4::new([ALL, 0.0, 0.0, 0.0]),
        f32x4::new([ALL, ALL, 0.0, 0.0]),
        f32x4::new([ALL, ALL, ALL, 0.0]),
        f32x4::new([ALL; LANES]),
    ]
};

/// Returns the mask of the first `count` lanes.
#[inline]
pub(super) fn first_lanes(count: usize) -> f32x4 {
    FIRST[count.min(LANES)]
}
