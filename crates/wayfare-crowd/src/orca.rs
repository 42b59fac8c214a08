//! Optimal reciprocal collision avoidance.
//!
//! Two bodies collide within the horizon if their relative velocity lies in a cone with a rounded
//! tip. Let `u` be the smallest change out of the cone. If each body makes its share of `u`, they
//! do not collide; so each keeps to a half plane of velocities at the tip of its share of `u`: in
//! three axes to a half space. A linear program chooses the velocity nearest to the preferred one
//! in all of them.
//!
//! # Walls
//!
//! Let `p` be the point of a wall's side that is nearest to the body, `n` the direction from `p` to
//! the body and `room` the free distance. A side is convex, so all of it lies beyond the line
//! through `p` across `n`. A velocity with `n·v ≥ -room / horizon` does not reach that line within
//! the horizon. These half planes are kept even if those of bodies are violated.
//!
//! # Symmetry
//!
//! Two bodies that meet head-on, or a ring of them, would stop in perfect balance. A body that
//! cannot move as it prefers therefore prefers a direction a little further to the right: see
//! [`SteeringView::turn`]. Members of a group do so for others alone.
//!
//! Source: van den Berg, Guy, Lin and Manocha, Reciprocal n-body collision avoidance, 2011.

use glam::Vec2;
use wayfare_core::ops::{SinCos, sin_cos};

use super::moves::Moves;
use super::program::{HalfSpace, Program, is_free, solve};
use super::steering::{MOST_NEIGHBOURS, MOST_WALLS, SeenBody, Steering, SteeringView};
use super::stuck::TURN;

/// Bodies that make more than this share of a change step aside rather than back.
const ASIDE: f32 = 0.99;

/// Reciprocal avoidance (ORCA): bodies that see each other turn aside in time, each by its share.
///
/// The default of [`Crowd::step`](super::Crowd::step). For crowds of games: fast, and free of
/// oscillations. People keep more distance than its bodies do.
///
/// ```
/// use glam::{Vec2, Vec3};
/// use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings, NoWalls, Orca};
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// let east = CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) };
/// let west = CrowdAgent { preferred: -Vec3::X, ..CrowdAgent::at(Vec3::X * 8.0) };
/// let (a, b) = (crowd.add(east)?, crowd.add(west)?);
/// for _ in 0..120 {
///     crowd.step_by(&Orca, &NoWalls, 0.1)?;
/// }
/// // They have passed each other.
/// assert!(crowd.agent(a).unwrap().position.x > 8.0);
/// assert!(crowd.agent(b).unwrap().position.x < 0.0);
/// # Ok::<(), wayfare::crowd::CrowdFault>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Orca;

impl Steering for Orca {
    #[inline]
    fn velocity(&self, seen: &SteeringView<'_>) -> Vec2 {
        velocity(seen)
    }
}

/// Axes in which bodies avoid each other.
pub(super) trait Avoids: Program {
    /// Whether a body does not turn for [fellows](SeenBody::is_fellow).
    const SPARES_FELLOWS: bool;

    /// Returns a direction turned to the right, seen from above.
    fn turned(self, turn: f32) -> Self;

    /// Returns the direction in which a body leaves another one, at that offset, if the relative
    /// velocity is in the very middle of the tip: any, if the two choose opposite ones.
    fn out_of_tip(offset: Self, own: u32, other: u32) -> Self;

    /// Returns the direction of the smallest change of the relative velocity out of the cone by its
    /// side, and its length; negative outside the cone. The axis of the cone is `offset`. The
    /// relative velocity is `beyond` the middle of the tip.
    fn out_of_side(
        offset: Self,
        relative: Self,
        beyond: Self,
        sum: f32,
        distance_squared: f32,
    ) -> (Self, f32);
}

impl Avoids for Vec2 {
    const SPARES_FELLOWS: bool = true;

    #[inline]
    fn turned(self, turn: f32) -> Self {
        // x points east, and the plane's y, the world's z, south.
        let SinCos { sin, cos } = sin_cos(turn);
        Self::new(self.x * cos - self.y * sin, self.x * sin + self.y * cos)
    }

    #[inline]
    fn out_of_tip(_offset: Self, own: u32, other: u32) -> Self {
        Self::apart(own, other)
    }

