//! Builds an index.

use std::ops::ControlFlow;

use wayfare_core::inside::WordSum;
use wayfare_core::space::Cost;
use wayfare_grid::grid::{Cell, CornerRule, GridSpace, Neighbours};

use super::arcs::Arcs;
use super::arrivals::Corners;
use super::contraction::{Joined, Stopped};
use super::dissection;
use super::graph::{Graph, renamed_cells};
use super::hubs::Hubs;
use super::order::Order;
use super::repair::Repairs;
use super::sight::Sight;
use super::subgoals::Subgoals;

/// An index of a uniform-cost grid: answers queries for cheapest paths without a search.
///
/// It contains the corners of all obstacles in an order of importance, and for each corner *hubs*:
/// more important corners with the costs to them. A query finds the corners in sight of its two
/// ends and climbs from both, hub by hub, until they meet. Where corners have few hubs in all, the
/// index also lists them all for each corner, and a query compares two lists. A path costs exactly
/// as much as one by [`Jps`](wayfare_core::search::Jps); of several cheapest paths another may be
/// returned.
///
/// **When to use it:** on maps that stay as they are for hundreds of queries, and with
/// [`repair`](Self::repair) on maps that are edited now and then. **When not:** on grids that are
/// not uniform-cost. Maps of scattered single obstacles take the longest, as they have the most
/// corners. [`IndexOptions::max_bytes`] limits the size.
///
/// It serves agents of any width, with four neighbours, or with eight where a diagonal needs both
/// cells beside it free ([`CornerRule::BothFree`]). Under other rules paths turn at other cells,
/// and building returns an error.
///
/// Time to build: O(n · s) for n corners on a map that s corners divide in halves, and O(s³).
/// Memory: O(n · log n) on most maps.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::index::{GridIndex, IndexScratch};
/// let grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
/// let space = grid.space();
/// let index = GridIndex::new(&space)?;
/// let indexed = index.of(&space)?; // refused where the grid is not the one that was indexed
/// let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
/// let outcome = indexed.path(a, b, &mut IndexScratch::new());
/// assert_eq!(outcome.path().unwrap().len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridIndex {
    /// Of the grid; `None` if a repair failed halfway.
    pub(super) fingerprint: Option<u64>,
    pub(super) subgoals: Subgoals,
    /// The node of each subgoal.
    pub(super) names: Vec<u32>,
    /// The cell of each node. After an edit some numbers have no node.
    pub(super) cells: Vec<Cell>,
    pub(super) order: Order,
    pub(super) arcs: Arcs,
    pub(super) hubs: Option<Hubs>,
    pub(super) sight: Option<Sight>,
    /// What a repair needs.
    pub(super) repairs: Option<Repairs>,
}

/// Limits on building an index.
///
/// ```
/// use std::ops::ControlFlow;
/// use wayfare::index::{GridIndex, IndexError, IndexOptions};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
/// let options = IndexOptions { max_bytes: 1 };
/// let built = GridIndex::build(&grid.space(), options, &mut |_| ControlFlow::Continue(()));
/// assert_eq!(built.err(), Some(IndexError::TooLarge { max_bytes: 1 }));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexOptions {
    /// The largest size of all hubs together, in bytes, before those that no path needs are
    /// dropped. Default: 1 GiB. Building stops with [`IndexError::TooLarge`] above it. Raising it
    /// admits maps with more corners.
    pub max_bytes: usize,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self { max_bytes: 1 << 30 }
    }
}

/// A stage of building an index.
///
/// Example: [`IndexProgress`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexStage {
    /// Finding the corners that each corner of a mesh sees.
    Seeing,
    /// Ordering the corners by importance.
    Ordering,
    /// Computing the hubs of each corner.
    Labelling,
}

