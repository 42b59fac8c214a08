//! Greedy best-first search.
//!
//! J. E. Doran, D. Michie, "Experiments with the graph traverser program", 1966.

use super::{
    Algorithm, AlgorithmInfo, BestFirst, ExpansionPolicy, Goal, Guarantee, Listed, NamedHeuristic,
    Natural, Options, Query,
};
use crate::space::{Cost, Space, StateId};

/// Greedy best-first search: expands the state that seems nearest to the goal, whatever it cost to
/// get there.
///
/// Expands few states and finds *a* path: **not optimal**, without any bound. The first path found
/// to a state stays.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve(&grid.space(), &Greedy::new(), query);
/// assert!(answer.outcome.is_found());
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Greedy<H = Natural> {
    /// The estimate of the cost still to come.
    pub heuristic: H,
}

impl Greedy {
    /// Greedy search with the space's own estimate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The priority of greedy search: `f = h`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GreedyPolicy;

impl<S: Space> ExpansionPolicy<S> for GreedyPolicy {
    const RELAX: bool = false;

    #[inline]
    fn priority(&self, _: &S, _: &Goal<S::State>, _: S::State, _: S::Cost, h: S::Cost) -> u64 {
        h.to_u64()
    }
}

impl<H: Clone> Algorithm for Greedy<H> {
    type Search<State: StateId, C: Cost> = BestFirst<State, C, GreedyPolicy, H>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        BestFirst::new(GreedyPolicy, self.heuristic.clone(), query)
    }
}

impl Listed for Greedy<NamedHeuristic> {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "greedy",
        title: "Greedy best-first search",
        summary: "greedy best-first search: a path soon, not optimal",
        guarantee: Guarantee::None,
        sensible_states: None,
    };

    fn with_options(options: &Options) -> Self {
        Self { heuristic: options.heuristic }
    }
}