    #[inline]
    fn out_of_side(
        offset: Self,
        relative: Self,
        beyond: Self,
        sum: f32,
        distance_squared: f32,
    ) -> (Self, f32) {
        // Nearest to one of the legs: the tangents from the origin to the disc at `offset`.
        let leg = (distance_squared - sum * sum).sqrt();
        let is_left = offset.perp_dot(beyond) > 0.0;
        // The leg turned by a quarter, to the outside.
        let normal = if is_left {
            Self::new(-offset.x * sum - offset.y * leg, offset.x * leg - offset.y * sum)
        } else {
            Self::new(-offset.x * sum + offset.y * leg, -offset.x * leg - offset.y * sum)
        } / distance_squared;
        (normal, -normal.dot(relative))
    }
}

/// Returns the velocity that a body chooses.
#[inline]
pub(super) fn velocity<V: Avoids>(seen: &SteeringView<'_, V>) -> V {
    let mut spaces = [HalfSpace::<V>::default(); MOST_NEIGHBOURS + MOST_WALLS];
    let mut count = 0;
    for wall in seen.walls.iter().take(MOST_WALLS) {
        spaces[count] = HalfSpace {
            normal: wall.away,
            least: (-wall.room / seen.wall_horizon).min(seen.max_speed * 0.5),
        };
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
    // A body with only fellows in its path does not turn, unless it is stuck: they have the same
    // direction, so they never meet head-on. Abreast, fellows on one side would drift out of their
    // slots.
    let (walls, others) = spaces.split_at(soft);
    let of_others = others.iter().zip(seen.near).filter(|(_, other)| !other.is_fellow);
    let is_barred = |space: &HalfSpace<V>| !is_free(std::slice::from_ref(space), preferred);
    let by_others = || walls.iter().chain(of_others.map(|(space, _)| space)).any(is_barred);
    let turns = !V::SPARES_FELLOWS || by_others();
    let turn = if turns { seen.turn } else { seen.turn - TURN };
    let mut projected = [HalfSpace::default(); MOST_NEIGHBOURS + MOST_WALLS];
    solve(spaces, soft, preferred.turned(turn), seen.max_speed, &mut projected)
}

/// Returns the velocities of a body that avoid `other` within the horizon, if `other` does its
/// share.
#[inline]
fn half_space<V: Avoids>(seen: &SteeringView<'_, V>, other: &SeenBody<V>) -> HalfSpace<V> {
    let SteeringView { own, max_speed, horizon, dt, .. } = *seen;
    let offset = other.at - own.at;
    let relative = own.velocity - other.velocity;
    let sum = own.radius + other.radius;
    let (distance_squared, sum_squared) = (offset.length_squared(), sum * sum);
    let overlap = distance_squared < sum_squared;
    // Bodies that overlap part within a step.
    let time = if overlap { dt } else { horizon };
    let beyond = relative - offset / time;
    let (towards, beyond_squared) = (beyond.dot(offset), beyond.length_squared());
    // Who makes the whole change leaves the cone by its side: it would stop before the other one,
    // or flee ahead of it, if it left by the tip.
    let is_tip = towards < 0.0 && towards * towards > sum_squared * beyond_squared;
    let aside = other.share > ASIDE && beyond_squared * time * time < sum_squared;
    let (normal, missing) = if overlap || (is_tip && !aside) {
        // Nearest to the rounded tip.
        let length = beyond_squared.sqrt();
        let normal = if length > 0.0 {
            beyond / length
        } else {
            V::out_of_tip(offset, own.number, other.number)
        };
        (normal, sum / time - length)
    } else {
        V::out_of_side(offset, relative, beyond, sum, distance_squared)
    };
    // The two take shares of remaining room as of a change. A body that makes less than half of
    // changes is limited less, down to not at all: otherwise it could not set out from a standstill
    // while the other one stands and waits for it. One that moves as told takes none of the room:
    // all is for the body that goes round it.
    let is_told = other.share >= 1.0;
    let share = if missing > 0.0 || is_told { other.share } else { 1.0 - other.share };
    let relief = (1.0 - 2.0 * other.share).max(0.0) * 2.0 * max_speed;
    HalfSpace { normal, least: normal.dot(own.velocity) + missing * share - relief }
}
