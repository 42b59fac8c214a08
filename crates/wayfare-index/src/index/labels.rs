//! Hub labels: for each node the costs to a few more important nodes, its hubs, and the first step
//! on a path to each. `hubs.rs` and `mesh/hubs.rs` compute them.
//!
//! # Why two labels meet on a cheapest path
//!
//! Call `h` *canonical* for `v` if no node on any cheapest path from `v` to `h` is more important
//! than `h`. The label of `v` is the canonical hubs of `v`, each at its distance. For two joined
//! nodes `s` and `t`, let `h` be the most important node on all their cheapest paths. It is
//! canonical for both, so both labels contain it, and the two costs add up to the distance of `s`
//! and `t`. No common hub gives less, since all costs are those of real paths.

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

/// The labels of all nodes. The hubs of a label ascend by importance; the node itself is last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Labels {
    /// Where the label of each node begins and ends among all hubs.
    spans: Vec<[u32; 2]>,
    hubs: Vec<Hub>,
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
    /// Returns no labels, with room for `nodes` labels and `hubs` hubs.
    pub(super) fn with_capacity(nodes: usize, hubs: usize) -> Self {
        Self { spans: Vec::with_capacity(nodes), hubs: Vec::with_capacity(hubs) }
    }

    /// Adds the label of the next node.
    pub(super) fn push(&mut self, hubs: impl IntoIterator<Item = Hub>) {
        let begin = self.hubs.len() as u32;
        self.hubs.extend(hubs);
        self.spans.push([begin, self.hubs.len() as u32]);
    }

    /// Adds empty labels of further nodes, up to `nodes` in all.
    pub(super) fn resize(&mut self, nodes: usize) {
        self.spans.resize(nodes, [0; 2]);
    }

    /// Replaces the label of a node. The hubs of the label before are no longer used, and remain.
    pub(super) fn replace(&mut self, node: u32, hubs: &[Hub]) {
        let begin = self.hubs.len() as u32;
        self.hubs.extend_from_slice(hubs);
        self.spans[node as usize] = [begin, self.hubs.len() as u32];
    }

    /// Returns the hubs of a node.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[Hub] {
        &self.hubs[self.range(node)]
    }

    /// Returns the range of a node's hubs among all hubs.
    #[inline]
    pub(super) fn range(&self, node: u32) -> std::ops::Range<usize> {
        let [begin, end] = self.spans[node as usize];
        begin as usize..end as usize
    }

    /// Returns the number of hubs in all labels, and of those no longer used.
    pub(super) fn len(&self) -> usize {
        self.hubs.len()
    }

    /// Frees memory beyond that of the labels.
    pub(super) fn shrink(&mut self) {
        self.hubs.shrink_to_fit();
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        8 * self.spans.capacity() + size_of::<Hub>() * self.hubs.capacity()
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
