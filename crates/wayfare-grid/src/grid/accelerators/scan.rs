//! Scans along the rows of a bit map, 48 cells at a time: the length of a straight line, and
//! whether a path may have to turn at its end.
//!
//! # Why a scan may pass all other cells
//!
//! A straight move enters cell `c` on uniform-cost terrain. By [`canonical`](super::canonical), the
//! only move to follow out of `c` is the one ahead, unless a neighbour is *forced*: reached from
//! `c` alone, since an obstacle bars the detour around it. Going east, with the rule for the south
//! mirrored:
//!
//! | corner rule | forced | condition |
//! |---|---|---|
//! | both free, four neighbours | N (and NE) | NW is blocked, N is free |
//! | one free | NE | N is blocked, NE and E are free |
//! | always | NE | N is blocked, NE is free |
//!
//! A cell without a forced neighbour has one canonical successor. Expanding it would push only that
//! one, so a scan passes it; it stops at the first forced neighbour or blocked cell. Goals are
//! compared apart. A test below checks the conditions against the canonical table for all patterns
//! of neighbours.
//!
//! Among four neighbours this holds along columns. Along rows every cell needs its column moves, so
//! jumps walk rows cell by cell.
//!
//! # In words
//!
//! The conditions compare a cell with the one before or after it in three rows: three words and a
//! shift give the answer for all cells of a word. The first stop is a count of zeros. Source: D.
//! Harabor, A. Grastien, "Improving jump point search", 2014.

use super::bits::BitMap;
use crate::grid::Cell;

/// The three rows that a scan looks at.
///
/// The cell that it starts from is the lowest bit of a scan towards higher ids, and the highest bit
/// of one towards lower ids. At least 55 bits from there on are valid.
#[derive(Clone, Copy)]
pub(in crate::grid) struct Rows {
    pub(in crate::grid) above: u64,
    pub(in crate::grid) here: u64,
    pub(in crate::grid) below: u64,
}

/// The end of a scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::grid) struct Stop {
    /// Cells from the first to the last, at least 1.
    pub(in crate::grid) steps: u32,
    /// Whether the cell is free and has a forced neighbour. If not, it is blocked.
    pub(in crate::grid) is_jump_point: bool,
}

/// The cells with a forced neighbour under a corner rule.
///
/// Where diagonals need both cells beside them, a path turns beside the first free cell after a
/// wall; otherwise beside the wall's last cell.
pub(in crate::grid) trait Turns {
    /// The least number of free cells among the two beside a diagonal.
    const LEAST_FREE_CORNERS: u32;
    /// Returns the cells of the middle row with a forced neighbour, as bits.
    fn of<const FORWARD: bool>(rows: Rows) -> u64;
}

/// Bytes that a scan advances by.
const STEP: usize = 6;
/// The cells that a scan looks at between two advances: 1 to 48 ahead.
const LOOKED_AT: u64 = (2 << (8 * STEP)) - 2;

/// Moves the bit of the cell behind each cell onto it.
#[inline(always)]
fn behind<const FORWARD: bool>(word: u64) -> u64 {
    if FORWARD { word << 1 } else { word >> 1 }
}

/// Moves the bit of the cell ahead of each cell onto it.
#[inline(always)]
fn ahead<const FORWARD: bool>(word: u64) -> u64 {
    if FORWARD { word >> 1 } else { word << 1 }
}

/// Diagonals that need both cells beside them, and no diagonals at all: turns beside the first free
/// cell after a wall.
pub(in crate::grid) struct BothFree;

impl Turns for BothFree {
    const LEAST_FREE_CORNERS: u32 = 2;

    #[inline(always)]
    fn of<const FORWARD: bool>(rows: Rows) -> u64 {
        (rows.above & !behind::<FORWARD>(rows.above))
            | (rows.below & !behind::<FORWARD>(rows.below))
    }
}

/// Diagonals that need one of the cells beside them: turns beside a wall's last cell, if the cell
/// ahead is free.
pub(in crate::grid) struct OneFree;

impl Turns for OneFree {
    const LEAST_FREE_CORNERS: u32 = 1;

