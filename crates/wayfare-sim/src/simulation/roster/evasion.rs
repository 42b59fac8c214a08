//! The memory that a body has of how it avoids others.

use glam::Vec3;
use wayfare_crowd::{AvoidanceModel, AvoidanceQuality, CollisionFreeSpeed};

use super::Agent;
use crate::agent::{Activity, AgentId, Swath};
use crate::simulation::Avoidance;

/// The memory of the body of an agent that avoids others.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct Evasion {
    pub(in crate::simulation) avoidance: Avoidance,
    /// Its velocity in the last tick, seen from above unless it flew or swam.
    pub(in crate::simulation) velocity: Vec3,
    /// Whether it moved along its rail then.
    pub(in crate::simulation) was_on_rail: bool,
    /// Its last goal.
    pub(in crate::simulation) goal: Option<Vec3>,
    /// Whether it has settled round that goal.
    pub(in crate::simulation) is_settled: bool,
    /// The time without progress: 1 after a second.
    pub(in crate::simulation) stuck: f32,
    /// For how many seconds it has been stuck, or has waited for the one ahead.
    pub(in crate::simulation) waited: f32,
    /// For how many seconds its rail has been out of sight.
    pub(in crate::simulation) strayed: f32,
    /// The agent that it passes to end a jam, where all keep to their rails.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(in crate::simulation) past: Option<AgentId>,
    /// How far it stands aside of its rail, where it keeps to it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(in crate::simulation) aside: Vec3,
    /// What was proved of the ground to a corner of its rail.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::simulation) swath: Swath,
}

/// The farthest that a body may stand aside, in world units: bodies have radii of at most 1,000.
#[cfg(feature = "serde")]
const MOST_ASIDE: f32 = 3.0e3;

impl Evasion {
    /// Returns the initial memory of a body.
    pub(in crate::simulation) fn of(avoidance: Avoidance) -> Option<Box<Self>> {
        let evasion = Self {
            avoidance,
            velocity: Vec3::ZERO,
            was_on_rail: true,
            goal: None,
            is_settled: false,
            stuck: 0.0,
            waited: 0.0,
            strayed: 0.0,
            past: None,
            aside: Vec3::ZERO,
            swath: Swath::default(),
        };
        (avoidance.quality != AvoidanceQuality::Off).then(|| Box::new(evasion))
    }

    /// Returns whether its values are in range. Values read from a file may not be.
    #[cfg(feature = "serde")]
    pub(in crate::simulation) fn is_sound(&self) -> bool {
        let is_time = |seconds: f32| (0.0..1e6).contains(&seconds);
        self.avoidance.quality != AvoidanceQuality::Off
            && self.velocity.is_finite()
            && self.velocity.abs().max_element() < 1e6
            && self.goal.is_none_or(|goal| goal.is_finite() && goal.abs().max_element() < 1e9)
            && (0.0..=1.0).contains(&self.stuck)
            && self.aside.is_finite()
            && self.aside.length() <= MOST_ASIDE
            && is_time(self.waited)
            && is_time(self.strayed)
    }

    /// Calls `take` with all of it, for a hash.
    pub(in crate::simulation) fn words(&self, mut take: impl FnMut(u64)) {
        let Avoidance { quality, priority, layers, mask, model } = self.avoidance;
        if let AvoidanceModel::FreeSpeed(model) = model {
            let CollisionFreeSpeed { time_gap, strength, range, wall_strength, wall_range } = model;
            for number in [time_gap, strength, range, wall_strength, wall_range] {
                take(u64::from(number.to_bits()));
            }
        }
        let flags = [self.was_on_rail, self.is_settled, self.goal.is_some()];
        let flags = flags.iter().rev().fold(0, |word, &flag| word << 1 | u64::from(flag));
        take(quality as u64 | u64::from(priority) << 8 | flags << 16);
        take(u64::from(layers) | u64::from(mask) << 32);
        let Vec3 { x, y, z } = self.velocity;
        if let Some(past) = self.past {
            take(u64::from(past.0) << 1 | 1);
        }
        if self.aside != Vec3::ZERO {
            self.aside.to_array().iter().for_each(|part| take(u64::from(part.to_bits())));
        }
        let goal = self.goal.unwrap_or_default().to_array();
        for part in [x, y, z, self.stuck, self.waited, self.strayed].into_iter().chain(goal) {
            take(u64::from(part.to_bits()));
        }
    }
}

impl<State> Agent<State> {
    /// Returns how it avoids others.
    pub(in crate::simulation) fn avoidance(&self) -> Avoidance {
        self.evasion.as_ref().map_or_else(Avoidance::default, |evasion| evasion.avoidance)
    }

    /// Returns the agent that it is after: neither of the two avoids the other, or no quarry would
    /// be caught.
    pub(in crate::simulation) fn quarry(&self) -> Option<AgentId> {
        quarry(self.activity)
    }
}

/// Returns the agent that an activity is after.
pub(in crate::simulation) fn quarry(activity: Activity) -> Option<AgentId> {
    match activity {
        Activity::Chasing(who) | Activity::Caught(who) => Some(who),
        _ => None,
    }
}
