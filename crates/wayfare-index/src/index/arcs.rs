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

/// The arcs of all nodes to more important nodes, one list after the other. Each list begins with
/// the least important one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Arcs {
    first: Vec<u32>,
    arcs: Vec<Arc>,
    /// The middle of each arc: a node less important than both its ends, or [`Arcs::EDGE`].
    middles: Vec<u32>,
}

impl Arcs {
    /// In place of the middle of an arc along an edge of the graph.
    pub(super) const EDGE: u32 = u32::MAX;
    /// The memory of an arc, in bytes.
    pub(super) const BYTES: usize = size_of::<Arc>() + 4;

    /// Returns the arcs of a contraction that are kept.
    pub(super) fn kept(joined: &Joined) -> Self {
        let kept = |node| joined.of(node).iter().filter(|up| up.is_kept);
        let nodes = 0..joined.len() as u32;
        let mut arcs =
            Self::with_capacity(joined.len(), nodes.clone().map(|node| kept(node).count()).sum());
        for node in nodes {
            kept(node).for_each(|up| arcs.put(Arc { to: up.to, cost: up.cost }, up.middle));
            arcs.end();
        }
        arcs
    }

    /// Returns no arcs, with room for those of `nodes` nodes.
    pub(super) fn with_capacity(nodes: usize, arcs: usize) -> Self {
        let mut first = Vec::with_capacity(nodes + 1);
        first.push(0);
        Self { first, arcs: Vec::with_capacity(arcs), middles: Vec::with_capacity(arcs) }
    }

    /// Adds an arc of the present node.
    pub(super) fn put(&mut self, arc: Arc, middle: u32) {
        self.arcs.push(arc);
        self.middles.push(middle);
    }

    /// Ends the list of the present node.
    pub(super) fn end(&mut self) {
        self.first.push(self.arcs.len() as u32);
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

    /// Returns the arcs of a node; `None` if there is no such node.
    pub(super) fn get(&self, node: u32) -> Option<&[Arc]> {
        ((node as usize) + 1 < self.first.len()).then(|| self.of(node))
    }

    /// Returns the middles of the arcs of a node.
    pub(super) fn middles_of(&self, node: u32) -> &[u32] {
        &self.middles[self.range(node)]
    }

    #[inline]
    fn range(&self, node: u32) -> Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
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
        self.arcs.len()
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * (self.first.capacity() + self.middles.capacity())
            + size_of::<Arc>() * self.arcs.capacity()
    }
}
