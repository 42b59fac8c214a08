//! The hubs that a cheapest path may go on to after it arrived at a corner in a given direction.
//!
//! # Why other hubs may be left out
//!
//! Let a path arrive at cell `c` by a step `a` and leave it by a step `e`. It is not a cheapest
//! path where the two can be replaced at less cost (a diagonal step needs both cells beside it
//! free):
//!
//! * `e` turns by 135° or 180°: one step leads to the same cell, or none is needed.
//! * `e` turns by 90° and both steps are diagonal: two straight steps beside `c` lead there.
//! * `e` turns by 90°, both steps are straight, and the diagonal neighbour of `c` on the inner side
//!   is free: one diagonal step leads there.
//!
//! With four neighbours only a turn by 180° can be replaced.
//!
//! A query takes a cheapest path of which the most important node `h` is as important as possible.
//! Let `c` be its first node and `n` the next one. Then `h` is a hub of `c`, the edge from `c` to
//! `n` begins a cheapest path from `c` to `h`, and `h` is a hub of `n` too (`labels.rs`). So of the
//! hubs of `c` a query needs `c` itself, and those with such an edge whose first step may follow
//! the step that arrives at `c`. An edge that takes both straight and diagonal steps may begin with
//! either. From the start a query arrives with the diagonal steps first, and moves are the same
//! backwards: so the argument holds at the goal.

use std::ops::Range;

use wayfare_grid::grid::Cell;

use super::labels::Labels;
use super::subgoals::{CornerBits, Subgoals};

/// For each node and direction of arrival, places in the node's label.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    lists: Vec<Lists>,
    places: Vec<u8>,
    /// The number of places in lists.
    used: usize,
}

/// The lists of one node: one after the other, in the order of [`Subgoals::arrival`].
#[derive(Clone, Copy, Debug)]
struct Lists {
    /// [`UNKNOWN`] if there are none.
    begin: u32,
    ends: [u16; 8],
}

const UNKNOWN: u32 = u32::MAX;

/// What computing lists needs besides the labels.
pub(super) struct Corners<'a, F> {
    pub(super) subgoals: &'a Subgoals,
    /// The cell of each node.
    pub(super) cells: &'a [Cell],
    /// The neighbours of a node in the graph.
    pub(super) near: F,
}

/// A label whose lists are computed.
#[derive(Default)]
pub(super) struct Work {
    /// For each node its place in the label; [`UNKNOWN`] if it is no hub.
    at: Vec<u32>,
    /// The directions of arrival for each place, as bits.
    arrivals: Vec<u8>,
}

impl Arrivals {
    /// The longest label that has lists.
    const MOST: usize = 1 << u8::BITS;

