//! A* over transitions.

use wayfare_core::expert::{Key, Nodes, OpenList, Relaxed};
use wayfare_core::inside::{Buckets, preflight};
use wayfare_core::path::Step;
use wayfare_core::search::{Limit, Query, Stats};
use wayfare_core::space::{Action, Cost, Space};
use wayfare_core::trace::{Observer, Side, TraceEvent, TraceEventKind};
use wayfare_grid::grid::{Cell, GridSpace};

use super::build::{Crossing, Sector};
use super::entrances::Transition;
use super::route::{HierarchyScratch, cheapest};
use super::sectors::{STEPS, is_diagonal};
use super::{Hierarchy, HierarchyError, RouteOutcome, SectorRoute};

/// Moves between transitions raise `f` by more than moves between cells. Wider buckets keep them in
/// the ring of the open list.
const BUCKET_WIDTH_LOG2: u32 = 13;

/// The estimate counts for this part of it more than it is. See "What a plan costs at most".
const MORE_FOR_THE_REST: u64 = 20;

impl<C: Cost> Hierarchy<C> {
    /// Returns a route between two cells, its first leg refined, or the exact reason why there is
    /// none.
    ///
    /// The plan costs at most a twentieth more than the cheapest one over transitions. O(cells of a
    /// sector + e log e) for e costs between transitions that are looked at. Ties break by low
    /// priority, then high `g`, then sector and position along its rim.
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
            let search = Abstract::new(self, space, goal);
            match search.run(scratch, start, observer) {
                Ended::AtGoal => search.trace(scratch, start, &mut route),
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

fn event<C>(kind: TraceEventKind, at: Reached<C>, parent: Cell, h: C) -> TraceEvent<Cell, C> {
    TraceEvent { kind, side: Side::Forward, state: at.cell, parent, g: at.g, h }
}

fn step<C>(state: Cell, cost: C) -> Step<Cell, C> {
    Step { state, action: Action::Walk, cost }
}

/// One search over transitions.
///
/// # Why half of the transitions are enough
///
/// A route crosses a border from a transition to its partner, walks within a sector, and crosses
/// again. Its states are the transitions that it leaves a sector by. Expanding one crosses the
/// border and relaxes the transitions of the sector beyond, so the partner needs no state of its
/// own. The costs within a sector obey the triangle inequality: two moves within it in a row are
/// never cheaper than one.
///
/// The states of a sector lie beside each other in the table of nodes, and so do the costs that an
/// expansion reads.
///
/// # What a plan costs at most
///
/// `w = 1 + 1 / MORE_FOR_THE_REST` times as much as the cheapest one. States wait in order of
/// `g + w h`, and none is opened again. By induction, a state is closed at `g <= w g*`, where `g*`
/// is its least cost:
///
/// Let `n` be closed next, and `m` the first state on a cheapest route to it that is not closed.
/// Its predecessor was closed at up to `w` times its least cost and has relaxed `m`, so
/// `g(m) <= w g*(m)`. And `n` comes before `m`. The estimate is consistent:
/// `h(m) <= c(m, n) + h(n)` for the rest `c` of the route. Hence
/// `g(n) <= g(m) + w h(m) - w h(n) <= w (g*(m) + c(m, n))`, which is `w g*(n)`.
///
/// Source: M. Likhachev, G. Gordon, S. Thrun, "ARA*: anytime A* with provable bounds on
/// sub-optimality", 2003.
struct Abstract<'a, 'g, C> {
    hierarchy: &'a Hierarchy<C>,
    space: &'a GridSpace<'g, C>,
    goal: Cell,
    /// The room for the transitions of a sector, as a power of two.
    rows_log2: u32,
    /// What each direction adds to the id of a cell, wrapped around.
    offsets: [u32; 8],
}

/// How a search over transitions ended.
#[derive(Clone, Copy)]
enum Ended {
    AtGoal,
    /// Without a route, or with moves skipped as their costs are out of range.
    NoWay {
        overflowed: bool,
    },
}

/// A transition or an end, with the cost of reaching it.
#[derive(Clone, Copy)]
struct Reached<C> {
    id: u32,
    cell: Cell,
    g: C,
}

/// A transition beyond a border.
#[derive(Clone, Copy)]
struct Entry<C> {
    sector: u32,
    row: usize,
    cell: Cell,
    /// The cost of the move across the border.
    cost: C,
}

/// The parts of a search that a relaxed move changes.
struct Front<'a, C, O> {
    nodes: &'a mut Nodes<C>,
    open: &'a mut Buckets,
    stats: &'a mut Stats,
    observer: &'a mut O,
    /// Whether a move was skipped because its cost is out of range.
    overflowed: bool,
}

impl<'a, 'g, C: Cost> Abstract<'a, 'g, C> {
    fn new(hierarchy: &'a Hierarchy<C>, space: &'a GridSpace<'g, C>, goal: Cell) -> Self {
        let stride = space.layout().stride;
        let offsets =
            STEPS.map(|(dx, dy)| (dy as u32).wrapping_mul(stride).wrapping_add(dx as u32));
        Self { hierarchy, space, goal, rows_log2: hierarchy.rows_log2(), offsets }
    }

