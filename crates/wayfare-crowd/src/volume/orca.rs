//! Optimal reciprocal collision avoidance in three dimensions.
//!
//! As [`Orca`](crate::Orca), with a cone and a ball at its tip where that has a sector and a
//! disc. The smallest change out of the cone is across its surface: the nearest point of the
//! surface lies where a ball of the cone, at the time `t`, touches the relative velocity.
//!
//! # Symmetry
//!
//! A relative velocity along the axis of the cone has no nearest point: all directions are alike.
//! Each body then leaves to its own right, seen from above; straight up and down, along the x axis.
//! The two of a pair choose opposite directions. Also, a body that cannot move as it prefers
//! prefers a direction a little further to the right, as on the ground.
//!
//! Source: van den Berg, Guy, Lin and Manocha, Reciprocal n-body collision avoidance, 2011,
//! section 5.

use glam::{Quat, Vec3};
use wayfare_core::ops::{SinCos, sin_cos};
use wide::f32x4;

use crate::orca::{Avoids, Change, Cones};
use crate::quad::{FourOf, LANES, Quad};

impl Avoids for Vec3 {
    const SPARES_FELLOWS: bool = false;

    /// A vertical one is turned about the x axis.
    fn turned(self, turn: f32) -> Self {
        let is_upright = self.y * self.y > 0.8 * self.length_squared();
        let axis = if is_upright { Self::X } else { Self::NEG_Y };
        let SinCos { sin, cos } = sin_cos(turn * 0.5);
        Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos) * self
    }

    fn out_of_tip(offset: Self, _own: u32, _other: u32) -> Self {
        to_the_right(offset)
    }

    #[inline]
    fn out_of_side(cones: &Cones<Self>) -> Change<Self> {
        let Cones { offset, relative, sum, distance_squared, .. } = *cones;
        let zero = f32x4::ZERO;
        // The balls of the cone have the middles `offset · t` and the radii `sum · t`.
        let along = offset.dot(relative);
        let across = cross(offset, relative).length_squared() / (distance_squared - sum * sum);
        let square = along * along - distance_squared * (relative.length_squared() - across);
        let touch = (along + square.fast_max(zero).sqrt()) / distance_squared;
        let out = relative - offset * touch;
        let length = out.length_squared().sqrt();
        let mut normal = out * (f32x4::ONE / length);
        let on_axis = length.simd_le(f32x4::splat(1e-5) * sum * touch.abs());
        if on_axis.any() {
            for lane in (0..LANES).filter(|lane| on_axis.to_bitmask() >> lane & 1 > 0) {
                normal.set_lane(lane, to_the_right(offset.lane(lane)));
            }
        }
        Change { normal, missing: sum * touch - length }
    }
}

/// Returns the vector products of four pairs.
#[inline]
fn cross(a: Quad<3>, b: Quad<3>) -> Quad<3> {
    let [ax, ay, az] = [a.axis(0), a.axis(1), a.axis(2)];
    let [bx, by, bz] = [b.axis(0), b.axis(1), b.axis(2)];
    Quad::of([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
}

/// Returns a direction across `way`: to the right, seen from above.
pub(super) fn to_the_right(way: Vec3) -> Vec3 {
    let right = way.cross(Vec3::Y);
    right.try_normalize().unwrap_or(if way.y > 0.0 { Vec3::X } else { Vec3::NEG_X })
}