    #[inline(always)]
    fn of<const FORWARD: bool>(rows: Rows) -> u64 {
        Always::of::<FORWARD>(rows) & ahead::<FORWARD>(rows.here)
    }
}

/// Diagonals that pass between walls: turns beside a wall's last cell.
pub(in crate::grid) struct Always;

impl Turns for Always {
    const LEAST_FREE_CORNERS: u32 = 0;

    #[inline(always)]
    fn of<const FORWARD: bool>(rows: Rows) -> u64 {
        (!rows.above & ahead::<FORWARD>(rows.above)) | (!rows.below & ahead::<FORWARD>(rows.below))
    }
}

impl BitMap {
    /// Returns the rows around a cell on the map, for a scan from there.
    #[inline(always)]
    pub(in crate::grid) fn rows<const FORWARD: bool>(&self, from: Cell) -> Rows {
        self.rows_at::<FORWARD>(Self::first_byte::<FORWARD>(from), from.0 & 7)
    }

    #[inline(always)]
    fn first_byte<const FORWARD: bool>(from: Cell) -> usize {
        if FORWARD { Self::byte(from) } else { Self::byte(from) - 7 }
    }

    #[inline(always)]
    fn rows_at<const FORWARD: bool>(&self, byte: usize, bit: u32) -> Rows {
        let word = |byte| self.shifted::<FORWARD>(byte, bit);
        let row = self.row_bytes();
        Rows { above: word(byte.wrapping_sub(row)), here: word(byte), below: word(byte + row) }
    }

    /// Returns the 57 cells or more from one on.
    #[inline(always)]
    fn shifted<const FORWARD: bool>(&self, byte: usize, bit: u32) -> u64 {
        if FORWARD { self.word(byte) >> bit } else { self.word(byte) << (7 - bit) }
    }

