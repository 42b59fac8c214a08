//! Outcomes: what a search answers.

use crate::path::Path;
use crate::space::{Cost, Obstruction, Space, StateId};

/// Why there is no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NoPath {
    /// Nobody can stand on the start.
    #[error("the start {0}")]
    Start(Obstruction),
    /// Nobody can stand on the goal; with several goals, on any of them: this is the first one's
    /// reason.
    #[error("the goal {0}")]
    Goal(Obstruction),
    /// The query names no goal.
    #[error("the query names no goal")]
    NoGoal,
    /// Start and goal lie on different islands; known without a search.
    #[error("start and goal lie on different islands (components {start} and {goal})")]
    DifferentIslands {
        /// The component of the start.
        start: u32,
        /// The component of the goal; of the first, where there are several.
        goal: u32,
    },
    /// Everything that can be reached from the start was searched.
    #[error("everything reachable from the start was searched, and the goal is not among it")]
    Exhausted,
    /// Everything from which the goal can be reached was searched: the goal is walled in. The
    /// search of the start's side was given up then; ask with
    /// [`Query::approach`](super::Query::approach) to come as near as one can.
    #[error(
        "everything from which the goal can be reached was searched, and the start is not among it"
    )]
    Enclosed,
}

/// Which limit ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Limit {
    /// [`Limits::expansions`](super::Limits::expansions).
    #[error("the limit of expansions was reached")]
    Expansions,
    /// [`Limits::cost`](super::Limits::cost): every path left would cost more.
    #[error("every path left would cost more than the limit")]
    Cost,
    /// The cost type cannot hold the cost of the paths that are left: build the space with the wide
    /// one (`u64`).
    #[error("the paths that are left cost more than the cost type can hold; use the wide cost")]
    CostRange,
}

/// What ended a sliced search from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interruption {
    /// The space was edited between two slices. Ask again.
    #[error("the space was edited while the search was under way")]
    SpaceEdited,
    /// The scratch has begun another search since. Give each search that is under way its own.
    #[error("the scratch has begun another search")]
    ScratchReused,
}

/// What a search answers: a path, or the reason why not. Never a bare `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome<State, C> {
    /// A path from the start to a goal.
    Found(Path<State, C>),
    /// There is no path. `nearest` leads to the reachable state nearest to the goal: lowest
    /// estimate, then lowest cost, then lowest id, among the expanded ones. It is empty when the
    /// start itself is obstructed.
    Unreachable {
        /// Why.
        reason: NoPath,
        /// As near as one can get.
        nearest: Path<State, C>,
    },
    /// A limit was reached first. `nearest` is as above, among the states expanded so far.
    LimitReached {
        /// Which.
        limit: Limit,
        /// As near as the search got.
        nearest: Path<State, C>,
    },
    /// The search could not go on.
    Interrupted(Interruption),
}

/// The outcome type of a space.
pub type OutcomeOf<S> = Outcome<<S as Space>::State, <S as Space>::Cost>;

impl<State: StateId, C: Cost> Outcome<State, C> {
    /// The path, where one was found.
    #[must_use]
    pub fn path(&self) -> Option<&Path<State, C>> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }

    /// The path that was found, or else the one that comes nearest.
    #[must_use]
    pub fn best_effort(&self) -> Option<&Path<State, C>> {
        match self {
            Self::Found(path) => Some(path),
            Self::Unreachable { nearest, .. } | Self::LimitReached { nearest, .. } => Some(nearest),
            Self::Interrupted(_) => None,
        }
    }

    /// The path that was found, or else the one that comes nearest, by value: for
    /// [`Scratch::recycle`](super::Scratch::recycle).
    #[must_use]
    pub fn into_path(self) -> Path<State, C> {
        match self {
            Self::Found(path) => path,
            Self::Unreachable { nearest, .. } | Self::LimitReached { nearest, .. } => nearest,
            Self::Interrupted(_) => Path::default(),
        }
    }

    /// Whether a path was found.
    #[must_use]
    pub fn is_found(&self) -> bool {
        matches!(self, Self::Found(_))
    }
}

impl<State, C> std::fmt::Display for Outcome<State, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Found(path) => write!(f, "found a path of {} states", path.steps.len()),
            Self::Unreachable { reason, .. } => write!(f, "no path: {reason}"),
            Self::LimitReached { limit, .. } => write!(f, "gave up: {limit}"),
            Self::Interrupted(interruption) => write!(f, "interrupted: {interruption}"),
        }
    }
}

/// What a search cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// States taken off the open list and followed.
    pub expanded: u64,
    /// States reached for the first time.
    pub generated: u64,
    /// States that were expanded, then reached more cheaply, and put back.
    pub reopened: u64,
    /// The most entries that the open list held.
    pub heap_peak: usize,
}

/// An outcome and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer<State, C> {
    /// The path, or the reason why not.
    pub outcome: Outcome<State, C>,
    /// The counters.
    pub stats: Stats,
}

/// The answer type of a space.
pub type AnswerOf<S> = Answer<<S as Space>::State, <S as Space>::Cost>;