    /// Returns the id of the transition in a row of a sector.
    #[inline]
    fn id(&self, sector: u32, row: usize) -> u32 {
        sector << self.rows_log2 | row as u32
    }

    /// Returns the id of the start. The goal has the next one.
    fn start_id(&self) -> u32 {
        self.id(self.hierarchy.layout.count(), 0)
    }

    /// Returns the sector and the row of the id of a transition.
    #[inline]
    fn of_id(&self, id: u32) -> (u32, usize) {
        (id >> self.rows_log2, (id & ((1 << self.rows_log2) - 1)) as usize)
    }

    /// Relaxes the move between two cells.
    #[inline]
    fn relax<O: Observer<Cell, C>>(
        &self,
        front: &mut Front<'_, C, O>,
        to: Reached<C>,
        from: Reached<C>,
    ) {
        if to.g >= C::INFINITY {
            front.overflowed = true;
            return;
        }
        if front.nodes.is_closed(to.id) {
            return; // see "What a plan costs at most"
        }
        let kind = match front.nodes.relax(to.id, to.g, from.id, true) {
            Relaxed::No => return,
            Relaxed::First => TraceEventKind::Generate,
            Relaxed::Cheaper | Relaxed::Reopened => TraceEventKind::Relax,
        };
        front.stats.generated += u64::from(kind == TraceEventKind::Generate);
        let h = self.space.estimate(to.cell, self.goal);
        let priority = to.g.to_u64() + h.to_u64() + h.to_u64() / MORE_FOR_THE_REST;
        front.open.push(Key::new(priority, to.g.to_u64(), to.id));
        front.observer.observe(event(kind, to, from.cell, h));
    }

    /// Relaxes the moves within a sector that cost that much, from a place `g` away from the start.
    /// Infinite costs stand for no move.
    #[inline]
    fn relax_within<O: Observer<Cell, C>>(
        &self,
        front: &mut Front<'_, C, O>,
        (sector, costs): (u32, &[C]),
        g: C,
        from: Reached<C>,
    ) {
        let first = self.id(sector, 0);
        let sector = &self.hierarchy.sectors[sector as usize];
        for (row, (transition, &cost)) in sector.transitions.iter().zip(costs).enumerate() {
            let to = Reached { id: first + row as u32, cell: transition.cell, g: g.plus(cost) };
            if cost < C::INFINITY
                && front.nodes.g(to.id).is_none_or(|known| to.g < known)
                && self.leads_on(front.nodes, sector, transition, to.g)
            {
                self.relax(front, to, from);
            }
        }
    }

    /// Returns whether a transition of a sector, reached at a cost, leads on.
    #[inline]
    fn leads_on(&self, nodes: &Nodes<C>, of: &Sector<C>, transition: &Transition, g: C) -> bool {
        of.crossings(transition).any(|crossing| {
            let entry = self.entry(transition.cell, crossing);
            entry.is_none_or(|entry| self.is_new(nodes, entry, g.plus(entry.cost)))
        })
    }

    /// Returns whether entering a sector at a cost leads to anything new.
    ///
    /// It does not, if a way to that transition from within its sector is known to be as good: all
    /// that can be reached from there within the sector was then reached at no higher cost, from
    /// where that way had entered the sector.
    #[inline]
    fn is_new(&self, nodes: &Nodes<C>, entry: Entry<C>, g: C) -> bool {
        nodes.g(self.id(entry.sector, entry.row)).is_none_or(|known| g < known)
    }

    /// Returns the transition across a border from a cell; `None` if the hierarchy has none such.
    #[inline]
    fn entry(&self, from: Cell, Crossing { direction, link }: Crossing) -> Option<Entry<C>> {
        let cell = Cell(from.0.wrapping_add(self.offsets[usize::from(direction & 7)]));
        let cost = self.space.step_cost(cell, is_diagonal(direction));
        Some(Entry { sector: link.sector, row: link.row()?, cell, cost })
    }

