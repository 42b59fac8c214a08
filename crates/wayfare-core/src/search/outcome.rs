//! Outcomes: the answers of searches.

use crate::path::Path;
use crate::space::{Cost, Obstruction, Space, StateId};

/// Why there is no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NoPath {
    /// The start is obstructed.
    #[error("the start {0}")]
    Start(Obstruction),
    /// All goals are obstructed; of several, this is the first one's reason.
    #[error("the goal {0}")]
    Goal(Obstruction),
    /// The query names no goal.
    #[error("the query names no goal")]
    NoGoal,
    /// Start and goal lie on different islands, as known before any search.
    #[error("start and goal lie on different islands (components {start} and {goal})")]
    DifferentIslands {
        /// The component of the start.
        start: u32,
        /// The component of the goal; of the first, if there are several.
        goal: u32,
    },
    /// Every state reachable from the start was expanded.
    #[error("everything reachable from the start was searched, and the goal is not among it")]
    Exhausted,
    /// Every state that leads to the goal was expanded: the goal is walled in. The search from the
    /// start was then stopped. Use [`Query::approach`](super::Query::approach) to come as near as
    /// possible.
    #[error(
        "everything from which the goal can be reached was searched, and the start is not among it"
    )]
    Enclosed,
}

/// The limit that ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Limit {
    /// [`Limits::expansions`](super::Limits::expansions).
    #[error("the limit of expansions was reached")]
    Expansions,
    /// [`Limits::generated`](super::Limits::generated).
    #[error("the limit of generated states was reached")]
    Generated,
    /// [`Limits::open`](super::Limits::open).
    #[error("the limit of states on the open list was reached")]
    Open,
    /// [`Limits::cost`](super::Limits::cost): every remaining path costs more.
    #[error("every path left would cost more than the limit")]
    Cost,
    /// The cost type cannot hold the cost of the remaining paths. Use a space with `u64` costs.
    #[error("the paths that are left cost more than the cost type can hold; use the wide cost")]
    CostRange,
}

/// The outside event that ended a sliced search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interruption {
    /// The space was edited between two slices. Start a new search.
    #[error("the space was edited while the search was under way")]
    SpaceEdited,
    /// The scratch was used for another search. Give each unfinished search its own.
    #[error("the scratch has begun another search")]
    ScratchReused,
}

/// The answer of a search: a path, or the reason why there is none. Never a bare `None`.
///
/// Example: [`Answer`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome<State, C> {
    /// A path from the start to a goal.
    Found(Path<State, C>),
    /// There is no path. `nearest` leads to the reachable state nearest to the goal: of the
    /// expanded states that with the lowest estimate, then lowest cost, then lowest id. Empty if
    /// the start is obstructed.
    Unreachable {
        /// The reason.
        reason: NoPath,
        /// The path to the nearest reachable state.
        nearest: Path<State, C>,
    },
    /// A limit was reached first. `nearest` is as above, among the states expanded before.
    LimitReached {
        /// The limit.
        limit: Limit,
        /// The path to the nearest expanded state.
        nearest: Path<State, C>,
    },
    /// The search could not continue.
    Interrupted(Interruption),
}

/// The outcome type of a space.
pub type OutcomeOf<S> = Outcome<<S as Space>::State, <S as Space>::Cost>;

impl<State: StateId, C: Cost> Outcome<State, C> {
    /// Returns the path, if one was found.
    #[must_use]
    pub fn path(&self) -> Option<&Path<State, C>> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }

    /// Returns the path that was found, else the one that comes nearest.
    #[must_use]
    pub fn best_effort(&self) -> Option<&Path<State, C>> {
        match self {
            Self::Found(path) => Some(path),
            Self::Unreachable { nearest, .. } | Self::LimitReached { nearest, .. } => Some(nearest),
            Self::Interrupted(_) => None,
        }
    }

    /// Returns the path that was found, else the one that comes nearest, by value: for
    /// [`Scratch::recycle`](super::Scratch::recycle).
    #[must_use]
    pub fn into_path(self) -> Path<State, C> {
        match self {
            Self::Found(path) => path,
            Self::Unreachable { nearest, .. } | Self::LimitReached { nearest, .. } => nearest,
            Self::Interrupted(_) => Path::default(),
        }
    }

    /// Returns the same outcome with states of another type, of the same indices.
    pub(super) fn with_states<To: StateId>(self) -> Outcome<To, C> {
        match self {
            Self::Found(path) => Outcome::Found(path.with_states()),
            Self::Unreachable { reason, nearest } => {
                Outcome::Unreachable { reason, nearest: nearest.with_states() }
            }
            Self::LimitReached { limit, nearest } => {
                Outcome::LimitReached { limit, nearest: nearest.with_states() }
            }
            Self::Interrupted(interruption) => Outcome::Interrupted(interruption),
        }
    }

    /// Returns whether a path was found.
    #[must_use]
    pub fn is_found(&self) -> bool {
        matches!(self, Self::Found(_))
    }
}

impl<State: StateId, C: Cost> std::fmt::Display for Outcome<State, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Found(path) => {
                write!(f, "found a path of {} moves", path.len())
            }
            Self::Unreachable { reason, .. } => write!(f, "no path: {reason}"),
            Self::LimitReached { limit, .. } => write!(f, "gave up: {limit}"),
            Self::Interrupted(interruption) => write!(f, "interrupted: {interruption}"),
        }
    }
}

/// The counters of a search.
///
/// Example: [`Answer`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// States popped off the open list and expanded.
    pub expanded: u64,
    /// States generated: reached for the first time.
    pub generated: u64,
    /// Expanded states that were reached more cheaply and returned to the open list.
    pub reopened: u64,
    /// The largest size of the open list.
    pub heap_peak: usize,
}

/// An outcome with the counters of its search.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["..#..", "..#.."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
/// let Answer { outcome, stats } = solve(&grid.space(), &AStar::new(), query);
/// let Outcome::Unreachable { reason, nearest } = outcome else { panic!("there is no way") };
/// assert!(matches!(reason, NoPath::DifferentIslands { .. }));
/// assert!(nearest.is_empty());
/// assert_eq!(stats, Stats::default()); // known before any search
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer<State, C> {
    /// The path, or the reason why there is none.
    pub outcome: Outcome<State, C>,
    /// The counters.
    pub stats: Stats,
}

/// The answer type of a space.
pub type AnswerOf<S> = Answer<<S as Space>::State, <S as Space>::Cost>;
