//! The mesh itself: vertices, polygons, and what joins them.

use glam::Vec3;

use super::build::{self, Joined, NO_TWIN};
use super::plan::{plan, turn};
use super::{AreaId, MeshDraft, NavMeshError};
use crate::space::{Revision, StateId, state_id};

state_id! {
    /// A polygon of a [`NavMesh`], numbered as in its draft.
    PolygonId
}

/// A navigation mesh: convex polygons that agents walk on, joined along their edges.
///
/// Polygons may lie above each other, as the floors of a house do. A mesh never changes; its edits
/// make another one. Made from a [`MeshDraft`], which has an example.
///
/// Memory: about 50 bytes a corner.
#[derive(Clone, Debug)]
pub struct NavMesh {
    vertices: Vec<Vec3>,
    /// Where the corners of each polygon begin; one entry more than polygons.
    first: Vec<u32>,
    /// The vertex of each corner. The edge of a corner leads to the polygon's next one.
    corners: Vec<u32>,
    /// The corner in the neighbouring polygon whose edge is the same one backwards, or [`NO_TWIN`].
    twins: Vec<u32>,
    /// The polygon of each corner.
    owners: Vec<u32>,
    areas: Vec<AreaId>,
    revision: Revision,
}

impl NavMesh {
    /// Checks a draft and joins its polygons. O(n log n) for n corners.
    ///
    /// # Errors
    /// When a coordinate is no number or beyond ±16,777,216, a polygon is not convex, not
    /// counter-clockwise or without area, or two polygons lie on the same side of an edge. The
    /// error names the polygon and the vertex.
    pub fn new(draft: MeshDraft) -> Result<Self, NavMeshError> {
        let Joined { vertices, first, corners, twins } = build::join(&draft)?;
        let mut owners = Vec::with_capacity(corners.len());
        for (polygon, own) in (0..).zip(first.windows(2)) {
            owners.resize(own[1] as usize, polygon);
        }
        let (areas, revision) = (draft.areas, Revision::default());
        Ok(Self { vertices, first, corners, twins, owners, areas, revision })
    }

    /// A mesh of tables that are right.
    pub(super) fn from_tables(tables: Joined, areas: Vec<AreaId>) -> Self {
        let Joined { vertices, first, corners, twins } = tables;
        let mut owners = Vec::with_capacity(corners.len());
        for (polygon, own) in (0..).zip(first.windows(2)) {
            owners.resize(own[1] as usize, polygon);
        }
        Self { vertices, first, corners, twins, owners, areas, revision: Revision::default() }
    }

    /// The number of polygons.
    #[must_use]
    pub fn len(&self) -> usize {
        self.areas.len()
    }

    /// Whether there are no polygons.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// All polygons in order.
    pub fn polygons(&self) -> impl ExactSizeIterator<Item = PolygonId> + use<> {
        (0..self.areas.len() as u32).map(PolygonId)
    }

    /// The polygon of that number; `None` if there are fewer.
    #[must_use]
    pub fn polygon(&self, index: u32) -> Option<PolygonId> {
        ((index as usize) < self.len()).then_some(PolygonId(index))
    }

    /// The vertices in metres; y is up. Some may be in no polygon.
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The area of a polygon.
    ///
    /// # Panics
    /// When the polygon is not of this mesh. So do all methods that take a polygon.
    #[must_use]
    #[inline]
    pub fn area(&self, polygon: PolygonId) -> AreaId {
        self.areas[polygon.0 as usize]
    }

    /// The vertices of a polygon's corners, counter-clockwise seen from above. Where an edge of a
    /// neighbour ends between two corners there is a further one, with an angle of 180°.
    #[must_use]
    #[inline]
    pub fn corners(&self, polygon: PolygonId) -> &[u32] {
        &self.corners[self.own(polygon)]
    }

    /// The places of a polygon's corners.
    pub fn outline(
        &self,
        polygon: PolygonId,
    ) -> impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator + Clone + '_ {
        self.corners(polygon).iter().map(|&vertex| self.vertices[vertex as usize])
    }

    /// The neighbour across each edge of a polygon, in the order of its corners; an edge leads from
    /// its corner to the next one. `None`: there the mesh ends.
    pub fn neighbours(
        &self,
        polygon: PolygonId,
    ) -> impl DoubleEndedIterator<Item = Option<PolygonId>> + ExactSizeIterator + '_ {
        self.twins[self.own(polygon)]
            .iter()
            .map(|&twin| (twin != NO_TWIN).then(|| PolygonId(self.owners[twin as usize])))
    }

    /// The middle of a polygon's corners.
    #[must_use]
    pub fn middle(&self, polygon: PolygonId) -> Vec3 {
        let sum = self.outline(polygon).fold(glam::DVec3::ZERO, |sum, at| sum + at.as_dvec3());
        (sum / self.corners(polygon).len() as f64).as_vec3()
    }

    /// The size of a polygon seen from above, in square metres.
    #[must_use]
    pub fn plan_area(&self, polygon: PolygonId) -> f64 {
        let mut outline = self.outline(polygon).map(plan);
        let (Some(origin), Some(mut before)) = (outline.next(), outline.next()) else { return 0.0 };
        let doubled = outline.fold(0.0, |sum, at| {
            let part = turn(origin, before, at);
            before = at;
            sum + part
        });
        doubled / 2.0
    }

    /// The number of edits so far.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The corners of a polygon in the tables.
    #[inline]
    pub(crate) fn own(&self, polygon: PolygonId) -> std::ops::Range<usize> {
        let index = polygon.index() as usize;
        self.first[index] as usize..self.first[index + 1] as usize
    }

    /// The number of corners of all polygons.
    pub(super) fn corner_count(&self) -> usize {
        self.corners.len()
    }

    /// The corner in the neighbouring polygon whose edge is the same one backwards, or
    /// [`NO_TWIN`].
    pub(super) fn twin(&self, corner: u32) -> u32 {
        self.twins[corner as usize]
    }

    /// The polygon of a corner.
    pub(super) fn owner(&self, corner: u32) -> PolygonId {
        PolygonId(self.owners[corner as usize])
    }

    /// The place of a corner.
    pub(super) fn place(&self, corner: u32) -> Vec3 {
        self.vertices[self.corners[corner as usize] as usize]
    }

    /// The distance below which a point counts as lying on a line.
    pub(super) fn tolerance(&self) -> f64 {
        build::tolerance(&self.vertices).max(1e-5)
    }
}
