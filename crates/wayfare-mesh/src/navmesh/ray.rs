//! Straight lines over a mesh: the polygons that a segment touches, and where it meets a border.
//!
//! # Why a ray neither leaks nor sticks
//!
//! The walk starts in the polygon of the segment's start. It continues through every passable edge
//! that the closed segment touches, and ends when a polygon contains the end.
//!
//! Polygons are convex: the part of the segment that lies in a polygon is an interval. Two polygons
//! on both sides of a touched edge share a point of the segment, so their intervals overlap. Hence
//! the intervals of all polygons met are one interval from the start on, and the segment is on the
//! mesh up to its end. Conversely, a segment that lies on the mesh passes from polygon to polygon
//! through edges that it touches, and all of these are tried. So it does not matter whether a ray
//! runs along edges or through vertices. One that grazes the corner of an obstacle passes.
//!
//! Floors above each other do not mix: the walk changes polygons only through edges they share.
//!
//! Tests by [`turn`] whether an edge is touched; its sign is exact unless the corners are collinear
//! within rounding.

use glam::{DVec2, Vec3};

use super::build::NO_TWIN;
use super::locate::{MeshPoint, lowered};
use super::plan::{plan, turn};
use super::{NavMeshSpace, PolygonId};

/// A border edge that a ray met.
///
/// Example: [`NavMeshSpace::raycast`](super::NavMeshSpace::raycast).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshWall {
    /// The start of the edge, in metres. Seen from there the mesh is on the left.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// The level direction of length 1 from the edge into the mesh.
    pub normal: Vec3,
}

/// The end of a ray over a mesh.
///
/// Example: [`NavMeshSpace::raycast`](super::NavMeshSpace::raycast).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RayHit {
    /// The last polygon, and the point on it that was reached.
    pub end: MeshPoint,
    /// The border that stopped the ray; `None` if the ray reached its target.
    pub wall: Option<MeshWall>,
}

impl RayHit {
    /// Returns whether the ray reached its target.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.wall.is_none()
    }
}

/// A segment in plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) from: DVec2,
    pub(super) to: DVec2,
}

impl Segment {
    /// Returns how an edge from `a` to `b`, with its polygon on the left, lies to the segment.
    fn meets(&self, a: DVec2, b: DVec2) -> Meeting {
        let (left, right) = (turn(self.from, self.to, b), turn(self.from, self.to, a));
        let (near, far) = (side(a, b, self.from), side(a, b, self.to));
        if left == 0.0 && right == 0.0 {
            // On one line.
            let along = self.to - self.from;
            let [s, t] = [a, b].map(|end| (end - self.from).dot(along));
            let is_apart = s.max(t) < 0.0 || s.min(t) > along.length_squared();
            return if is_apart { Meeting::Apart } else { Meeting::Touches };
        }
        let same = |a: f64, b: f64| a > 0.0 && b > 0.0 || a < 0.0 && b < 0.0;
        if same(left, right) || same(near, far) {
            Meeting::Apart
        } else if left > 0.0 && right < 0.0 && near > 0.0 && far < 0.0 {
            Meeting::Leaves
        } else if left < 0.0 && right > 0.0 && near < 0.0 && far > 0.0 {
            Meeting::Enters
        } else {
            Meeting::Touches
        }
    }

    /// Returns the share of the segment at which it crosses the line of an edge outwards; `None` if
    /// its end does not lie beyond the line.
    fn leaves_at(&self, a: DVec2, b: DVec2) -> Option<f64> {
        let (near, far) = (side(a, b, self.from), side(a, b, self.to));
        (far < 0.0).then(|| (near / (near - far)).clamp(0.0, 1.0))
    }
}

/// Returns the same as [`turn`], with exactly the negated value for the same edge backwards: two
/// polygons agree on the side of their common edge on which a point lies, for any rounding.
fn side(a: DVec2, b: DVec2, point: DVec2) -> f64 {
    if (a.x, a.y) <= (b.x, b.y) { turn(a, b, point) } else { -turn(b, a, point) }
}

/// How an edge lies to a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    Apart,
    /// The segment crosses the edge from one side to the other, out of the polygon.
    Leaves,
    /// The same, into the polygon.
    Enters,
    /// They have a point in common that is an end of one of them, or lie on one line.
    Touches,
}

