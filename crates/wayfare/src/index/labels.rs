//! Hub labels: for every node the costs to a few nodes of more importance, such that a cheapest path between any two nodes passes a hub
//! that both have.
//!
//! I. Abraham, D. Delling, A. Goldberg, R. Werneck, "Hierarchical hub labelings for shortest paths", 2012. A node's label is made of
//! those of its neighbours of more importance, and then loses every hub that is reached as cheaply over a more important one.

use std::ops::ControlFlow;

use super::contraction::UpwardGraph;
use super::graph::Graph;
use super::parallel;

/// A hub of a node. Nodes are named by importance: 0 is the most important.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hub {
    pub(super) node: u32,
    pub(super) cost: u32,
}

/// The next node on a cheapest path to a hub.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Hop {
    /// Which neighbour of the node it is.
    pub(super) neighbour: u16,
    /// Where the hub stands in the next node's label.
    pub(super) place: u16,
}

/// The labels of all nodes, one after the other; the hubs of each in ascending order, the node itself the last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Labels {
    first: Vec<u32>,
    hubs: Vec<Hub>,
}

/// The names of the nodes by importance: 0 for the one taken out last.
pub(super) fn names(hierarchy: &UpwardGraph) -> Vec<u32> {
    let mut names = vec![0; hierarchy.order.len()];
    for (name, &node) in hierarchy.order.iter().rev().enumerate() {
        names[node as usize] = name as u32;
    }
    names
}

/// How labels may not be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// By who hears of the progress.
    Cancelled,
    /// There would be more hubs than may be.
    TooMany,
}

impl Labels {
    /// The labels of a hierarchy whose nodes are called `names`, at most `most` hubs in all.
    pub(super) fn new(
        hierarchy: &UpwardGraph,
        names: &[u32],
        most: usize,
        beat: &mut dyn FnMut(usize) -> ControlFlow<()>,
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
            if beat(done).is_break() {
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

    /// No labels yet, and room for some.
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

    /// The hubs of a node.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[Hub] {
        &self.hubs[self.range(node)]
    }

    /// Where the hubs of a node stand among all.
    #[inline]
    pub(super) fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    /// How many hubs there are in all.
    pub(super) fn len(&self) -> usize {
        self.hubs.len()
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * self.first.capacity() + size_of::<Hub>() * self.hubs.capacity()
    }

    /// For every hub of every node the next node on the way there; `None` for a node where there is none, which does not happen to labels
    /// that were made here.
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
        // The last is the node itself, from where there is nowhere to go.
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

/// The nodes sorted so that each comes after all its neighbours of more importance, in groups whose nodes are not joined.
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

/// The label of a node, from those of its neighbours of more importance. `costs` has an entry for each node, all `u64::MAX`.
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
        // Hubs that have been dropped no longer count; those that were kept are more important than this one.
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
