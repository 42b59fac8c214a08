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

use super::program::{HalfSpace, is_free, solve};
use crate::model::Steerings;
use crate::solver::Member;
use crate::steering::{MOST_NEIGHBOURS, MOST_WALLS, SeenBody, SteeringView};

/// Bodies that make more than this share of a change step aside rather than back.
const ASIDE: f32 = 0.99;

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

/// Returns the velocity that a body chooses.
fn velocity(seen: &SteeringView<'_, Vec3>) -> Vec3 {
    let mut spaces = [HalfSpace::default(); MOST_NEIGHBOURS + MOST_WALLS];
    let mut count = 0;
    for wall in seen.walls.iter().take(MOST_WALLS) {
        let least = (-wall.room / seen.wall_horizon).min(seen.max_speed * 0.5);
        spaces[count] = HalfSpace { normal: wall.away, least };
        count += 1;
    }
    let soft = count;
    for other in seen.near.iter().take(MOST_NEIGHBOURS) {
        spaces[count] = half_space(seen, other);
        count += 1;
    }
    let spaces = &spaces[..count];
    let preferred = seen.preferred.clamp_length_max(seen.max_speed);
    if is_free(spaces, preferred) {
        return preferred;
    }
    let mut projected = [HalfSpace::default(); MOST_NEIGHBOURS + MOST_WALLS];
    solve(spaces, soft, turned(preferred, seen.turn), seen.max_speed, &mut projected)
}

/// Returns a direction turned to the right, seen from above: x points east and z south. A vertical
/// one is turned about the x axis.
fn turned(way: Vec3, turn: f32) -> Vec3 {
    let is_upright = way.y * way.y > 0.8 * way.length_squared();
    let axis = if is_upright { Vec3::X } else { Vec3::NEG_Y };
    let SinCos { sin, cos } = sin_cos(turn * 0.5);
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos) * way
}

/// Returns a direction across `way`: to the right, seen from above.
pub(super) fn to_the_right(way: Vec3) -> Vec3 {
    let right = way.cross(Vec3::Y);
    right.try_normalize().unwrap_or(if way.y > 0.0 { Vec3::X } else { Vec3::NEG_X })
}

/// Returns the velocities of a body that avoid `other` within the horizon, if `other` does its
/// share.
fn half_space(seen: &SteeringView<'_, Vec3>, other: &SeenBody<Vec3>) -> HalfSpace {
    let SteeringView { own, max_speed, horizon, dt, .. } = *seen;
    let share = other.share;
    let offset = other.at - own.at;
    let relative = own.velocity - other.velocity;
    let sum = own.radius + other.radius;
    let (distance_squared, sum_squared) = (offset.length_squared(), sum * sum);
    let overlap = distance_squared < sum_squared;
    // Bodies that overlap part within a step.
    let time = if overlap { dt } else { horizon };
    let beyond = relative - offset / time;
    let towards = beyond.dot(offset);
    let is_tip = towards < 0.0 && towards * towards > sum_squared * beyond.length_squared();
    // Who makes the whole change leaves the cone by its side.
    let aside = share > ASIDE && beyond.length_squared() * time * time < sum_squared;
    let (normal, missing) = if overlap || (is_tip && !aside) {
        let length = beyond.length();
        let normal = if length > 0.0 { beyond / length } else { to_the_right(offset) };
        (normal, sum / time - length)
    } else {
        // The balls of the cone have the middles `offset · t` and the radii `sum · t`.
        let along = offset.dot(relative);
        let across = offset.cross(relative).length_squared() / (distance_squared - sum_squared);
        let square = along * along - distance_squared * (relative.length_squared() - across);
        let touch = (along + square.max(0.0).sqrt()) / distance_squared;
        let out = relative - offset * touch;
        let length = out.length();
        let is_on_axis = length <= 1e-5 * sum * touch.abs();
        let normal = if is_on_axis { to_the_right(offset) } else { out / length };
        (normal, sum * touch - length)
    };
    // The two take shares of remaining room as of a change. A body that makes less than half of
    // changes is limited less, down to not at all.
    let is_told = share >= 1.0; // as on the ground
    let held = if missing > 0.0 || is_told { share } else { 1.0 - share };
    let relief = (1.0 - 2.0 * share).max(0.0) * 2.0 * max_speed;
    HalfSpace { normal, least: normal.dot(own.velocity) + missing * held - relief }
}
