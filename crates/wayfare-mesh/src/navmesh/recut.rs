//! A mesh with holes cut out of its polygons, or filled with other ground.

use glam::{DVec2, Vec3};
use wayfare_core::space::StateId;

use super::build::NO_TWIN;
use super::carve::{Carver, Cutting, Hole, Loose, LooseCorner, NO_LINE, join};
use super::mesh::Rings;
use super::plan::plan;
use super::regroup::{Ground, bend, regroup};
use super::{AreaId, NavMesh, PolygonId};

/// Holes, and the polygons that each of them is cut out of.
pub(super) struct Holes {
    holes: Vec<Hole>,
    /// The area inside each hole; `None` where nothing is left.
    areas: Vec<Option<AreaId>>,
    /// The holes of each polygon, in order.
    of: Vec<Vec<u32>>,
    /// The distance below which a point counts as lying on a line.
    pub(super) tolerance: f64,
}

impl Holes {
    pub(super) fn new(mesh: &NavMesh) -> Self {
        let of = vec![Vec::new(); mesh.bound()];
        Self { holes: Vec::new(), areas: Vec::new(), of, tolerance: mesh.tolerance() }
    }

    /// Returns the number of holes.
    pub(super) fn len(&self) -> u32 {
        self.holes.len() as u32
    }

    /// Lets a hole take effect on a polygon. The hole is the one added next.
    pub(super) fn next_takes(&mut self, polygon: PolygonId) {
        self.of[polygon.index() as usize].push(self.holes.len() as u32);
    }

    /// Adds a hole with the ground inside it; `None`: nothing is left.
    pub(super) fn push(&mut self, hole: Hole, ground: Option<AreaId>) {
        self.holes.push(hole);
        self.areas.push(ground);
    }

    /// Returns the mesh after all cuts, in the same profiles.
    pub(super) fn cut(&self, mesh: &NavMesh) -> NavMesh {
        let (rings, origins) = self.pieces(mesh);
        let areas = origins.into_iter().map(|origin| origin.1).collect();
        mesh.with_rings(rings, areas)
    }

    /// Returns the mesh after all cuts in few large polygons, in the same profiles. Heights may
    /// change a little.
    pub(super) fn cut_and_regrouped(&self, mesh: &NavMesh) -> NavMesh {
        let (rings, origins) = self.pieces(mesh);
        let point = |at: Vec3| plan(at).extend(f64::from(at.y));
        let ground = |&(polygon, area): &(PolygonId, AreaId)| Ground {
            area,
            bend: bend(mesh.outline(polygon).map(point)),
        };
        let grounds: Vec<Ground> = origins.iter().map(ground).collect();
        let (rings, areas) = regroup(&rings, &grounds, self.tolerance);
        mesh.with_rings(rings, areas)
    }

    /// Returns the polygons that the cuts leave, each with the polygon it was cut from and its
    /// area.
    fn pieces(&self, mesh: &NavMesh) -> (Rings, Vec<(PolygonId, AreaId)>) {
        let tolerance = self.tolerance;
        let mut loose = Loose::default();
        // The polygon that each piece is of, and its area.
        let mut origins: Vec<(PolygonId, AreaId)> = Vec::new();
        // Lines have indices: a line along an edge of the mesh has that of the edge's first corner,
        // or of its twin's; lines of cuts follow.
        let mut lines = mesh.corner_count() as u32;
        let (mut carver, mut outline) = (Carver::default(), Vec::new());
        for polygon in mesh.polygons() {
            outline.clear();
            outline.extend(mesh.outline(polygon).map(plan));
            let begin = mesh.own(polygon).start as u32;
            let sides = outline.len() as u32;
            let own = &self.of[polygon.index() as usize];
            let cutting = |&hole: &u32| Cutting {
                hole: &self.holes[hole as usize],
                keeps: self.areas[hole as usize].is_some(),
            };
            let pieces = carver.carve(&outline, own.iter().map(cutting), tolerance);
            for &piece in pieces.list() {
                let line = |line: u32| match line.checked_sub(sides) {
                    Some(cut) => lines + cut,
                    None => edge_line(mesh, begin + line),
                };
                let corners = pieces.corners(piece).iter();
                loose.push(corners.map(|at| LooseCorner { at: at.at, line: line(at.line) }));
                let within = piece.within.and_then(|hole| self.areas[own[hole as usize] as usize]);
                origins.push((polygon, within.unwrap_or(mesh.area(polygon))));
            }
            lines += own.iter().map(|hole| self.holes[*hole as usize].sides() as u32).sum::<u32>();
        }
        let joint = join(loose, tolerance);
        let vertices = joint.vertices.iter().zip(&joint.origins);
        let vertices =
            vertices.map(|(&at, &origin)| lifted(mesh, origins[origin as usize].0, at)).collect();
        let of = joint.polygons.iter().map(|&piece| origins[piece as usize]).collect();
        let (first, corners, twins) = (joint.first, joint.corners, joint.twins);
        (Rings { vertices, first, corners, twins }, of)
    }
}

/// Returns the index of the line along an edge: the same for both of its sides.
fn edge_line(mesh: &NavMesh, corner: u32) -> u32 {
    match mesh.twin(corner) {
        NO_TWIN => NO_LINE,
        twin => corner.min(twin),
    }
}

/// Returns the position on a polygon at a point of its plan.
fn lifted(mesh: &NavMesh, polygon: PolygonId, at: DVec2) -> Vec3 {
    let corner = mesh.outline(polygon).find(|&corner| plan(corner) == at);
    corner.unwrap_or_else(|| {
        let point = Vec3::new(at.x as f32, 0.0, -at.y as f32);
        Vec3::new(point.x, mesh.height_at(polygon, point), point.z)
    })
}
