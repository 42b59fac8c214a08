//! What a mesh that is edited live has left of its base.

use super::layer::NO_FAN;
use super::{NavMesh, NavMeshSpace, PolygonId};

/// The base of a mesh that is edited live, as its index knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BaseId(u64);

impl BaseId {
    /// Returns the id of a mesh as a base. O(corners).
    pub fn of(mesh: &NavMesh) -> Self {
        Self(mesh.tables.fingerprint())
    }
}

/// Returns the base of a mesh that is edited live.
pub fn base_of(mesh: &NavMesh) -> Option<BaseId> {
    mesh.base.map(BaseId)
}

/// Returns whether paths are at most as short as on the base: no ground was added, and none costs
/// less. `base` is the base as the same profile sees it.
pub fn is_harder(space: &NavMeshSpace<'_>, base: &NavMeshSpace<'_>) -> bool {
    !space.layer.blocks.has_new_ground() && space.layer.lowest >= base.layer.lowest
}

/// Returns the polygon of the base that a polygon is a piece of.
pub fn polygon_on_base(space: &NavMeshSpace<'_>, polygon: PolygonId) -> PolygonId {
    PolygonId(space.layer.blocks.base(polygon.0))
}

/// Returns a corner of the mesh at a corner of the base, in a piece of the same polygon. `None` if
/// the corner was cut off, if no path turns there, or if a cut ends there.
pub fn corner_of_base(space: &NavMeshSpace<'_>, base: &NavMesh, corner: u32) -> Option<u32> {
    let mesh = space.mesh();
    let vertex = base.tables.corners[corner as usize];
    let pieces = mesh.locator.pieces(base.tables.owners[corner as usize]);
    let own = pieces.flat_map(|piece| mesh.own(PolygonId(piece)));
    let mut at = own.filter(|&at| mesh.tables.corners[at] == vertex).map(|at| at as u32);
    let fan = |corner: u32| space.layer.corners[corner as usize].fan;
    let first = at.next().filter(|&first| fan(first) != NO_FAN)?;
    at.all(|other| fan(other) == fan(first)).then_some(first)
}
