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

use crate::model::Steerings;
use crate::orca::{Avoids, velocity};
use crate::solver::Member;
use crate::steering::SteeringView;

/// Reciprocal avoidance, for all.
pub(super) struct VolumeOrca;

impl Steerings<Vec3> for VolumeOrca {
    #[inline]
    fn velocity(&self, _member: &Member, seen: &SteeringView<'_, Vec3>) -> Vec3 {
        velocity(seen)
    }

    #[inline]
    fn takes_turns(&self, _member: &Member) -> bool {
        false
    }
}

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

    fn out_of_side(
        offset: Self,
        relative: Self,
        _beyond: Self,
        sum: f32,
        distance_squared: f32,
    ) -> (Self, f32) {
        // The balls of the cone have the middles `offset · t` and the radii `sum · t`.
        let along = offset.dot(relative);
        let across = offset.cross(relative).length_squared() / (distance_squared - sum * sum);
        let square = along * along - distance_squared * (relative.length_squared() - across);
        let touch = (along + square.max(0.0).sqrt()) / distance_squared;
        let out = relative - offset * touch;
        let length = out.length();
        let is_on_axis = length <= 1e-5 * sum * touch.abs();
        let normal = if is_on_axis { to_the_right(offset) } else { out / length };
        (normal, sum * touch - length)
    }
}

/// Returns a direction across `way`: to the right, seen from above.
pub(super) fn to_the_right(way: Vec3) -> Vec3 {
    let right = way.cross(Vec3::Y);
    right.try_normalize().unwrap_or(if way.y > 0.0 { Vec3::X } else { Vec3::NEG_X })
}
