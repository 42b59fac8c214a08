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
    /// Whether only the costs below the diagonal are computed, and then copied to those above.
    is_symmetric: bool,
    /// A copy of a row.
    row: Vec<i32>,
}

impl CostTable {
    /// Makes room for nodes without paths between them. In a symmetric table paths cost the same
    /// in both directions.
    pub(super) fn clear(&mut self, nodes: usize, is_symmetric: bool) {
        self.nodes = nodes;
        self.is_symmetric = is_symmetric;
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
        let is_turned = self.is_symmetric && from < to;
        let (from, to) = if is_turned { (to, from) } else { (from, to) };
        let known = &mut self.costs[from * self.stride + to];
        *known = cost.min(*known);
    }

    /// Keeps the first nodes and eliminates the others. O(nodes³), less where few nodes have paths
    /// to an eliminated one.
    pub(super) fn keep(&mut self, kept: usize) {
        for node in (kept..self.nodes).rev() {
            let (before, row) = self.costs.split_at_mut(node * self.stride);
            let row = &row[..node.next_multiple_of(LANES)];
            for (other, known) in before.chunks_exact_mut(self.stride).enumerate() {
                if self.is_symmetric {
                    offer_through(lower(known, other), row[other], row);
                } else {
                    offer_through(known, known[node], row);
                }
            }
        }
        self.nodes = kept;
        self.costs.truncate(kept * self.stride);
        self.mirror();
    }

    /// Makes all costs those of cheapest paths. O(nodes³).
    pub(super) fn close(&mut self) {
        for node in 0..self.nodes {
            self.copy_row(node);
            for (other, known) in self.costs.chunks_exact_mut(self.stride).enumerate() {
                if self.is_symmetric {
                    offer_through(lower(known, other), self.row[other], &self.row);
                } else {
                    offer_through(known, known[node], &self.row);
                }
            }
        }
        self.mirror();
    }

    /// Copies the row of a node. A symmetric table has the costs to later nodes in its column.
    fn copy_row(&mut self, node: usize) {
        let length = self.nodes.next_multiple_of(LANES);
        self.row.clear();
        self.row.extend_from_slice(&self.costs[node * self.stride..][..length]);
        if self.is_symmetric {
            for later in node + 1..self.nodes {
                self.row[later] = self.costs[later * self.stride + node];
            }
        }
    }

    /// Copies the costs below the diagonal of a symmetric table to those above.
    fn mirror(&mut self) {
        if self.is_symmetric {
            for from in 0..self.nodes {
                for to in 0..from {
                    self.costs[to * self.stride + from] = self.costs[from * self.stride + to];
                }
            }
        }
    }
}

/// Returns the part of a row up to the diagonal, in whole vectors.
#[inline]
fn lower(row: &mut [i32], node: usize) -> &mut [i32] {
    &mut row[..(node + 1).next_multiple_of(LANES)]
}

/// Offers paths through a node: `known` are the costs from another one, `to_node` from there to the
/// node, and `row` those from the node.
#[inline]
fn offer_through(known: &mut [i32], to_node: i32, row: &[i32]) {
    if to_node < FAR {
        for (known, &on) in known.iter_mut().zip(row) {
            *known = (*known).min(to_node + on);
        }
    }
}