    /// Runs the search. The parents are in the scratch.
    fn run(
        &self,
        scratch: &mut HierarchyScratch<C>,
        start: Cell,
        observer: &mut impl Observer<Cell, C>,
    ) -> Ended {
        let (hierarchy, start_id) = (self.hierarchy, self.start_id());
        let (layout, goal_id) = (&hierarchy.layout, start_id + 1);
        let (start_at, goal_at) =
            (self.space.layout().coordinates(start), self.space.layout().coordinates(self.goal));
        let (first, last) = (layout.sector_at(start_at), layout.sector_at(goal_at));

        let HierarchyScratch { nodes, open, flood, from_start, to_goal, stats, .. } = scratch;
        let transitions_at = |sector: u32| {
            let transitions = hierarchy.sectors[sector as usize].transitions.iter();
            transitions.map(|transition| self.space.layout().coordinates(transition.cell))
        };
        flood.load(self.space, layout.bounds(last));
        flood.costs::<true>(self.space, goal_at, transitions_at(last), to_goal);
        if first != last {
            flood.load(self.space, layout.bounds(first));
        }
        // The cost to a goal of the same sector comes last.
        let others = transitions_at(first).chain((first == last).then_some(goal_at));
        flood.costs::<false>(self.space, start_at, others, from_start);
        let direct = if first == last { from_start.pop() } else { None };

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
        let front = &mut Front { nodes, open, stats, observer, overflowed: false };
        self.relax_within(front, (first, from_start), C::ZERO, origin);
        if let Some(g) = direct.filter(|&g| g < C::INFINITY) {
            self.relax(front, Reached { id: goal_id, cell: self.goal, g }, origin);
        }
        while let Some(key) = front.open.pop() {
            let (id, g) = (key.state(), C::from_u64(key.g()));
            if !front.nodes.close(id, g) {
                continue; // reached more cheaply since it was pushed
            }
            let parent = front.nodes.parent(id);
            let before = self.transition(parent).map_or(start, |transition| transition.cell);
            if id == goal_id {
                let goal = Reached { id, cell: self.goal, g };
                front.observer.observe(event(TraceEventKind::Goal, goal, before, C::ZERO));
                return Ended::AtGoal;
            }
            let Some(transition) = self.transition(id) else { break };
            let from = Reached { id, cell: transition.cell, g };
            front.stats.expanded += 1;
            let h = self.space.estimate(from.cell, self.goal);
            front.observer.observe(event(TraceEventKind::Expand, from, before, h));
            for crossing in hierarchy.sectors[self.of_id(id).0 as usize].crossings(&transition) {
                // A hierarchy of another grid may lack it.
                let Some(entry) = self.entry(transition.cell, crossing) else {
                    return Ended::NoWay { overflowed: false };
                };
                let g = g.plus(entry.cost);
                if !self.is_new(front.nodes, entry, g) {
                    continue;
                }
                let costs = hierarchy.sectors[entry.sector as usize].costs_of(entry.row);
                self.relax_within(front, (entry.sector, costs), g, from);
                if entry.sector == last && to_goal[entry.row] < C::INFINITY {
                    let g = g.plus(to_goal[entry.row]);
                    self.relax(front, Reached { id: goal_id, cell: self.goal, g }, from);
                }
            }
            front.stats.heap_peak = front.stats.heap_peak.max(front.open.len());
        }
        Ended::NoWay { overflowed: front.overflowed }
    }

    /// Returns the transition of an id; `None` for the ends, and if the hierarchy has none such.
    fn transition(&self, id: u32) -> Option<Transition> {
        let (sector, row) = self.of_id(id);
        self.hierarchy.sectors.get(sector as usize)?.transitions.get(row).copied()
    }

    /// Writes the path of transitions into a route.
    fn trace(&self, scratch: &mut HierarchyScratch<C>, start: Cell, route: &mut SectorRoute<C>) {
        let (start_id, waypoints) = (self.start_id(), &mut route.waypoints);
        let HierarchyScratch { nodes, to_goal, exits, .. } = scratch;
        let last = self.hierarchy.layout.sector_at(self.space.layout().coordinates(self.goal));
        exits.clear();
        let mut id = nodes.parent(start_id + 1);
        while id != start_id {
            exits.push(id);
            id = nodes.parent(id);
        }
        // An end that is a transition itself appears once, and so does one between two borders.
        let mut visit = |cell: Cell, cost: C| {
            if waypoints.last().is_none_or(|last| last.state != cell) {
                waypoints.push(step(cell, cost));
            }
        };
        visit(start, C::ZERO);
        for (place, &id) in exits.iter().enumerate().rev() {
            let (Some(exit), Some(g)) = (self.transition(id), nodes.g(id)) else { return };
            visit(exit.cell, g);
            let next = place.checked_sub(1).map(|place| self.of_id(exits[place]));
            let (sector, _) = self.of_id(id);
            // Of several ways across, the first cheapest one.
            let crossings = self.hierarchy.sectors[sector as usize].crossings(&exit);
            let across = crossings.filter_map(|crossing| {
                let entry = self.entry(exit.cell, crossing)?;
                let within = match next {
                    Some((sector, row)) if sector == entry.sector => {
                        self.hierarchy.sectors[sector as usize].costs_of(entry.row)[row]
                    }
                    None if last == entry.sector => *to_goal.get(entry.row)?,
                    _ => return None,
                };
                Some((entry.cost.plus(within), entry))
            });
            if let Some((_, entry)) = across.min_by_key(|&(cost, _)| cost) {
                visit(entry.cell, g.plus(entry.cost));
            }
        }
        visit(self.goal, nodes.g(start_id + 1).unwrap_or(C::INFINITY));
    }
}
