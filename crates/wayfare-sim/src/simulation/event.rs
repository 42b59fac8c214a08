//! Events: the report of a tick.

use glam::Vec3;
use wayfare_core::link::{Gate, LinkId};

use super::{CommandFault, HaltReason, NoWay};
use crate::agent::{Activity, AgentId, GroupId};

/// Something that happened in a tick.
///
/// Example: [`TickEvents`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event {
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
        reason: NoWay,
    },
    /// An agent had to stop at once, as its path was closed.
    Halted {
        /// The agent.
        agent: AgentId,
        /// Why.
        reason: HaltReason,
    },
    /// An agent has to wait at a link.
    Waits(AgentId, LinkId),
    /// An agent entered a link.
    Entered(AgentId, LinkId),
    /// An agent left a link.
    Left(AgentId, LinkId),
    /// A link was opened, closed or locked.
    Gate(LinkId, Gate),
    /// An agent was hurt.
    Hurt(AgentId),
    /// The world was edited; the count of affected states.
    Edited(usize),
    /// A command is not possible.
    Failed(CommandFault),
    /// An agent was added.
    Spawned(AgentId),
    /// An agent was changed by a command.
    Changed(AgentId),
    /// An agent was taken away.
    Removed(AgentId),
    /// The ground under an agent was replaced: it was put to the entry of the new one.
    Displaced(AgentId),
    /// A command put an agent elsewhere, or replaced the puzzle that it was on.
    Warped(AgentId),
    /// Two agents that avoid each other have come nearer than the sum of their radii, as they keep
    /// to the edges of a graph: they meet head-on, or one passes another that stands in its path,
    /// or is off the edge of the other.
    PassedThrough(AgentId, AgentId),
    /// A point of a behaviour that an agent has begun with cannot be reached from where it is: a
    /// warning, once a behaviour. It is still tried.
    OutOfReach {
        /// The agent.
        agent: AgentId,
        /// The index of the behaviour.
        behaviour: u16,
        /// The point.
        point: Vec3,
        /// Why.
        reason: NoWay,
    },
    /// A group has carried out an order: its leader is at the goal, and its followers at their
    /// slots.
    Formed(GroupId),
}

impl Event {
    /// Returns the agent that it happened to; of a pair, the first. `None` for events of the world,
    /// of links and of groups, and for [faults](Self::Failed).
    #[must_use]
    pub fn agent(&self) -> Option<AgentId> {
        match *self {
            Self::Departed(agent)
            | Self::Arrived(agent)
            | Self::Decided(agent, _)
            | Self::NoPath { agent, .. }
            | Self::Halted { agent, .. }
            | Self::Waits(agent, _)
            | Self::Entered(agent, _)
            | Self::Left(agent, _)
            | Self::Hurt(agent)
            | Self::Spawned(agent)
            | Self::Changed(agent)
            | Self::Removed(agent)
            | Self::Displaced(agent)
            | Self::Warped(agent)
            | Self::OutOfReach { agent, .. }
            | Self::PassedThrough(agent, _) => Some(agent),
            Self::Gate(..) | Self::Edited(_) | Self::Failed(_) | Self::Formed(_) => None,
        }
    }
}

/// The events of a tick.
///
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AgentSpec, Event, Simulation, SimulationSettings};
///
/// let grid = Grid::from_rows(&["........"])?;
/// let at = |x| grid.centre(grid.cell(x, 0).unwrap());
/// let (start, goal) = (at(0), at(7));
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let ann = simulation.add_agent(AgentSpec::new("Ann", class, start))?;
/// simulation.order(ann, wayfare::agent::Order::GoTo(goal));
/// let there = Event::Arrived(ann);
/// let arrived = (0..200).any(|_| simulation.tick().of(ann).any(|event| *event == there));
/// assert!(arrived);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TickEvents {
    /// The tick, from 0.
    pub tick: u64,
    /// The events, in the order in which they happened.
    pub events: Vec<Event>,
}

impl TickEvents {
    /// Returns the events that [happened to](Event::agent) an agent, in order.
    pub fn of(&self, agent: AgentId) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.agent() == Some(agent))
    }

    /// Adds an event.
    pub(super) fn report(&mut self, event: Event) {
        self.events.push(event);
    }
}
