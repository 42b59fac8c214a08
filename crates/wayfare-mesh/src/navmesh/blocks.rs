//! Blocks: the parts of a mesh between polygons that everything has to pass.
//!
//! Take polygons as vertices of a graph, and the edges that join them as its edges. Its *blocks*
//! (biconnected components) hang together at single polygons: blocks and polygons form a forest.
//!
//! # Why blocks off the route can be skipped
//!
//! Let `B` be a block off the tree path from the polygon of the start to the polygon of the goal. A
//! path that enters `B` leaves it through the same polygon `P`. `P` is convex: the straight line
//! between the two points where the path crosses `P` stays in `P`, and is shorter than any line
//! through `B`. Hence no shortest path enters `B`.
//!
//! Dead ends are blocks of two polygons. O(corners) to build, O(blocks on the route) for a query.
//! Source: Hopcroft and Tarjan, "Efficient Algorithms for Graph Manipulation" (1973).

use std::collections::{BTreeMap, BTreeSet};

use super::build::NO_TWIN;
use super::mesh::Span;

/// No block, no polygon.
const NONE: u32 = u32::MAX;

/// The blocks of a mesh as one profile sees it. A mesh that is edited live has the blocks of its
/// base: see [`set_cut`](Self::set_cut).
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// The block above each polygon in the forest.
    above: Vec<u32>,
    /// The polygon above each block.
    top: Vec<u32>,
    /// The count of blocks above each polygon.
    depth: Vec<u32>,
    /// The island of each polygon: its polygon of the lowest index.
    islands: Vec<u32>,
    /// The base polygon of each polygon with an index beyond those of the base.
    bases: Vec<u32>,
    /// The blocks of each polygon of the base that is cut.
    cut: BTreeMap<u32, Vec<u32>>,
    /// The count of cut polygons by which each block hangs together with others.
    open: BTreeMap<u32, u32>,
    /// Polygons of the base that agents could not enter when the blocks were found, but now can.
    loose: BTreeSet<u32>,
}

impl Blocks {
    /// Divides a mesh. `spans` has the corners of each polygon, `owners` the polygon of each
    /// corner. Also returns the block of each edge that joins two polygons.
    pub(super) fn build(spans: &[Span], owners: &[u32], twins: &[u32]) -> (Self, Vec<u32>) {
        let count = spans.len();
        let mut of_edge = vec![NONE; twins.len()];
        let mut blocks = Self {
            above: vec![NONE; count],
            top: Vec::new(),
            depth: vec![0; count],
            islands: vec![NONE; count],
            ..Self::default()
        };
        // The index of each polygon in the order of discovery, and the earliest one that it or a
        // descendant has an edge to.
        let (mut found, mut low) = (vec![NONE; count], vec![NONE; count]);
        let mut order = Vec::with_capacity(count);
        // The polygons of the present descent, each with its entry edge and the next edge to try.
        let mut stack: Vec<(u32, u32, u32)> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        for root in 0..count as u32 {
            if found[root as usize] != NONE {
                continue;
            }
            found[root as usize] = order.len() as u32;
            low[root as usize] = order.len() as u32;
            blocks.islands[root as usize] = root;
            order.push(root);
            stack.push((root, NO_TWIN, spans[root as usize].begin));
            while let Some(&mut (polygon, entry, ref mut edge)) = stack.last_mut() {
                if *edge < spans[polygon as usize].end {
                    let tried = *edge;
                    *edge += 1;
                    let twin = twins[tried as usize];
                    if twin == NO_TWIN || tried == entry {
                        continue;
                    }
                    let next = owners[twin as usize];
                    if found[next as usize] == NONE {
                        open.push(tried);
                        found[next as usize] = order.len() as u32;
                        low[next as usize] = order.len() as u32;
                        blocks.islands[next as usize] = root;
                        order.push(next);
                        stack.push((next, twin, spans[next as usize].begin));
                    } else if found[next as usize] < found[polygon as usize] {
                        open.push(tried);
                        low[polygon as usize] = low[polygon as usize].min(found[next as usize]);
                    }
                    continue;
                }
                stack.pop();
                let Some(&(parent, _, _)) = stack.last() else { break };
                low[parent as usize] = low[parent as usize].min(low[polygon as usize]);
                if low[polygon as usize] >= found[parent as usize] {
                    let block = blocks.top.len() as u32;
                    blocks.top.push(parent);
                    while let Some(edge) = open.pop() {
                        let twin = twins[edge as usize];
                        of_edge[edge as usize] = block;
                        of_edge[twin as usize] = block;
                        for member in [owners[edge as usize], owners[twin as usize]] {
                            if member != parent {
                                blocks.above[member as usize] = block;
                            }
                        }
                        if twin == entry {
                            break;
                        }
                    }
                }
            }
        }
        for polygon in order {
            let above = blocks.above[polygon as usize];
            if above != NONE {
                let top = blocks.top[above as usize];
                blocks.depth[polygon as usize] = blocks.depth[top as usize] + 1;
            }
        }
        (blocks, of_edge)
    }