/// The progress of building an index.
///
/// ```
/// use std::ops::ControlFlow;
/// use wayfare::index::{GridIndex, IndexOptions, IndexProgress, IndexStage};
/// use wayfare::prelude::*;
///
/// let grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
/// let mut last = IndexProgress { stage: IndexStage::Ordering, done: 0, total: 0 };
/// let index = GridIndex::build(&grid.space(), IndexOptions::default(), &mut |progress| {
///     last = progress;
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((last.stage, last.total), (IndexStage::Labelling, index.corners()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexProgress {
    /// The present stage.
    pub stage: IndexStage,
    /// The number of corners finished in this stage.
    pub done: usize,
    /// The number of all corners.
    pub total: usize,
}

/// Why a grid cannot be indexed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// Moves differ in cost: by terrain, penalty or influence.
    #[error(
        "only uniform-cost grids can be indexed, but on this grid moves of one length differ in cost"
    )]
    NotUniform,
    /// The corner rule lets diagonals pass blocked cells.
    #[error(
        "only grids whose diagonals need both cells beside them free can be indexed, not {0:?}"
    )]
    Corners(CornerRule),
    /// The index would exceed [`IndexOptions::max_bytes`].
    #[error("the index would take more than {max_bytes} bytes: the map has too many corners")]
    TooLarge {
        /// [`IndexOptions::max_bytes`].
        max_bytes: usize,
    },
    /// A path between two corners that hubs are chosen for exceeds `u32`: about 748,000 straight
    /// steps.
    #[error("a path between two corners costs more than 32 bits can hold")]
    CostRange,
    /// The progress callback stopped the work.
    #[error("building the index was cancelled")]
    Cancelled,
}

/// Whether [`GridIndex::note_sight`] stored the corners in sight.
///
/// ```
/// use wayfare::index::{GridIndex, OtherGrid, SightOutcome};
/// use wayfare::prelude::*;
///
/// let mut grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
/// let mut index = GridIndex::new(&grid.space())?;
/// assert_eq!(index.note_sight(&grid.space(), 1 << 20), Ok(SightOutcome::Stored));
/// grid.set_terrain(grid.cell(2, 0).unwrap(), TerrainId::GROUND);
/// assert_eq!(index.note_sight(&grid.space(), 1 << 20), Err(OtherGrid));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SightOutcome {
    /// They are stored, and queries use them.
    Stored,
    /// They would take more than `max_bytes`.
    TooLarge,
    /// The map has more than 65,536 corners, too many for indices of 16 bits.
    TooManyCorners,
}

/// The index belongs to another grid or agent, or to this grid before an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the index was built for another map, another agent, or this map before it was edited")]
pub struct OtherGrid;

impl GridIndex {
    /// Builds the index of a grid with default [`IndexOptions`].
    ///
    /// # Errors
    /// If the grid cannot be indexed: see [`IndexError`].
    pub fn new<C: Cost>(space: &GridSpace<'_, C>) -> Result<Self, IndexError> {
        Self::build(space, IndexOptions::default(), &mut |_| ControlFlow::Continue(()))
    }

    /// Builds the index of a grid within limits.
    ///
    /// `on_progress` is called after each round of work and can stop it with
    /// [`ControlFlow::Break`]. The index is the same at any thread count (feature `rayon`) and
    /// without threads.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use wayfare::index::{GridIndex, IndexError, IndexOptions};
    /// use wayfare::prelude::*;
    /// let grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
    /// let stop = &mut |_| ControlFlow::Break(());
    /// let built = GridIndex::build(&grid.space(), IndexOptions::default(), stop);
    /// assert_eq!(built.err(), Some(IndexError::Cancelled));
    /// # Ok::<(), GridError>(())
    /// ```
    ///
    /// # Errors
    /// If the grid cannot be indexed: see [`IndexError`].
    pub fn build<C: Cost>(
        space: &GridSpace<'_, C>,
        options: IndexOptions,
        progress: &mut dyn FnMut(IndexProgress) -> ControlFlow<()>,
    ) -> Result<Self, IndexError> {
        check(space)?;
        let subgoals = Subgoals::new(space);
        let by_place = Graph::new(&subgoals);
        let total = by_place.len();
        let at = |node: u32| {
            let (x, y) = space.layout().coordinates(subgoals.cells()[node as usize]);
            [x as i32, y as i32]
        };
        let on_progress =
            &mut |done| progress(IndexProgress { stage: IndexStage::Ordering, done, total });
        let ControlFlow::Continue(names) = dissection::ranks(&by_place, at, on_progress) else {
            return Err(IndexError::Cancelled);
        };
        let cells = renamed_cells(subgoals.cells(), &names);
        let order = Order::by_number(total);
        let cost = |a: u32, b: u32| subgoals.distance(cells[a as usize], cells[b as usize]);
        let most = options.max_bytes / Arcs::BYTES;
        let on_progress =
            &mut |done| progress(IndexProgress { stage: IndexStage::Labelling, done, total });
        let mut joined = Joined::new(by_place.lists(&names, total));
        joined.contract(&order, vec![true; total], &cost, most, on_progress).map_err(
            |stopped| match stopped {
                Stopped::Cancelled => IndexError::Cancelled,
                Stopped::TooMany => IndexError::TooLarge { max_bytes: options.max_bytes },
                Stopped::CostRange => IndexError::CostRange,
            },
        )?;
        let arcs = Arcs::kept(&joined);
        let near = |node: u32| joined.near()[node as usize].as_slice();
        let corners = Corners { subgoals: &subgoals, cells: &cells, near };
        let hubs = Hubs::new(&arcs, &order, &corners);
        Ok(Self {
            fingerprint: Some(fingerprint(space)),
            subgoals,
            names,
            cells,
            order,
            arcs,
            hubs,
            sight: None,
            repairs: None,
        })
    }

