//! The faults that an audit finds.

use std::fmt;

use glam::Vec3;
use wayfare_core::link::LinkId;
use wayfare_core::space::StateId;

use crate::agent::AgentId;
use crate::simulation::{AgentRecord, Stretch};

/// A quantity of a body that has a limit.
///
/// Example: [`TickRecord`](crate::simulation::TickRecord).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Quantity {
    /// The distance covered, in metres a second.
    Speed,
    /// The gain of speed, in metres a second².
    Acceleration,
    /// The loss of speed, in metres a second².
    Braking,
    /// The change of the heading, in radians a second.
    TurnRate,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Speed => "speed",
            Self::Acceleration => "acceleration",
            Self::Braking => "braking",
            Self::TurnRate => "turn rate",
        })
    }
}

/// A fault of a simulation's tick.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditFault {
    /// A body went where nothing allows it to.
    #[error("tick {tick}: agent {} crossed a wall between {from} and {to}, {before} and then {after}", agent.0)]
    CrossedWall {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// Where it was.
        from: Vec3,
        /// Where it is.
        to: Vec3,
        /// The part of its rail that it was on, with the indices of states.
        before: Stretch<u32>,
        /// The part of its rail that it is on, with the indices of states.
        after: Stretch<u32>,
    },
    /// A body reaches into a wall on a part of its rail whose proof gives it room.
    #[error("tick {tick}: agent {} at {at} reaches into a wall, with room for {room} m", agent.0)]
    ReachedIntoWall {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// Where its middle is.
        at: Vec3,
        /// The proved room of its rail, in metres.
        room: f32,
    },
    /// A body changed its speed, position or heading faster than it can.
    #[error("tick {tick}: agent {}'s {quantity} is {value}, but at most {most} is possible", agent.0)]
    TooMuch {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// The quantity that is too large.
        quantity: Quantity,
        /// Its value.
        value: f32,
        /// The largest value that is possible.
        most: f32,
    },
    /// More agents are in a link than its capacity.
    #[error("tick {tick}: link {} holds {inside} agents, but has room for {room}", link.0)]
    OverCapacity {
        /// The tick.
        tick: u64,
        /// The link.
        link: LinkId,
        /// How many are inside.
        inside: usize,
        /// How many may be.
        room: usize,
    },
    /// Two bodies that avoid each other have come too near to each other.
    #[error(
        "tick {tick}: agents {} and {} are {distance} m apart, but {least} m is the least that is possible",
        first.0,
        second.0
    )]
    Overlap {
        /// The tick.
        tick: u64,
        /// One of them.
        first: AgentId,
        /// The other one.
        second: AgentId,
        /// The distance between their middles, in metres.
        distance: f32,
        /// The least distance that is possible, in metres: 0.99 of the sum of their radii.
        least: f32,
    },
    /// An agent left a point of its patrol too early.
    #[error("tick {tick}: agent {} left after {stayed} s, but was to stay {dwell} s", agent.0)]
    LeftEarly {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// How long it stayed, in seconds.
        stayed: f32,
        /// How long it was to stay, in seconds.
        dwell: f32,
    },
    /// A body that had come to its goal went on past it.
    #[error("tick {tick}: agent {} moved {moved} m after it had arrived", agent.0)]
    Overshot {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// How far it moved, in metres.
        moved: f32,
    },
}

impl AuditFault {
    /// Returns the fault of an agent by its records of two ticks, each with the position of its
    /// body.
    pub(super) fn crossed_wall<State: StateId>(
        tick: u64,
        [(before, from), (after, to)]: [(&AgentRecord<State>, Vec3); 2],
    ) -> Self {
        Self::CrossedWall {
            tick,
            agent: after.id,
            from,
            to,
            before: before.stretch.numbered(),
            after: after.stretch.numbered(),
        }
    }
}
