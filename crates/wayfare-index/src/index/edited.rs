//! Queries on a grid that was edited after it was indexed.
//!
//! # Why an answer is a cheapest path
//!
//! Let the index give a path of cost `c`, which is free on the edited grid. A cheaper one did not
//! exist before the edits, so it enters a cell `o` that they opened, or passes it by a diagonal
//! step, which needs both cells beside it free. From the start to `o` and on to the goal costs at
//! least as much as on an empty map, and a diagonal step past `o` spares two straight steps for a
//! diagonal one. If that exceeds `c` for each opened cell, nothing is cheaper than `c`. Else a
//! search answers.

use std::borrow::Cow;

use wayfare_core::path::Path;
use wayfare_core::search::{Outcome, OutcomeOf};
use wayfare_core::space::{Cost, DIAGONAL, Revision, STRAIGHT, StateId};
use wayfare_grid::grid::{Cell, GridSpace};

use super::build::{GridIndex, OtherGrid, check};
use super::query::{IndexScratch, IndexedGrid, push_cells, push_turn};

/// Most opened cells that the paths of the index are compared with.
const MOST_OPENED: usize = 256;

/// A grid together with the index of the grid before some edits. It borrows the grid, so the grid
/// cannot be edited while it exists.
///
/// The index stays as it is. Its path is the answer where the edits leave it free, unless cells
/// that they opened allow a cheaper one; else a [jump point search](wayfare_core::search::Jps)
/// answers. So paths are cheapest ones at once after each edit, and nothing is repaired. Suits
/// obstacles that come and go on a map that stays; [`GridIndex::repair`] makes the index that of
/// the edited grid.
///
/// ```
/// use wayfare::index::{EditedGrid, GridIndex, IndexScratch};
/// use wayfare::prelude::*;
/// let mut grid = Grid::from_rows(&["......", ".##...", "......"])?;
/// let index = GridIndex::new(&grid.space())?;
/// grid.set_terrain(grid.cell(0, 1).unwrap(), TerrainId::BLOCKED); // a crate
/// let space = grid.space();
/// let edited: EditedGrid<'_> = index.edited(&space)?;
/// let mut scratch = IndexScratch::new();
/// let mut path = |x, y| {
///     let ends = [grid.cell(0, 0).unwrap(), grid.cell(x, y).unwrap()];
///     (edited.path(ends[0], ends[1], &mut scratch).into_path().len(), scratch.searched())
/// };
/// assert_eq!(path(5, 1), (5, 0)); // the crate stands aside
/// assert_eq!(path(0, 2), (8, 1)); // it bars the path of the index
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EditedGrid<'g, C = u32> {
    indexed: IndexedGrid<'g, C>,
    /// The free cells that the index does not know.
    opened: Cow<'g, [Cell]>,
}

impl GridIndex {
    /// Pairs the index with a grid of the size of the indexed one: that grid after any edits.
    ///
    /// Compares both, cell by cell: O(cells / 64). Do it once after an edit and keep the result.
    ///
    /// # Errors
    /// If the grid has another size, or cannot be indexed, or the agent's moves on it differ from
    /// the indexed ones.
    pub fn edited<'g, C: Cost>(
        &'g self,
        space: &GridSpace<'g, C>,
    ) -> Result<EditedGrid<'g, C>, OtherGrid> {
        let opened = self.opened(space)?;
        Ok(EditedGrid { indexed: self.assumed_of(space), opened: opened.into() })
    }

    /// Returns the free cells that the index does not know.
    pub(crate) fn opened<C: Cost>(&self, space: &GridSpace<'_, C>) -> Result<Vec<Cell>, OtherGrid> {
        self.check_edited(space)?;
        Ok(self.subgoals.opened(space))
    }

    /// Fails if the grid cannot be the indexed one after edits.
    fn check_edited<C: Cost>(&self, space: &GridSpace<'_, C>) -> Result<(), OtherGrid> {
        let may_be = self.fingerprint.is_some() && self.subgoals.fits(space);
        if may_be && check(space).is_ok() { Ok(()) } else { Err(OtherGrid) }
    }

    /// Brings what [`opened`](Self::opened) returned in an earlier revision of the grid up to date.
    ///
    /// # Errors
    /// As there; leaves it as it was.
    pub(crate) fn reopen<C: Cost>(
        &self,
        space: &GridSpace<'_, C>,
        since: Revision,
        opened: &mut Vec<Cell>,
    ) -> Result<(), OtherGrid> {
        self.check_edited(space)?;
        self.subgoals.reopen(space, since, opened);
        Ok(())
    }

    /// Returns the index with a grid in the revision that [`opened`](Self::opened) was called in.
    pub(crate) fn assumed_edited<'g, C: Cost>(
        &'g self,
        space: &GridSpace<'g, C>,
        opened: &'g [Cell],
    ) -> EditedGrid<'g, C> {
        EditedGrid { indexed: self.assumed_of(space), opened: opened.into() }
    }
}

