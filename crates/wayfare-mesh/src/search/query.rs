//! Questions between points of a mesh, and the machines that answer them.

use wayfare_core::search::{NoPath, Progress, Stats};
use wayfare_core::space::{Obstruction, Space};

use super::{MeshAnswer, MeshScratch};
use crate::MeshObserver;
use crate::navmesh::{MeshPoint, NavMeshSpace};

/// Limits at which a search on a mesh gives up. The default has none.
///
/// Example: [`MeshPath`](crate::MeshPath).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshLimits {
    /// The largest number of expansions. Default: no limit.
    pub expansions: u64,
    /// The largest length of a path in metres. Default: no limit.
    pub length: f64,
}

impl Default for MeshLimits {
    fn default() -> Self {
        Self { expansions: u64::MAX, length: f64::INFINITY }
    }
}

/// A question for a search on a mesh: two points, and limits.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
/// use wayfare::space::navmesh::{AreaId, HeightReach, MeshDraft, NavMesh};
///
/// // Two squares side by side.
/// let places = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0], [4.0, 2.0], [4.0, 0.0]];
/// let mut draft = MeshDraft::new(places.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec());
/// draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
/// draft.push(&[3, 2, 4, 5], AreaId::WALKABLE);
/// let mesh = NavMesh::new(draft)?;
/// let space = mesh.space();
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// // Three metres are further than two.
/// let query = MeshQuery::new(at(0.5, 1.0), at(3.5, 1.0)).max_length(2.0);
/// let answer = Polyanya.search(query).finish(&space, &mut MeshScratch::new(), &mut ());
/// assert!(answer.outcome.path().is_none());
/// # Ok::<(), wayfare::space::navmesh::NavMeshError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshQuery {
    /// Where the path begins.
    pub start: MeshPoint,
    /// Where the path ends.
    pub goal: MeshPoint,
    /// The limits of the search.
    pub limits: MeshLimits,
}

impl MeshQuery {
    /// Returns a query from one point to another, without limits.
    #[must_use]
    pub fn new(start: MeshPoint, goal: MeshPoint) -> Self {
        Self { start, goal, limits: MeshLimits::default() }
    }

    /// Returns the same query with a limit on the number of expansions.
    #[must_use]
    pub fn max_expansions(mut self, expansions: u64) -> Self {
        self.limits.expansions = expansions;
        self
    }

    /// Returns the same query with a limit on the length of a path, in metres.
    #[must_use]
    pub fn max_length(mut self, length: f64) -> Self {
        self.limits.length = length;
        self
    }

    /// Returns the same query, to the point of the start's island that is nearest to the goal. The
    /// same if both are on one island. O(polygons) at worst.
    #[must_use]
    pub fn approach(mut self, space: &NavMeshSpace<'_>) -> Self {
        if preflight(space, &self).is_err()
            && space.is_on(self.start)
            && let Some(nearest) = space.nearest_on_island(self.start.polygon, self.goal.place)
        {
            self.goal = nearest;
        }
        self
    }
}

/// A resumable machine that answers one query on a mesh.
///
/// As [`Search`](wayfare_core::search::Search) does between states: it borrows nothing between
/// steps, and sliced, traced and whole searches give the same answer.
///
/// Example: [`MeshPath`](crate::MeshPath).
pub trait MeshSearch {
    /// Works for at most `budget` [units](wayfare_core::navigate::work), which the last expansion
    /// may exceed. An expansion is a unit at least, so that a budget of 1 is one expansion.
    fn step<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
        budget: u64,
    ) -> Progress;

    /// Returns the final answer once the search is done. Before that, its answer if it is given up
    /// now.
    fn answer(&mut self, space: &NavMeshSpace<'_>, scratch: &mut MeshScratch) -> MeshAnswer;

    /// Returns the present counters.
    fn stats(&self) -> Stats;

    /// Returns the present [units of work](wayfare_core::navigate::work).
    fn work(&self) -> u64;

    /// Runs the search to its end and returns the answer.
    fn finish<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> MeshAnswer {
        while self.step(space, scratch, observer, u64::MAX) == Progress::Working {}
        self.answer(space, scratch)
    }
}

/// Fails if the ends alone show that there is no path.
///
/// # Errors
/// Why there is no path.
pub fn preflight(space: &NavMeshSpace<'_>, query: &MeshQuery) -> Result<(), NoPath> {
    check_end(space, query.start).map_err(NoPath::Start)?;
    check_end(space, query.goal).map_err(NoPath::Goal)?;
    let [start, goal] = [query.start, query.goal].map(|point| space.component(point.polygon));
    if start == goal { Ok(()) } else { Err(NoPath::DifferentIslands { start, goal }) }
}

/// Fails if agents of the profile cannot stand on a point.
///
/// # Errors
/// Why they cannot.
pub(super) fn check_end(space: &NavMeshSpace<'_>, point: MeshPoint) -> Result<(), Obstruction> {
    space.check(point.polygon)?;
    if space.is_on(point) { Ok(()) } else { Err(Obstruction::OffMap) }
}
