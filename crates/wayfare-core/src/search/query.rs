//! Queries: the questions that searches answer.

use std::sync::Arc;

use crate::space::{Cost, Space, StateId};

/// The states where a search may end.
///
/// Example: [`Query`].
#[derive(Clone)]
pub enum Goal<State> {
    /// A single state.
    State(State),
    /// Any of several states, whichever is cheapest to reach. Kept sorted; see [`Goal::any_of`].
    AnyOf(Arc<[State]>),
    /// The first state that a predicate accepts. Heuristics are not used: there is no state to
    /// steer to.
    Where(Arc<dyn Fn(State) -> bool + Send + Sync>),
}

/// Above this number of goals, estimating the cost to each costs more than it saves.
const MOST_ESTIMATED_GOALS: usize = 16;

impl<State: StateId> Goal<State> {
    /// Returns the goal of reaching the cheapest of several states.
    #[must_use]
    pub fn any_of(states: impl IntoIterator<Item = State>) -> Self {
        let mut states: Vec<State> = states.into_iter().collect();
        states.sort_unstable();
        states.dedup();
        Self::AnyOf(states.into())
    }

    /// Returns the goal of reaching any state that the predicate accepts.
    #[must_use]
    pub fn when(predicate: impl Fn(State) -> bool + Send + Sync + 'static) -> Self {
        Self::Where(Arc::new(predicate))
    }

    /// Returns whether the search may end at `state`.
    #[inline]
    #[must_use]
    pub fn accepts(&self, state: State) -> bool {
        match self {
            Self::State(goal) => *goal == state,
            Self::AnyOf(goals) => goals.binary_search(&state).is_ok(),
            Self::Where(predicate) => predicate(state),
        }
    }

    /// Returns the least of the estimates to the goals; 0 for predicates and for more than 16
    /// goals.
    #[inline(always)]
    pub fn least<C: Cost>(&self, mut estimate: impl FnMut(State) -> C) -> C {
        match self {
            Self::State(goal) => estimate(*goal),
            Self::AnyOf(goals) if goals.len() <= MOST_ESTIMATED_GOALS => {
                goals.iter().map(|&goal| estimate(goal)).min().unwrap_or(C::ZERO)
            }
            Self::AnyOf(_) | Self::Where(_) => C::ZERO,
        }
    }

    /// Returns the goal states; none for a predicate.
    #[must_use]
    pub fn states(&self) -> &[State] {
        match self {
            Self::State(goal) => std::slice::from_ref(goal),
            Self::AnyOf(goals) => goals,
            Self::Where(_) => &[],
        }
    }
}

impl<State: std::fmt::Debug> std::fmt::Debug for Goal<State> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::State(state) => f.debug_tuple("State").field(state).finish(),
            Self::AnyOf(states) => f.debug_tuple("AnyOf").field(states).finish(),
            Self::Where(_) => f.write_str("Where(..)"),
        }
    }
}

/// Serialised as the list of its states. A predicate cannot be serialised and is an error.
#[cfg(feature = "serde")]
mod goal_as_data {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Goal, StateId};

    #[derive(Serialize)]
    #[serde(rename = "Goal")]
    enum Written<'a, State> {
        State(&'a State),
        AnyOf(&'a [State]),
    }

    #[derive(Deserialize)]
    #[serde(rename = "Goal")]
    enum Read<State> {
        State(State),
        AnyOf(Vec<State>),
    }

    impl<State: Serialize> Serialize for Goal<State> {
        fn serialize<W: Serializer>(&self, writer: W) -> Result<W::Ok, W::Error> {
            match self {
                Self::State(state) => Written::State(state).serialize(writer),
                Self::AnyOf(states) => Written::AnyOf(states).serialize(writer),
                Self::Where(_) => Err(serde::ser::Error::custom(
                    "a goal that is given by a predicate cannot be written down",
                )),
            }
        }
    }

    impl<'de, State: StateId + Deserialize<'de>> Deserialize<'de> for Goal<State> {
        fn deserialize<R: Deserializer<'de>>(reader: R) -> Result<Self, R::Error> {
            Ok(match Read::deserialize(reader)? {
                Read::State(state) => Self::State(state),
                Read::AnyOf(states) => Self::any_of(states),
            })
        }
    }
}

