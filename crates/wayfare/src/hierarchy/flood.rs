//! Cheapest costs within one sector: Dijkstra's algorithm over a copy of its moves and costs.
//!
//! # Why the buckets need no order
//!
//! Cells wait in a ring of buckets. A bucket is no wider than the least step, so a move out of a
//! cell of the lowest bucket leads into a higher one. No cell of the lowest bucket can therefore
//! improve another, and each popped cost is final. If the greatest step is too long for the ring,
//! at about 60 times the least, the open list of the searches is used instead.
//!
//! Source: R. B. Dial, "Algorithm 360: shortest-path forest with topological ordering", 1969.

use super::sectors::{Bounds, STEPS, is_diagonal};
use crate::search::{BucketQueue, Key, OpenList};
use crate::space::{Cell, Cost, DIAGONAL, GridSpace, STRAIGHT};

/// The number of buckets. No step leads further than to the last of them.
const RING: usize = 64;

/// The direction of the flood's first cell, which no move entered.
const BEGIN: u8 = 8;

/// The working memory of floods: the moves within a sector, and the costs of entering its cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Flood<C> {
    bounds: Option<Bounds>,
    /// Places from one row to the next. A rim of blocked places surrounds the sector.
    stride: usize,
    offsets: [isize; 8],
    /// The moves out of each place as bits; on a uniform-cost grid the free places around it.
    moves: Vec<u8>,
    is_uniform: bool,
    /// The direction in which each place was entered; [`BEGIN`] at the first one.
    entered: Vec<u8>,
    /// The cost of entering each place by a straight and by a diagonal step.
    enter: Vec<[C; 2]>,
    costs: Vec<C>,
    queue: Queue<C>,
}

/// Places in order of their costs.
#[derive(Clone, Debug, Default)]
struct Queue<C> {
    ring: Vec<Vec<(u32, C)>>,
    /// The width of a bucket as a power of two; `None` if the heap is used.
    width_log2: Option<u32>,
    /// The number of the lowest bucket.
    lowest: usize,
    /// The number of places in the ring.
    waiting: usize,
    heap: BucketQueue,
}

impl<C: Cost> Queue<C> {
    /// Empties the queue and chooses buckets for steps between these costs.
    fn suit(&mut self, least: u64, most: u64) {
        let width_log2 = least.checked_ilog2();
        self.width_log2 = width_log2.filter(|width| most >> width < RING as u64 - 1);
        self.ring.resize_with(RING, Vec::new);
        self.heap.clear();
    }

    fn begin(&mut self) {
        (self.lowest, self.waiting) = (0, 0);
    }

    #[inline]
    fn push(&mut self, place: u32, cost: C) {
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
    fn pop(&mut self) -> Option<(u32, C)> {
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
    pub(super) fn load(&mut self, space: &GridSpace<'_, C>, bounds: Bounds) {
        let stride = bounds.width as usize + 2;
        let places = stride * (bounds.height as usize + 2);
        self.bounds = Some(bounds);
        self.stride = stride;
        self.offsets = STEPS.map(|(dx, dy)| dy as isize * stride as isize + dx as isize);
        self.is_uniform = space.is_uniform();
        self.entered.resize(places, BEGIN);
        self.moves.clear();
        self.moves.resize(places, 0);
        self.enter.clear();
        self.enter.resize(places, [C::ZERO; 2]);
        let (mut least, mut most) = (u64::MAX, 0);
        if self.is_uniform {
            let unit = [STRAIGHT, DIAGONAL].map(u64::from);
            self.enter.fill(unit.map(C::from_u64));
            (least, most) = (unit[0], unit[1]);
        }
        for y in 0..bounds.height {
            let Some(Cell(first)) = space.grid().cell(bounds.x, bounds.y + y) else { continue };
            for x in 0..bounds.width {
                let cell = Cell(first + x);
                let place = (y as usize + 1) * stride + x as usize + 1;
                let inside = bounds.directions_inside(x, y);
                if self.is_uniform {
                    self.moves[place] = space.around(cell) & inside; // of no account where nobody can stand
                } else if space.is_free(cell) {
                    self.moves[place] = space.moves_from(cell) & inside;
                    let enter = [space.step_cost(cell, false), space.step_cost(cell, true)];
                    self.enter[place] = enter;
                    least = least.min(enter[0].to_u64());
                    most = most.max(enter[1].to_u64());
                }
            }
        }
        self.queue.suit(least, most);
    }

    /// Computes the costs from a cell of the loaded sector to its other cells; with `BACKWARD` the
    /// costs to that cell.
    ///
    /// O(cells), or O(cells · log cells) if costs differ too much for the buckets.
    pub(super) fn run<const BACKWARD: bool>(
        &mut self,
        space: &GridSpace<'_, C>,
        begin: (u32, u32),
    ) {
        self.costs.clear();
        self.costs.resize(self.moves.len(), C::INFINITY);
        let Some(from) = self.place(begin) else { return };
        self.costs[from] = C::ZERO;
        self.entered[from] = BEGIN;
        self.queue.begin();
        self.queue.push(from as u32, C::ZERO);
        while let Some((place, cost)) = self.queue.pop() {
            let place = place as usize;
            if self.costs[place] != cost {
                continue; // reached more cheaply since
            }
            let mut moves = self.moves[place];
            if self.is_uniform {
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
    }

    fn place(&self, (x, y): (u32, u32)) -> Option<usize> {
        let bounds = self.bounds.filter(|bounds| bounds.contains((x, y)))?;
        Some((y - bounds.y + 1) as usize * self.stride + (x - bounds.x + 1) as usize)
    }

    /// The cost between the first cell of the last flood and another cell of the sector.
    pub(super) fn cost(&self, at: (u32, u32)) -> C {
        self.place(at).map_or(C::INFINITY, |place| self.costs[place])
    }

    pub(super) fn bytes(&self) -> usize {
        self.moves.capacity()
            + self.entered.capacity()
            + self.enter.capacity() * size_of::<[C; 2]>()
            + self.costs.capacity() * size_of::<C>()
            + self.queue.bytes()
    }
}
