//! The corners in sight of every cell, noted down so that a query need not look around its ends.

use super::parallel;
use super::subgoals::Subgoals;
use crate::space::{Cell, Cost, GridSpace, StateId};

/// For every cell the nodes that a path from there may turn at first, one list after the other.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    first: Vec<u32>,
    nodes: Vec<u16>,
}

/// Cells that one thread looks around from at a time.
const BATCH: usize = 512;

impl Sight {
    /// Looks around every cell. `None` where the lists take more than `max_bytes`, or there are more than 65,536 nodes.
    pub(super) fn new<C: Cost>(
        space: &GridSpace<'_, C>,
        subgoals: &Subgoals,
        names: &[u32],
        max_bytes: usize,
    ) -> Option<Self> {
        let bound = space.layout().bound();
        let most = max_bytes.checked_sub(4 * (bound + 1))? / 2;
        if names.len() > 1 << 16 {
            return None;
        }
        let mut sight = Self { first: Vec::with_capacity(bound + 1), nodes: Vec::new() };
        sight.first.push(0);
        // A few batches at a time, so that too large a table is found out before it is made.
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

    /// The nodes in sight of a free cell.
    #[inline]
    pub(super) fn of(&self, cell: Cell) -> &[u16] {
        let cell = cell.index() as usize;
        &self.nodes[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * self.first.capacity() + 2 * self.nodes.capacity()
    }
}
