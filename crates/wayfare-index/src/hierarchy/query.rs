//! A* over transitions.

use std::cmp::Ordering;

use wayfare_core::expert::{Key, Nodes, OpenList, Relaxed};
use wayfare_core::inside::{Buckets, preflight};
use wayfare_core::path::Step;
use wayfare_core::search::{Limit, Query, Stats};
use wayfare_core::space::{Action, Cost, Space};
use wayfare_core::trace::{Observer, Side, TraceEvent, TraceEventKind};
use wayfare_grid::grid::{Cell, GridSpace};

use super::route::{HierarchyScratch, cheapest};
use super::{Hierarchy, HierarchyError, RouteOutcome, SectorRoute};

/// Moves between transitions raise `f` by more than moves between cells. Wider buckets keep them in
/// the ring of the open list.
const BUCKET_WIDTH_LOG2: u32 = 13;

impl<C: Cost> Hierarchy<C> {
    /// Returns a route between two cells, its first leg refined, or the exact reason why there is
    /// none.
    ///
    /// O(cells of a sector + e log e) for e costs between transitions that are looked at. Ties
    /// break by low `f`, then high `g`, then sector and position along its rim.
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
            let mut search = Abstract { hierarchy: self, space, goal, overflowed: false };
            if search.run(scratch, start, observer) {
                search.trace(scratch, start, &mut route);
            } else if search.overflowed || self.may_overflow(space) {
                // A route through transitions may exceed the type where a cheapest path does not.
                let Ok(path) = cheapest(space, scratch, (start, goal), C::INFINITY) else {
                    scratch.recycle(route);
                    return Ok(RouteOutcome::LimitReached(Limit::CostRange));
                };
                route.waypoints.extend([step(start, C::ZERO), step(goal, path.cost())]);
                scratch.recycle_path(path);
            } else {
                scratch.recycle(route);
                return Err(HierarchyError::Mismatch);
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

fn event<C>(kind: TraceEventKind, at: Reached<C>, parent: Cell, h: C) -> TraceEvent<Cell, C> {
    TraceEvent { kind, side: Side::Forward, state: at.cell, parent, g: at.g, h }
}

fn step<C>(state: Cell, cost: C) -> Step<Cell, C> {
    Step { state, action: Action::Walk, cost }
}

/// One search over transitions.
struct Abstract<'a, 'g, C> {
    hierarchy: &'a Hierarchy<C>,
    space: &'a GridSpace<'g, C>,
    goal: Cell,
    /// Whether a move was skipped because its cost is out of range.
    overflowed: bool,
}

/// A transition or an end, with the cost of reaching it.
#[derive(Clone, Copy)]
struct Reached<C> {
    id: u32,
    cell: Cell,
    g: C,
}

/// The parts of a search that a relaxed move changes.
struct Front<'a, C, O> {
    nodes: &'a mut Nodes<C>,
    open: &'a mut Buckets,
    stats: &'a mut Stats,
    observer: &'a mut O,
}

impl<C: Cost> Abstract<'_, '_, C> {
    /// Returns the id of the start. The goal has the next one.
    fn start_id(&self) -> u32 {
        self.hierarchy.layout.rim_bound()
    }

    /// Relaxes the move between two cells.
    #[inline]
    fn relax<O: Observer<Cell, C>>(
        &mut self,
        front: &mut Front<'_, C, O>,
        to: Reached<C>,
        from: Reached<C>,
    ) {
        if to.g >= C::INFINITY {
            self.overflowed = true;
            return;
        }
        let kind = match front.nodes.relax(to.id, to.g, from.id, true) {
            Relaxed::No => return,
            Relaxed::First => TraceEventKind::Generate,
            Relaxed::Cheaper => TraceEventKind::Relax,
            Relaxed::Reopened => TraceEventKind::Reopen,
        };
        front.stats.generated += u64::from(kind == TraceEventKind::Generate);
        front.stats.reopened += u64::from(kind == TraceEventKind::Reopen);
        let h = self.space.estimate(to.cell, self.goal);
        front.open.push(Key::new(to.g.to_u64() + h.to_u64(), to.g.to_u64(), to.id));
        front.observer.observe(event(kind, to, from.cell, h));
    }

    /// Relaxes the moves to the transitions of a sector. Infinite costs stand for no move.
    #[inline]
    fn relax_within<O: Observer<Cell, C>>(
        &mut self,
        front: &mut Front<'_, C, O>,
        sector: u32,
        costs: &[C],
        from: Reached<C>,
    ) {
        let layout = &self.hierarchy.layout;
        let transitions = &self.hierarchy.sectors[sector as usize].transitions;
        for (transition, &cost) in transitions.iter().zip(costs) {
            if cost < C::INFINITY {
                let id = layout.rim_id(sector, u32::from(transition.slot));
                let to = Reached { id, cell: transition.cell, g: from.g.plus(cost) };
                self.relax(front, to, from);
            }
        }
    }

