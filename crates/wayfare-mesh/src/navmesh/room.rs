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
use wayfare_core::inside::nearest_on;
use wayfare_core::space::StateId;

use super::build::NO_TWIN;
use super::{NavMeshSpace, PolygonId};

/// The frame of a segment in plan, and the distance from it that matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    from: DVec2,
    /// The direction, of length 1.
    along: DVec2,
    length: f64,
    /// The radius of the disc that sweeps along the segment.
    room: f64,
}

impl Lane {
    /// Returns the lane of a disc of a radius, at least 0, between two points of the plan.
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
    fn reaches(&self, [a, b]: [DVec2; 2]) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        let is_beside = low.y > self.room || high.y < -self.room;
        if is_beside || low.x > self.length + self.room || high.x < -self.room {
            return false;
        }
        self.gap_squared([a, b]) <= self.room * self.room
    }

    /// Returns the square of the distance between an edge in that frame and the segment.
    fn gap_squared(&self, [a, b]: [DVec2; 2]) -> f64 {
        let way = b - a;
        if (a.y < 0.0) != (b.y < 0.0) {
            let x = a.x - way.x * (a.y / way.y);
            if (0.0..=self.length).contains(&x) {
                return 0.0;
            }
        }
        // An end of one of them is nearest.
        let of_edge = [a, b].map(|end| {
            let beyond = end.x - end.x.clamp(0.0, self.length);
            beyond * beyond + end.y * end.y
        });
        let of_segment = [0.0, self.length].map(|x| {
            let end = DVec2::new(x, 0.0);
            (nearest_on(end, a, b) - end).length_squared()
        });
        of_edge.into_iter().chain(of_segment).fold(f64::INFINITY, f64::min)
    }

    /// Returns whether an edge in that frame may reach into the hull of two discs: of the radius
    /// around the end of the segment, of one larger by `flare` around its start.
    ///
    /// The hull lies between two lines that touch both discs, and two lines across the ends.
    fn reaches_flared(&self, [a, b]: [DVec2; 2], flare: f64) -> bool {
        // The lines fall by the sine of their angle to the segment, scaled.
        let sine = (flare / self.length).min(1.0);
        let cosine = (1.0 - sine * sine).sqrt();
        let [first, last] = [-self.room - flare, self.length + self.room];
        if a.x.max(b.x) < first || a.x.min(b.x) > last {
            return false;
        }
        let at = |x: f64| a + (b - a) * ((x - a.x) / (b.x - a.x));
        let cut = |end: DVec2| match end.x {
            x if x < first => at(first),
            x if x > last => at(last),
            _ => end,
        };
        let ends = [cut(a), cut(b)];
        // How far a point is from the middle, beyond the line on its side.
        let out =
            |side: f64, end: DVec2| side * end.y * cosine + end.x * sine - (self.room + flare);
        let is_out = |side: f64| ends.into_iter().all(|end| out(side, end) > 0.0);
        !is_out(1.0) && !is_out(-1.0)
    }
}

/// The polygons of a lane, in the order in which they are met.
type Met = SmallVec<[u32; 32]>;

/// What is seen along a lane.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum LaneView {
    /// No border comes within the radius. The polygon at the end.
    Open(PolygonId),
    /// A border comes that near: perhaps that of this corner.
    Barred(Option<usize>),
    /// No polygon holds the end, by rounding.
    Endless,
}

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
        let mut met = Met::from_iter([from.index()]);
        self.ground_near(&mut met, lane, |edge| lane.reaches(edge), visit)
    }

    /// Does so for the edges that `reaches` tells in the frame of a lane: each border, until
    /// `visit` returns false. Adds the polygons within reach to the first one.
    fn ground_near(
        &self,
        met: &mut Met,
        lane: &Lane,
        reaches: impl Fn([DVec2; 2]) -> bool,
        mut visit: impl FnMut(usize) -> bool,
    ) -> bool {
        let mut next = 0;
        while let Some(&polygon) = met.get(next) {
            next += 1;
            let own = self.mesh().own(PolygonId(polygon));
            let (begin, corners) = (own.start, &self.layer.corners[own]);
            let Some(&first) = corners.first() else { continue };
            let (mut edge, mut a) = (first, lane.framed(first.place()));
            // The edge of a corner leads from it to the next one.
            for (number, &corner) in corners[1..].iter().chain([&first]).enumerate() {
                let b = lane.framed(corner.place());
                if reaches([a, b]) {
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

    /// Returns what is seen along the lane of a body, from a polygon to a point above or below the
    /// end of the segment. With `flare` it is wider by that at its start, and narrows evenly. Calls
    /// `enter` with the polygons of an open lane.
    pub(super) fn view_along(
        &self,
        begin: PolygonId,
        (lane, flare): (&Lane, Option<f64>),
        end: Vec3,
        enter: impl FnMut(PolygonId),
    ) -> LaneView {
        let mut met = Met::from_iter([begin.index()]);
        // A border that reaches deep into the lane will be in the way for longer.
        let (mut bar, mut least, deep) = (0, f64::INFINITY, (0.5 * lane.room).powi(2));
        let see = |corner| {
            let gap = lane.gap_squared(self.edge(corner).map(|end| lane.framed(end)));
            if gap < least {
                (bar, least) = (corner, gap);
            }
            least > deep
        };
        match flare {
            Some(flare) => {
                let reaches = |edge| lane.reaches_flared(edge, flare);
                if !self.ground_near(&mut met, lane, reaches, |_| false) {
                    return LaneView::Barred(None);
                }
            }
            None => {
                self.ground_near(&mut met, lane, |edge| lane.reaches(edge), see);
                if least < f64::INFINITY {
                    return LaneView::Barred(Some(bar));
                }
            }
        }
        met.iter().copied().map(PolygonId).for_each(enter);
        // It is one of the last.
        let is_last = |polygon: &PolygonId| self.mesh().contains(*polygon, end);
        let last = met.iter().rev().copied().map(PolygonId).find(is_last);
        last.map_or(LaneView::Endless, LaneView::Open)
    }
}
