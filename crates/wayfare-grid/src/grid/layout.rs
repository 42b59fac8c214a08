//! Where the cells of a grid lie in memory.

use wayfare_core::inside::state_id;
use wayfare_core::space::StateId;

state_id! {
    /// A cell of a grid.
    ///
    /// Its index counts through rows that are padded with a column of blocked cells on the left and
    /// up to seven on the right, and with a blocked row above and below, so that the neighbours of
    /// a cell need no check of the map's edge. Get one from [`Grid::cell`](super::Grid::cell) and
    /// its coordinates from [`Grid::coordinates`](super::Grid::coordinates).
    Cell
}

/// The column and row of a cell, counted from 0: see
/// [`Grid::coordinates`](super::Grid::coordinates).
///
/// Example: [`Grid::coordinates`](super::Grid::coordinates).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellPosition {
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

impl From<CellPosition> for (u32, u32) {
    fn from(at: CellPosition) -> Self {
        (at.x, at.y)
    }
}

impl std::fmt::Display for CellPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// The largest width and height of a grid.
pub const MAX_SIDE: u32 = 16_384;

/// The size of a grid and the arithmetic of its padded cell ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// In cells.
    pub width: u32,
    /// In cells.
    pub height: u32,
    /// Cells from one row to the next: a multiple of 8, so that rows begin on whole bytes of a bit
    /// map.
    pub stride: u32,
    /// 2⁴⁰ / (stride / 8), rounded up: divides by multiplication.
    reciprocal: u64,
}

const SHIFT: u32 = 40;

impl Layout {
    /// `width` and `height` from 1 to [`MAX_SIDE`].
    #[doc(hidden)]
    pub fn new(width: u32, height: u32) -> Self {
        let stride = (width + 1).next_multiple_of(8);
        Self { width, height, stride, reciprocal: (1u64 << SHIFT).div_ceil(u64::from(stride / 8)) }
    }

    /// Returns the number of cells, padding included.
    #[doc(hidden)]
    pub fn bound(&self) -> usize {
        self.stride as usize * (self.height as usize + 2)
    }

    #[inline]
    #[doc(hidden)]
    pub fn cell(&self, x: u32, y: u32) -> Cell {
        Cell((y + 1) * self.stride + x + 1)
    }

    /// Returns the coordinates of a cell; for padding they lie beyond the map, wrapped around below
    /// zero.
    #[inline]
    #[doc(hidden)]
    pub fn coordinates(&self, cell: Cell) -> (u32, u32) {
        let row = ((u64::from(cell.0 / 8) * self.reciprocal) >> SHIFT) as u32;
        ((cell.0 - row * self.stride).wrapping_sub(1), row.wrapping_sub(1))
    }

    /// Returns whether the id is that of a cell on the map, not of the padding or beyond.
    pub fn contains(&self, cell: Cell) -> bool {
        if cell.index() as usize >= self.bound() {
            return false;
        }
        let (x, y) = self.coordinates(cell);
        x < self.width && y < self.height
    }

    /// Returns all cells on the map, row by row.
    #[doc(hidden)]
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + Clone {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| self.cell(x, y)))
    }

    /// Returns the offsets to the eight neighbours in the order of the bits of [`super::moves`].
    #[doc(hidden)]
    pub fn offsets(&self) -> [i32; 8] {
        let s = self.stride as i32;
        [-s - 1, -s, -s + 1, -1, 1, s - 1, s, s + 1]
    }
}
