//! The part of a mesh where wide bodies fit.
//!
//! A body of radius `r` fits where its middle is at least `r` away from every border of the mesh.
//! The ground nearer than `r` to a border is the union of two kinds of holes:
//!
//! * along each border edge the rectangle of width `r` on its inner side,
//! * at each vertex where the border turns away from the ground the sector of radius `r` between
//!   the rectangles of its two edges.
//!
//! This union is complete: the point of the border that is nearest to a place lies either inside an
//! edge, and the place is in that edge's rectangle, or it is a vertex, and then the place is between
//! the normals of the two edges there. At vertices where the border turns towards the ground there
//! is nothing between the normals.
//!
//! Arcs are replaced by tangents at most 22.5° apart, around the arc: the clearance is never below
//! `r` and at most `r / cos 11.25°`, 2 % more.
//!
//! A hole takes effect on the polygons that it can be reached through: from the polygon of its edge
//! across the edges that it overlaps. So the wall of one floor does not narrow the floor above.

use glam::{DVec2, Vec3};

use super::build::NO_TWIN;
use super::carve::{Hole, Loose, LooseCorner, NO_LINE, Piece, carve, join};
use super::mesh::Tables;
use super::plan::plan;
use super::{AreaId, NavMesh, PolygonId};
use crate::space::StateId;

/// Points on the unit circle, 22.5° apart: the directions of tangents.
const DIRECTIONS: [DVec2; 16] = {
    let (a, b, c) =
        (0.923_879_532_511_286_7, 0.382_683_432_365_089_8, std::f64::consts::FRAC_1_SQRT_2);
    [
        DVec2::new(1.0, 0.0),
        DVec2::new(a, b),
        DVec2::new(c, c),
        DVec2::new(b, a),
        DVec2::new(0.0, 1.0),
        DVec2::new(-b, a),
        DVec2::new(-c, c),
        DVec2::new(-a, b),
        DVec2::new(-1.0, 0.0),
        DVec2::new(-a, -b),
        DVec2::new(-c, -c),
        DVec2::new(-b, -a),
        DVec2::new(0.0, -1.0),
        DVec2::new(b, -a),
        DVec2::new(c, -c),
        DVec2::new(a, -b),
    ]
};

/// A radius that is no number from 0.001 to 1,000 metres.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the radius is {radius}; it must be a number from 0.001 to 1000 metres")]
pub struct RadiusError {
    /// The radius.
    pub radius: f32,
}

