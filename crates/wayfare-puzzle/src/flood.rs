//! Walks over unchanging ground: the costs from one cell to all, or from all to one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Puzzle;
use super::ground::NOWHERE;
use super::layout::Node;

/// The cost of a cell that was not reached.
pub(super) const FAR: u32 = u32::MAX;
/// The cost of a cell that cannot be entered.
const BARRED: u32 = u32::MAX - 1;

/// The direction of a flood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sense {
    /// Costs from the source.
    From,
    /// Costs to the source.
    To,
}

/// The memory of floods.
#[derive(Debug, Clone, Default)]
pub(super) struct Flood {
    costs: Vec<u32>,
    /// The reached cells, in order.
    reached: Vec<u32>,
    barred: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Flood {
    /// Returns its memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.costs.capacity() + self.reached.capacity() + self.barred.capacity()) * 4
            + self.heap.capacity() * 8
    }

    /// Returns the cost of a cell by the last flood, or [`FAR`].
    #[inline]
    pub(super) fn cost(&self, place: u32) -> u32 {
        match self.costs[place as usize] {
            BARRED => FAR,
            cost => cost,
        }
    }

    /// Returns whether a crate or a shut gate was in the cell.
    pub(super) fn is_barred(&self, place: u32) -> bool {
        self.costs[place as usize] == BARRED
    }

    /// Returns the cells that the last flood reached.
    pub(super) fn reached(&self) -> &[u32] {
        &self.reached
    }

    /// Floods the ground of a node, whatever its walker. `clock`: the time at the source.
    pub(super) fn run(
        &mut self,
        puzzle: &Puzzle,
        node: &Node,
        source: u32,
        sense: Sense,
        clock: u64,
    ) {
        self.bar(puzzle, node);
        self.spread(puzzle, source, sense, |ride, is_up, cost| {
            let ride = &puzzle.layout().rides[ride];
            let is_open = ride.ways(node)[usize::from(!is_up)];
            is_open.then(|| ride.relax(is_up, sense, clock, cost)).flatten()
        });
    }

    /// Marks crates and shut gates, and nothing else.
    pub(super) fn bar(&mut self, puzzle: &Puzzle, node: &Node) {
        self.begin(puzzle);
        let layout = puzzle.layout();
        for gate in layout.gates.iter().filter(|gate| !gate.needs.hold(node)) {
            self.barred.extend(&gate.places);
        }
        self.barred.extend(node.crates().iter().filter(|place| **place != NOWHERE));
        for place in &self.barred {
            self.costs[*place as usize] = BARRED;
        }
    }

    /// Floods the ground as if all gates were open, all platforms went in both directions at any
    /// time and there were no crates. So costs are never above those of any state.
    pub(super) fn run_open(&mut self, puzzle: &Puzzle, source: u32, sense: Sense) {
        self.begin(puzzle);
        self.spread(puzzle, source, sense, |ride, _, cost| {
            Some(cost.saturating_add(puzzle.layout().rides[ride].cost))
        });
    }

    fn begin(&mut self, puzzle: &Puzzle) {
        if self.costs.len() != puzzle.ground().len() {
            self.costs.clear();
            self.costs.resize(puzzle.ground().len(), FAR);
        }
        for place in self.reached.drain(..).chain(self.barred.drain(..)) {
            self.costs[place as usize] = FAR;
        }
    }

    /// `rides`: the cost of the other end of a platform that goes up or down, from that of an end.
    fn spread(
        &mut self,
        puzzle: &Puzzle,
        source: u32,
        sense: Sense,
        rides: impl Fn(usize, bool, u32) -> Option<u32>,
    ) {
        if self.costs[source as usize] == BARRED {
            return;
        }
        let ground = puzzle.ground();
        self.costs[source as usize] = 0;
        self.reached.push(source);
        if let Some(step) = ground.uniform().filter(|_| puzzle.layout().rides.is_empty()) {
            // Breadth first: `reached` is the queue.
            let mut head = 0;
            while let Some(&place) = self.reached.get(head) {
                head += 1;
                let cost = self.costs[place as usize].saturating_add(step).min(BARRED - 1);
                for &next in ground.next(place) {
                    if next != NOWHERE && self.costs[next as usize] == FAR {
                        self.costs[next as usize] = cost;
                        self.reached.push(next);
                    }
                }
            }
            return;
        }
        self.heap.push(Reverse((0, source)));
        while let Some(Reverse((cost, place))) = self.heap.pop() {
            if self.costs[place as usize] != cost {
                continue;
            }
            for direction in 0..4 {
                let next = ground.next(place)[direction];
                if next == NOWHERE {
                    continue;
                }
                let step = match sense {
                    Sense::From => ground.cost(place, direction),
                    // Every straight step on a grid can be walked back.
                    Sense::To => ground.cost(next, direction ^ 1),
                };
                self.relax(next, cost.saturating_add(step));
            }
            for (number, ride) in puzzle.layout().rides.iter().enumerate() {
                for (low, high, is_up) in
                    [(ride.low, ride.high, true), (ride.high, ride.low, false)]
                {
                    let (from, to) = match sense {
                        Sense::From => (low, high),
                        Sense::To => (high, low),
                    };
                    if place == from
                        && let Some(cost) = rides(number, is_up, cost)
                    {
                        self.relax(to, cost);
                    }
                }
            }
        }
    }

    fn relax(&mut self, place: u32, cost: u32) {
        let known = &mut self.costs[place as usize];
        if *known == BARRED || cost >= *known || cost >= BARRED {
            return;
        }
        if *known == FAR {
            self.reached.push(place);
        }
        *known = cost;
        self.heap.push(Reverse((cost, place)));
    }
}