impl<'g, C: Cost> EditedGrid<'g, C> {
    /// Returns the edited grid as a space.
    #[must_use]
    pub fn space(&self) -> &GridSpace<'g, C> {
        self.indexed.space()
    }

    /// Returns a cheapest path between two cells of the edited grid, cell by cell.
    ///
    /// If there is none, the reason is the one that searches give. Time: that of
    /// [`IndexedGrid::path`] and O(length of the path + opened cells), or that of a search.
    /// [`IndexScratch::searched`] counts the queries that a search had to answer.
    pub fn path(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut IndexScratch<C>,
    ) -> OutcomeOf<GridSpace<'g, C>> {
        self.path_by_index([start, goal], scratch)
            .unwrap_or_else(|| scratch.search(self.space(), [start, goal]))
    }

    /// Returns the same as its ends and turning points, as [`IndexedGrid::turns`] does.
    pub fn turns(
        &self,
        start: Cell,
        goal: Cell,
        scratch: &mut IndexScratch<C>,
    ) -> OutcomeOf<GridSpace<'g, C>> {
        self.turns_by_index([start, goal], scratch).unwrap_or_else(|| {
            let mut outcome = scratch.search(self.space(), [start, goal]);
            if let Outcome::Found(path) = &mut outcome {
                keep_turns(path);
            }
            outcome
        })
    }

    /// Like [`path`](Self::path), without a search: `None` if a search has to answer.
    pub(crate) fn path_by_index(
        &self,
        ends: [Cell; 2],
        scratch: &mut IndexScratch<C>,
    ) -> Option<OutcomeOf<GridSpace<'g, C>>> {
        self.answer(ends, scratch, push_cells)
    }

    /// Like [`turns`](Self::turns), without a search: `None` if a search has to answer.
    pub(crate) fn turns_by_index(
        &self,
        ends: [Cell; 2],
        scratch: &mut IndexScratch<C>,
    ) -> Option<OutcomeOf<GridSpace<'g, C>>> {
        self.answer(ends, scratch, push_turn)
    }

    fn answer(
        &self,
        ends: [Cell; 2],
        scratch: &mut IndexScratch<C>,
        push: impl Fn(&IndexedGrid<'g, C>, &mut Path<Cell, C>, Cell, u32),
    ) -> Option<OutcomeOf<GridSpace<'g, C>>> {
        if self.opened.len() > MOST_OPENED {
            return None;
        }
        // Between two corners of the path one of its both straight ways may be barred.
        let push = |path: &mut Path<Cell, C>, to: Cell, cost: u32| {
            if let Some(from) = path.steps.last().map(|step| step.state) {
                let Some(turn) = self.space().turn_on_the_way(from, to) else { return false };
                if turn != to {
                    let distance = |a, b| self.indexed.index.subgoals.distance(a, b);
                    push(&self.indexed, path, turn, distance(from, turn));
                    push(&self.indexed, path, to, distance(turn, to));
                    return true;
                }
            }
            push(&self.indexed, path, to, cost);
            true
        };
        match self.indexed.trace(ends, scratch, push) {
            Ok(Outcome::Found(path)) if self.may_be_beaten(ends, path.cost()) => {
                scratch.recycle(path);
                None
            }
            Ok(outcome) => Some(outcome),
            Err(path) => {
                scratch.recycle(path);
                None
            }
        }
    }

    /// Returns whether a path by way of an opened cell may cost less.
    fn may_be_beaten(&self, [start, goal]: [Cell; 2], cost: C) -> bool {
        let subgoals = &self.indexed.index.subgoals;
        let spared = if subgoals.has_diagonals { 2 * STRAIGHT - DIAGONAL } else { 0 };
        let most = cost.to_u64() + u64::from(spared);
        self.opened.iter().any(|&cell| {
            let [there, on] = [start, goal].map(|end| u64::from(subgoals.distance(end, cell)));
            there + on < most
        })
    }
}

/// Drops the steps of a path after which its direction stays the same.
fn keep_turns<C: Cost>(path: &mut Path<Cell, C>) {
    let steps = &mut path.steps;
    let (mut kept, last) = (1, steps.len() - 1);
    for at in 1..=last {
        let step =
            |to: usize| i64::from(steps[to].state.index()) - i64::from(steps[to - 1].state.index());
        if at == last || step(at) != step(at + 1) {
            steps[kept] = steps[at];
            kept += 1;
        }
    }
    steps.truncate(kept);
}
