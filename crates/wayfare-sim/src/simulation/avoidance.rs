//! How an agent avoids others, as its caller says.

use wayfare_crowd::{AvoidanceModel, AvoidanceQuality, CrowdFault};

use super::AvoidanceManner;
use crate::agent::AgentLimits;

/// How an agent avoids others. Default: not at all.
///
/// An agent that avoids others leaves its rail to pass them, by moves that are proved clear of
/// walls, and comes back. Two such agents never come nearer to each other than 0.99 of the sum of
/// their radii while both [may leave their rails](super::AgentView::is_loose). Among waypoints it
/// keeps to its rail, and [follows](super::AvoidanceManner::AlongRails) the one ahead. An agent
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
    /// The world is a [space of your own](super::Fixed), whose agents cannot avoid each other.
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
    pub(super) fn check(
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
    pub(super) fn minds(&self, other: &Self) -> bool {
        self.mask & other.layers != 0 || other.mask & self.layers != 0
    }
}
