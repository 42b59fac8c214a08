//! Dijkstra's algorithm.
//!
//! E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959.

use super::{
    Algorithm, AlgorithmInfo, BestFirst, ExpansionPolicy, Goal, Guarantee, Listed, Options, Query,
    Zero,
};
use crate::space::{Cost, Space, StateId};

/// Dijkstra's algorithm: expands states in the order of their cost from the start.
///
/// Finds a **cheapest** path. It knows nothing of where the goal lies and searches in all
/// directions; use it for goals that cannot be estimated to, and as the oracle that every other
/// optimal algorithm is tested against. For the costs to *all* states see
/// [`DistanceField`](super::DistanceField). Takes O(m + n log n) time for n states and m moves,
/// O(n) memory.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve(&grid.space(), &Dijkstra, query);
/// assert_eq!(answer.outcome.path().map(Path::cost), Some(5 * 5741)); // five straight steps
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dijkstra;

impl<S: Space> ExpansionPolicy<S> for Dijkstra {
    #[inline]
    fn priority(&self, _: &S, _: &Goal<S::State>, _: S::State, g: S::Cost, _: S::Cost) -> u64 {
        g.to_u64()
    }
}

impl Algorithm for Dijkstra {
    type Search<State: StateId, C: Cost> = BestFirst<State, C, Self, Zero>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        BestFirst::new(*self, Zero, query)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }
}

impl Listed for Dijkstra {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "dijkstra",
        title: "Dijkstra",
        summary: "Dijkstra's algorithm: a cheapest path, searching in all directions",
        guarantee: Guarantee::Optimal,
        sensible_states: None,
    };

    fn with_options(_: &Options) -> Self {
        Self
    }
}
