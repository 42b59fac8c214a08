//! Weighted A*.
//!
//! I. Pohl, "Heuristic search viewed as path finding in a graph", 1970.

use super::{
    Algorithm, AlgorithmInfo, BestFirst, ExpansionPolicy, Goal, Guarantee, Listed, NamedHeuristic,
    Natural, Options, Query, Weight,
};
use crate::space::{Cost, Space, StateId};

/// Weighted A*: as [`AStar`](super::AStar), with the estimate counted `weight` times.
///
/// The path costs **at most `weight` times the optimal**, usually far less, for a fraction of the
/// expansions. The bound holds for every heuristic that does not overestimate, since states are
/// reopened when a cheaper path to them turns up. The "greedy search that counts depth by half" of
/// some games, `g / 2 + h`, is this with a weight of 2.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::Weight;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve(&grid.space(), &WeightedAStar::new(Weight::new(2.0).unwrap()), query);
/// assert!(answer.outcome.path().unwrap().cost() <= 2 * 5 * 5741);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WeightedAStar<H = Natural> {
    /// How much more the estimate counts than the cost so far. Default 1.5.
    pub weight: Weight,
    /// The estimate of the cost still to come.
    pub heuristic: H,
}

impl WeightedAStar {
    /// Weighted A* with the space's own estimate.
    #[must_use]
    pub fn new(weight: Weight) -> Self {
        Self { weight, heuristic: Natural }
    }
}

/// The priority of weighted A*: `f = g + w·h`.
///
/// The bound: let `c` be the optimum. Until the goal is popped, some state `s` of a cheapest path
/// is open with its true cost, since states are reopened. Its priority is `g + w·h ≤ w·(g + h) ≤
/// w·c`. The goal's own priority is the cost of its path. It is popped first, so that cost is at
/// most `w·c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightedPolicy(Weight);

impl<S: Space> ExpansionPolicy<S> for WeightedPolicy {
    #[inline]
    fn priority(&self, _: &S, _: &Goal<S::State>, _: S::State, g: S::Cost, h: S::Cost) -> u64 {
        g.to_u64() + self.0.times(h.to_u64())
    }
}

impl<H: Clone> Algorithm for WeightedAStar<H> {
    type Search<State: StateId, C: Cost> = BestFirst<State, C, WeightedPolicy, H>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        BestFirst::new(WeightedPolicy(self.weight), self.heuristic.clone(), query)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Bounded
    }
}

impl Listed for WeightedAStar<NamedHeuristic> {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "weighted-astar",
        title: "Weighted A*",
        summary: "weighted A*: at most `weight` times the optimal cost, for fewer expansions",
        guarantee: Guarantee::Bounded,
        sensible_states: None,
    };

    fn with_options(options: &Options) -> Self {
        Self { weight: options.weight, heuristic: options.heuristic }
    }
}
