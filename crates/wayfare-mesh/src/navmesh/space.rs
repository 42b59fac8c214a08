//! A mesh as one profile sees it: the space of searches.

use glam::{DVec2, Vec2, Vec3, Vec3Swizzles};
use wayfare_core::space::{
    Action, Edge, EdgeOf, Metric, Obstruction, Plain, Reachability, ReverseSpace, Revision, Space,
    StateId,
};

use super::layer::Layer;
use super::locator::Rectangle;
use super::plan::{plan, turn};
use super::{MeshProfile, NavMesh, PolygonId};

/// Counts of a mesh as one profile sees it. Made by [`NavMeshSpace::count_islands`].
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{IslandCount, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["..#..", "..#.."]).unwrap();
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
/// assert_eq!(mesh.space().count_islands(), IslandCount { islands: 2, polygons: 2 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IslandCount {
    /// The islands: parts of the mesh with no path from one to another.
    pub islands: usize,
    /// The polygons that can be entered.
    pub polygons: usize,
}

/// The cost of one metre on ground of multiplier 1: costs are millimetres.
pub const MESH_COST_PER_METRE: u64 = 1000;

/// A [`NavMesh`] as one profile of agents sees it. Borrowed, copied freely.
///
/// As a [`Space`] its states are polygons, and moves run from the centre of one to the centre of
/// the next: enough for the planner, for fields and for lists of goals. Shortest paths at any angle
/// between points are found by [`Polyanya`](crate::search::Polyanya).
///
/// Example: [`NavMeshSpace::raycast`](Self::raycast).
#[derive(Clone, Copy, Debug)]
pub struct NavMeshSpace<'m> {
    mesh: &'m NavMesh,
    #[doc(hidden)]
    pub layer: &'m Layer,
    /// Whether the profile is one of the mesh.
    is_known: bool,
}

impl<'m> NavMeshSpace<'m> {
    pub(super) fn new(mesh: &'m NavMesh, layer: &'m Layer, is_known: bool) -> Self {
        Self { mesh, layer, is_known }
    }

    /// Returns the room that a body needs from the border of the mesh.
    pub(super) fn room(&self, radius: f32) -> f32 {
        (radius - self.mesh.body_radius).max(0.0)
    }

    /// Returns whether the profile is one of the mesh.
    #[doc(hidden)]
    pub fn has_profile(&self) -> bool {
        self.is_known
    }

    /// Returns the mesh.
    #[must_use]
    #[inline]
    pub fn mesh(&self) -> &'m NavMesh {
        self.mesh
    }

    /// Returns the profile.
    #[must_use]
    pub fn profile(&self) -> &'m MeshProfile {
        &self.layer.profile
    }

    /// Returns whether agents of the profile can enter a polygon.
    #[must_use]
    #[inline]
    pub fn is_free(&self, polygon: PolygonId) -> bool {
        self.multiplier(polygon).is_some()
    }

    /// Returns the multiplier of the length walked on a polygon; `None` if it cannot be entered.
    #[must_use]
    #[inline]
    pub fn multiplier(&self, polygon: PolygonId) -> Option<f32> {
        let multiplier = self.layer.profile.areas.multiplier(self.mesh.area(polygon));
        multiplier.filter(|_| self.mesh.has(polygon))
    }

    /// Returns whether all ground that can be entered has one multiplier: then shortest paths are
    /// exact.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.layer.uniform.is_some()
    }

    /// Returns the island of a polygon: the lowest index among the polygons that can be reached
    /// from it.
    #[must_use]
    pub fn component(&self, polygon: PolygonId) -> u32 {
        self.layer.island(polygon.0)
    }

    /// Counts islands, and polygons that can be entered. O(polygons).
    #[must_use]
    pub fn count_islands(&self) -> IslandCount {
        let free = self.mesh.polygons().filter(|&polygon| self.is_free(polygon));
        let mut count = IslandCount { islands: 0, polygons: 0 };
        for polygon in free {
            count.islands += usize::from(self.component(polygon) == polygon.index());
            count.polygons += 1;
        }
        count
    }

    /// Visits the corners of a polygon's passable edges, each with the polygon beyond.
    pub(crate) fn exits(&self, polygon: PolygonId, mut visit: impl FnMut(u32, PolygonId)) {
        for corner in self.mesh.own(polygon) {
            let twin = self.layer.corners[corner].twin;
            if twin != super::build::NO_TWIN {
                visit(corner as u32, PolygonId(self.mesh.tables.owners[twin as usize]));
            }
        }
    }

    /// Returns the neighbours across the edges of a polygon that agents of the profile can pass, in
    /// order.
    pub fn passable_neighbours(&self, polygon: PolygonId) -> impl Iterator<Item = PolygonId> + '_ {
        self.mesh.own(polygon).filter_map(|corner| {
            let twin = self.layer.corners[corner].twin;
            (twin != super::build::NO_TWIN)
                .then(|| PolygonId(self.mesh.tables.owners[twin as usize]))
        })
    }

    /// Returns whether a point lies in a polygon, seen from above; on its edge counts.
    #[must_use]
    pub fn contains(&self, polygon: PolygonId, point: Vec3) -> bool {
        self.mesh.contains(polygon, point)
    }

    /// Returns the distance between two points seen from above, in millimetres.
    fn millimetres(from: Vec3, to: Vec3) -> f64 {
        let offset = Vec2::new(to.x, to.z).as_dvec2() - Vec2::new(from.x, from.z).as_dvec2();
        offset.length() * MESH_COST_PER_METRE as f64
    }
}

