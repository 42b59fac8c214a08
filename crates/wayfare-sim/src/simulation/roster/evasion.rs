//! How an agent avoids others, and its body's memory of that.

use glam::Vec3;
use wayfare_crowd::{AvoidanceModel, AvoidanceQuality, CollisionFreeSpeed, CrowdFault};

use crate::agent::{Activity, AgentId, AgentLimits};
use crate::simulation::AvoidanceManner;
use crate::simulation::roster::Agent;

/// How an agent avoids others. Default: not at all.
///
/// An agent that avoids others leaves its rail to pass them, by moves that are proved clear of
/// walls, and comes back. Two such agents never come nearer to each other than 0.99 of the sum of
/// their radii while both [may leave their rails](crate::simulation::AgentView::is_loose). Among waypoints it
/// keeps to its rail, and [follows](crate::simulation::AvoidanceManner::AlongRails) the one ahead. An agent
/// without avoidance gives way to none, and none gives way to it, except that agents with avoidance
/// go round it. A pursuer and its quarry do not avoid each other: else no quarry would be caught.
///
/// ```
/// use wayfare::crowd::AvoidanceQuality;
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::Avoidance;
///
/// let grid = Grid::from_rows(&["............"; 3])?;
/// let at = |x| Vec3::new(x, 0.0, 1.5);
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let polite = Avoidance { quality: AvoidanceQuality::Medium, ..Avoidance::default() };
/// let mut add = |name, from, to| -> Result<AgentId, Box<dyn std::error::Error>> {
///     let id = simulation.add_agent(AgentSpec::new(name, class, at(from)).avoidance(polite))?;
///     simulation.order(id, Order::GoTo(at(to)));
///     Ok(id)
/// };
/// let (ann, ben) = (add("Ann", 0.5, 11.5)?, add("Ben", 11.5, 0.5)?);
/// for _ in 0..200 {
///     simulation.tick();
///     let place = |id| simulation.agent(id).unwrap().position();
///     assert!(place(ann).distance(place(ben)) > 0.59, "their radii are 0.3");
/// }
/// assert!([ann, ben].iter().all(|&id| simulation.agent(id).unwrap().orders().len() == 0));
/// # use wayfare::agent::{AgentId, Order};
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Avoidance {
    /// The count of others that it considers; default off: it passes through others, and they pass
    /// through it.
    pub quality: AvoidanceQuality,
    /// How much others give way to it: of two agents with priorities `a` and `b`, the first makes
    /// `(b + 1) / (a + b + 2)` of a change. Default 0.
    pub priority: u8,
    /// The layers that it is on, a bit each; default: the first one.
    pub layers: u32,
    /// The layers whose agents it avoids; default: all. Two agents are kept apart if either of them
    /// avoids the other.
    pub mask: u32,
    /// The model by which it chooses its velocity; default [`Orca`](wayfare_crowd::Orca).
    pub model: AvoidanceModel,
}

impl Default for Avoidance {
    fn default() -> Self {
        Self {
            quality: AvoidanceQuality::Off,
            priority: 0,
            layers: 1,
            mask: u32::MAX,
            model: AvoidanceModel::default(),
        }
    }
}

/// Why an agent cannot avoid others.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AvoidanceFault {
    /// The world is a [space of your own](crate::simulation::Fixed), whose agents cannot avoid each other.
    #[error(
        "agents can avoid each other on grids, navigation meshes and waypoint graphs and among voxels only; this world is none of these"
    )]
    NotInSuchWorlds,
    /// A body without a radius has nothing to keep apart.
    #[error("an agent that avoids others must have a radius above 0")]
    NoRadius,
    /// A setting of its model is out of range.
    #[error(transparent)]
    Model(CrowdFault),
}

impl Avoidance {
    /// Fails if a body with these limits cannot avoid others so.
    pub(in crate::simulation) fn check(
        &self,
        limits: &AgentLimits,
        avoiding: AvoidanceManner,
    ) -> Result<(), AvoidanceFault> {
        match self.quality {
            AvoidanceQuality::Off => Ok(()),
            _ if avoiding == AvoidanceManner::Never => Err(AvoidanceFault::NotInSuchWorlds),
            _ if limits.radius <= 0.0 => Err(AvoidanceFault::NoRadius),
            _ => self.model.check().map_err(AvoidanceFault::Model),
        }
    }

    /// Returns whether bodies of the two are kept apart.
    pub(in crate::simulation) fn minds(&self, other: &Self) -> bool {
        self.mask & other.layers != 0 || other.mask & self.layers != 0
    }
}

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
