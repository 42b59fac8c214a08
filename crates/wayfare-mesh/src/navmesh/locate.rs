//! Points on the mesh: finding them, and their heights.

use glam::{DVec2, DVec3, Vec2, Vec3};
use wayfare_core::inside::share_along;

use super::plan::{exact_plan, plan, turn};
use super::{NavMesh, NavMeshSpace, PolygonId};

/// A point on a mesh: a position, and the polygon it lies in.
///
/// Made by [`NavMesh::locate`] and the other queries, which return points within their polygon
/// (seen from above), at its height.
///
/// Example: [`NavMeshSpace::raycast`](super::NavMeshSpace::raycast).
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshPoint {
    /// The polygon.
    pub polygon: PolygonId,
    /// The position in metres; y is up.
    pub place: Vec3,
}

/// How far above and below a point the mesh may lie, in metres.
///
/// ```
/// use wayfare::space::navmesh::HeightReach;
/// let reach = HeightReach::default();
/// assert_eq!((reach.below, reach.above), (2.0, 0.5));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeightReach {
    /// How far below the point the mesh may lie: 0 or more, default 2. Raising it finds the ground
    /// under points that float higher.
    pub below: f32,
    /// How far above the point the mesh may lie: 0 or more, default 0.5. Raising it finds the
    /// ground over feet that sank in deeper.
    pub above: f32,
}

impl Default for HeightReach {
    fn default() -> Self {
        Self { below: 2.0, above: 0.5 }
    }
}

impl HeightReach {
    /// Any height.
    pub const ANY: Self = Self { below: f32::INFINITY, above: f32::INFINITY };
}

/// The height of the plane of a triangle at a point.
pub(super) struct PlaneHeight {
    pub(super) value: f64,
    /// The least of the shares that the three corners have in the point: below 0 outside the
    /// triangle.
    least_share: f64,
}

/// How far from zero a share has to be to tell inside from outside.
const INSIDE: f64 = 1e-9;

impl PlaneHeight {
    const OUTSIDE: Self = Self { value: f64::NAN, least_share: f64::NEG_INFINITY };

    /// Puts no point inside a triangle without area as seen from above.
    pub(super) fn of([a, b, c]: [DVec3; 3], at: DVec2) -> Self {
        let [plan_a, plan_b, plan_c] = [a, b, c].map(exact_plan);
        let whole = turn(plan_a, plan_b, plan_c);
        let of_b = turn(plan_a, at, plan_c) / whole;
        let of_c = turn(plan_a, plan_b, at) / whole;
        let value = a.y + (of_b * (b.y - a.y) + of_c * (c.y - a.y));
        let least_share = of_b.min(of_c).min(1.0 - of_b - of_c);
        if value.is_finite() { Self { value, least_share } } else { Self::OUTSIDE }
    }

    /// Returns the one of two triangles that the point is deeper in, or less far outside of.
    fn deeper(self, other: Self) -> Self {
        if other.least_share > self.least_share { other } else { self }
    }
}

/// The corners of one polygon after another, to find the heights of many points.
#[derive(Clone, Debug, Default)]
pub(super) struct Heights {
    polygon: Option<PolygonId>,
    range: [f32; 2],
    /// The corners, the first one once more at the end.
    corners: Vec<DVec3>,
    middle: DVec3,
}

impl Heights {
    /// Forgets the polygon.
    pub(super) fn clear(&mut self) {
        self.polygon = None;
    }

    /// Returns [`NavMesh::height_at`]: fast if the polygon is that of the last call.
    pub(super) fn at(&mut self, mesh: &NavMesh, polygon: PolygonId, point: Vec3) -> f32 {
        if self.polygon != Some(polygon) {
            self.polygon = Some(polygon);
            self.range = mesh.height_range(polygon).unwrap_or([f32::NAN; 2]);
            self.corners.clear();
            let outline = mesh.outline(polygon);
            let first = outline.clone().take(1);
            self.corners.extend(outline.chain(first).map(Vec3::as_dvec3));
            self.middle = mesh.exact_middle(polygon);
        }
        let corner = |index: usize| self.corners[index];
        mesh.height_between(polygon, self.range, corner, || self.middle, plan(point))
    }
}

