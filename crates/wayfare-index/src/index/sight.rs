//! The subgoals in sight of every cell, computed ahead so that a query need not scan around its
//! ends.

use wayfare_core::space::{Cost, StateId};
use wayfare_grid::grid::{Cell, GridSpace};

use super::frame::{IndexFileError, IndexFileFault, Words};
use super::parallel;
use super::subgoals::Subgoals;

/// For each cell the nodes where a path from it may turn first, one list after the other.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    first: Vec<u32>,
    nodes: Vec<u16>,
    /// Whether the lists are from a file, which may be forged.
    pub(super) is_read: bool,
}

/// The count of cells that a thread scans from at a time.
const BATCH: usize = 512;

impl Sight {
    /// The most nodes that indices of 16 bits allow.
    pub(super) const MAX_NODES: usize = 1 << 16;

    /// Scans from every cell; at most [`MAX_NODES`](Self::MAX_NODES) nodes. Fails if the lists take
    /// more than `max_bytes`.
    pub(super) fn new<C: Cost>(
        space: &GridSpace<'_, C>,
        subgoals: &Subgoals,
        names: &[u32],
        max_bytes: usize,
    ) -> Option<Self> {
        let bound = space.layout().bound();
        let most = max_bytes.checked_sub(4 * (bound + 1))? / 2;
        let mut sight =
            Self { first: Vec::with_capacity(bound + 1), nodes: Vec::new(), is_read: false };
        sight.first.push(0);
        // A few batches at a time: a table that is too large is noticed before it is complete.
        for begin in (0..bound).step_by(BATCH * 64) {
            let batches = (bound - begin).div_ceil(BATCH).min(64);
            let made = parallel::map(
                batches,
                || (),
                |(), batch| {
                    let (mut counts, mut nodes) = (Vec::with_capacity(BATCH), Vec::new());
                    let from = begin + batch * BATCH;
                    for cell in from..(from + BATCH).min(bound) {
                        let before = nodes.len();
                        let cell = Cell::from_index(cell as u32);
                        if space.is_free(cell) {
                            subgoals.reach(space, cell, &mut |seen| {
                                nodes.push(names[subgoals.place(seen) as usize] as u16);
                            });
                        }
                        counts.push((nodes.len() - before) as u32);
                    }
                    (counts, nodes)
                },
            );
            for (counts, nodes) in made {
                for count in counts {
                    sight.first.push(sight.first.last()? + count);
                }
                sight.nodes.extend(nodes);
            }
            if sight.nodes.len() > most {
                return None;
            }
        }
        sight.nodes.shrink_to_fit();
        Some(sight)
    }

    /// Returns the nodes in sight of a free cell.
    #[inline]
    pub(super) fn of(&self, cell: Cell) -> &[u16] {
        let cell = cell.index() as usize;
        &self.nodes[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// Returns the number of cells, and of nodes in sight of all of them together.
    pub(super) fn counts(&self) -> [u32; 2] {
        [self.first.len() as u32 - 1, self.nodes.len() as u32]
    }

    /// Returns the lists as words for a file: the length of each, then all nodes, two to a word.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let pair =
            |pair: &[u16]| u32::from(pair[0]) | u32::from(pair.get(1).copied().unwrap_or(0)) << 16;
        let lengths = self.first.windows(2).map(|ends| ends[1] - ends[0]);
        lengths.chain(self.nodes.chunks(2).map(pair))
    }

    /// Returns the lists that [`words`](Self::words) returned, `seen` nodes in all.
    pub(super) fn of_words(
        lengths: Words<'_>,
        pairs: Words<'_>,
        seen: usize,
        nodes: usize,
    ) -> Result<Self, IndexFileError> {
        let mut first = Vec::with_capacity(lengths.len() + 1);
        first.push(0);
        let mut end = 0u32;
        for (cell, length) in lengths.enumerate() {
            end = end.checked_add(length).ok_or(IndexFileFault::Sight.at(cell))?;
            first.push(end);
        }
        let mut all: Vec<u16> = pairs.flat_map(|pair| [pair as u16, (pair >> 16) as u16]).collect();
        all.truncate(seen);
        all.shrink_to_fit();
        if end as usize != all.len() || all.iter().any(|&node| usize::from(node) >= nodes) {
            return Err(IndexFileFault::Sight.at(first.len() - 1));
        }
        Ok(Self { first, nodes: all, is_read: true })
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * self.first.capacity() + 2 * self.nodes.capacity()
    }
}
