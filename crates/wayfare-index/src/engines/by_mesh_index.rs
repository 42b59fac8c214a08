//! The index of a navigation mesh as an engine.

use std::sync::{Mutex, PoisonError};

use wayfare_core::navigate::{
    Answered, Coverage, Engine, EngineId, Offer, Question, Reason, Refusal, Took, work,
};
use wayfare_core::path::Path;
use wayfare_core::search::{Guarantee, Outcome, Stats};
use wayfare_core::space::{ProfileId, Space};
use wayfare_mesh::inside::{BaseId, between_points, push_corridor};
use wayfare_mesh::navmesh::{MeshPoint, NavMesh, NavMeshSpace, PolygonId};
use wayfare_mesh::search::MeshOutcome;

use crate::index::{EditedMesh, IndexedMesh, MeshIndex, MeshIndexScratch, OtherMesh};

/// Answers between points of a navigation mesh by a [`MeshIndex`]: a shortest path without a
/// search.
///
/// Paths have the form of those of a [`MeshEngine`](wayfare_mesh::MeshEngine), which answers where
/// this engine does not suit. Obstacles that come and go on a
/// [`LiveMesh`](wayfare_mesh::navmesh::LiveMesh) leave the index in use: see [`EditedMesh`].
/// Another base makes it stale: it has to be built again. An engine keeps a copy of the mesh that
/// it was made for; if that is not edited live, another mesh is noticed only by its profile and
/// revision.
///
/// ```
/// use wayfare::index::MeshIndex;
/// use wayfare::navigate::{End, EngineId, MeshIndexEngine, Navigator, Question};
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let engine = MeshIndexEngine::new(&space, MeshIndex::new(&space)?)?;
/// let [start, goal] = [Vec3::new(0.5, 0.0, 0.5), Vec3::new(3.5, 0.0, 2.0)].map(|point| {
///     let found = space.locate(point, HeightReach::default()).unwrap();
///     End { state: found.polygon, point }
/// });
/// let navigator = Navigator::new(space).with(&engine);
/// let answer = navigator.ask(Question::between(start, goal), &mut Scratch::new());
/// assert_eq!(answer.took.engine, EngineId::Index);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MeshIndexEngine {
    index: MeshIndex,
    /// The indexed mesh, and the profile.
    mesh: NavMesh,
    profile: ProfileId,
    /// The mesh as a base of edits.
    base: BaseId,
    /// Serves one thread at a time. Its content never affects an answer.
    scratch: Mutex<MeshIndexScratch>,
}

impl MeshIndexEngine {
    /// Returns an engine of an index that was built for this space. Compares the whole mesh:
    /// O(corners).
    ///
    /// # Errors
    /// When the mesh, or the profile of the agents, is not the one that was indexed.
    pub fn new(space: &NavMeshSpace<'_>, index: MeshIndex) -> Result<Self, OtherMesh> {
        let base = index.of(space)?.base();
        let mesh = space.mesh().clone();
        let is_of = |id: &ProfileId| mesh.space_of(*id).profile() == space.profile();
        let profile = (0..=u16::MAX).map(ProfileId).find(is_of).ok_or(OtherMesh)?;
        let scratch = Mutex::new(MeshIndexScratch::new());
        Ok(Self { index, mesh, profile, base, scratch })
    }

    /// Returns the mesh that the index is for, as its space.
    fn indexed(&self) -> IndexedMesh<'_> {
        self.index.assumed_of(&self.mesh.space_of(self.profile), self.base)
    }

    /// Returns the mesh as it is now with the index.
    fn now<'m>(&'m self, space: &NavMeshSpace<'m>) -> Result<Now<'m>, Refusal> {
        if !space.has_profile() || space.profile() != self.indexed().space().profile() {
            return Err(Refusal::OtherSpace);
        }
        if space.revision() == self.mesh.revision() {
            // The revision is the one that the whole mesh was compared in.
            return Ok(Now::Same(self.index.assumed_of(space, self.base)));
        }
        self.indexed().edited(space).map(Now::Edited).map_err(|_| Refusal::Stale)
    }

    /// Returns the path between two points, turn by turn; `None` where the index is stale, an edit
    /// bars the path, or rounding hides a line from it: a search has to answer then.
    pub fn line(
        &self,
        space: &NavMeshSpace<'_>,
        start: MeshPoint,
        goal: MeshPoint,
    ) -> Option<MeshOutcome> {
        let now = self.now(space).ok()?;
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        match now {
            Now::Same(mesh) => mesh.path_by_hubs(start, goal, &mut scratch),
            Now::Edited(mesh) => mesh.path_by_hubs(start, goal, &mut scratch),
        }
    }

    /// Returns the memory that queries have used, in bytes.
    #[must_use]
    pub fn scratch_bytes(&self) -> usize {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).bytes()
    }

    /// Returns the index.
    #[must_use]
    pub fn index(&self) -> &MeshIndex {
        &self.index
    }
}

/// A mesh as it is now, with the index.
enum Now<'m> {
    Same(IndexedMesh<'m>),
    Edited(EditedMesh<'m>),
}

impl<'m> Engine<NavMeshSpace<'m>> for MeshIndexEngine {
    fn id(&self) -> EngineId {
        EngineId::Index
    }

    fn offer(
        &self,
        space: &NavMeshSpace<'m>,
        question: &Question<PolygonId, u64>,
    ) -> Result<Offer, Refusal> {
        self.now(space)?;
        question.plain_goal()?;
        Ok(Offer {
            reason: Reason::Prepared,
            guarantee: Guarantee::Optimal,
            coverage: Coverage::Whole,
        })
    }

    fn answer(
        &self,
        space: &NavMeshSpace<'m>,
        question: &Question<PolygonId, u64>,
        mut spare: Path<PolygonId, u64>,
    ) -> Option<Answered<PolygonId, u64>> {
        let query = between_points(space, question)?;
        let now = self.now(space).ok()?;
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = match now {
            Now::Same(mesh) => mesh.path(query.start, query.goal, &mut scratch),
            Now::Edited(mesh) => mesh.path(query.start, query.goal, &mut scratch),
        };
        let MeshOutcome::Found(found) = outcome else {
            scratch.recycle(outcome.into_path());
            return None;
        };
        let cost = (found.cost * space.cost_per_unit()).ceil() as u64;
        spare.steps.clear();
        spare.revision = space.revision();
        push_corridor(&found, [0, cost], &mut spare);
        scratch.recycle(found);
        let units = work::of_reading(spare.steps.len());
        let took = Took::optimal(EngineId::Index, Reason::Prepared, units);
        Some(Answered { outcome: Outcome::Found(spare), stats: Stats::default(), took })
    }

    /// Does nothing: the mesh tells.
    fn world_changed(&mut self, _space: &NavMeshSpace<'m>, _affected: &[PolygonId]) {}
}
