//! Queries to an index.

use super::build::{GridIndex, OtherGrid, fingerprint};
use super::labels::Hub;
use crate::path::{Path, PathOf, Step};
use crate::search::{Limit, NoPath, Outcome, OutcomeOf, Query, preflight};
use crate::space::{Action, Cell, Cost, GridSpace, Space, StateId};

/// A grid together with its index. Cheap to copy; make one after loading or building, and keep it while the grid stays as it is.
#[derive(Debug)]
pub struct IndexedGrid<'g, C = u32> {
    index: &'g GridIndex,
    space: GridSpace<'g, C>,
}

impl<C> Clone for IndexedGrid<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for IndexedGrid<'_, C> {}

/// The memory that queries to an index work in: the caller's, reused, one per thread. Serves any index.
#[derive(Debug)]
pub struct IndexScratch<C = u32> {
    /// The least cost from the start to each hub, plus `base`. What is left of earlier queries is larger than any cost of this one.
    reached: Vec<u64>,
    base: u64,
    starts: Vec<End>,
    goals: Vec<End>,
    /// Nodes on the way from the goal back to the hub.
    back: Vec<u32>,
    spare: Path<Cell, C>,
}

/// A node near an end of the query.
#[derive(Clone, Copy, Debug)]
struct End {
    /// At least what a path through the node costs.
    least: u64,
    /// The cost between the node and the end.
    cost: u64,
    node: u32,
}

/// More than any path costs: sums of two costs that fit into 32 bits, and of two ways to them.
const FAR: u64 = 1 << 34;

impl<C: Cost> Default for IndexScratch<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Cost> IndexScratch<C> {
    /// A scratch that has not allocated anything yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            reached: Vec::new(),
            base: 0,
            starts: Vec::new(),
            goals: Vec::new(),
            back: Vec::new(),
            spare: Path::default(),
        }
    }

    /// Takes back a path that is no longer needed, so that the next one reuses its memory.
    pub fn recycle(&mut self, mut path: Path<Cell, C>) {
        if path.steps.capacity() > self.spare.steps.capacity() {
            path.steps.clear();
            self.spare = path;
        }
    }

    /// The memory it holds, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        8 * self.reached.capacity()
            + size_of::<End>() * (self.starts.capacity() + self.goals.capacity())
            + 4 * self.back.capacity()
            + size_of::<Step<Cell, C>>() * self.spare.steps.capacity()
    }

    /// Forgets the query before.
    fn begin(&mut self, nodes: usize) {
        if self.reached.len() < nodes || self.base < FAR {
            self.reached.clear();
            self.reached.resize(nodes, u64::MAX / 2);
            self.base = u64::MAX / 4;
        }
        self.base -= FAR;
        self.starts.clear();
        self.goals.clear();
        self.back.clear();
    }
}

/// How a query is answered.
enum Found {
    /// Straight from start to goal.
    Direct,
    /// From the start over a node to a hub, and from there over another to the goal.
    Over { first: u32, hub: u32, last: u32 },
    /// Not at all. Only an index from a forged file knows no way where there is one.
    Nothing,
}

impl GridIndex {
    /// The index with the grid that it was built for.
    ///
    /// Compares the whole grid with the one that was indexed, at a bit a cell: some ten microseconds. The result borrows the grid: while
    /// it lives, nobody can edit it.
    ///
    /// # Errors
    /// When the grid, or what the agent can do on it, is not what was indexed.
    pub fn of<'g, C: Cost>(
        &'g self,
        space: &GridSpace<'g, C>,
    ) -> Result<IndexedGrid<'g, C>, OtherGrid> {
        if fingerprint(space) != self.fingerprint || super::build::check(space).is_err() {
            return Err(OtherGrid);
        }
        Ok(IndexedGrid { index: self, space: *space })
    }
}

