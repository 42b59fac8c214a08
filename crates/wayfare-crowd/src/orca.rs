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
use wayfare_core::ops::SinCos;
use wide::f32x4;

use super::axes::Axes;
use super::moves::Moves;
use super::program::{HalfSpace, HalfSpaces, Program, solve};
use super::quad::{FourOf, LANES, Quad};
use super::steering::{MOST_WALLS, Steering, SteeringView};
use super::view::{Others, View, side_by_side};

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
    fn velocity(&self, seen: &SteeringView<'_>) -> Vec2 {
        side_by_side(seen, |seen| velocity(seen, &mut HalfSpaces::none()))
    }
}

/// Axes in which bodies avoid each other.
pub(super) trait Avoids: Program {
    /// Whether a body does not turn for [fellows](super::SeenBody::is_fellow).
    const SPARES_FELLOWS: bool;

    /// Returns a direction turned to the right, seen from above.
    fn turned(self, turn: f32) -> Self;

    /// Returns the direction in which a body leaves another one, at that offset, if the relative
    /// velocity is in the very middle of the tip: any, if the two choose opposite ones.
    fn out_of_tip(offset: Self, own: u32, other: u32) -> Self;

    /// Returns the directions of the smallest changes of the relative velocities out of the cones
    /// by their sides, and their lengths; negative outside a cone.
    fn out_of_side(cone: &Cones<Self>) -> Change<Self>;
}

/// The cones of relative velocities that lead to a collision with four others.
pub(super) struct Cones<V: Axes> {
    /// The axes of the cones: from the body to the others.
    pub(super) offset: V::Four,
    pub(super) relative: V::Four,
    /// The relative velocities, from the middles of the tips.
    pub(super) beyond: V::Four,
    /// The sums of the radii.
    pub(super) sum: f32x4,
    pub(super) distance_squared: f32x4,
}

/// Changes of four relative velocities.
pub(super) struct Change<V: Axes> {
    /// Their directions.
    pub(super) normal: V::Four,
    /// Their lengths.
    pub(super) missing: f32x4,
}

/// Returns sine and cosine of an angle up to 2, within a fiftieth of the angle: faster than a sine,
/// and a turn of a body need not be exact.
#[inline]
fn sine_and_cosine(angle: f32) -> SinCos {
    // The tangent of the half angle, by three terms of its series.
    let half = angle * 0.5;
    let square = half * half;
    let tangent = half * (1.0 + square * (1.0 / 3.0 + square * (2.0 / 15.0)));
    let scale = 1.0 / (1.0 + tangent * tangent);
    SinCos { sin: 2.0 * tangent * scale, cos: (1.0 - tangent * tangent) * scale }
}

impl Avoids for Vec2 {
    const SPARES_FELLOWS: bool = true;

    #[inline]
    fn turned(self, turn: f32) -> Self {
        // x points east, and the plane's y, the world's z, south.
        let SinCos { sin, cos } = sine_and_cosine(turn);
        Self::new(self.x * cos - self.y * sin, self.x * sin + self.y * cos)
    }

    #[inline]
    fn out_of_tip(_offset: Self, own: u32, other: u32) -> Self {
        Self::apart(own, other)
    }

    #[inline]
    fn out_of_side(cones: &Cones<Self>) -> Change<Self> {
        let Cones { offset, relative, beyond, sum, distance_squared } = *cones;
        let [x, y] = [offset.axis(0), offset.axis(1)];
        // Nearest to one of the legs: the tangents from the origin to the disc at `offset`.
        let leg = (distance_squared - sum * sum).fast_max(f32x4::ZERO).sqrt();
        let is_left = (x * beyond.axis(1) - y * beyond.axis(0)).simd_gt(f32x4::ZERO);
        let leg = is_left.bitselect(leg, -leg);
        // The leg turned by a quarter, to the outside.
        let normal = Quad::of([-x * sum - y * leg, x * leg - y * sum]);
        let normal = normal * (f32x4::ONE / distance_squared);
        Change { normal, missing: -normal.dot(relative) }
    }
}

