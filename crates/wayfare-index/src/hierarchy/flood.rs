//! Cheapest costs within one sector: Dijkstra's algorithm over a copy of its moves and costs.
//!
//! # Why the buckets need no order
//!
//! Cells wait in a ring of buckets. A bucket is no wider than the least step, so a move out of a
//! cell of the lowest bucket ends in a higher one. No cell of the lowest bucket can therefore
//! improve another, and each popped cost is final. If the greatest step is too long for the ring,
//! at about 60 times the least, the open list of the searches is used instead.
//!
//! # Even sectors
//!
//! In an *even* sector every straight step costs `s` and every diagonal one `d`, with
//! `s < d < 2 s`.
//!
//! * Moves are symmetric, so the cost from `a` to `b` is the cost from `b` to `a`.
//! * No path between cells `x` columns and `y` rows apart costs less than
//!   `d min(x, y) + s |x - y|`. If the diagonal steps can be walked first and the straight ones
//!   after them, or in reverse order, that is the cost, and no flood is needed.
//! * Floods follow canonical moves alone. Of two detours, a rule that prunes one keeps one that
//!   costs no more, because `s < d < 2 s`.
//!
//! Source: R. B. Dial, "Algorithm 360: shortest-path forest with topological ordering", 1969.

use wayfare_core::expert::{BucketQueue, Key, OpenList};
use wayfare_core::space::{Cost, DIAGONAL, STRAIGHT};
use wayfare_grid::grid::{Cell, GridSpace};

use super::sectors::{Bounds, STEPS, direction_of, is_diagonal};

/// The count of buckets. No step goes beyond the last of them.
const RING: usize = 64;

/// The direction of the flood's first cell, which no move entered.
const BEGIN: u8 = 8;

/// The working memory of floods: the moves within a sector, and the costs of entering its cells.
#[derive(Clone, Debug, Default)]
pub struct Flood<C> {
    bounds: Option<Bounds>,
    /// Cells from one row to the next. A rim of blocked cells surrounds the sector.
    stride: usize,
    offsets: [isize; 8],
    /// The moves out of each cell as bits; in an even sector the free cells around it.
    moves: Vec<u8>,
    /// The costs of a straight and of a diagonal step, if the sector is even.
    even: Option<[C; 2]>,
    /// The direction in which each cell was entered; [`BEGIN`] at the first one.
    entered: Vec<u8>,
    /// The cost of entering each cell by a straight and by a diagonal step.
    enter: Vec<[C; 2]>,
    costs: Vec<C>,
    /// The cells that the flood still has to reach before it may end early.
    wanted: Vec<bool>,
    queue: Queue<C>,
}

/// Cells in order of their costs.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue<C> {
    ring: Vec<Vec<(u32, C)>>,
    /// The width of a bucket as a power of two; `None` if the heap is used.
    width_log2: Option<u32>,
    /// The index of the lowest bucket.
    lowest: usize,
    /// The count of cells in the ring.
    waiting: usize,
    heap: BucketQueue,
}

impl<C: Cost> Queue<C> {
    /// Empties the queue and chooses buckets for steps between these costs.
    pub(super) fn suit(&mut self, least: u64, most: u64) {
        let width_log2 = least.checked_ilog2();
        self.width_log2 = width_log2.filter(|width| most >> width < RING as u64 - 1);
        self.ring.resize_with(RING, Vec::new);
        self.heap.clear();
    }

    pub(super) fn begin(&mut self) {
        if self.waiting > 0 {
            self.ring.iter_mut().for_each(Vec::clear);
        }
        self.heap.clear();
        (self.lowest, self.waiting) = (0, 0);
    }

