//! A bit map of the free cells.

use crate::grid::Cell;
use crate::grid::layout::Layout;

/// A bit map over the padded cells of a grid, eight to a byte in the order of their ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitMap {
    bytes: Vec<u8>,
    /// Bytes from one row to the next.
    row_bytes: usize,
}

/// Bytes before the first row and after the last, so that a word around any cell can be read whole.
const MARGIN: usize = 8;

impl BitMap {
    #[doc(hidden)]
    pub fn new(layout: &Layout) -> Self {
        Self {
            bytes: vec![0; layout.bound() / 8 + 2 * MARGIN],
            row_bytes: layout.stride as usize / 8,
        }
    }

    /// Bytes from one row to the next.
    #[inline]
    pub(in crate::grid) fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    #[inline]
    #[doc(hidden)]
    pub fn get(&self, cell: Cell) -> bool {
        self.bytes[Self::byte(cell)] >> (cell.0 & 7) & 1 == 1
    }

    #[doc(hidden)]
    pub fn set(&mut self, cell: Cell, free: bool) {
        let byte = &mut self.bytes[Self::byte(cell)];
        let bit = 1 << (cell.0 & 7);
        if free { *byte |= bit } else { *byte &= !bit }
    }

    /// Returns whether any of `cells` cells of a row is set, from `first` on. O(cells / 8).
    pub fn any(&self, first: Cell, cells: u32) -> bool {
        let (bytes, head, tail) = Self::stretch(first, cells);
        match &self.bytes[bytes] {
            [only] => only & head & tail != 0,
            [first, between @ .., last] => {
                first & head != 0 || last & tail != 0 || between.iter().any(|&byte| byte != 0)
            }
            [] => false,
        }
    }

    /// Returns whether all of `cells` cells of a row are set, from `first` on. O(1 + cells / 56).
    #[inline]
    pub fn all(&self, mut first: Cell, mut cells: u32) -> bool {
        // A word holds 64 cells from a whole byte on, and so at least 57 from any cell on.
        loop {
            let count = cells.min(56);
            let wanted = (1u64 << count) - 1;
            if !self.word(Self::byte(first)) >> (first.0 & 7) & wanted != 0 {
                return false;
            }
            if count == cells {
                return true;
            }
            (first, cells) = (Cell(first.0 + count), cells - count);
        }
    }

    /// Sets `width` cells of a row, from `first` on, and of the rows below, `height` rows in all.
    /// O(height * (1 + width / 8)).
    pub fn set_block(&mut self, first: Cell, width: u32, height: u32) {
        let (bytes, head, tail) = Self::stretch(first, width);
        let rows = height as usize;
        if bytes.len() == 1 {
            let column = self.bytes[bytes.start..].iter_mut().step_by(self.row_bytes);
            return column.take(rows).for_each(|byte| *byte |= head & tail);
        }
        for row in 0..rows {
            let begin = bytes.start + row * self.row_bytes;
            if let [first, between @ .., last] = &mut self.bytes[begin..begin + bytes.len()] {
                *first |= head;
                between.fill(u8::MAX);
                *last |= tail;
            }
        }
    }

    /// Returns the bytes that hold `cells` cells of a row, from `first` on, and which bits of the
    /// first byte and of the last belong to them.
    #[inline]
    fn stretch(first: Cell, cells: u32) -> (std::ops::Range<usize>, u8, u8) {
        let last = Cell(first.0 + cells - 1);
        (
            Self::byte(first)..Self::byte(last) + 1,
            u8::MAX << (first.0 & 7),
            u8::MAX >> (7 - (last.0 & 7)),
        )
    }

    /// Returns the index of the byte of a cell.
    #[inline]
    #[doc(hidden)]
    pub fn byte(cell: Cell) -> usize {
        (cell.0 >> 3) as usize + MARGIN
    }

    /// Returns the 64 cells that begin at a byte, the lowest id in the lowest bit; beyond the map
    /// all are blocked.
    #[inline(always)]
    #[doc(hidden)]
    pub fn word(&self, byte: usize) -> u64 {
        match self.bytes.get(byte..).and_then(<[u8]>::first_chunk) {
            Some(word) => u64::from_le_bytes(*word),
            None => 0,
        }
    }

    /// Returns the eight cells around one on the map, as bits in the order of
    /// [`moves`](crate::grid::moves).
    #[inline]
    #[doc(hidden)]
    pub fn around(&self, cell: Cell) -> u8 {
        // The cell to the west; rows begin on whole bytes, so the shift is the same in all three.
        let west = Cell(cell.0 - 1);
        let (byte, shift) = (Self::byte(west) - self.row_bytes, west.0 & 7);
        let three = |row: usize| {
            let at = byte + row * self.row_bytes;
            u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]) >> shift & 7
        };
        let (above, beside, below) = (three(0), three(1), three(2));
        (above | (beside & 1) << 3 | (beside & 4) << 2 | below << 5) as u8
    }

    /// Returns the first set cell from `from` on and before `end`.
    #[inline]
    pub(crate) fn next(&self, mut from: Cell, end: u32) -> Option<Cell> {
        while from.0 < end {
            let word = self.word(Self::byte(from)) >> (from.0 & 7);
            if word != 0 {
                let found = from.0 + word.trailing_zeros();
                return (found < end).then_some(Cell(found));
            }
            from.0 += 64 - (from.0 & 7);
        }
        None
    }

    /// Returns the first cell from `from` on that is not set. O(1 + cells / 64).
    #[inline]
    pub(crate) fn next_clear(&self, mut from: Cell) -> Cell {
        loop {
            let shift = from.0 & 7;
            let ones = (self.word(Self::byte(from)) >> shift).trailing_ones();
            from.0 += ones;
            if ones < 64 - shift {
                return from;
            }
        }
    }

    /// Returns the first and the last of the set cells around a set one, along its row. Padding
    /// bounds them. O(1 + cells / 64).
    #[inline]
    pub(crate) fn stretch_around(&self, cell: Cell) -> (Cell, Cell) {
        let mut first = cell.0;
        loop {
            // The word that ends with the byte of the cell, the cell in the highest bit.
            let shift = 7 - (first & 7);
            let ones = (self.word(Self::byte(Cell(first)) - 7) << shift).leading_ones();
            if ones < 64 - shift {
                break (Cell(first + 1 - ones), Cell(self.next_clear(cell).0 - 1));
            }
            first -= ones;
        }
    }

    /// Returns the cells on the map that are not set.
    pub(crate) fn inverse(&self, layout: &Layout) -> Self {
        let mut inverse = Self::new(layout);
        for row in 0..layout.height {
            let begin = Self::byte(Cell((row + 1) * layout.stride));
            let bytes = begin..begin + self.row_bytes;
            let places = inverse.bytes[bytes.clone()].iter_mut().zip(&self.bytes[bytes]);
            for (byte, (inverse, set)) in (0..).zip(places) {
                // The first bit of a row is padding, and so are those beyond the width.
                let on_map = (layout.width + 1 - (8 * byte).min(layout.width + 1)).min(8);
                *inverse = !set & ((1u16 << on_map) - 1) as u8 & !u8::from(byte == 0);
            }
        }
        inverse
    }

    /// Returns the number of set cells.
    pub(crate) fn count(&self) -> u32 {
        self.bytes.iter().map(|byte| byte.count_ones()).sum()
    }

    /// Returns all of it, margins included.
    #[doc(hidden)]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[doc(hidden)]
    pub fn size_in_bytes(&self) -> usize {
        self.bytes.len()
    }
}
