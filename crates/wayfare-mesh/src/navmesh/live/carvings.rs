//! The carvings that are there, by id.

use std::collections::BTreeMap;

use super::super::Carving;
use super::super::carve::Hole;

/// A carving of a [`LiveMesh`](super::LiveMesh). Ids are not used again.
///
/// Example: [`LiveMesh`](super::LiveMesh).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CarvingId(pub(super) u32);

impl std::fmt::Display for CarvingId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "carving {}", self.0)
    }
}

/// Why a live mesh refuses an edit; it stays as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveMeshError {
    /// The carving was removed, or is of another mesh.
    #[error("there is no {carving} on the mesh")]
    NoCarving {
        /// The id.
        carving: CarvingId,
    },
    /// The base mesh has no such polygon.
    #[error("the mesh had no polygon {polygon} before it was carved")]
    NoPolygon {
        /// The index.
        polygon: u32,
    },
    /// The mesh has no such profile.
    #[error("the mesh has no profile {profile}")]
    NoProfile {
        /// The id.
        profile: u16,
    },
    /// All 2³² ids were given out.
    #[error("a live mesh takes at most 2^32 carvings in its life")]
    TooMany,
}

/// A carving with the polygons of the base that it takes effect on.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) carving: Carving,
    pub(super) hole: Hole,
    /// Polygons of the base, in order of index.
    pub(super) touches: Vec<u32>,
}

/// All carvings that are there.
#[derive(Clone, Debug, Default)]
pub(super) struct Carvings {
    entries: BTreeMap<CarvingId, Entry>,
    /// The id of the next carving.
    next: u32,
}

impl Carvings {
    pub(super) fn insert(&mut self, entry: Entry) -> Result<CarvingId, LiveMeshError> {
        let id = CarvingId(self.next);
        self.next = self.next.checked_add(1).ok_or(LiveMeshError::TooMany)?;
        self.entries.insert(id, entry);
        Ok(id)
    }

    pub(super) fn get(&self, id: CarvingId) -> Result<&Entry, LiveMeshError> {
        self.entries.get(&id).ok_or(LiveMeshError::NoCarving { carving: id })
    }

    /// Replaces a carving, and returns the former one.
    pub(super) fn replace(&mut self, id: CarvingId, entry: Entry) -> Result<Entry, LiveMeshError> {
        let known = self.entries.get_mut(&id).ok_or(LiveMeshError::NoCarving { carving: id })?;
        Ok(std::mem::replace(known, entry))
    }

    pub(super) fn remove(&mut self, id: CarvingId) -> Result<Entry, LiveMeshError> {
        self.entries.remove(&id).ok_or(LiveMeshError::NoCarving { carving: id })
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (CarvingId, &Entry)> {
        self.entries.iter().map(|(&id, entry)| (id, entry))
    }
}