impl NavMesh {
    /// Returns whether a point lies in a polygon, seen from above; on its edge counts. O(corners).
    #[must_use]
    pub fn contains(&self, polygon: PolygonId, point: Vec3) -> bool {
        if !self.has(polygon) {
            return false;
        }
        let span = self.tables.spans[polygon.index() as usize];
        if let Some(diagonal) = span.diagonal() {
            let vertex = |corner: usize| self.tables.corners[corner] as usize;
            let [lower, upper] = diagonal.map(|corner| self.tables.vertices[vertex(corner)].xz());
            return Rectangle { lower, upper }.has(point.xz());
        }
        let point = plan(point);
        if self.all_edges(polygon, |a, b| turn(a, b, point) >= 0.0) {
            return true;
        }
        if !span.is_bent {
            return false;
        }
        // The line along a short side, turned by a rounding, cuts off ground a metre away. If there
        // is a dent, a point is inside if a ray from it crosses the outline an odd number of times.
        let mut crossings = 0;
        self.all_edges(polygon, |a, b| {
            let spans = (a.y > point.y) != (b.y > point.y);
            crossings += u32::from(spans && (turn(a, b, point) > 0.0) == (b.y > a.y));
            true
        });
        crossings % 2 == 1
    }

    /// Returns whether something holds for all edges of a polygon in plan; asks until it does not.
    #[inline]
    pub(super) fn all_edges(
        &self,
        polygon: PolygonId,
        mut holds: impl FnMut(DVec2, DVec2) -> bool,
    ) -> bool {
        let corners = self.corners(polygon);
        let place = |vertex: u32| plan(self.tables.vertices[vertex as usize]);
        let Some(&last) = corners.last() else { return true };
        let mut a = place(last);
        corners.iter().all(|&vertex| {
            let b = place(vertex);
            let is_so = holds(a, b);
            a = b;
            is_so
        })
    }
}

impl Space for NavMeshSpace<'_> {
    type State = PolygonId;
    type Cost = u64;
    type Expander = Plain;

    fn state_bound(&self) -> usize {
        self.mesh.bound()
    }

    fn revision(&self) -> Revision {
        self.mesh.revision()
    }

    fn check(&self, state: PolygonId) -> Result<(), Obstruction> {
        if !self.is_known {
            return Err(Obstruction::NoSuchProfile);
        }
        if !self.mesh.has(state) {
            return Err(Obstruction::OffMap);
        }
        if self.is_free(state) {
            Ok(())
        } else {
            Err(Obstruction::Terrain { terrain: self.mesh.area(state).0 })
        }
    }

    fn successors(&self, state: PolygonId, mut visit: impl FnMut(EdgeOf<Self>)) {
        let Some(own) = self.multiplier(state) else { return };
        let from = self.mesh.middle(state);
        self.exits(state, |_, target| {
            let other = self.multiplier(target).unwrap_or(own);
            let multiplier = f64::from(own) + f64::from(other);
            let length = Self::millimetres(from, self.mesh.middle(target));
            // Rounded up, as estimates are rounded down.
            let cost = (length * multiplier / 2.0).ceil() as u64;
            visit(Edge { target, cost, action: Action::Walk });
        });
    }

    fn estimate(&self, from: PolygonId, to: PolygonId) -> u64 {
        let length = Self::millimetres(self.mesh.middle(from), self.mesh.middle(to));
        // A thousandth of a millimetre less: sums of roots are not exact.
        (length * f64::from(self.layer.lowest) - 0.001).max(0.0) as u64
    }

    fn position(&self, state: PolygonId) -> Vec3 {
        if self.mesh.has(state) { self.mesh.middle(state) } else { Vec3::NAN }
    }

    fn reachability(&self, from: PolygonId, to: PolygonId) -> Reachability {
        let (from, to) = (self.component(from), self.component(to));
        if from == to {
            Reachability::Possible
        } else {
            Reachability::DifferentIslands { from, to }
        }
    }

    fn cost_per_unit(&self) -> f64 {
        MESH_COST_PER_METRE as f64
    }
}

impl ReverseSpace for NavMeshSpace<'_> {
    fn predecessors(&self, state: PolygonId, visit: impl FnMut(EdgeOf<Self>)) {
        self.successors(state, visit);
    }
}

impl Metric for NavMeshSpace<'_> {}
