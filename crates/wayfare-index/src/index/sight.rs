//! The subgoals in sight of every cell, computed ahead so that a query need not scan around its
//! ends.

use wayfare_core::space::{Cost, StateId};
use wayfare_grid::grid::{Cell, GridSpace};

use super::parallel;
use super::subgoals::Subgoals;

/// For each cell the nodes where a path from it may turn first, one list after the other.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    first: Vec<u32>,
    nodes: Vec<u16>,
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
        let mut sight = Self { first: Vec::with_capacity(bound + 1), nodes: Vec::new() };
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
                            subgoals.reach(space, cell, None, &mut |seen| {
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

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * self.first.capacity() + 2 * self.nodes.capacity()
    }
}