impl<'g, C: Cost> IndexedGrid<'g, C> {
    /// The grid as a space.
    #[must_use]
    pub fn space(&self) -> &GridSpace<'g, C> {
        &self.space
    }

    /// A cheapest path between two cells, cell by cell.
    ///
    /// Where there is none the reason is one of those that searches give too, and `nearest` the start alone.
    pub fn path(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut IndexScratch<C>,
    ) -> OutcomeOf<GridSpace<'g, C>> {
        self.answer(start, goal, scratch, push_cells)
    }

    /// A cheapest path between two cells, its turning points alone, and the start and the goal. Between two of them the way goes
    /// diagonally first, then straight; among four neighbours along the row first, then along the column.
    pub fn turns(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut IndexScratch<C>,
    ) -> OutcomeOf<GridSpace<'g, C>> {
        self.answer(start, goal, scratch, push_turn)
    }

    fn answer(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut IndexScratch<C>,
        push: impl Fn(&Self, &mut PathOf<GridSpace<'g, C>>, Cell),
    ) -> OutcomeOf<GridSpace<'g, C>> {
        let mut path = std::mem::take(&mut scratch.spare);
        path.revision = self.space.revision();
        if let Err(reason) = preflight(&self.space, &Query::new(start, goal)) {
            if self.space.check(start).is_ok() {
                push(self, &mut path, start);
            }
            return Outcome::Unreachable { reason, nearest: path };
        }
        push(self, &mut path, start);
        match self.find(start, goal, scratch) {
            Found::Direct => {}
            Found::Over { first, hub, last } => {
                let index = self.index;
                self.walk(first, hub, |node| push(self, &mut path, index.cells[node as usize]));
                self.walk(last, hub, |node| scratch.back.push(node));
                while let Some(node) = scratch.back.pop() {
                    push(self, &mut path, index.cells[node as usize]);
                }
            }
            Found::Nothing => {
                return Outcome::Unreachable { reason: NoPath::Exhausted, nearest: path };
            }
        }
        push(self, &mut path, goal);
        if path.cost() >= C::INFINITY {
            return Outcome::LimitReached { limit: Limit::CostRange, nearest: path };
        }
        Outcome::Found(path)
    }

    fn find(&self, start: Cell, goal: Cell, scratch: &mut IndexScratch<C>) -> Found {
        let index = self.index;
        scratch.begin(index.cells.len());
        let IndexScratch { reached, base, starts, goals, .. } = scratch;
        let is_direct = start == goal
            || self.ends(start, Some(goal), |cell, cost, node| {
                let least = cost + u64::from(index.subgoals.distance(cell, goal));
                starts.push(End { least, cost, node });
            });
        if is_direct {
            return Found::Direct;
        }
        self.ends(goal, None, |cell, cost, node| {
            let least = cost + u64::from(index.subgoals.distance(start, cell));
            goals.push(End { least, cost, node });
        });
        // The most promising of both sides alone first: what it costs rules out most of the others.
        for ends in [&mut *starts, &mut *goals] {
            let first = (0..ends.len()).min_by_key(|&place| (ends[place].least, ends[place].node));
            if let Some(first) = first {
                ends.swap(0, first);
            }
        }
        let mut best = (u64::MAX, 0, 0);
        for part in [0..1, 1..starts.len()] {
            for end in starts.get(part).unwrap_or_default() {
                if *base + end.least >= best.0 {
                    continue;
                }
                let so_far = *base + end.cost;
                for hub in index.labels.of(end.node) {
                    let known = &mut reached[hub.node as usize];
                    *known = (*known).min(so_far + u64::from(hub.cost));
                }
            }
            for end in goals.iter() {
                if *base + end.least >= best.0 {
                    continue;
                }
                for hub in index.labels.of(end.node) {
                    let cost = reached[hub.node as usize] + end.cost + u64::from(hub.cost);
                    if cost < best.0 {
                        best = (cost, hub.node, end.node);
                    }
                }
            }
        }
        let (cost, hub, last) = best;
        if cost - *base >= FAR {
            return Found::Nothing;
        }
        let over = |end: &End| {
            let hubs = index.labels.of(end.node);
            let place = hubs.binary_search_by_key(&hub, |hub| hub.node).ok()?;
            Some((end.cost + u64::from(hubs[place].cost), end.node))
        };
        let first = starts.iter().filter_map(over).min().map_or(hub, |(_, node)| node);
        Found::Over { first, hub, last }
    }

    /// Calls `visit` with the nodes that an end of a query reaches directly, and what that costs. Says whether it reaches `goal` so.
    fn ends(&self, end: Cell, goal: Option<Cell>, mut visit: impl FnMut(Cell, u64, u32)) -> bool {
        let GridIndex { subgoals, names, cells, sight, .. } = self.index;
        if let Some(sight) = sight {
            if goal.is_some_and(|goal| subgoals.is_open(&self.space, end, goal)) {
                return true;
            }
            for &node in sight.of(end) {
                let cell = cells[usize::from(node)];
                visit(cell, u64::from(subgoals.distance(end, cell)), u32::from(node));
            }
            return false;
        }
        let mut visit = |cell: Cell| {
            let node = names[subgoals.place(cell) as usize];
            visit(cell, u64::from(subgoals.distance(end, cell)), node);
        };
        subgoals.reach(&self.space, end, goal, &mut visit)
    }

    /// Calls `visit` with the nodes on the way from one to a hub of it, both included.
    fn walk(&self, from: u32, hub: u32, mut visit: impl FnMut(u32)) {
        let GridIndex { labels, graph, hops, .. } = self.index;
        let Ok(mut place) = labels.of(from).binary_search_by_key(&hub, |hub: &Hub| hub.node) else {
            return;
        };
        let mut node = from;
        visit(node);
        while node != hub {
            let hop = hops[labels.range(node).start + place];
            node = graph.of(node)[usize::from(hop.neighbour)];
            place = usize::from(hop.place);
            visit(node);
        }
    }
}

/// Goes on from the last cell of the path to another, if it is another.
fn push_turn<C: Cost>(indexed: &IndexedGrid<'_, C>, path: &mut Path<Cell, C>, to: Cell) {
    let mut cost = C::ZERO;
    if let Some(from) = path.steps.last() {
        if from.state == to {
            return;
        }
        let length = indexed.index.subgoals.distance(from.state, to);
        cost = from.cost.plus(C::from_u64(u64::from(length)));
    }
    path.steps.push(Step { state: to, action: Action::Walk, cost });
}

/// Goes on from the last cell of the path to another, cell by cell: diagonally first, among four neighbours along the row first.
fn push_cells<C: Cost>(indexed: &IndexedGrid<'_, C>, path: &mut Path<Cell, C>, to: Cell) {
    let Some(from) = path.steps.last() else {
        path.steps.push(Step { state: to, action: Action::Walk, cost: C::ZERO });
        return;
    };
    let (mut at, mut cost) = (from.state.index(), from.cost);
    for (step, count, price) in indexed.space.legs_of_jump(from.state, to) {
        let price = C::from_u64(u64::from(price));
        path.steps.extend((0..count).map(|_| {
            at = at.wrapping_add_signed(step);
            cost = cost.plus(price);
            Step { state: Cell::from_index(at), action: Action::Walk, cost }
        }));
    }
}
