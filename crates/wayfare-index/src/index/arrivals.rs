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
//! * `e` turns by 90°, both steps are straight, and the diagonal neighbour of `c` on the inner
//!   side is free: one diagonal step leads there.
//!
//! With four neighbours only a turn by 180° can be replaced.
//!
//! A query takes a cheapest path of which the most important node `h` is as important as possible.
//! Let `c` be its first node and `n` the next one. No node on a cheapest path from `c` to `h` is
//! more important than `h`, as it would lie on a cheapest path of the query. So `h` is a hub of
//! `c`, the edge from `c` to `n` begins a cheapest path from `c` to `h`, and `h` is a hub of `n`
//! too (`labels.rs`). Hence of the hubs of `c` a query needs `c` itself, and those with such an
//! edge whose first step may follow the step that arrives at `c`. An edge that takes both straight
//! and diagonal steps may begin with either. From the start a query arrives with the diagonal steps
//! first, and moves are the same backwards: so the argument holds at the goal.
//!
//! # How the hubs of a node are sorted
//!
//! Directions form a circle, and most hubs serve neighbouring ones. So hubs are sorted by the first
//! direction that they serve, from a cut of the circle on. A direction has a range of hubs, with
//! all that serve it and a few more. The cut is chosen with the shortest ranges.

use std::ops::Range;

use wayfare_grid::grid::Cell;

use super::labels::{Hub, Labels};
use super::subgoals::{CornerBits, Subgoals};

/// For each node and direction of arrival, the hubs of the node that serve it, but the node itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    lists: Vec<List>,
    hubs: Vec<Hub>,
    /// The place of each hub in the label of the node.
    places: Vec<u8>,
    /// The number of hubs in lists.
    used: usize,
}

/// The hubs of one node.
#[derive(Clone, Copy, Debug)]
struct List {
    /// [`UNKNOWN`] if there are none.
    begin: u32,
    /// Where the range of each direction begins and ends, in the order of the offsets of a layout.
    ranges: [[u8; 2]; 8],
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

/// Memory for computing lists.
#[derive(Default)]
pub(super) struct Work {
    /// For each node its place in the label; [`UNKNOWN`] if it is no hub.
    at: Vec<u32>,
    /// The directions that the hub at each place serves, as bits.
    served: Vec<u8>,
    /// The places by direction.
    sorted: Vec<u8>,
}

impl Arrivals {
    /// The longest label that has a list.
    const MOST: usize = u8::MAX as usize;

