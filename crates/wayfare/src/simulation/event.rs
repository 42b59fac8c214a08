//! What is done to a simulation, and what happens in it.

use super::{AgentSpec, Environment, ObstacleId, Shape};
use crate::agent::{Activity, AgentId, Order};
use crate::link::{Gate, LinkId};

/// Something that is done to a simulation, at once or at a tick to come.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Event<Edit> {
    /// The world changes.
    Edit(Edit),
    /// An obstacle appears, or moves: one of the same number goes first.
    Carve {
        /// The number of the obstacle.
        id: ObstacleId,
        /// What it covers.
        shape: Shape,
    },
    /// An obstacle vanishes.
    Restore {
        /// The number of the obstacle.
        id: ObstacleId,
    },
    /// A link is opened, closed or locked.
    Gate {
        /// The link.
        link: LinkId,
        /// What becomes of it.
        gate: Gate,
    },
    /// An agent gets an order.
    Order {
        /// The agent.
        agent: AgentId,
        /// The order.
        order: Order,
    },
    /// An agent is added.
    Spawn(AgentSpec),
    /// An agent is taken away.
    Remove(AgentId),
}

/// The events of a world's simulation.
pub type EventOf<W> = Event<<W as Environment>::Edit>;

/// Something that happened in a tick.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Happening {
    /// An agent set out on a new path.
    Departed(AgentId),
    /// An agent came to where it wanted to be.
    Arrived(AgentId),
    /// An agent does something else now.
    Decided(AgentId, Activity),
    /// There is no path to where an agent wants to be.
    NoPath {
        /// The agent.
        agent: AgentId,
        /// Why.
        reason: String,
    },
    /// An agent had to stand still at once, as its way was closed.
    Halted {
        /// The agent.
        agent: AgentId,
        /// Why.
        reason: &'static str,
    },
    /// An agent has to wait at a link.
    Waits(AgentId, LinkId),
    /// An agent entered a link.
    Entered(AgentId, LinkId),
    /// An agent left a link.
    Left(AgentId, LinkId),
    /// A link was opened, closed or locked.
    Gate(LinkId, Gate),
    /// The world was edited; so many states were affected.
    Edited(usize),
    /// What was to be done is not possible.
    Failed(String),
    /// An agent was added.
    Spawned(AgentId),
    /// An agent was taken away.
    Removed(AgentId),
}

/// What happened in a tick, in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TickEvents {
    /// The number of the tick, from 0.
    pub tick: u64,
    /// What happened.
    pub happenings: Vec<Happening>,
}
