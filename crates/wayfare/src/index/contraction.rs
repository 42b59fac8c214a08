//! Contraction: an order of the nodes by importance, and for each node its neighbours of more importance.
//!
//! R. Geisberger, P. Sanders, D. Schultes, D. Delling, "Contraction hierarchies: faster and simpler hierarchical routing in road networks",
//! 2008. Nodes are taken out one after the other, the least important first, and shortcuts put in where a cheapest path led through
//! them. All that are less important than their neighbours are taken out in one round, side by side: the searches for other ways
//! around a node pass none of that round, so that the order of the work does not show in the result.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::graph::Graph;
use super::parallel;

/// A neighbour and what the way to it costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) cost: u32,
}

/// The nodes in the order they were taken out, and what they were joined to then.
#[derive(Clone, Debug, Default)]
pub(super) struct UpwardGraph {
    /// The least important first.
    pub(super) order: Vec<u32>,
    /// For every node its neighbours of more importance.
    pub(super) upward: Vec<Vec<Arc>>,
}

/// A shortcut between two nodes.
#[derive(Clone, Copy)]
struct Shortcut {
    ends: [u32; 2],
    cost: u32,
}

/// A search around a node gives up after so many nodes: another way may then be missed, and the shortcut is superfluous.
const MOST_SETTLED: usize = 60;

/// What a search around a node works in.
struct Witness {
    costs: Vec<u32>,
    /// What the way to a node has to cost at most; zero for those that are not looked for, and once such a way is found.
    wanted: Vec<u32>,
    /// How many are still looked for.
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
    /// Taken out in the round under way, or about to be.
    is_leaving: Vec<bool>,
    /// One more than the highest among the neighbours that were taken out.
    level: Vec<u32>,
    growth: Vec<u32>,
    /// Whether the growth may have changed since it was worked out.
    is_stale: Vec<bool>,
}

impl Contraction {
    /// The shortcuts that have to be put in when a node is taken out.
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

    /// How many arcs would be added for each that goes, in hundredths, if a node were taken out.
    fn growth_of(&self, node: u32, witness: &mut Witness) -> u32 {
        let removed = self.arcs[node as usize].len() as u32;
        let added = self.shortcuts(node, witness).len() as u32;
        100 * (added + 1) / (removed + 1)
    }

    /// Works out the growth of some nodes.
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

    /// How important a node is: taking it out should add few arcs and keep the hierarchy low. No two are the same.
    fn key(&self, node: u32) -> (u32, u32) {
        let importance = 100 * self.level[node as usize] + self.growth[node as usize];
        (importance, node.wrapping_mul(0x9E37_79B9)) // an odd factor: no two the same
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

    /// Takes a node out, and returns what it was joined to.
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

/// Takes out all nodes. `beat` hears how many are out, and may stop it.
pub(super) fn contract(
    graph: &Graph,
    cost: impl Fn(u32, u32) -> u32,
    beat: &mut dyn FnMut(usize) -> ControlFlow<()>,
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
        beat(hierarchy.order.len())?;
        // What a node adds mostly grows as its neighbours go: it is worked out anew only for those whose turn it seems to be.
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
