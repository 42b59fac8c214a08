//! The five waypoint policies: searches that rank states by a score of their own, with no path
//! cost.
//!
//! They come from the game-programming tutorial in which a map of waypoints is searched under a
//! selectable "heuristic". They are kept as presets because they teach what a priority without `g`
//! does: **none of them is optimal**, and the first path to a state stays.
//!
//! Below, *distance* is from the waypoint to the goal, and *h(x)* is the waypoint's own cost
//! ([`Metric::own_cost`]), zero for all when [`ignore_own_costs`](super::Options::ignore_own_costs)
//! is set.

use super::{
    Algorithm, AlgorithmInfo, BestFirst, ExpansionPolicy, Goal, Guarantee, Listed, Options, Query,
    Zero,
};
use crate::space::{Cost, Measure, Metric, StateId};

/// Scores may be negative, priorities may not: this is the priority of score zero.
const BIAS: i64 = 1 << 47;

fn priority(score: i64) -> u64 {
    (score + BIAS).max(0) as u64
}

fn distance<S: Metric>(space: &S, goal: &Goal<S::State>, state: S::State, measure: Measure) -> i64 {
    goal.least(|goal| space.distance(measure, state, goal)).to_u64() as i64
}

/// |h(goal) − h(state)|, to the nearest in cost of several goals.
fn cost_difference<S: Metric>(space: &S, goal: &Goal<S::State>, state: S::State) -> i64 {
    let own = space.own_cost(state).to_u64();
    goal.least(|goal| S::Cost::from_u64(space.own_cost(goal).to_u64().abs_diff(own))).to_u64()
        as i64
}

macro_rules! waypoint_policy {
    ($(#[$doc:meta])* $name:ident, $listed:literal, $summary:literal, |$policy:ident, $space:ident, $goal:ident, $state:ident| $score:expr) => {
        $(#[$doc])*
        ///
        /// **Not optimal.** Ranks states by this score alone, with no path cost, and the first path
        /// to a state stays. *Distance* is from the state to the goal and *h* the state's own cost
        /// ([`Metric::own_cost`]), both in cost units. A preset from the game-programming tutorial
        /// of waypoint maps, kept for what it teaches; O(m + n log n).
        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
        pub struct $name {
            /// Whether all waypoints count as costing nothing of their own.
            pub ignore_own_costs: bool,
        }

        impl<S: Metric> ExpansionPolicy<S> for $name {
            const RELAX: bool = false;

            fn priority(&self, $space: &S, $goal: &Goal<S::State>, $state: S::State, _: S::Cost, _: S::Cost) -> u64 {
                let $policy = self;
                priority($score)
            }
        }

        impl Algorithm for $name {
            type Search<State: StateId, C: Cost> = BestFirst<State, C, Self, Zero>;

            fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
                BestFirst::new(*self, Zero, query)
            }
        }

        impl Listed for $name {
            const INFO: AlgorithmInfo = AlgorithmInfo {
                name: $listed,
                summary: $summary,
                guarantee: Guarantee::None,
                sensible_states: None,
            };

            fn with_options(options: &Options) -> Self {
                Self { ignore_own_costs: options.ignore_own_costs }
            }
        }
    };
}

waypoint_policy!(
    /// Ranks by the straight distance to the goal.
    Vector3Distance, "vector3-distance", "waypoint policy: straight distance to the goal; not optimal",
    |_policy, space, goal, state| distance(space, goal, state, Measure::Euclidean)
);

waypoint_policy!(
    /// Ranks by the sum of the offsets to the goal along the axes.
    ManhattanDistance, "manhattan", "waypoint policy: Manhattan distance to the goal; not optimal",
    |_policy, space, goal, state| distance(space, goal, state, Measure::Manhattan)
);

waypoint_policy!(
    /// Ranks by distance + |h(goal) − h(state)|: shuns waypoints whose cost differs from the
    /// goal's.
    CostOfMovement, "cost-of-movement", "waypoint policy: distance + |h(goal) - h(waypoint)|; not optimal",
    |policy, space, goal, state| {
        let difference = if policy.ignore_own_costs { 0 } else { cost_difference(space, goal, state) };
        distance(space, goal, state, Measure::Euclidean) + difference
    }
);

waypoint_policy!(
    /// Ranks by distance + min(h₁ − h₂, h₂ − h₁) of the negated costs, which is distance − |h(goal)
    /// − h(state)|: seeks out waypoints whose cost differs from the goal's.
    InverseCostOfMovement, "inverse-cost-of-movement",
    "waypoint policy: distance + min(h1 - h2, h2 - h1) of the negated costs; not optimal",
    |policy, space, goal, state| {
        let difference = if policy.ignore_own_costs { 0 } else { cost_difference(space, goal, state) };
        distance(space, goal, state, Measure::Euclidean) - difference
    }
);

waypoint_policy!(
    /// Ranks by the waypoint's own cost alone.
    HScore, "h-score", "waypoint policy: the waypoint's own cost alone; not optimal",
    |policy, space, _goal, state| if policy.ignore_own_costs { 0 } else { space.own_cost(state).to_u64() as i64 }
);