    #[inline]
    pub(super) fn push(&mut self, place: u32, cost: C) {
        let priority = cost.to_u64();
        match self.width_log2 {
            Some(width) => {
                self.ring[(priority >> width) as usize % RING].push((place, cost));
                self.waiting += 1;
            }
            None => self.heap.push(Key::new(priority, priority, place)),
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, C)> {
        if self.width_log2.is_none() {
            return self.heap.pop().map(|key| (key.state(), C::from_u64(key.g())));
        }
        while self.waiting > 0 {
            if let Some(entry) = self.ring[self.lowest % RING].pop() {
                self.waiting -= 1;
                return Some(entry);
            }
            self.lowest += 1;
        }
        None
    }

    fn bytes(&self) -> usize {
        let entry = size_of::<(u32, C)>();
        self.ring.iter().map(|bucket| bucket.capacity() * entry).sum::<usize>() + self.heap.bytes()
    }
}

impl<C: Cost> Flood<C> {
    /// Copies a sector. O(its cells).
    pub fn load(&mut self, space: &GridSpace<'_, C>, bounds: Bounds) {
        let stride = bounds.width as usize + 2;
        let places = stride * (bounds.height as usize + 2);
        self.bounds = Some(bounds);
        self.stride = stride;
        self.offsets = STEPS.map(|(dx, dy)| dy as isize * stride as isize + dx as isize);
        self.entered.resize(places, BEGIN);
        self.wanted.clear();
        self.wanted.resize(places, false);
        self.moves.clear();
        self.moves.resize(places, 0);
        self.enter.clear();
        self.enter.resize(places, [C::ZERO; 2]);
        let is_uniform = space.is_uniform();
        // The least and the greatest cost of a straight and of a diagonal step.
        let (mut least, mut most) = ([u64::MAX; 2], [0; 2]);
        if is_uniform {
            (least, most) =
                ([STRAIGHT, DIAGONAL].map(u64::from), [STRAIGHT, DIAGONAL].map(u64::from));
            self.enter.fill(least.map(C::from_u64));
        }
        for y in 0..bounds.height {
            let Some(Cell(first)) = space.grid().cell(bounds.x, bounds.y + y) else { continue };
            for x in 0..bounds.width {
                let cell = Cell(first + x);
                let place = (y as usize + 1) * stride + x as usize + 1;
                let inside = bounds.directions_inside(x, y);
                if is_uniform {
                    self.moves[place] = space.around(cell) & inside; // unused on blocked cells
                } else if space.is_free(cell) {
                    self.moves[place] = space.around(cell) & inside;
                    let enter = [space.step_cost(cell, false), space.step_cost(cell, true)];
                    self.enter[place] = enter;
                    for (kind, cost) in enter.into_iter().enumerate() {
                        least[kind] = least[kind].min(cost.to_u64());
                        most[kind] = most[kind].max(cost.to_u64());
                    }
                }
            }
        }
        let [straight, diagonal] = least;
        let is_even = least == most && straight < diagonal && diagonal < 2 * straight;
        self.even = is_even.then(|| least.map(C::from_u64));
        if !is_even {
            // A diagonal passes cells of the sector only, so cells beyond its rim do not matter.
            self.moves.iter_mut().for_each(|moves| *moves = space.moves_among(*moves, None));
        }
        let (least, most) = (straight.min(diagonal), most[0].max(most[1]));
        self.queue.suit(least, most);
    }

    /// Returns the costs of a straight and of a diagonal step, if the loaded sector is even.
    pub(super) fn even(&self) -> Option<[u64; 2]> {
        Some(self.even?.map(C::to_u64))
    }

    /// Returns whether every step within the loaded sector costs its length, times the same factor.
    pub fn is_even(&self) -> bool {
        self.even.is_some()
    }

    /// Returns the cost between two cells of an even sector, if the diagonal steps can be walked
    /// first or last. O(side).
    pub(super) fn direct(
        &self,
        space: &GridSpace<'_, C>,
        from: (u32, u32),
        to: (u32, u32),
    ) -> Option<C> {
        let [straight, diagonal] = self.even()?;
        let begin = self.place(from)?;
        let (dx, dy) = (i64::from(to.0) - i64::from(from.0), i64::from(to.1) - i64::from(from.1));
        let (columns, rows) = (dx.unsigned_abs(), dy.unsigned_abs());
        let diagonals = (columns.min(rows), direction_of(dx, dy));
        let along = if columns > rows { direction_of(dx, 0) } else { direction_of(0, dy) };
        let straights = (columns.abs_diff(rows), along);
        let is_walkable = |ways: [(u64, u8); 2]| {
            let mut place = begin;
            ways.into_iter().all(|(steps, direction)| {
                (0..steps).all(|_| {
                    let moves = space.moves_among(self.moves[place], None);
                    place = place.wrapping_add_signed(self.offsets[usize::from(direction & 7)]);
                    moves >> (direction & 7) & 1 == 1
                })
            })
        };
        let is_direct = is_walkable([diagonals, straights]) || is_walkable([straights, diagonals]);
        is_direct.then(|| C::from_u64(diagonals.0 * diagonal + straights.0 * straight))
    }