impl NavMesh {
    /// Returns the height of a polygon at a point that lies in it, seen from above; beside it, the
    /// height at the nearest point of it. O(corners).
    ///
    /// A polygon with more than three corners need not be flat. It counts as the triangles between
    /// its [middle](Self::middle) and its edges: so two polygons are equally high all along an edge
    /// that they share, also where several corners lie on a line seen from above.
    #[must_use]
    pub fn height_at(&self, polygon: PolygonId, point: Vec3) -> f32 {
        let corners = self.corners(polygon);
        let Some(range) = self.height_range(polygon) else { return f32::NAN };
        let corner =
            |index: usize| self.vertices()[corners[index % corners.len()] as usize].as_dvec3();
        let middle = || self.exact_middle(polygon);
        self.height_between(polygon, range, corner, middle, plan(point))
    }

    /// Returns the lowest and the highest corner of a polygon, if it has corners.
    pub(super) fn height_range(&self, polygon: PolygonId) -> Option<[f32; 2]> {
        let mut heights = self.outline(polygon).map(|corner| corner.y);
        let first = heights.next()?;
        if self.tables.spans[polygon.0 as usize].is_level {
            return Some([first; 2]);
        }
        // Comparisons suffice: no height is NaN.
        Some(heights.fold([first; 2], |[low, high], y| {
            [if y < low { y } else { low }, if y > high { y } else { high }]
        }))
    }

    /// Returns whether all of a polygon is that high.
    pub(super) fn is_level_at(&self, polygon: PolygonId, height: f32) -> bool {
        self.height_range(polygon) == Some([height; 2])
    }

    /// Returns the height of a polygon at a point, given its corners, counted on around it, and the
    /// middle of them.
    fn height_between(
        &self,
        polygon: PolygonId,
        [low, high]: [f32; 2],
        corner: impl Fn(usize) -> DVec3,
        middle: impl FnOnce() -> DVec3,
        at: DVec2,
    ) -> f32 {
        if low == high {
            return low;
        }
        let count = self.corners(polygon).len();
        let mut found = PlaneHeight::OUTSIDE;
        if count <= 3 {
            found = PlaneHeight::of([corner(0), corner(1), corner(2)], at);
        } else {
            let middle = middle();
            for index in 0..count {
                let sector = [middle, corner(index), corner(index + 1)];
                found = found.deeper(PlaneHeight::of(sector, at));
                // Beside a sector with the point inside no other one has it.
                if found.least_share > INSIDE {
                    break;
                }
            }
        }
        let height = match found.least_share >= -INSIDE {
            true => found.value,
            false => self.height_of_border(polygon, at),
        };
        // Sums round; level ground stays level.
        height.clamp(f64::from(low), f64::from(high)) as f32
    }

    /// Returns the height of a polygon's outline where it comes nearest to a point.
    fn height_of_border(&self, polygon: PolygonId, at: DVec2) -> f64 {
        let edges = self.outline(polygon).zip(self.outline(polygon).cycle().skip(1));
        let nearest = edges.map(|(from, to)| {
            let (a, b) = (plan(from), plan(to));
            let share = share_along(at, a, b);
            let aside = (a + (b - a) * share).distance_squared(at);
            (aside, f64::from(from.y) + share * f64::from(to.y - from.y))
        });
        nearest.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(f64::NAN, |(_, height)| height)
    }

    /// Returns the height of an edge where it comes nearest to a point of the plan.
    pub(super) fn height_along(&self, corner: u32, at: DVec2) -> f32 {
        let [from, to] = [corner, self.tables.next(corner)].map(|corner| self.place(corner));
        let share = share_along(at, plan(from), plan(to));
        (f64::from(from.y) + share * f64::from(to.y - from.y)) as f32
    }

    /// Returns the point on the mesh straight below or above a point: on the highest polygon that
    /// is not more than `reach.above` above it, if that is not more than `reach.below` below it.
    ///
    /// `None`: there is no mesh. On an edge between polygons it is the one of the lowest index.
    /// O(log n) where few polygons lie above each other.
    #[must_use]
    pub fn locate(&self, point: Vec3, reach: HeightReach) -> Option<MeshPoint> {
        self.locate_where(point, reach, |_| true)
    }

