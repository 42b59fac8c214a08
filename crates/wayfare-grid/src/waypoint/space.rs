//! The graph as searches see it.

use glam::{DVec3, Vec3};
use wayfare_core::expert::Expander;
use wayfare_core::space::{
    Cost, Edge, EdgeOf, IllegalMove, LineOfSight, Measure, Metric, MoveRules, Obstruction, Plain,
    Reachability, ReverseSpace, Revision, Space,
};

use super::graph::{Status, WaypointGraph};
use super::parts::{COST_PER_UNIT, WaypointId, WaypointLinkCost};

impl Space for WaypointGraph {
    type State = WaypointId;
    type Cost = u64;
    type Expander = WaypointExpander;

    fn state_bound(&self) -> usize {
        self.positions.len()
    }

    fn revision(&self) -> Revision {
        self.revision
    }

    fn check(&self, state: WaypointId) -> Result<(), Obstruction> {
        match self.status.get(state.0 as usize) {
            None => Err(Obstruction::OffMap),
            Some(Status::Removed) => Err(Obstruction::Removed),
            Some(Status::Blocked) => Err(Obstruction::Blocked),
            Some(Status::Free) => Ok(()),
        }
    }

    #[inline]
    fn successors(&self, state: WaypointId, mut visit: impl FnMut(EdgeOf<Self>)) {
        for hop in self.links.out.get(state.0) {
            let (target, cost) = (WaypointId(hop.other), u64::from(hop.cost));
            visit(Edge { target, cost, action: hop.action });
        }
    }

    /// Returns the straight distance at the lowest rate of cost to length of any link, at most
    /// [`COST_PER_UNIT`], rounded down. A cheap teleport lowers the rate.
    #[inline]
    fn estimate(&self, from: WaypointId, to: WaypointId) -> u64 {
        // Consistent: let `e(x)` be the estimate before rounding, `r` the rate, and `slack` the
        // largest rounding error. Each link obeys `r · |ab| + slack <= cost(a, b)`, so by the
        // triangle inequality `e(a) <= r · (|ab| + |bc|) + slack <= cost(a, b) + e(b)`. The cost is
        // an integer, so rounding down both sides keeps the inequality.
        (self.length(from, to) * f64::from(COST_PER_UNIT) * self.ratio) as u64
    }

    fn reachability(&self, from: WaypointId, to: WaypointId) -> Reachability {
        self.components.reachability(from.0, to.0)
    }

    #[inline]
    fn position(&self, state: WaypointId) -> Vec3 {
        self.positions[state.0 as usize]
    }

    fn cost_per_unit(&self) -> f64 {
        f64::from(COST_PER_UNIT)
    }
}

/// The [`Expander`] of a [`WaypointGraph`]. Links lead anywhere, so nothing can be
/// pruned or jumped over.
#[derive(Clone, Copy, Debug)]
pub struct WaypointExpander;

impl Expander<WaypointGraph> for WaypointExpander {
    type Pruning = Plain;
    type Guidance = Plain;
    type Jumping = Plain;

    /// Returns the rate of the estimate, and the shift of all own costs.
    fn stamp(graph: &WaypointGraph) -> u64 {
        graph.ratio.to_bits() ^ u64::from(graph.shift.to_bits()).rotate_left(16)
    }

    /// Returns none: component labels tell islands apart already.
    fn predecessors(_: &WaypointGraph, _state: WaypointId, _visit: impl FnMut(WaypointId)) -> bool {
        false
    }
}

impl ReverseSpace for WaypointGraph {
    #[inline]
    fn predecessors(&self, state: WaypointId, mut visit: impl FnMut(EdgeOf<Self>)) {
        for hop in self.links.back.get(state.0) {
            let (target, cost) = (WaypointId(hop.other), u64::from(hop.cost));
            visit(Edge { target, cost, action: hop.action });
        }
    }
}

impl Metric for WaypointGraph {
    /// Returns the Euclidean measure is [`Space::estimate`], a lower bound. Octile, Manhattan and
    /// Chebyshev distances are taken over all three axes at the same rate; of these only Chebyshev
    /// is a lower bound.
    fn distance(&self, measure: Measure, from: WaypointId, to: WaypointId) -> u64 {
        let offset = (self.position(from).as_dvec3() - self.position(to).as_dvec3()).abs();
        let length = match measure {
            Measure::Euclidean => return self.estimate(from, to),
            Measure::Manhattan => offset.element_sum(),
            Measure::Chebyshev => offset.max_element(),
            Measure::Octile => octile(offset),
        };
        (length * f64::from(COST_PER_UNIT) * self.ratio) as u64
    }

