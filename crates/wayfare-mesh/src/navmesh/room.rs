//! Room for bodies: whether borders keep away from all that a disc sweeps over.
//!
//! # Why a sweep needs no ray
//!
//! The walk begins in the polygon of the segment's start, and continues through each passable edge
//! that comes within the distance of the segment. If none of the edges met is a border, the segment
//! crosses none, so it is on the mesh. Nor do floors above each other mix: all ground within the
//! distance is then one sheet without a hole, so only one place of it lies at the segment's end.
//!
//! Distances are measured in a frame in which the segment is the part of the first axis from 0 to
//! its length. Most edges are told apart by one of their coordinates there.

use glam::{DVec2, Vec3};
use smallvec::SmallVec;
use wayfare_core::space::StateId;

use super::build::NO_TWIN;
use super::{NavMeshSpace, PolygonId};

/// What a disc sweeps over along a segment, in plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    from: DVec2,
    /// The direction, of length 1.
    along: DVec2,
    length: f64,
    /// The radius of the disc.
    room: f64,
}

impl Lane {
    /// Returns the lane of a disc of a radius above 0 between two points of the plan.
    pub(super) fn new([from, to]: [DVec2; 2], room: f64) -> Self {
        let length = (to - from).length();
        // A point has the direction of the first axis.
        let along = if length > 0.0 { (to - from) / length } else { DVec2::X };
        Self { from, along, length, room }
    }

    /// Returns a point of the plan in the frame of the segment.
    #[inline]
    fn framed(&self, point: DVec2) -> DVec2 {
        let offset = point - self.from;
        DVec2::new(self.along.dot(offset), self.along.perp_dot(offset))
    }

    /// Returns whether an edge in that frame comes within the radius of the segment.
    #[inline]
    fn reaches(&self, a: DVec2, b: DVec2) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        let is_beside = low.y > self.room || high.y < -self.room;
        if is_beside || low.x > self.length + self.room || high.x < -self.room {
            return false;
        }
        self.reaches_within_box(a, b)
    }

    /// Does so for an edge whose box comes within the radius.
    fn reaches_within_box(&self, a: DVec2, b: DVec2) -> bool {
        let reach = self.room * self.room;
        let is_near = |point: DVec2| {
            let beyond = point.x - point.x.clamp(0.0, self.length);
            beyond * beyond + point.y * point.y <= reach
        };
        if is_near(a) || is_near(b) {
            return true;
        }
        // It crosses the segment, or an end of the segment is nearest.
        let way = b - a;
        if (a.y < 0.0) != (b.y < 0.0) {
            let x = a.x - way.x * (a.y / way.y);
            if (0.0..=self.length).contains(&x) {
                return true;
            }
        }
        let square = way.length_squared();
        [0.0, self.length].into_iter().any(|x| {
            let offset = DVec2::new(x, 0.0) - a;
            let share = (offset.dot(way) / square).clamp(0.0, 1.0);
            (offset - way * share).length_squared() <= reach
        })
    }
}

/// The polygons of a lane, in the order in which they are met.
type Met = SmallVec<[u32; 32]>;

impl NavMeshSpace<'_> {
    /// Visits the borders less than a distance away from a segment that begins at a point of the
    /// mesh, until `visit` returns false. Returns whether it never did.
    ///
    /// Finds borders through polygons that edges within the distance join. Let `w` be a point of a
    /// border whose straight line to the nearest point of the segment meets no other border. All of
    /// that line is within the distance. Hence the polygons that it crosses are visited, and the
    /// edge of `w` too. O(p²) for the p polygons within the distance.
    pub(super) fn borders_near(
        &self,
        from: PolygonId,
        lane: &Lane,
        visit: impl FnMut(usize) -> bool,
    ) -> bool {
        self.ground_near(from, lane, |_| {}, visit)
    }

    /// Does so, and calls `enter` with each polygon whose edges it looks at.
    fn ground_near(
        &self,
        from: PolygonId,
        lane: &Lane,
        mut enter: impl FnMut(PolygonId),
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let mut met = Met::from_iter([from.index()]);
        let mut next = 0;
        while let Some(&polygon) = met.get(next) {
            next += 1;
            let polygon = PolygonId(polygon);
            enter(polygon);
            let own = self.mesh().own(polygon);
            let (begin, corners) = (own.start, &self.layer.corners[own]);
            let Some(&first) = corners.first() else { continue };
            let (mut edge, mut a) = (first, lane.framed(first.place()));
            // The edge of a corner leads from it to the next one.
            for (number, &corner) in corners[1..].iter().chain([&first]).enumerate() {
                let b = lane.framed(corner.place());
                if lane.reaches(a, b) {
                    if edge.twin == NO_TWIN {
                        if !visit(begin + number) {
                            return false;
                        }
                    } else if !met.contains(&edge.beyond) {
                        met.push(edge.beyond);
                    }
                }
                (edge, a) = (corner, b);
            }
        }
        true
    }

    /// Returns the polygon at the end of a lane that begins at a point of the ground; `None` if a
    /// border comes within its radius. Calls `enter` with the polygons of the lane, until then.
    ///
    /// O(p²) for the p polygons within the radius.
    pub(super) fn end_of_lane(
        &self,
        begin: PolygonId,
        lane: &Lane,
        end: Vec3,
        mut enter: impl FnMut(PolygonId),
    ) -> Option<PolygonId> {
        let mut last = None;
        let note = |polygon| {
            enter(polygon);
            if last.is_none() && self.mesh().contains(polygon, end) {
                last = Some(polygon);
            }
        };
        self.ground_near(begin, lane, note, |_| false).then_some(last)?
    }
}
