//! Hub labels of corners, merged along arcs to more important corners.
//!
//! The label of a node is merged from the labels of the nodes that its arcs lead to. A hub that is
//! reached as cheaply through a more important hub is then dropped.
//!
//! # Why labels are canonical
//!
//! See `labels.rs` for the word. Write `d(v, h)` for the distance. By induction from the most
//! important node down:
//!
//! 1. **A canonical hub becomes a candidate at its distance.** Some cheapest path from `v` to `h`
//!    climbs and then descends (`contraction.rs`). Its highest node lies on a cheapest path, so it
//!    is `h`, and the path only climbs. Let `w` be its first node after `v`. Cheapest paths from
//!    `w` to `h` extend to cheapest paths from `v`, so `h` is canonical for `w`. By induction `w`
//!    has it at `d(w, h)`.
//! 2. **A canonical hub is kept.** `h` is dropped only if a candidate `g` in the label of `h` has
//!    `cost(g) + d(g, h) <= d(v, h)`. Then `g` lies on a cheapest path from `v` to `h`. All hubs of
//!    `h` but itself are more important than `h`, a contradiction.
//! 3. **Every other candidate is dropped.** Let `g` be the most important node on all cheapest
//!    paths from `v` to `h`, and `g != h`. Then `g` is canonical for `v` and for `h`. So it is a
//!    kept candidate at `d(v, g)`, and in the label of `h` at `d(g, h)`. It covers `h`, also if the
//!    candidate's cost is too high.
//!
//! # When there are labels
//!
//! A query by labels is several times as fast as one along arcs, and labels take memory for each
//! hub of each corner. They are made where a corner has few hubs. That depends on the arcs alone.
//!
//! Source: I. Abraham, D. Delling, A. Goldberg, R. Werneck, "Hierarchical hub labelings for
//! shortest paths", 2012.

use super::contraction::Arcs;
use super::labels::{Hop, Hub, Labels};

/// The hubs of all corners, and for each one the first arc on the path to it.
#[derive(Clone, Debug)]
pub(super) struct Hubs {
    labels: Labels,
    hops: Vec<Hop>,
}

/// The most nodes that a node reaches by arcs, on average, if labels are made.
const MOST_REACHED: usize = 128;
/// The number of nodes that the average is taken of.
const SAMPLES: usize = 256;
/// The most nodes that any node reaches by arcs, if labels are made.
const MOST_CANDIDATES: usize = 4096;

impl Hubs {
    /// Returns the hubs of all nodes; `None` where labels would be long.
    ///
    /// O(n · k²) time for `n` nodes with `k` hubs each. The limits hold for arcs of forged files
    /// too.
    pub(super) fn new(arcs: &Arcs, count: usize) -> Option<Self> {
        if reached(arcs, count) > SAMPLES.min(count) * MOST_REACHED {
            return None;
        }
        let mut made = Self { labels: Labels::with_capacity(count, 0), hops: Vec::new() };
        let (mut costs, mut hops) = (vec![u64::MAX; count], vec![Hop::default(); count]);
        for node in 0..count as u32 {
            made.add(node, arcs, &mut costs, &mut hops)?;
            if made.hops.len() > count * 2 * MOST_REACHED {
                return None;
            }
        }
        made.labels.shrink();
        made.hops.shrink_to_fit();
        Some(made)
    }

    /// Adds the label of the next node. `costs` has [`u64::MAX`] for each node, and is left like
    /// that.
    fn add(&mut self, node: u32, arcs: &Arcs, costs: &mut [u64], hops: &mut [Hop]) -> Option<()> {
        let mut candidates = Vec::new();
        for (neighbour, arc) in arcs.of(node).iter().enumerate() {
            for (place, hub) in self.labels.of(arc.to).iter().enumerate() {
                let known = &mut costs[hub.node as usize];
                if *known == u64::MAX {
                    candidates.push(hub.node);
                }
                let cost = u64::from(arc.cost) + u64::from(hub.cost);
                if cost < *known {
                    *known = cost;
                    hops[hub.node as usize] = Hop {
                        neighbour: neighbour.try_into().ok()?,
                        place: place.try_into().ok()?,
                    };
                }
            }
        }
        if candidates.len() > MOST_CANDIDATES {
            return None;
        }
        candidates.sort_unstable();
        let mut label = Vec::with_capacity(candidates.len() + 1);
        for &candidate in &candidates {
            let cost = costs[candidate as usize];
            // In order of importance. A dropped candidate has no cost any more and covers nothing.
            let is_covered = self.labels.of(candidate).iter().any(|hub| {
                let known = costs[hub.node as usize];
                hub.node != candidate && known != u64::MAX && known + u64::from(hub.cost) <= cost
            });
            if is_covered {
                costs[candidate as usize] = u64::MAX;
            } else {
                label.push(Hub { node: candidate, cost: cost.try_into().ok()? });
                self.hops.push(hops[candidate as usize]);
            }
        }
        for candidate in candidates {
            costs[candidate as usize] = u64::MAX;
        }
        label.push(Hub { node, cost: 0 });
        self.hops.push(Hop::default());
        self.labels.push(label);
        Some(())
    }

    /// Returns the hubs of a node.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[Hub] {
        self.labels.of(node)
    }

    /// Visits the nodes from `from` to one of its hubs, both included. Arcs join them.
    pub(super) fn walk(&self, arcs: &Arcs, from: u32, hub: u32, mut visit: impl FnMut(u32)) {
        let Ok(mut place) = self.of(from).binary_search_by_key(&hub, |hub| hub.node) else {
            return;
        };
        let mut node = from;
        visit(node);
        while node != hub {
            let hop = self.hops[self.labels.range(node).start + place];
            node = arcs.of(node)[usize::from(hop.neighbour)].to;
            place = usize::from(hop.place);
            visit(node);
        }
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.labels.size_in_bytes() + size_of::<Hop>() * self.hops.capacity()
    }
}

/// Returns the number of nodes that [`SAMPLES`] nodes reach by arcs, of all of these together.
fn reached(arcs: &Arcs, count: usize) -> usize {
    let samples = SAMPLES.min(count);
    let (mut seen, mut open, mut reached) = (vec![u32::MAX; count], Vec::new(), 0);
    for sample in 0..samples {
        let node = (sample * count / samples) as u32;
        open.push(node);
        seen[node as usize] = sample as u32;
        while let Some(node) = open.pop() {
            reached += 1;
            for arc in arcs.of(node) {
                if std::mem::replace(&mut seen[arc.to as usize], sample as u32) != sample as u32 {
                    open.push(arc.to);
                }
            }
        }
    }
    reached
}
