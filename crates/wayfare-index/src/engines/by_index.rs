//! The index as an engine.

use std::sync::{Mutex, PoisonError};

use wayfare_core::navigate::{
    Answered, Coverage, Engine, EngineId, Offer, Question, Reason, Refusal, Took, work,
};
use wayfare_core::path::Path;
use wayfare_core::search::{Guarantee, Outcome, Stats};
use wayfare_core::space::{Cost, Revision, Space};
use wayfare_grid::grid::{Cell, GridProfile, GridSpace};

use crate::index::{EditedGrid, GridIndex, IndexRepair, IndexRepairError, IndexScratch, OtherGrid};

/// Answers by a [`GridIndex`], for uniform-cost grids: a cheapest path in microseconds.
///
/// After an edit it answers with the paths that edits leave free and the cheapest: see
/// [`EditedGrid`](crate::index::EditedGrid). It has no answer to other questions, which are left to
/// a search. Once 1,024 were, the next edit is the occasion to [repair](GridIndex::repair) the
/// index, which takes about as long as they did; each repair waits for twice as many as the one
/// before, lest obstacles that come and go be built in and torn out again and again. Refuses
/// questions after an edit that it was not told of.
///
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
    /// The revision of the grid that paths are of.
    revision: Revision,
    /// The free cells that the index does not know, in that revision.
    opened: Vec<Cell>,
    /// Whether repairs left nothing to be done.
    is_complete: bool,
    /// Questions left to a search after which the index is repaired.
    patience: u32,
    /// Serves one thread at a time.
    asked: Mutex<Asked<C>>,
}

/// What questions use and leave.
#[derive(Debug)]
struct Asked<C> {
    /// Its content never affects an answer.
    scratch: IndexScratch<C>,
    /// Questions left to a search since the last repair.
    barred: u32,
}

/// The number of questions left to a search before the first repair. On maps of games a repair
/// takes 5 to 15 ms, a search 5 to 20 µs.
const FIRST_PATIENCE: u32 = 1024;

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
            opened: Vec::new(),
            is_complete: true,
            patience: FIRST_PATIENCE,
            asked: Mutex::new(Asked { scratch: IndexScratch::new(), barred: 0 }),
        })
    }

    /// Returns the ends and turning points of a cheapest path between two cells, as
    /// [`EditedGrid::turns`]; `None` where the index is stale, or a search has to answer.
    pub fn turns(
        &self,
        space: &GridSpace<'_, C>,
        start: Cell,
        goal: Cell,
    ) -> Option<Outcome<Cell, C>> {
        if self.revision != space.revision() || *space.profile() != self.profile {
            return None;
        }
        self.ask(|scratch| {
            self.index.assumed_edited(space, &self.opened).turns_by_index([start, goal], scratch)
        })
    }

    /// Repairs the index now, after an edit that will stay or at a pause: see
    /// [`GridIndex::repair`]. Until it is complete, each edit renews some of what is left.
    ///
    /// # Errors
    /// As there. The engine refuses all questions until it is told of a grid that can be indexed.
    pub fn repair(&mut self, space: &GridSpace<'_, C>) -> Result<IndexRepair, IndexRepairError> {
        if *space.profile() != self.profile {
            return Err(OtherGrid.into());
        }
        let repair = self.index.repair(space)?;
        self.asked.get_mut().unwrap_or_else(PoisonError::into_inner).barred = 0;
        self.is_complete = repair.is_complete;
        self.opened.clear();
        self.revision = space.revision();
        Ok(repair)
    }

    /// Returns an answer of the index, if it has one.
    fn ask<T>(&self, answer: impl FnOnce(&mut IndexScratch<C>) -> Option<T>) -> Option<T> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let answered = answer(&mut asked.scratch);
        asked.barred += u32::from(answered.is_none());
        answered
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
        // The revision is the one that the whole grid was compared in.
        let edited: EditedGrid<'_, C> = self.index.assumed_edited(space, &self.opened);
        let outcome = self.ask(|scratch| {
            scratch.recycle(spare);
            edited.path_by_index([question.query.start, goal], scratch)
        })?;
        let states = outcome.path().map_or(1, |path| path.steps.len());
        let took = Took::optimal(EngineId::Index, Reason::Prepared, work::of_reading(states));
        Some(Answered { outcome, stats: Stats::default(), took })
    }

    /// Compares the parts of the grid that were edited with the index, so `affected` need not name
    /// any cell: O(cells of 32² around each / 32). May repair the index.
    ///
    /// Refuses all questions on a grid that cannot be indexed, or of another size or profile, until
    /// it is told of one that can.
    fn world_changed(&mut self, space: &GridSpace<'g, C>, _affected: &[Cell]) {
        if *space.profile() != self.profile {
            return;
        }
        let asked = self.asked.get_mut().unwrap_or_else(PoisonError::into_inner);
        if !self.is_complete {
            self.is_complete = self.index.renew();
        }
        if asked.barred >= self.patience {
            if self.repair(space).is_ok() {
                self.patience = self.patience.saturating_mul(2);
            }
        } else if self.index.reopen(space, self.revision, &mut self.opened).is_ok() {
            self.revision = space.revision();
        }
    }
}
