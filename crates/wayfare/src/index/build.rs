//! Building an index.

use std::ops::ControlFlow;

use super::contraction::contract;
use super::graph::{Graph, renamed_cells};
use super::labels::{Hop, Labels, Stopped, names};
use super::sight::Sight;
use super::subgoals::Subgoals;
use crate::space::{Cell, CornerRule, Cost, GridSpace, Neighbours};

/// An index of a grid that does not change: answers which way is cheapest without a search.
///
/// It holds the corners of all obstacles, and for each of them the costs to a few hubs, chosen so that a cheapest path between any
/// two corners passes a hub that both have. A query looks around its two ends for the corners in sight and compares their hubs: a few
/// microseconds on maps of half a million cells, however long the path. The paths cost exactly what [`Jps`](crate::search::Jps)
/// finds; of several cheapest ones another may be returned.
///
/// **When it pays:** on maps that stay as they are for some thousand queries. Building takes a second or so on the maps of a game, and a few
/// megabytes. **When not:** on maps that are edited while they are searched (an edit makes the index useless: build it
/// again, or search), on ground of more than one cost, and on scattered single obstacles, which have the most corners: the index grows
/// with about their number to the power of 1.5, and [`IndexOptions::max_bytes`] stops it.
///
/// Serves agents of any width, among four neighbours or among eight where a diagonal needs both cells beside it free
/// ([`CornerRule::BothFree`]): elsewhere paths turn at other cells, and building refuses.
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
/// assert_eq!(outcome.path().unwrap().len(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridIndex {
    pub(super) fingerprint: u64,
    pub(super) subgoals: Subgoals,
    /// The node of every subgoal. Nodes are named by importance: 0 is the most important.
    pub(super) names: Vec<u32>,
    /// The cell of every node.
    pub(super) cells: Vec<Cell>,
    pub(super) graph: Graph,
    pub(super) labels: Labels,
    pub(super) hops: Vec<Hop>,
    pub(super) sight: Option<Sight>,
}

/// How an index is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexOptions {
    /// Give up an index that would take more memory than that for its hubs, in bytes. Default: 1 GiB.
    pub max_bytes: usize,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self { max_bytes: 1 << 30 }
    }
}

/// What building is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexStage {
    /// Ordering the corners by importance.
    Ordering,
    /// Choosing the hubs of every corner.
    Labelling,
}

/// How far building has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexProgress {
    /// What it is at.
    pub stage: IndexStage,
    /// How many corners are done in this stage.
    pub done: usize,
    /// How many there are.
    pub total: usize,
}

/// Why there is no index of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The ground has more than one cost, or penalties.
    #[error(
        "only ground of one cost can be indexed, and on this grid steps differ in what they cost"
    )]
    NotUniform,
    /// Diagonals pass by blocked cells.
    #[error(
        "only grids whose diagonals need both cells beside them free can be indexed, not {0:?}"
    )]
    Corners(CornerRule),
    /// The index would be larger than it may be.
    #[error("the index would take more than {max_bytes} bytes: the map has too many corners")]
    TooLarge {
        /// [`IndexOptions::max_bytes`].
        max_bytes: usize,
    },
    /// A corner has more neighbours or hubs than the index can number.
    #[error("a corner sees or needs more than 65,535 others: the map has too many corners")]
    TooDense,
    /// Who hears of the progress stopped it.
    #[error("building the index was cancelled")]
    Cancelled,
}

/// The index is one of another grid, or of this one before an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the index was built for another map, another agent, or this map before it was edited")]
pub struct OtherGrid;

impl GridIndex {
    /// Builds the index of a grid.
    ///
    /// # Errors
    /// When the grid cannot be indexed; see [`IndexError`].
    pub fn new<C: Cost>(space: &GridSpace<'_, C>) -> Result<Self, IndexError> {
        Self::build(space, IndexOptions::default(), &mut |_| ControlFlow::Continue(()))
    }

