//! Signs of whole lines at once, eight to 48 cells at a time.
//!
//! Let `n` be the next cell after `c` in a straight direction. By [`signs`](super::signs)
//!
//! `sign(c) = free(n) and (turns(n) or sign(n))`
//!
//! Let `x(n)` be the right side. Then `x(n) = free(n) and turns(n), or free(n) and x(next of n)`: a
//! carry chain, as in the addition of binary numbers, where `free and turns` generates a carry and
//! `free` hands it on. A word of cells takes six steps that double the distance (P. Kogge, H.
//! Stone, "A parallel algorithm for the efficient solution of a general class of recurrence
//! equations", 1973). The carry out of a word goes into the next one. Lines begin and end at
//! blocked cells, which hand nothing on.
//!
//! The results are bits along lines. [`SPREAD`] makes bytes of them. Those of columns are
//! transposed before, eight columns by eight rows, so that signs are written by eight along the
//! rows.

use super::bits::BitMap;
use super::scan::{Rows, Turns};
use super::signs::{EAST, NORTH, SOUTH, WEST};
use crate::grid::Cell;
use crate::grid::layout::Layout;
use crate::grid::moves::DIAGONALS;

/// Eight bits as the lowest bits of eight bytes.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[bits] |= ((bits as u64) >> bit & 1) << (8 * bit);
            bit += 1;
        }
        bits += 1;
    }
    table
};

/// Bytes of cells that a step works out; the words it reads have one more before and after.
const STEP: usize = 6;
/// Their bits in these words.
const BLOCK: u64 = ((1 << (8 * STEP)) - 1) << 8;
const FIRST: u64 = 1 << 8;
const LAST: u64 = 1 << (8 * STEP + 7);

/// The signs of one line, a bit a cell in the order of its map.
#[derive(Default)]
struct LineSigns {
    /// Towards higher ids, and towards lower.
    forward: Vec<u8>,
    backward: Vec<u8>,
}

/// Returns the three rows around eight cells before `byte` and all that follow it.
fn rows_before(map: &BitMap, byte: usize) -> Rows {
    let (byte, row) = (byte - 1, map.row_bytes());
    Rows { above: map.word(byte - row), here: map.word(byte), below: map.word(byte + row) }
}

impl LineSigns {
    /// Works out a line of `length` cells, which `map` holds as a row. O(cells / 48).
    fn read<T: Turns>(&mut self, map: &BitMap, line: u32, length: u32, stride: u32) {
        let begin = BitMap::byte(Cell((line + 1) * stride));
        let bytes = map.row_bytes();
        for signs in [&mut self.forward, &mut self.backward] {
            signs.clear();
            signs.resize(bytes.next_multiple_of(STEP), 0);
        }
        let mut carry = 0;
        for (at, signs) in self.backward.chunks_exact_mut(STEP).enumerate() {
            let rows = rows_before(map, begin + STEP * at);
            let free = rows.here & BLOCK;
            let mut leads = free & (T::of::<false>(rows) | carry);
            let mut hands_on = free;
            for distance in [1, 2, 4, 8, 16, 32] {
                leads |= hands_on & leads << distance;
                hands_on &= hands_on << distance;
            }
            let word = (leads << 1 | carry) >> 8;
            signs.copy_from_slice(&word.to_le_bytes()[..STEP]);
            carry = if leads & LAST == 0 { 0 } else { FIRST };
        }
        carry = 0;
        for (at, signs) in self.forward.chunks_exact_mut(STEP).enumerate().rev() {
            let rows = rows_before(map, begin + STEP * at);
            let free = rows.here & BLOCK;
            let mut leads = free & (T::of::<true>(rows) | carry);
            let mut hands_on = free;
            for distance in [1, 2, 4, 8, 16, 32] {
                leads |= hands_on & leads >> distance;
                hands_on &= hands_on >> distance;
            }
            let word = (leads >> 1 | carry) >> 8;
            signs.copy_from_slice(&word.to_le_bytes()[..STEP]);
            carry = if leads & FIRST == 0 { 0 } else { LAST };
        }
        // The padding has no signs: the bit before the line, and those after it.
        for signs in [&mut self.forward, &mut self.backward] {
            signs.truncate(bytes);
            signs[0] &= !1;
            if let Some(last) = signs.get_mut(length as usize / 8) {
                *last &= u8::MAX >> (7 - length % 8);
            }
        }
    }
}

