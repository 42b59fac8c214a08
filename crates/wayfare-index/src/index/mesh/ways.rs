//! Ways: the hubs of each bend, by the next bend on a shortest path to them.
//!
//! A query that arrives at a bend can leave it only around its walls, and only towards a bend that
//! may lie on a path short enough. Both are known of the next bend, so a query skips all hubs
//! behind one at once.
//!
//! # Why no hub of a shortest path is skipped
//!
//! Let a shortest path come from direction `u` to bend `v`, and have hub `h`. Let the stored way
//! from `v` to `h` leave towards `w`. It is as short as the path's own, so the path that leaves by
//! it is shortest, too. So it turns around the walls of `v`, or could be cut short there.

use glam::DVec2;

use super::bends::{Bends, Sides};
use crate::index::graph::Graph;
use crate::index::labels::{Hop, Hub, Labels};

/// The bit of the next bend that says that the way leaves on the side of the first wall.
const FIRST: u32 = 31;
/// The same for the last wall.
const LAST: u32 = 30;

/// The hubs of a bend behind one next bend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// The next bend, or the bend itself for the hub that it is; in the two highest bits the sides
    /// of the bend that it leaves on.
    next: u32,
    /// The end of its hubs among all hubs. They begin at the end of the previous way.
    end: u32,
}

/// The ways of all bends, with their hubs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Ways {
    first: Vec<u32>,
    ways: Vec<Way>,
    /// The hubs of each way ascend.
    hubs: Vec<Hub>,
}

impl Ways {
    /// Sorts the hubs of labels by the next bend. `hops` are those of the labels.
    pub(super) fn new(bends: &Bends, graph: &Graph, labels: &Labels, hops: &[Hop]) -> Self {
        let nodes = bends.all.len();
        let mut ways = Self::with_capacity(nodes, 0, labels.len());
        let mut sorted: Vec<(u32, Hub)> = Vec::new();
        for node in 0..nodes as u32 {
            sorted.clear();
            for (hub, hop) in labels.of(node).iter().zip(&hops[labels.range(node)]) {
                let next = if hub.node == node {
                    node
                } else {
                    graph.of(node)[usize::from(hop.neighbour)]
                };
                sorted.push((next, *hub));
            }
            sorted.sort_unstable_by_key(|(next, hub)| (*next, hub.node));
            for own in sorted.chunk_by(|one, other| one.0 == other.0) {
                ways.push(bends, node, own[0].0, own.iter().map(|(_, hub)| *hub));
            }
            ways.end_node();
        }
        ways.ways.shrink_to_fit();
        ways
    }

    /// Returns no ways, with room for the ways of that many bends.
    pub(super) fn with_capacity(nodes: usize, ways: usize, hubs: usize) -> Self {
        let mut first = Vec::with_capacity(nodes + 1);
        first.push(0);
        Self { first, ways: Vec::with_capacity(ways), hubs: Vec::with_capacity(hubs) }
    }

    /// Adds the next way of a bend, and returns its hubs.
    pub(super) fn push(
        &mut self,
        bends: &Bends,
        node: u32,
        next: u32,
        hubs: impl IntoIterator<Item = Hub>,
    ) -> &[Hub] {
        let begin = self.hubs.len();
        self.hubs.extend(hubs);
        let bend = &bends.all[node as usize];
        let sides = bend.sides(bends.all[next as usize].place - bend.place);
        let sides = u32::from(sides.first) << FIRST | u32::from(sides.last) << LAST;
        self.ways.push(Way { next: next | sides, end: self.hubs.len() as u32 });
        &self.hubs[begin..]
    }

    /// Ends the ways of a bend: the next one's follow.
    pub(super) fn end_node(&mut self) {
        self.first.push(self.ways.len() as u32);
    }

