//! Queries to an index.

use std::collections::BinaryHeap;

use wayfare_core::inside::preflight;
use wayfare_core::path::{Path, PathOf, Step};
use wayfare_core::search::{Limit, NoPath, Outcome, OutcomeOf, Query};
use wayfare_core::space::{Action, Cost, DIAGONAL, Space, StateId};
use wayfare_grid::grid::{Cell, GridSpace};

use super::build::{GridIndex, OtherGrid, fingerprint};
use super::hubs::Hubs;
use super::order::Order;

/// A grid together with its index. Cheap to copy. It borrows the grid, so the grid cannot be edited
/// while it exists.
///
/// ```
/// use wayfare::index::{GridIndex, IndexScratch};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
/// let space = grid.space();
/// let index = GridIndex::new(&space)?;
/// let (indexed, mut scratch) = (index.of(&space)?, IndexScratch::new());
/// let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
/// let turns = indexed.turns(a, b, &mut scratch).into_path();
/// assert_eq!(turns.len(), 3); // three straight parts round the two corners below the wall
/// scratch.recycle(turns); // the next query reuses the memory
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// The working memory of index queries: owned by the caller, one per thread, usable with any index.
///
/// It grows to 24 bytes a corner and the length of a path; further queries allocate nothing.
///
/// Example: [`IndexedGrid`].
#[derive(Debug)]
pub struct IndexScratch<C = u32> {
    /// By labels: the least cost from the start to each hub, plus `base`. Entries of earlier
    /// queries are larger than any cost of the present one.
    known: Vec<u64>,
    base: u64,
    starts: Vec<End>,
    goals: Vec<End>,
    /// Along arcs: how each node is reached; of all nodes but those in `seen` from neither end.
    reached: Vec<Reached>,
    seen: Vec<u32>,
    /// The ranks of nodes to search from, the least important on top.
    open: BinaryHeap<u32>,
    /// The nodes of the path, joined by arcs.
    nodes: Vec<u32>,
    /// Arcs to be taken apart.
    parts: Vec<[u32; 2]>,
    spare: Path<Cell, C>,
}

/// A node in sight of one end of the query.
#[derive(Clone, Copy, Debug)]
struct End {
    /// A lower bound on the cost of a path through the node.
    least: u32,
    /// The cost between the node and the end.
    cost: u32,
    node: u32,
    /// The step by which a path from the end arrives at the node.
    arrival: u8,
}

/// A hub of nodes on both sides.
#[derive(Clone, Copy)]
struct Meeting {
    cost: u64,
    hub: u32,
    /// The place of the goal's node among those in sight, and of the hub in its label.
    goal: usize,
    place: usize,
}

/// More than any path costs: one that passes each of 2^31 cells costs less.
const FAR: u64 = 1 << 46;

/// How a node is reached from the start and from the goal of a query.
#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: [u64; 2],
    /// The node before it on the path; itself if the end is in sight.
    before: [u32; 2],
}

impl Reached {
    const NOT: Self = Self { cost: [u64::MAX / 4; 2], before: [u32::MAX; 2] };
}