    fn locate_where(
        &self,
        point: Vec3,
        reach: HeightReach,
        accepts: impl Fn(PolygonId) -> bool,
    ) -> Option<MeshPoint> {
        let mut best: Option<MeshPoint> = None;
        self.locator.at(Vec2::new(point.x, point.z), |polygon| {
            let polygon = PolygonId(polygon);
            if !accepts(polygon) || !self.contains(polygon, point) {
                return;
            }
            let height = self.height_at(polygon, point);
            let (drop, reaches) = (point.y - height, -reach.above..=reach.below);
            let is_better = best.is_none_or(|best| {
                height > best.place.y || (height == best.place.y && polygon < best.polygon)
            });
            if (reaches.contains(&drop) || point.y.is_nan()) && is_better {
                best = Some(MeshPoint { polygon, place: Vec3::new(point.x, height, point.z) });
            }
        });
        best
    }

    /// Returns the nearest point on the mesh within a distance of a point, in three dimensions.
    ///
    /// `None`: there is none. Of equally near ones, that on the polygon of the lowest index.
    #[must_use]
    pub fn nearest_point(&self, point: Vec3, distance: f32) -> Option<MeshPoint> {
        self.nearest_where(point, distance, |_| true)
    }

    /// Returns whether a polygon that `accepts` takes comes within a distance of a point seen from
    /// above, at most `height` metres above or below it. By the outlines alone.
    #[doc(hidden)]
    pub fn is_near(
        &self,
        point: Vec3,
        distance: f32,
        height: f32,
        accepts: impl Fn(PolygonId) -> bool,
    ) -> bool {
        let at = plan(point);
        let is_level = |y: f32| (y - point.y).abs() <= height;
        let mut is_near = false;
        self.locator.near(Vec2::new(point.x, point.z), distance, |polygon| {
            let polygon = PolygonId(polygon);
            let outline = || self.outline(polygon);
            let reaches = |(from, to): (Vec3, Vec3)| {
                let (a, b) = (plan(from), plan(to));
                let along = share_along(at, a, b);
                at.distance(a.lerp(b, along)) <= f64::from(distance)
                    && is_level(from.y + (to.y - from.y) * along as f32)
            };
            let mut sides = outline().zip(outline().cycle().skip(1));
            is_near |= accepts(polygon)
                && (self.contains(polygon, point) && is_level(self.height_at(polygon, point))
                    || sides.any(reaches));
            if is_near { -1.0 } else { distance * distance }
        });
        is_near
    }

    pub(crate) fn nearest_where(
        &self,
        point: Vec3,
        distance: f32,
        accepts: impl Fn(PolygonId) -> bool,
    ) -> Option<MeshPoint> {
        let mut best: Option<(f32, MeshPoint)> = None;
        let at = Vec2::new(point.x, point.z);
        self.locator.near(at, distance, |polygon| {
            let polygon = PolygonId(polygon);
            let reach = best.map_or(distance * distance, |(reach, _)| reach);
            if !accepts(polygon) {
                return reach;
            }
            let place = self.nearest_in(polygon, point);
            let square = place.distance_squared(point);
            let is_better = match best {
                Some((least, of)) => square < least || (square == least && polygon < of.polygon),
                None => square <= distance * distance,
            };
            if is_better {
                best = Some((square, MeshPoint { polygon, place }));
            }
            best.map_or(reach, |(reach, _)| reach)
        });
        best.map(|(_, point)| point)
    }

    /// Returns the point of a polygon that is nearest to a point as seen from above, at the
    /// polygon's height. O(corners).
    #[must_use]
    pub fn nearest_in(&self, polygon: PolygonId, point: Vec3) -> Vec3 {
        if self.contains(polygon, point) {
            return Vec3::new(point.x, self.height_at(polygon, point), point.z);
        }
        let at = plan(point);
        let corners = self.corners(polygon);
        let mut best = (f64::INFINITY, Vec3::NAN);
        for (index, &vertex) in corners.iter().enumerate() {
            let from = self.vertices()[vertex as usize];
            let to = self.vertices()[corners[(index + 1) % corners.len()] as usize];
            let t = share_along(at, plan(from), plan(to));
            let place = if t == 1.0 { to } else { from.lerp(to, t as f32) };
            let distance = (plan(place) - at).length_squared();
            if distance < best.0 {
                best = (distance, place);
            }
        }
        best.1
    }
}

/// How far from its polygon a point may lie to count as on it, in metres: the sum of the roundings
/// of coordinates and of points between them.
pub(super) const HAIR: f32 = 2e-3;

