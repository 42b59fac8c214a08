//! The part of a mesh where wide bodies fit.
//!
//! A body of radius `r` fits where its middle is at least `r` away from every border of the mesh.
//! The ground nearer than `r` to a border is the union of two kinds of holes:
//!
//! * along each border edge the rectangle of width `r` on its inner side,
//! * at each vertex where the border turns away from the ground the sector of radius `r` between
//!   the rectangles of its two edges.
//!
//! This union is complete: the border point nearest to a point `p` lies either inside an edge, and
//! `p` is in that edge's rectangle, or it is a vertex, and `p` is between the normals of the two
//! edges there. At vertices where the border turns towards the ground there is nothing between the
//! normals.
//!
//! # Arcs
//!
//! Arcs are replaced by as few tangents as are at most 45° apart, around the arc: the clearance is
//! never below `r` and at most `r / cos 22.5°`, 8.3 % more. Each tangent is a turning point and
//! needs a polygon, so few of them make fast searches.
//!
//! In a narrow passage that might close it. There tangents are at most 22.5° apart: the clearance
//! is at most `r / cos 11.25°`, 2 % more. A passage is as narrow at a vertex only if another border
//! comes within `2r / cos 22.5°` of the vertex, on the ground and in the directions of the arc:
//! where it faces the vertex ([`Facing`]). Farther to the side the rectangles of the vertex's own
//! edges lie nearer to the other border than the arc does.
//!
//! A hole takes effect on the polygons that it can be reached through: from the polygon of its edge
//! across the edges that it overlaps. So the wall of one floor does not narrow the floor above.

use glam::DVec2;
use wayfare_core::inside::nearest_on;
use wayfare_core::ops;
use wayfare_core::space::StateId;

use super::build::NO_TWIN;
use super::carve::Hole;
use super::plan::plan;
use super::recut::Holes;
use super::{NavMesh, PolygonId};

/// A radius that is not from 0.001 to 1,000 metres.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the radius is {radius}; it must be a number from 0.001 to 1000 metres")]
pub struct RadiusError {
    /// The radius.
    pub radius: f32,
}

impl NavMesh {
    /// Returns the part of this mesh where the middle of a body can be that keeps `radius` metres
    /// (0.001 to 1,000) away from the mesh's borders, as a mesh of its own.
    ///
    /// One mesh, baked without a radius, thus serves bodies of all sizes; a shortest path on the
    /// narrowed mesh is a shortest path of the body. Around corners the distance kept is up to 8 %
    /// more than `radius`, since arcs become polygons; in narrow passages up to 2 %. A passage
    /// narrower than `2 × radius` is closed, one wider than `2.04 × radius` is open. Lengths grow
    /// by less than 1 % but where a path turns every few metres.
    ///
    /// The ground is partitioned anew, into few large polygons, whose indices say nothing about the
    /// polygons of this mesh. Areas keep their borders. Heights may change: no step changes them by
    /// more than 0.25 metres, or by more than a polygon of this mesh is off its plane. The sum of
    /// the steps has no bound; on baked meshes it is 0.05 to 0.25 metres on average.
    ///
    /// Time: O(b × p) for b border edges that have p polygons within `radius`, and O(n log n) for
    /// the n corners that come out.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{AreaId, MeshDraft, NavMesh};
    ///
    /// let corners = [[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 0.0]];
    /// let mut draft = MeshDraft::new(corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec());
    /// draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
    /// let mesh = NavMesh::new(draft).unwrap();
    /// let for_ogres = mesh.narrowed(1.5)?;
    /// let room: f64 = for_ogres.polygons().map(|polygon| for_ogres.plan_area(polygon)).sum();
    /// assert!((room - 1.0).abs() < 1e-3); // a square metre in the middle is left
    /// assert!(mesh.narrowed(2.5)?.is_empty());
    /// # Ok::<(), wayfare::space::navmesh::RadiusError>(())
    /// ```
    ///
    /// # Errors
    /// When the radius is out of range.
    ///
    /// Related: M. Kallmann, "Dynamic and Robust Local Clearance Triangulations" (2014), which
    /// keeps one triangulation and asks for the clearance of each passage during the search. Meshes
    /// narrowed beforehand leave searches as they are.
    pub fn narrowed(&self, radius: f32) -> Result<Self, RadiusError> {
        if !(0.001..=1000.0).contains(&radius) {
            return Err(RadiusError { radius });
        }
        let narrowing = Narrowing { mesh: self, radius: f64::from(radius) };
        let narrowed = narrowing.holes().cut_and_regrouped(self);
        Ok(narrowed.with_body_radius(self.body_radius() + radius))
    }
}

