//! The nearest of several goals, and the nearest that one can get to a single one.
//!
//! P. E. Hart, N. J. Nilsson, B. Raphael, "A formal basis for the heuristic determination of
//! minimum cost paths", 1968.

use super::{
    AStar, Algorithm, Answer, AnswerOf, BestFirst, Goal, Natural, Progress, Query, Scratch,
    ScratchOf, Search, SumPolicy, solve,
};
use crate::space::{Cost, Space, StateId};
use crate::trace::ObserverOf;

/// The goal that is cheapest to reach, and the path to it.
///
/// Example: [`nearest_goal`](nearest_goal()).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearestGoal<State, C> {
    /// The index of that goal in the list; the first of the same state. `None` if no goal was
    /// reached.
    pub goal: Option<usize>,
    /// The path, or the reason why not, and the counters.
    pub answer: Answer<State, C>,
}

/// Finds the cheapest path to any of several goals: the nearest shop, exit or medic.
///
/// One search for all goals, **not** one a goal. With up to 16 goals it is [`AStar`], steered by
/// the least of the estimates; with more, estimating costs more than it saves, and it is
/// [`Dijkstra`](super::Dijkstra)'s algorithm. The path is optimal. Ties break as in A*: high `g`
/// cannot differ between two goals of one cost, so the goal with the lower state id wins. Goals
/// that no agent can stand on are skipped. When many agents ask for the same goals, an inward
/// [`DistanceField`](super::DistanceField) answers all of them at once.
///
/// Takes O(m + n log n) time for the n states and m moves up to the winner's cost, plus O(goals ×
/// log goals).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{NearestGoal, nearest_goal};
/// let grid = Grid::from_rows(&[".#...", ".#.#.", "...#."])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// // The second goal is nearer as the crow flies, the first one on foot.
/// let NearestGoal { goal, answer } = nearest_goal(&space, at(0, 0), &[at(1, 2), at(2, 0)]);
/// assert_eq!(goal, Some(0));
/// assert_eq!(answer.outcome.path().unwrap().end(), Some(at(1, 2)));
/// # Ok::<(), wayfare::space::GridError>(())
/// ```
#[must_use]
pub fn nearest_goal<S: Space>(
    space: &S,
    start: S::State,
    goals: &[S::State],
) -> NearestGoal<S::State, S::Cost> {
    let mut search = NearestGoalSearch::new(start, goals);
    let answer = search.finish(space, &mut Scratch::new(), &mut ());
    NearestGoal { goal: search.winner(&answer), answer }
}

/// Finds the path to a goal or, if there is none, to the reachable state nearest to it: lowest
/// estimate to the goal, then lowest cost, then lowest id.
///
/// That is [`Query::approach`] under another name: an agent that is sent into a wall or across a
/// river walks up to it. Where there is no path, everything reachable is searched, O(m + n log n).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::nearest_reachable;
/// let grid = Grid::from_rows(&["..#.", "..#.", "..#."])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// let answer = nearest_reachable(&space, at(0, 0), at(3, 1));
/// let Outcome::Unreachable { reason, .. } = answer.outcome else { panic!("there is a path") };
/// assert!(matches!(reason, NoPath::DifferentIslands { .. }));
/// assert_eq!(answer.outcome.best_effort().unwrap().end(), Some(at(1, 1)));
/// # Ok::<(), wayfare::space::GridError>(())
/// ```
#[must_use]
pub fn nearest_reachable<S: Space>(space: &S, start: S::State, goal: S::State) -> AnswerOf<S> {
    solve(space, &AStar::new(), Query::new(start, goal).approach())
}

/// A [`nearest_goal`] search under way.
#[derive(Clone, Debug)]
pub struct NearestGoalSearch<State, C> {
    search: BestFirst<State, C, SumPolicy, Natural>,
    /// The goals as they were given.
    goals: Vec<State>,
}

impl<State: StateId, C: Cost> NearestGoalSearch<State, C> {
    /// Returns a search before its first step, without limits.
    #[must_use]
    pub fn new(start: State, goals: &[State]) -> Self {
        Self::with(goals, |goal| Query::to(start, goal))
    }

    /// Returns a search before its first step, for the query that `query` makes of the goal: to set
    /// limits.
    #[must_use]
    pub fn with(goals: &[State], query: impl FnOnce(Goal<State>) -> Query<State, C>) -> Self {
        let goal = Goal::any_of(goals.iter().copied());
        Self { search: AStar::new().search(query(goal)), goals: goals.to_vec() }
    }

    /// Returns the index of the goal that the answer's path leads to.
    #[must_use]
    pub fn winner(&self, answer: &Answer<State, C>) -> Option<usize> {
        let end = answer.outcome.path()?.end()?;
        self.goals.iter().position(|&goal| goal == end)
    }
}

impl<S: Space> Search<S> for NearestGoalSearch<S::State, S::Cost> {
    fn step<O: ObserverOf<S>>(
        &mut self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut O,
        budget: u64,
    ) -> Progress {
        self.search.step(space, scratch, observer, budget)
    }

    fn answer(&mut self, space: &S, scratch: &mut ScratchOf<S>) -> AnswerOf<S> {
        self.search.answer(space, scratch)
    }
}
