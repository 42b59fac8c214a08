//! Hub labels of bends that see many others.
//!
//! Where hundreds of bends see each other, contraction (`contraction.rs` above) adds shortcuts
//! between nearly all of them. Here the importance of a bend is the count of shortest paths that it
//! lies on, and labels grow from each bend outwards. They are canonical labels as in `labels.rs`,
//! for another order of importance, and the proofs there apply: they rest on no property of the
//! order.
//!
//! # Why the labels are canonical
//!
//! Hubs are taken in order of importance. From hub `h` the graph is searched in order of distance,
//! but not beyond nodes that are more important than `h`, nor nodes that earlier labels *cover*:
//! both ends have a hub `g` such that the path over `g` is no longer.
//!
//! 1. **A canonical hub is found.** Let `h` be canonical for `v`. Then `h` is canonical for all
//!    nodes on the cheapest paths between both. None of them is covered: `g` would lie on such a
//!    path. So the search reaches `v` along one of them, at its distance.
//! 2. **No other hub is kept.** Let `g` be the most important node on all cheapest paths from `v`
//!    to `h`, and `g` not `h`. Then `g` is canonical for both, and covers `h`.
//!
//! Hubs of a batch are searched in parallel, each by the labels of the batches before. Their
//! results are then compared in order of importance, so that hubs of the batch cover each other
//! too. So the sizes of batches and the thread count do not affect the result.
//!
//! Sources: T. Akiba, Y. Iwata, Y. Yoshida, "Fast exact shortest-path distance queries on large
//! networks by pruned landmark labeling", 2013; D. Delling, A. Goldberg, T. Pajor, R. Werneck,
//! "Robust distance queries on massive networks", 2014 (the order by sampled trees).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use crate::index::graph::Graph;
use crate::index::labels::{Hub, Labels, Stopped};
use crate::index::parallel;

/// The count of shortest-path trees by which importance is counted.
const TREES: usize = 512;

/// The most hubs in a batch.
const BATCH: usize = 128;

/// A graph with the costs of its edges.
pub(super) struct Edges {
    first: Vec<u32>,
    edges: Vec<Edge>,
}

/// An edge to a node.
#[derive(Clone, Copy)]
struct Edge {
    to: u32,
    cost: u32,
}

impl Edges {
    pub(super) fn new(graph: &Graph, cost: impl Fn(u32, u32) -> u32) -> Self {
        let mut edges = Self { first: vec![0], edges: Vec::new() };
        for node in 0..graph.len() as u32 {
            let own = graph.of(node).iter().map(|&to| Edge { to, cost: cost(node, to) });
            edges.edges.extend(own);
            edges.first.push(edges.edges.len() as u32);
        }
        edges
    }

    fn of(&self, node: u32) -> &[Edge] {
        let node = node as usize;
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }

    fn len(&self) -> usize {
        self.first.len() - 1
    }
}

/// A tree of shortest paths. Nodes are numbered in preorder, so that a branch is a range.
struct Tree {
    /// The node at each index.
    nodes: Vec<u32>,
    /// The index of each node; `u32::MAX`: it is in no tree.
    places: Vec<u32>,
    /// The index of each node's parent, by index; the root's is its own.
    parents: Vec<u32>,
    /// The count of remaining nodes of each branch, by index.
    left: Vec<u32>,
    /// The end of each branch, by index.
    ends: Vec<u32>,
}

impl Tree {
    fn new(edges: &Edges, root: u32) -> Self {
        let count = edges.len();
        let mut costs = vec![u32::MAX; count];
        let mut parents = vec![root; count];
        let mut settled = Vec::new();
        let mut heap = BinaryHeap::from([Reverse((0, root))]);
        costs[root as usize] = 0;
        while let Some(Reverse((cost, at))) = heap.pop() {
            if cost > costs[at as usize] {
                continue;
            }
            settled.push(at);
            for edge in edges.of(at) {
                let reached = cost + edge.cost;
                let known = &mut costs[edge.to as usize];
                if reached < *known {
                    *known = reached;
                    parents[edge.to as usize] = at;
                    heap.push(Reverse((reached, edge.to)));
                }
            }
        }
        let mut sizes = vec![1_u32; count];
        for &node in settled.iter().skip(1).rev() {
            sizes[parents[node as usize] as usize] += sizes[node as usize];
        }
        // Parents are settled first: each hands out the indices behind its own.
        let mut places = vec![u32::MAX; count];
        let mut free = vec![0; count];
        let mut tree = Self {
            nodes: vec![0; settled.len()],
            places: Vec::new(),
            parents: vec![0; settled.len()],
            left: vec![0; settled.len()],
            ends: vec![0; settled.len()],
        };
        for &node in &settled {
            let parent = parents[node as usize] as usize;
            let (place, size) = (free[parent], sizes[node as usize]);
            free[parent] += size;
            free[node as usize] = place + 1;
            places[node as usize] = place;
            let at = place as usize;
            (tree.nodes[at], tree.left[at], tree.ends[at]) = (node, size, place + size);
            tree.parents[at] = if node == root { place } else { places[parent] };
        }
        // All paths of a tree begin at its root, which says nothing of its importance.
        tree.left[0] = 0;
        tree.places = places;
        tree
    }

