//! Optimal reciprocal collision avoidance.
//!
//! Two bodies collide within the horizon if their relative velocity lies in a cone with a rounded
//! tip. Let `u` be the smallest change out of the cone. If each body makes its share of `u`, they
//! do not collide; so each keeps to a half plane of velocities at the tip of its share of `u`. A
//! linear program chooses the velocity nearest to the preferred one in all half planes.
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
use super::program::{HalfPlane, is_free, solve};
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
        let mut planes = [HalfPlane::default(); MOST_NEIGHBOURS + MOST_WALLS];
        let mut count = 0;
        for wall in seen.walls.iter().take(MOST_WALLS) {
            planes[count] = HalfPlane {
                normal: wall.away,
                least: (-wall.room / seen.wall_horizon).min(seen.max_speed * 0.5),
            };
            count += 1;
        }
        let soft = count;
        for other in seen.near.iter().take(MOST_NEIGHBOURS) {
            planes[count] = half_plane(seen, other);
            count += 1;
        }
        let planes = &planes[..count];
        let preferred = seen.preferred.clamp_length_max(seen.max_speed);
        if is_free(planes, preferred) {
            return preferred;
        }
        // A body with only fellows in its path does not turn, unless it is stuck: they have the
        // same direction, so they never meet head-on. Abreast, fellows on one side would drift out
        // of their slots.
        let (walls, others) = planes.split_at(soft);
        let of_others = others.iter().zip(seen.near).filter(|(_, other)| !other.is_fellow);
        let is_barred = |plane: &HalfPlane| !is_free(std::slice::from_ref(plane), preferred);
        let by_others = walls.iter().chain(of_others.map(|(plane, _)| plane)).any(is_barred);
        let turn = if by_others { seen.turn } else { seen.turn - TURN };
        // To the right, seen from above: x points east, and the plane's y, the world's z, south.
        let SinCos { sin, cos } = sin_cos(turn);
        let turned =
            Vec2::new(preferred.x * cos - preferred.y * sin, preferred.x * sin + preferred.y * cos);
        let mut projected = [HalfPlane::default(); MOST_NEIGHBOURS + MOST_WALLS];
        solve(planes, soft, turned, seen.max_speed, &mut projected)
    }
}

/// Returns the velocities of a body that avoid `other` within the horizon, if `other` does its
/// share.
#[inline]
fn half_plane(seen: &SteeringView<'_>, other: &SeenBody) -> HalfPlane {
    let SteeringView { own, max_speed, horizon, dt, .. } = *seen;
    let offset = other.at - own.at;
    let relative = own.velocity - other.velocity;
    let sum = own.radius + other.radius;
    let (distance_squared, sum_squared) = (offset.length_squared(), sum * sum);
    let overlap = distance_squared < sum_squared;
    // Bodies that overlap part within a step.
    let time = if overlap { dt } else { horizon };
    let beyond = relative - offset / time;
    let towards = beyond.dot(offset);
    // Who makes the whole change leaves the cone by its side: it would stop before the other one,
    // or flee ahead of it, if it left by the tip.
    let is_tip = towards < 0.0 && towards * towards > sum_squared * beyond.length_squared();
    let aside = other.share > ASIDE && beyond.length_squared() * time * time < sum_squared;
    let (normal, missing) = if overlap || (is_tip && !aside) {
        // Nearest to the rounded tip.
        let length = beyond.length();
        // In the very middle of the tip any direction will do.
        let normal =
            if length > 0.0 { beyond / length } else { Vec2::apart(own.number, other.number) };
        (normal, sum / time - length)
    } else {
        // Nearest to one of the legs: the tangents from the origin to the disc at `offset`.
        let leg = (distance_squared - sum_squared).sqrt();
        let is_left = offset.perp_dot(beyond) > 0.0;
        // The leg turned by a quarter, to the outside.
        let normal = if is_left {
            Vec2::new(-offset.x * sum - offset.y * leg, offset.x * leg - offset.y * sum)
        } else {
            Vec2::new(-offset.x * sum + offset.y * leg, -offset.x * leg - offset.y * sum)
        } / distance_squared;
        (normal, -normal.dot(relative))
    };
    // The two take shares of remaining room as of a change. A body that makes less than half of
    // changes is limited less, down to not at all: otherwise it could not set out from a standstill
    // while the other one stands and waits for it. One that moves as told takes none of the room:
    // all is for the body that goes round it.
    let is_told = other.share >= 1.0;
    let share = if missing > 0.0 || is_told { other.share } else { 1.0 - other.share };
    let relief = (1.0 - 2.0 * other.share).max(0.0) * 2.0 * max_speed;
    HalfPlane { normal, least: normal.dot(own.velocity) + missing * share - relief }
}
