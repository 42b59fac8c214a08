//! The collision-free speed model of pedestrians.
//!
//! A pedestrian chooses a direction first: that of its preferred velocity, bent away from others
//! and walls by weights that fall exponentially with the distance. Its speed then covers the free
//! distance ahead in that direction in the time gap. So it walks no faster than the room ahead
//! allows, and a queue moves like a queue of people.
//!
//! Between pedestrians, with `s` the distance of the middles, `l` the sum of the radii:
//!
//! | quantity | formula |
//! |---|---|
//! | weight of a direction away from another | `strength · exp((l - s) / range)` |
//! | weight of a direction away from a wall | `wall_strength · exp(-room / wall_range)` |
//! | speed | `min(v₀, max(0, (s - l) / time_gap))`, the least of all ahead |
//!
//! Another is ahead if it lies in front, and less than `l` beside the line of the direction.
//!
//! # Who goes first
//!
//! Before a door as wide as one body, two that arrive side by side are each ahead of the other by
//! the rule above, and both would stop. So of two under way the one with [farther to
//! go](super::SeenBody::yields) lets the other pass: it is never ahead of the other, and turns it
//! aside by `FROM_BEHIND` of the weight only. The rest of the weight keeps the queue from pushing.
//! The order is total, so every crowd has a first body, and the others are let in one after the
//! other, like the teeth of a zip. Whether a move is possible is proved after it was chosen: the
//! first body also waits until there is room.
//!
//! The model has no answer if two meet head-on: both stop. As with [`Orca`](super::Orca), a body
//! that cannot move as it prefers turns a little to the right, and further the longer it is stuck.
//!
//! Source: Tordeux, Chraibi and Seyfried, Collision-free speed model for pedestrian dynamics, 2016.

use glam::Vec2;
use wayfare_core::ops::{SinCos, exp, sin_cos};

use super::CrowdFault;
use super::steering::{Steering, SteeringView};

/// The part of the weight of a direction away from another that is left if that one lets the
/// pedestrian go first.
const FROM_BEHIND: f32 = 0.3;

/// Below this share of its preferred speed a pedestrian tries a direction further to the right.
const SLOWED: f32 = 0.25;

/// Others make the whole of an evasion if no more than this share of it is left.
const PARTS: f32 = 1.0e-3;

/// The collision-free speed model: how people walk in queues and crowds.
///
/// For studies of evacuation and flow: speed falls with density as it does among people. It avoids
/// less far ahead than [`Orca`](super::Orca): in a counterflow people of this model run up to each
/// other before they turn aside.
///
/// The defaults go with a radius of 0.2 m and a preferred speed of 1.34 m/s (Weidmann 1993). With
/// them the speed of a queue at a distance of `1/√ρ` follows Weidmann's curve over the density `ρ`
/// within 0.15 m/s. Strength and range of the repulsion are those of the paper, whose time gap is 1
/// s for people in single file.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{CollisionFreeSpeed, Crowd, CrowdAgent, CrowdSettings, NoWalls};
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// let person = |x: f32, speed: f32| CrowdAgent {
///     preferred: Vec3::X * speed,
///     radius: 0.2,
///     ..CrowdAgent::at(Vec3::X * x)
/// };
/// let follower = crowd.add(person(0.0, 1.34))?;
/// crowd.add(person(1.0, 0.6))?;
/// for _ in 0..400 {
///     crowd.step_by(&CollisionFreeSpeed::default(), &NoWalls, 0.05)?;
/// }
/// // It cannot pass in a straight line, and follows at a distance of 0.4 m + 0.5 s · 0.6 m/s.
/// let speed = crowd.agent(follower).unwrap().velocity.x;
/// assert!((0.5..0.7).contains(&speed), "{speed}");
/// # Ok::<(), wayfare::crowd::CrowdFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollisionFreeSpeed {
    /// The time in which a pedestrian covers the free distance ahead, in seconds, above 0 and at
    /// most 60; default 0.5. Raising it makes crowds slower and less dense.
    pub time_gap: f32,
    /// The weight of the direction away from a touching body, relative to the preferred direction;
    /// at least 0 and at most 1,000; default 5.
    pub strength: f32,
    /// The distance over which that weight falls to a third, in metres, above 0 and at most 100;
    /// default 0.1. Raising it makes pedestrians keep further apart.
    pub range: f32,
    /// The same weight for walls; default 5.
    pub wall_strength: f32,
    /// The same distance for walls; default 0.02.
    pub wall_range: f32,
}