    /// Runs the search. The parents are in the scratch. Returns whether the goal was reached.
    fn run(
        &mut self,
        scratch: &mut HierarchyScratch<C>,
        start: Cell,
        observer: &mut impl Observer<Cell, C>,
    ) -> bool {
        let (hierarchy, grid) = (self.hierarchy, self.space.grid());
        let (layout, start_id) = (&hierarchy.layout, self.start_id());
        let goal_id = start_id + 1;
        let (start_at, goal_at) =
            (self.space.layout().coordinates(start), self.space.layout().coordinates(self.goal));
        let (first, last) = (layout.sector_at(start_at), layout.sector_at(goal_at));

        let HierarchyScratch { nodes, open, flood, from_start, to_goal, stats, .. } = scratch;
        let mut ends = |sector: u32, outward: bool, costs: &mut Vec<C>| {
            flood.load(self.space, layout.bounds(sector));
            if outward {
                flood.run::<false>(self.space, start_at);
            } else {
                flood.run::<true>(self.space, goal_at);
            }
            let transitions = &hierarchy.sectors[sector as usize].transitions;
            costs.clear();
            costs.extend(
                transitions.iter().map(|to| flood.cost(self.space.layout().coordinates(to.cell))),
            );
        };
        ends(last, false, to_goal);
        ends(first, true, from_start);
        let direct = if first == last { flood.cost(goal_at) } else { C::INFINITY };

        nodes.reset(goal_id as usize + 1);
        open.clear();
        open.widen(BUCKET_WIDTH_LOG2);
        nodes.open(start_id, C::ZERO, start_id);
        nodes.close(start_id, C::ZERO);
        *stats = Stats { expanded: 1, generated: 1, reopened: 0, heap_peak: 1 };
        let origin = Reached { id: start_id, cell: start, g: C::ZERO };
        for kind in [TraceEventKind::Generate, TraceEventKind::Expand] {
            observer.observe(event(kind, origin, start, self.space.estimate(start, self.goal)));
        }
        let front = &mut Front { nodes, open, stats, observer };
        self.relax_within(front, first, from_start, origin);
        if direct < C::INFINITY {
            self.relax(front, Reached { id: goal_id, cell: self.goal, g: direct }, origin);
        }
        while let Some(key) = front.open.pop() {
            let (id, g) = (key.state(), C::from_u64(key.g()));
            if !front.nodes.close(id, g) {
                continue; // reached more cheaply since it was pushed
            }
            let parent = front.nodes.parent(id);
            let Some(before) = self.cell_of(parent, start) else { return false };
            if id == goal_id {
                let goal = Reached { id, cell: self.goal, g };
                front.observer.observe(event(TraceEventKind::Goal, goal, before, C::ZERO));
                return true;
            }
            let (number, slot) = layout.of_rim_id(id);
            let sector = &hierarchy.sectors[number as usize];
            let Some(row) = sector.row(slot) else { return false };
            let transition = sector.transitions[row];
            let from = Reached { id, cell: transition.cell, g };
            front.stats.expanded += 1;
            let h = self.space.estimate(from.cell, self.goal);
            front.observer.observe(event(TraceEventKind::Expand, from, before, h));
            let came = if parent == start_id { first } else { layout.of_rim_id(parent).0 };
            // The costs within a sector obey the triangle inequality, so two moves within it in a
            // row are never cheaper than one.
            if came != number {
                self.relax_within(front, number, sector.costs_from(slot), from);
                if number == last && to_goal[row] < C::INFINITY {
                    let g = g.plus(to_goal[row]);
                    self.relax(front, Reached { id: goal_id, cell: self.goal, g }, from);
                }
            }
            let at = self.space.layout().coordinates(transition.cell);
            for direction in (0..8).filter(|bit| transition.crossings >> bit & 1 == 1) {
                let Some((to, cell)) = layout.step(grid, at, direction) else { continue };
                let across = layout.rim_id(layout.sector_at(to), layout.slot_at(to));
                let cost = self.space.step_cost(cell, super::sectors::is_diagonal(direction));
                self.relax(front, Reached { id: across, cell, g: g.plus(cost) }, from);
            }
            front.stats.heap_peak = front.stats.heap_peak.max(front.open.len());
        }
        false
    }

    /// Returns the cell of an id; `None` if the hierarchy has no such transition.
    fn cell_of(&self, id: u32, start: Cell) -> Option<Cell> {
        match id.cmp(&self.start_id()) {
            Ordering::Equal => Some(start),
            Ordering::Greater => Some(self.goal),
            Ordering::Less => {
                let (sector, slot) = self.hierarchy.layout.of_rim_id(id);
                let sector = &self.hierarchy.sectors[sector as usize];
                sector.row(slot).map(|row| sector.transitions[row].cell)
            }
        }
    }

    /// Writes the path of transitions into a route.
    fn trace(&self, scratch: &HierarchyScratch<C>, start: Cell, route: &mut SectorRoute<C>) {
        let (nodes, start_id) = (&scratch.nodes, self.start_id());
        let waypoints = &mut route.waypoints;
        let mut id = start_id + 1;
        loop {
            let cell = self.cell_of(id, start).unwrap_or(self.goal);
            // An end that is a transition itself appears once.
            if waypoints.last().is_none_or(|last| last.state != cell) {
                waypoints.push(step(cell, nodes.g(id).unwrap_or(C::INFINITY)));
            }
            if id == start_id {
                break;
            }
            id = nodes.parent(id);
        }
        waypoints.reverse();
    }
}