    fn own_cost(&self, state: WaypointId) -> u64 {
        u64::from(self.own_costs[state.0 as usize])
    }
}

/// Returns the length of the shortest path along axes, diagonals and space diagonals.
fn octile(offset: DVec3) -> f64 {
    let (large, small) = (offset.max_element(), offset.min_element());
    let middle = offset.element_sum() - large - small;
    let (sqrt_2, sqrt_3) = (2f64.sqrt(), 3f64.sqrt());
    (large - middle) + (middle - small) * sqrt_2 + small * sqrt_3
}

impl WaypointGraph {
    /// Returns the cost of a path in world units of length, without the rounding of costs to whole
    /// units. `None` if no link joins two consecutive waypoints.
    ///
    /// [`Space::successors`] rounds the cost of each link up to a whole unit, so that estimates
    /// stay lower bounds. The sum along a path can be larger than this by one unit a move, 1 /
    /// [`COST_PER_UNIT`].
    ///
    /// ```
    /// use glam::Vec3;
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// use wayfare::space::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
    /// use wayfare::space::{NegativeCosts, StateId};
    ///
    /// let [here, there] = [0, 1].map(WaypointId::from_index);
    /// let corners = [Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0)].map(Waypoint::at);
    /// let link = WaypointLink::new(here, there);
    /// let graph = WaypointGraph::new(corners, [link], NegativeCosts::Reject)?;
    /// let path = solve(&graph, &AStar::new(), Query::new(here, there)).outcome.into_path();
    /// assert_eq!(path.cost(), 1415);
    /// let exact = graph.exact_cost(path.states()).unwrap();
    /// assert!((exact - 2f64.sqrt()).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn exact_cost(&self, path: impl IntoIterator<Item = WaypointId>) -> Option<f64> {
        let mut states = path.into_iter();
        let mut from = states.next()?;
        let mut sum = 0.0;
        for to in states {
            let link = self.links.record(from.0, to.0)?;
            let walk = match link.cost {
                WaypointLinkCost::Fixed(cost) => f64::from(cost),
                WaypointLinkCost::Length { multiplier } => {
                    self.length(from, to) * f64::from(multiplier)
                }
            };
            let own = f64::from(self.given_costs[to.0 as usize]) + f64::from(self.shift);
            sum += walk + f64::from(link.surcharge) + own;
            from = to;
        }
        Some(sum)
    }
}

impl LineOfSight for WaypointGraph {
    /// Returns the cost of a link between the two, else the length of a clear line; plus the own
    /// cost of `to`.
    fn line_cost(&self, from: WaypointId, to: WaypointId) -> Option<u64> {
        if let Ok(cost) = self.check_move(from, to) {
            return Some(cost);
        }
        let clear = self.check(from).is_ok()
            && self.check(to).is_ok()
            && self.surroundings.is_some()
            && self.segment_is_clear(self.position(from), self.position(to));
        let length = (self.length(from, to) * f64::from(COST_PER_UNIT)).ceil() as u64;
        clear.then(|| length.plus(self.own_cost(to)))
    }

    /// Asks the surroundings. Without any, a segment is clear if a link joins free waypoints at its
    /// ends.
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        match &self.surroundings {
            Some(surroundings) => surroundings.segment_is_clear(from, to),
            None => {
                let joined =
                    |(from, to): (WaypointId, WaypointId)| self.links.are_joined(from.0, to.0);
                self.at(from).and_then(|from| Some((from, self.at(to)?))).is_some_and(joined)
            }
        }
    }
}

impl MoveRules for WaypointGraph {
    /// From the links as described, not as searches follow them.
    fn check_move(&self, from: WaypointId, to: WaypointId) -> Result<u64, IllegalMove> {
        self.check(from)?;
        self.check(to)?;
        let links = self.links.records.get(from.0);
        let link = links.iter().find(|link| link.target == to.0).ok_or(IllegalMove::NotAdjacent)?;
        let per_unit = f64::from(COST_PER_UNIT);
        let walk = match link.cost {
            WaypointLinkCost::Fixed(cost) => (f64::from(cost) * per_unit).round(),
            WaypointLinkCost::Length { multiplier } => {
                let [dx, dy, dz] =
                    (self.position(to).as_dvec3() - self.position(from).as_dvec3()).to_array();
                let length = (dx * dx + dy * dy + dz * dz).sqrt();
                (length * f64::from(multiplier) * per_unit).ceil()
            }
        };
        let surcharge = (f64::from(link.surcharge) * per_unit).round();
        let given = f64::from(self.given_costs[to.0 as usize]);
        let own_cost = ((given + f64::from(self.shift)) * per_unit).round();
        Ok((walk + surcharge + own_cost) as u64)
    }
}
