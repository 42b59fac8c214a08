//! Breadth-first search.
//!
//! E. F. Moore, "The shortest path through a maze", 1959.

use super::{
    Algorithm, AlgorithmInfo, BestFirst, ExpansionPolicy, Fifo, Goal, Guarantee, Listed, Natural,
    Options, Query,
};
use crate::space::{Cost, Space, StateId};

/// Breadth-first search: expands states in the order in which they were reached.
///
/// Finds the path with the **fewest moves**, whatever they cost. Use it where all moves are alike
/// and nothing is known of where the goal lies; where moves differ in cost,
/// [`Dijkstra`](super::Dijkstra) is the one that finds the cheapest. Takes O(states + moves) time
/// and O(states) memory.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["...", ".#.", "..."])?;
/// let space = grid.space();
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(2, 2).unwrap());
/// let answer = solve(&space, &Bfs, query);
/// assert_eq!(answer.outcome.path().unwrap().len(), 4);
/// # Ok::<(), wayfare::space::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bfs;

impl<S: Space> ExpansionPolicy<S> for Bfs {
    const STEERS: bool = false;
    const RELAX: bool = false;

    #[inline]
    fn priority(&self, _: &S, _: &Goal<S::State>, _: S::State, _: S::Cost, _: S::Cost) -> u64 {
        0 // a queue does not compare
    }
}

impl Algorithm for Bfs {
    type Search<State: StateId, C: Cost> = BestFirst<State, C, Self, Natural, Fifo>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        BestFirst::new(*self, Natural, query)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::FewestMoves
    }
}

impl Listed for Bfs {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "bfs",
        title: "Breadth-first search",
        summary: "breadth-first search: the fewest moves, whatever they cost",
        guarantee: Guarantee::FewestMoves,
        sensible_states: None,
    };

    fn with_options(_: &Options) -> Self {
        Self
    }
}
