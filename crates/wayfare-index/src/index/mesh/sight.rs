//! Sight: the polygons that a bend sees, each by the cone through which it sees them.
//!
//! The ground around the bend is swept from wall to wall, and each visible edge is followed into
//! the polygon behind it, as in Polyanya. Corners of the mesh bound the cones, so all tests of left
//! and right take three points of its raster and are exact. Cones without a taut direction are not
//! followed.
//!
//! # Why a point lies in a cone if and only if it is seen
//!
//! In each direction from the bend the ground begins in one polygon, and leaves each polygon by one
//! edge. So a line to a point of polygon `P` enters `P` through the edge at which the cone was
//! followed into `P`, and lies between the bounds of that cone. Conversely, any point of `P`
//! between the bounds is seen through the edges before. Where a line touches a bound, it passes a
//! corner of a wall without entering it.
//!
//! Polygons that are not quite convex are treated as in Polyanya: a cone is open, its edge faces
//! the bend, and none comes back into the polygon of a dent.

use wayfare_mesh::inside::{NO_FAN, NO_TWIN, Span, turn};
use wayfare_mesh::navmesh::NavMeshSpace;

use super::bends::{Bend, Bends, NO_BEND};

/// No corner or step.
pub(super) const NONE: u32 = u32::MAX;

/// The visible part of a polygon from a bend: the part between two corners, left and right of its
/// view. A polygon around the bend is visible whole, and its corners are [`NONE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cone {
    pub(super) polygon: u32,
    pub(super) right: u32,
    pub(super) left: u32,
}

/// A cone that is to be followed.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The corner, in the polygon to be entered, of the edge.
    entry: u32,
    cone: Cone,
    /// The step before, or [`NONE`].
    parent: u32,
}

/// The memory of a sweep, and its result.
#[derive(Debug, Default)]
pub(super) struct Sight {
    steps: Vec<Step>,
    /// The cones, one or more for each polygon seen.
    pub(super) cones: Vec<Cone>,
    /// The bends that are seen, of which each may turn towards the other, in ascending order.
    pub(super) bends: Vec<u32>,
}

/// A sweep around one bend.
struct Sweep<'a> {
    space: &'a NavMeshSpace<'a>,
    bends: &'a Bends,
    eye: &'a Bend,
    sight: &'a mut Sight,
}

impl Sight {
    /// Finds the cones that a bend sees. O(corners of the polygons seen).
    pub(super) fn sweep(&mut self, space: &NavMeshSpace<'_>, bends: &Bends, bend: u32) {
        self.steps.clear();
        self.cones.clear();
        self.bends.clear();
        let eye = &bends.all[bend as usize];
        let mut sweep = Sweep { space, bends, eye, sight: self };
        sweep.begin();
        let mut next = 0;
        while next < sweep.sight.steps.len() {
            sweep.follow(next);
            next += 1;
        }
        self.bends.sort_unstable();
        self.bends.dedup();
        self.bends.retain(|&other| other != bend);
        self.cones.sort_by_key(|cone| cone.polygon);
        while self.merge(&space.mesh().tables.corners) {}
    }

    /// Joins adjacent cones of a polygon; `vertices` are those of corners. Returns whether there
    /// were any.
    fn merge(&mut self, vertices: &[u32]) -> bool {
        let total = self.cones.len();
        let is_same = |a: u32, b: u32| vertices[a as usize] == vertices[b as usize];
        let mut kept = 0;
        for next in 0..total {
            let cone = self.cones[next];
            let own = &mut self.cones[..kept];
            let mut before = own.iter_mut().rev().take_while(|known| known.polygon == cone.polygon);
            let is_joined = before.any(|known| {
                if known.left == NONE || cone.left == NONE {
                    (known.left, known.right) = (NONE, NONE);
                } else if is_same(known.left, cone.right) {
                    known.left = cone.left;
                } else if is_same(known.right, cone.left) {
                    known.right = cone.right;
                } else {
                    return false;
                }
                true
            });
            if !is_joined {
                self.cones[kept] = cone;
                kept += 1;
            }
        }
        self.cones.truncate(kept);
        kept < total
    }
}

