//! Hub labels: for each node the costs to a few more important nodes, its hubs.
//!
//! The label of a node is merged from the labels of its more important neighbours. A hub that is
//! reached as cheaply through a more important hub is then dropped.
//!
//! # Why two labels meet on a cheapest path
//!
//! Write `d(v, h)` for the distance. Call `h` *canonical* for `v` if no node on any cheapest path
//! from `v` to `h` is more important than `h`. The claim: the label of `v` is exactly the canonical
//! hubs of `v`, each at its distance. By induction from the most important node down:
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
//! For two joined nodes `s` and `t`, let `h` be the most important node on all their cheapest
//! paths. It is canonical for both, so both labels contain it and `d(s, h) + d(h, t) = d(s, t)`. No
//! common hub gives less, since all costs are those of real paths.
//!
//! Source: I. Abraham, D. Delling, A. Goldberg, R. Werneck, "Hierarchical hub labelings for
//! shortest paths", 2012.

use std::ops::ControlFlow;

use super::contraction::UpwardGraph;
use super::graph::Graph;
use super::parallel;

/// A hub of a node. Nodes are numbered by importance: 0 is the most important.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hub {
    pub(super) node: u32,
    pub(super) cost: u32,
}

/// The next node on a cheapest path to a hub.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Hop {
    /// The position of that node among the neighbours.
    pub(super) neighbour: u16,
    /// The position of the hub in the label of that node.
    pub(super) place: u16,
}

/// The labels of all nodes, one after the other. The hubs of a label ascend; the node itself is
/// last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Labels {
    first: Vec<u32>,
    hubs: Vec<Hub>,
}

/// Returns the rank of each node by importance: 0 for the node removed last.
pub(super) fn names(hierarchy: &UpwardGraph) -> Vec<u32> {
    let mut names = vec![0; hierarchy.order.len()];
    for (name, &node) in hierarchy.order.iter().rev().enumerate() {
        names[node as usize] = name as u32;
    }
    names
}

/// Why no labels were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// The progress callback stopped the work.
    Cancelled,
    /// There are more hubs than the limit.
    TooMany,
}

impl Labels {
    /// Returns the labels of `hierarchy`, whose nodes are numbered by `names`: at most `most` hubs
    /// in all.
    ///
    /// `on_progress` receives the count of finished labels and may stop the work.
    pub(super) fn new(
        hierarchy: &UpwardGraph,
        names: &[u32],
        most: usize,
        on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Self, Stopped> {
        let count = names.len();
        let mut labels: Vec<Vec<Hub>> = vec![Vec::new(); count];
        let (mut done, mut hubs) = (0, 0);
        for level in levels(hierarchy) {
            let made = parallel::map(
                level.len(),
                || vec![u64::MAX; count],
                |costs, place| {
                    let node = level[place];
                    let upward = hierarchy.upward[node as usize]
                        .iter()
                        .map(|arc| (names[arc.to as usize], arc.cost));
                    label(names[node as usize], upward, &labels, costs)
                },
            );
            for (&node, label) in level.iter().zip(made) {
                hubs += label.len();
                labels[names[node as usize] as usize] = label;
            }
            done += level.len();
            if hubs > most {
                return Err(Stopped::TooMany);
            }
            if on_progress(done).is_break() {
                return Err(Stopped::Cancelled);
            }
        }
        Ok(Self::from_lists(&labels))
    }

    fn from_lists(lists: &[Vec<Hub>]) -> Self {
        let mut labels = Self::with_capacity(lists.len(), lists.iter().map(Vec::len).sum());
        for list in lists {
            labels.push(list.iter().copied());
        }
        labels
    }

    /// Returns no labels, with room for `nodes` labels and `hubs` hubs.
    pub(super) fn with_capacity(nodes: usize, hubs: usize) -> Self {
        let mut first = Vec::with_capacity(nodes + 1);
        first.push(0);
        Self { first, hubs: Vec::with_capacity(hubs) }
    }

    /// Adds the label of the next node.
    pub(super) fn push(&mut self, hubs: impl IntoIterator<Item = Hub>) {
        self.hubs.extend(hubs);
        self.first.push(self.hubs.len() as u32);
    }

    /// Returns the hubs of a node.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[Hub] {
        &self.hubs[self.range(node)]
    }

    /// Returns the range of a node's hubs among all hubs.
    #[inline]
    pub(super) fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    /// Returns the number of hubs in all labels.
    pub(super) fn len(&self) -> usize {
        self.hubs.len()
    }

    /// Returns the cost of the most expensive path from a node to one of its hubs; `u32::MAX` if
    /// one costs that much or more.
    pub(super) fn costliest(&self) -> u32 {
        self.hubs.iter().map(|hub| hub.cost).max().unwrap_or(0)
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * self.first.capacity() + size_of::<Hub>() * self.hubs.capacity()
    }

