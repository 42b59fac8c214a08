//! Queries to an index.

use std::collections::BinaryHeap;

use wayfare_core::inside::preflight;
use wayfare_core::path::{Path, PathOf, Step};
use wayfare_core::search::{Limit, NoPath, Outcome, OutcomeOf, Query};
use wayfare_core::space::{Action, Cost, DIAGONAL, Space, StateId};
use wayfare_grid::grid::{Cell, GridSpace};

use super::arcs::Part;
use super::build::{GridIndex, OtherGrid, fingerprint};
use super::hubs::Hubs;
use super::meeting::Meeting;
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
    meeting: Meeting,
    /// Along arcs: how each node is reached; of all nodes but those in `seen` from neither end.
    reached: Vec<Reached>,
    seen: Vec<u32>,
    /// The ranks of nodes to search from, the least important on top.
    open: BinaryHeap<u32>,
    /// The first node of the path and the last one, and the arcs in between.
    ends: [u32; 2],
    path: Vec<Part>,
    /// Arcs to be taken apart.
    parts: Vec<Part>,
    spare: Path<Cell, C>,
}

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
            meeting: Meeting::default(),
            reached: Vec::new(),
            seen: Vec::new(),
            open: BinaryHeap::new(),
            ends: [0; 2],
            path: Vec::new(),
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
        self.meeting.size_in_bytes()
            + size_of::<Reached>() * self.reached.capacity()
            + 4 * (self.seen.capacity() + self.open.capacity())
            + size_of::<Part>() * (self.path.capacity() + self.parts.capacity())
            + size_of::<Step<Cell, C>>() * self.spare.steps.capacity()
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

impl GridIndex {
    /// Returns the cost between a node and a cell on an empty map.
    fn distance(&self, node: u32, cell: Cell) -> u32 {
        self.subgoals.distance(self.cells[node as usize], cell)
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
        push: impl Fn(&Self, &mut PathOf<GridSpace<'g, C>>, Cell, u32),
    ) -> OutcomeOf<GridSpace<'g, C>> {
        let mut path = std::mem::take(&mut scratch.spare);
        path.revision = self.space.revision();
        if let Err(reason) = preflight(&self.space, &Query::new(start, goal)) {
            if self.space.check(start).is_ok() {
                push(self, &mut path, start, 0);
            }
            return Outcome::Unreachable { reason, nearest: path };
        }
        push(self, &mut path, start, 0);
        let distance = |a: Cell, b: Cell| self.index.subgoals.distance(a, b);
        match self.find(start, goal, scratch) {
            Found::Direct => push(self, &mut path, goal, distance(start, goal)),
            Found::Over => {
                let IndexScratch { ends, path: arcs, parts, .. } = scratch;
                let [first, last] = ends.map(|node| self.index.cells[node as usize]);
                push(self, &mut path, first, distance(start, first));
                for &part in arcs.iter() {
                    self.index.arcs.take_apart(part, parts, &mut |node, cost| {
                        push(self, &mut path, self.index.cells[node as usize], cost);
                    });
                }
                push(self, &mut path, goal, distance(last, goal));
            }
            Found::Nothing => {
                return Outcome::Unreachable { reason: NoPath::Exhausted, nearest: path };
            }
        }
        if path.cost() >= C::INFINITY {
            return Outcome::LimitReached { limit: Limit::CostRange, nearest: path };
        }
        Outcome::Found(path)
    }

