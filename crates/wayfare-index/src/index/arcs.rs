//! The arcs that queries climb: of each node to more important ones.

use std::ops::Range;

use super::contraction::Joined;
use super::graph::Graph;
use super::order::Order;

/// An arc to a more important node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) cost: u32,
}

/// The arcs of all nodes to more important nodes. Each list begins with the least important one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Arcs {
    /// Where the list of each node begins and ends.
    spans: Vec<[u32; 2]>,
    arcs: Vec<Arc>,
    /// The middle of each arc: a node less important than both its ends, or [`Arcs::EDGE`].
    middles: Vec<u32>,
    /// The number of arcs in lists.
    used: usize,
}

impl Arcs {
    /// In place of the middle of an arc along an edge of the graph.
    pub(super) const EDGE: u32 = u32::MAX;
    /// The memory of an arc, in bytes.
    pub(super) const BYTES: usize = size_of::<Arc>() + 4;

    /// Returns no arcs, with room for those of `nodes` nodes.
    pub(super) fn with_capacity(nodes: usize, arcs: usize) -> Self {
        let (arcs, middles) = (Vec::with_capacity(arcs), Vec::with_capacity(arcs));
        Self { spans: Vec::with_capacity(nodes), arcs, middles, used: 0 }
    }

    /// Returns the arcs of a contraction that are kept.
    pub(super) fn kept(joined: &Joined) -> Self {
        let kept = joined.lists().flatten().filter(|up| up.is_kept).count();
        let mut arcs = Self::with_capacity(joined.len(), kept);
        arcs.update(joined, &vec![true; joined.len()]);
        arcs
    }

    /// Takes the arcs of the nodes in `computed` from a contraction. Returns whether those of each
    /// node changed.
    pub(super) fn update(&mut self, joined: &Joined, computed: &[bool]) -> Vec<bool> {
        self.spans.resize(joined.len(), [0; 2]);
        let mut changed = vec![false; joined.len()];
        for node in (0..joined.len() as u32).filter(|&node| computed[node as usize]) {
            let (before, begin) = (self.range(node), self.arcs.len());
            for up in joined.of(node).iter().filter(|up| up.is_kept) {
                self.put(Arc { to: up.to, cost: up.cost }, up.middle);
            }
            let made = begin..self.arcs.len();
            let is_other = self.arcs[before.clone()] != self.arcs[made.clone()];
            changed[node as usize] = is_other;
            if is_other || self.middles[before.clone()] != self.middles[made.clone()] {
                self.used = self.used + made.len() - before.len();
                self.spans[node as usize] = [made.start as u32, made.end as u32];
            } else {
                self.arcs.truncate(begin);
                self.middles.truncate(begin);
            }
        }
        if self.arcs.len() > 2 * self.used {
            self.pack();
        }
        changed
    }

    /// Drops lists that were replaced.
    fn pack(&mut self) {
        let mut packed = Self::with_capacity(self.spans.len(), self.used);
        for node in 0..self.spans.len() as u32 {
            packed.push(self.of(node).iter().copied().zip(self.middles_of(node).iter().copied()));
        }
        *self = packed;
    }

    /// Adds the arcs of the next node, each with its middle.
    pub(super) fn push(&mut self, arcs: impl IntoIterator<Item = (Arc, u32)>) {
        let begin = self.arcs.len();
        arcs.into_iter().for_each(|(arc, middle)| self.put(arc, middle));
        self.spans.push([begin as u32, self.arcs.len() as u32]);
        self.used += self.arcs.len() - begin;
    }

    fn put(&mut self, arc: Arc, middle: u32) {
        self.arcs.push(arc);
        self.middles.push(middle);
    }

    /// Returns whether each arc is an edge of the graph or has a middle, nodes being numbered by
    /// importance. `Err` names a node with an arc that is neither.
    ///
    /// A middle is less important than the arc's ends. So taking arcs apart ends, at edges that
    /// cost as much as the arc.
    pub(super) fn check(&self, graph: &Graph, cost: impl Fn(u32, u32) -> u32) -> Result<(), u32> {
        for node in 0..graph.len() as u32 {
            for slot in self.range(node) {
                let (Arc { to, cost: known }, middle) = (self.arcs[slot], self.middles[slot]);
                let is_right = if middle == Self::EDGE {
                    graph.of(node).binary_search(&to).is_ok() && cost(node, to) == known
                } else {
                    let half = |to| Some(u64::from(self.arcs[self.slot(middle, to)?].cost));
                    middle > node
                        && (middle as usize) < graph.len()
                        && half(node).zip(half(to)).is_some_and(|(a, b)| a + b == u64::from(known))
                };
                if !is_right {
                    return Err(node);
                }
            }
        }
        Ok(())
    }

    /// Returns the arcs of a node.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[Arc] {
        &self.arcs[self.range(node)]
    }

    /// Returns the middles of the arcs of a node.
    pub(super) fn middles_of(&self, node: u32) -> &[u32] {
        &self.middles[self.range(node)]
    }

    #[inline]
    fn range(&self, node: u32) -> Range<usize> {
        let [begin, end] = self.spans[node as usize];
        begin as usize..end as usize
    }

    fn slot(&self, from: u32, to: u32) -> Option<usize> {
        let place = self.of(from).iter().position(|arc| arc.to == to)?;
        Some(self.range(from).start + place)
    }

    /// Returns the middle of the arc between two nodes; `None` if it is an edge, or if there is
    /// none.
    pub(super) fn middle(&self, order: &Order, [a, b]: [u32; 2]) -> Option<u32> {
        let [from, to] = if order.rank(a) > order.rank(b) { [a, b] } else { [b, a] };
        let slot = self.slot(from, to)?;
        Some(self.middles[slot]).filter(|&middle| middle != Self::EDGE)
    }

    /// Returns the number of arcs.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * self.middles.capacity()
            + 8 * self.spans.capacity()
            + size_of::<Arc>() * self.arcs.capacity()
    }
}
