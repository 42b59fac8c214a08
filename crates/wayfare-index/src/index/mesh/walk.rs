//! Walks along the legs of a path: the polygons that it crosses.
//!
//! A leg is a straight line between two points of the raster, so the side of each corner is exact.
//! From polygon to polygon the line leaves through the inside of an edge, or at a corner that lies
//! on it. There the walk goes around the corner, to either side, up to the polygon that the line
//! enters; walls end it. So legs along edges or through corners need no special care.

use glam::DVec2;
use wayfare_mesh::inside::{NO_TWIN, Span, turn};
use wayfare_mesh::navmesh::{NavMeshSpace, PolygonId};

use super::sight::NONE;

/// Where a leg ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// In a polygon.
    Polygon(u32),
    /// At a corner of a fan.
    Fan(u32),
}

/// How a line leaves a polygon.
enum Exit {
    /// The end of the line lies in the polygon.
    Ends,
    /// Through the edge of a corner.
    Edge(u32),
    /// At a corner.
    Corner(u32),
    /// Not at all; only from polygons that are not convex.
    Nowhere,
}

/// A walk along one line.
struct Walk<'a> {
    space: &'a NavMeshSpace<'a>,
    from: DVec2,
    to: DVec2,
    target: Target,
    corridor: &'a mut Vec<PolygonId>,
}

/// Adds the polygons of a line to a corridor whose last polygon contains its beginning. Returns
/// whether the line reaches its target on the ground; else the corridor is of no use.
pub(super) fn walk(
    space: &NavMeshSpace<'_>,
    [from, to]: [DVec2; 2],
    target: Target,
    corridor: &mut Vec<PolygonId>,
) -> bool {
    Walk { space, from, to, target, corridor }.run()
}

impl Walk<'_> {
    fn run(&mut self) -> bool {
        // Lines leave no convex polygon twice.
        for _ in 0..=2 * self.space.mesh().bound() {
            let Some(&PolygonId(polygon)) = self.corridor.last() else { return false };
            if self.is_target(polygon) {
                return true;
            }
            let goes_on = match self.exit(polygon) {
                Exit::Ends => return self.end(polygon),
                Exit::Edge(corner) => self.cross(corner),
                Exit::Corner(corner) => {
                    let along = self.to - self.from;
                    self.go_around(corner, |walk, corner| walk.enters(corner, along))
                }
                Exit::Nowhere => false,
            };
            if !goes_on {
                return false;
            }
        }
        false
    }

    fn place(&self, corner: u32) -> DVec2 {
        self.space.layer.corners[corner as usize].place()
    }

    #[inline]
    fn is_target(&self, polygon: u32) -> bool {
        match self.target {
            Target::Polygon(target) => polygon == target,
            Target::Fan(fan) => {
                let Span { begin, end, .. } = self.space.mesh().tables.spans[polygon as usize];
                let own = &self.space.layer.corners[begin as usize..end as usize];
                own.iter().any(|corner| corner.fan == fan)
            }
        }
    }

    /// Returns how the line leaves a polygon that it has a point of.
    #[inline]
    fn exit(&self, polygon: u32) -> Exit {
        let Span { begin, end, .. } = self.space.mesh().tables.spans[polygon as usize];
        let along = self.to - self.from;
        let mut before = end - 1;
        let mut a = self.place(before);
        let mut a_side = along.perp_dot(a - self.from);
        let (mut edge, mut farthest) = (NONE, (f64::NEG_INFINITY, NONE));
        let mut holds_end = true;
        for corner in begin..end {
            let b = self.place(corner);
            let b_side = along.perp_dot(b - self.from);
            holds_end &= turn(a, b, self.to) >= 0.0;
            if a_side < 0.0 && b_side > 0.0 {
                edge = before;
            }
            if b_side == 0.0 {
                let share = along.dot(b - self.from);
                if share > farthest.0 {
                    farthest = (share, corner);
                }
            }
            (before, a, a_side) = (corner, b, b_side);
        }
        if holds_end {
            Exit::Ends
        } else if edge != NONE {
            Exit::Edge(edge)
        } else if farthest.1 != NONE {
            Exit::Corner(farthest.1)
        } else {
            Exit::Nowhere
        }
    }

    /// Enters the polygon behind an edge.
    #[inline]
    fn cross(&mut self, corner: u32) -> bool {
        let corner = &self.space.layer.corners[corner as usize];
        let is_open = corner.twin != NO_TWIN;
        if is_open {
            self.corridor.push(PolygonId(corner.beyond));
        }
        is_open
    }

    /// Returns whether a direction from a corner points into its polygon or along one of its edges.
    fn enters(&self, corner: u32, along: DVec2) -> bool {
        let tables = &self.space.mesh().tables;
        let here = self.place(corner);
        let [right, left] = [tables.next(corner), tables.previous(corner)];
        (self.place(right) - here).perp_dot(along) >= 0.0
            && along.perp_dot(self.place(left) - here) >= 0.0
    }

    /// Goes around the vertex of a corner, counter-clockwise or else clockwise, to the first
    /// polygon whose corner there is the one wanted. Returns whether there is one before a wall.
    fn go_around(&mut self, corner: u32, is_wanted: impl Fn(&Self, u32) -> bool) -> bool {
        let length = self.corridor.len();
        let tables = &self.space.mesh().tables;
        for is_clockwise in [false, true] {
            let mut at = corner;
            loop {
                let edge = if is_clockwise { at } else { tables.previous(at) };
                let twin = self.space.layer.corners[edge as usize].twin;
                if twin == NO_TWIN {
                    break;
                }
                at = if is_clockwise { tables.next(twin) } else { twin };
                if at == corner {
                    break;
                }
                self.corridor.push(PolygonId(tables.owners[at as usize]));
                if is_wanted(self, at) {
                    return true;
                }
            }
            self.corridor.truncate(length);
        }
        false
    }

    /// Continues to the target from another polygon that contains the end of the line.
    #[cold]
    fn end(&mut self, polygon: u32) -> bool {
        let tables = &self.space.mesh().tables;
        let Span { begin, end, .. } = tables.spans[polygon as usize];
        for corner in begin..end {
            let (a, b) = (self.place(corner), self.place(tables.next(corner)));
            if a == self.to {
                let owner = |at: u32| tables.owners[at as usize];
                return self.go_around(corner, |walk, at| walk.is_target(owner(at)));
            }
            let is_beside = turn(a, b, self.to) == 0.0 && b != self.to;
            if is_beside && self.is_target(self.space.layer.corners[corner as usize].beyond) {
                return self.cross(corner);
            }
        }
        false
    }
}
