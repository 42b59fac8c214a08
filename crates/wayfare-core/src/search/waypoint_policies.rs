//! The five waypoint policies: searches that rank states by a score of their own, with no path
//! cost.
//!
//! They come from the game-programming tutorial in which a map of waypoints is searched under a
//! selectable "heuristic". They are kept as presets because they show the effect of a priority
//! without `g`: **none of them is optimal**, and the first path to a state stays.
//!
//! Below, *distance* is from the position of the waypoint to that of the goal, in world units times
//! [`Space::cost_per_unit`](crate::space::Space::cost_per_unit), and *h(x)* is the waypoint's own
//! cost ([`Metric::own_cost`]), zero for all when
//! [`ignore_own_costs`](super::Options::ignore_own_costs) is set.
//!
//! # The tutorial's paths, with fewer expansions
//!
//! The tutorial sorts its open list stably by score and takes the first entry. It marks a waypoint
//! as visited when that waypoint is taken, and adds every neighbour that is not visited, even if
//! the open list already has an entry for it. A waypoint can thus be taken many times. Here each
//! is added once. The paths are the same:
//!
//! * All entries of a waypoint have one score, and equal scores leave in the order of their
//!   arrival. So the first entry of a waypoint is the first to be taken, with the parent that it
//!   has here, and later entries can be dropped.
//! * Taking a later entry adds entries only of waypoints that have one already: the neighbours were
//!   added when the first entry was taken. So later entries delay nothing, and the order in which
//!   the waypoints are taken for the first time stays the same.

use super::{
    Algorithm, AlgorithmInfo, BestFirst, ExpansionPolicy, Goal, Guarantee, Listed, Options, Query,
    StableQueue, Zero,
};
use crate::space::{Cost, Measure, Metric, StateId};

/// The parts of a cost unit that scores tell apart.
const PARTS: f64 = 16.0;
/// The largest own cost that scores tell apart, in cost units: far above that of any waypoint.
const MOST_OWN_COST: u64 = 1 << 42;
/// Scores may be negative, priorities may not: this is the priority of score zero.
const BIAS: i64 = 1 << 47;

/// Returns the distance to the goal, the nearest of several, in parts of a cost unit.
///
/// From the positions, not by [`Metric::distance`]: that measures at the rate of the cheapest link,
/// so one cheap teleport anywhere would shrink all distances beside the own costs.
fn distance<S: Metric>(space: &S, goal: &Goal<S::State>, state: S::State, measure: Measure) -> i64 {
    let here = space.position(state).as_dvec3();
    let parts = PARTS * space.cost_per_unit();
    let nearest: u64 = goal.least(|goal| {
        let offset = (space.position(goal).as_dvec3() - here).abs();
        let length = match measure {
            Measure::Manhattan => offset.element_sum(),
            _ => offset.length(),
        };
        (length * parts).round() as u64
    });
    nearest.min(1 << 46) as i64
}

/// h(state), in parts of a cost unit.
fn own_cost<S: Metric>(space: &S, state: S::State) -> i64 {
    (space.own_cost(state).to_u64().min(MOST_OWN_COST) * PARTS as u64) as i64
}

/// |h(goal) − h(state)|, to the nearest in cost of several goals, in parts of a cost unit.
fn cost_difference<S: Metric>(space: &S, goal: &Goal<S::State>, state: S::State) -> i64 {
    let own = own_cost(space, state);
    let least: u64 = goal.least(|goal| own_cost(space, goal).abs_diff(own));
    least as i64
}

/// What a policy ranks states by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Score {
    Straight,
    Manhattan,
    CostOfMovement,
    InverseCostOfMovement,
    Own,
}

/// Any of the policies. One type, so that their search is compiled once for all five.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaypointPolicy {
    score: Score,
    ignore_own_costs: bool,
}

impl<S: Metric> ExpansionPolicy<S> for WaypointPolicy {
    const RELAX: bool = false;

    fn priority(
        &self,
        space: &S,
        goal: &Goal<S::State>,
        state: S::State,
        _: S::Cost,
        _: S::Cost,
    ) -> u64 {
        let heeds = !self.ignore_own_costs;
        let own = || if heeds { own_cost(space, state) } else { 0 };
        let difference = || if heeds { cost_difference(space, goal, state) } else { 0 };
        let straight = || distance(space, goal, state, Measure::Euclidean);
        let score = match self.score {
            Score::Straight => straight() + own(),
            Score::Manhattan => distance(space, goal, state, Measure::Manhattan) + own(),
            Score::CostOfMovement => straight() + difference(),
            Score::InverseCostOfMovement => straight() - difference(),
            Score::Own => own(),
        };
        (score + BIAS).max(0) as u64
    }
}

