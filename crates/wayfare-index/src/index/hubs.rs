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
//! # After an edit
//!
//! A label is merged again if the arcs of its node changed, or the label of a node that it is
//! merged from, or of a candidate. Up to a limit of work: labels beyond it are left empty, and
//! queries that need one climb along arcs. [`Hubs::renew`] goes on with them.
//!
//! Source: I. Abraham, D. Delling, A. Goldberg, R. Werneck, "Hierarchical hub labelings for
//! shortest paths", 2012.

use super::arcs::Arcs;
use super::arrivals::{Arrivals, Corners, Work};
use super::labels::{Hop, Hub, Labels};
use super::order::Order;

/// The hubs of all corners, and for each one the first arc on the path to it.
#[derive(Clone, Debug)]
pub(super) struct Hubs {
    labels: Labels,
    hops: Vec<Hop>,
    arrivals: Arrivals,
    /// Whether no label is empty, and the hubs by direction of arrival are known.
    pub(super) is_whole: bool,
}

/// The most nodes that a node reaches by arcs, on average, if labels are made.
const MOST_REACHED: usize = 128;
/// The number of nodes that the average is taken of.
const SAMPLES: usize = 256;
/// The most nodes that any node reaches by arcs, if labels are made.
const MOST_CANDIDATES: usize = 4096;

/// A hub of a label that was renewed: the least cost to it before and after.
#[derive(Clone, Copy)]
struct Renewed {
    node: u32,
    least: u32,
}

/// A label that is being merged.
#[derive(Default)]
struct Merge {
    /// The cost to each candidate; [`u64::MAX`] for other nodes.
    costs: Vec<u64>,
    /// The first step to each candidate.
    steps: Vec<Hop>,
    candidates: Vec<u32>,
    label: Vec<Hub>,
    hops: Vec<Hop>,
    /// The number of hubs looked at, for all labels.
    work: usize,
}

/// How a merge ended.
#[derive(PartialEq, Eq)]
enum Merged {
    Whole,
    /// It needs a label that is empty.
    Needs,
    /// A label is too long.
    TooLong,
}

impl Hubs {
    /// Returns the hubs of all nodes; `None` where labels would be long.
    ///
    /// O(n · k²) time for `n` nodes with `k` hubs each. The limits hold for arcs of forged files
    /// too.
    pub(super) fn new<'a, F: Fn(u32) -> &'a [u32]>(
        arcs: &Arcs,
        order: &Order,
        corners: &Corners<'_, F>,
    ) -> Option<Self> {
        let count = order.nodes.len();
        if reached(arcs, order) > SAMPLES.min(count) * MOST_REACHED {
            return None;
        }
        let labels = Labels::with_capacity(count, 0);
        let arrivals = Arrivals::default();
        let mut made = Self { labels, hops: Vec::new(), arrivals, is_whole: false };
        if !made.renew(arcs, order, corners, &[], usize::MAX) {
            return None;
        }
        made.arrivals.shrink();
        made.labels.shrink();
        made.hops.shrink_to_fit();
        Some(made)
    }

    /// Merges the labels that are empty, those of nodes in `changed`, and those that depend on
    /// them. Begins no further label after `most` hubs. Returns `false` if labels become long; they
    /// are no longer right then.
    pub(super) fn renew<'a, F: Fn(u32) -> &'a [u32]>(
        &mut self,
        arcs: &Arcs,
        order: &Order,
        corners: &Corners<'_, F>,
        changed: &[bool],
        most: usize,
    ) -> bool {
        let count = order.rank.len();
        self.labels.resize(count);
        self.arrivals.resize(count);
        let mut merge = Merge {
            costs: vec![u64::MAX; count],
            steps: vec![Hop::default(); count],
            ..Merge::default()
        };
        // Numbers without a node.
        for node in (0..count as u32).filter(|&node| order.rank(node) == Order::NONE) {
            self.labels.replace(node, &[]);
            self.arrivals.forget(node, &self.labels);
        }
        // What was renewed of each label.
        let mut renewed: Vec<Vec<Renewed>> = vec![Vec::new(); count];
        let (mut is_any, mut used) = (false, 0);
        self.is_whole = true;
        for &node in &order.nodes {
            let is_due = self.of(node).is_empty()
                || changed.get(node as usize).is_some_and(|&it| it)
                || is_any
                    && (arcs.of(node).iter().any(|arc| !renewed[arc.to as usize].is_empty())
                        || merge.is_uncovered(node, arcs, &self.labels, &renewed));
            if !is_due {
                used += self.of(node).len();
                continue;
            }
            merge.label.clear();
            merge.hops.clear();
            if merge.work <= most {
                match merge.merge(node, arcs, order, &self.labels) {
                    Merged::TooLong => return false,
                    Merged::Needs => merge.label.clear(),
                    Merged::Whole => {}
                }
            }
            used += merge.label.len();
            if merge.label.is_empty() {
                self.is_whole = false;
            } else if self.of(node) == merge.label {
                let range = self.labels.range(node);
                self.hops[range].copy_from_slice(&merge.hops);
                continue;
            }
            renewed[node as usize] = if merge.label.is_empty() {
                // Whatever depends on it is empty too.
                vec![Renewed { node, least: 0 }]
            } else {
                differences(self.of(node), &merge.label, order)
            };
            self.forget_arrivals([node].iter().chain((corners.near)(node)).copied());
            self.labels.replace(node, &merge.label);
            self.hops.extend_from_slice(&merge.hops);
            is_any = true;
            if used > order.nodes.len() * 2 * MOST_REACHED {
                return false;
            }
        }
        if self.hops.len() > 2 * used {
            self.pack(count, used);
        }
        self.renew_arrivals(order, corners, most.saturating_sub(merge.work));
        true
    }