    /// Stores the corners in sight of each cell, so that queries need not scan around their ends.
    ///
    /// The shorter the paths, the more it saves. O(cells · length of a scan) time, and 2 bytes for
    /// each corner in sight of each cell. [`GridIndex::encode`] includes it. An index that has it
    /// keeps it, and scans only from cells where edits outdated it. If it is not
    /// [stored](SightOutcome::Stored), queries scan as before.
    ///
    /// # Errors
    /// If the grid is not the one that was indexed.
    pub fn note_sight<C: Cost>(
        &mut self,
        space: &GridSpace<'_, C>,
        max_bytes: usize,
    ) -> Result<SightOutcome, OtherGrid> {
        self.of(space)?;
        if let Some(sight) = &mut self.sight {
            sight.renew(&self.subgoals, &self.names, usize::MAX);
            if sight.size_in_bytes() <= max_bytes {
                return Ok(SightOutcome::Stored);
            }
        }
        self.sight = None;
        if self.cells.len() > Sight::MAX_NODES {
            return Ok(SightOutcome::TooManyCorners);
        }
        self.sight = Sight::new(&self.subgoals, &self.names, max_bytes);
        Ok(if self.sight.is_some() { SightOutcome::Stored } else { SightOutcome::TooLarge })
    }

    /// Returns the number of obstacle corners in the index.
    #[must_use]
    pub fn corners(&self) -> usize {
        self.names.len()
    }

    /// Returns the number of hubs of all corners together: arcs to more important corners.
    #[must_use]
    pub fn hubs(&self) -> usize {
        self.arcs.len()
    }

    /// Returns the memory of the index, in bytes.
    #[must_use]
    pub fn size_in_bytes(&self) -> usize {
        self.subgoals.size_in_bytes()
            + 4 * (self.names.capacity() + self.cells.capacity())
            + 4 * (self.order.rank.capacity() + self.order.nodes.capacity())
            + self.arcs.size_in_bytes()
            + self.hubs.as_ref().map_or(0, Hubs::size_in_bytes)
            + self.sight.as_ref().map_or(0, Sight::size_in_bytes)
            + self.repairs.as_ref().map_or(0, Repairs::size_in_bytes)
    }
}

/// Fails if the space cannot be indexed.
pub(super) fn check<C: Cost>(space: &GridSpace<'_, C>) -> Result<(), IndexError> {
    if !space.is_uniform() {
        return Err(IndexError::NotUniform);
    }
    match (space.profile().neighbours, space.profile().corners) {
        (Neighbours::Four, _) | (_, CornerRule::BothFree) => Ok(()),
        (Neighbours::Eight, corners) => Err(IndexError::Corners(corners)),
    }
}

/// Hashes everything that an index depends on: the size of the grid, its free cells and the count
/// of neighbours.
///
/// A revision would not do: two grids can have the same revision, and an edit that is undone makes
/// the index valid again.
pub(super) fn fingerprint<C: Cost>(space: &GridSpace<'_, C>) -> u64 {
    let layout = space.layout();
    let mut sum = WordSum::default();
    sum.word(u64::from(layout.width));
    sum.word(u64::from(layout.height));
    sum.word(u64::from(space.profile().neighbours == Neighbours::Eight));
    for free in space.free_cells() {
        let (words, rest) = free.bytes().as_chunks();
        words.iter().for_each(|word| sum.word(u64::from_le_bytes(*word)));
        rest.iter().for_each(|&byte| sum.word(u64::from(byte)));
    }
    sum.0
}
