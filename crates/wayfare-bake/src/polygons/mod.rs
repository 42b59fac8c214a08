//! Stage 6, polygons: the regions cut into convex polygons that share their corners.

mod ears;
mod merge;

pub(crate) use merge::in_circle;

use glam::Vec3;
use wayfare_mesh::navmesh::{AreaId, MeshDraft, NavMesh, NavMeshError};

use crate::progress::{Progress, Stage};
use crate::{BakeError, BakeSettings, Contours, Lattice, LatticePoint, RegionId};

/// Convex polygons over shared vertices: the navigation mesh before heights.
///
/// Polygons run counter-clockwise seen from above. Two polygons are neighbours where they share two
/// vertices in a row; corners may lie on straight edges, where a neighbour has one.
///
/// ```
/// use wayfare_bake::{Bake, BakeSettings, LevelGeometry, WalkerShape};
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
/// let level =
///     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let baked = Bake::new(&level, BakeSettings::new(WalkerShape::default()))?.run()?;
/// let mesh = &baked.polygons;
/// assert_eq!((mesh.len(), mesh.vertices().len()), (1, 4));
/// // Less a cell for the drop and two for the radius on each side.
/// assert!((mesh.area_in_plan() - 2.8 * 2.8).abs() < 1e-4);
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PolygonMesh {
    pub(crate) lattice: Lattice,
    /// The radius of the body that the polygons are for, in metres.
    radius: f32,
    pub(crate) vertices: Vec<LatticePoint>,
    /// The first corner of each polygon, and the number of corners at the end.
    pub(crate) first: Vec<u32>,
    pub(crate) corners: Vec<u32>,
    pub(crate) areas: Vec<AreaId>,
    pub(crate) regions: Vec<RegionId>,
    /// Triangles that were cut although an outline crossed itself: 0 unless there is a defect.
    pub(crate) forced: u32,
}

impl PolygonMesh {
    /// Returns a mesh without polygons.
    pub(crate) fn empty(lattice: &Lattice, settings: &BakeSettings) -> Self {
        PolygonMesh {
            lattice: *lattice,
            radius: settings.walker.radius,
            vertices: Vec::new(),
            first: vec![0],
            corners: Vec::new(),
            areas: Vec::new(),
            regions: Vec::new(),
            forced: 0,
        }
    }

    /// Cuts the regions within outlines into convex polygons.
    pub(crate) fn new(
        contours: &Contours,
        settings: &BakeSettings,
        progress: &Progress<'_>,
    ) -> Result<Self, BakeError> {
        let mut mesh = PolygonMesh::empty(&contours.lattice, settings);
        mesh.vertices.clone_from(&contours.vertices);
        let all = contours.outlines.len();
        let mut done = 0;
        for region in contours.outlines.chunk_by(|a, b| a.region == b.region) {
            if done % 256 == 0 {
                progress.at(Stage::Polygons, done, all)?;
            }
            done += region.len();
            let outlines: Vec<&[u32]> = region.iter().map(|o| o.corners.as_slice()).collect();
            let ears = ears::cut(&contours.vertices, &outlines);
            mesh.forced += ears.forced;
            merge::convex(&contours.vertices, &ears.triangles, settings.max_corners, |corners| {
                mesh.corners.extend(corners);
                mesh.first.push(mesh.corners.len() as u32);
                mesh.areas.push(region[0].ground.area().unwrap_or_default());
                mesh.regions.push(region[0].region);
            });
        }
        Ok(mesh)
    }

    /// Returns the lattice that vertices are counted by.
    #[must_use]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Returns the number of polygons.
    #[must_use]
    pub fn len(&self) -> usize {
        self.areas.len()
    }

    /// Returns whether there is no polygon: nothing is walkable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// Returns the vertices, as corners of the lattice.
    #[must_use]
    pub fn vertices(&self) -> &[LatticePoint] {
        &self.vertices
    }

    /// Returns the positions of the vertices, in metres.
    pub fn positions(&self) -> impl Iterator<Item = Vec3> {
        self.vertices.iter().map(|&at| self.lattice.position(at))
    }

