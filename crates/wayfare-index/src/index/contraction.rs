//! Contraction: orders the nodes by importance and finds each node's arcs to more important nodes.
//!
//! Nodes are removed from the graph, the least important first. Where a cheapest path between two
//! neighbours passed a removed node, a shortcut joins them.
//!
//! # Why distances stay as they were
//!
//! A round removes a set of nodes of which no two are joined. The claim: a round changes no
//! distance between remaining nodes.
//!
//! * Let a cheapest path pass a removed node `v` between its neighbours `a` and `b`. Both remain,
//!   because no two nodes of a round are joined. Either the shortcut `a`–`b` is added at the cost
//!   of `a`-`v`-`b`, or a witness path from `a` to `b` costs no more. Witness searches never enter
//!   a node of the round, so the witness path remains too. So no distance grows.
//! * A shortcut has the cost of a path that existed. So no distance shrinks.
//!
//! A witness search that gives up early adds a shortcut that is not needed, at the cost of a real
//! path. The searches of a round read the graph as it was before the round, so they can run in
//! parallel and their order cannot affect the result.
//!
//! # Why paths can be taken to go up, then down
//!
//! Let a cheapest path in the graph with all shortcuts have an inner node `v` that is less
//! important than both its neighbours on the path. When `v` was removed both were left, so a
//! shortcut or a witness path replaces the two steps through `v` at no greater cost. All nodes of
//! the replacement are more important than `v`. So replacing the least important such `v` again and
//! again ends, with a cheapest path that climbs to one most important node and descends from there.
//! `labels.rs` relies on this.
//!
//! Source: R. Geisberger, P. Sanders, D. Schultes, D. Delling, "Contraction hierarchies: faster and
//! simpler hierarchical routing in road networks", 2008.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::graph::Graph;
use super::parallel;

/// A neighbour and the cost of the arc to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) cost: u32,
}

/// The order of removal, and for each node its neighbours at the moment of its removal.
#[derive(Clone, Debug, Default)]
pub(super) struct UpwardGraph {
    /// All nodes, the least important first.
    pub(super) order: Vec<u32>,
    /// For each node its arcs to more important nodes, shortcuts included.
    pub(super) upward: Vec<Vec<Arc>>,
}

/// A shortcut between two nodes.
#[derive(Clone, Copy)]
struct Shortcut {
    ends: [u32; 2],
    cost: u32,
}

/// The most nodes that a witness search settles. A search that stops here may miss a witness path;
/// the shortcut it then adds costs memory, not correctness.
const MOST_SETTLED: usize = 60;

