//! A* over transitions.

use wayfare_core::expert::{Key, Nodes, OpenList, Relaxed};
use wayfare_core::inside::Buckets;
use wayfare_core::path::Step;
use wayfare_core::search::Stats;
use wayfare_core::space::{Action, Cost, Space};
use wayfare_core::trace::{Observer, Side, TraceEvent, TraceEventKind};
use wayfare_grid::grid::{Cell, GridSpace};

use super::Hierarchy;
use super::build::Crossing;
use super::entrances::Transition;
use super::groups::{Exit, ExitLink, Group, MOST_EXITS};
use super::route::HierarchyScratch;
use super::sectors::{STEPS, is_diagonal};
use super::waiting::{Exits, Expanded, Waiting};

/// Moves between transitions raise `f` by more than moves between cells. Wider buckets keep them in
/// the ring of the open list.
const BUCKET_WIDTH_LOG2: u32 = 13;

/// By how much more an estimate counts than it is. See "What a plan costs at most".
#[derive(Clone, Copy)]
enum Weight {
    /// By nothing: the route is a cheapest one.
    One,
    /// By a twentieth: among sectors.
    AmongSectors,
    /// By less: among groups, whose costs are rounded.
    AmongGroups,
}

impl Weight {
    #[inline]
    fn more(self, estimate: u64) -> u64 {
        match self {
            Self::One => 0,
            Self::AmongSectors => estimate / 20,
            Self::AmongGroups => estimate * 24 / 512,
        }
    }
}

fn event<C>(kind: TraceEventKind, at: Reached<C>, parent: Cell, h: C) -> TraceEvent<Cell, C> {
    TraceEvent { kind, side: Side::Forward, state: at.cell, parent, g: at.g, h }
}

