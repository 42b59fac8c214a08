//! Encodes indexes as bytes: a versioned format with a checksum.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `WAYFIDX` and a line feed |
//! | 4 | the version, 1 |
//! | 8 | the fingerprint of the map |
//! | 4, 4 | the number `n` of corners, the number `h` of hubs |
//! | 4 n | the node of each corner, corners row by row |
//! | 4 n | the number of hubs of each node |
//! | 8 h | each hub: its node and its cost |
//! | 8 | the checksum of everything before |
//!
//! # Why no file can lead a path through a wall
//!
//! A file holds the order of importance and the labels, nothing else. Corners, edges and their
//! costs are computed from the map. Each label entry must be justified by an edge: some neighbour
//! has the same hub at a cost lower by exactly that edge (`Labels::hops`), or decoding fails. A
//! query then walks along such edges, each a free way on the map, at a cost that falls with every
//! step. So a forged file can make a path longer than necessary or miss one, but every path it
//! yields is legal.

use super::build::{GridIndex, OtherGrid, check, fingerprint};
use super::graph::Graph;
use super::labels::{Hub, Labels};
use super::subgoals::Subgoals;
use crate::hash::WordSum;
use crate::index::IndexError;
use crate::space::{Cost, GridSpace};

const MAGIC: &[u8; 8] = b"WAYFIDX\n";
const VERSION: u32 = 1;
const HEAD: usize = 28;
const SUM: usize = 8;

/// Why bytes are not the index of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexFileError {
    /// The bytes do not begin with `WAYFIDX`.
    #[error("this is not an index of a grid: it does not begin with \"WAYFIDX\"; build one anew")]
    NotAnIndex,
    /// The index has a version that this build cannot read.
    #[error(
        "the index has version {found}, and only version {VERSION} can be read: build it again"
    )]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// The number of bytes does not match the counts in the heading.
    #[error("the index says that it has {expected} bytes, and has {found}")]
    Length {
        /// The number of bytes that the counts require.
        expected: u64,
        /// The number of bytes present.
        found: u64,
    },
    /// The checksum does not match the contents.
    #[error("the index is damaged: its checksum is not that of its contents")]
    Checksum,
    /// The index belongs to another grid.
    #[error(transparent)]
    OtherGrid(#[from] OtherGrid),
    /// The grid cannot be indexed.
    #[error(transparent)]
    Grid(#[from] IndexError),
    /// The contents contradict the map or themselves.
    #[error("the index is wrong: {fault}, at node {node}")]
    Wrong {
        /// The contradiction.
        fault: IndexFileFault,
        /// The node or corner that it was found at.
        node: u32,
    },
}

/// A contradiction in the contents of an index file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexFileFault {
    /// The number of nodes is not the number of corners on the map.
    #[error("there are not as many nodes as the map has corners")]
    NodeCount,
    /// A corner names a node that does not exist, or that another corner names too.
    #[error("a corner's node does not exist or is another's")]
    NotAPermutation,
    /// A node has more hubs than the file holds.
    #[error("there are fewer hubs than it has")]
    MissingHubs,
    /// The hubs of a node do not ascend, or do not end with the node itself at cost 0.
    #[error("its hubs do not ascend to itself")]
    HubOrder,
    /// The file holds more hubs than its nodes have.
    #[error("there are more hubs than nodes have")]
    SurplusHubs,
    /// No neighbour has one of the node's hubs at the cost that the map requires.
    #[error("no neighbour leads to one of its hubs")]
    NoWayToHub,
}

fn wrong(fault: IndexFileFault, node: usize) -> IndexFileError {
    IndexFileError::Wrong { fault, node: u32::try_from(node).unwrap_or(u32::MAX) }
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = WordSum::default();
    let (words, rest) = bytes.as_chunks();
    words.iter().for_each(|word| sum.word(u64::from_le_bytes(*word)));
    rest.iter().for_each(|&byte| sum.word(u64::from(byte)));
    sum.0
}

