//! Delays of the ground that searches over a mesh take into account.

use std::fmt::Debug;

use glam::Vec3;

/// Delays of agents on a mesh beside its areas: crowds, for example.
///
/// [`Jams`](crate::link::Jams) are such delays. `Corridor` adds them to
/// its costs.
///
/// ```
/// use std::sync::Arc;
/// use wayfare::prelude::*;
/// use wayfare::search::{Corridor, GroundDelays, MeshQuery, MeshScratch, MeshSearch};
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// /// Ground that takes three times as long north of a line.
/// #[derive(Debug)]
/// struct SlowNorthOf(f32);
///
/// impl GroundDelays for SlowNorthOf {
///     fn along(&self, from: Vec3, to: Vec3) -> f64 {
///         let is_slow = from.midpoint(to).z < self.0;
///         if is_slow { 2.0 * f64::from(from.distance(to)) } else { 0.0 }
///     }
/// }
///
/// let grid = Grid::from_rows(&[".....", ".###.", ".....", "....."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let query = MeshQuery::new(at(0.5, 1.4), at(4.5, 1.4));
/// let passes_north = |search: &mut wayfare::search::CorridorSearch| {
///     let path = search.finish(&space, &mut MeshScratch::new(), &mut ()).outcome.into_path();
///     path.points[1].place.z < 1.5
/// };
/// assert!(passes_north(&mut Corridor.search(query)));
/// let delays = Arc::new(SlowNorthOf(1.5));
/// assert!(!passes_north(&mut Corridor.search(query).with_delays(delays)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait GroundDelays: Debug + Send + Sync {
    /// Returns the delay along the straight line between two points, as the length of plain ground
    /// in metres that takes as long: 0 or more.
    fn along(&self, from: Vec3, to: Vec3) -> f64;
}
