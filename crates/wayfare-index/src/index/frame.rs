//! The frame that files of indexes have in common: the kind, a version, a checksum.
//!
//! All words are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | the kind, [`IndexKind`]: seven letters and a line feed |
//! | 4 | the version of this kind |
//! | 8 | the fingerprint of the map |
//! | 4 each | a few counts, as many as the kind has |
//! | … | the contents, in words of 4 bytes; the counts tell how many |
//! | 8 | the checksum of everything before |
//!
//! The length is compared with the counts before any allocation, so memory is a constant times the
//! file, whatever it claims.

use std::fmt;

use wayfare_core::inside::WordSum;

use super::build::OtherGrid;
use super::mesh::{MeshIndexError, OtherMesh};
use crate::index::IndexError;

/// The bytes before the counts.
const HEAD: usize = 20;
/// The bytes of the checksum.
pub const SUM: usize = 8;

/// The kind of an index file.
///
/// Example: [`IndexFileHead`](super::IndexFileHead).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexKind {
    /// Of a grid: a [`GridIndex`](super::GridIndex). Its files begin with `WAYFIDX`.
    Grid,
    /// Of a navigation mesh: a [`MeshIndex`](super::MeshIndex). Its files begin with `WAYFMDX`.
    Mesh,
}

impl IndexKind {
    /// All kinds.
    #[doc(hidden)]
    pub const ALL: [Self; 2] = [Self::Grid, Self::Mesh];

    /// The bytes that files of the kind begin with.
    #[doc(hidden)]
    pub fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Grid => b"WAYFIDX\n",
            Self::Mesh => b"WAYFMDX\n",
        }
    }

    /// Returns the only version that is read and written.
    fn version(self) -> u32 {
        match self {
            Self::Grid => 2,
            Self::Mesh => 1,
        }
    }

    /// Returns the kind that bytes begin with; `None` if they begin with neither.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| bytes.starts_with(kind.magic()))
    }
}

impl fmt::Display for IndexKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Grid => "grid",
            Self::Mesh => "navigation mesh",
        })
    }
}

/// Why bytes are not the index of a grid or mesh.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexFileError {
    /// The bytes begin with the letters of no index.
    #[error(
        "this is not an index of a {wanted}: it does not begin with \"{}\"; build one anew",
        letters(*wanted)
    )]
    NotAnIndex {
        /// The kind of index that was to be read.
        wanted: IndexKind,
    },
    /// The bytes are an index of another kind of map.
    #[error("this is an index of a {found}, not of a {wanted}: build one of this world")]
    OtherKind {
        /// The kind of index that was to be read.
        wanted: IndexKind,
        /// The kind of the file.
        found: IndexKind,
    },
    /// The index has a version that this build cannot read.
    #[error("the index has version {found}, and only version {} can be read: build it again",
        wanted.version())]
    Version {
        /// The kind of index.
        wanted: IndexKind,
        /// The version of the file.
        found: u32,
    },
    /// The length does not match the counts in the heading.
    #[error("the index says that it has {expected} bytes, and has {found}")]
    Length {
        /// The bytes that the counts require.
        expected: u64,
        /// The bytes present.
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
    /// The index belongs to another mesh.
    #[error(transparent)]
    OtherMesh(#[from] OtherMesh),
    /// The mesh cannot be indexed.
    #[error(transparent)]
    Mesh(#[from] MeshIndexError),
    /// The contents contradict the map or themselves.
    #[error("the index is wrong: {fault}, at {} {number}", fault.place())]
    Wrong {
        /// The contradiction.
        fault: IndexFileFault,
        /// The index of the node, the polygon or the cell at fault.
        number: u32,
    },
}

/// A contradiction in the contents of an index file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexFileFault {
    /// The count of nodes differs from the corners on the map.
    #[error("there are not as many nodes as the map has corners")]
    NodeCount,
    /// A corner names a node that does not exist, or that another corner names too.
    #[error("a corner's node does not exist or is another's")]
    NotAPermutation,
    /// A node has more hubs than the file contains.
    #[error("there are fewer hubs than it has")]
    MissingHubs,
    /// The hubs of a node do not ascend, or do not end with the node itself at cost 0.
    #[error("its hubs do not ascend to itself")]
    HubOrder,
    /// The file contains more hubs than its nodes have.
    #[error("there are more hubs than nodes have")]
    SurplusHubs,
    /// No neighbour has one of the node's hubs at the cost that the map requires.
    #[error("no neighbour leads to one of its hubs")]
    NoWayToHub,
    /// The ways of a node do not ascend, differ in count from the file, or lead to a node that does
    /// not exist. Of meshes.
    #[error("its ways do not ascend, or are not as many as the file holds")]
    WayOrder,
    /// Costs are counted in units that no path of the mesh fits. Of meshes.
    #[error("its unit of cost does not fit the mesh")]
    Unit,
    /// The mesh has another count of polygons, or they differ in count of views from the file. Of
    /// meshes.
    #[error("its views are not as many as the file holds")]
    ViewCount,
    /// The cells are not as many as the map has, or differ in count of corners in sight from the
    /// file, or a corner in sight does not exist. Of grids.
    #[error("the corners in sight of cells are not as many as the file holds, or do not exist")]
    Sight,
    /// A view is that of a node, or between corners, that does not exist. Of meshes.
    #[error("a view names a node or a corner that does not exist")]
    NoSuchView,
}

impl IndexFileFault {
    /// Returns the name of the thing that the index of a fault counts.
    fn place(self) -> &'static str {
        match self {
            Self::ViewCount | Self::NoSuchView => "polygon",
            Self::Sight => "cell",
            _ => "node",
        }
    }

    /// Returns the error at a node or polygon.
    pub(super) fn at(self, number: usize) -> IndexFileError {
        IndexFileError::Wrong { fault: self, number: u32::try_from(number).unwrap_or(u32::MAX) }
    }
}

