//! A*.
//!
//! P. E. Hart, N. J. Nilsson, B. Raphael, "A formal basis for the heuristic determination of
//! minimum cost paths", 1968.

use super::{
    Algorithm, AlgorithmInfo, BestFirst, ExpansionPolicy, Goal, Guarantee, Listed, NamedHeuristic,
    Natural, Options, PlainList, Query,
};
use crate::space::{Cost, Space, StateId};

/// A*: expands states in the order of `g` (the cost so far) plus `h` (the estimate of the rest).
///
/// Finds a **cheapest** path as long as the heuristic never overestimates; [`Natural`], the
/// default, never does. The default choice for a single query. With [`Natural`] it follows the
/// space's [guidance](crate::expert::Guidance) to a single goal, and leaves out states on no path
/// there; with [`Measure::Octile`](crate::space::Measure::Octile) it is textbook A*. States whose
/// cost drops after they were expanded are reopened, so that a heuristic need not be consistent.
/// Ties break by low `f`, then high `g`, then state id.
///
/// Takes O(m + n log n) time for the n states and m moves up to the goal's cost, O(states) memory.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve(&grid.space(), &AStar::new(), query);
/// assert_eq!(answer.outcome.path().map(Path::cost), Some(5 * 5741)); // five straight steps
///
/// // A heuristic of one's own is a closure, or one of the named measures.
/// use wayfare::space::Measure;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve(&grid.space(), &AStar::with(Measure::Chebyshev), query);
/// assert!(answer.outcome.is_found());
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AStar<H = Natural> {
    /// The estimate of the cost still to come.
    pub heuristic: H,
}

impl AStar {
    /// Returns a* with the space's own estimate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<H> AStar<H> {
    /// Returns a* with that heuristic: a [`Measure`](crate::space::Measure), a closure, or one's
    /// own.
    pub fn with(heuristic: H) -> Self {
        Self { heuristic }
    }
}

/// The priority of A*: `f = g + h`.
///
/// Why the path is cheapest: let `c` be the optimum. Until the goal is popped, some state of a
/// cheapest path is open with its true cost, and `g + h ≤ c` there, as `h` is a lower bound. The
/// goal's priority is the cost of its path. It is popped before that state only if it is at most
/// `c`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SumPolicy;

impl<S: Space> ExpansionPolicy<S> for SumPolicy {
    const IS_SUM: bool = true;
    const IS_CANONICAL: bool = true;

    #[inline]
    fn priority(&self, _: &S, _: &Goal<S::State>, _: S::State, g: S::Cost, h: S::Cost) -> u64 {
        g.to_u64() + h.to_u64()
    }
}

impl<H: Clone> Algorithm for AStar<H> {
    type Search<State: StateId, C: Cost> = BestFirst<State, C, SumPolicy, H>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        BestFirst::new(SumPolicy, self.heuristic.clone(), query)
    }

    /// Optimal, provided that the heuristic never overestimates.
    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }
}

impl Listed for AStar<NamedHeuristic> {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "astar",
        title: "A*",
        summary: "A*: a cheapest path, steered towards the goal",
        guarantee: Guarantee::Optimal,
        sensible_states: None,
    };

    fn with_options(options: &Options) -> Self {
        Self { heuristic: options.heuristic }
    }
}

/// [`AStar`] with a plain list as its open list: the lesson of the heap.
///
/// Expands the same states in the same order, and finds each of them by looking through the whole
/// list. For comparison only: takes O(n²) time.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::AStarList;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let by_list: AStarList = AStarList::default();
/// let by_heap = solve(&grid.space(), &AStar::new(), query.clone());
/// assert_eq!(solve(&grid.space(), &by_list, query), by_heap);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AStarList<H = Natural> {
    /// The estimate of the cost still to come.
    pub heuristic: H,
}

impl<H: Clone> Algorithm for AStarList<H> {
    type Search<State: StateId, C: Cost> = BestFirst<State, C, SumPolicy, H, PlainList>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        BestFirst::new(SumPolicy, self.heuristic.clone(), query)
    }

    /// Optimal, provided that the heuristic never overestimates.
    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }
}

impl Listed for AStarList<NamedHeuristic> {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "astar-list",
        title: "A* with a list",
        summary: "A* with a plain list as open list, to show what the heap is worth",
        guarantee: Guarantee::Optimal,
        sensible_states: Some(70_000),
    };

    fn with_options(options: &Options) -> Self {
        Self { heuristic: options.heuristic }
    }
}
