//! Paths over ground of several multipliers, with a bound on their excess cost.

use wayfare_core::search::Stats;

use super::{Corridor, MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};
use crate::MeshPath;
use crate::navmesh::NavMeshSpace;

/// A path over ground of several multipliers, and a bound of its excess.
///
/// Example: [`weighed_path`].
#[derive(Clone, PartialEq, Debug)]
pub struct WeighedPath {
    /// The path, with its cost.
    pub path: MeshPath,
    /// No path costs less than this: the shortest length times the lowest multiplier.
    pub lower_bound: f64,
    /// The counters of both searches.
    pub stats: Stats,
}

impl WeighedPath {
    /// Returns the bound of its cost relative to a cheapest path: 1 for a path that is cheapest for
    /// certain. Never above the highest multiplier on the shortest path divided by the lowest one
    /// on the mesh.
    #[must_use]
    pub fn excess(&self) -> f64 {
        if self.path.cost > self.lower_bound { self.path.cost / self.lower_bound } else { 1.0 }
    }
}

/// Returns the cheaper of two paths: the shortest one by [`Polyanya`], and the one by [`Corridor`],
/// whose search weighs the multipliers of areas, but measures from one edge's middle to the next
/// one's.
///
/// Use it where areas cost differently. Let `d` be the length of a shortest path, `m` the lowest
/// multiplier of an area that can be entered and `M` the highest one on the shortest path. Every
/// path is at least `d` long and costs at least `m` a metre, so at least `d m`; the shortest one
/// costs at most `d M`. So the path found costs at most `M / m` times the least. Where all ground
/// has one multiplier, it is a cheapest one.
///
/// The time of both searches. Of equal costs the shortest path is taken.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshQuery, MeshScratch, WeighedPath, weighed_path};
/// use wayfare::space::navmesh::{
///     AreaCosts, AreaId, HeightReach, MeshDraft, MeshProfile, NavMesh,
/// };
///
/// // Three squares in a row, 2 m wide; the middle one is mud.
/// let places = [[0, 0], [0, 2], [2, 2], [2, 0], [4, 2], [4, 0], [6, 2], [6, 0]];
/// let places = places.map(|[x, z]| Vec3::new(x as f32, 0.0, z as f32));
/// let mut draft = MeshDraft::new(places.to_vec());
/// draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
/// draft.push(&[3, 2, 4, 5], AreaId(1));
/// draft.push(&[5, 4, 6, 7], AreaId::WALKABLE);
/// let mut mesh = NavMesh::new(draft)?;
/// let mud = AreaCosts::new().with(AreaId(1), 4.0)?;
/// let profile = mesh.add_profile(MeshProfile { areas: mud })?;
/// let space = mesh.space_of(profile);
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let query = MeshQuery::new(at(1.0, 1.0), at(5.0, 1.0));
/// let found: WeighedPath = weighed_path(&space, query, &mut MeshScratch::new()).unwrap();
/// assert_eq!((found.path.cost, found.lower_bound, found.excess()), (10.0, 4.0, 2.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Why there is no path: the outcome of [`Polyanya`].
pub fn weighed_path(
    space: &NavMeshSpace<'_>,
    query: MeshQuery,
    scratch: &mut MeshScratch,
) -> Result<WeighedPath, MeshOutcome> {
    let answer = Polyanya.search(query).finish(space, scratch, &mut ());
    let mut stats = answer.stats;
    let shortest = match answer.outcome {
        MeshOutcome::Found(path) => path,
        other => return Err(other),
    };
    let lower_bound = shortest.length * f64::from(space.layer.lowest);
    if space.is_uniform() {
        return Ok(WeighedPath { lower_bound: shortest.cost, path: shortest, stats });
    }
    let mut path = shortest;
    let query = MeshQuery::new(query.start, query.goal).max_expansions(query.limits.expansions);
    let answer = Corridor.search(query).finish(space, scratch, &mut ());
    stats.expanded += answer.stats.expanded;
    stats.generated += answer.stats.generated;
    stats.heap_peak = stats.heap_peak.max(answer.stats.heap_peak);
    if let MeshOutcome::Found(other) = answer.outcome
        && other.cost < path.cost
    {
        path = other;
    }
    Ok(WeighedPath { path, lower_bound, stats })
}
