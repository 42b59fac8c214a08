//! The heading of an index file.

use super::file;
use super::frame::{Frame, IndexFileError, IndexKind};
use super::mesh::file as mesh_file;

/// The heading of an index file, which needs no map.
///
/// ```
/// use wayfare::index::{GridIndex, IndexFileHead, IndexKind};
/// use wayfare::prelude::*;
///
/// let grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
/// let index = GridIndex::new(&grid.space())?;
/// let head = IndexFileHead::read(&index.encode())?;
/// assert_eq!((head.kind, head.corners as usize), (IndexKind::Grid, index.corners()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexFileHead {
    /// The kind of index.
    pub kind: IndexKind,
    /// Tells the map, movement and revision that it was built for from others.
    pub fingerprint: u64,
    /// The count of corners at which paths turn.
    pub corners: u32,
    /// The count of hubs of all corners together.
    pub hubs: u32,
    /// The count of views of all polygons together; `None` on grids.
    pub views: Option<u32>,
}

impl IndexFileHead {
    /// Reads the head of an index file, and compares its length and checksum with it.
    ///
    /// Takes no memory, and O(bytes) time.
    ///
    /// # Errors
    /// If the bytes are no index, of an unknown version, or damaged. Whether the contents fit a map
    /// is told by [`GridIndex::decode`](super::GridIndex::decode) and
    /// [`MeshIndex::decode`](super::MeshIndex::decode).
    pub fn read(bytes: &[u8]) -> Result<Self, IndexFileError> {
        let kind = IndexKind::of(bytes).unwrap_or(IndexKind::Grid);
        match kind {
            IndexKind::Grid => {
                let Frame { fingerprint, counts: [corners, hubs, ..], .. } =
                    Frame::open(kind, bytes, file::words)?;
                Ok(Self { kind, fingerprint, corners, hubs, views: None })
            }
            IndexKind::Mesh => {
                let Frame { fingerprint, counts: [corners, _, hubs, _, views, _], .. } =
                    Frame::open(kind, bytes, mesh_file::words)?;
                Ok(Self { kind, fingerprint, corners, hubs, views: Some(views) })
            }
        }
    }
}