impl<C: Cost> Default for IndexScratch<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Cost> IndexScratch<C> {
    /// Returns a scratch without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            known: Vec::new(),
            base: 0,
            starts: Vec::new(),
            goals: Vec::new(),
            reached: Vec::new(),
            seen: Vec::new(),
            open: BinaryHeap::new(),
            nodes: Vec::new(),
            parts: Vec::new(),
            spare: Path::default(),
        }
    }

    /// Takes back a path that is no longer needed. The next query reuses its memory.
    pub fn recycle(&mut self, mut path: Path<Cell, C>) {
        if path.steps.capacity() > self.spare.steps.capacity() {
            path.steps.clear();
            self.spare = path;
        }
    }

    /// Returns the memory of the scratch, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        8 * self.known.capacity()
            + size_of::<End>() * (self.starts.capacity() + self.goals.capacity())
            + size_of::<Reached>() * self.reached.capacity()
            + 4 * (self.seen.capacity() + self.open.capacity() + self.nodes.capacity())
            + size_of::<[u32; 2]>() * self.parts.capacity()
            + size_of::<Step<Cell, C>>() * self.spare.steps.capacity()
    }

    /// Forgets the previous query, for one by labels.
    ///
    /// Lowering `base` by [`FAR`] puts every old entry at least [`FAR`] above `base`, hence above
    /// all costs of this query, without touching the entries. After 2^16 queries the table is
    /// cleared.
    fn begin_labels(&mut self, nodes: usize) {
        if self.known.len() < nodes || self.base < FAR {
            self.known.clear();
            self.known.resize(nodes, u64::MAX / 2);
            self.base = u64::MAX / 4;
        }
        self.base -= FAR;
        self.starts.clear();
        self.goals.clear();
    }

    /// Forgets the previous query, for one along arcs.
    fn begin_arcs(&mut self, nodes: usize) {
        for node in self.seen.drain(..) {
            self.reached[node as usize] = Reached::NOT;
        }
        if self.reached.len() < nodes {
            self.reached.resize(nodes, Reached::NOT);
        }
        self.open.clear();
    }

    /// Notes a path to a node from an end: 0 is the start, 1 the goal.
    #[inline]
    fn reach(&mut self, order: &Order, end: usize, node: u32, cost: u64, before: u32) {
        let reached = &mut self.reached[node as usize];
        if cost < reached.cost[end] {
            if reached.before == Reached::NOT.before {
                self.seen.push(node);
                self.open.push(order.rank(node));
            }
            reached.cost[end] = cost;
            reached.before[end] = before;
        }
    }
}

/// How a query is answered.
enum Found {
    /// A straight path joins start and goal.
    Direct,
    /// A path leads over the nodes in the scratch.
    Over,
    /// No path joins the ends. Since unreachable goals are answered earlier, the index is from a
    /// forged file.
    Nothing,
}

/// No node.
const NONE: u32 = u32::MAX;

impl GridIndex {
    /// Returns the cost between a node and a cell on an empty map.
    fn distance(&self, node: u32, cell: Cell) -> u32 {
        self.subgoals.distance(self.cells[node as usize], cell)
    }

    /// Returns a node in sight of an end at `from`, the other end being at `to`.
    #[inline]
    fn end(&self, from: (u32, u32), to: (u32, u32), node: u32) -> End {
        let has_diagonals = self.subgoals.has_diagonals;
        let cell = self.cells[node as usize];
        let (by, rest) = (self.subgoals.by(from, cell), self.subgoals.by(to, cell));
        let cost = by.cost(has_diagonals);
        let least = cost + rest.cost(has_diagonals);
        End { least, cost, node, arrival: by.last(has_diagonals) as u8 }
    }

    /// Returns the first of the nodes in sight that leads to a hub at a cost, and the place of the
    /// hub in its label.
    fn first(&self, hubs: &Hubs, starts: &[End], hub: u32, cost: u64) -> Option<(u32, usize)> {
        for end in starts {
            let rest = self.distance(end.node, self.cells[hub as usize]);
            if u64::from(end.cost) + u64::from(rest) > cost {
                continue;
            }
            let mut found = None;
            hubs.after(end.node, usize::from(end.arrival), |place, known| {
                if known.node == hub && u64::from(end.cost) + u64::from(known.cost) == cost {
                    found = Some((end.node, place));
                }
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Pairs the index with the grid that it was built for.
    ///
    /// Compares a fingerprint of the whole grid with the indexed one: O(cells), at one bit a cell.
    /// Do it once after building or loading and keep the result.
    ///
    /// # Errors
    /// If the grid, or the agent's moves on it, differ from the indexed ones.
    pub fn of<'g, C: Cost>(
        &'g self,
        space: &GridSpace<'g, C>,
    ) -> Result<IndexedGrid<'g, C>, OtherGrid> {
        if Some(fingerprint(space)) != self.fingerprint || super::build::check(space).is_err() {
            return Err(OtherGrid);
        }
        Ok(IndexedGrid { index: self, space: *space })
    }

    /// Returns the index with a grid that [`GridIndex::of`] accepted in this revision.
    pub(crate) fn assumed_of<'g, C: Cost>(
        &'g self,
        space: &GridSpace<'g, C>,
    ) -> IndexedGrid<'g, C> {
        IndexedGrid { index: self, space: *space }
    }
}