/// Returns the velocity that a body chooses. `spaces` is memory.
#[inline]
pub(super) fn velocity<V: Avoids>(seen: &View<'_, V>, spaces: &mut HalfSpaces<V>) -> V {
    let preferred = seen.preferred.clamp_length_max(seen.max_speed);
    if seen.near.len() == 0 && seen.walls.is_empty() {
        return preferred;
    }
    spaces.clear();
    spaces.extend(seen.walls.iter().take(MOST_WALLS).map(|wall| HalfSpace {
        normal: wall.away,
        least: (-wall.room / seen.wall_horizon).min(seen.max_speed * 0.5),
    }));
    let soft = spaces.lanes();
    for (others, counts) in seen.near.quads() {
        avoid(seen, others, counts, spaces);
    }
    let planes = spaces.all();
    let Some(first) = planes.first_missed(0, preferred, 0.0) else { return preferred };
    // A body with only fellows in its path does not turn: they have the same direction, so they
    // never meet head-on. Abreast, fellows on one side would drift out of their slots.
    let is_fellow = |at: usize| at >= soft && seen.near.is_fellow(at - soft);
    let mut barred = Some(first);
    while let Some(at) = barred.filter(|&at| V::SPARES_FELLOWS && is_fellow(at)) {
        barred = planes.first_missed(at + 1, preferred, 0.0);
    }
    let turn = if barred.is_some() { seen.turn } else { 0.0 };
    // Of zeros, targets take either sign.
    solve(spaces, soft, preferred.turned(turn), seen.max_speed) + V::ZERO
}

/// Adds the velocities of a body that avoid the bodies of a quad within the horizon, if those do
/// their shares.
#[inline]
fn avoid<V: Avoids>(
    seen: &View<'_, V>,
    others: &Others<V>,
    counts: f32x4,
    spaces: &mut HalfSpaces<V>,
) {
    let View { own, max_speed, horizon, dt, .. } = seen;
    let (zero, one) = (f32x4::ZERO, f32x4::ONE);
    let &Others { at, velocity, radius, share, numbers } = others;
    let offset = at - V::Four::splat(own.at);
    let relative = V::Four::splat(own.velocity) - velocity;
    let sum = radius + f32x4::splat(own.radius);
    let (distance_squared, sum_squared) = (offset.length_squared(), sum * sum);
    let overlap = distance_squared.simd_lt(sum_squared);
    // Bodies that overlap part within a step.
    let time = overlap.bitselect(f32x4::splat(*dt), f32x4::splat(*horizon));
    let rate = overlap.bitselect(f32x4::splat(1.0 / dt), f32x4::splat(1.0 / horizon));
    let beyond = relative - offset * rate;
    let (towards, beyond_squared) = (beyond.dot(offset), beyond.length_squared());
    // Who makes the whole change leaves the cone by its side: it would stop before the other one,
    // or flee ahead of it, if it left by the tip.
    let is_tip = towards.simd_lt(zero) & (towards * towards).simd_gt(sum_squared * beyond_squared);
    let aside =
        share.simd_gt(f32x4::splat(ASIDE)) & (beyond_squared * time * time).simd_lt(sum_squared);
    let by_tip = overlap | (is_tip & !aside);
    // Nearest to the rounded tip.
    let length = beyond_squared.sqrt();
    let mut tip = beyond * (one / length);
    let middle = by_tip & length.simd_eq(zero) & counts;
    if middle.any() {
        for lane in (0..LANES).filter(|lane| middle.to_bitmask() >> lane & 1 > 0) {
            let direction = V::out_of_tip(offset.lane(lane), own.number, numbers[lane]);
            tip.set_lane(lane, direction);
        }
    }
    let cones = Cones { offset, relative, beyond, sum, distance_squared };
    let side = V::out_of_side(&cones);
    let normal = tip.where_set(by_tip, side.normal);
    let missing = by_tip.bitselect(sum * rate - length, side.missing);
    // The two take shares of remaining room as of a change. A body that makes less than half of
    // changes is limited less, down to not at all: otherwise it could not set out from a standstill
    // while the other one stands and waits for it. One that moves as told takes none of the room:
    // all is for the body that goes round it.
    let by_share = missing.simd_gt(zero) | share.simd_ge(one);
    let part = by_share.bitselect(share, one - share);
    let relief = (one - share - share).fast_max(zero) * f32x4::splat(2.0 * max_speed);
    let least = normal.dot(V::Four::splat(own.velocity)) + missing * part - relief;
    let none = f32x4::splat(f32::NEG_INFINITY);
    spaces.push(normal.where_set(counts, V::Four::default()), counts.bitselect(least, none));
}
