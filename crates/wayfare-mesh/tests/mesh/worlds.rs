//! Worlds that several tests share.

use glam::Vec3;
use wayfare_core::space::CostTable;
use wayfare_grid::grid::Grid;
use wayfare_mesh::navmesh::{MeshDraft, MeshPoint, NavMesh, NavMeshSpace};

use crate::mesh_fields::{Field, Flat};

/// Returns a field of seven by seven square cells: those that are obstacles, and those from which a
/// row becomes one polygon.
pub(crate) fn squares(blocked: &[usize], cuts: &[usize]) -> Field {
    let marked = |cells: &[usize]| (0..49).map(|cell| cells.contains(&cell)).collect();
    let corners = (0..64).map(|corner| [f64::from(corner % 8), f64::from(corner / 8)]).collect();
    let (blocked, cuts) = (marked(blocked), marked(cuts));
    Field { side: 7, blocked, corners, cuts, is_square: true }
}

/// A field that is turned and shrunk, so that corners in the middle of straight edges are rounded
/// to either side.
pub(crate) struct Turned<'f> {
    field: &'f Field,
    pub(crate) mesh: NavMesh,
}

impl<'f> Turned<'f> {
    pub(crate) fn new(field: &'f Field) -> Self {
        let mut draft = field.draft(false);
        for vertex in &mut draft.vertices {
            *vertex = Self::place([vertex.x, vertex.z].map(f64::from));
        }
        Self { field, mesh: NavMesh::new(draft).unwrap() }
    }

    fn place([x, z]: Flat) -> Vec3 {
        Vec3::new((0.3 * x - 0.1 * z) as f32, 0.0, (0.1 * x + 0.3 * z) as f32)
    }

    /// Returns the point of a place of the field, if it is on the mesh.
    pub(crate) fn near(&self, space: &NavMeshSpace<'_>, at: Flat) -> Option<MeshPoint> {
        space.nearest_point(Self::place(at), 1e-5)
    }

    /// Returns the length of the shortest path, as the visibility graph says.
    pub(crate) fn shortest(&self, start: Flat, goal: Flat) -> Option<f64> {
        self.field.shortest(start, goal).map(|length| length * 0.1_f64.sqrt())
    }
}

/// Returns streets 1 m wide between `blocks` times `blocks` blocks of 2 m.
pub(crate) fn streets(blocks: usize) -> NavMesh {
    let side = blocks * 3 + 1;
    let row = |z: usize| -> String {
        (0..side).map(|x: usize| if (x % 3).min(z % 3) > 0 { '#' } else { '.' }).collect()
    };
    let rows: Vec<String> = (0..side).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}
