//! The index as an engine.

use std::sync::{Mutex, PoisonError};

use wayfare_core::navigate::{
    Answered, Coverage, Engine, EngineId, Offer, Question, Reason, Refusal, Took, work,
};
use wayfare_core::path::Path;
use wayfare_core::search::{Guarantee, Outcome, Stats};
use wayfare_core::space::{Cost, Revision, Space};
use wayfare_grid::grid::{Cell, GridProfile, GridSpace};

use crate::index::{GridIndex, IndexScratch, OtherGrid};

/// Answers by a [`GridIndex`], for uniform-cost grids: a cheapest path in microseconds.
///
/// Follows edits by [`GridIndex::repair`]. Refuses questions after an edit that it was not told of.
/// Of several cheapest paths an index may return another one after edits than an index built anew,
/// or told of the same edits at once: a simulation restored from a snapshot may then take other
/// paths of the same costs. An engine serves the grid it was made for; another grid is noticed only
/// by its profile and revision.
///
/// ```
/// use wayfare::index::GridIndex;
/// use wayfare::navigate::{EngineId, IndexEngine, Navigator};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let engine = IndexEngine::new(&grid.space(), GridIndex::new(&grid.space())?)?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = Navigator::new(grid.space()).with(&engine).ask(query, &mut Scratch::new());
/// assert_eq!(answer.took.engine, EngineId::Index);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct IndexEngine<C = u32> {
    index: GridIndex,
    profile: GridProfile,
    /// The revision that the index is of.
    revision: Revision,
    /// Serves one thread at a time. Its content never affects an answer.
    scratch: Mutex<IndexScratch<C>>,
}

impl<C: Cost> IndexEngine<C> {
    /// Returns an engine of an index that was built for this space, or loaded. Compares the whole
    /// grid, at a bit a cell.
    ///
    /// # Errors
    /// When the grid, or the profile of the agents, is not the one that was indexed.
    pub fn new(space: &GridSpace<'_, C>, index: GridIndex) -> Result<Self, OtherGrid> {
        let _ = index.of(space)?;
        Ok(Self {
            index,
            profile: space.profile().clone(),
            revision: space.revision(),
            scratch: Mutex::new(IndexScratch::new()),
        })
    }

    /// Returns the ends and turning points of a cheapest path between two cells, as
    /// [`IndexedGrid::turns`](crate::index::IndexedGrid::turns); `None` where the index is stale.
    pub fn turns(
        &self,
        space: &GridSpace<'_, C>,
        start: Cell,
        goal: Cell,
    ) -> Option<Outcome<Cell, C>> {
        if self.revision != space.revision() || *space.profile() != self.profile {
            return None;
        }
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        Some(self.index.assumed_of(space).turns(start, goal, &mut scratch))
    }

    /// Returns the index.
    #[must_use]
    pub fn index(&self) -> &GridIndex {
        &self.index
    }
}

impl<'g, C: Cost> Engine<GridSpace<'g, C>> for IndexEngine<C> {
    fn id(&self) -> EngineId {
        EngineId::Index
    }

    fn offer(
        &self,
        space: &GridSpace<'g, C>,
        question: &Question<Cell, C>,
    ) -> Result<Offer, Refusal> {
        if self.revision != space.revision() {
            return Err(Refusal::Stale);
        }
        if *space.profile() != self.profile {
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
        space: &GridSpace<'g, C>,
        question: &Question<Cell, C>,
        spare: Path<Cell, C>,
    ) -> Option<Answered<Cell, C>> {
        let goal = question.plain_goal().ok()?;
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        scratch.recycle(spare);
        // The revision is the one that the whole grid was compared in.
        let outcome = self.index.assumed_of(space).path(question.query.start, goal, &mut scratch);
        let states = outcome.path().map_or(1, |path| path.steps.len());
        let took = Took::optimal(EngineId::Index, Reason::Prepared, work::of_reading(states));
        Some(Answered { outcome, stats: Stats::default(), took })
    }

    /// Repairs the index. It compares the whole grid, so `affected` need not name all cells.
    ///
    /// Refuses all questions on a grid that cannot be indexed, or of another size or profile, until
    /// it is told of one that can.
    fn world_changed(&mut self, space: &GridSpace<'g, C>, _affected: &[Cell]) {
        if *space.profile() == self.profile && self.index.repair(space).is_ok() {
            self.revision = space.revision();
        }
    }
}
