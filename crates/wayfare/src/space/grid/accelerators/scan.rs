//! Scans along the rows of a bit map, 48 cells at a time: how far a straight line runs until something bars or turns it.
//!
//! D. Harabor, A. Grastien, "Improving jump point search", 2014: rows are packed into words, the cells where a wall to the
//! side begins or ends fall out of three words and a shift, and the first of them is a count of zeros.

use super::bits::BitMap;
use crate::space::grid::Cell;

/// The three rows that a scan looks at. The cell that it starts from is the lowest bit of a scan towards higher ids, and the
/// highest of one towards lower ids; at least 55 bits from there on count.
#[derive(Clone, Copy)]
pub(in crate::space::grid) struct Rows {
    pub(in crate::space::grid) above: u64,
    pub(in crate::space::grid) here: u64,
    pub(in crate::space::grid) below: u64,
}

/// Where a scan ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::space::grid) struct Stop {
    /// Cells from where it began.
    pub(in crate::space::grid) steps: u32,
    /// Whether the cell is free, and one where a path may have to turn. If not, it is blocked.
    pub(in crate::space::grid) is_jump_point: bool,
}

/// Where paths turn under a corner rule. Where diagonals need both cells beside them, one comes past a wall before it turns;
/// otherwise the turn is made beside the wall's last cell.
pub(in crate::space::grid) trait Turns {
    /// How many of the two cells beside a diagonal must be free.
    const LEAST_FREE_CORNERS: u32;
    /// The cells to turn at among those ahead.
    fn of<const FORWARD: bool>(rows: Rows) -> u64;
}

/// Bytes that a scan advances by.
const STEP: usize = 6;
/// The cells that it looks at before: one to 48 ahead.
const LOOKED_AT: u64 = (2 << (8 * STEP)) - 2;

/// Shifts what lies behind a cell onto it.
#[inline(always)]
fn behind<const FORWARD: bool>(word: u64) -> u64 {
    if FORWARD { word << 1 } else { word >> 1 }
}

/// Shifts what lies ahead of a cell onto it.
#[inline(always)]
fn ahead<const FORWARD: bool>(word: u64) -> u64 {
    if FORWARD { word >> 1 } else { word << 1 }
}

/// Diagonals that need both cells beside them, and no diagonals at all: turns beside the first free cell after a wall.
pub(in crate::space::grid) struct BothFree;

impl Turns for BothFree {
    const LEAST_FREE_CORNERS: u32 = 2;

    #[inline(always)]
    fn of<const FORWARD: bool>(rows: Rows) -> u64 {
        (rows.above & !behind::<FORWARD>(rows.above))
            | (rows.below & !behind::<FORWARD>(rows.below))
    }
}

/// Diagonals that need one of the cells beside them: turns beside a wall's last cell, if the way is open ahead.
pub(in crate::space::grid) struct OneFree;

impl Turns for OneFree {
    const LEAST_FREE_CORNERS: u32 = 1;

    #[inline(always)]
    fn of<const FORWARD: bool>(rows: Rows) -> u64 {
        Always::of::<FORWARD>(rows) & ahead::<FORWARD>(rows.here)
    }
}

/// Diagonals that pass between walls: turns beside a wall's last cell.
pub(in crate::space::grid) struct Always;

impl Turns for Always {
    const LEAST_FREE_CORNERS: u32 = 0;

    #[inline(always)]
    fn of<const FORWARD: bool>(rows: Rows) -> u64 {
        (!rows.above & ahead::<FORWARD>(rows.above)) | (!rows.below & ahead::<FORWARD>(rows.below))
    }
}

impl BitMap {
    /// The rows around a cell on the map, for a scan from there.
    #[inline(always)]
    pub(in crate::space::grid) fn rows<const FORWARD: bool>(&self, from: Cell) -> Rows {
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

    /// The 57 cells or more from one on.
    #[inline(always)]
    fn shifted<const FORWARD: bool>(&self, byte: usize, bit: u32) -> u64 {
        if FORWARD { self.word(byte) >> bit } else { self.word(byte) << (7 - bit) }
    }

    /// Where a straight line from a free cell ends: at the first blocked cell, or at the first where a path may have to turn.
    /// Begins with `rows`, those around the cell.
    #[inline(always)]
    pub(in crate::space::grid) fn scan<T: Turns, const FORWARD: bool>(
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
    use super::*;
    use crate::space::grid::layout::Layout;
    use proptest::prelude::*;

    /// The same, cell by cell, straight from the papers.
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
