//! Random points of a mesh.

use std::collections::BTreeMap;

use glam::Vec3;

use super::locate::MeshPoint;
use super::{NavMeshSpace, PolygonId};

/// Draws points of a mesh, uniform by area as seen from above.
///
/// Made for a mesh as it is: after an edit make another one. 12 bytes a triangle.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{MeshDraft, MeshSampler, NavMesh};
///
/// let grid = Grid::from_rows(&["....#...", "....#...", "....#..."]).unwrap();
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
/// let space = mesh.space();
/// let sampler = MeshSampler::new(&space, |_| true);
/// assert_eq!(sampler.area(), 21.0);
/// // From any source of random numbers.
/// let point = sampler.draw(&space, [0x9e37_79b9, 0x7f4a_7c15, 0xf39c_c060]).unwrap();
/// assert!(space.contains(point.polygon, point.place));
/// // On the island of a point.
/// let island = space.component(point.polygon);
/// let there = MeshSampler::new(&space, |polygon| space.component(polygon) == island);
/// assert!(there.area() < 13.0);
/// ```
#[derive(Clone, Debug)]
pub struct MeshSampler {
    /// For each triangle the area of all triangles up to it.
    sums: Vec<f64>,
    /// The polygon of each triangle, and its second corner among the polygon's.
    triangles: Vec<(PolygonId, u32)>,
}

impl MeshSampler {
    /// Returns a sampler of the polygons that agents of the profile can enter and `accepts`
    /// accepts. O(corners).
    #[must_use]
    pub fn new(space: &NavMeshSpace<'_>, accepts: impl Fn(PolygonId) -> bool) -> Self {
        let mut sampler = Self { sums: Vec::new(), triangles: Vec::new() };
        let mut sum = 0.0;
        let mesh = space.mesh();
        for polygon in mesh.polygons().filter(|&at| space.is_free(at) && accepts(at)) {
            let count = mesh.corners(polygon).len() as u32;
            for second in 1..count.saturating_sub(1) {
                let [a, b, c] = triangle(space, polygon, second);
                let flat = |from: Vec3, to: Vec3| (to - from).as_dvec3();
                let (u, v) = (flat(a, b), flat(a, c));
                let area = (u.z * v.x - u.x * v.z) / 2.0;
                if area > 0.0 {
                    sum += area;
                    sampler.sums.push(sum);
                    sampler.triangles.push((polygon, second));
                }
            }
        }
        sampler
    }

    /// Returns a sampler of all that can be reached from a polygon. O(corners).
    #[must_use]
    pub fn on_island_of(space: &NavMeshSpace<'_>, polygon: PolygonId) -> Self {
        let island = space.component(polygon);
        Self::new(space, |polygon| space.component(polygon) == island)
    }

    /// Returns a sampler of the island with the largest area as seen from above; of nothing, if
    /// nobody can stand anywhere. O(corners).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{MeshDraft, MeshSampler, NavMesh};
    ///
    /// let grid = Grid::from_rows(&["..#...", "..#..."]).unwrap();
    /// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    /// assert_eq!(MeshSampler::on_largest_island(&mesh.space()).area(), 6.0);
    /// ```
    #[must_use]
    pub fn on_largest_island(space: &NavMeshSpace<'_>) -> Self {
        let mut areas: BTreeMap<u32, f64> = BTreeMap::new();
        let all = Self::new(space, |_| true);
        let mut before = 0.0;
        for (&(polygon, _), &sum) in all.triangles.iter().zip(&all.sums) {
            *areas.entry(space.component(polygon)).or_default() += sum - before;
            before = sum;
        }
        // Of equal ones the first: `max_by` keeps the last.
        let largest = areas.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
        let largest = largest.map(|(island, _)| island);
        Self::new(space, |polygon| Some(space.component(polygon)) == largest)
    }

    /// Returns the area of the ground that is drawn from, in square metres as seen from above.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// Returns the point for three random numbers, in the space that the sampler was made for.
    /// Independent numbers make independent points. `None`: there is no ground. O(log n).
    #[must_use]
    pub fn draw(&self, space: &NavMeshSpace<'_>, numbers: [u32; 3]) -> Option<MeshPoint> {
        let [which, s, t] = numbers.map(|number| f64::from(number) / 4_294_967_296.0);
        let wanted = which * self.area();
        let index = self.sums.partition_point(|&sum| sum <= wanted);
        let &(polygon, second) = self.triangles.get(index)?;
        let [a, b, c] = triangle(space, polygon, second);
        // A parallelogram folded along its diagonal.
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        let place = a + (b - a) * s as f32 + (c - a) * t as f32;
        let height = space.mesh().height_at(polygon, place);
        Some(space.inside(MeshPoint { polygon, place: place.with_y(height) }))
    }
}

/// Returns a triangle of the fan around the first corner of a polygon.
fn triangle(space: &NavMeshSpace<'_>, polygon: PolygonId, second: u32) -> [Vec3; 3] {
    let mesh = space.mesh();
    let corners = mesh.corners(polygon);
    [0, second, second + 1].map(|corner| mesh.vertices()[corners[corner as usize] as usize])
}