impl Default for CollisionFreeSpeed {
    fn default() -> Self {
        Self { time_gap: 0.5, strength: 5.0, range: 0.1, wall_strength: 5.0, wall_range: 0.02 }
    }
}

impl CollisionFreeSpeed {
    /// Fails if a value is out of its range. With such values it steers as if at random, but
    /// safely.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), CrowdFault> {
        let limits = [
            ("time gap", self.time_gap, f32::MIN_POSITIVE, 60.0),
            ("strength", self.strength, 0.0, 1.0e3),
            ("range", self.range, f32::MIN_POSITIVE, 100.0),
            ("strength of walls", self.wall_strength, 0.0, 1.0e3),
            ("range of walls", self.wall_range, f32::MIN_POSITIVE, 100.0),
        ];
        for (field, value, least, most) in limits {
            if !(least..=most).contains(&value) {
                return Err(CrowdFault::Limit { field, value, most });
            }
        }
        Ok(())
    }

    /// Returns the velocity of a pedestrian that would go in that direction, of length 1.
    fn towards(&self, seen: &SteeringView<'_>, direction: Vec2, speed: f32) -> Vec2 {
        let own = &seen.own;
        // A body that parts for a pedestrian is not in its path.
        let in_way = || seen.near.iter().filter(|other| other.share > PARTS);
        let mut sum = direction;
        for other in in_way() {
            let offset = own.at - other.at;
            let distance = offset.length();
            if distance > 0.0 {
                let gap = own.radius + other.radius - distance;
                let part = if other.yields { FROM_BEHIND } else { 1.0 };
                sum += offset / distance * (self.strength * part * exp(gap / self.range));
            }
        }
        for wall in seen.walls {
            let weight = self.wall_strength * exp(-wall.room.max(0.0) / self.wall_range);
            sum += wall.away * weight;
        }
        let direction = sum.normalize_or_zero();
        let mut free = f32::INFINITY;
        for other in in_way().filter(|other| !other.yields) {
            let offset = other.at - own.at;
            let together = own.radius + other.radius;
            let is_ahead = offset.dot(direction) > 0.0;
            if is_ahead && offset.perp_dot(direction).abs() < together {
                free = free.min(offset.length() - together);
            }
        }
        let mut velocity = direction * speed.min((free / self.time_gap).max(0.0));
        // Not into a wall within the step.
        for wall in seen.walls {
            let into = -velocity.dot(wall.away) - wall.room.max(0.0) / seen.dt;
            if into > 0.0 {
                velocity += wall.away * into;
            }
        }
        velocity
    }
}

impl Steering for CollisionFreeSpeed {
    fn velocity(&self, seen: &SteeringView<'_>) -> Vec2 {
        let speed = seen.preferred.length().min(seen.max_speed);
        let Some(direction) = seen.preferred.try_normalize() else {
            return self.towards(seen, Vec2::ZERO, 0.0);
        };
        let velocity = self.towards(seen, direction, speed);
        if velocity.dot(direction) >= SLOWED * speed {
            return velocity;
        }
        let SinCos { sin, cos } = sin_cos(seen.turn);
        let turned =
            Vec2::new(direction.x * cos - direction.y * sin, direction.x * sin + direction.y * cos);
        self.towards(seen, turned, speed)
    }
}