    /// Returns the costs from a cell of the loaded sector to others; with `BACKWARD` the costs from
    /// those.
    pub(super) fn costs<const BACKWARD: bool>(
        &mut self,
        space: &GridSpace<'_, C>,
        end: (u32, u32),
        others: impl Iterator<Item = (u32, u32)> + Clone,
        costs: &mut Vec<C>,
    ) {
        costs.clear();
        costs.extend(others.clone().map(|at| self.direct(space, end, at).unwrap_or(C::INFINITY)));
        let is_missing = |cost: C| cost == C::INFINITY;
        if costs.iter().any(|&cost| is_missing(cost)) {
            let missing = others.clone().zip(&*costs).filter(|&(_, &cost)| is_missing(cost));
            self.run_until::<BACKWARD>(space, end, missing.map(|(at, _)| at));
            let missing = costs.iter_mut().zip(others).filter(|(cost, _)| is_missing(**cost));
            missing.for_each(|(cost, at)| *cost = self.cost(at));
        }
    }

    /// Computes the costs from a cell of the loaded sector to those of `wanted`; with `BACKWARD`
    /// the costs to that cell. Costs of other cells may be too high.
    ///
    /// O(cells), or O(cells · log cells) if costs differ too much for the buckets.
    pub(super) fn run_until<const BACKWARD: bool>(
        &mut self,
        space: &GridSpace<'_, C>,
        begin: (u32, u32),
        wanted: impl IntoIterator<Item = (u32, u32)>,
    ) {
        self.costs.clear();
        self.costs.resize(self.moves.len(), C::INFINITY);
        let Some(from) = self.place(begin) else { return };
        let mut missing = 0usize;
        for at in wanted {
            if let Some(place) = self.place(at) {
                missing += usize::from(!self.wanted[place]);
                self.wanted[place] = true;
            }
        }
        let is_even = self.is_even();
        self.costs[from] = C::ZERO;
        self.entered[from] = BEGIN;
        self.queue.begin();
        self.queue.push(from as u32, C::ZERO);
        while let Some((place, cost)) = self.queue.pop() {
            let place = place as usize;
            if self.costs[place] != cost {
                continue; // reached more cheaply since
            }
            if self.wanted[place] {
                self.wanted[place] = false;
                missing -= 1;
                if missing == 0 {
                    return;
                }
            }
            let mut moves = self.moves[place];
            if is_even {
                let entered = self.entered[place];
                moves = space.moves_among(moves, (entered != BEGIN).then_some(entered));
            }
            while moves != 0 {
                let direction = moves.trailing_zeros() as u8;
                moves &= moves - 1;
                let next = place.wrapping_add_signed(self.offsets[usize::from(direction & 7)]);
                let entered = if BACKWARD { place } else { next };
                let reached = cost.plus(self.enter[entered][usize::from(is_diagonal(direction))]);
                if reached < self.costs[next] {
                    self.costs[next] = reached;
                    self.entered[next] = direction;
                    self.queue.push(next as u32, reached);
                }
            }
        }
        if missing > 0 {
            self.wanted.fill(false); // out of reach
        }
    }

    fn place(&self, (x, y): (u32, u32)) -> Option<usize> {
        let bounds = self.bounds.filter(|bounds| bounds.contains((x, y)))?;
        Some((y - bounds.y + 1) as usize * self.stride + (x - bounds.x + 1) as usize)
    }

    /// Returns the cost between the first cell of the last flood and another cell of the sector.
    pub(super) fn cost(&self, at: (u32, u32)) -> C {
        self.place(at).map_or(C::INFINITY, |place| self.costs[place])
    }

    pub(super) fn bytes(&self) -> usize {
        self.moves.capacity()
            + self.wanted.capacity()
            + self.entered.capacity()
            + self.enter.capacity() * size_of::<[C; 2]>()
            + self.costs.capacity() * size_of::<C>()
            + self.queue.bytes()
    }
}
