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
pub struct Rows {
    /// The cells above.
    pub above: u64,
    /// The cells of the line itself.
    pub here: u64,
    /// The cells below.
    pub below: u64,
}

/// The end of a scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop {
    /// Cells from the first to the last, at least 1.
    pub steps: u32,
    /// Whether the cell is free and has a forced neighbour. If not, it is blocked.
    pub is_jump_point: bool,
}

/// The cells with a forced neighbour under a corner rule.
///
/// Where diagonals need both cells beside them, a path turns beside the first free cell after a
/// wall; otherwise beside the wall's last cell.
pub trait Turns {
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
pub struct BothFree;

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
pub struct OneFree;

impl Turns for OneFree {
    const LEAST_FREE_CORNERS: u32 = 1;

    #[inline(always)]
    fn of<const FORWARD: bool>(rows: Rows) -> u64 {
        Always::of::<FORWARD>(rows) & ahead::<FORWARD>(rows.here)
    }
}

/// Diagonals that pass between walls: turns beside a wall's last cell.
pub struct Always;

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
    pub fn rows<const FORWARD: bool>(&self, from: Cell) -> Rows {
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
    pub fn scan<T: Turns, const FORWARD: bool>(&self, from: Cell, mut rows: Rows) -> Stop {
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