/// Limits at which a search gives up. The default has none.
///
/// Limits on counts are looked at before each expansion. So a search that runs in slices gives up
/// where one that runs in a piece does, and the states of one expansion may exceed a limit on
/// generated or open states.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::Limit;
/// let grid = Grid::from_rows(&["........", "........", "........"])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(7, 2).unwrap());
/// let answer = solve(&grid.space(), &Dijkstra, query.max_generated(5));
/// assert!(matches!(answer.outcome, Outcome::LimitReached { limit: Limit::Generated, .. }));
/// assert!(answer.stats.generated < 5 + 8); // a cell has eight neighbours
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits<C> {
    /// The largest number of expansions. Default: no limit.
    pub expansions: u64,
    /// The number of generated states at which the search gives up: a limit on its memory. Default:
    /// no limit.
    pub generated: u64,
    /// The number of states on the open list, or on the stack of IDA*, at which the search gives
    /// up. Default: no limit.
    pub open: u64,
    /// The largest `g + h` of states that are followed. Default: [`Cost::INFINITY`].
    pub cost: C,
}

impl<C: Cost> Default for Limits<C> {
    fn default() -> Self {
        Self { expansions: u64::MAX, generated: u64::MAX, open: u64::MAX, cost: C::INFINITY }
    }
}

/// A question for a search: a start, a goal, and limits.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let query = Query::new(start, goal).max_expansions(3);
/// assert!(matches!(query.goal, Goal::State(_)));
/// let outcome = solve(&grid.space(), &Dijkstra, query).outcome;
/// assert!(matches!(outcome, Outcome::LimitReached { .. }));
/// assert_eq!(outcome.best_effort().and_then(Path::start), Some(start)); // as far as it came
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "State: serde::Serialize, C: serde::Serialize",
        deserialize = "State: StateId + serde::Deserialize<'de>, C: serde::Deserialize<'de>"
    ))
)]
pub struct Query<State, C> {
    /// The first state of the path.
    pub start: State,
    /// The states where the path may end.
    pub goal: Goal<State>,
    /// The limits of the search.
    pub limits: Limits<C>,
    /// Whether to search even if start and goal are known to lie on different islands, to find the
    /// reachable state nearest to the goal. Default `false`: such a query is answered at once, with
    /// the start as its partial path.
    pub approach: bool,
}

/// The query type of a space.
pub type QueryOf<S> = Query<<S as Space>::State, <S as Space>::Cost>;

impl<State: StateId, C: Cost> Query<State, C> {
    /// Returns a query from one state to another, without limits.
    #[must_use]
    pub fn new(start: State, goal: State) -> Self {
        Self::to(start, Goal::State(goal))
    }

    /// Returns a query from a state to any kind of goal, without limits.
    #[must_use]
    pub fn to(start: State, goal: Goal<State>) -> Self {
        Self { start, goal, limits: Limits::default(), approach: false }
    }

    /// The same query with a limit on the number of expansions.
    #[must_use]
    pub fn max_expansions(mut self, expansions: u64) -> Self {
        self.limits.expansions = expansions;
        self
    }

    /// The same query with a limit on the number of generated states.
    #[must_use]
    pub fn max_generated(mut self, generated: u64) -> Self {
        self.limits.generated = generated;
        self
    }

    /// The same query with a limit on the size of the open list.
    #[must_use]
    pub fn max_open(mut self, open: u64) -> Self {
        self.limits.open = open;
        self
    }

    /// The same query with a limit on the cost of a path.
    #[must_use]
    pub fn max_cost(mut self, cost: C) -> Self {
        self.limits.cost = cost;
        self
    }

    /// The same query, searching for the reachable state nearest to the goal even if no path is
    /// known to exist.
    #[must_use]
    pub fn approach(mut self) -> Self {
        self.approach = true;
        self
    }
}