pub(super) fn step<C>(state: Cell, cost: C) -> Step<Cell, C> {
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
/// # Moves across groups
///
/// On large maps the states are the exits of groups, but in the groups of the two ends. A move
/// crosses a border and the group beyond. The cost within the group is rounded up: for `D` it is
/// `D'`, with `D <= D' <= (1 + e) D` and `e = 1 / 2048`.
///
/// * **Cost.** A route over transitions passes from exit to exit, so the cheapest route over exits
///   costs at most `1 + e` times as much. With `w = 1 + 24 / 512` a plan still costs less than a
///   twentieth more.
/// * **Skipped entries.** Let exit `p` be reached from within its group, from `a`, at a cost of
///   `k`. Entering the group through `p` at a cost `g` is skipped if `k + margin <= g`, where
///   `margin` is `2 e` times the largest cost within a group. For every exit `q`,
///   `D'(a, q) <= (1 + e) (D(a, p) + D(p, q)) <= D'(a, p) + D'(p, q) + margin`, so the way from `a`
///   has reached `q` at no higher cost.
/// * **Skipped exits.** Let exit `x` be expanded at a cost of `g`, and let `y` lie beyond, with no
///   other crossing, at a distance of `c`. Reached from within its own group at a cost of `k`, `y`
///   leads to `x` alone, at `k + c`. That entry is skipped if `g + margin <= k + c`, hence if
///   `g + max(c, margin - c) <= k`. So this cost is noted as known for `y`, and one comparison
///   decides.
/// * **One entry a group.** Exits wait in their group instead of the open list: see `waiting.rs`.
///
/// # What a plan costs at most
///
/// `w` times as much as the cheapest one, for the [`Weight`] `w`. States wait in order of
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
pub(super) struct Abstract<'a, 'g, C> {
    hierarchy: &'a Hierarchy<C>,
    space: &'a GridSpace<'g, C>,
    goal: Cell,
    /// The sectors and groups of the start and the goal.
    ends: [End; 2],
    /// The group that the search stays in.
    within: Option<u32>,
    weight: Weight,
    /// Whether there are groups.
    is_grouped: bool,
    /// The margin of the moves across groups. See "Moves across groups".
    margin: C,
    /// The room for the transitions of a sector, as a power of two.
    rows_log2: u32,
    /// The id of the first exit of the first group.
    first_exit: u32,
    /// What each direction adds to the id of a cell, wrapped around.
    offsets: [u32; 8],
}

/// The sector and the group of an end. Without groups, all sectors are of one.
#[derive(Clone, Copy)]
struct End {
    sector: u32,
    group: u32,
}

/// How a search over transitions ended.
#[derive(Clone, Copy)]
pub(super) enum Ended {
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
    reached: &'a mut Exits<C>,
    /// Marks of the exits of a group: working memory.
    marks: &'a mut [u8; MOST_EXITS],
    /// Whether a move was skipped because its cost is out of range.
    overflowed: bool,
}

impl<'a, 'g, C: Cost> Abstract<'a, 'g, C> {
    pub(super) fn new(
        hierarchy: &'a Hierarchy<C>,
        space: &'a GridSpace<'g, C>,
        (start, goal): (Cell, Cell),
    ) -> Self {
        let stride = space.layout().stride;
        let offsets =
            STEPS.map(|(dx, dy)| (dy as u32).wrapping_mul(stride).wrapping_add(dx as u32));
        let ends = [start, goal].map(|cell| {
            let sector = hierarchy.layout.sector_at(space.layout().coordinates(cell));
            End { sector, group: hierarchy.group_of(sector) }
        });
        let is_grouped = !hierarchy.groups.is_empty();
        let weight = if is_grouped { Weight::AmongGroups } else { Weight::AmongSectors };
        let rows_log2 = hierarchy.rows_log2();
        let margin = C::from_u64(hierarchy.margin.into());
        Self {
            hierarchy,
            space,
            goal,
            ends,
            within: None,
            weight,
            is_grouped,
            margin,
            rows_log2,
            first_exit: hierarchy.layout.count() << rows_log2,
            offsets,
        }
    }

    /// Returns a search within a group, for a cheapest route between two of its cells.
    pub(super) fn within(
        group: u32,
        hierarchy: &'a Hierarchy<C>,
        space: &'a GridSpace<'g, C>,
        ends: (Cell, Cell),
    ) -> Self {
        let search = Self::new(hierarchy, space, ends);
        Self { within: Some(group), weight: Weight::One, margin: C::ZERO, ..search }
    }

    /// Returns a group, if it is crossed in one move.
    #[inline]
    fn crossed(&self, number: u32) -> Option<&'a Group> {
        let is_crossed = self.within.is_none() && self.ends.iter().all(|end| end.group != number);
        let group = self.hierarchy.groups.get(number as usize).filter(|_| is_crossed);
        group.and_then(Option::as_ref)
    }

    /// Returns the group that a sector belongs to, with its number, if it is crossed in one move.
    #[inline]
    fn group(&self, sector: u32) -> Option<(u32, &'a Group)> {
        if !self.is_grouped {
            return None;
        }
        let number = self.hierarchy.group_of(sector);
        Some((number, self.crossed(number)?))
    }

    /// Returns whether a route may lead from a sector into one beside it.
    ///
    /// Within a group that is crossed in one move, no move ends.
    #[inline]
    fn may_enter(&self, from: u32, into: u32) -> bool {
        if !self.is_grouped {
            return true;
        }
        let group_of = |sector: u32| self.hierarchy.group_of(sector);
        match self.within {
            Some(group) => group_of(into) == group,
            None => group_of(from) != group_of(into) || self.group(from).is_none(),
        }
    }

    /// Returns the id of the transition in a row of a sector.
    #[inline]
    fn id(&self, sector: u32, row: usize) -> u32 {
        sector << self.rows_log2 | row as u32
    }

    /// Returns the id of an exit of a group that is crossed in one move.
    #[inline]
    fn exit_id(&self, group: u32, place: usize) -> u32 {
        self.first_exit + (group << self.hierarchy.places_log2 | place as u32)
    }

    /// Returns the id of the start. The goal has the next one.
    fn start_id(&self) -> u32 {
        self.exit_id(self.hierarchy.groups.len() as u32, 0)
    }

    /// Returns the group of the id of an exit; `None` if it is that of another state.
    #[inline]
    fn group_of_exit(&self, id: u32) -> Option<u32> {
        let number = id.checked_sub(self.first_exit)? >> self.hierarchy.places_log2;
        (number < self.hierarchy.groups.len() as u32).then_some(number)
    }

    /// Returns the exit of an id, as its group and its place there; `None` if it is that of a
    /// transition in a sector, or of an end.
    #[inline]
    fn exit(&self, id: u32) -> Option<(&'a Group, usize)> {
        let group = self.hierarchy.groups[self.group_of_exit(id)? as usize].as_ref()?;
        let places = (1 << self.hierarchy.places_log2) - 1;
        Some((group, ((id - self.first_exit) & places) as usize))
    }

    /// Returns the sector and the row of the id of a transition.
    #[inline]
    fn of_id(&self, id: u32) -> (u32, usize) {
        match self.exit(id).and_then(|(group, place)| group.exits.get(place)) {
            Some(exit) => (exit.sector, exit.row.into()),
            None => (id >> self.rows_log2, (id & ((1 << self.rows_log2) - 1)) as usize),
        }
    }

    /// Returns what a priority adds to a cost, for an estimate.
    #[inline]
    fn rest(&self, estimate: C) -> u64 {
        estimate.to_u64() + self.weight.more(estimate.to_u64())
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
        let priority = to.g.to_u64() + self.rest(h);
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
        let transitions = &self.hierarchy.sectors[sector as usize].transitions;
        for (row, (transition, &cost)) in transitions.iter().zip(costs).enumerate() {
            let to = Reached { id: first + row as u32, cell: transition.cell, g: g.plus(cost) };
            if cost < C::INFINITY
                && front.nodes.g(to.id).is_none_or(|known| to.g < known)
                && self.leads_on(front, sector, transition, to.g)
            {
                self.relax(front, to, from);
            }
        }
    }

    /// Relaxes the moves across a group from an exit `g` away from the start.
    #[inline]
    fn relax_across<O>(
        &self,
        front: &mut Front<'_, C, O>,
        (number, group, place): (u32, &Group, usize),
        g: C,
        from: Reached<C>,
    ) {
        let entry = group.exits[place].cell;
        let priority = g.to_u64() + self.rest(self.space.estimate(entry, self.goal));
        front.overflowed |= group.may_overflow::<C>(priority);
        self.enter(front, number, group);
        let costs = group.costs_of(place);
        let next = front.reached.offer(number, (from.id, g), costs, front.marks);
        self.wait(front, number, next);
    }

    /// Makes the exits of a group known to the search.
    #[inline]
    fn enter<O>(&self, front: &mut Front<'_, C, O>, number: u32, group: &Group) {
        let estimate = |exit: &Exit| self.space.estimate(exit.cell, self.goal);
        let rest = |exit: &Exit| C::from_u64(self.rest(estimate(exit)));
        front.reached.enter(number, &group.exits, rest);
    }

    /// Adds a group to the open list, if an exit of it is the next one there.
    #[inline]
    fn wait<O>(&self, front: &mut Front<'_, C, O>, group: u32, next: Option<Waiting<C>>) {
        if let Some(Waiting { place, priority }) = next {
            let g = front.reached.known(group, place as usize);
            let id = self.exit_id(group, place as usize);
            front.open.push(Key::new(priority.to_u64(), g.to_u64(), id));
        }
    }

    /// Closes the state of an entry of the open list; `None` if the entry is outdated.
    #[inline]
    fn close<O>(&self, front: &mut Front<'_, C, O>, key: Key) -> Option<Reached<C>> {
        if let Some(number) = self.group_of_exit(key.state()) {
            let group = self.hierarchy.groups[number as usize].as_ref()?;
            return self.close_exit(front, (number, group), key);
        }
        let (id, g) = (key.state(), C::from_u64(key.g()));
        // Many entries are outdated, and the cell of a state is seldom in a cache.
        front.nodes.close(id, g).then(|| Reached {
            id,
            cell: self.cell(id).unwrap_or(self.goal),
            g,
        })
    }

    /// Closes the next exit of a group in the open list; `None` if the entry is outdated.
    #[inline]
    fn close_exit<O>(
        &self,
        front: &mut Front<'_, C, O>,
        (number, group): (u32, &Group),
        key: Key,
    ) -> Option<Reached<C>> {
        if !front.reached.is_least(number, key.priority()) {
            return None;
        }
        let expanded = front.reached.expand(number);
        let next = front.reached.next(number, group.exits.len());
        self.wait(front, number, next);
        let Expanded { place, g, parent } = expanded?;
        let id = self.exit_id(number, place);
        front.nodes.open(id, g, parent);
        front.nodes.close(id, g);
        front.stats.generated += 1;
        Some(Reached { id, cell: group.exits[place].cell, g })
    }

    /// Returns whether entering a group by a link at a cost leads to anything new.
    #[inline]
    fn is_link_new<O>(&self, front: &mut Front<'_, C, O>, link: &ExitLink, g: C) -> bool {
        let place = usize::from(link.place);
        if self.crossed(link.group).is_some() {
            return g < front.reached.known(link.group, place).plus(self.margin);
        }
        let group = self.hierarchy.groups[link.group as usize].as_ref();
        let exit = group.and_then(|group| group.exits.get(place));
        exit.is_none_or(|exit| {
            let known = front.nodes.g(self.id(exit.sector, exit.row.into()));
            known.is_none_or(|known| g < known)
        })
    }

    /// Returns whether a transition of a sector, reached at a cost, leads on.
    #[inline]
    fn leads_on<O>(
        &self,
        front: &mut Front<'_, C, O>,
        sector: u32,
        transition: &Transition,
        g: C,
    ) -> bool {
        let mut crossings = self.hierarchy.sectors[sector as usize].crossings(transition);
        crossings.any(|crossing| {
            if !self.may_enter(sector, crossing.link.sector) {
                return false;
            }
            let entry = self.entry(transition.cell, crossing);
            entry.is_none_or(|entry| self.is_new(front, entry, g.plus(entry.cost)))
        })
    }

    /// Returns whether entering a sector at a cost leads to anything new.
    ///
    /// It does not, if a way to that transition from within its sector is known to be as good: all
    /// that can be reached from there within the sector was then reached at no higher cost, from
    /// where that way had entered the sector. Across a group it must be better by the margin: see
    /// "Moves across groups".
    #[inline]
    fn is_new<O>(&self, front: &mut Front<'_, C, O>, entry: Entry<C>, g: C) -> bool {
        let Some((number, group)) = self.group(entry.sector) else {
            let known = front.nodes.g(self.id(entry.sector, entry.row));
            return known.is_none_or(|known| g < known);
        };
        group
            .place(entry.sector, entry.row)
            .is_none_or(|place| g < front.reached.known(number, place).plus(self.margin))
    }

    /// Returns the transition across a border from a cell; `None` if the hierarchy has none such.
    #[inline]
    fn entry(&self, from: Cell, Crossing { direction, link }: Crossing) -> Option<Entry<C>> {
        let cell = Cell(from.0.wrapping_add(self.offsets[usize::from(direction & 7)]));
        let cost = self.space.step_cost(cell, is_diagonal(direction));
        Some(Entry { sector: link.sector, row: link.row()?, cell, cost })
    }

    /// Runs the search. The parents are in the scratch.
    pub(super) fn run(
        &self,
        scratch: &mut HierarchyScratch<C>,
        start: Cell,
        observer: &mut impl Observer<Cell, C>,
    ) -> Ended {
        let (hierarchy, layout) = (self.hierarchy, &self.hierarchy.layout);
        let [first, last] = self.ends.map(|end| end.sector);
        let [start_at, goal_at] =
            [start, self.goal].map(|cell| self.space.layout().coordinates(cell));
        let HierarchyScratch { flood, from_start, to_goal, .. } = scratch;
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
        self.search(scratch, (start, direct), observer)
    }

    /// Runs the search, with the costs within the sectors of the ends in the scratch, and that of
    /// the direct way.
    pub(super) fn search(
        &self,
        scratch: &mut HierarchyScratch<C>,
        (start, direct): (Cell, Option<C>),
        observer: &mut impl Observer<Cell, C>,
    ) -> Ended {
        let start_id = self.start_id();
        let goal_id = start_id + 1;
        let first = self.ends[0].sector;
        let HierarchyScratch { nodes, open, from_start, to_goal, stats, reached, .. } = scratch;
        nodes.reset(goal_id as usize + 1);
        reached.reset(self.hierarchy.groups.len(), self.hierarchy.places_log2);
        open.clear();
        open.widen(BUCKET_WIDTH_LOG2);
        nodes.open(start_id, C::ZERO, start_id);
        nodes.close(start_id, C::ZERO);
        *stats = Stats { expanded: 1, generated: 1, reopened: 0, heap_peak: 1 };
        let origin = Reached { id: start_id, cell: start, g: C::ZERO };
        for kind in [TraceEventKind::Generate, TraceEventKind::Expand] {
            observer.observe(event(kind, origin, start, self.space.estimate(start, self.goal)));
        }
        let marks = &mut [0; MOST_EXITS];
        let front = &mut Front { nodes, open, stats, observer, reached, marks, overflowed: false };
        self.relax_within(front, (first, from_start), C::ZERO, origin);
        if let Some(g) = direct.filter(|&g| g < C::INFINITY) {
            self.relax(front, Reached { id: goal_id, cell: self.goal, g }, origin);
        }
        while let Some(key) = front.open.pop() {
            // Else reached more cheaply since it was pushed.
            let Some(from) = self.close(front, key) else { continue };
            let before = self.cell(front.nodes.parent(from.id)).unwrap_or(start);
            if from.id == goal_id {
                front.observer.observe(event(TraceEventKind::Goal, from, before, C::ZERO));
                return Ended::AtGoal;
            }
            front.stats.expanded += 1;
            let h = self.space.estimate(from.cell, self.goal);
            let exit = self.exit(from.id);
            if exit.is_some() {
                front.observer.observe(event(TraceEventKind::Generate, from, before, h));
            }
            front.observer.observe(event(TraceEventKind::Expand, from, before, h));
            let links = exit.map_or(&[][..], |(group, place)| group.links_of(place));
            let is_done = links.iter().all(|link| self.cross(front, link, from));
            if (links.is_empty() || !is_done) && !self.expand(front, from.id, from, to_goal) {
                return Ended::NoWay { overflowed: false };
            }
            front.stats.heap_peak = front.stats.heap_peak.max(front.open.len());
        }
        Ended::NoWay { overflowed: front.overflowed }
    }

    /// Relaxes the moves across the group beyond a link. Returns `false`, doing nothing, if that is
    /// the group of an end.
    fn cross<O: Observer<Cell, C>>(
        &self,
        front: &mut Front<'_, C, O>,
        link: &ExitLink,
        from: Reached<C>,
    ) -> bool {
        let Some(group) = self.crossed(link.group) else { return false };
        let (g, place) = (from.g.plus(link.cost()), usize::from(link.place));
        if self.is_link_new(front, link, g) {
            if link.is_only {
                self.enter(front, link.group, group);
                let known = g.max(from.g.plus(self.margin.minus(link.cost())));
                front.reached.note(link.group, place, known);
            }
            self.relax_across(front, (link.group, group, place), g, from);
        }
        true
    }

    /// Relaxes the moves behind all borders of a transition. Returns `false` if the hierarchy is of
    /// another grid.
    fn expand<O: Observer<Cell, C>>(
        &self,
        front: &mut Front<'_, C, O>,
        id: u32,
        from: Reached<C>,
        to_goal: &[C],
    ) -> bool {
        let (number, row) = self.of_id(id);
        let sector = &self.hierarchy.sectors[number as usize];
        for crossing in sector.crossings(&sector.transitions[row]) {
            if !self.may_enter(number, crossing.link.sector) {
                continue;
            }
            let Some(entry) = self.entry(from.cell, crossing) else { return false };
            let g = from.g.plus(entry.cost);
            if !self.is_new(front, entry, g) {
                continue;
            }
            if let Some((number, group)) = self.group(entry.sector) {
                let Some(place) = group.place(entry.sector, entry.row) else { return false };
                self.relax_across(front, (number, group, place), g, from);
                continue;
            }
            let costs = self.hierarchy.sectors[entry.sector as usize].costs_of(entry.row);
            self.relax_within(front, (entry.sector, costs), g, from);
            if entry.sector == self.ends[1].sector && to_goal[entry.row] < C::INFINITY {
                let g = g.plus(to_goal[entry.row]);
                self.relax(front, Reached { id: self.start_id() + 1, cell: self.goal, g }, from);
            }
        }
        true
    }

    /// Returns the cell of an id; `None` for the ends, and if the hierarchy has none such.
    #[inline]
    fn cell(&self, id: u32) -> Option<Cell> {
        match self.exit(id) {
            Some((group, place)) => Some(group.exits.get(place)?.cell),
            None => Some(self.transition(id)?.cell),
        }
    }

    /// Returns the transition of an id; `None` for the ends, and if the hierarchy has none such.
    fn transition(&self, id: u32) -> Option<Transition> {
        let (sector, row) = self.of_id(id);
        self.hierarchy.sectors.get(sector as usize)?.transitions.get(row).copied()
    }

    /// Returns the cost from behind a border to the exit in a row of a sector; `None` if no move
    /// leads there.
    fn cost_beyond(&self, entry: Entry<C>, (sector, row): (u32, usize)) -> Option<C> {
        if sector == entry.sector && self.group(sector).is_none() {
            return Some(self.hierarchy.sectors[sector as usize].costs_of(entry.row)[row]);
        }
        let is_same = self.hierarchy.group_of(sector) == self.hierarchy.group_of(entry.sector);
        let (_, group) = self.group(sector).filter(|_| is_same)?;
        group.cost::<C>(group.place(entry.sector, entry.row)?, group.place(sector, row)?)
    }

    /// Appends the path of transitions, in which a waypoint already there appears once.
    pub(super) fn trace(
        &self,
        scratch: &mut HierarchyScratch<C>,
        start: Cell,
        waypoints: &mut Vec<Step<Cell, C>>,
    ) {
        let start_id = self.start_id();
        let HierarchyScratch { nodes, to_goal, exits, .. } = scratch;
        let last = self.ends[1].sector;
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
                    Some(next) => self.cost_beyond(entry, next)?,
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