/// The working memory of a witness search.
struct Witness {
    costs: Vec<u32>,
    /// The largest cost of a witness path to each target node. 0 for all other nodes, and for
    /// targets that are reached already.
    wanted: Vec<u32>,
    /// The count of targets not yet reached.
    missing: usize,
    touched: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Witness {
    fn new(nodes: usize) -> Self {
        Self {
            costs: vec![u32::MAX; nodes],
            wanted: vec![0; nodes],
            missing: 0,
            touched: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    fn want(&mut self, node: u32, cost: u32) {
        self.wanted[node as usize] = cost;
        self.missing += 1;
    }

    #[inline]
    fn relax(&mut self, node: u32, cost: u32) {
        let known = &mut self.costs[node as usize];
        if cost < *known {
            if *known == u32::MAX {
                self.touched.push(node);
            }
            *known = cost;
            let wanted = &mut self.wanted[node as usize];
            if *wanted > 0 && cost <= *wanted {
                *wanted = 0;
                self.missing -= 1;
            }
            self.heap.push(Reverse((cost, node)));
        }
    }

    fn clear(&mut self) {
        self.heap.clear();
        self.missing = 0;
        for node in self.touched.drain(..) {
            self.costs[node as usize] = u32::MAX;
        }
    }
}

struct Contraction {
    arcs: Vec<Vec<Arc>>,
    /// Whether a node belongs to the current round or an earlier one.
    is_leaving: Vec<bool>,
    /// One more than the highest level among the node's removed neighbours.
    level: Vec<u32>,
    growth: Vec<u32>,
    /// Whether a neighbour was removed since the node's growth was computed.
    is_stale: Vec<bool>,
}

impl Contraction {
    /// Returns the shortcuts that the removal of a node requires: one for each pair of its
    /// neighbours without a witness path.
    fn shortcuts(&self, node: u32, witness: &mut Witness) -> Vec<Shortcut> {
        let around = &self.arcs[node as usize];
        let mut shortcuts = Vec::new();
        for (place, from) in around.iter().enumerate() {
            let others = &around[place + 1..];
            let Some(farthest) = others.iter().map(|to| to.cost).max() else { break };
            let most = from.cost.saturating_add(farthest);
            for to in others {
                witness.want(to.to, from.cost.saturating_add(to.cost));
            }
            witness.relax(from.to, 0);
            let mut settled = 0;
            while witness.missing > 0
                && settled < MOST_SETTLED
                && let Some(Reverse((cost, at))) = witness.heap.pop()
            {
                if cost > witness.costs[at as usize] {
                    continue;
                }
                settled += 1;
                for arc in &self.arcs[at as usize] {
                    let reached = cost.saturating_add(arc.cost);
                    if reached <= most && arc.to != node && !self.is_leaving[arc.to as usize] {
                        witness.relax(arc.to, reached);
                    }
                }
            }
            for to in others {
                let cost = std::mem::take(&mut witness.wanted[to.to as usize]);
                if cost > 0 {
                    shortcuts.push(Shortcut { ends: [from.to, to.to], cost });
                }
            }
            witness.clear();
        }
        shortcuts
    }

    /// Returns the arcs added per arc removed by a removal of `node`, in hundredths.
    fn growth_of(&self, node: u32, witness: &mut Witness) -> u32 {
        let removed = self.arcs[node as usize].len() as u32;
        let added = self.shortcuts(node, witness).len() as u32;
        100 * (added + 1) / (removed + 1)
    }

    /// Computes the growth of the given nodes.
    fn work_out(&mut self, nodes: &[u32]) {
        let scratch = || Witness::new(self.arcs.len());
        let growth = parallel::map(nodes.len(), scratch, |witness, place| {
            self.growth_of(nodes[place], witness)
        });
        for (&node, growth) in nodes.iter().zip(growth) {
            self.growth[node as usize] = growth;
            self.is_stale[node as usize] = false;
        }
    }

    /// Returns the importance of a node: low if its removal adds few arcs and keeps the hierarchy
    /// flat. Unique: the second part is the node's id times an odd factor, a bijection.
    fn key(&self, node: u32) -> (u32, u32) {
        let importance = 100 * self.level[node as usize] + self.growth[node as usize];
        (importance, node.wrapping_mul(0x9E37_79B9))
    }

    fn is_least(&self, node: u32) -> bool {
        let key = self.key(node);
        self.arcs[node as usize].iter().all(|arc| key < self.key(arc.to))
    }

    fn join(&mut self, Shortcut { ends: [a, b], cost }: Shortcut) {
        for (from, to) in [(a, b), (b, a)] {
            let arcs = &mut self.arcs[from as usize];
            match arcs.iter_mut().find(|arc| arc.to == to) {
                Some(arc) => arc.cost = arc.cost.min(cost),
                None => arcs.push(Arc { to, cost }),
            }
        }
    }

    /// Removes a node and returns its arcs. All of them lead to nodes that remain.
    fn take_out(&mut self, node: u32) -> Vec<Arc> {
        let arcs = std::mem::take(&mut self.arcs[node as usize]);
        let level = self.level[node as usize] + 1;
        for arc in &arcs {
            self.arcs[arc.to as usize].retain(|back| back.to != node);
            let above = &mut self.level[arc.to as usize];
            *above = (*above).max(level);
        }
        arcs
    }
}

/// Contracts all nodes. `on_progress` receives the count of removed nodes and may stop the work.
///
/// O(rounds · nodes) plus the witness searches, which settle at most [`MOST_SETTLED`] nodes each.
pub(super) fn contract(
    graph: &Graph,
    cost: impl Fn(u32, u32) -> u32,
    on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> ControlFlow<(), UpwardGraph> {
    let count = graph.len();
    let arcs = (0..count as u32)
        .map(|node| graph.of(node).iter().map(|&to| Arc { to, cost: cost(node, to) }).collect());
    let mut work = Contraction {
        arcs: arcs.collect(),
        is_leaving: vec![false; count],
        level: vec![0; count],
        growth: vec![0; count],
        is_stale: vec![true; count],
    };
    let mut hierarchy =
        UpwardGraph { order: Vec::with_capacity(count), upward: vec![Vec::new(); count] };
    let mut left: Vec<u32> = (0..count as u32).collect();
    work.work_out(&left);
    while !left.is_empty() {
        on_progress(hierarchy.order.len())?;
        // The growth of a node mostly rises as neighbours go, so a stale value is mostly too low.
        // Recomputing it only for nodes that look least important is enough.
        let mut round: Vec<u32> =
            left.iter().copied().filter(|&node| work.is_least(node)).collect();
        let stale: Vec<u32> =
            round.iter().copied().filter(|&node| work.is_stale[node as usize]).collect();
        work.work_out(&stale);
        round.retain(|&node| work.is_least(node));
        for &node in &round {
            work.is_leaving[node as usize] = true;
        }
        let shortcuts = parallel::map(
            round.len(),
            || Witness::new(count),
            |witness, place| work.shortcuts(round[place], witness),
        );
        for &node in &round {
            let arcs = work.take_out(node);
            arcs.iter().for_each(|arc| work.is_stale[arc.to as usize] = true);
            hierarchy.upward[node as usize] = arcs;
        }
        shortcuts.into_iter().flatten().for_each(|shortcut| work.join(shortcut));
        left.retain(|&node| !work.is_leaving[node as usize]);
        hierarchy.order.extend(round);
    }
    ControlFlow::Continue(hierarchy)
}
