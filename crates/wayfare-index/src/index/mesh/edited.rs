//! Queries on a mesh that was edited after it was indexed.
//!
//! # Why an answer is a shortest path
//!
//! Edits that neither add ground nor lower a cost make no path cheaper. So if a shortest path of
//! the base still lies on ground of the least cost, nothing on the edited mesh is cheaper. Walks
//! along the path on the edited mesh to see that; else a search answers.

use wayfare_mesh::inside::{base_of, corner_of_base, is_harder, polygon_on_base};
use wayfare_mesh::navmesh::{MeshPoint, NavMeshSpace, PolygonId};
use wayfare_mesh::search::MeshOutcome;

use super::build::OtherMesh;
use super::query::{IndexedMesh, MeshIndexScratch};

/// An indexed mesh after live edits. Cheap to make and to copy.
///
/// The index stays that of the base. Its path is the answer where obstacles leave it free, as most
/// do; else [`Polyanya`](wayfare_mesh::search::Polyanya) answers. So paths are shortest ones at
/// once after each edit, and the index is never built again. Ground that was added, or that costs
/// less than before, leaves all queries to the search.
///
/// ```
/// use wayfare::index::{EditedMesh, MeshIndex, MeshIndexScratch};
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{
///     CarvedGround, Carving, HeightReach, LiveMesh, MeshDraft, NavMesh, Prism,
/// };
///
/// let grid = Grid::from_rows(&["......", ".##...", "......"])?;
/// let base = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let index = MeshIndex::new(&base.space())?;
/// let indexed = index.of(&base.space())?; // compared once
///
/// let mut live = LiveMesh::new(base.clone());
/// let prism = Prism::cylinder(Vec3::new(5.5, 0.0, 0.5), 0.3, 1.0)?;
/// live.insert(Carving { prism, ground: CarvedGround::Blocked })?;
/// let space = live.mesh().space();
/// let edited: EditedMesh<'_> = indexed.edited(&space)?;
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let mut scratch = MeshIndexScratch::new();
/// assert!(edited.path(at(1.5, 0.5), at(4.0, 2.0), &mut scratch).is_found());
/// assert_eq!(scratch.searched(), 0); // the obstacle stands aside
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EditedMesh<'m> {
    indexed: IndexedMesh<'m>,
    space: NavMeshSpace<'m>,
    /// Whether paths are at most as short as on the base.
    is_harder: bool,
}

impl<'m> EditedMesh<'m> {
    pub(super) fn new(
        indexed: IndexedMesh<'m>,
        space: NavMeshSpace<'m>,
    ) -> Result<Self, OtherMesh> {
        let is_same = space.has_profile() && space.profile() == indexed.space.profile();
        if !is_same || base_of(space.mesh()) != Some(indexed.base()) {
            return Err(OtherMesh);
        }
        let is_harder = is_harder(&space, &indexed.space);
        Ok(Self { indexed, space, is_harder })
    }

    /// Returns the edited mesh as a space.
    #[must_use]
    pub fn space(&self) -> &NavMeshSpace<'m> {
        &self.space
    }

    /// Returns a shortest path between two points of the edited mesh, as [`IndexedMesh::path`]
    /// does. [`MeshIndexScratch::searched`] counts the queries that a search had to answer.
    pub fn path(
        &self,
        start: MeshPoint,
        goal: MeshPoint,
        scratch: &mut MeshIndexScratch,
    ) -> MeshOutcome {
        let outcome = self.path_by_hubs(start, goal, scratch);
        outcome.unwrap_or_else(|| scratch.search(&self.space, start, goal))
    }

    /// Like [`path`](Self::path), without a search: `None` if a search has to answer.
    pub(crate) fn path_by_hubs(
        &self,
        start: MeshPoint,
        goal: MeshPoint,
        scratch: &mut MeshIndexScratch,
    ) -> Option<MeshOutcome> {
        let ground = Ground::Edited(self.space, self.indexed.space.layer.lowest);
        self.is_harder.then(|| self.indexed.path_on(&ground, [start, goal], scratch))?
    }
}

/// The ground that a path is walked on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ground<'m> {
    /// The indexed mesh.
    Indexed(NavMeshSpace<'m>),
    /// The same after edits, and the multiplier of all ground of the indexed one.
    Edited(NavMeshSpace<'m>, f32),
}

impl<'m> Ground<'m> {
    pub(super) fn space(&self) -> &NavMeshSpace<'m> {
        let (Self::Indexed(space) | Self::Edited(space, _)) = self;
        space
    }

    pub(super) fn is_edited(&self) -> bool {
        matches!(self, Self::Edited(..))
    }

    /// Returns the polygon of the indexed mesh that a polygon is a piece of.
    pub(super) fn indexed(&self, polygon: PolygonId) -> PolygonId {
        match self {
            Self::Indexed(_) => polygon,
            Self::Edited(space, _) => polygon_on_base(space, polygon),
        }
    }

    /// Returns the corner at a corner of the indexed mesh, if a path can turn there.
    pub(super) fn corner(&self, indexed: &IndexedMesh<'_>, corner: u32) -> Option<u32> {
        match self {
            Self::Indexed(_) => Some(corner),
            Self::Edited(space, _) => corner_of_base(space, indexed.space.mesh(), corner),
        }
    }

    /// Returns whether all polygons of a corridor cost as much as these of the indexed mesh.
    pub(super) fn is_plain(&self, corridor: &[PolygonId]) -> bool {
        match self {
            Self::Edited(space, multiplier) if !space.is_uniform() => {
                corridor.iter().all(|&polygon| space.multiplier(polygon) == Some(*multiplier))
            }
            _ => true,
        }
    }
}
