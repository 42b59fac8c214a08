//! Commands: changes that a caller makes to a simulation.

use super::{AgentSpec, CarveId, Environment, Shape};
use crate::agent::{AgentId, Order};
use crate::link::{Gate, LinkId};

/// A change to a simulation, made at once or at a later tick.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Command<Edit> {
    /// The world changes.
    Edit(Edit),
    /// An obstacle appears, or moves: one of the same number goes first.
    Carve {
        /// The number of the obstacle.
        id: CarveId,
        /// What it covers.
        shape: Shape,
    },
    /// An obstacle vanishes.
    Restore {
        /// The number of the obstacle.
        id: CarveId,
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

/// The commands of an environment's simulation.
pub type CommandOf<W> = Command<<W as Environment>::Edit>;