impl NavMeshSpace<'_> {
    /// Follows the straight line from a point towards `to`, seen from above, until it meets a
    /// border of the ground that agents of the profile can enter.
    ///
    /// Ignores the height of `to`: the ray stays on the ground on which it starts. Borders count as
    /// ground: a ray along a wall, or exactly past its corner, continues. A ray that starts beside
    /// its polygon ends there.
    ///
    /// O(corners of the polygons touched).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{
    ///     HeightReach, MeshDraft, MeshPoint, MeshWall, NavMesh, NavMeshSpace, RayHit,
    /// };
    ///
    /// let grid = Grid::from_rows(&["....", ".#..", "...."]).unwrap();
    /// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    /// let space: NavMeshSpace<'_> = mesh.space();
    /// let from: MeshPoint = space.locate(Vec3::new(0.5, 0.0, 1.5), HeightReach::default()).unwrap();
    /// let RayHit { end, wall } = space.raycast(from, Vec3::new(3.5, 0.0, 1.5));
    /// assert_eq!(end.place, Vec3::new(1.0, 0.0, 1.5)); // the wall's near side
    /// let MeshWall { normal, .. } = wall.unwrap();
    /// assert_eq!(normal, Vec3::NEG_X);
    /// assert!(space.raycast(from, Vec3::new(0.9, 0.0, 0.1)).is_clear());
    /// ```
    #[must_use]
    pub fn raycast(&self, from: MeshPoint, to: Vec3) -> RayHit {
        self.raycast_through(from, to, |_| {})
    }

    /// Like [`raycast`](Self::raycast), and visits the polygons that the ray touches: each at least
    /// once, in the order of the ray. Polygons that meet it at one point come in any order.
    #[must_use]
    pub fn raycast_through(
        &self,
        from: MeshPoint,
        to: Vec3,
        mut visit: impl FnMut(PolygonId),
    ) -> RayHit {
        let ray = Segment { from: plan(from.place), to: plan(to) };
        // The farthest border met: the share of the ray, the polygon, the corner.
        let mut farthest: Option<(f64, PolygonId, usize)> = None;
        let mut last = from.polygon;
        let arrived = self.walk(from.polygon, ray, |polygon| {
            visit(polygon);
            last = polygon;
            if let Some((share, corner)) = self.border_ahead(polygon, ray)
                && farthest.is_none_or(|(most, ..)| share > most)
            {
                farthest = Some((share, polygon, corner));
            }
        });
        if let Some(polygon) = arrived {
            let place = Vec3::new(to.x, self.mesh().height_at(polygon, to), to.z);
            return RayHit { end: MeshPoint { polygon, place }, wall: None };
        }
        // Corners may point inwards by rounding: then a hair along an edge is in no polygon.
        let beside = MeshPoint { polygon: last, place: to };
        if self.is_on(beside) {
            return RayHit { end: self.inside(beside), wall: None };
        }
        let (share, polygon, corner) =
            farthest.unwrap_or((0.0, from.polygon, self.mesh().own(from.polygon).start));
        let at = ray.from + (ray.to - ray.from) * share;
        let place = match share {
            0.0 => from.place,
            _ => self.mesh().nearest_in(polygon, lowered(at)),
        };
        let wall = self.wall_of(corner);
        RayHit { end: MeshPoint { polygon, place }, wall: Some(wall) }
    }

    /// Returns the border edge of a corner.
    pub(super) fn wall_of(&self, corner: usize) -> MeshWall {
        let tables = &self.mesh().tables;
        let place = |corner: usize| tables.vertices[tables.corners[corner] as usize];
        let (from, to) = (place(corner), place(tables.next(corner as u32) as usize));
        let inwards = (plan(to) - plan(from)).perp().normalize_or_zero();
        let normal = Vec3::new(inwards.x as f32, 0.0, -inwards.y as f32) + Vec3::ZERO;
        MeshWall { from, to, normal }
    }

    /// Returns the first border edge of a polygon that a ray meets with its end beyond, and the
    /// share of the ray there.
    fn border_ahead(&self, polygon: PolygonId, ray: Segment) -> Option<(f64, usize)> {
        let borders =
            self.edges(polygon).filter(|&(corner, _)| self.layer.corners[corner].twin == NO_TWIN);
        let met = borders.filter(|&(_, [a, b])| ray.meets(a, b) != Meeting::Apart);
        let ahead = met.filter_map(|(corner, [a, b])| Some((ray.leaves_at(a, b)?, corner)));
        ahead.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Returns the ends of the edge of a corner in plan.
    pub(super) fn edge(&self, corner: usize) -> [DVec2; 2] {
        let corner = corner as u32;
        [corner, self.mesh().tables.next(corner)].map(|corner| plan(self.mesh().place(corner)))
    }

    /// Returns the corners of a polygon with the ends of their edges in plan.
    pub(super) fn edges(
        &self,
        polygon: PolygonId,
    ) -> impl Iterator<Item = (usize, [DVec2; 2])> + Clone + '_ {
        let own = self.mesh().own(polygon);
        let (begin, end) = (own.start, own.end);
        let mesh = self.mesh();
        own.map(move |corner| {
            let next = if corner + 1 == end { begin } else { corner + 1 };
            (corner, [corner, next].map(|corner| plan(mesh.place(corner as u32))))
        })
    }

    /// Visits the polygons that a segment touches, from the one where it starts, and returns the
    /// one that contains its end; `None` if a border comes first.
    ///
    /// Where the segment crosses an edge from side to side, it has passed through the inside of the
    /// polygon before: all ground there is one, and nothing met earlier leads on but through that
    /// edge. So all else is forgotten, and the list of seen polygons stays short.
    ///
    /// Where corners are nearly collinear, rounded signs may contradict each other. So that no
    /// walk goes in circles then, it ends after more steps than any has that is right.
    pub(super) fn walk(
        &self,
        start: PolygonId,
        ray: Segment,
        mut visit: impl FnMut(PolygonId),
    ) -> Option<PolygonId> {
        let (mut seen, mut pending) = (Vec::new(), Vec::new());
        let (mut steps, most) = (0, 4 * self.mesh().bound());
        let mut next = Some(start.0);
        while let Some(polygon) = next.or_else(|| pending.pop()).map(PolygonId) {
            next = None;
            steps += 1;
            if steps > most {
                return None;
            }
            visit(polygon);
            let holds_end = self.edges(polygon).all(|(_, [a, b])| side(a, b, ray.to) >= 0.0);
            if holds_end {
                return Some(polygon);
            }
            for (corner, [a, b]) in self.edges(polygon) {
                let exit = self.layer.corners[corner];
                if exit.twin == NO_TWIN {
                    continue;
                }
                match ray.meets(a, b) {
                    Meeting::Apart | Meeting::Enters => {}
                    Meeting::Leaves => next = Some(exit.beyond),
                    Meeting::Touches => {
                        if seen.is_empty() {
                            seen.push(polygon.0);
                        }
                        if !seen.contains(&exit.beyond) {
                            seen.push(exit.beyond);
                            pending.push(exit.beyond);
                        }
                    }
                }
            }
            if next.is_some() {
                seen.clear();
                pending.clear();
            }
        }
        None
    }
}
