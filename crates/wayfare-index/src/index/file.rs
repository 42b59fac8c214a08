//! Indexes of grids as bytes.
//!
//! The [frame](super::frame) with two counts, `n` of corners and `h` of hubs; in words of 4 bytes:
//!
//! | words | content |
//! |---|---|
//! | n | the node of each corner, corners row by row |
//! | n | the number of hubs of each node |
//! | 2 h | each hub: its node and its cost |
//!
//! # Why no file can lead a path through a wall
//!
//! A file contains only the order of importance and the labels. Corners, edges and their costs are
//! computed from the map. Each label entry must be justified by an edge: some neighbour has the
//! same hub at a cost lower by exactly that edge (`Labels::hops`), or decoding fails. A query then
//! walks along such edges, each a free line on the map, at a cost that falls with every step. So a
//! forged file can make a path longer than necessary or miss one, but every path it yields is
//! legal.

use wayfare_core::space::Cost;
use wayfare_grid::grid::GridSpace;

use super::build::{GridIndex, OtherGrid, check, fingerprint};
use super::frame::{Frame, FrameWriter, IndexFileError, IndexFileFault, IndexKind, permutation};
use super::graph::Graph;
use super::labels::{Hub, Labels};
use super::subgoals::Subgoals;

/// Returns the words of the contents for `n` corners and `h` hubs.
pub(super) fn words([n, h]: [u64; 2]) -> u64 {
    2 * n + 2 * h
}

impl GridIndex {
    /// Encodes the index as the contents of a file.
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
        let (nodes, hubs) = (self.names.len() as u32, self.labels.len() as u32);
        let room = words([nodes, hubs].map(u64::from)) as usize;
        let mut file = FrameWriter::new(IndexKind::Grid, self.fingerprint, &[nodes, hubs], room);
        self.names.iter().for_each(|&name| file.put(name));
        (0..nodes).for_each(|node| file.put(self.labels.of(node).len() as u32));
        for hub in (0..nodes).flat_map(|node| self.labels.of(node)) {
            file.put(hub.node);
            file.put(hub.cost);
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
        let Frame { fingerprint: of, counts: [nodes, _], contents: mut rest } =
            Frame::open(IndexKind::Grid, bytes, words)?;
        if of != fingerprint(space) {
            return Err(OtherGrid.into());
        }
        let subgoals = Subgoals::new(space);
        let count = subgoals.cells().len();
        if nodes as usize != count {
            return Err(IndexFileFault::NodeCount.at(nodes as usize));
        }
        let names = permutation(rest.take_words(count).map(Some))?;
        let lengths = rest.take_words(count);
        let labels = labels(lengths, rest)?;
        let by_place = Graph::new(space, &subgoals);
        Self::assemble(of, subgoals, &by_place, names, labels)
            .map_err(|node| IndexFileFault::NoWayToHub.at(node as usize))
    }
}

/// Reads labels; their hubs must ascend and end with the node itself.
fn labels(
    lengths: impl ExactSizeIterator<Item = u32>,
    mut numbers: impl ExactSizeIterator<Item = u32>,
) -> Result<Labels, IndexFileError> {
    let mut labels = Labels::with_capacity(lengths.len(), numbers.len() / 2);
    for (node, length) in lengths.enumerate() {
        if numbers.len() < 2 * length as usize {
            return Err(IndexFileFault::MissingHubs.at(node));
        }
        let hub = |_| Some(Hub { node: numbers.next()?, cost: numbers.next()? });
        labels.push((0..length).filter_map(hub));
        let label = labels.of(node as u32);
        let ascends = label.is_sorted_by(|a, b| a.node < b.node);
        if !ascends || label.last() != Some(&Hub { node: node as u32, cost: 0 }) {
            return Err(IndexFileFault::HubOrder.at(node));
        }
    }
    if numbers.len() > 0 {
        return Err(IndexFileFault::SurplusHubs.at(0));
    }
    Ok(labels)
}