    /// Returns, for every hub of every node, the first step of a cheapest path to it, along an edge
    /// of `graph`.
    ///
    /// `Err` names a node with a hub that no neighbour leads to. That happens to labels from a
    /// forged file, and to costs or counts beyond the range of a [`Hop`] or of `u32`.
    ///
    /// # Why a hop exists, and why hops end at the hub
    ///
    /// Let `w` be the first node after `v` on a cheapest path to the hub `h`. Cheapest paths from
    /// `w` to `h` extend to cheapest paths from `v`, so `h` is canonical for `w` too, and in its
    /// label.
    ///
    /// Each hop lowers the remaining cost by the cost of an edge, which is above 0. A label entry
    /// with cost 0 that is not the node itself has no hop and is refused. So hops cannot circle,
    /// and the last one enters the hub, in labels from any file.
    pub(super) fn hops(
        &self,
        graph: &Graph,
        cost: impl Fn(u32, u32) -> u32 + Sync + Send,
    ) -> Result<Vec<Hop>, u32> {
        let made =
            parallel::map(graph.len(), || (), |(), node| self.hops_of(node as u32, graph, &cost));
        let mut hops = Vec::with_capacity(self.hubs.len());
        for (node, made) in made.into_iter().enumerate() {
            hops.extend(made.ok_or(node as u32)?);
        }
        Ok(hops)
    }

    fn hops_of(
        &self,
        node: u32,
        graph: &Graph,
        cost: impl Fn(u32, u32) -> u32,
    ) -> Option<Vec<Hop>> {
        let mine = self.of(node);
        let mut hops: Vec<Option<Hop>> = vec![None; mine.len()];
        // The last entry is the node itself, which needs no hop.
        *hops.last_mut()? = (mine.last() == Some(&Hub { node, cost: 0 })).then(Hop::default);
        for (neighbour, &next) in graph.of(node).iter().enumerate() {
            let step = cost(node, next);
            let mut at = 0;
            for (place, hub) in self.of(next).iter().enumerate() {
                while mine.get(at).is_some_and(|known| known.node < hub.node) {
                    at += 1;
                }
                let Some(known) = mine.get(at) else { break };
                if known.node == hub.node
                    && known.cost.checked_sub(hub.cost) == Some(step)
                    && hops[at].is_none()
                {
                    hops[at] = Some(Hop {
                        neighbour: u16::try_from(neighbour).ok()?,
                        place: u16::try_from(place).ok()?,
                    });
                }
            }
        }
        hops.into_iter().collect()
    }
}

/// Returns the nodes in groups: each node comes after all its more important neighbours, and no two
/// nodes of a group are joined.
fn levels(hierarchy: &UpwardGraph) -> Vec<Vec<u32>> {
    let mut depth = vec![0; hierarchy.order.len()];
    let mut levels: Vec<Vec<u32>> = Vec::new();
    for &node in hierarchy.order.iter().rev() {
        let above = hierarchy.upward[node as usize].iter().map(|arc| depth[arc.to as usize] + 1);
        let level: usize = above.max().unwrap_or(0);
        depth[node as usize] = level;
        if levels.len() <= level {
            levels.push(Vec::new());
        }
        levels[level].push(node);
    }
    levels
}

/// Returns the label of a node, merged from the labels of its more important neighbours `upward`.
///
/// `costs` has an entry for each node, all `u64::MAX`, and is left like that.
fn label(
    node: u32,
    upward: impl Iterator<Item = (u32, u32)>,
    labels: &[Vec<Hub>],
    costs: &mut [u64],
) -> Vec<Hub> {
    let mut candidates = Vec::new();
    for (next, step) in upward {
        for hub in &labels[next as usize] {
            let known = &mut costs[hub.node as usize];
            if *known == u64::MAX {
                candidates.push(hub.node);
            }
            *known = (*known).min(u64::from(step) + u64::from(hub.cost));
        }
    }
    candidates.sort_unstable();
    let mut label = Vec::with_capacity(candidates.len() + 1);
    for &candidate in &candidates {
        let cost = costs[candidate as usize];
        // In order of importance. A dropped candidate has no cost any more and covers nothing.
        let is_covered = labels[candidate as usize].iter().any(|hub| {
            let known = costs[hub.node as usize];
            hub.node != candidate && known != u64::MAX && known + u64::from(hub.cost) <= cost
        });
        if is_covered {
            costs[candidate as usize] = u64::MAX;
        } else {
            label.push(Hub { node: candidate, cost: cost.min(u64::from(u32::MAX)) as u32 });
        }
    }
    for candidate in candidates {
        costs[candidate as usize] = u64::MAX;
    }
    label.push(Hub { node, cost: 0 });
    label
}
