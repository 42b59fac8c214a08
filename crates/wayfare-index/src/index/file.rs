//! Indexes of grids as bytes.
//!
//! The [frame](super::frame) with four counts: `n` of corners, `h` of hubs, `c` of cells and `s` of
//! corners in sight of all cells together, both 0 where sight is not noted. In words of 4 bytes:
//!
//! | words | content |
//! |---|---|
//! | n | the rank of each corner, corners row by row; ranks are the nodes of the reader |
//! | n | the number of hubs of each node |
//! | 3 h | each hub: its node, the cost of the arc to it, the middle of the arc |
//! | c | the number of corners in sight of each cell |
//! | s / 2 | the node of each corner in sight, two to a word |
//!
//! # Why no file can lead a path through a wall
//!
//! Corners, edges and their costs are computed from the map. Each arc must be an edge or consist of
//! two arcs of a less important node, and cost as much as those ([`Arcs::check`]), or decoding
//! fails. A query then walks along edges, each a free line on the map, and no further than a path
//! can be long. Corners in sight are checked when a path begins or ends with them. So a forged file
//! can make a path longer than necessary or miss one, but every path that comes of it is legal.

use wayfare_core::space::Cost;
use wayfare_grid::grid::GridSpace;

use super::arcs::{Arc, Arcs};
use super::arrivals::Corners;
use super::build::{GridIndex, OtherGrid, check, fingerprint};
use super::frame::{
    Frame, FrameWriter, IndexFileError, IndexFileFault, IndexKind, Words, permutation,
};
use super::graph::{Graph, renamed_cells};
use super::hubs::Hubs;
use super::order::Order;
use super::sight::Sight;
use super::subgoals::Subgoals;

/// Returns the words of the contents.
pub(super) fn words([corners, hubs, cells, seen]: [u64; 4]) -> u64 {
    2 * corners + 3 * hubs + cells + seen.div_ceil(2)
}

impl GridIndex {
    /// Encodes the index as the contents of a file.
    ///
    /// After [`GridIndex::repair`] corners in sight are left out until [`GridIndex::note_sight`]
    /// renews them.
    ///
    /// ```
    /// use wayfare::index::GridIndex;
    /// use wayfare::prelude::*;
    /// let grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
    /// let bytes = GridIndex::new(&grid.space())?.encode();
    /// let index = GridIndex::decode(&grid.space(), &bytes)?;
    /// assert_eq!(index.corners(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let (nodes, hubs) = (self.names.len() as u32, self.arcs.len() as u32);
        let sight = self.sight.as_ref().filter(|sight| sight.is_whole());
        let [cells, seen] = sight.map_or([0; 2], Sight::counts);
        let counts = [nodes, hubs, cells, seen];
        let room = words(counts.map(u64::from)) as usize;
        let fingerprint = self.fingerprint.unwrap_or_default();
        let mut file = FrameWriter::new(IndexKind::Grid, fingerprint, &counts, room);
        self.names.iter().for_each(|&name| file.put(self.order.rank(name)));
        for &node in &self.order.nodes {
            file.put(self.arcs.of(node).len() as u32);
        }
        for &node in &self.order.nodes {
            for (arc, middle) in self.arcs.of(node).iter().zip(self.arcs.middles_of(node)) {
                let middle = if middle == Arcs::EDGE { middle } else { self.order.rank(middle) };
                [self.order.rank(arc.to), arc.cost, middle]
                    .into_iter()
                    .for_each(|word| file.put(word));
            }
        }
        if let Some(sight) = sight {
            sight.words(&self.order).for_each(|word| file.put(word));
        }
        file.seal()
    }

    /// Decodes the index of a grid from the bytes that [`GridIndex::encode`] returned.
    ///
    /// Time and memory are O(cells + bytes), whatever counts the bytes claim.
    ///
    /// # Errors
    /// If the bytes are no index, or not one of this grid: see [`IndexFileError`].
    pub fn decode<C: Cost>(space: &GridSpace<'_, C>, bytes: &[u8]) -> Result<Self, IndexFileError> {
        check(space)?;
        let Frame { fingerprint: of, counts, contents: mut rest } =
            Frame::open(IndexKind::Grid, bytes, words)?;
        if of != fingerprint(space) {
            return Err(OtherGrid.into());
        }
        let subgoals = Subgoals::new(space);
        let count = subgoals.cells().len();
        let [nodes, hubs, cells, seen] = counts.map(|count| count as usize);
        if nodes != count {
            return Err(IndexFileFault::NodeCount.at(nodes));
        }
        let names = permutation(rest.take_words(count).map(Some))?;
        let lengths = rest.take_words(count);
        let arcs = arcs(lengths, rest.take_words(3 * hubs))?;
        let sight = match cells {
            0 if seen == 0 => None,
            _ if cells != space.layout().bound() => return Err(IndexFileFault::Sight.at(cells)),
            _ => Some(Sight::of_words(rest.take_words(cells), rest, seen, count)?),
        };
        let graph = Graph::new(&subgoals).renamed(&names);
        let cells = renamed_cells(subgoals.cells(), &names);
        let cost = |a: u32, b: u32| subgoals.distance(cells[a as usize], cells[b as usize]);
        arcs.check(&graph, cost).map_err(|node| IndexFileFault::NoWayToHub.at(node as usize))?;
        let order = Order::by_number(count);
        let near = |node: u32| graph.of(node);
        let hubs = Hubs::new(&arcs, &order, &Corners { subgoals: &subgoals, cells: &cells, near });
        let fingerprint = Some(of);
        Ok(Self { fingerprint, subgoals, names, cells, order, arcs, hubs, sight, repairs: None })
    }
}

/// Reads arcs; those of a node must lead to more important nodes, the least important first.
fn arcs(
    lengths: impl ExactSizeIterator<Item = u32>,
    mut words: Words<'_>,
) -> Result<Arcs, IndexFileError> {
    let mut arcs = Arcs::with_capacity(lengths.len(), words.len() / 3);
    for (node, length) in lengths.enumerate() {
        if words.len() / 3 < length as usize {
            return Err(IndexFileFault::MissingHubs.at(node));
        }
        let mut list = words.take_words(3 * length as usize);
        let (mut last, mut made) = (node as u32, Vec::with_capacity(length as usize));
        while let (Some(to), Some(cost), Some(middle)) = (list.next(), list.next(), list.next()) {
            if to >= last {
                return Err(IndexFileFault::HubOrder.at(node));
            }
            last = to;
            made.push((Arc { to, cost }, middle));
        }
        arcs.push(made);
    }
    if words.len() > 0 {
        return Err(IndexFileFault::SurplusHubs.at(0));
    }
    Ok(arcs)
}
