//! Queries to an index.

use wayfare_core::inside::preflight;
use wayfare_core::path::{Path, PathOf, Step};
use wayfare_core::search::{Limit, NoPath, Outcome, OutcomeOf, Query};
use wayfare_core::space::{Action, Cost, Space, StateId};
use wayfare_grid::grid::{Cell, GridSpace};

use super::build::{GridIndex, OtherGrid, fingerprint};
use super::labels::Hub;

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
/// It grows to 8 bytes a corner and the length of a path; further queries allocate nothing.
///
/// Example: [`IndexedGrid`].
#[derive(Debug)]
pub struct IndexScratch<C = u32> {
    /// The least cost from the start to each hub, plus `base`. Entries of earlier queries are
    /// larger than any cost of the present one.
    reached: Vec<u64>,
    base: u64,
    starts: Vec<End>,
    goals: Vec<End>,
    /// The nodes from the goal back to the hub.
    back: Vec<u32>,
    spare: Path<Cell, C>,
}

/// A node near one end of the query.
#[derive(Clone, Copy, Debug)]
struct End {
    /// A lower bound on the cost of a path through the node.
    least: u64,
    /// The cost between the node and the end.
    cost: u64,
    node: u32,
}

/// More than any path costs: a path is a sum of four costs of 32 bits each.
const FAR: u64 = 1 << 34;

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
            reached: Vec::new(),
            base: 0,
            starts: Vec::new(),
            goals: Vec::new(),
            back: Vec::new(),
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
        8 * self.reached.capacity()
            + size_of::<End>() * (self.starts.capacity() + self.goals.capacity())
            + 4 * self.back.capacity()
            + size_of::<Step<Cell, C>>() * self.spare.steps.capacity()
    }

    /// Forgets the previous query.
    ///
    /// Lowering `base` by [`FAR`] puts every old entry at least [`FAR`] above `base`, hence above
    /// all costs of this query, without touching the entries. After 2^28 queries the table is
    /// cleared.
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
    /// A straight path joins start and goal.
    Direct,
    /// From the start to node `first`, through `hub` to node `last`, and on to the goal.
    Over { first: u32, hub: u32, last: u32 },
    /// No hub joins the ends. Since unreachable goals are answered earlier, the index is from a
    /// forged file.
    Nothing,
}

impl GridIndex {
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
        if fingerprint(space) != self.fingerprint || super::build::check(space).is_err() {
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
    /// path).
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
        // The most promising end of each side first: its cost rules out most of the others.
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

    /// Visits the nodes in sight of an end of the query, with the cost to each. Returns whether the
    /// end reaches `goal` without a turn at a corner.
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

    /// Visits the nodes from `from` to one of its hubs, both included.
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
