//! Clutter: the number of obstacles on a map. Many of them make rooms useless to searches.
//!
//! Around each obstacle that touches no other there are two ways, so that few lines separate
//! anything. A guide through the rooms of a wood skips next to nothing, and each tree moves
//! gateways at its sides. So a cluttered map has no rooms, nor has a small one that is mostly free:
//! searches there take less time than rooms need to follow an edit.
//!
//! # Counting obstacles
//!
//! Let obstacles be blocked cells that touch, at corners too. The number of obstacles less that of
//! the parts into which they divide the map is an Euler characteristic: a sum over all squares of 2
//! x 2 cells, `4 E = n1 - n3 - 2 nd`, with `n1` and `n3` the numbers of squares of one and three
//! blocked cells, and `nd` that of squares with two at opposite corners. A cell that changes its
//! state changes four squares. Source: S. B. Gray, "Local properties of binary images in two
//! dimensions", 1971.

use super::bits::BitMap;
use crate::grid::layout::Layout;

/// The fewest obstacles of a cluttered map.
const OBSTACLES: i64 = 512;
/// The most free cells to an obstacle of a cluttered map.
const CELLS_AN_OBSTACLE: i64 = 128;
/// The most cells of a small map, padding included.
const SMALL: usize = 4096;

/// The counts of a map.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clutter {
    /// Four times the Euler characteristic of the blocked cells.
    squares: i64,
    /// The number of free cells.
    free: i64,
}

/// The change of [`Clutter::squares`] when a cell becomes blocked, by the free cells around it.
static BLOCKED: [i8; 256] = {
    // The corner of each square around a cell, and the two cells between.
    const SQUARES: [[u8; 3]; 4] = [[0, 1, 3], [2, 1, 4], [5, 3, 6], [7, 4, 6]];
    let mut table = [0; 256];
    let mut free = 0;
    while free < 256 {
        let mut square = 0;
        while square < 4 {
            let [corner, one, other] = SQUARES[square];
            let cells = [free >> corner & 1 == 0, free >> one & 1 == 0, free >> other & 1 == 0];
            table[free] += part(cells, true) - part(cells, false);
            square += 1;
        }
        free += 1;
    }
    table
};

/// Returns the part of a square in the sum: its corner, the cells beside that, and the one
/// opposite.
const fn part([corner, one, other]: [bool; 3], opposite: bool) -> i8 {
    match corner as u8 + one as u8 + other as u8 + opposite as u8 {
        1 => 1,
        3 => -1,
        2 if one == other => -2,
        _ => 0,
    }
}

impl Clutter {
    /// Counts a whole map. O(cells / 48).
    pub fn of(map: &BitMap, layout: &Layout) -> Self {
        // Bytes that a step counts; the words it reads have one cell more.
        const STEP: usize = 6;
        let mut squares = 0;
        for row in 0..=layout.height {
            let begin = BitMap::byte(crate::grid::Cell(row * layout.stride));
            for byte in (0..map.row_bytes()).step_by(STEP) {
                let bits = 8 * (map.row_bytes() - byte).min(STEP) as u32;
                let [above, below] = [0, map.row_bytes()].map(|row| map.word(begin + byte + row));
                let (a, b, c, d) = (above, above >> 1, below, below >> 1);
                let count = |cells: u64| i64::from((cells & ((1 << bits) - 1)).count_ones());
                let is_odd = a ^ b ^ c ^ d;
                let three_free = is_odd & (a & b | c & d);
                let opposite = !(a ^ d) & !(b ^ c) & (a ^ b);
                squares += count(three_free) - count(is_odd & !three_free) - 2 * count(opposite);
            }
        }
        Self { squares, free: map.count().into() }
    }

    /// Follows a cell that became blocked or free. `around`: the free cells around it.
    pub fn follow(&mut self, around: u8, is_free: bool) {
        let change = i64::from(BLOCKED[usize::from(around)]);
        self.squares += if is_free { -change } else { change };
        self.free += if is_free { 1 } else { -1 };
    }

    /// Returns the number of obstacles, those at the edge of the map left out, less that of the
    /// parts into which they and the edge divide it.
    pub fn obstacles(&self) -> i64 {
        self.squares / 4
    }

    /// Returns whether searches of the map are guided by rooms.
    pub fn has_rooms(&self, layout: &Layout) -> bool {
        let is_cluttered =
            self.squares >= 4 * OBSTACLES && CELLS_AN_OBSTACLE * self.squares >= 4 * self.free;
        let cells = i64::from(layout.width * layout.height);
        let is_small_and_free = layout.bound() <= SMALL && 4 * self.free >= 3 * cells;
        !is_cluttered && !is_small_and_free
    }
}