    fn find(&self, start: Cell, goal: Cell, scratch: &mut IndexScratch<C>) -> Found {
        scratch.path.clear();
        // A path passes no cell twice. Only a forged file leads further.
        let most = u64::from(DIAGONAL) * self.space.layout().bound() as u64;
        let found = match &self.index.hubs {
            _ if self.index.subgoals.is_open(&self.space, start, goal) => Found::Direct,
            Some(hubs) => self.find_by_hubs(hubs, [start, goal], most, scratch),
            None => self.find_along_arcs([start, goal], most, scratch),
        };
        match found {
            Found::Over if !self.are_ends_open(start, goal, scratch.ends) => Found::Nothing,
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
        let IndexScratch { meeting, path, .. } = scratch;
        meeting.begin(index.cells.len());
        let at = |end: usize| index.subgoals.layout().coordinates(ends[end]);
        for (side, between) in [[at(0), at(1)], [at(1), at(0)]].into_iter().enumerate() {
            self.ends(ends[side], &mut meeting.seen);
            meeting.see(index, side, between);
        }
        if !hubs.is_whole && meeting.nodes().any(|node| hubs.of(node).is_empty()) {
            return self.find_along_arcs(ends, most, scratch);
        }
        let Some([first, last]) = meeting.find(hubs, most) else { return Found::Nothing };
        for (half, is_up) in [(first, true), (last, false)] {
            let begun = path.len();
            hubs.walk(&index.arcs, half.node, half.place, |node, place| {
                path.push(index.arcs.part(node, place, is_up));
            });
            if !is_up {
                path[begun..].reverse();
            }
        }
        scratch.ends = [first.node, last.node];
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
        let mut seen = std::mem::take(&mut scratch.meeting.seen);
        for (end, cell) in [start, goal].into_iter().enumerate() {
            self.ends(cell, &mut seen);
            for &node in &seen {
                let cost = u64::from(index.distance(node, cell));
                scratch.reach(&index.order, end, node, cost, node);
            }
        }
        scratch.meeting.seen = seen;
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
        let IndexScratch { ends, path, reached, .. } = scratch;
        for (end, last) in ends.iter_mut().enumerate() {
            let mut node = top;
            while reached[node as usize].before[end] != node {
                let before = reached[node as usize].before[end];
                let joined = if end == 0 { [before, node] } else { [node, before] };
                path.extend(index.arcs.part_between(&index.order, joined));
                node = before;
            }
            *last = node;
            if end == 0 {
                path.reverse();
            }
        }
        Found::Over
    }

    /// Finds the nodes in sight of an end of the query.
    fn ends(&self, end: Cell, nodes: &mut Vec<u32>) {
        let GridIndex { subgoals, names, sight, .. } = self.index;
        nodes.clear();
        if let Some(seen) = sight.as_ref().and_then(|sight| sight.of(end)) {
            nodes.extend(seen.iter().copied().map(u32::from));
            return;
        }
        subgoals.reach(&self.space, end, &mut |cell| {
            nodes.push(names[subgoals.place(cell) as usize]);
        });
    }

    /// Returns whether a straight path leads from the start to the first node, and from the last
    /// node to the goal. Only corners in sight that were read from a forged file can break that.
    fn are_ends_open(&self, start: Cell, goal: Cell, nodes: [u32; 2]) -> bool {
        let GridIndex { subgoals, cells, sight, .. } = self.index;
        let is_open = |from: Cell, to: Cell| subgoals.is_open(&self.space, from, to);
        let [first, last] = nodes.map(|node| cells[node as usize]);
        !sight.as_ref().is_some_and(|sight| sight.is_read)
            || is_open(start, first) && is_open(last, goal)
    }
}

/// Appends a cell as one step at a cost, unless the path ends there.
fn push_turn<C: Cost>(_: &IndexedGrid<'_, C>, path: &mut Path<Cell, C>, to: Cell, cost: u32) {
    let mut sum = C::ZERO;
    if let Some(from) = path.steps.last() {
        if from.state == to {
            return;
        }
        sum = from.cost.plus(C::from_u64(u64::from(cost)));
    }
    path.steps.push(Step { state: to, action: Action::Walk, cost: sum });
}

/// Appends the path from the end of `path` to a cell, cell by cell: the diagonal steps first, with
/// four neighbours those along the row.
fn push_cells<C: Cost>(indexed: &IndexedGrid<'_, C>, path: &mut Path<Cell, C>, to: Cell, _: u32) {
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