impl NavMesh {
    /// Returns the next corner of the same polygon.
    fn next_corner(&self, corner: u32) -> u32 {
        self.tables.next(corner)
    }

    /// Returns the ends of a corner's edge, in plan.
    fn edge(&self, corner: u32) -> (DVec2, DVec2) {
        (plan(self.place(corner)), plan(self.place(self.next_corner(corner))))
    }
}

/// The holes along the borders of a mesh.
struct Narrowing<'a> {
    mesh: &'a NavMesh,
    radius: f64,
}

impl Narrowing<'_> {
    fn holes(&self) -> Holes {
        let mut holes = Holes::new(self.mesh);
        let mut flood = Flood { visited: vec![u32::MAX; self.mesh.bound()], stack: Vec::new() };
        let mut near = Facing::new(self.mesh);
        let mut spokes = Vec::new();
        let corners = self.mesh.polygons().flat_map(|polygon| self.mesh.own(polygon));
        for corner in corners.map(|corner| corner as u32) {
            if self.mesh.twin(corner) != NO_TWIN {
                continue;
            }
            flood.push(self.mesh, self.along(corner), &[corner], &mut holes);
            // Around the vertex at the edge's end, as far as the next border.
            let mut spoke = self.mesh.next_corner(corner);
            spokes.clear();
            spokes.push(spoke);
            while self.mesh.twin(spoke) != NO_TWIN {
                spoke = self.mesh.next_corner(self.mesh.twin(spoke));
                spokes.push(spoke);
            }
            if let Some(arc) = self.arc(corner, spoke) {
                let step = if near.faces(&arc, &spokes) { FINE } else { COARSE };
                flood.push(self.mesh, arc.sector(step), &spokes, &mut holes);
            }
        }
        holes
    }

    /// Returns the rectangle along a border edge.
    fn along(&self, corner: u32) -> Hole {
        let (from, to) = self.mesh.edge(corner);
        let inwards = (to - from).perp().normalize() * self.radius;
        Hole::new(vec![from, to, to + inwards, from + inwards])
    }

    /// Returns the arc between two successive border edges, if the border turns right, away from
    /// the ground.
    fn arc(&self, before: u32, after: u32) -> Option<Arc> {
        let (start, vertex) = self.mesh.edge(before);
        let (_, end) = self.mesh.edge(after);
        let first = (vertex - start).perp().normalize();
        let last = (end - vertex).perp().normalize();
        // Between opposite edges there is the tip of a wall: ground all around, or none at all, and
        // polygons have area.
        let turned = first.perp_dot(last);
        let turns_in = turned > 1e-9 || (turned > -1e-9 && first.dot(last) > 0.0);
        (!turns_in).then_some(Arc { vertex, radius: self.radius, first, last })
    }
}

/// An arc around a vertex of the border.
#[derive(Clone, Copy, Debug)]
struct Arc {
    vertex: DVec2,
    radius: f64,
    /// The normals of the edges before and after the vertex: the arc goes clockwise.
    first: DVec2,
    last: DVec2,
}

/// The greatest angles between neighbouring tangents of an arc, in radians: 45° and 22.5°.
const COARSE: f32 = std::f32::consts::FRAC_PI_4;
const FINE: f32 = std::f32::consts::FRAC_PI_8;

impl Arc {
    /// Returns the sector with tangents at most `step` apart.
    fn sector(&self, step: f32) -> Hole {
        let Self { vertex, radius, first, last } = *self;
        let mut normals = Vec::new();
        spread(last, first, step, &mut normals);
        let mut corners = vec![vertex, vertex + last * radius];
        // Where neighbouring tangents cross.
        corners.extend(
            normals
                .windows(2)
                .map(|pair| vertex + (pair[0] + pair[1]) * (radius / (1.0 + pair[0].dot(pair[1])))),
        );
        corners.push(vertex + first * radius);
        Hole::new(corners)
    }

    /// Returns whether a direction is one of the arc's, or at most 40° beside them.
    fn points(&self, direction: DVec2) -> bool {
        // The sine and the cosine of 40°.
        const BESIDE: DVec2 = DVec2::new(0.766_044_443_118_978, 0.642_787_609_686_539_3);
        let sum = self.first + self.last;
        // Half a turn: the middle is that of the wall's tip.
        let middle = if sum.length_squared() < 1e-12 { self.last.perp() } else { sum.normalize() };
        let half = DVec2::new(self.last.dot(middle), self.last.perp_dot(middle));
        let widest = half.rotate(BESIDE).x;
        direction.dot(middle) > widest * direction.length()
    }
}

