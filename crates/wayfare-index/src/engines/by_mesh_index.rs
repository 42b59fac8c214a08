//! The index of a navigation mesh as an engine.

use std::sync::{Mutex, PoisonError};

use wayfare_core::navigate::{
    Answered, Coverage, Engine, EngineId, Offer, Question, Reason, Refusal, Took, work,
};
use wayfare_core::path::Path;
use wayfare_core::search::{Guarantee, Outcome, Stats};
use wayfare_core::space::{Revision, Space};
use wayfare_mesh::inside::{between_points, push_corridor};
use wayfare_mesh::navmesh::{MeshPoint, MeshProfile, NavMeshSpace, PolygonId};
use wayfare_mesh::search::MeshOutcome;

use crate::index::{MeshIndex, MeshIndexScratch, OtherMesh};

/// Answers between points of a navigation mesh by a [`MeshIndex`], for meshes that stay as they
/// are: a shortest path without a search.
///
/// Paths have the form of those of a [`MeshEngine`](wayfare_mesh::MeshEngine), which answers where
/// this engine does not suit. Any edit makes the index stale: it has to be built again. An engine
/// serves the mesh it was made for; another mesh is noticed only by its profile and revision.
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
    profile: MeshProfile,
    /// The revision that the index is of.
    revision: Revision,
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
        let _ = index.of(space)?;
        Ok(Self {
            index,
            profile: space.profile().clone(),
            revision: space.revision(),
            scratch: Mutex::new(MeshIndexScratch::new()),
        })
    }

    /// Returns the path between two points, turn by turn; `None` where the index is stale, or
    /// rounding hides a line from it: a search has to answer then.
    pub fn line(
        &self,
        space: &NavMeshSpace<'_>,
        start: MeshPoint,
        goal: MeshPoint,
    ) -> Option<MeshOutcome> {
        if self.revision != space.revision() || *space.profile() != self.profile {
            return None;
        }
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        self.index.assumed_of(space).path_by_hubs(start, goal, &mut scratch)
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

impl<'m> Engine<NavMeshSpace<'m>> for MeshIndexEngine {
    fn id(&self) -> EngineId {
        EngineId::Index
    }

    fn offer(
        &self,
        space: &NavMeshSpace<'m>,
        question: &Question<PolygonId, u64>,
    ) -> Result<Offer, Refusal> {
        if self.revision != space.revision() {
            return Err(Refusal::Stale);
        }
        if *space.profile() != self.profile || !space.has_profile() {
            return Err(Refusal::OtherSpace);
        }
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
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        // The revision is the one that the whole mesh was compared in.
        let outcome = self.index.assumed_of(space).path(query.start, query.goal, &mut scratch);
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

    /// Does nothing: the revision tells.
    fn world_changed(&mut self, _space: &NavMeshSpace<'m>, _affected: &[PolygonId]) {}
}