/// The greatest difference in height between a point of a path and its ground, in metres. Floors
/// are farther apart.
pub(super) const STANDS: f32 = 1.0;

/// Returns a point of the plan as a position at height 0.
pub(super) fn lowered(at: DVec2) -> Vec3 {
    Vec3::new(at.x as f32, 0.0, -at.y as f32)
}

impl NavMeshSpace<'_> {
    /// Returns the point of the ground that a body at a point stands on: the ground below or above
    /// it that is nearest in height, at most [`STANDS`] away; beside the mesh, the nearest point
    /// within a [`HAIR`].
    #[doc(hidden)]
    pub fn stand(&self, point: Vec3) -> Option<MeshPoint> {
        let mut best: Option<(f32, MeshPoint)> = None;
        self.mesh().locator.at(Vec2::new(point.x, point.z), |polygon| {
            let polygon = PolygonId(polygon);
            if !self.is_free(polygon) || !self.mesh().contains(polygon, point) {
                return;
            }
            let place = point.with_y(self.mesh().height_at(polygon, point));
            let away = (place.y - point.y).abs();
            let is_better = best
                .is_none_or(|(least, of)| away < least || (away == least && polygon < of.polygon));
            if away <= STANDS && is_better {
                best = Some((away, MeshPoint { polygon, place }));
            }
        });
        if let Some((_, point)) = best {
            return Some(point);
        }
        // The distance is in three dimensions: a point above the ground's edge is farther away.
        let near = self.nearest_point(point, STANDS)?;
        let aside = plan(near.place) - plan(point);
        (aside.length() <= f64::from(HAIR)).then(|| self.inside(near))
    }

    /// Returns the same point, moved towards the middle of its polygon until it lies inside: by no
    /// more than rounding takes, and at most by a [`HAIR`].
    pub(super) fn inside(&self, point: MeshPoint) -> MeshPoint {
        let MeshPoint { polygon, place } = point;
        let way = self.mesh().middle(polygon) - place;
        let mut by = HAIR / 512.0;
        let mut moved = place;
        while !self.mesh().contains(polygon, moved) && by <= HAIR {
            moved = place + way * (by / way.with_y(0.0).length().max(by));
            by *= 2.0;
        }
        MeshPoint { polygon, place: moved.with_y(self.mesh().height_at(polygon, moved)) }
    }

    /// Returns the point of a polygon that is nearest to a point as seen from above, inside the
    /// polygon.
    #[doc(hidden)]
    pub fn nearest_within(&self, polygon: PolygonId, point: Vec3) -> MeshPoint {
        self.inside(MeshPoint { polygon, place: self.mesh().nearest_in(polygon, point) })
    }

    /// Like [`NavMesh::locate`], on polygons that agents of the profile can enter.
    #[must_use]
    pub fn locate(&self, point: Vec3, reach: HeightReach) -> Option<MeshPoint> {
        self.mesh().locate_where(point, reach, |polygon| self.is_free(polygon))
    }

    /// Like [`NavMesh::nearest_point`], on polygons that agents of the profile can enter.
    #[must_use]
    pub fn nearest_point(&self, point: Vec3, distance: f32) -> Option<MeshPoint> {
        self.mesh().nearest_where(point, distance, |polygon| self.is_free(polygon))
    }

    /// Returns the nearest point on the island of a polygon, at any distance.
    #[must_use]
    pub fn nearest_on_island(&self, of: PolygonId, point: Vec3) -> Option<MeshPoint> {
        let island = self.component(of);
        let is_of_it = |polygon| self.component(polygon) == island && self.is_free(polygon);
        self.mesh().nearest_where(point, f32::MAX.sqrt(), is_of_it)
    }

    /// Returns whether a point is one of this mesh: its polygon exists, contains it (to within 10⁻⁵
    /// of the largest coordinate) and can be entered.
    pub(crate) fn is_on(&self, point: MeshPoint) -> bool {
        if !self.mesh().has(point.polygon) || !point.place.is_finite() {
            return false;
        }
        if self.mesh().contains(point.polygon, point.place) {
            return true;
        }
        let nearest = plan(self.mesh().nearest_in(point.polygon, point.place));
        let (at, slack): (DVec2, f64) = (plan(point.place), 1e-5);
        (nearest - at).length() <= slack * (1.0 + at.abs().max_element())
    }
}