    /// Adds nodes without lists.
    pub(super) fn resize(&mut self, nodes: usize) {
        self.lists.resize(nodes, Lists { begin: UNKNOWN, ends: [0; 8] });
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    /// Drops the lists of a node.
    pub(super) fn forget(&mut self, node: u32) {
        let range = self.range(node).unwrap_or_default();
        self.used -= range.len();
        self.lists[node as usize].begin = UNKNOWN;
    }

    /// Returns whether a node has lists, or needs none.
    pub(super) fn is_known(&self, node: u32, labels: &Labels) -> bool {
        self.lists[node as usize].begin != UNKNOWN || labels.of(node).len() > Self::MOST
    }

    /// Returns the places of hubs in the label of a node that a path may go on to which arrived in
    /// a direction; `None` if that is not known.
    #[inline]
    pub(super) fn of(&self, node: u32, arrival: usize) -> Option<&[u8]> {
        let Lists { begin, ends } = self.lists[node as usize];
        if begin == UNKNOWN {
            return None;
        }
        let first = if arrival == 0 { 0 } else { ends[arrival - 1] };
        let [first, end] = [first, ends[arrival]].map(|at| begin as usize + usize::from(at));
        Some(&self.places[first..end])
    }

    fn range(&self, node: u32) -> Option<Range<usize>> {
        let Lists { begin, ends } = self.lists[node as usize];
        let begin = (begin != UNKNOWN).then_some(begin as usize)?;
        Some(begin..begin + usize::from(ends[7]))
    }

    /// Computes the lists of a node that has none, unless its label or that of a neighbour is
    /// empty. Returns the number of hubs looked at.
    pub(super) fn compute<'a, F: Fn(u32) -> &'a [u32]>(
        &mut self,
        node: u32,
        labels: &Labels,
        corners: &Corners<'_, F>,
        work: &mut Work,
    ) -> usize {
        let label = labels.of(node);
        let near = (corners.near)(node);
        if label.len() > Self::MOST || near.iter().any(|&near| labels.of(near).is_empty()) {
            return 0;
        }
        let Some(own) = label.len().checked_sub(1) else { return 0 };
        work.at.resize(self.lists.len(), UNKNOWN);
        for (place, hub) in (0..).zip(label) {
            work.at[hub.node as usize] = place;
        }
        work.arrivals.clear();
        work.arrivals.resize(label.len(), 0);
        work.arrivals[own] = u8::MAX;
        let subgoals = corners.subgoals;
        let cell = corners.cells[node as usize];
        let before = before(subgoals.has_diagonals, subgoals.corners(cell));
        let mut looked = label.len();
        for &near in near {
            let to = corners.cells[near as usize];
            let step = subgoals.distance(cell, to);
            let arrivals = subgoals.departures(cell, to).map(|first| before[first]);
            let arrivals = arrivals[0] | arrivals[1];
            for hub in labels.of(near) {
                if let Some(known) = label.get(work.at[hub.node as usize] as usize)
                    && known.cost.checked_sub(hub.cost) == Some(step)
                {
                    work.arrivals[work.at[hub.node as usize] as usize] |= arrivals;
                }
            }
            looked += labels.of(near).len();
        }
        label.iter().for_each(|hub| work.at[hub.node as usize] = UNKNOWN);
        self.put(node, &work.arrivals);
        looked
    }

    fn put(&mut self, node: u32, arrivals: &[u8]) {
        let (begin, mut ends) = (self.places.len(), [0; 8]);
        for (direction, end) in ends.iter_mut().enumerate() {
            let places = (0..=u8::MAX).zip(arrivals);
            let chosen = places.filter(|(_, arrivals)| **arrivals >> direction & 1 == 1);
            self.places.extend(chosen.map(|(place, _)| place));
            *end = (self.places.len() - begin) as u16;
        }
        self.used += self.places.len() - begin;
        self.lists[node as usize] = Lists { begin: begin as u32, ends };
    }

    /// Drops lists that were replaced, if they are the greater part.
    pub(super) fn pack(&mut self) {
        if self.places.len() <= 2 * self.used {
            return;
        }
        let mut places = Vec::with_capacity(self.used);
        for node in 0..self.lists.len() as u32 {
            if let Some(range) = self.range(node) {
                self.lists[node as usize].begin = places.len() as u32;
                places.extend_from_slice(&self.places[range]);
            }
        }
        self.places = places;
    }

    /// Frees memory beyond that of the lists.
    pub(super) fn shrink(&mut self) {
        self.places.shrink_to_fit();
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        size_of::<Lists>() * self.lists.capacity() + self.places.capacity()
    }
}

/// The place of each direction around a cell, clockwise from north, of directions in the order of
/// the offsets of a layout.
const CLOCKWISE: [u8; 8] = [7, 0, 1, 6, 2, 5, 4, 3];

/// Returns, for each first step of an edge from a cell, the steps that it may follow on a cheapest
/// path, as bits. Both in the order of the offsets of a layout.
fn before(has_diagonals: bool, corners: CornerBits) -> [u8; 8] {
    let may_follow = |first: u8, last: u8| {
        let turn = (first + 8 - last) % 8;
        match turn.min(8 - turn) {
            _ if !has_diagonals => turn != 4,
            0 | 1 => true,
            2 => {
                // The diagonal neighbour between the cell before and the cell after.
                let inner = if turn == 2 { first + 1 } else { first + 7 };
                first % 2 == 0 && corners.has(inner % 8)
            }
            _ => false,
        }
    };
    CLOCKWISE.map(|first| {
        let lasts = CLOCKWISE.iter().enumerate();
        lasts.fold(0, |bits, (bit, &last)| bits | u8::from(may_follow(first, last)) << bit)
    })
}