/// Writes eight signs: clears `bits` of each and sets those of `signs`.
#[inline]
fn write(eight: &mut [u8], bits: u8, signs: u64) {
    if let Some(eight) = eight.first_chunk_mut::<8>() {
        let kept = u64::from_le_bytes(*eight) & !(SPREAD[255] * u64::from(bits));
        *eight = (kept | signs).to_le_bytes();
    }
}

/// Returns the bytes of a bit, where `cells` has it.
#[inline]
fn spread(cells: u8, bit: u8) -> u64 {
    SPREAD[usize::from(cells)] * u64::from(bit)
}

/// Memory to fill lines with.
#[derive(Default)]
pub(super) struct SignWriter {
    lines: [LineSigns; 8],
}

impl SignWriter {
    /// Fills the signs of a row, diagonals included, among eight neighbours. O(cells / 8).
    pub(super) fn fill_row<T: Turns>(
        &mut self,
        (map, layout): (&BitMap, &Layout),
        signs: &mut [u8],
        row: u32,
    ) {
        let [line, ..] = &mut self.lines;
        line.read::<T>(map, row, layout.width, layout.stride);
        let begin = (row + 1) * layout.stride;
        let first_byte = BitMap::byte(Cell(begin));
        let passes = |one: u64, other: u64| match T::LEAST_FREE_CORNERS {
            0 => u64::MAX,
            1 => one | other,
            _ => one & other,
        };
        let cells = signs[begin as usize..].chunks_exact_mut(8);
        let straight = line.forward.iter().zip(&line.backward);
        for ((at, eight), (&east, &west)) in cells.enumerate().zip(straight) {
            let Rows { above, here, below } = rows_before(map, first_byte + at);
            let (to_west, to_east) = (here << 1, here >> 1);
            let diagonal = |ahead: u64, beside: u64, row: u64| {
                ((here & ahead & passes(beside, row)) >> 8) as u8
            };
            let all = spread(east, EAST)
                | spread(west, WEST)
                | spread(diagonal(above << 1, to_west, above), 1)
                | spread(diagonal(above >> 1, to_east, above), 1 << 2)
                | spread(diagonal(below << 1, to_west, below), 1 << 5)
                | spread(diagonal(below >> 1, to_east, below), 1 << 7);
            write(eight, EAST | WEST | DIAGONALS, all);
        }
    }

    /// Fills the signs along the eight columns that the bytes of number `group` of all rows hold.
    /// `columns` is the map transposed, with `column_stride` cells from one column to the next.
    /// O(cells / 8).
    pub(super) fn fill_columns<T: Turns>(
        &mut self,
        (columns, column_stride, layout): (&BitMap, u32, &Layout),
        signs: &mut [u8],
        group: u32,
    ) {
        for (line, place) in self.lines.iter_mut().zip(8 * group..) {
            // The first place of a row is padding.
            match place.checked_sub(1) {
                Some(x) if x < layout.width => {
                    line.read::<T>(columns, x, layout.height, column_stride);
                }
                _ => {
                    line.forward.clear();
                    line.backward.clear();
                }
            }
        }
        let byte = |signs: &[u8], at: usize| signs.get(at).copied().unwrap_or_default();
        for at in 0..columns.row_bytes() {
            let of = |signs: fn(&LineSigns) -> &[u8]| {
                let columns = self.lines.each_ref().map(|line| byte(signs(line), at));
                transposed(u64::from_le_bytes(columns)).to_le_bytes()
            };
            let (south, north) = (of(|line| &line.forward), of(|line| &line.backward));
            for (row, (south, north)) in (8 * at..).zip(south.into_iter().zip(north)) {
                if (1..=layout.height as usize).contains(&row) {
                    let begin = row * layout.stride as usize + 8 * group as usize;
                    let all = spread(south, SOUTH) | spread(north, NORTH);
                    write(&mut signs[begin..], SOUTH | NORTH, all);
                }
            }
        }
    }
}

/// Eight bytes of eight bits, transposed: bit `b` of byte `a` becomes bit `a` of byte `b`. By
/// exchanging blocks of 1, 2 and 4 bits across the diagonal.
#[inline]
pub fn transposed(mut bits: u64) -> u64 {
    for (distance, mask) in
        [(7, 0x00AA_00AA_00AA_00AA_u64), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)]
    {
        let exchanged = (bits ^ bits >> distance) & mask;
        bits ^= exchanged ^ exchanged << distance;
    }
    bits
}