    /// Takes the branch of a node away, and its paths off the `scores`.
    fn cut(&mut self, node: u32, scores: &mut [u64]) {
        let place = self.places[node as usize];
        let Some(&cut) = self.left.get(place as usize).filter(|left| **left > 0) else { return };
        let mut at = place;
        while self.parents[at as usize] != 0 && at != 0 {
            at = self.parents[at as usize];
            self.left[at as usize] -= cut;
            scores[self.nodes[at as usize] as usize] -= u64::from(cut);
        }
        for at in place..self.ends[place as usize] {
            let left = std::mem::take(&mut self.left[at as usize]);
            scores[self.nodes[at as usize] as usize] -= u64::from(left);
        }
    }
}

/// Returns the rank of each node by importance: 0 for the most important.
///
/// The next node is always the one on the most shortest paths of the trees that no earlier one lies
/// on.
pub(super) fn importance(edges: &Edges) -> Vec<u32> {
    let count = edges.len();
    let trees = TREES.min(count);
    // Nodes at even distances in a scattered order.
    let root = |tree: usize| (tree * count / trees) as u32;
    let mut trees = parallel::map(trees, || (), |(), tree| Tree::new(edges, root(tree)));
    let mut scores = vec![0_u64; count];
    for tree in &trees {
        for (&node, &left) in tree.nodes.iter().zip(&tree.left) {
            scores[node as usize] += u64::from(left);
        }
    }
    let rank = |score: u64, node: u32, whole: &[u64]| (score, whole[node as usize], Reverse(node));
    let whole = scores.clone();
    let mut heap: BinaryHeap<_> =
        (0..count as u32).map(|node| rank(scores[node as usize], node, &whole)).collect();
    let mut names = vec![0; count];
    let mut name = 0;
    while let Some((score, _, Reverse(node))) = heap.pop() {
        // Scores only fall.
        if score > scores[node as usize] {
            heap.push(rank(scores[node as usize], node, &whole));
            continue;
        }
        names[node as usize] = name;
        name += 1;
        for tree in &mut trees {
            tree.cut(node, &mut scores);
        }
    }
    names
}

/// The memory of a search from a hub.
struct Growth {
    costs: Vec<u32>,
    /// The costs from the hub to its own hubs.
    own: Vec<u32>,
    touched: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Growth {
    fn new(count: usize) -> Self {
        Self {
            costs: vec![u32::MAX; count],
            own: vec![u32::MAX; count],
            touched: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    /// Returns the nodes that may have the hub, with their costs. `self` is empty afterwards.
    fn grow(&mut self, edges: &Edges, hub: u32, labels: &[Vec<Hub>]) -> Vec<Hub> {
        for known in &labels[hub as usize] {
            self.own[known.node as usize] = known.cost;
        }
        let mut found = Vec::new();
        self.costs[hub as usize] = 0;
        self.touched.push(hub);
        self.heap.push(Reverse((0, hub)));
        while let Some(Reverse((cost, at))) = self.heap.pop() {
            if cost > self.costs[at as usize] {
                continue;
            }
            let is_covered = labels[at as usize].iter().any(|known| {
                let own = self.own[known.node as usize];
                own != u32::MAX && own + known.cost <= cost
            });
            if is_covered {
                continue;
            }
            found.push(Hub { node: at, cost });
            for edge in edges.of(at) {
                let reached = cost + edge.cost;
                let known = &mut self.costs[edge.to as usize];
                if edge.to > hub && reached < *known {
                    if *known == u32::MAX {
                        self.touched.push(edge.to);
                    }
                    *known = reached;
                    self.heap.push(Reverse((reached, edge.to)));
                }
            }
        }
        for node in self.touched.drain(..) {
            self.costs[node as usize] = u32::MAX;
        }
        for known in &labels[hub as usize] {
            self.own[known.node as usize] = u32::MAX;
        }
        found
    }
}

/// Returns the labels of a graph whose nodes are numbered by importance: at most `most` hubs in
/// all.
///
/// `on_progress` receives the count of finished hubs and may stop the work.
pub(super) fn labels(
    edges: &Edges,
    most: usize,
    on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Labels, Stopped> {
    let count = edges.len();
    let mut labels: Vec<Vec<Hub>> = vec![Vec::new(); count];
    let (mut done, mut total) = (0, 0);
    while done < count {
        // Few at first: the first hubs cover the most.
        let batch = (done / 16).clamp(1, BATCH).min(count - done);
        let made = parallel::map(
            batch,
            || Growth::new(count),
            |growth, place| growth.grow(edges, (done + place) as u32, &labels),
        );
        for (hub, found) in (done as u32..).zip(made) {
            for Hub { node, cost } in found {
                if !is_covered(&labels[node as usize], &labels[hub as usize], done as u32, cost) {
                    labels[node as usize].push(Hub { node: hub, cost });
                    total += 1;
                }
            }
        }
        done += batch;
        if total > most {
            return Err(Stopped::TooMany);
        }
        if on_progress(done).is_break() {
            return Err(Stopped::Cancelled);
        }
    }
    let mut made = Labels::with_capacity(count, total);
    for label in &mut labels {
        made.push(std::mem::take(label));
    }
    Ok(made)
}

/// Returns whether two labels have a common hub, from `first` on, over which the path costs at most
/// `cost`.
fn is_covered(one: &[Hub], other: &[Hub], first: u32, cost: u32) -> bool {
    let late = |label: &[Hub]| label.iter().rev().take_while(|hub| hub.node >= first).count();
    let (one, other) = (&one[one.len() - late(one)..], &other[other.len() - late(other)..]);
    let mut place = 0;
    one.iter().any(|hub| {
        while other.get(place).is_some_and(|known| known.node < hub.node) {
            place += 1;
        }
        let met = other.get(place).filter(|known| known.node == hub.node);
        met.is_some_and(|known| known.cost + hub.cost <= cost)
    })
}