    /// Returns the end of a straight line from a cell: the first blocked cell or the first with a
    /// forced neighbour, the cell itself not counted. `rows`: the rows around the cell.
    #[inline(always)]
    pub(in crate::grid) fn scan<T: Turns, const FORWARD: bool>(
        &self,
        from: Cell,
        mut rows: Rows,
    ) -> Stop {
        let mut byte = Self::first_byte::<FORWARD>(from);
        let mut begun = 0;
        loop {
            // Not the cell itself, and none whose neighbours the words do not hold.
            let stops = (!rows.here | T::of::<FORWARD>(rows))
                & if FORWARD { LOOKED_AT } else { LOOKED_AT.reverse_bits() };
            if stops != 0 {
                let at = if FORWARD { stops.trailing_zeros() } else { stops.leading_zeros() };
                let bit = if FORWARD { at } else { 63 - at };
                return Stop { steps: begun + at, is_jump_point: rows.here >> bit & 1 == 1 };
            }
            begun += 8 * STEP as u32;
            byte = if FORWARD { byte + STEP } else { byte.wrapping_sub(STEP) };
            rows = self.rows_at::<FORWARD>(byte, from.0 & 7);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::canonical::canonical_table;
    use super::*;
    use crate::grid::layout::Layout;
    use crate::grid::moves::{EAST, NORTH, SOUTH, WEST};
    use crate::grid::{CornerRule, Neighbours};
    use proptest::prelude::*;

    /// Returns the same cell by cell, by the definition of a forced neighbour.
    fn walk(map: &BitMap, stride: u32, from: Cell, forward: bool, least: u32) -> Stop {
        let free = |cell: u32| map.get(Cell(cell));
        let next = |cell: u32| if forward { cell + 1 } else { cell - 1 };
        let (mut before, mut steps) = (from.0, 0);
        loop {
            let at = next(before);
            steps += 1;
            if !free(at) {
                return Stop { steps, is_jump_point: false };
            }
            let turns = |beside: fn(u32, u32) -> u32| {
                if least < 2 {
                    !free(beside(at, stride))
                        && free(beside(next(at), stride))
                        && (least == 0 || free(next(at)))
                } else {
                    !free(beside(before, stride)) && free(beside(at, stride))
                }
            };
            if turns(|cell, stride| cell - stride) || turns(|cell, stride| cell + stride) {
                return Stop { steps, is_jump_point: true };
            }
            before = at;
        }
    }

    /// Returns whether the middle of nine cells has a forced neighbour along a row, and along a
    /// column.
    ///
    /// `free`: the cells around it as bits in the order of the moves.
    fn turns<T: Turns, const FORWARD: bool>(free: u8) -> [bool; 2] {
        let is_free = |bit: u8| u64::from(free >> bit & 1);
        let word = |cells: [u64; 3]| {
            let word = cells[0] | cells[1] << 1 | cells[2] << 2;
            if FORWARD { word } else { word << 61 }
        };
        let lines = [
            [
                [is_free(0), is_free(1), is_free(2)],
                [is_free(3), 1, is_free(4)],
                [is_free(5), is_free(6), is_free(7)],
            ],
            [
                [is_free(0), is_free(3), is_free(5)],
                [is_free(1), 1, is_free(6)],
                [is_free(2), is_free(4), is_free(7)],
            ],
        ];
        let middle = if FORWARD { 1 } else { 62 };
        lines.map(|[above, here, below]| {
            let rows = Rows { above: word(above), here: word(here), below: word(below) };
            T::of::<FORWARD>(rows) >> middle & 1 == 1
        })
    }

    /// Compares the forced neighbours with the canonical table, for all patterns of neighbours.
    fn compare<T: Turns>(neighbours: Neighbours, corners: CornerRule) {
        let table = canonical_table(neighbours, corners);
        for free in 0..=u8::MAX {
            let forward = turns::<T, true>(free).into_iter().zip([EAST, SOUTH]);
            let backward = turns::<T, false>(free).into_iter().zip([WEST, NORTH]);
            for (is_turn, direction) in forward.chain(backward) {
                let is_row = direction == EAST || direction == WEST;
                let comes_from_a_wall = free >> (7 - direction) & 1 == 0;
                if comes_from_a_wall || neighbours == Neighbours::Four && is_row {
                    continue;
                }
                let needed = table[direction][usize::from(free)] & !(1 << direction);
                assert_eq!(needed != 0, is_turn, "{corners:?}, {direction}, {free:08b}");
            }
        }
    }

    #[test]
    fn scans_stop_exactly_where_the_canonical_table_needs_more_than_the_move_ahead() {
        compare::<BothFree>(Neighbours::Four, CornerRule::BothFree);
        compare::<BothFree>(Neighbours::Eight, CornerRule::BothFree);
        compare::<OneFree>(Neighbours::Eight, CornerRule::OneFree);
        compare::<Always>(Neighbours::Eight, CornerRule::Always);
    }

    proptest! {
        #[test]
        fn a_scan_ends_where_a_walk_does(
            width in 1u32..400,
            height in 1u32..4,
            holes in prop::collection::vec((0u32..400, 0u32..4), 0..8),
            full_row in prop::option::of(0u32..4),
            at in (0u32..400, 0u32..4),
        ) {
            let layout = Layout::new(width, height);
            let mut map = BitMap::new(&layout);
            for cell in layout.cells() {
                map.set(cell, full_row != Some(layout.coordinates(cell).1));
            }
            for (x, y) in holes {
                let cell = layout.cell(x % width, y % height);
                map.set(cell, !map.get(cell));
            }
            let from = layout.cell(at.0 % width, at.1 % height);
            if !map.get(from) {
                return Ok(());
            }
            let (ahead, back) = (map.rows::<true>(from), map.rows::<false>(from));
            let walk = |forward, least| walk(&map, layout.stride, from, forward, least);
            prop_assert_eq!(map.scan::<BothFree, true>(from, ahead), walk(true, 2));
            prop_assert_eq!(map.scan::<BothFree, false>(from, back), walk(false, 2));
            prop_assert_eq!(map.scan::<OneFree, true>(from, ahead), walk(true, 1));
            prop_assert_eq!(map.scan::<OneFree, false>(from, back), walk(false, 1));
            prop_assert_eq!(map.scan::<Always, true>(from, ahead), walk(true, 0));
            prop_assert_eq!(map.scan::<Always, false>(from, back), walk(false, 0));
        }
    }
}