/// Returns the letters that files of a kind begin with.
pub fn letters(kind: IndexKind) -> &'static str {
    std::str::from_utf8(&kind.magic()[..7]).unwrap_or_default()
}

/// The checksum of the bytes before it.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = WordSum::default();
    let (words, rest) = bytes.as_chunks();
    words.iter().for_each(|word| sum.word(u64::from_le_bytes(*word)));
    rest.iter().for_each(|&byte| sum.word(u64::from(byte)));
    sum.0
}

/// Writes the bytes of an index.
pub(super) struct FrameWriter {
    bytes: Vec<u8>,
}

impl FrameWriter {
    /// Returns the heading, and room for the `words` to come.
    pub(super) fn new(kind: IndexKind, fingerprint: u64, counts: &[u32], words: usize) -> Self {
        let mut bytes = Vec::with_capacity(HEAD + 4 * (counts.len() + words) + SUM);
        bytes.extend_from_slice(kind.magic());
        bytes.extend_from_slice(&kind.version().to_le_bytes());
        bytes.extend_from_slice(&fingerprint.to_le_bytes());
        let mut writer = Self { bytes };
        counts.iter().for_each(|&count| writer.put(count));
        writer
    }

    /// Adds a word.
    #[inline]
    pub(super) fn put(&mut self, word: u32) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    /// Returns the bytes with their checksum.
    pub(super) fn seal(mut self) -> Vec<u8> {
        let sum = checksum(&self.bytes);
        self.bytes.extend_from_slice(&sum.to_le_bytes());
        self.bytes
    }
}

/// A frame with a correct length and checksum.
pub(super) struct Frame<'b, const COUNTS: usize> {
    pub(super) fingerprint: u64,
    pub(super) counts: [u32; COUNTS],
    pub(super) contents: Words<'b>,
}

impl<'b, const COUNTS: usize> Frame<'b, COUNTS> {
    /// Opens the frame of an index. `words` computes the count of words from the counts.
    pub(super) fn open(
        kind: IndexKind,
        bytes: &'b [u8],
        words: impl FnOnce([u64; COUNTS]) -> u64,
    ) -> Result<Self, IndexFileError> {
        match IndexKind::of(bytes) {
            None => return Err(IndexFileError::NotAnIndex { wanted: kind }),
            Some(found) if found != kind => {
                return Err(IndexFileError::OtherKind { wanted: kind, found });
            }
            Some(_) => {}
        }
        let least = (HEAD + 4 * COUNTS + SUM) as u64;
        let found = bytes.len() as u64;
        let short = IndexFileError::Length { expected: least, found };
        let (version, rest) = bytes[8..].split_first_chunk().ok_or(short)?;
        let version = u32::from_le_bytes(*version);
        if version != kind.version() {
            return Err(IndexFileError::Version { wanted: kind, found: version });
        }
        let (fingerprint, rest) = rest.split_first_chunk().ok_or(short)?;
        let (heading, rest) = rest.split_at_checked(4 * COUNTS).ok_or(short)?;
        let (contents, sum) = rest.split_last_chunk::<SUM>().ok_or(short)?;
        let mut counts = [0; COUNTS];
        counts.iter_mut().zip(Words(heading)).for_each(|(count, word)| *count = word);
        let expected = least + 4 * words(counts.map(u64::from));
        if found != expected {
            return Err(IndexFileError::Length { expected, found });
        }
        if checksum(&bytes[..bytes.len() - SUM]) != u64::from_le_bytes(*sum) {
            return Err(IndexFileError::Checksum);
        }
        let fingerprint = u64::from_le_bytes(*fingerprint);
        Ok(Self { fingerprint, counts, contents: Words(contents) })
    }
}

/// The words of the contents, one after the other.
pub(super) struct Words<'b>(&'b [u8]);

impl Words<'_> {
    /// Returns the next `count` words, which are taken out; fewer where there are no more.
    pub(super) fn take_words(&mut self, count: usize) -> Self {
        let (taken, rest) = self.0.split_at(count.saturating_mul(4).min(self.0.len()));
        self.0 = rest;
        Self(taken)
    }
}

impl Iterator for Words<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*word))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() / 4, Some(self.0.len() / 4))
    }
}

impl ExactSizeIterator for Words<'_> {}

/// Reads a permutation: each node once.
pub(super) fn permutation(
    names: impl ExactSizeIterator<Item = Option<u32>>,
) -> Result<Vec<u32>, IndexFileError> {
    let mut is_named = vec![false; names.len()];
    let mut checked = Vec::with_capacity(names.len());
    for (corner, name) in names.enumerate() {
        let name = name.filter(|&name| {
            let named = is_named.get_mut(name as usize);
            named.is_some_and(|named| !std::mem::replace(named, true))
        });
        checked.push(name.ok_or(IndexFileFault::NotAPermutation.at(corner))?);
    }
    Ok(checked)
}
