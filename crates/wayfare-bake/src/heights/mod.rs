//! Stage 7, heights: triangles within each polygon that follow the ground.
//!
//! A polygon knows the height of its corners alone. Ground is sampled along its edges and on a
//! lattice within it; wherever the triangles are too far from a sample, the sample becomes a
//! corner of them. Edges are sampled once for the polygons on both sides, so that the triangles of
//! neighbours meet without cracks.
//!
//! Source: greedy insertion as in Garland and Heckbert, "Fast polygonal approximation of terrains
//! and height fields", 1995.

mod delaunay;
mod samples;

use glam::{DVec3, Vec3};

use crate::progress::{Progress, Stage};
use crate::{
    BakeError, BakeSettings, HeightSettings, Lattice, LatticePoint, PolygonMesh, Regions,
    WalkField, polygons,
};
use delaunay::Surface;
use samples::Ground;

/// Points of this stage are counted in sixteenths of a cell in plan.
const PART: i32 = 16;

/// Marks the number of an inner point while tiles are joined.
const INNER: u32 = 1 << 31;

/// Triangles that follow the ground, for each polygon of a mesh.
///
/// ```
/// use wayfare_bake::{Bake, BakeSettings, LevelGeometry, WalkerShape};
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
/// let level =
///     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let baked = Bake::new(&level, BakeSettings::new(WalkerShape::default()))?.run()?;
/// let heights = baked.heights.expect("the settings ask for heights");
/// assert_eq!(heights.triangles(0).len(), 2); // level ground: the polygon's own corners
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeightMesh {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The first triangle of each polygon, and the number of triangles at the end.
    first: Vec<u32>,
}

impl HeightMesh {
    /// Samples the ground within each polygon.
    ///
    /// O(samples), and O(k²) for the k samples that one polygon keeps.
    pub(crate) fn new(
        field: &WalkField,
        regions: &Regions,
        mesh: &PolygonMesh,
        settings: &BakeSettings,
        progress: &Progress<'_>,
    ) -> Result<Self, BakeError> {
        let wanted = settings
            .heights
            .unwrap_or(HeightSettings { spacing: u32::MAX, max_error: f32::INFINITY });
        let ground = Ground::new(field, regions, wanted);
        let mut points: Vec<LatticePoint> = mesh
            .vertices
            .iter()
            .map(|at| LatticePoint { x: at.x * PART, y: at.y, z: at.z * PART })
            .collect();
        let edges = samples::edge_points(&ground, mesh, &mut points);
        let mut heights = HeightMesh { first: vec![0], ..Self::default() };
        let mut outline = Vec::new();
        for polygon in 0..mesh.len() {
            if polygon % 256 == 0 {
                progress.at(Stage::Heights, polygon, mesh.len())?;
            }
            outline.clear();
            edges.outline(mesh, polygon, &mut outline);
            let corners = polygons::triangles_of(&points, &outline);
            let inner = match wanted.spacing {
                u32::MAX => Vec::new(),
                _ => ground.within(&points, &outline, mesh.region(polygon)),
            };
            if inner.is_empty() {
                heights.triangles.extend(corners);
            } else {
                let mut surface = Surface::new(&mut points, &corners);
                surface.follow(&inner, f64::from(wanted.max_error));
                heights.triangles.extend(surface.triangles());
            }
            heights.first.push(heights.triangles.len() as u32);
        }
        heights.points = points.iter().map(|&at| position(&mesh.lattice, at)).collect();
        Ok(heights)
    }

    /// Triangles read from a file, which fit to their points and polygons.
    pub(crate) fn of_parts(points: Vec<Vec3>, triangles: Vec<[u32; 3]>, first: Vec<u32>) -> Self {
        Self { points, triangles, first }
    }

    /// Appends the triangles of a tile whose vertices have new names. The other points go to
    /// `inner`, and get their final numbers from [`finish`](Self::finish).
    pub(crate) fn append(&mut self, tile: &HeightMesh, names: &[u32], inner: &mut Vec<Vec3>) {
        if self.first.is_empty() {
            self.first.push(0);
        }
        let base = inner.len() as u32;
        let vertices = names.len() as u32;
        inner.extend(tile.points.iter().skip(names.len()));
        let begun = self.triangles.len() as u32;
        self.triangles.extend(tile.triangles.iter().map(|corners| {
            corners.map(|point| match names.get(point as usize) {
                Some(&name) => name,
                None => INNER | (base + point - vertices),
            })
        }));
        self.first.extend(tile.first.iter().skip(1).map(|first| first + begun));
    }

    /// Numbers the inner points of all tiles after the vertices.
    pub(crate) fn finish(&mut self, mesh: &PolygonMesh, inner: &[Vec3]) {
        let vertices = mesh.vertices.len() as u32;
        for point in self.triangles.iter_mut().flatten() {
            if *point & INNER != 0 {
                *point = (*point & !INNER) + vertices;
            }
        }
        self.points = mesh.positions().chain(inner.iter().copied()).collect();
        if self.first.is_empty() {
            self.first.push(0);
        }
    }

    /// Returns the corners of the triangles, in metres: the vertices of the mesh first, then the
    /// others.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Returns the triangles of a polygon, counter-clockwise seen from above.
    ///
    /// Panics if the mesh has no such polygon.
    #[must_use]
    pub fn triangles(&self, polygon: usize) -> &[[u32; 3]] {
        &self.triangles[self.first[polygon] as usize..self.first[polygon + 1] as usize]
    }

    /// Returns the triangles of all polygons, in order.
    #[must_use]
    pub fn all_triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
}

fn position(lattice: &Lattice, at: LatticePoint) -> Vec3 {
    let cells = DVec3::new(
        f64::from(at.x) / f64::from(PART),
        f64::from(at.y),
        f64::from(at.z) / f64::from(PART),
    );
    let cell = DVec3::new(lattice.cell_size(), lattice.cell_height(), lattice.cell_size());
    (lattice.origin() + cells * cell).as_vec3()
}
