//! Open cells: the free cells of no gateway, which rooms consist of.
//!
//! Open cells side by side lie in one room. So a flood takes whole stretches of a line, by words of
//! a bit map: along rows or along columns, whichever are longer.
//!
//! Memory: four bits a cell.

use super::bits::BitMap;
use super::signs::Signed;
use crate::grid::Cell;
use crate::grid::layout::Layout;

/// The cells of rooms and those of gateways, by rows and transposed.
#[derive(Clone, Debug)]
pub(super) struct OpenCells {
    open: [BitMap; 2],
    gateways: [BitMap; 2],
    strides: [u32; 2],
}

/// A position in the lines of one direction: the number of the line and the place in it, both with
/// the padding counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) at: u32,
}

impl Position {
    /// As one word. A side is far below 2¹⁶ cells long.
    pub(super) fn packed(self) -> u32 {
        self.line << 16 | self.at
    }

    pub(super) fn of_packed(packed: u32) -> Self {
        Self { line: packed >> 16, at: packed & 0xFFFF }
    }
}

/// The lines of a bit map and the ids that its cells have in the grid.
#[derive(Clone, Copy)]
pub(super) struct BitLines<'m> {
    map: &'m BitMap,
    /// Between two lines of the map.
    stride: u32,
    /// Between the ids of neighbours along a line, and between those of adjacent lines.
    pub(super) along: u32,
    across: u32,
}

impl<'m> BitLines<'m> {
    fn new(maps: [&'m BitMap; 2], strides: [u32; 2], is_column: bool) -> Self {
        let place = usize::from(is_column);
        let [along, across] = if is_column { [strides[0], 1] } else { [1, strides[0]] };
        Self { map: maps[place], stride: strides[place], along, across }
    }

    /// Returns the rows of a map, or its columns.
    pub(super) fn of_free(map: Signed<'m>, is_column: bool) -> Self {
        let strides = [map.layout.stride, map.column_stride];
        Self::new([map.rows, map.columns], strides, is_column)
    }

    fn bit(&self, Position { line, at }: Position) -> Cell {
        Cell(line * self.stride + at)
    }

    /// Returns the id of a cell in the grid.
    pub(super) fn cell(&self, Position { line, at }: Position) -> u32 {
        line * self.across + at * self.along
    }

    /// Returns the first and the last place of the set cells around a set one.
    pub(super) fn stretch(&self, position: Position) -> [u32; 2] {
        let (first, last) = self.map.stretch_around(self.bit(position));
        let begin = position.line * self.stride;
        [first.0 - begin, last.0 - begin]
    }

    /// Returns the place of the first set cell from a position on, up to a place in the line.
    pub(super) fn next(&self, from: Position, to: u32) -> Option<u32> {
        let begin = from.line * self.stride;
        self.map.next(self.bit(from), begin + to + 1).map(|cell| cell.0 - begin)
    }

    /// Returns the place of the first cell from a position on that is not set.
    pub(super) fn next_clear(&self, from: Position) -> u32 {
        self.map.next_clear(self.bit(from)).0 - from.line * self.stride
    }
}

impl OpenCells {
    /// Returns all free cells of a map.
    pub(super) fn new(map: Signed<'_>) -> Self {
        let transposed = Layout::new(map.layout.height, map.layout.width);
        Self {
            open: [map.rows.clone(), map.columns.clone()],
            gateways: [BitMap::new(map.layout), BitMap::new(&transposed)],
            strides: [map.layout.stride, map.column_stride],
        }
    }

    /// Returns the open cells by rows.
    pub(super) fn rows(&self) -> &BitMap {
        &self.open[0]
    }

    /// Returns the open cells by rows, or by columns.
    pub(super) fn lines(&self, is_column: bool) -> BitLines<'_> {
        BitLines::new(self.open.each_ref(), self.strides, is_column)
    }

    /// Returns the cells of gateways by rows, or by columns.
    pub(super) fn gateways(&self, is_column: bool) -> BitLines<'_> {
        BitLines::new(self.gateways.each_ref(), self.strides, is_column)
    }

    /// Notes whether a cell is open or one of a gateway: never both.
    pub(super) fn set(&mut self, layout: &Layout, cell: Cell, is_open: bool, is_gateway: bool) {
        let Position { line, at } = self.position(layout, cell, true);
        let across = Cell(line * self.strides[1] + at);
        for (maps, is_set) in [(&mut self.open, is_open), (&mut self.gateways, is_gateway)] {
            maps[0].set(cell, is_set);
            maps[1].set(across, is_set);
        }
    }

    /// Returns the position of a cell in its row, or in its column.
    pub(super) fn position(&self, layout: &Layout, cell: Cell, is_column: bool) -> Position {
        let (x, y) = layout.coordinates(cell);
        let (x, y) = (x.wrapping_add(1), y.wrapping_add(1));
        if is_column { Position { line: x, at: y } } else { Position { line: y, at: x } }
    }

    /// Returns whether more open cells lie around one in its column than in its row.
    pub(super) fn is_longer_along_column(&self, layout: &Layout, cell: Cell) -> bool {
        let [row, column] = [false, true].map(|is_column| {
            let [first, last] =
                self.lines(is_column).stretch(self.position(layout, cell, is_column));
            last - first
        });
        column > row
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.open.iter().chain(&self.gateways).map(BitMap::size_in_bytes).sum()
    }
}
