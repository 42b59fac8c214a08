//! Answers: routes between two cells.

use wayfare_core::inside::preflight;
use wayfare_core::path::Step;
use wayfare_core::search::{Limit, Query, Stats};
use wayfare_core::space::{Cost, Space};
use wayfare_core::trace::Observer;
use wayfare_grid::grid::{Cell, GridSpace};

use super::plan::{Abstract, Ended, step};
use super::route::{HierarchyScratch, both, cheapest};
use super::{Hierarchy, HierarchyError, RouteOutcome};

impl<C: Cost> Hierarchy<C> {
    /// Returns a route between two cells, its first leg refined, or the exact reason why there is
    /// none.
    ///
    /// The plan costs at most a twentieth more than the cheapest one over transitions. O(cells of a
    /// sector + e log e) for e costs between transitions that are looked at. Ties break by low
    /// priority, then high `g`, then sector and position along its rim. Of exits of one group with
    /// the same priority, the first one found comes first.
    ///
    /// # Errors
    /// [`HierarchyError::Stale`] if the grid was edited since the last repair.
    /// [`HierarchyError::OtherSpace`] and [`HierarchyError::Mismatch`] if the hierarchy belongs to
    /// another space.
    pub fn route(
        &self,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
        start: Cell,
        goal: Cell,
    ) -> Result<RouteOutcome<C>, HierarchyError> {
        self.route_observed(space, scratch, start, goal, &mut ())
    }

    /// Like [`Hierarchy::route`], with an observer of every transition that is generated or
    /// expanded.
    ///
    /// # Errors
    /// As [`Hierarchy::route`].
    pub fn route_observed(
        &self,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
        start: Cell,
        goal: Cell,
        observer: &mut impl Observer<Cell, C>,
    ) -> Result<RouteOutcome<C>, HierarchyError> {
        self.check(space)?;
        scratch.stats = Stats::default();
        if let Err(reason) = preflight(space, &Query::new(start, goal)) {
            return Ok(RouteOutcome::Unreachable(reason));
        }
        let mut route = scratch.spare_route(space.revision());
        if start == goal {
            route.waypoints.push(step(start, C::ZERO));
        } else {
            let search = Abstract::new(self, space, (start, goal));
            match search.run(scratch, start, observer) {
                Ended::AtGoal => search.trace(scratch, start, &mut route.waypoints),
                Ended::NoWay { overflowed } if overflowed || self.may_overflow(space) => {
                    // A route through transitions may exceed the type where a cheapest path does
                    // not.
                    let Ok(path) = cheapest(space, scratch, (start, goal), C::INFINITY) else {
                        scratch.recycle(route);
                        return Ok(RouteOutcome::LimitReached(Limit::CostRange));
                    };
                    route.waypoints.extend([step(start, C::ZERO), step(goal, path.cost())]);
                    scratch.recycle_path(path);
                }
                Ended::NoWay { .. } => {
                    scratch.recycle(route);
                    return Err(HierarchyError::Mismatch);
                }
            }
        }
        route.begin(self, space, scratch)?;
        Ok(RouteOutcome::Found(route))
    }
}

impl<C: Cost> Hierarchy<C> {
    /// Returns whether a path within a sector can cost more than the cost type allows. O(cells).
    fn may_overflow(&self, space: &GridSpace<'_, C>) -> bool {
        let free = space.grid().cells().filter(|&cell| space.is_free(cell));
        let most = free.map(|cell| space.step_cost(cell, true).to_u64()).max();
        let longest = u64::from(self.layout.side).pow(2);
        most.is_some_and(|most| most * longest >= C::INFINITY.to_u64())
    }
}

impl<C: Cost> Hierarchy<C> {
    /// Returns the group of a sector; 0 without groups.
    #[inline]
    pub(super) fn group_of(&self, sector: u32) -> u32 {
        if self.groups.is_empty() { 0 } else { self.layout.group_of(sector) }
    }

    /// Inserts waypoints from sector to sector behind a waypoint from which the plan crosses a
    /// group in one move. Leaves the waypoints as they are elsewhere.
    pub(super) fn spell_out(
        &self,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
        waypoints: &mut Vec<Step<Cell, C>>,
        at: usize,
    ) {
        let (from, to) = (waypoints[at], waypoints[at + 1]);
        let places = [from, to].map(|step| space.layout().coordinates(step.state));
        let [first, last] = places.map(|place| self.layout.sector_at(place));
        let [(x, y), (to_x, to_y)] = places;
        let is_step = x.abs_diff(to_x).max(y.abs_diff(to_y)) <= 1;
        let is_in_group = self.group_of(first) == self.group_of(last);
        if self.groups.is_empty() || first == last || is_step || !is_in_group {
            return;
        }
        let [Some(first_row), Some(last_row)] = places.map(|place| self.row_at(space, place))
        else {
            return;
        };
        let HierarchyScratch { from_start, to_goal, .. } = scratch;
        from_start.clear();
        from_start.extend_from_slice(self.sectors[first as usize].costs_of(first_row));
        to_goal.clear();
        let last = &self.sectors[last as usize];
        to_goal.extend((0..last.transitions.len()).map(|row| last.costs_of(row)[last_row]));
        let search = Abstract::within(self.group_of(first), self, space, (from.state, to.state));
        let before = scratch.stats;
        let ended = search.search(scratch, (from.state, None), &mut ());
        scratch.stats = both(before, scratch.stats);
        if !matches!(ended, Ended::AtGoal) {
            return;
        }
        let mut between = std::mem::take(&mut scratch.between);
        between.clear();
        search.trace(scratch, from.state, &mut between);
        if between.last().is_some_and(|last| last.cost <= to.cost.minus(from.cost)) {
            let inner = between[1..between.len() - 1].iter();
            let inner = inner.map(|step| Step { cost: from.cost.plus(step.cost), ..*step });
            waypoints.splice(at + 1..at + 1, inner);
        }
        scratch.between = between;
    }
}