    /// Adds nodes without lists.
    pub(super) fn resize(&mut self, nodes: usize) {
        self.lists.resize(nodes, List { begin: UNKNOWN, ranges: [[0; 2]; 8] });
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    /// Drops the list of a node.
    pub(super) fn forget(&mut self, node: u32, labels: &Labels) {
        if self.lists[node as usize].begin != UNKNOWN {
            self.used -= labels.of(node).len().saturating_sub(1);
            self.lists[node as usize].begin = UNKNOWN;
        }
    }

    /// Returns whether a node has a list, or needs none.
    pub(super) fn is_known(&self, node: u32, labels: &Labels) -> bool {
        self.lists[node as usize].begin != UNKNOWN || labels.of(node).len() > Self::MOST
    }

    /// Returns the hubs of a node, without itself, that a path may go on to which arrived in a
    /// direction; `None` if that is not known.
    #[inline]
    pub(super) fn of(&self, node: u32, direction: usize) -> Option<&[Hub]> {
        self.range(node, direction).map(|range| &self.hubs[range])
    }

    /// Returns the place in the label of a node of a hub in [`of`](Self::of).
    pub(super) fn place(&self, node: u32, direction: usize, at: usize) -> Option<usize> {
        self.range(node, direction).map(|range| self.places[range][at].into())
    }

    #[inline]
    fn range(&self, node: u32, direction: usize) -> Option<Range<usize>> {
        let List { begin, ranges } = &self.lists[node as usize];
        let [first, end] = ranges[direction].map(usize::from);
        let begin = *begin as usize;
        (begin != UNKNOWN as usize).then_some(begin + first..begin + end)
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
        work.served.clear();
        work.served.resize(own, 0);
        let subgoals = corners.subgoals;
        let cell = corners.cells[node as usize];
        let before = before(subgoals.has_diagonals, subgoals.corners(cell));
        let mut looked = label.len();
        for &near in near {
            let to = corners.cells[near as usize];
            let step = subgoals.distance(cell, to);
            let [one, other] = subgoals.departures(cell, to).map(|first| before[first]);
            for hub in labels.of(near) {
                let place = work.at[hub.node as usize] as usize;
                if let Some(served) = work.served.get_mut(place)
                    && label[place].cost.checked_sub(hub.cost) == Some(step)
                {
                    *served |= one | other;
                }
            }
            looked += labels.of(near).len();
        }
        label.iter().for_each(|hub| work.at[hub.node as usize] = UNKNOWN);
        self.put(node, label, work);
        looked
    }

    /// Adds the list of a node, from the directions that its hubs serve.
    fn put(&mut self, node: u32, label: &[Hub], Work { served, sorted, .. }: &mut Work) {
        let mut counts = [0u8; 256];
        served.iter().for_each(|&served| counts[usize::from(served)] += 1);
        let mut kinds: Vec<u8> =
            (0..=u8::MAX).filter(|&kind| counts[usize::from(kind)] > 0).collect();
        let mut ranges = |cut: u32| {
            // Of a set of directions the first one from the cut on; then the longer sets first.
            kinds.sort_unstable_by_key(|&kind| {
                let kind = kind.rotate_right(cut);
                (kind.trailing_zeros(), std::cmp::Reverse(kind))
            });
            let (mut ranges, mut begin) = ([[u8::MAX, 0]; 8], 0);
            for &kind in &kinds {
                let end = begin + counts[usize::from(kind)];
                for (direction, range) in ranges.iter_mut().enumerate() {
                    if kind >> direction & 1 == 1 {
                        *range = [range[0].min(begin), end];
                    }
                }
                begin = end;
            }
            let length: u32 =
                ranges.iter().map(|range| u32::from(range[1].saturating_sub(range[0]))).sum();
            (length, cut, ranges.map(|[begin, end]| [begin.min(end), end]))
        };
        let best = (0..8).map(&mut ranges).min().unwrap_or_default();
        let (_, _, ranges) = ranges(best.1);
        let mut rank = [0u8; 256];
        for (at, &kind) in (0..).zip(&kinds) {
            rank[usize::from(kind)] = at;
        }
        sorted.clear();
        sorted.extend(0..served.len() as u8);
        sorted.sort_by_key(|&place| rank[usize::from(served[usize::from(place)])]);
        let begin = self.hubs.len() as u32;
        self.hubs.extend(sorted.iter().map(|&place| label[usize::from(place)]));
        self.places.extend_from_slice(sorted);
        self.used += sorted.len();
        // From directions clockwise to those in the order of offsets.
        self.lists[node as usize] =
            List { begin, ranges: CLOCKWISE.map(|direction| ranges[usize::from(direction)]) };
    }

    /// Drops lists that were replaced, if they are the greater part.
    pub(super) fn pack(&mut self, labels: &Labels) {
        if self.hubs.len() <= 2 * self.used {
            return;
        }
        let mut hubs = Vec::with_capacity(self.used);
        let mut places = Vec::with_capacity(self.used);
        for (node, list) in (0..).zip(&mut self.lists) {
            if list.begin != UNKNOWN {
                let begin = list.begin as usize;
                let range = begin..begin + labels.of(node).len() - 1;
                list.begin = hubs.len() as u32;
                hubs.extend_from_slice(&self.hubs[range.clone()]);
                places.extend_from_slice(&self.places[range]);
            }
        }
        (self.hubs, self.places) = (hubs, places);
    }

    /// Frees memory beyond that of the lists.
    pub(super) fn shrink(&mut self) {
        self.hubs.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        size_of::<List>() * self.lists.capacity()
            + size_of::<Hub>() * self.hubs.capacity()
            + self.places.capacity()
    }
}

/// The place of each direction around a cell, clockwise from north, of directions in the order of
/// the offsets of a layout.
const CLOCKWISE: [u8; 8] = [7, 0, 1, 6, 2, 5, 4, 3];

/// Returns, for each first step of an edge from a cell, the steps that it may follow on a cheapest
/// path: for first steps in the order of the offsets of a layout, bits clockwise from north.
fn before(has_diagonals: bool, corners: CornerBits) -> [u8; 8] {
    let may_follow = |first: u8, last: u8| {
        let turn = (first + 8 - last) % 8;
        match turn.min(8 - turn) {
            _ if !has_diagonals => turn != 4,
            0 | 1 => true,
            2 => {
                // The diagonal neighbour between the cell before and the cell after.
                let inner = if turn == 2 { first + 1 } else { first + 7 };
                first.is_multiple_of(2) && corners.has(inner % 8)
            }
            _ => false,
        }
    };
    CLOCKWISE
        .map(|first| (0..8).fold(0, |bits, last| bits | u8::from(may_follow(first, last)) << last))
}
