//! Meshes as edits of a world, and the difference of two of them.

use std::fmt;
use std::sync::Arc;

use glam::Vec3;
use wayfare_core::inside::WordHash;
use wayfare_mesh::navmesh::{MeshDraft, NavMesh, NavMeshError};

use crate::simulation::ShapeBounds;

/// A mesh that replaces another one in a simulation:
/// [`MeshEdit::Ground`](crate::simulation::MeshEdit::Ground).
///
/// Clones share the mesh. Written with `serde`, it is a draft that is checked when it is read.
///
/// ```
/// use wayfare::link::NavLinks;
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Command, MeshEdit, MeshGround, MeshWorld, Simulation};
/// use wayfare::space::navmesh::{MeshDraft, NavMesh};
///
/// let mesh = |rows: &[&str]| {
///     let grid = Grid::from_rows(rows).unwrap();
///     NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
/// };
/// let world = MeshWorld::new(mesh(&["....", "...."]));
/// let mut simulation = Simulation::new(world, NavLinks::new(3.0), Default::default())?;
/// let longer = MeshGround::new(mesh(&["........", "........"]));
/// simulation.schedule(0, Command::Edit(MeshEdit::Ground(longer)));
/// simulation.tick();
/// let mesh = simulation.world().mesh();
/// assert_eq!(mesh.polygons().map(|polygon| mesh.plan_area(polygon)).sum::<f64>(), 16.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "MeshDraft", into = "MeshDraft"))]
pub struct MeshGround {
    mesh: Arc<NavMesh>,
    digest: u64,
}

impl MeshGround {
    /// Returns the ground of a mesh. Its profiles do not count. O(corners).
    #[must_use]
    pub fn new(mesh: NavMesh) -> Self {
        let mesh = if mesh.len() == mesh.bound() { mesh } else { mesh.renumbered() };
        // Of outlines, not of vertices: of several at one point, one is left after reading. Adding
        // zero turns the negative zero into the positive one, which counts as the same point.
        let mut hash = WordHash(mesh.len() as u64);
        for polygon in mesh.polygons() {
            hash.word(u64::from(mesh.area(polygon).0) << 32 | mesh.corners(polygon).len() as u64);
            mesh.outline(polygon).for_each(|corner| hash.point(corner + Vec3::ZERO));
        }
        hash.word(mesh.body_radius().to_bits().into());
        Self { mesh: Arc::new(mesh), digest: hash.0 }
    }

    /// Returns the mesh.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// Returns a hash of all polygons and of the radius of bodies.
    pub(in crate::simulation) fn digest(&self) -> u64 {
        self.digest
    }
}

/// Equal polygons and radius of bodies.
impl PartialEq for MeshGround {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&*self.mesh, &*other.mesh);
        let are_equal = |a, b| one.area(a) == two.area(b) && one.outline(a).eq(two.outline(b));
        Arc::ptr_eq(&self.mesh, &other.mesh)
            || self.digest == other.digest
                && one.body_radius() == two.body_radius()
                && one.len() == two.len()
                && one.polygons().zip(two.polygons()).all(|(a, b)| are_equal(a, b))
    }
}

/// Short, as hashes of simulations are made of it: the digest stands for the mesh.
impl fmt::Debug for MeshGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (polygons, digest) = (self.mesh.len(), self.digest);
        write!(f, "MeshGround {{ polygons: {polygons}, digest: {digest:#018x} }}")
    }
}

impl From<MeshGround> for MeshDraft {
    fn from(ground: MeshGround) -> Self {
        Self::of_mesh(&ground.mesh)
    }
}

impl TryFrom<MeshDraft> for MeshGround {
    type Error = NavMeshError;

    fn try_from(draft: MeshDraft) -> Result<Self, NavMeshError> {
        Ok(Self::new(NavMesh::new(draft)?))
    }
}

/// A polygon of a mesh: the hash of its outline and area, and the box around it.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulation) struct Shaped {
    hash: u64,
    pub(in crate::simulation) bounds: ShapeBounds,
}

/// Returns all polygons, in order of their hashes.
pub(in crate::simulation) fn polygons_of(mesh: &NavMesh) -> Vec<Shaped> {
    let shaped = mesh.polygons().map(|polygon| {
        let mut hash = WordHash(mesh.area(polygon).0.into());
        let mut bounds = ShapeBounds { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };
        for corner in mesh.outline(polygon) {
            hash.point(corner);
            bounds = ShapeBounds { min: bounds.min.min(corner), max: bounds.max.max(corner) };
        }
        Shaped { hash: hash.0, bounds }
    });
    let mut shaped: Vec<Shaped> = shaped.collect();
    shaped.sort_by_key(|one| one.hash);
    shaped
}

/// Visits the polygons that only one of two meshes has, given in order of their hashes.
pub(in crate::simulation) fn differences(
    a: &[Shaped],
    b: &[Shaped],
    mut visit: impl FnMut(&Shaped),
) {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let only = match (a.peek(), b.peek()) {
            (Some(one), Some(other)) if one.hash == other.hash => {
                a.next();
                b.next();
                continue;
            }
            (Some(one), Some(other)) if one.hash > other.hash => b.next(),
            (Some(_), _) => a.next(),
            (None, _) => b.next(),
        };
        let Some(only) = only else { return };
        visit(only);
    }
}