/// Adds directions from `from` counter-clockwise to `to`, equally far apart: as few as `step`
/// allows. `to` is at most 180° on.
fn spread(from: DVec2, to: DVec2, step: f32, directions: &mut Vec<DVec2>) {
    let angle = ops::atan2(from.perp_dot(to).max(0.0) as f32, from.dot(to) as f32);
    // A margin for rounding.
    let count = ops::floor(f64::from(angle / step) - 1e-4) + 1;
    directions.push(from);
    for index in 1..count {
        let turned = ops::sin_cos(angle * index as f32 / count as f32);
        let by = DVec2::new(f64::from(turned.cos), f64::from(turned.sin));
        directions.push(by.rotate(from).normalize());
    }
    directions.push(to);
}

/// Finds other borders that face an arc; its fields are memory.
struct Facing<'a> {
    mesh: &'a NavMesh,
    /// The last arc that visited each polygon.
    visited: Vec<u32>,
    arcs: u32,
    stack: Vec<PolygonId>,
}

/// How far from a vertex another border may be for coarse sectors of both to meet, in radii:
/// `2 / cos 22.5°`, and a margin for rounding.
const REACH: f64 = 2.166;

impl<'a> Facing<'a> {
    fn new(mesh: &'a NavMesh) -> Self {
        Self { mesh, visited: vec![0; mesh.bound()], arcs: 0, stack: Vec::new() }
    }

    /// Returns whether a border other than that at the arc's vertex comes near in its directions,
    /// on the ground around the vertex that begins at the corners `from`.
    fn faces(&mut self, arc: &Arc, from: &[u32]) -> bool {
        self.arcs += 1;
        self.stack.clear();
        for &corner in from {
            self.visit(self.mesh.owner(corner));
        }
        let reach = REACH * arc.radius;
        while let Some(polygon) = self.stack.pop() {
            for corner in self.mesh.own(polygon).map(|corner| corner as u32) {
                let (a, b) = self.mesh.edge(corner);
                if nearest_on(arc.vertex, a, b).distance_squared(arc.vertex) > reach * reach {
                    continue;
                }
                match self.mesh.twin(corner) {
                    NO_TWIN if is_before(arc, a, b) => return true,
                    NO_TWIN => {}
                    twin => self.visit(self.mesh.owner(twin)),
                }
            }
        }
        false
    }

    fn visit(&mut self, polygon: PolygonId) {
        if std::mem::replace(&mut self.visited[polygon.index() as usize], self.arcs) != self.arcs {
            self.stack.push(polygon);
        }
    }
}

/// Returns whether the vertex of an arc lies on the ground's side of a border edge of others, and a
/// point of the edge in the arc's directions.
fn is_before(arc: &Arc, a: DVec2, b: DVec2) -> bool {
    let inwards = (b - a).perp().normalize_or_zero();
    let offsets = [a, b, nearest_on(arc.vertex, a, b)].map(|at| at - arc.vertex);
    ![a, b].contains(&arc.vertex)
        && (arc.vertex - a).dot(inwards) >= -1e-6 * arc.radius
        && offsets.iter().any(|&offset| arc.points(offset))
}

/// Finds the polygons that holes can be reached through.
struct Flood {
    /// The last hole that visited each polygon.
    visited: Vec<u32>,
    stack: Vec<PolygonId>,
}

impl Flood {
    /// Adds a hole that takes effect on the polygons of the corners `from`, and on polygons beyond
    /// edges that it overlaps.
    fn push(&mut self, mesh: &NavMesh, hole: Hole, from: &[u32], holes: &mut Holes) {
        let number = holes.len();
        let tolerance = holes.tolerance;
        for &corner in from {
            self.visit(mesh.owner(corner), number);
        }
        while let Some(polygon) = self.stack.pop() {
            // A hole within a polygon overlaps no edge. The cut looks closer.
            holes.next_takes(polygon);
            for corner in mesh.own(polygon) {
                let (from, to) = mesh.edge(corner as u32);
                let twin = mesh.twin(corner as u32);
                if twin != NO_TWIN && hole.overlaps(from, to, tolerance) {
                    self.visit(mesh.owner(twin), number);
                }
            }
        }
        holes.push(hole, None);
    }

    fn visit(&mut self, polygon: PolygonId, hole: u32) {
        if std::mem::replace(&mut self.visited[polygon.index() as usize], hole) != hole {
            self.stack.push(polygon);
        }
    }
}