impl NavMesh {
    /// The part of this mesh where the middle of a body can be that keeps `radius` metres (0.001 to
    /// 1,000) away from the mesh's borders, as a mesh of its own.
    ///
    /// One mesh, baked without a radius, thus serves bodies of all sizes; a shortest path on the
    /// narrowed mesh is a shortest path of the body. Around corners the distance kept is up to 2 %
    /// more than `radius`, since arcs become polygons. A passage narrower than `2 × radius` is
    /// closed, one wider than `2.04 × radius` is open. Lengths grow by less than 1 %.
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
        let holes = narrowing.holes();
        Ok(self.carved(&holes))
    }

    /// The mesh without holes; `holes` has those of each polygon.
    fn carved(&self, holes: &PolygonHoles) -> Self {
        let tolerance = self.tolerance();
        let mut loose: Vec<Loose> = Vec::new();
        let mut bases: Vec<PolygonId> = Vec::new();
        // Lines have numbers: those along edges of the mesh that of the edge's first corner, or of
        // its twin's; those of cuts follow.
        let mut lines = self.corner_count() as u64;
        for polygon in self.polygons() {
            let outline: Vec<DVec2> = self.outline(polygon).map(plan).collect();
            let begin = self.own(polygon).start as u64;
            let cut = holes.of(polygon);
            let sides = outline.len() as u32;
            for Piece { corners } in carve(&outline, &cut, tolerance) {
                let line = |line: u32| match line.checked_sub(sides) {
                    Some(cut) => lines + u64::from(cut),
                    None => self.edge_line(begin as u32 + line),
                };
                let corners = corners.iter();
                loose.push(
                    corners.map(|at| LooseCorner { at: at.at, line: line(at.line) }).collect(),
                );
                bases.push(polygon);
            }
            lines += cut.iter().map(|hole| hole.sides() as u64).sum::<u64>();
        }
        let joint = join(&loose, tolerance);
        let vertices = joint.vertices.iter().zip(&joint.origins);
        let vertices = vertices.map(|(&at, &origin)| self.lifted(bases[origin as usize], at));
        let vertices = vertices.collect();
        let areas: Vec<AreaId> =
            joint.polygons.iter().map(|&piece| self.area(bases[piece as usize])).collect();
        let tables = Tables {
            vertices,
            first: joint.first,
            corners: joint.corners,
            twins: joint.twins,
            owners: Vec::new(),
        };
        Self::from_tables(tables, areas)
    }

    /// The number of the line along an edge: the same for both of its sides.
    fn edge_line(&self, corner: u32) -> u64 {
        match self.twin(corner) {
            NO_TWIN => NO_LINE,
            twin => u64::from(corner.min(twin)),
        }
    }

    /// The place on a polygon at a point of its plan. The polygon is taken as a fan of triangles
    /// around its first corner, so that heights along an edge are the same from both sides.
    fn lifted(&self, polygon: PolygonId, at: DVec2) -> Vec3 {
        let corners: Vec<Vec3> = self.outline(polygon).collect();
        if let Some(&corner) = corners.iter().find(|&&corner| plan(corner) == at) {
            return corner;
        }
        // The triangle that the point is in, or the one that it is least outside of.
        let mut best = (f64::NEG_INFINITY, f64::from(corners[0].y));
        for pair in corners[1..].windows(2) {
            let triangle = [corners[0], pair[0], pair[1]];
            let [a, b, c] = triangle.map(plan);
            let doubled = (b - a).perp_dot(c - a);
            if doubled <= 0.0 {
                continue;
            }
            let weights =
                [(c - b).perp_dot(at - b), (a - c).perp_dot(at - c), (b - a).perp_dot(at - a)];
            let inside = weights[0].min(weights[1]).min(weights[2]) / doubled;
            if inside > best.0 {
                let heights = triangle.map(|corner| f64::from(corner.y));
                let sum: f64 = weights.iter().zip(heights).map(|(w, height)| w * height).sum();
                best = (inside, sum / doubled);
            }
        }
        Vec3::new(at.x as f32, best.1 as f32, -at.y as f32)
    }

    /// The next corner of the same polygon.
    fn next_corner(&self, corner: u32) -> u32 {
        let own = self.own(self.owner(corner));
        if corner as usize + 1 == own.end { own.start as u32 } else { corner + 1 }
    }

    /// The ends of a corner's edge, in plan.
    fn edge(&self, corner: u32) -> (DVec2, DVec2) {
        (plan(self.place(corner)), plan(self.place(self.next_corner(corner))))
    }
}

/// Holes, and the polygons that each of them takes ground from.
struct PolygonHoles {
    holes: Vec<Hole>,
    /// The holes of each polygon.
    of: Vec<Vec<u32>>,
    /// The last hole that visited each polygon.
    visited: Vec<u32>,
    stack: Vec<PolygonId>,
}

impl PolygonHoles {
    fn new(mesh: &NavMesh) -> Self {
        Self {
            holes: Vec::new(),
            of: vec![Vec::new(); mesh.len()],
            visited: vec![u32::MAX; mesh.len()],
            stack: Vec::new(),
        }
    }

    fn of(&self, polygon: PolygonId) -> Vec<&Hole> {
        let own = &self.of[polygon.index() as usize];
        own.iter().map(|&hole| &self.holes[hole as usize]).collect()
    }

