//! Faults: why an edit or a command is not possible, and why an agent does not get where it wants
//! to be.

use std::num::NonZeroU16;

use wayfare_core::search::{Limit, NoPath};

use super::{CarveId, EditFault, PuzzleId, SpecError, TooManyClasses};
use crate::agent::AgentId;

/// Why a [`Command`](super::Command) is not possible.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandFault {
    /// There is no such agent, or no longer.
    #[error("there is no agent {}", .0.0)]
    NoSuchAgent(AgentId),
    /// The agent cannot be added.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// The agent's keys need a class more than there can be.
    #[error(transparent)]
    TooManyClasses(#[from] TooManyClasses),
    /// The edit is not possible.
    #[error(transparent)]
    Edit(#[from] EditFault),
    /// A value of the shape is NaN or infinite.
    #[error("the obstacle's shape is not finite")]
    Shape,
    /// The obstacle is too large, too far away, or no body at all.
    #[error("the obstacle cannot be a body among others: {0}")]
    Body(#[from] wayfare_crowd::CrowdFault),
    /// A setting of when to carve an obstacle is out of range.
    #[error("the obstacle's {field} is {value}, but has to be from 0 to {most}")]
    CarveWhenStill {
        /// The name of the setting.
        field: &'static str,
        /// Its value.
        value: f32,
        /// The largest value that is possible.
        most: f32,
    },
    /// No obstacle with that id was carved.
    #[error("there is no obstacle {}", .0.0)]
    NoSuchObstacle(CarveId),
    /// There is no such puzzle, or it has no such version.
    #[error("there is no version {version} of puzzle {}", .puzzle.0)]
    NoSuchPuzzle {
        /// The puzzle.
        puzzle: PuzzleId,
        /// The version.
        version: u32,
    },
    /// An agent cannot be put to a position: there is no free point around it.
    #[error("there is no free point for agent {} where it is to be put", .0.0)]
    NoRoom(AgentId),
    /// There is no such group, or it cannot take that shape.
    #[error(transparent)]
    Group(#[from] super::GroupFault),
}

/// Why there is no path to where an agent wants to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum NoWay {
    /// No state is meant by the point.
    #[error("no path: the goal lies off the map")]
    OffMap,
    /// The search found none.
    #[error("no path: {0}")]
    NoPath(NoPath),
    /// The search reached a limit.
    #[error("gave up: {0}")]
    Limit(Limit),
    /// The path cannot be walked any more.
    #[error("no path: the way has changed")]
    Changed,
    /// There is no refuge.
    #[error("no way out found")]
    NoRefuge,
}

/// Why an agent does not carry out its intent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Trouble {
    /// There is no path.
    #[error(transparent)]
    NoWay(NoWay),
    /// It was built in, and goes to the nearest open ground.
    #[error("built in, getting out")]
    GettingOut,
    /// It was built in, and there is no open ground near.
    #[error("built in")]
    BuiltIn,
}

/// Why a body had to stand still at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HaltReason {
    /// Its path was closed.
    #[error("the way was closed")]
    WayClosed,
    /// An obstacle appeared where it stood.
    #[error("an obstacle appeared where it stood")]
    ObstacleAppeared,
}

/// Why an agent waits at a link. Its text continues "waits at the link, which …".
///
/// ```
/// use std::num::NonZeroU16;
/// use wayfare::simulation::LinkWait;
/// let full = LinkWait::Full { capacity: NonZeroU16::MIN };
/// assert_eq!(full.to_string(), "carries 1 and is full");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinkWait {
    /// It is closed.
    #[error("is closed")]
    Closed,
    /// It is locked, and the agent lacks a key.
    #[error("is locked")]
    Locked,
    /// Its capacity is used up.
    #[error("carries {capacity} and is full")]
    Full {
        /// The capacity, in agents.
        capacity: NonZeroU16,
    },
    /// Its other end is blocked.
    #[error("leads to a blocked place")]
    NoExit,
    /// It is a platform that has not left yet: see [`Timetable`](wayfare_puzzle::Timetable).
    #[error("has not left yet")]
    Away,
    /// Nothing keeps the agent out: it is let in at the next tick, or waits for another path.
    #[error("is free")]
    Free,
}