    /// Returns a bend with a hub that the next bend does not have, at a cost lower by exactly the
    /// edge to it; or that has a hub twice. `nodes` is the count of bends. O(hubs).
    ///
    /// The ways of labels justify each other: see [`Labels::hops`].
    pub(super) fn unjustified(&self, nodes: u32, cost: impl Fn(u32, u32) -> u32) -> Option<u32> {
        // The ways to each bend, one list after the other.
        let mut first = vec![0_u32; nodes as usize + 1];
        self.ways.iter().for_each(|way| first[way.next() as usize + 1] += 1);
        for node in 0..nodes as usize {
            first[node + 1] += first[node];
        }
        let mut to = vec![(0, 0); self.ways.len()];
        let mut free = first.clone();
        for node in 0..nodes {
            for place in self.first[node as usize]..self.first[node as usize + 1] {
                let next = &mut free[self.ways[place as usize].next() as usize];
                to[*next as usize] = (node, place);
                *next += 1;
            }
        }
        // The costs from one bend after the other to its hubs.
        let mut costs = vec![(u32::MAX, 0); nodes as usize];
        for next in 0..nodes {
            for hub in self.of(next).flat_map(|(_, hubs)| hubs) {
                let Some(known) = costs.get_mut(hub.node as usize) else { return Some(next) };
                if known.0 == next {
                    return Some(next);
                }
                *known = (next, hub.cost);
            }
            let ways = first[next as usize] as usize..first[next as usize + 1] as usize;
            for &(node, place) in &to[ways] {
                let step = cost(node, next);
                let is_justified = |hub: &Hub| {
                    let known = costs.get(hub.node as usize).filter(|known| known.0 == next);
                    known.is_some_and(|known| known.1.checked_add(step) == Some(hub.cost))
                };
                if node != next && !self.hubs_of(place).iter().all(is_justified) {
                    return Some(node);
                }
            }
        }
        None
    }

    /// Returns the hubs of the way with that index.
    fn hubs_of(&self, place: u32) -> &[Hub] {
        let place = place as usize;
        let begin = if place == 0 { 0 } else { self.ways[place - 1].end as usize };
        &self.hubs[begin..self.ways[place].end as usize]
    }

    /// Returns the ways of a bend, each with its hubs.
    #[inline]
    pub(super) fn of(&self, node: u32) -> impl Iterator<Item = (Way, &[Hub])> + '_ {
        let range = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        let mut begin = if range.start == 0 { 0 } else { self.ways[range.start - 1].end as usize };
        self.ways[range].iter().map(move |way| {
            let own = begin..way.end as usize;
            begin = own.end;
            (*way, &self.hubs[own])
        })
    }

    /// Returns the way to a hub of a bend, and the cost to the hub.
    pub(super) fn to(&self, node: u32, hub: u32) -> Option<(u32, u32)> {
        self.of(node).find_map(|(way, hubs)| {
            let place = hubs.binary_search_by_key(&hub, |hub| hub.node).ok()?;
            Some((way.next(), hubs[place].cost))
        })
    }

    /// Returns the number of ways.
    pub(super) fn count(&self) -> usize {
        self.ways.len()
    }

    /// Returns the number of hubs.
    pub(super) fn len(&self) -> usize {
        self.hubs.len()
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * self.first.capacity()
            + size_of::<Way>() * self.ways.capacity()
            + size_of::<Hub>() * self.hubs.capacity()
    }
}

impl Way {
    /// Returns the next bend; the bend itself for the hub that it is.
    #[inline]
    pub(super) fn next(self) -> u32 {
        self.next & !(1 << FIRST | 1 << LAST)
    }

    /// Returns whether a path that comes from a direction, with its sides, may leave a bend by this
    /// way in direction `exit`.
    #[inline]
    pub(super) fn follows(self, from: DVec2, sides: Sides, exit: DVec2) -> bool {
        let turn = from.perp_dot(exit);
        (sides.first && self.next >> LAST & 1 == 1 && turn <= 0.0)
            || (sides.last && self.next >> FIRST & 1 == 1 && turn >= 0.0)
    }
}