macro_rules! waypoint_policy {
    ($(#[$doc:meta])* $name:ident, $listed:literal, $title:literal, $summary:literal, ignoring $ignores:literal leads by $via:ident, $score:expr) => {
        $(#[$doc])*
        ///
        /// **Not optimal.** Ranks states by this score alone, with no path cost, and the first path
        /// to a state stays. Equal scores go first in, first out. *Distance* is from the position
        /// of the state to that of the goal and *h* the state's own cost ([`Metric::own_cost`]),
        /// both in cost units. A preset from the game-programming tutorial of waypoint maps; O(m +
        /// n log n).
        ///
        /// ```
        /// use glam::Vec3;
        #[doc = concat!("use wayfare::search::", stringify!($name), ";")]
        /// use wayfare::prelude::*;
        /// use wayfare::search::Query;
        /// use wayfare::space::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
        /// use wayfare::space::{NegativeCosts, StateId};
        ///
        /// let [gate, swamp, road, keep] = [0, 1, 2, 3].map(WaypointId::from_index);
        /// let castle = WaypointGraph::new(
        ///     [
        ///         Waypoint::at(Vec3::new(0.0, 0.0, 0.0)),
        ///         Waypoint::at(Vec3::new(3.0, 0.0, 0.0)).with_cost(9.0),
        ///         Waypoint::at(Vec3::new(3.0, 0.0, 4.0)),
        ///         Waypoint::at(Vec3::new(6.0, 0.0, 0.0)),
        ///     ],
        ///     [(gate, swamp), (gate, road), (swamp, keep), (road, keep)]
        ///         .map(|(a, b)| WaypointLink::new(a, b)),
        ///     NegativeCosts::Reject,
        /// )?;
        #[doc = concat!("let policy = ", stringify!($name), " { ignore_own_costs: ", stringify!($ignores), " };")]
        /// let answer = solve(&castle, &policy, Query::new(gate, keep));
        #[doc = concat!("assert_eq!(answer.outcome.path().unwrap().states().nth(1), Some(", stringify!($via), "));")]
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
        pub struct $name {
            /// Whether all waypoints count as costing nothing of their own.
            pub ignore_own_costs: bool,
        }

        impl Algorithm for $name {
            type Search<State: StateId, C: Cost> =
                BestFirst<State, C, WaypointPolicy, Zero, StableQueue>;

            fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
                let Self { ignore_own_costs } = *self;
                BestFirst::new(WaypointPolicy { score: $score, ignore_own_costs }, Zero, query)
            }
        }

        impl Listed for $name {
            const INFO: AlgorithmInfo = AlgorithmInfo {
                name: $listed,
                title: $title,
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
    /// Ranks by distance + h(waypoint), the distance as the crow flies.
    Vector3Distance, "vector3-distance", "Vector3 distance",
    "waypoint policy: straight distance to the goal + h(waypoint); not optimal",
    ignoring true leads by swamp,
    Score::Straight
);

waypoint_policy!(
    /// Ranks by distance + h(waypoint), the distance as the sum of the offsets along the axes.
    ManhattanDistance, "manhattan", "Manhattan distance",
    "waypoint policy: Manhattan distance to the goal + h(waypoint); not optimal",
    ignoring false leads by road,
    Score::Manhattan
);

waypoint_policy!(
    /// Ranks by distance + |h(goal) − h(waypoint)|: shuns waypoints whose cost differs from the
    /// goal's.
    CostOfMovement, "cost-of-movement", "Cost of movement",
    "waypoint policy: distance + |h(goal) - h(waypoint)|; not optimal",
    ignoring false leads by road,
    Score::CostOfMovement
);

waypoint_policy!(
    /// Ranks by distance + min(h₁ − h₂, h₂ − h₁) of the negated costs, which is distance − |h(goal)
    /// − h(waypoint)|: seeks out waypoints whose cost differs from the goal's.
    InverseCostOfMovement, "inverse-cost-of-movement", "Inverse cost of movement",
    "waypoint policy: distance + min(h1 - h2, h2 - h1) of the negated costs; not optimal",
    ignoring false leads by swamp,
    Score::InverseCostOfMovement
);

waypoint_policy!(
    /// Ranks by h(waypoint) alone. If own costs are ignored, all scores are equal and waypoints are
    /// expanded in the order of their discovery: breadth-first search, with few moves.
    HScore, "h-score", "h score", "waypoint policy: h(waypoint) alone; not optimal",
    ignoring false leads by road,
    Score::Own
);
