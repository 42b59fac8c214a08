//! The order of nodes by importance, apart from their numbers.
//!
//! An edit adds nodes in the middle of the order, and the numbers of others stay: lists by number
//! remain right. Ranks are counted again then.

use std::collections::BinaryHeap;

/// The nodes by importance, and the rank of each. Rank 0 is the most important.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// The rank of each node; [`Order::NONE`] for numbers without a node.
    pub(super) rank: Vec<u32>,
    pub(super) nodes: Vec<u32>,
}

impl Order {
    pub(super) const NONE: u32 = u32::MAX;

    /// Returns the order of nodes that are numbered by importance.
    pub(super) fn by_number(count: usize) -> Self {
        let nodes: Vec<u32> = (0..count as u32).collect();
        Self { rank: nodes.clone(), nodes }
    }

    /// Returns the order of nodes by importance, of `count` numbers.
    pub(super) fn of(nodes: Vec<u32>, count: usize) -> Self {
        let mut rank = vec![Self::NONE; count];
        for (at, &node) in (0..).zip(&nodes) {
            rank[node as usize] = at;
        }
        Self { rank, nodes }
    }

    /// Returns the rank of a node.
    #[inline]
    pub(super) fn rank(&self, node: u32) -> u32 {
        self.rank[node as usize]
    }

    /// Inserts nodes, each before the node that has the rank beside it.
    pub(super) fn insert(&mut self, mut added: Vec<(u32, u32)>, count: usize) {
        added.sort_unstable();
        let mut nodes = Vec::with_capacity(self.nodes.len() + added.len());
        let mut begun = 0;
        for (rank, node) in added {
            nodes.extend_from_slice(&self.nodes[begun..rank as usize]);
            nodes.push(node);
            begun = rank as usize;
        }
        nodes.extend_from_slice(&self.nodes[begun..]);
        *self = Self::of(nodes, count);
    }

    /// Returns the rank to insert a node at that sees the nodes `near`.
    ///
    /// `parent` returns the least important of the more important nodes that a node is joined to,
    /// if there are any. The parents form a tree: nodes in different branches are divided by nodes
    /// above. A node that sees several branches joins them. It belongs to the nodes that divide
    /// these: it is inserted below the node where the uppermost of its branches part. If it sees
    /// one branch alone, it is inserted below all nodes that it sees.
    pub(super) fn place_beside(&self, near: &[u32], parent: impl Fn(u32) -> Option<u32>) -> u32 {
        // The least important first, each with the number of branches that lead to it.
        let known = near.iter().map(|&node| self.rank(node)).filter(|&rank| rank != Self::NONE);
        let mut open: BinaryHeap<(u32, u32)> = known.map(|rank| (rank, 0)).collect();
        let mut place = open.peek().map_or(self.nodes.len() as u32, |lowest| lowest.0 + 1);
        while let Some((rank, mut branches)) = open.pop() {
            while open.peek().is_some_and(|next| next.0 == rank) {
                branches += open.pop().map_or(0, |next| next.1);
            }
            if branches > 1 {
                place = rank + 1;
            }
            if open.is_empty() {
                break;
            }
            match parent(self.nodes[rank as usize]) {
                Some(parent) => open.push((self.rank(parent), 1)),
                // It joins islands.
                None => place = 0,
            }
        }
        place
    }
}
