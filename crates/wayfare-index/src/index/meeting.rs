//! The cheapest meeting of the labels of nodes in sight of a start and a goal.
//!
//! The most promising node of each side comes first: the cost over it rules out most of the others,
//! as no path over a node costs less than the straight ways from it to both ends.

use super::build::GridIndex;
use super::hubs::Hubs;
use super::labels::Hub;
use super::subgoals::By;

/// The nodes in sight of both ends, and the least cost from the start to each hub.
#[derive(Debug, Default)]
pub(super) struct Meeting {
    /// For each node [`Meeting::key`] of the least cost from the start, plus `base`. Keys of
    /// earlier queries are larger than any of the present one.
    known: Vec<u64>,
    base: u64,
    sides: [Vec<End>; 2],
    /// The nodes in sight of one end.
    pub(super) seen: Vec<u32>,
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
    arrival: u32,
}

/// A node in sight, and the place of a hub in its label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Half {
    pub(super) node: u32,
    pub(super) place: usize,
}

/// A hub of nodes on both sides.
#[derive(Clone, Copy)]
struct Best {
    key: u64,
    hub: u32,
    /// The place of the goal's node among those in sight, and of the hub after that node; `None`
    /// for the node itself.
    end: usize,
    at: Option<usize>,
}

/// The coordinates of a cell.
type At = (u32, u32);

/// No node.
const NONE: u32 = u32::MAX;

impl End {
    /// Returns the node with a hub, by its place among those after the node.
    fn half(&self, hubs: &Hubs, at: Option<usize>) -> Half {
        let place = hubs.place(self.node, self.arrival as usize, at);
        Half { node: self.node, place }
    }
}

impl Meeting {
    /// The bits of a key for the place of the start's node among those in sight.
    const PLACE_BITS: u32 = 16;
    /// More than any path costs that consists of two labels' costs and the ways to both ends.
    const FAR: u64 = 1 << 34;

    /// Returns a number that orders costs, then places. Places that are too large are the same.
    #[inline]
    fn key(cost: u32, place: usize) -> u64 {
        let most = (1 << Self::PLACE_BITS) - 1;
        u64::from(cost) << Self::PLACE_BITS | (place as u64).min(most)
    }

    /// Forgets the previous query.
    ///
    /// Lowering `base` puts every old key above all keys of this query, without touching them.
    /// Every 4,096 queries the table is cleared.
    pub(super) fn begin(&mut self, nodes: usize) {
        const STEP: u64 = Meeting::FAR << Meeting::PLACE_BITS;
        if self.known.len() < nodes || self.base < STEP {
            self.known.clear();
            self.known.resize(nodes, u64::MAX / 2);
            self.base = u64::MAX / 4;
        }
        self.base -= STEP;
    }

    /// Notes the nodes in sight of an end at `from`, the other end being at `to`. Side 0 is the
    /// start.
    pub(super) fn see(&mut self, index: &GridIndex, side: usize, ends: [At; 2]) {
        if index.subgoals.has_diagonals {
            self.see_by::<true>(index, side, ends);
        } else {
            self.see_by::<false>(index, side, ends);
        }
    }

    #[inline(always)]
    fn see_by<const DIAGONALS: bool>(
        &mut self,
        index: &GridIndex,
        side: usize,
        [from, to]: [At; 2],
    ) {
        let (layout, cells) = (*index.subgoals.layout(), index.cells.as_slice());
        let ends = &mut self.sides[side];
        ends.clear();
        ends.extend(self.seen.iter().map(|&node| {
            let at = layout.coordinates(cells[node as usize]);
            let (by, rest) = (By::between(from, at), By::between(to, at));
            let cost = by.cost(DIAGONALS);
            let arrival = by.last(DIAGONALS) as u32;
            End { least: cost + rest.cost(DIAGONALS), cost, node, arrival }
        }));
        if let Some((first, _)) = ends.iter().enumerate().min_by_key(|(_, end)| end.least) {
            ends.swap(0, first);
        }
    }

    /// Returns the nodes in sight of both ends.
    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> {
        self.sides.iter().flatten().map(|end| end.node)
    }

    /// Returns the two halves of a path over a hub at the least cost below `most`; `None` if no
    /// hub is on both sides.
    pub(super) fn find(&mut self, hubs: &Hubs, most: u64) -> Option<[Half; 2]> {
        let mut best = Best {
            key: self.base + (most.min(Self::FAR - 1) << Self::PLACE_BITS),
            hub: NONE,
            end: 0,
            at: None,
        };
        for first in [true, false] {
            let part = if first { 0..1 } else { 1..self.sides[0].len() };
            for place in part {
                let Some(&end) = self.sides[0].get(place) else { continue };
                if u64::from(end.least) < self.cost(best) {
                    self.leave(hubs, end, place);
                }
            }
            let goals = self.sides[1].len();
            for place in 0..if first { goals.min(1) } else { goals } {
                let end = self.sides[1][place];
                if u64::from(end.least) < self.cost(best) {
                    self.arrive(hubs, end, place, &mut best);
                }
            }
        }
        let goal = self.sides[1].get(best.end).filter(|_| best.hub != NONE)?;
        let key = self.known[best.hub as usize] - self.base;
        let place = key & ((1 << Self::PLACE_BITS) - 1);
        let mut starts = self.sides[0].get(place as usize..)?.iter();
        let start = starts.find_map(|end| {
            let cost = (key >> Self::PLACE_BITS).checked_sub(end.cost.into())?;
            if end.node == best.hub && cost == 0 {
                return Some(end.half(hubs, None));
            }
            let is_best = |hub: &Hub| hub.node == best.hub && u64::from(hub.cost) == cost;
            let at = hubs.after(end.node, end.arrival as usize).iter().position(is_best)?;
            Some(end.half(hubs, Some(at)))
        })?;
        Some([start, goal.half(hubs, best.at)])
    }

    /// Returns the cost of a path over a hub.
    fn cost(&self, best: Best) -> u64 {
        (best.key - self.base) >> Self::PLACE_BITS
    }

    /// Notes the costs from the start to the hubs of a node in its sight.
    fn leave(&mut self, hubs: &Hubs, end: End, place: usize) {
        let so_far = self.base + Self::key(end.cost, place);
        let own = &mut self.known[end.node as usize];
        *own = (*own).min(so_far);
        for hub in hubs.after(end.node, end.arrival as usize) {
            let known = &mut self.known[hub.node as usize];
            *known = (*known).min(so_far + Self::key(hub.cost, 0));
        }
    }

    /// Compares the hubs of a node in sight of the goal with those of the start.
    fn arrive(
        &self,
        hubs: &Hubs,
        End { cost, node, arrival, .. }: End,
        end: usize,
        best: &mut Best,
    ) {
        let rest = Self::key(cost, 0);
        let key = self.known[node as usize] + rest;
        if key < best.key {
            *best = Best { key, hub: node, end, at: None };
        }
        for (at, hub) in hubs.after(node, arrival as usize).iter().enumerate() {
            let key = self.known[hub.node as usize] + rest + Self::key(hub.cost, 0);
            if key < best.key {
                *best = Best { key, hub: hub.node, end, at: Some(at) };
            }
        }
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        8 * self.known.capacity()
            + 4 * self.seen.capacity()
            + self.sides.iter().map(|ends| size_of::<End>() * ends.capacity()).sum::<usize>()
    }
}
