//! Builds an index.

use std::ops::ControlFlow;

use wayfare_core::inside::WordSum;
use wayfare_core::space::Cost;
use wayfare_grid::grid::{Cell, CornerRule, GridSpace, Neighbours};

use super::contraction::contract;
use super::graph::{Graph, renamed_cells};
use super::labels::{Hop, Labels, Stopped, names};
use super::sight::Sight;
use super::subgoals::Subgoals;

/// An index of a grid that does not change: answers queries for cheapest paths without a search.
///
/// It contains the corners of all obstacles, and for each corner its costs to a few hubs. The hubs
/// are chosen so that any two corners share a hub on a cheapest path between them. A query finds
/// the corners in sight of its two ends and compares their hubs, for a path of any length. A path
/// costs exactly as much as one by [`Jps`](wayfare_core::search::Jps); of several cheapest paths
/// another may be returned.
///
/// **When to use it:** on maps that stay as they are for thousands of queries. **When not:** on
/// maps that are edited while they are searched, since an edit invalidates the index; on grids that
/// are not uniform-cost; and on maps of scattered single obstacles, which have the most corners.
/// The size grows with about `corners^1.5`; [`IndexOptions::max_bytes`] limits it.
///
/// It serves agents of any width, with four neighbours, or with eight where a diagonal needs both
/// cells beside it free ([`CornerRule::BothFree`]). Under other rules paths turn at other cells,
/// and building returns an error.
///
/// Time to build: about O(n · k²) for n corners with k hubs each. Memory: O(n · k).
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
    pub(super) fingerprint: u64,
    pub(super) subgoals: Subgoals,
    /// The node of each subgoal. Nodes are numbered by importance: 0 is the most important.
    pub(super) names: Vec<u32>,
    /// The cell of each node.
    pub(super) cells: Vec<Cell>,
    pub(super) graph: Graph,
    pub(super) labels: Labels,
    pub(super) hops: Vec<Hop>,
    pub(super) sight: Option<Sight>,
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
    /// The largest size of all hubs together, in bytes. Default: 1 GiB. Building stops with
    /// [`IndexError::TooLarge`] above it. Raising it admits maps with more corners.
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
    /// A corner has more than 65,535 neighbours or hubs.
    #[error("a corner of the map has more than 65,535 neighbours or hubs")]
    TooDense,
    /// A path between two corners exceeds `u32`: about 748,000 straight steps.
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
    /// [`ControlFlow::Break`]. O(n · k²) time and O(n · k) memory for n corners with k hubs each.
    /// The index is the same at any thread count (feature `rayon`) and without threads.
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
        let by_place = Graph::new(space, &subgoals);
        let total = by_place.len();
        let cost = |a: u32, b: u32| {
            subgoals.distance(subgoals.cells()[a as usize], subgoals.cells()[b as usize])
        };
        let on_progress =
            &mut |done| progress(IndexProgress { stage: IndexStage::Ordering, done, total });
        let ControlFlow::Continue(hierarchy) = contract(&by_place, cost, on_progress) else {
            return Err(IndexError::Cancelled);
        };
        let names = names(&hierarchy);
        let most = options.max_bytes / BYTES_A_HUB;
        let on_progress =
            &mut |done| progress(IndexProgress { stage: IndexStage::Labelling, done, total });
        let labels =
            Labels::new(&hierarchy, &names, most, on_progress).map_err(
                |stopped| match stopped {
                    Stopped::Cancelled => IndexError::Cancelled,
                    Stopped::TooMany => IndexError::TooLarge { max_bytes: options.max_bytes },
                },
            )?;
        if labels.costliest() == u32::MAX {
            return Err(IndexError::CostRange);
        }
        Self::assemble(fingerprint(space), subgoals, &by_place, names, labels)
            .map_err(|_| IndexError::TooDense)
    }

    /// Assembles an index. `Err` names a node with a hub that none of its neighbours leads to.
    pub(super) fn assemble(
        fingerprint: u64,
        subgoals: Subgoals,
        by_place: &Graph,
        names: Vec<u32>,
        labels: Labels,
    ) -> Result<Self, u32> {
        let graph = by_place.renamed(&names);
        let cells = renamed_cells(subgoals.cells(), &names);
        let cost = |a: u32, b: u32| subgoals.distance(cells[a as usize], cells[b as usize]);
        let hops = labels.hops(&graph, cost)?;
        Ok(Self { fingerprint, subgoals, names, cells, graph, labels, hops, sight: None })
    }

    /// Stores the corners in sight of each cell, so that queries need not scan around their ends.
    ///
    /// The shorter the paths, the more it saves. O(cells · length of a scan) time, and 2 bytes for
    /// each corner in sight of each cell. [`GridIndex::encode`] leaves it out: computing it again
    /// is quick. If it is not [stored](SightOutcome::Stored), queries scan as before.
    ///
    /// # Errors
    /// If the grid is not the one that was indexed.
    pub fn note_sight<C: Cost>(
        &mut self,
        space: &GridSpace<'_, C>,
        max_bytes: usize,
    ) -> Result<SightOutcome, OtherGrid> {
        self.of(space)?;
        self.sight = None;
        if self.names.len() > Sight::MAX_NODES {
            return Ok(SightOutcome::TooManyCorners);
        }
        self.sight = Sight::new(space, &self.subgoals, &self.names, max_bytes);
        Ok(if self.sight.is_some() { SightOutcome::Stored } else { SightOutcome::TooLarge })
    }

    /// Returns the number of obstacle corners in the index.
    #[must_use]
    pub fn corners(&self) -> usize {
        self.cells.len()
    }

    /// Returns the number of hubs of all corners together.
    #[must_use]
    pub fn hubs(&self) -> usize {
        self.labels.len()
    }

    /// Returns the memory of the index, in bytes.
    #[must_use]
    pub fn size_in_bytes(&self) -> usize {
        self.subgoals.size_in_bytes()
            + 4 * (self.names.capacity() + self.cells.capacity())
            + self.graph.size_in_bytes()
            + self.labels.size_in_bytes()
            + size_of::<Hop>() * self.hops.capacity()
            + self.sight.as_ref().map_or(0, Sight::size_in_bytes)
    }
}

/// The memory of one hub, in bytes.
pub(super) const BYTES_A_HUB: usize = size_of::<super::labels::Hub>() + size_of::<Hop>();

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