    /// Builds the index of a grid, within limits. `progress` hears now and then how far it has come, and may stop it.
    ///
    /// Takes about n · k² time and n · k memory for n corners with k hubs each. The index is the same whether threads help (feature `rayon`)
    /// or not.
    ///
    /// # Errors
    /// When the grid cannot be indexed; see [`IndexError`].
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
        let beat = &mut |done| progress(IndexProgress { stage: IndexStage::Ordering, done, total });
        let ControlFlow::Continue(hierarchy) = contract(&by_place, cost, beat) else {
            return Err(IndexError::Cancelled);
        };
        let names = names(&hierarchy);
        let most = options.max_bytes / BYTES_A_HUB;
        let beat =
            &mut |done| progress(IndexProgress { stage: IndexStage::Labelling, done, total });
        let labels =
            Labels::new(&hierarchy, &names, most, beat).map_err(|stopped| match stopped {
                Stopped::Cancelled => IndexError::Cancelled,
                Stopped::TooMany => IndexError::TooLarge { max_bytes: options.max_bytes },
            })?;
        Self::assemble(fingerprint(space), subgoals, &by_place, names, labels)
            .map_err(|_| IndexError::TooDense)
    }

    /// Puts an index together. Fails, and names a node, if there is one whose hubs its neighbours do not lead to.
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

    /// Notes down for every cell of the grid which corners are in sight, so that queries need not look around their ends: up to five
    /// times as fast, the more so the shorter the ways. Takes a microsecond or two a cell, and two bytes for each corner in sight, some
    /// 20 to 40 of them a cell. Not part of [`GridIndex::encode`]: it is soon made anew.
    ///
    /// Says whether that took at most `max_bytes` and the map has at most 65,536 corners; if not, queries go on looking around.
    ///
    /// # Errors
    /// When the grid is not the one that was indexed.
    pub fn note_sight<C: Cost>(
        &mut self,
        space: &GridSpace<'_, C>,
        max_bytes: usize,
    ) -> Result<bool, OtherGrid> {
        self.of(space)?;
        self.sight = Sight::new(space, &self.subgoals, &self.names, max_bytes);
        Ok(self.sight.is_some())
    }

    /// How many corners of obstacles it holds.
    #[must_use]
    pub fn corners(&self) -> usize {
        self.cells.len()
    }

    /// How many hubs it holds for all corners together.
    #[must_use]
    pub fn hubs(&self) -> usize {
        self.labels.len()
    }

    /// The memory it holds, in bytes.
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

/// What a hub of a node takes.
pub(super) const BYTES_A_HUB: usize = size_of::<super::labels::Hub>() + size_of::<Hop>();

/// Whether a space can be indexed.
pub(super) fn check<C: Cost>(space: &GridSpace<'_, C>) -> Result<(), IndexError> {
    if !space.is_uniform() {
        return Err(IndexError::NotUniform);
    }
    match (space.profile().neighbours, space.profile().corners) {
        (Neighbours::Four, _) | (_, CornerRule::BothFree) => Ok(()),
        (Neighbours::Eight, corners) => Err(IndexError::Corners(corners)),
    }
}

/// Sums up all that an index depends on: the size of the grid, where an agent can stand, and how it moves.
pub(super) fn fingerprint<C: Cost>(space: &GridSpace<'_, C>) -> u64 {
    let layout = space.layout();
    let mut sum = Fingerprint::default();
    sum.add(u64::from(layout.width));
    sum.add(u64::from(layout.height));
    sum.add(u64::from(space.profile().neighbours == Neighbours::Eight));
    for free in space.free_cells() {
        let (words, rest) = free.bytes().as_chunks();
        words.iter().for_each(|word| sum.add(u64::from_le_bytes(*word)));
        rest.iter().for_each(|&byte| sum.add(u64::from(byte)));
    }
    sum.0
}

/// A sum over words that changes with any of them: for telling maps apart and finding broken files, not against forgery.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fingerprint(pub(super) u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0x5741_5946_4152_4531)
    }
}

impl Fingerprint {
    /// Every step can be undone, so that no two words lead from one sum to the same.
    #[inline]
    pub(super) fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9FB2_1C65_1E98_DF25);
        self.0 = mixed ^ (mixed >> 29);
    }
}