impl<'g, C: Cost> IndexedGrid<'g, C> {
    /// Returns the grid as a space.
    #[must_use]
    pub fn space(&self) -> &GridSpace<'g, C> {
        &self.space
    }

    /// Returns a cheapest path between two cells, cell by cell.
    ///
    /// If there is none, the reason is the one that searches give, and `nearest` is the start
    /// alone. O(c · k) for c corners in sight of the ends with k hubs each, plus O(length of the
    /// path). Without lists of hubs: O(a · log a) for a arcs that lead up from those corners.
    pub fn path(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut IndexScratch<C>,
    ) -> OutcomeOf<GridSpace<'g, C>> {
        self.answer(start, goal, scratch, push_cells)
    }

    /// Returns a cheapest path between two cells as its ends and turning points.
    ///
    /// Between two consecutive points the path has its diagonal steps first (with four neighbours:
    /// along the row first).
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
            Found::Over => {
                let IndexScratch { nodes, parts, .. } = scratch;
                let mut push = |node: u32| push(self, &mut path, self.index.cells[node as usize]);
                nodes.first().iter().for_each(|&&node| push(node));
                for ends in nodes.windows(2) {
                    self.take_apart([ends[0], ends[1]], parts, &mut push);
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
        scratch.nodes.clear();
        // A path passes no cell twice. Only a forged file leads further.
        let most = u64::from(DIAGONAL) * self.space.layout().bound() as u64;
        let found = match &self.index.hubs {
            _ if self.index.subgoals.is_open(&self.space, start, goal) => Found::Direct,
            Some(hubs) => self.find_by_hubs(hubs, [start, goal], most, scratch),
            None => self.find_along_arcs([start, goal], most, scratch),
        };
        match found {
            Found::Over if !self.are_ends_open(start, goal, &scratch.nodes) => Found::Nothing,
            found => found,
        }
    }

    /// Compares the hubs of the nodes in sight of both ends.
    fn find_by_hubs(
        &self,
        hubs: &Hubs,
        ends: [Cell; 2],
        most: u64,
        scratch: &mut IndexScratch<C>,
    ) -> Found {
        let index = self.index;
        scratch.begin_labels(index.cells.len());
        let IndexScratch { known, base, starts, goals, nodes, .. } = scratch;
        let [start, goal] = ends.map(|end| index.subgoals.layout().coordinates(end));
        self.ends(ends[0], |node| starts.push(index.end(start, goal, node)));
        self.ends(ends[1], |node| goals.push(index.end(goal, start, node)));
        let mut all = starts.iter().chain(goals.iter());
        if !hubs.is_whole && all.any(|end| hubs.of(end.node).is_empty()) {
            return self.find_along_arcs(ends, most, scratch);
        }
        // The most promising end of each side first: its cost rules out most of the others.
        for ends in [&mut *starts, &mut *goals] {
            let first = (0..ends.len()).min_by_key(|&place| (ends[place].least, ends[place].node));
            if let Some(first) = first {
                ends.swap(0, first);
            }
        }
        let mut best = Meeting { cost: *base + most, hub: NONE, goal: 0, place: 0 };
        for part in [0..1, 1..starts.len()] {
            for end in starts.get(part).unwrap_or_default() {
                if *base + u64::from(end.least) >= best.cost {
                    continue;
                }
                let so_far = *base + u64::from(end.cost);
                hubs.after(end.node, usize::from(end.arrival), |_, hub| {
                    let known = &mut known[hub.node as usize];
                    *known = (*known).min(so_far + u64::from(hub.cost));
                });
            }
            for (goal, end) in goals.iter().enumerate() {
                if *base + u64::from(end.least) >= best.cost {
                    continue;
                }
                hubs.after(end.node, usize::from(end.arrival), |place, hub| {
                    let cost = known[hub.node as usize] + u64::from(end.cost) + u64::from(hub.cost);
                    if cost < best.cost {
                        best = Meeting { cost, hub: hub.node, goal, place };
                    }
                });
            }
        }
        if best.hub == NONE {
            return Found::Nothing;
        }
        let cost = known[best.hub as usize] - *base;
        let Some((first, place)) = index.first(hubs, starts, best.hub, cost) else {
            return Found::Nothing;
        };
        hubs.walk(&index.arcs, first, place, |node| nodes.push(node));
        // The hub is in both halves.
        nodes.pop();
        let half = nodes.len();
        hubs.walk(&index.arcs, goals[best.goal].node, best.place, |node| nodes.push(node));
        nodes[half..].reverse();
        Found::Over
    }

    /// Searches from both ends along arcs to more important nodes, the least important node first.
    ///
    /// A cheapest path between two nodes climbs, then descends (`contraction.rs`). All arcs into a
    /// node come from less important ones, so its costs from both ends are final when it is taken.
    /// Then the sum of both is the cost of a path; the least one is that of a cheapest path. A node
    /// is not searched from if the way there and on, as if the map were empty, costs as much as a
    /// path that is known.
    fn find_along_arcs(
        &self,
        [start, goal]: [Cell; 2],
        most: u64,
        scratch: &mut IndexScratch<C>,
    ) -> Found {
        let index = self.index;
        scratch.begin_arcs(index.cells.len());
        for (end, cell) in [start, goal].into_iter().enumerate() {
            self.ends(cell, |node| {
                let cost = u64::from(index.distance(node, cell));
                scratch.reach(&index.order, end, node, cost, node);
            });
        }
        let (mut best, mut top) = (most, None);
        while let Some(rank) = scratch.open.pop() {
            let node = index.order.nodes[rank as usize];
            let Reached { cost, .. } = scratch.reached[node as usize];
            if cost[0] + cost[1] < best {
                (best, top) = (cost[0] + cost[1], Some(node));
            }
            for (end, towards) in [goal, start].into_iter().enumerate() {
                if cost[end] + u64::from(index.distance(node, towards)) < best {
                    for arc in index.arcs.of(node) {
                        let cost = cost[end] + u64::from(arc.cost);
                        scratch.reach(&index.order, end, arc.to, cost, node);
                    }
                }
            }
        }
        let Some(top) = top else { return Found::Nothing };
        let IndexScratch { nodes, reached, .. } = scratch;
        for end in 0..2 {
            let mut node = top;
            while reached[node as usize].before[end] != node {
                node = reached[node as usize].before[end];
                nodes.push(node);
            }
            if end == 0 {
                nodes.reverse();
                nodes.push(top);
            }
        }
        Found::Over
    }

    /// Visits the nodes in sight of an end of the query.
    fn ends(&self, end: Cell, mut visit: impl FnMut(u32)) {
        let GridIndex { subgoals, names, sight, .. } = self.index;
        if let Some(seen) = sight.as_ref().and_then(|sight| sight.of(end)) {
            seen.iter().for_each(|&node| visit(u32::from(node)));
            return;
        }
        subgoals.reach(&self.space, end, &mut |cell| visit(names[subgoals.place(cell) as usize]));
    }

    /// Returns whether a straight path leads from the start to the first node, and from the last
    /// node to the goal. Only corners in sight that were read from a forged file can break that.
    fn are_ends_open(&self, start: Cell, goal: Cell, nodes: &[u32]) -> bool {
        let GridIndex { subgoals, cells, sight, .. } = self.index;
        let is_open = |from: Cell, to: Cell| subgoals.is_open(&self.space, from, to);
        let at = |node: Option<&u32>| node.map(|&node| cells[node as usize]);
        !sight.as_ref().is_some_and(|sight| sight.is_read)
            || at(nodes.first()).is_none_or(|first| is_open(start, first))
                && at(nodes.last()).is_none_or(|last| is_open(last, goal))
    }

    /// Visits the nodes of the path along an arc, but the first one.
    fn take_apart(&self, ends: [u32; 2], parts: &mut Vec<[u32; 2]>, visit: &mut impl FnMut(u32)) {
        parts.push(ends);
        while let Some([from, to]) = parts.pop() {
            match self.index.arcs.middle(&self.index.order, [from, to]) {
                None => visit(to),
                Some(middle) => parts.extend([[middle, to], [from, middle]]),
            }
        }
    }
}

/// Appends a cell as one step, unless the path ends there.
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

/// Appends the path from the end of `path` to a cell, cell by cell: the diagonal steps first, with
/// four neighbours those along the row.
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
