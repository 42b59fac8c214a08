//! Drafts: vertices and polygons that have not been checked yet.

use glam::Vec3;

use super::{AreaId, NavMesh};

/// A polygon of a [`MeshDraft`].
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{AreaId, DraftPolygon, MeshDraft};
///
/// let mut draft = MeshDraft::new(vec![Vec3::ZERO, Vec3::Z, Vec3::X]);
/// draft.push(&[0, 1, 2], AreaId::WALKABLE);
/// let only = DraftPolygon { corners: &[0, 1, 2], area: AreaId::WALKABLE };
/// assert!(draft.polygons().eq([only]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DraftPolygon<'d> {
    /// The vertices at its corners, counter-clockwise as seen from above.
    pub corners: &'d [u32],
    /// Its area.
    pub area: AreaId,
}

/// The vertices and polygons that a [`NavMesh`](super::NavMesh) is made from. Nothing is checked
/// before [`NavMesh::new`](super::NavMesh::new).
///
/// Polygons are joined if two of them have an edge between the same two vertices. Vertices at the
/// same x and z whose heights differ by no more than [`step`](Self::step) count as one. Edges that
/// overlap in part are joined along that part, as at the border of two tiles.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{AreaId, MeshDraft, NavMesh};
///
/// // Two squares side by side; y is up. Counter-clockwise from above: z first, then x.
/// let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [2.0, 1.0], [2.0, 0.0]];
/// let mut draft = MeshDraft::new(corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec());
/// draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
/// draft.push(&[3, 2, 4, 5], AreaId(1));
/// let mesh = NavMesh::new(draft)?;
/// assert_eq!(mesh.len(), 2);
/// # Ok::<(), wayfare::space::navmesh::NavMeshError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshDraft {
    /// The vertices in metres; y is up.
    pub vertices: Vec<Vec3>,
    /// The largest difference in height, in metres, across which vertices at the same x and z, or
    /// edges that overlap in part, are joined: 0 to 1,000, default 0.01. Raising it joins tiles
    /// whose heights differ at their border; above the height of a storey it joins floors.
    pub step: f32,
    /// The radius of the bodies that the mesh is made for, in metres, 0 to 1,000, default 0: its
    /// border keeps that distance from walls. See [`NavMesh::body_radius`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub body_radius: f32,
    /// The corners of all polygons, one polygon after the other.
    pub(super) corners: Vec<u32>,
    /// Where the corners of each polygon end.
    pub(super) ends: Vec<u32>,
    /// The area of each polygon.
    pub(super) areas: Vec<AreaId>,
}

impl MeshDraft {
    /// Returns a draft with these vertices, without polygons.
    #[must_use]
    pub fn new(vertices: Vec<Vec3>) -> Self {
        let (corners, ends, areas) = Default::default();
        Self { vertices, step: 0.01, body_radius: 0.0, corners, ends, areas }
    }

    /// Returns the draft of a mesh: [`NavMesh::new`](super::NavMesh::new) makes a mesh of the same
    /// polygons of it, and an equal one where no two vertices are at one point. Unused indices are
    /// skipped. O(corners).
    ///
    /// Cuts may leave splinters, thinner than single floats can tell; of these
    /// [`NavMesh::new`](super::NavMesh::new) says that they have no area.
    #[must_use]
    pub fn of_mesh(mesh: &NavMesh) -> Self {
        // Floors at one place were joined or kept apart before: only points that are the same join.
        let (step, body_radius) = (0.0, mesh.body_radius());
        let mut draft = Self { step, body_radius, ..Self::new(mesh.vertices().to_vec()) };
        for polygon in mesh.polygons() {
            draft.push(mesh.corners(polygon), mesh.area(polygon));
        }
        draft
    }

    /// Adds a polygon: the indices of its vertices, counter-clockwise seen from above.
    pub fn push(&mut self, corners: &[u32], area: AreaId) {
        self.corners.extend_from_slice(corners);
        self.ends.push(u32::try_from(self.corners.len()).unwrap_or(u32::MAX));
        self.areas.push(area);
    }

    /// Returns the number of polygons.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no polygons.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the polygons in order.
    pub fn polygons(&self) -> impl Iterator<Item = DraftPolygon<'_>> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).zip(&self.areas).map(|((begin, &end), &area)| {
            let corners = self.corners.get(begin as usize..end as usize).unwrap_or_default();
            DraftPolygon { corners, area }
        })
    }
}