    /// Returns a bound above the indices of all blocks.
    pub(crate) fn bound(&self) -> usize {
        self.top.len() + 1
    }

    /// Returns the block of edges that every search may pass.
    #[inline]
    pub(super) fn always(&self) -> u32 {
        self.top.len() as u32
    }

    /// Says whether a polygon of the base is cut. `edges` has the blocks of its edges.
    ///
    /// # Why blocks of the base tell which parts of the edited mesh can be skipped
    ///
    /// Each path on the edited mesh is one on the base, as long as no ground was added to it. Let
    /// `B` be a block off the route, and `P` the polygon by which it hangs on the side of the
    /// route. A path that enters `B` leaves it through `P`. If `P` is whole, the straight line
    /// through `P` is shorter, as above. If `P` is cut, there may be no such line: then `B` is
    /// open, that is, searches may enter it. A block that hangs on `B` is reached through `B` only.
    /// Between two pieces of one polygon a path may use each of the polygon's blocks.
    ///
    /// Edges between pieces of one polygon can always be passed. If ground was added
    /// ([`set_loose`](Self::set_loose)), all blocks can.
    pub(super) fn set_cut<E: Iterator<Item = u32>>(
        &mut self,
        polygon: u32,
        is_cut: bool,
        edges: impl FnOnce() -> E,
    ) {
        if is_cut == self.cut.contains_key(&polygon) {
            return;
        }
        if !is_cut {
            let blocks = self.cut.remove(&polygon).unwrap_or_default();
            for block in blocks.iter().filter(|_| blocks.len() > 1) {
                if let Some(count) = self.open.get_mut(block) {
                    *count -= 1;
                    if *count == 0 {
                        self.open.remove(block);
                    }
                }
            }
            return;
        }
        let mut blocks: Vec<u32> = edges().filter(|&block| block != NONE).collect();
        blocks.sort_unstable();
        blocks.dedup();
        for &block in blocks.iter().filter(|_| blocks.len() > 1) {
            *self.open.entry(block).or_insert(0) += 1;
        }
        self.cut.insert(polygon, blocks);
    }

    /// Says whether a polygon of the base that could not be entered now has ground that can.
    pub(super) fn set_loose(&mut self, polygon: u32, is_loose: bool) {
        if is_loose {
            self.loose.insert(polygon);
        } else {
            self.loose.remove(&polygon);
        }
    }

    /// Says which polygon of the base a polygon is a piece of.
    pub(super) fn set_base(&mut self, polygon: u32, base: u32) {
        if let Some(beyond) = (polygon as usize).checked_sub(self.above.len()) {
            if self.bases.len() <= beyond {
                self.bases.resize(beyond + 1, NONE);
            }
            self.bases[beyond] = base;
        }
    }

    /// Returns whether there is ground that agents can enter now, and could not when the blocks
    /// were found.
    pub(super) fn has_new_ground(&self) -> bool {
        !self.loose.is_empty()
    }

    /// Returns the polygon of the base that a polygon is a piece of.
    pub(super) fn base(&self, polygon: u32) -> u32 {
        match (polygon as usize).checked_sub(self.above.len()) {
            None => polygon,
            Some(beyond) => self.bases[beyond],
        }
    }

    /// Returns the island of a polygon: the lowest index among its polygons.
    #[inline]
    pub(crate) fn island(&self, polygon: u32) -> u32 {
        self.islands[polygon as usize]
    }

    /// Visits the blocks that a shortest path between two polygons of one island may pass.
    pub(crate) fn between(&self, from: u32, to: u32, mut visit: impl FnMut(u32)) {
        visit(self.always());
        if !self.loose.is_empty() {
            (0..self.always()).for_each(visit);
            return;
        }
        self.open.keys().copied().for_each(&mut visit);
        let (mut a, mut b) = (self.base(from), self.base(to));
        if a == b && from != to {
            let blocks = self.cut.get(&a);
            blocks.into_iter().flatten().copied().for_each(visit);
            return;
        }
        while a != b {
            if self.depth[a as usize] < self.depth[b as usize] {
                std::mem::swap(&mut a, &mut b);
            }
            let block = self.above[a as usize];
            if block == NONE {
                return;
            }
            visit(block);
            a = self.top[block as usize];
        }
    }

    /// Returns the memory of the blocks, in bytes.
    pub(super) fn size_in_bytes(&self) -> usize {
        let words = [&self.above, &self.top, &self.depth, &self.islands];
        words.iter().map(|table| table.capacity()).sum::<usize>() * size_of::<u32>()
    }
}