    /// Drops the hubs by direction of arrival at nodes. [`Hubs::renew`] finds them again.
    pub(super) fn forget_arrivals(&mut self, nodes: impl IntoIterator<Item = u32>) {
        for node in nodes {
            self.arrivals.resize(self.arrivals.len().max(node as usize + 1));
            self.labels.resize(self.arrivals.len());
            self.arrivals.forget(node, &self.labels);
        }
    }

    /// Finds hubs by direction of arrival where they are not known. Begins with no further node
    /// after `most` hubs.
    fn renew_arrivals<'a, F: Fn(u32) -> &'a [u32]>(
        &mut self,
        order: &Order,
        corners: &Corners<'_, F>,
        most: usize,
    ) {
        let Self { labels, arrivals, .. } = self;
        let (mut work, mut looked) = (Work::default(), 0);
        for &node in &order.nodes {
            if arrivals.is_known(node, labels) {
                continue;
            }
            if looked <= most {
                looked += arrivals.compute(node, labels, corners, &mut work);
            }
            self.is_whole &= arrivals.is_known(node, labels);
        }
        arrivals.pack(labels);
    }

    /// Drops hubs that are no longer used.
    fn pack(&mut self, count: usize, used: usize) {
        let mut packed = Labels::with_capacity(count, used);
        let mut hops = Vec::with_capacity(used);
        for node in 0..count as u32 {
            packed.push(self.of(node).iter().copied());
            hops.extend_from_slice(&self.hops[self.labels.range(node)]);
        }
        (self.labels, self.hops) = (packed, hops);
    }

    /// Returns the hubs of a node.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[Hub] {
        self.labels.of(node)
    }

    /// Returns the hubs of a node that a path may go on to which arrived in a direction; with or
    /// without the node itself.
    #[inline]
    pub(super) fn after(&self, node: u32, direction: usize) -> &[Hub] {
        self.arrivals.of(node, direction).unwrap_or_else(|| self.of(node))
    }

    /// Returns the place in the label of a node of a hub in [`after`](Self::after); of the node
    /// itself if there is none.
    pub(super) fn place(&self, node: u32, direction: usize, at: Option<usize>) -> usize {
        match at {
            Some(at) => self.arrivals.place(node, direction, at).unwrap_or(at),
            None => self.of(node).len() - 1,
        }
    }

    /// Visits the arcs from a node to the hub at a place in its label.
    #[inline]
    pub(super) fn walk(
        &self,
        arcs: &Arcs,
        mut node: u32,
        mut place: usize,
        mut visit: impl FnMut(u32, usize),
    ) {
        let hub = self.of(node)[place].node;
        while node != hub {
            let hop = self.hops[self.labels.range(node).start + place];
            visit(node, hop.neighbour.into());
            node = arcs.of(node)[usize::from(hop.neighbour)].to;
            place = hop.place.into();
        }
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.labels.size_in_bytes()
            + size_of::<Hop>() * self.hops.capacity()
            + self.arrivals.size_in_bytes()
    }
}

impl Merge {
    /// Returns whether a candidate may be covered otherwise than before, as its label was renewed,
    /// where arcs and the labels that they lead to are as before.
    ///
    /// Then candidates and costs are as before too. Only a hub that covers the candidate, by its
    /// cost before or after, makes a difference.
    fn is_uncovered(
        &mut self,
        node: u32,
        arcs: &Arcs,
        labels: &Labels,
        renewed: &[Vec<Renewed>],
    ) -> bool {
        let is_renewed = |hub: &Hub| !renewed[hub.node as usize].is_empty();
        if !arcs.of(node).iter().any(|arc| labels.of(arc.to).iter().any(is_renewed)) {
            return false;
        }
        self.candidates.clear();
        let mut is_due = self.collect(node, arcs, labels) != Merged::Whole;
        is_due |= self.candidates.iter().any(|&candidate| {
            let cost = self.costs[candidate as usize];
            labels.of(candidate).is_empty()
                || renewed[candidate as usize].iter().any(|hub| {
                    let known = self.costs[hub.node as usize];
                    known != u64::MAX && known + u64::from(hub.least) <= cost
                })
        });
        self.reset();
        is_due
    }