/// The numbers in bytes whose length is a multiple of four.
fn numbers(bytes: &[u8]) -> impl ExactSizeIterator<Item = u32> + '_ {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word))
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
        let (nodes, hubs) = (self.names.len(), self.labels.len());
        let mut bytes = Vec::with_capacity(HEAD + 8 * (nodes + hubs) + SUM);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&self.fingerprint.to_le_bytes());
        let mut put = |number: u32| bytes.extend_from_slice(&number.to_le_bytes());
        put(nodes as u32);
        put(hubs as u32);
        self.names.iter().copied().for_each(&mut put);
        (0..nodes as u32).for_each(|node| put(self.labels.of(node).len() as u32));
        for hub in (0..nodes as u32).flat_map(|node| self.labels.of(node)) {
            put(hub.node);
            put(hub.cost);
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Decodes the index of a grid from the bytes that [`GridIndex::encode`] returned.
    ///
    /// Time and memory are O(cells + bytes), whatever counts the bytes claim.
    ///
    /// # Errors
    /// If the bytes are no index, or not one of this grid: see [`IndexFileError`].
    pub fn decode<C: Cost>(space: &GridSpace<'_, C>, bytes: &[u8]) -> Result<Self, IndexFileError> {
        check(space)?;
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(IndexFileError::NotAnIndex) };
        let short =
            IndexFileError::Length { expected: (HEAD + SUM) as u64, found: bytes.len() as u64 };
        let (version, rest) = rest.split_first_chunk().ok_or(short)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(IndexFileError::Version { found: version });
        }
        let (of, rest) = rest.split_first_chunk().ok_or(short)?;
        let (nodes, rest) = rest.split_first_chunk().ok_or(short)?;
        let (hubs, rest) = rest.split_first_chunk().ok_or(short)?;
        let (nodes, hubs) = (u32::from_le_bytes(*nodes), u32::from_le_bytes(*hubs));
        let expected = (HEAD + SUM) as u64 + 8 * (u64::from(nodes) + u64::from(hubs));
        if bytes.len() as u64 != expected {
            return Err(IndexFileError::Length { expected, found: bytes.len() as u64 });
        }
        let (contents, sum) = bytes.split_last_chunk().ok_or(short)?;
        if checksum(contents) != u64::from_le_bytes(*sum) {
            return Err(IndexFileError::Checksum);
        }
        let of = u64::from_le_bytes(*of);
        if of != fingerprint(space) {
            return Err(OtherGrid.into());
        }
        let subgoals = Subgoals::new(space);
        let count = subgoals.cells().len();
        if nodes as usize != count {
            return Err(wrong(IndexFileFault::NodeCount, nodes as usize));
        }
        let (names, rest) = rest.split_at(4 * count);
        let (lengths, rest) = rest.split_at(4 * count);
        let names = permutation(numbers(names))?;
        let labels = labels(numbers(lengths), numbers(&rest[..rest.len() - SUM]))?;
        let by_place = Graph::new(space, &subgoals);
        Self::assemble(of, subgoals, &by_place, names, labels)
            .map_err(|node| wrong(IndexFileFault::NoWayToHub, node as usize))
    }
}

fn permutation(names: impl ExactSizeIterator<Item = u32>) -> Result<Vec<u32>, IndexFileError> {
    let mut is_named = vec![false; names.len()];
    let mut checked = Vec::with_capacity(names.len());
    for (corner, name) in names.enumerate() {
        match is_named.get_mut(name as usize) {
            Some(named) if !*named => *named = true,
            _ => return Err(wrong(IndexFileFault::NotAPermutation, corner)),
        }
        checked.push(name);
    }
    Ok(checked)
}

/// Labels whose hubs ascend and end with the node itself.
fn labels(
    lengths: impl ExactSizeIterator<Item = u32>,
    mut numbers: impl ExactSizeIterator<Item = u32>,
) -> Result<Labels, IndexFileError> {
    let mut labels = Labels::with_capacity(lengths.len(), numbers.len() / 2);
    for (node, length) in lengths.enumerate() {
        if numbers.len() < 2 * length as usize {
            return Err(wrong(IndexFileFault::MissingHubs, node));
        }
        let hub = |_| Some(Hub { node: numbers.next()?, cost: numbers.next()? });
        labels.push((0..length).filter_map(hub));
        let label = labels.of(node as u32);
        let ascends = label.is_sorted_by(|a, b| a.node < b.node);
        if !ascends || label.last() != Some(&Hub { node: node as u32, cost: 0 }) {
            return Err(wrong(IndexFileFault::HubOrder, node));
        }
    }
    if numbers.len() > 0 {
        return Err(wrong(IndexFileFault::SurplusHubs, 0));
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexScratch;
    use crate::space::Grid;
    use proptest::prelude::*;

    /// With the checksum that goes with them.
    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        let contents = bytes.len() - SUM;
        let sum = checksum(&bytes[..contents]).to_le_bytes();
        bytes[contents..].copy_from_slice(&sum);
        bytes
    }

    fn grid() -> Grid {
        Grid::from_rows(&["..#...", "..#.#.", "......", ".#..#.", "......"]).unwrap()
    }

    proptest! {
        #[test]
        fn forged_indexes_are_refused_or_answer_with_paths_that_exist(
            forgeries in prop::collection::vec((any::<prop::sample::Index>(), 0u32..40, any::<bool>()), 1..4),
        ) {
            let grid = grid();
            let space = grid.space();
            let mut bytes = GridIndex::new(&space).unwrap().encode();
            for (at, number, is_large) in forgeries {
                let at = MAGIC.len() + 4 * at.index((bytes.len() - MAGIC.len() - SUM) / 4);
                let number = if is_large { u32::MAX - number } else { number };
                bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
            }
            let Ok(index) = GridIndex::decode(&space, &sealed(bytes)) else { return Ok(()) };
            let indexed = index.of(&space).unwrap();
            let free: Vec<_> = grid.cells().filter(|&cell| space.is_free(cell)).collect();
            for (&start, &goal) in free.iter().flat_map(|start| free.iter().map(move |goal| (start, goal))) {
                let outcome = indexed.path(start, goal, &mut IndexScratch::new());
                if let Some(path) = outcome.path() {
                    prop_assert_eq!(crate::path::validate(&space, path, start, goal), Ok(()));
                }
            }
        }
    }

    #[test]
    fn counts_are_checked_before_anything_is_made_of_them() {
        let grid = grid();
        let mut bytes = GridIndex::new(&grid.space()).unwrap().encode();
        bytes[20..28].copy_from_slice(&[0xff; 8]);
        let decoded = GridIndex::decode(&grid.space(), &sealed(bytes.clone())).err();
        let expected = 36 + 16 * u64::from(u32::MAX);
        let found = bytes.len() as u64;
        assert_eq!(decoded, Some(IndexFileError::Length { expected, found }));
    }
}
