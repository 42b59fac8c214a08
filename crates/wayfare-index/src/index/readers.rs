//! Scans walked backwards: finds the cells, and so the corners, whose scans an edit may change.

use wayfare_core::space::StateId;
use wayfare_grid::grid::Cell;
use wayfare_grid::inside::{BitMap, Layout};

use super::subgoals::{Open, Subgoals};

/// The cells whose scans read a cell near an edit.
///
/// # Why these are all cells whose scans have other results
///
/// A scan that reads the same does the same. What it reads of a cell tells of the eight cells
/// around it, and it reads free cells and the obstacles beside them: if it reads anything that
/// changed, one of its free cells is at most two steps from a cell that was blocked or freed.
///
/// A scan goes along a line, or along a diagonal and from there along a line (with four neighbours:
/// along the row, and from there along the column). The same steps are walked backwards here, from
/// each free cell so near. A scan may end earlier than its steps lead backwards: then a cell is
/// found in vain.
pub(super) struct Readers {
    /// The directions in which each cell was left, as bits in the order of [`Layout::offsets`].
    left: Vec<u8>,
    found: BitMap,
    pub(super) cells: Vec<Cell>,
}

impl Readers {
    pub(super) fn new(layout: &Layout) -> Self {
        let (left, found) = (vec![0; layout.bound()], BitMap::new(layout));
        Self { left, found, cells: Vec::new() }
    }

    /// Walks back from a free cell.
    pub(super) fn find(&mut self, subgoals: &Subgoals, free: &BitMap, open: &Open, from: Cell) {
        // Directions of the second part of a scan, walked backwards, with those of the first.
        let parts: &[(usize, &[usize])] = if subgoals.has_diagonals {
            &[(1, &[0, 2]), (3, &[0, 5]), (4, &[2, 7]), (6, &[5, 7])]
        } else {
            &[(1, &[3, 4]), (6, &[3, 4])]
        };
        self.find_one(from);
        for &(direction, turns) in parts {
            let mut at = Some(from);
            while let Some(cell) = at {
                for &turn in turns {
                    let mut at = Some(cell);
                    while let Some(cell) = at {
                        at = self.leave(subgoals, free, cell, turn).filter(|&next| {
                            // A scan along a diagonal ends at such a subgoal, so none passes it.
                            let rows =
                                if turn == 0 || turn == 7 { &open.falling } else { &open.rising };
                            self.find_one(next);
                            !subgoals.has_diagonals || rows[0].get(next)
                        });
                    }
                }
                at = self.leave(subgoals, free, cell, direction);
                at.into_iter().for_each(|next| self.find_one(next));
            }
        }
    }

    /// Notes a cell.
    pub(super) fn find_one(&mut self, cell: Cell) {
        if !self.found.get(cell) {
            self.found.set(cell, true);
            self.cells.push(cell);
        }
    }

    /// Returns the next cell in a direction; `None` if there is none, or if it was left for that
    /// one before.
    fn leave(
        &mut self,
        subgoals: &Subgoals,
        free: &BitMap,
        cell: Cell,
        direction: usize,
    ) -> Option<Cell> {
        /// The cells that a move needs.
        const NEEDS: [u8; 8] = [0x0b, 0x02, 0x16, 0x08, 0x10, 0x68, 0x40, 0xd0];
        let (left, bit) = (&mut self.left[cell.index() as usize], 1 << direction);
        if *left & bit != 0 || free.around(cell) & NEEDS[direction] != NEEDS[direction] {
            return None;
        }
        *left |= bit;
        let offset = subgoals.layout().offsets()[direction];
        Some(Cell::from_index(cell.index().wrapping_add_signed(offset)))
    }
}