    fn reset(&mut self) {
        for &candidate in &self.candidates {
            self.costs[candidate as usize] = u64::MAX;
        }
    }

    /// Merges the label of a node, and its hops.
    fn merge(&mut self, node: u32, arcs: &Arcs, order: &Order, labels: &Labels) -> Merged {
        self.candidates.clear();
        let mut merged = self.collect(node, arcs, labels);
        if merged == Merged::Whole {
            self.candidates.sort_unstable_by_key(|&candidate| order.rank(candidate));
            merged = self.choose(node, labels);
        }
        self.reset();
        merged
    }

    /// Collects the candidates: the hubs of the nodes that arcs lead to.
    fn collect(&mut self, node: u32, arcs: &Arcs, labels: &Labels) -> Merged {
        for (neighbour, arc) in arcs.of(node).iter().enumerate() {
            let hubs = labels.of(arc.to);
            self.work += hubs.len();
            if hubs.is_empty() {
                return Merged::Needs;
            }
            for (place, hub) in hubs.iter().enumerate() {
                let known = &mut self.costs[hub.node as usize];
                if *known == u64::MAX {
                    self.candidates.push(hub.node);
                }
                let cost = u64::from(arc.cost) + u64::from(hub.cost);
                if cost < *known {
                    *known = cost;
                    let (Ok(neighbour), Ok(place)) = (neighbour.try_into(), place.try_into())
                    else {
                        return Merged::TooLong;
                    };
                    self.steps[hub.node as usize] = Hop { neighbour, place };
                }
            }
        }
        if self.candidates.len() > MOST_CANDIDATES { Merged::TooLong } else { Merged::Whole }
    }

    /// Chooses the hubs among the candidates.
    fn choose(&mut self, node: u32, labels: &Labels) -> Merged {
        for &candidate in &self.candidates {
            let cost = self.costs[candidate as usize];
            let hubs = labels.of(candidate);
            self.work += hubs.len();
            if hubs.is_empty() {
                return Merged::Needs;
            }
            // In order of importance. A dropped candidate has no cost any more and covers nothing.
            let is_covered = hubs.iter().any(|hub| {
                let known = self.costs[hub.node as usize];
                hub.node != candidate && known != u64::MAX && known + u64::from(hub.cost) <= cost
            });
            if is_covered {
                self.costs[candidate as usize] = u64::MAX;
            } else {
                let Ok(cost) = cost.try_into() else { return Merged::TooLong };
                self.label.push(Hub { node: candidate, cost });
                self.hops.push(self.steps[candidate as usize]);
            }
        }
        self.label.push(Hub { node, cost: 0 });
        self.hops.push(Hop::default());
        Merged::Whole
    }
}

/// Returns the hubs that one of two labels has, or that both have at different costs.
///
/// Both ascend by importance, apart from numbers that were given to other nodes. These may be
/// returned twice, and others that are as before.
fn differences(before: &[Hub], after: &[Hub], order: &Order) -> Vec<Renewed> {
    let is_gone = |hub: &&Hub| order.rank(hub.node) == Order::NONE;
    let renewed = |hub: &Hub| Renewed { node: hub.node, least: hub.cost };
    let mut all: Vec<Renewed> = before.iter().filter(is_gone).map(renewed).collect();
    let mut before = before.iter().filter(|hub| !is_gone(hub)).peekable();
    let mut after = after.iter().peekable();
    loop {
        match (before.peek(), after.peek()) {
            (Some(was), Some(is)) if was.node == is.node => {
                if was.cost != is.cost {
                    all.push(Renewed { node: is.node, least: was.cost.min(is.cost) });
                }
                before.next();
                after.next();
            }
            (Some(was), Some(is)) if order.rank(was.node) < order.rank(is.node) => {
                all.extend(before.next().map(renewed));
            }
            (Some(_), None) => all.extend(before.next().map(renewed)),
            (_, Some(_)) => all.extend(after.next().map(renewed)),
            (None, None) => return all,
        }
    }
}

/// Returns the number of nodes that [`SAMPLES`] nodes reach by arcs, of all of these together.
fn reached(arcs: &Arcs, order: &Order) -> usize {
    let count = order.nodes.len();
    let samples = SAMPLES.min(count);
    let (mut seen, mut open, mut reached) = (vec![u32::MAX; order.rank.len()], Vec::new(), 0);
    for sample in 0..samples {
        let node = order.nodes[sample * count / samples];
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
