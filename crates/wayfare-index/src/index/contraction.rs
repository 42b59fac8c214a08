//! Contraction: the arcs of each corner to more important corners.
//!
//! Nodes are numbered by importance: 0 is the most important. A *route* between two nodes passes
//! only less important nodes in between. The contraction joins `v` to each more important `x` to
//! which it has a route, at the cost `d(v, x)` of a cheapest path. Two more important neighbours of
//! a node have a route through it, so they are joined too: all of this needs triangles of three
//! joined nodes alone.
//!
//! 1. [`Joined::new`] finds the pairs.
//! 2. [`Joined::descend`] computes the cost of a cheapest route between each pair, from the least
//!    important node up: a route consists of an edge, or of two routes that meet at its most
//!    important inner node.
//! 3. [`Joined::ascend`] computes `d(v, x)`, from the most important node down, and drops arcs.
//!
//! # Why cheapest paths can be taken to climb, then descend
//!
//! Let an inner node of a cheapest path be less important than both its neighbours on the path. The
//! two are joined, so an arc replaces the steps through it at no greater cost. Repeating this ends,
//! as paths get shorter: the path then climbs to its most important node and descends from there.
//!
//! # Why step 3 finds `d(v, x)`
//!
//! A cheapest path from `v` to `x` as above begins with an arc up, to `y`, at the cost of a
//! cheapest route. Then `d(v, x)` is the sum of that cost and `d(y, x)`. The nodes `y` and `x` are
//! joined, and `d(y, x)` is known, as both are more important than `v`.
//!
//! # Why arcs may be dropped
//!
//! The arc from `v` to `x` is dropped if `d(v, y) + d(y, x) = d(v, x)` for another `y` joined to
//! `v`. The claim: arcs that are kept form a path from `v` to `x` at the cost `d(v, x)` whose
//! nodes, `v` aside, are more important than `v`. By induction over `v`, most important first, and
//! `d(v, x)`, cheapest first, they form such paths from `v` to `y` and from `y` to `x`. Removing
//! the nodes less important than both their neighbours, as above, leaves a path that climbs, then
//! descends.
//!
//! # Why an arc that is kept has a middle
//!
//! Let the arc from `v` to `x` be kept and be no edge. A cheapest path from `v` to `x` passes no
//! node more important than `v`: the first arc up to it would lead to a `y` as above. Let `u` be
//! the most important inner node of all such paths. Then `u` has routes to `v` and `x`. An arc from
//! `u` to `v` would be dropped only for a more important node than `u` on a cheapest path from `v`
//! to `x`. So both are kept, and `u` is the *middle* of the arc: the two arcs from `u` cost as much
//! as the arc.
//!
//! Sources: J. Dibbelt, B. Strasser, D. Wagner, "Customizable contraction hierarchies", 2016.
//! R. Geisberger, P. Sanders, D. Schultes, D. Delling, "Contraction hierarchies", 2008.

use std::ops::{ControlFlow, Range};

use super::graph::Graph;

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

/// Why no arcs were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// The progress callback stopped the work.
    Cancelled,
    /// There are more arcs than the limit.
    TooMany,
    /// A path costs [`u32::MAX`] or more.
    CostRange,
}

impl Arcs {
    /// In place of the middle of an arc along an edge of the graph.
    pub(super) const EDGE: u32 = u32::MAX;
    /// The memory of an arc, in bytes.
    pub(super) const BYTES: usize = size_of::<Arc>() + 4;

