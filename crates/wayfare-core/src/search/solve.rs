//! The easy call and the expert call.

use super::erased::{ErasedSpace, ErasedState};
use super::{AStar, Algorithm, Answer, AnswerOf, FullSpace, Query, QueryOf, Scratch, Search};
use crate::path::Path;
use crate::space::{Cost, Space, StateId};

/// Answers one query with fresh memory. For more than a few queries keep a [`Solver`], which reuses
/// it.
pub fn solve<S: Space, A: Algorithm>(space: &S, algorithm: &A, query: QueryOf<S>) -> AnswerOf<S>
where
    A::Search<S::State, S::Cost>: Search<S>,
{
    algorithm.search(query).finish(space, &mut Scratch::new(), &mut ())
}

/// Answers one query by [`AStar`], with the space behind virtual calls: the same answer in up to a
/// fifth more time, by code that is compiled once for all spaces with costs of a type. For
/// questions that are asked seldom, where the size of a program counts.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::solve_erased;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve_erased(&grid.space(), query.clone());
/// assert_eq!(answer, solve(&grid.space(), &AStar::new(), query));
/// # Ok::<(), GridError>(())
/// ```
pub fn solve_erased<S: FullSpace>(space: &S, query: QueryOf<S>) -> AnswerOf<S> {
    let Answer { outcome, stats } = solve_any(ErasedSpace::of(space), query.erased());
    Answer { outcome: outcome.with_states(), stats }
}

// Not inlined: it would be compiled again for each type of state.
#[inline(never)]
fn solve_any<C: Cost>(
    space: ErasedSpace<'_, C>,
    query: Query<ErasedState, C>,
) -> Answer<ErasedState, C> {
    solve(&space, &AStar::new(), query)
}

/// Answers query after query in the same memory. One per thread.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let space = grid.space();
/// let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let mut solver = Solver::new();
/// for _ in 0..3 {
///     let answer = solver.solve(&space, &AStar::new(), Query::new(a, b));
///     // From the second round on, nothing is allocated.
///     solver.recycle(answer.outcome.into_path());
/// }
/// # Ok::<(), wayfare::space::GridError>(())
/// ```
#[derive(Debug)]
pub struct Solver<State, C> {
    scratch: Scratch<State, C>,
}

impl<State: StateId, C: Cost> Default for Solver<State, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<State: StateId, C: Cost> Solver<State, C> {
    /// Returns a solver that has not allocated anything yet.
    #[must_use]
    pub fn new() -> Self {
        Self { scratch: Scratch::new() }
    }

    /// Answers a query.
    pub fn solve<S, A>(&mut self, space: &S, algorithm: &A, query: QueryOf<S>) -> AnswerOf<S>
    where
        S: Space<State = State, Cost = C>,
        A: Algorithm,
        A::Search<State, C>: Search<S>,
    {
        algorithm.search(query).finish(space, &mut self.scratch, &mut ())
    }

    /// Takes back a path that is no longer needed, so that the next one reuses its memory.
    pub fn recycle(&mut self, path: Path<State, C>) {
        self.scratch.recycle(path);
    }

    /// Returns the scratch, to hand to searches oneself.
    pub fn scratch(&mut self) -> &mut Scratch<State, C> {
        &mut self.scratch
    }
}
