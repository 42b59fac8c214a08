//! Cheapest costs among some nodes of a graph, by the elimination of the others.
//!
//! # Why no cost is lost
//!
//! To *eliminate* a node is to offer each pair of the remaining nodes the path through it: from the
//! one to the node and on to the other. A cheapest path between remaining nodes visits the node at
//! most once, so the costs between them stay the same. When only the *kept* nodes remain, a path
//! between two of them visits kept nodes alone. Offering every pair the paths through each kept
//! node in turn makes all costs final (R. W. Floyd, "Algorithm 97: shortest path", 1962).
//!
//! The costs lie in a square table. A row takes part as a whole, without branches, so that
//! compilers use vector instructions.

/// No path. The sum of two such costs does not wrap.
pub(super) const FAR: i32 = i32::MAX / 2;
/// Rows begin at multiples of this, as vectors do.
const LANES: usize = 8;

/// The costs between the nodes of a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct CostTable {
    nodes: usize,
    /// Costs from one row to the next.
    stride: usize,
    costs: Vec<i32>,
    /// A copy of a row.
    row: Vec<i32>,
}

impl CostTable {
    /// Makes room for nodes without paths between them.
    pub(super) fn clear(&mut self, nodes: usize) {
        self.nodes = nodes;
        self.stride = nodes.next_multiple_of(LANES);
        self.costs.clear();
        self.costs.resize(self.nodes * self.stride, FAR);
        for node in 0..nodes {
            self.costs[node * self.stride + node] = 0;
        }
    }

    /// Returns the costs from a node to all nodes.
    pub(super) fn row(&self, from: usize) -> &[i32] {
        &self.costs[from * self.stride..from * self.stride + self.nodes]
    }

    /// Returns the costs from a node to all nodes.
    pub(super) fn row_mut(&mut self, from: usize) -> &mut [i32] {
        &mut self.costs[from * self.stride..from * self.stride + self.nodes]
    }

    /// Offers a path from a node to another.
    pub(super) fn offer(&mut self, from: usize, to: usize, cost: i32) {
        let known = &mut self.costs[from * self.stride + to];
        *known = cost.min(*known);
    }

    /// Keeps the first nodes and eliminates the others. O(nodes³), less where few nodes have paths
    /// to an eliminated one.
    pub(super) fn keep(&mut self, kept: usize) {
        for node in (kept..self.nodes).rev() {
            let (before, row) = self.costs.split_at_mut(node * self.stride);
            let row = &row[..node.next_multiple_of(LANES)];
            for other in before.chunks_exact_mut(self.stride) {
                offer_through(other, node, row);
            }
        }
        self.nodes = kept;
        self.costs.truncate(kept * self.stride);
    }

    /// Makes all costs those of cheapest paths. O(nodes³).
    pub(super) fn close(&mut self) {
        let length = self.nodes.next_multiple_of(LANES);
        for node in 0..self.nodes {
            let row = &self.costs[node * self.stride..][..length];
            self.row.clear();
            self.row.extend_from_slice(row);
            for other in self.costs.chunks_exact_mut(self.stride) {
                offer_through(other, node, &self.row);
            }
        }
    }
}

/// Offers paths through a node: `known` are the costs from another one, `row` those from the node.
#[inline]
fn offer_through(known: &mut [i32], node: usize, row: &[i32]) {
    let to_node = known[node];
    if to_node < FAR {
        for (known, &on) in known.iter_mut().zip(row) {
            *known = (*known).min(to_node + on);
        }
    }
}