    /// Contracts a graph with numbered nodes. Stops if more than `most` pairs are joined.
    ///
    /// `on_progress` receives the number of finished nodes and may stop the work.
    pub(super) fn new(
        graph: &Graph,
        cost: impl Fn(u32, u32) -> u32,
        most: usize,
        on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Self, Stopped> {
        let mut joined = Joined::new(graph, &cost, most).ok_or(Stopped::TooMany)?;
        let lower = Lower::new(graph.len(), &joined.arcs, |node| joined.range(node));
        // Both steps count every node once, so each is half of the work.
        let half = &mut |done: usize| on_progress(done / 2);
        joined.descend(&lower, half).ok_or(Stopped::Cancelled)?;
        let half = &mut |done: usize| on_progress((graph.len() + done) / 2);
        let is_kept = joined.ascend(&lower, half).ok_or(Stopped::Cancelled)?;
        if joined.arcs.iter().any(|arc| arc.cost == u32::MAX) {
            return Err(Stopped::CostRange);
        }
        let mut kept = Self::with_capacity(graph.len(), is_kept.iter().filter(|&&it| it).count());
        for node in 0..graph.len() as u32 {
            let range = joined.range(node);
            let arcs = joined.arcs[range.clone()].iter().zip(&is_kept[range]);
            for (&arc, _) in arcs.filter(|(_, is_kept)| **is_kept) {
                kept.put(arc, Self::EDGE);
            }
            kept.end();
        }
        kept.find_middles(graph, cost);
        on_progress(graph.len()).is_continue().then_some(kept).ok_or(Stopped::Cancelled)
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

    /// Finds the middles of arcs that are no edges.
    fn find_middles(&mut self, graph: &Graph, cost: impl Fn(u32, u32) -> u32) {
        let count = self.first.len() - 1;
        let lower = Lower::new(count, &self.arcs, |node| self.range(node));
        let mut slots = vec![NONE; count];
        for node in 0..count as u32 {
            let range = self.range(node);
            for slot in range.clone() {
                let Arc { to, cost: known } = self.arcs[slot];
                let is_edge = graph.of(node).binary_search(&to).is_ok() && cost(node, to) == known;
                slots[to as usize] = if is_edge { NONE } else { slot as u32 };
            }
            // The most important middle comes last.
            for &LowerArc { slot, end } in lower.of(node) {
                let (from, rest) = (self.arcs[slot as usize], slot as usize + 1..end as usize);
                for arc in &self.arcs[rest] {
                    let known = slots[arc.to as usize];
                    if known != NONE
                        && u64::from(from.cost) + u64::from(arc.cost)
                            == u64::from(self.arcs[known as usize].cost)
                    {
                        self.middles[known as usize] = lower.from(slot);
                    }
                }
            }
            self.arcs[range].iter().for_each(|arc| slots[arc.to as usize] = NONE);
        }
    }

    /// Returns whether each arc is an edge of the graph or has a middle. `Err` names a node with an
    /// arc that is neither.
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
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    fn slot(&self, from: u32, to: u32) -> Option<usize> {
        let place = self.of(from).binary_search_by(|arc| to.cmp(&arc.to)).ok()?;
        Some(self.range(from).start + place)
    }

    /// Returns the middle of the arc between two nodes; `None` if it is an edge, or if there is
    /// none.
    pub(super) fn middle(&self, [a, b]: [u32; 2]) -> Option<u32> {
        let slot = self.slot(a.max(b), a.min(b))?;
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

/// No node or arc.
const NONE: u32 = u32::MAX;

/// An arc into a node: its index, and that of the end of the list that it is in.
#[derive(Clone, Copy)]
struct LowerArc {
    slot: u32,
    end: u32,
}

/// The arcs into each node from less important ones, the least important first.
struct Lower {
    first: Vec<u32>,
    arcs: Vec<LowerArc>,
    /// The node of each arc's list.
    origins: Vec<u32>,
}

impl Lower {
    fn new(count: usize, arcs: &[Arc], range: impl Fn(u32) -> Range<usize>) -> Self {
        let mut first = vec![0; count + 2];
        arcs.iter().for_each(|arc| first[arc.to as usize + 2] += 1);
        for node in 2..first.len() {
            first[node] += first[node - 1];
        }
        let mut lower = vec![LowerArc { slot: 0, end: 0 }; arcs.len()];
        let mut origins = vec![0; arcs.len()];
        for node in (0..count as u32).rev() {
            let range = range(node);
            for slot in range.clone() {
                let place = &mut first[arcs[slot].to as usize + 1];
                lower[*place as usize] = LowerArc { slot: slot as u32, end: range.end as u32 };
                *place += 1;
                origins[slot] = node;
            }
        }
        Self { first, arcs: lower, origins }
    }

    fn of(&self, node: u32) -> &[LowerArc] {
        let node = node as usize;
        &self.arcs[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Returns the node that an arc leaves.
    fn from(&self, slot: u32) -> u32 {
        self.origins[slot as usize]
    }
}

/// The pairs of nodes that are joined, as arcs up.
struct Joined {
    first: Vec<u32>,
    arcs: Vec<Arc>,
    slots: Vec<u32>,
}

impl Joined {
    /// Finds the pairs, with the costs of edges; `None` if there are more than `most`.
    ///
    /// # Why a node passes its neighbours on to one of them alone
    ///
    /// All more important neighbours of a node are joined with each other. Its least important one,
    /// the *parent*, is the first to be contracted, and passes on those of the others that are
    /// left.
    fn new(graph: &Graph, cost: impl Fn(u32, u32) -> u32, most: usize) -> Option<Self> {
        let count = graph.len();
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); count];
        // The children of a node: the last one, and for each the one before.
        let (mut last, mut before) = (vec![NONE; count], vec![NONE; count]);
        let mut seen = vec![NONE; count];
        let mut total = 0;
        for node in (0..count as u32).rev() {
            let mut above = Vec::new();
            let mut add = |list: &[u32]| {
                for &near in list.iter().filter(|&&near| near < node) {
                    if std::mem::replace(&mut seen[near as usize], node) != node {
                        above.push(near);
                    }
                }
            };
            add(graph.of(node));
            let mut child = last[node as usize];
            while child != NONE {
                add(&lists[child as usize]);
                child = before[child as usize];
            }
            above.sort_unstable_by(|a, b| b.cmp(a));
            total += above.len();
            if total > most {
                return None;
            }
            if let Some(&parent) = above.first() {
                before[node as usize] = std::mem::replace(&mut last[parent as usize], node);
            }
            lists[node as usize] = above;
        }
        let mut joined = Self {
            first: Vec::with_capacity(count + 1),
            arcs: Vec::with_capacity(total),
            slots: vec![NONE; count],
        };
        joined.first.push(0);
        for (node, list) in lists.into_iter().enumerate() {
            let node = node as u32;
            joined.arcs.extend(list.into_iter().map(|to| {
                let is_edge = graph.of(node).binary_search(&to).is_ok();
                Arc { to, cost: if is_edge { cost(node, to) } else { u32::MAX } }
            }));
            joined.first.push(joined.arcs.len() as u32);
        }
        Some(joined)
    }

    fn range(&self, node: u32) -> Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    /// Notes where the arcs of a node are. Those of other nodes are not asked for.
    fn note_slots(&mut self, node: u32) {
        for slot in self.range(node) {
            self.slots[self.arcs[slot].to as usize] = slot as u32;
        }
    }

    /// Computes the costs of cheapest routes. O(triangles).
    fn descend(
        &mut self,
        lower: &Lower,
        on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let count = self.slots.len();
        for node in (0..count as u32).rev() {
            rest(count, count - 1 - node as usize, on_progress)?;
            self.note_slots(node);
            for &LowerArc { slot, end } in lower.of(node) {
                let from = self.arcs[slot as usize].cost;
                for other in slot as usize + 1..end as usize {
                    let Arc { to, cost } = self.arcs[other];
                    let known = &mut self.arcs[self.slots[to as usize] as usize].cost;
                    *known = (*known).min(from.saturating_add(cost));
                }
            }
        }
        Some(())
    }

    /// Computes the costs of cheapest paths, and returns for each arc whether it is kept.
    /// O(triangles).
    ///
    /// For each triangle the arcs of its least important node are compared with the third arc,
    /// whose cost is final. An arc is dropped also when the comparison comes before the other arc's
    /// cost is final: a cheaper way to `y` is a cheaper way to `x`. And an arc to be dropped is
    /// noticed: of all `y` take one whose arc is a cheapest path from the outset.
    fn ascend(
        &mut self,
        lower: &Lower,
        on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Option<Vec<bool>> {
        let count = self.slots.len();
        let mut is_kept = vec![true; self.arcs.len()];
        for node in 0..count as u32 {
            rest(count, node as usize, on_progress)?;
            self.note_slots(node);
            for &LowerArc { slot, end } in lower.of(node) {
                let slot = slot as usize;
                let mut one = self.arcs[slot].cost;
                for other in slot + 1..end as usize {
                    let Arc { to, cost } = self.arcs[other];
                    let between = self.arcs[self.slots[to as usize] as usize].cost;
                    if one.saturating_add(between) <= cost {
                        self.arcs[other].cost = one.saturating_add(between);
                        is_kept[other] = false;
                    } else if cost.saturating_add(between) <= one {
                        one = cost.saturating_add(between);
                        is_kept[slot] = false;
                    }
                }
                self.arcs[slot].cost = one;
            }
        }
        Some(is_kept)
    }
}

/// Reports progress at every 64th part of the nodes; `None` if it is to stop.
fn rest(
    count: usize,
    done: usize,
    on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Option<()> {
    let is_due = done.is_multiple_of(count / 64 + 1);
    (!is_due || on_progress(done).is_continue()).then_some(())
}