impl Sweep<'_> {
    /// Adds the polygons around the bend, and the edges that it sees there.
    fn begin(&mut self) {
        let (corners, tables) = (&self.space.layer.corners, &self.space.mesh().tables);
        let eye = self.eye.place;
        let mut at = self.eye.corner;
        loop {
            let polygon = tables.owners[at as usize];
            self.sight.cones.push(Cone { polygon, left: NONE, right: NONE });
            let last = tables.previous(at);
            let mut i = tables.next(at);
            self.meet(i);
            while i != last {
                let j = tables.next(i);
                self.meet(j);
                let [a, b] = [i, j].map(|corner| corners[corner as usize].place());
                if turn(eye, a, b) > 0.0 {
                    self.enter(i, NONE, i, j);
                }
                i = j;
            }
            at = corners[last as usize].twin;
            if at == NO_TWIN || at == self.eye.corner {
                break;
            }
        }
    }

    /// Enters the polygon behind an edge, through a cone.
    #[inline]
    fn enter(&mut self, edge: u32, parent: u32, right: u32, left: u32) {
        let corners = &self.space.layer.corners;
        let (twin, polygon) = (corners[edge as usize].twin, corners[edge as usize].beyond);
        let to = |corner: u32| corners[corner as usize].place() - self.eye.place;
        if twin != NO_TWIN && !self.eye.is_slack(to(right), to(left)) {
            let cone = Cone { polygon, right, left };
            self.sight.steps.push(Step { entry: twin, cone, parent });
        }
    }

    /// Follows a cone into its polygon and to the edges behind.
    fn follow(&mut self, index: usize) {
        let Step { entry, cone, parent } = self.sight.steps[index];
        let (corners, tables) = (&self.space.layer.corners, &self.space.mesh().tables);
        let Span { begin, end, is_bent, .. } = tables.spans[cone.polygon as usize];
        if is_bent && self.comes_back(parent, cone.polygon) {
            return;
        }
        self.sight.cones.push(cone);
        let index = index as u32;
        let next = |corner: u32| if corner + 1 == end { begin } else { corner + 1 };
        let to = |corner: u32| corners[corner as usize].place() - self.eye.place;
        let (to_left, to_right) = (to(cone.left), to(cone.right));
        let mut i = next(entry);
        let mut offset = to(i);
        let (mut i_right, mut i_left) = (to_right.perp_dot(offset), to_left.perp_dot(offset));
        loop {
            if i_right >= 0.0 && i_left <= 0.0 {
                self.meet(i);
            }
            if i == entry {
                break;
            }
            let j = next(i);
            let before = std::mem::replace(&mut offset, to(j));
            let (j_right, j_left) = (to_right.perp_dot(offset), to_left.perp_dot(offset));
            if before.perp_dot(offset) > 0.0 {
                // Between the bounds at least in part, or, for a cone of almost 180 degrees, with
                // one end that far beyond the other bound.
                if j_right > 0.0 && i_left < 0.0 {
                    let right = if i_right >= 0.0 { i } else { cone.right };
                    let left = if j_left <= 0.0 { j } else { cone.left };
                    self.enter(i, index, right, left);
                } else if i_left >= 0.0 && j_left < 0.0 && j_right > 0.0 {
                    self.enter(i, index, cone.right, j);
                } else if j_right <= 0.0 && i_right > 0.0 && i_left < 0.0 {
                    self.enter(i, index, i, cone.left);
                }
            }
            (i, i_right, i_left) = (j, j_right, j_left);
        }
    }

    /// Takes in a corner that is seen, if it is one of a bend.
    #[inline]
    fn meet(&mut self, corner: u32) {
        let at = &self.space.layer.corners[corner as usize];
        if at.fan == NO_FAN {
            return;
        }
        let other = self.bends.of(at.fan);
        if other != NO_BEND {
            let bend = &self.bends.all[other as usize];
            let along = bend.place - self.eye.place;
            if bend.is_taut(-along) && self.eye.is_taut(along) {
                self.sight.bends.push(other);
            }
        }
    }

    /// Returns whether the bend sees a polygon through the polygon itself.
    fn comes_back(&self, mut at: u32, polygon: u32) -> bool {
        while let Some(step) = self.sight.steps.get(at as usize) {
            if step.cone.polygon == polygon {
                return true;
            }
            at = step.parent;
        }
        false
    }
}