    /// Adds a hole that takes effect on the polygons of the corners `from`, and on polygons beyond
    /// edges that it overlaps.
    fn push(&mut self, mesh: &NavMesh, hole: Hole, from: &[u32], tolerance: f64) {
        let number = self.holes.len() as u32;
        for &corner in from {
            let polygon = mesh.owner(corner);
            if std::mem::replace(&mut self.visited[polygon.index() as usize], number) != number {
                self.stack.push(polygon);
            }
        }
        while let Some(polygon) = self.stack.pop() {
            // A hole within a polygon overlaps no edge. `carve` looks closer.
            self.of[polygon.index() as usize].push(number);
            for corner in mesh.own(polygon) {
                let (from, to) = mesh.edge(corner as u32);
                if !hole.overlaps(from, to, tolerance) {
                    continue;
                }
                let twin = mesh.twin(corner as u32);
                if twin == NO_TWIN {
                    continue;
                }
                let beyond = mesh.owner(twin);
                if std::mem::replace(&mut self.visited[beyond.index() as usize], number) != number {
                    self.stack.push(beyond);
                }
            }
        }
        self.holes.push(hole);
    }
}

/// The holes along the borders of a mesh.
struct Narrowing<'a> {
    mesh: &'a NavMesh,
    radius: f64,
}

impl Narrowing<'_> {
    fn holes(&self) -> PolygonHoles {
        let mut holes = PolygonHoles::new(self.mesh);
        let tolerance = self.mesh.tolerance();
        let mut spokes = Vec::new();
        for corner in 0..self.mesh.corner_count() as u32 {
            if self.mesh.twin(corner) != NO_TWIN {
                continue;
            }
            holes.push(self.mesh, self.along(corner), &[corner], tolerance);
            // Around the vertex at the edge's end, as far as the next border.
            let mut spoke = self.mesh.next_corner(corner);
            spokes.clear();
            spokes.push(spoke);
            while self.mesh.twin(spoke) != NO_TWIN {
                spoke = self.mesh.next_corner(self.mesh.twin(spoke));
                spokes.push(spoke);
            }
            if let Some(sector) = self.around(corner, spoke) {
                holes.push(self.mesh, sector, &spokes, tolerance);
            }
        }
        holes
    }

    /// The rectangle along a border edge.
    fn along(&self, corner: u32) -> Hole {
        let (from, to) = self.mesh.edge(corner);
        let inwards = (to - from).perp().normalize() * self.radius;
        Hole::new(vec![from, to, to + inwards, from + inwards])
    }

    /// The sector between two successive border edges, if the border turns right, away from the
    /// ground.
    fn around(&self, before: u32, after: u32) -> Option<Hole> {
        let (start, vertex) = self.mesh.edge(before);
        let (_, end) = self.mesh.edge(after);
        let first = (vertex - start).perp().normalize();
        let last = (end - vertex).perp().normalize();
        // Between opposite edges there is the tip of a wall: ground all around, or none at all, and
        // polygons have area.
        let turned = first.perp_dot(last);
        if turned > 1e-9 || (turned > -1e-9 && first.dot(last) > 0.0) {
            return None;
        }
        let between =
            |normal: &DVec2| last.perp_dot(*normal) > 1e-3 && normal.perp_dot(first) > 1e-3;
        let mut normals = vec![last];
        normals.extend(DIRECTIONS.into_iter().filter(between));
        normals[1..].sort_by(|a, b| b.dot(last).total_cmp(&a.dot(last)));
        normals.push(first);
        let mut corners = vec![vertex, vertex + last * self.radius];
        // Where neighbouring tangents cross.
        corners.extend(normals.windows(2).map(|pair| {
            vertex + (pair[0] + pair[1]) * (self.radius / (1.0 + pair[0].dot(pair[1])))
        }));
        corners.push(vertex + first * self.radius);
        Some(Hole::new(corners))
    }
}