    /// Returns the vertices of a polygon, counter-clockwise seen from above.
    ///
    /// Panics if `polygon` is not below [`len`](Self::len).
    #[must_use]
    pub fn polygon(&self, polygon: usize) -> &[u32] {
        &self.corners[self.first[polygon] as usize..self.first[polygon + 1] as usize]
    }

    /// Returns all polygons, in order.
    pub fn polygons(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|polygon| self.polygon(polygon))
    }

    /// Returns the area of a polygon.
    ///
    /// Panics if `polygon` is not below [`len`](Self::len).
    #[must_use]
    pub fn area(&self, polygon: usize) -> AreaId {
        self.areas[polygon]
    }

    /// Returns the region that a polygon is part of.
    ///
    /// Panics if `polygon` is not below [`len`](Self::len).
    #[must_use]
    pub fn region(&self, polygon: usize) -> RegionId {
        self.regions[polygon]
    }

    /// Returns the area of all polygons in plan, in square metres.
    #[must_use]
    pub fn area_in_plan(&self) -> f64 {
        let doubled: i64 = self.polygons().map(|polygon| self.doubled_cells(polygon)).sum();
        doubled as f64 * 0.5 * self.lattice.cell_size() * self.lattice.cell_size()
    }

    /// Returns the polygons as a draft of a navigation mesh, in the same order, made for the
    /// radius of the walker.
    #[must_use]
    pub fn draft(&self) -> MeshDraft {
        let mut draft = MeshDraft::new(self.positions().collect());
        draft.body_radius = self.radius;
        for (polygon, &area) in self.polygons().zip(&self.areas) {
            draft.push(polygon, area);
        }
        draft
    }

    /// Returns the navigation mesh of the polygons, which has the same numbers for them.
    ///
    /// # Errors
    /// As [`NavMesh::new`]: when the level is so far from the origin that single floats do not
    /// tell its cells apart.
    pub fn nav_mesh(&self) -> Result<NavMesh, NavMeshError> {
        NavMesh::new(self.draft())
    }

    /// Twice the area of a polygon in plan, in cells.
    fn doubled_cells(&self, polygon: &[u32]) -> i64 {
        let at = |index: usize| self.vertices[polygon[index] as usize];
        (1..polygon.len().saturating_sub(1)).map(|i| at(0).turn(at(i), at(i + 1))).sum()
    }

    /// Checks the guarantees of the type. Returns the first fault in words, if any.
    ///
    /// Every polygon is convex and covers an area, and no edge belongs to more than two polygons,
    /// nor twice in one direction. O(n log n).
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        if self.forced > 0 {
            return Some(format!("{} triangles of outlines that cross themselves", self.forced));
        }
        let mut edges = Vec::with_capacity(self.corners.len());
        for (number, polygon) in self.polygons().enumerate() {
            let count = polygon.len();
            let at = |index: usize| self.vertices[polygon[index % count] as usize];
            if count < 3 || self.doubled_cells(polygon) <= 0 {
                return Some(format!("polygon {number} covers no area"));
            }
            if let Some(index) = (0..count).find(|&i| at(i).turn(at(i + 1), at(i + 2)) < 0) {
                return Some(format!("polygon {number} is not convex at corner {}", index + 1));
            }
            edges.extend((0..count).map(|i| [polygon[i], polygon[(i + 1) % count]]));
        }
        edges.sort_unstable();
        let twice = edges.windows(2).find(|pair| pair[0] == pair[1]);
        twice.map(|pair| format!("two polygons have the edge {:?} in one direction", pair[0]))
    }
}

/// Returns the Delaunay triangles within one outline, counter-clockwise.
pub(crate) fn triangles_of(points: &[LatticePoint], outline: &[u32]) -> Vec<[u32; 3]> {
    if let [a, b, c] = *outline {
        return vec![[a, b, c]];
    }
    merge::delaunay(points, &ears::cut(points, &[outline]).triangles)
}
