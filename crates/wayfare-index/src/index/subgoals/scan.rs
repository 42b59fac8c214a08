//! Scans: from a cell along all lines, to the subgoals where a path may turn next.

use wayfare_grid::grid::Cell;
use wayfare_grid::inside::BitMap;

use super::{CellPair, Corners, Open, Subgoals, run, step};

/// The corners that turn a path arriving along a line, and a path departing along it.
#[derive(Clone, Copy)]
struct Way {
    coming: u8,
    going: u8,
}

impl Way {
    const WEST: Self = Self { coming: Corners::WEST, going: Corners::EAST };
    const EAST: Self = Self { coming: Corners::EAST, going: Corners::WEST };
    const NORTH: Self = Self { coming: Corners::NORTH, going: Corners::SOUTH };
    const SOUTH: Self = Self { coming: Corners::SOUTH, going: Corners::NORTH };
}

/// The result of a scan along a line.
#[derive(Clone, Copy)]
struct Line {
    /// The count of free cells, at most the count of scanned ones.
    free: u32,
    /// The count of them before the first subgoal.
    open: u32,
}

/// The scans from one cell.
pub(super) struct Scan<'a> {
    pub(super) subgoals: &'a Subgoals,
    pub(super) open: &'a Open,
    pub(super) free: &'a BitMap,
    /// The corners that a path can turn around at the start of the scan.
    pub(super) leaving: Corners,
}

impl Scan<'_> {
    /// Scans a line of `map` up to the first obstacle or `most` cells. `cell(n)` is the cell `n`
    /// steps along.
    ///
    /// Visits each subgoal on the line, except subgoals behind another one on the line.
    /// `is_chained` says that the line begins at such a subgoal.
    #[inline(always)]
    fn line<const FORWARD: bool>(
        &self,
        (map, from): (&BitMap, Cell),
        most: u32,
        way: Way,
        mut is_chained: bool,
        cell: impl Fn(u32) -> Cell,
        visit: &mut impl FnMut(Cell),
    ) -> Line {
        let mut line = Line { free: most, open: most };
        let mut begun = 0;
        while begun < most {
            let steps = run::<FORWARD>(map, step::<FORWARD>(from, begun), most - begun);
            if steps > most - begun {
                break;
            }
            begun += steps;
            let end = cell(begun);
            if !self.free.get(end) {
                line.free = begun - 1;
                line.open = line.open.min(begun - 1);
                break;
            }
            line.open = line.open.min(begun - 1);
            let corners = Corners::among(self.free.around(end));
            if !(is_chained && corners.turn(way.coming)) {
                visit(end);
            }
            is_chained |= corners.turn(way.going);
        }
        line
    }

    #[inline(always)]
    fn row<const EAST: bool>(
        &self,
        map: &BitMap,
        from: CellPair,
        most: u32,
        is_chained: bool,
        visit: &mut impl FnMut(Cell),
    ) -> Line {
        let way = if EAST { Way::EAST } else { Way::WEST };
        let cell = |steps| step::<EAST>(from.row, steps);
        self.line::<EAST>((map, from.row), most, way, is_chained, cell, visit)
    }

    #[inline(always)]
    fn column<const SOUTH: bool>(
        &self,
        map: &BitMap,
        from: CellPair,
        most: u32,
        is_chained: bool,
        visit: &mut impl FnMut(Cell),
    ) -> Line {
        let way = if SOUTH { Way::SOUTH } else { Way::NORTH };
        let cell = |steps| step::<SOUTH>(from.row, steps * self.subgoals.layout.stride);
        self.line::<SOUTH>((map, from.column), most, way, is_chained, cell, visit)
    }

    /// Scans in all directions.
    pub(super) fn all(&self, from: Cell, visit: &mut impl FnMut(Cell)) {
        let Subgoals { layout, transposed, .. } = self.subgoals;
        let (x, y) = layout.coordinates(from);
        let from = CellPair { row: from, column: transposed.cell(y, x) };
        // A corner behind an arriving path is ahead of one that departs in the opposite direction.
        let straight = |visited: &mut dyn FnMut(Cell), going: u8, direction: u8| {
            let mut visit = |cell| {
                if self.leaving.turn(going) {
                    visited(cell);
                }
            };
            let Open { west, east, north, south, .. } = self.open;
            match direction {
                0 => self.column::<false>(north, from, u32::MAX, false, &mut visit).free,
                1 => self.row::<false>(west, from, u32::MAX, false, &mut visit).free,
                2 => self.row::<true>(east, from, u32::MAX, false, &mut visit).free,
                _ => self.column::<true>(south, from, u32::MAX, false, &mut visit).free,
            }
        };
        let north = straight(visit, Corners::SOUTH, 0);
        let west = straight(visit, Corners::EAST, 1);
        let east = straight(visit, Corners::WEST, 2);
        let south = straight(visit, Corners::NORTH, 3);
        // Diagonal moves turn around the same corners in both directions.
        let (falls, rises) =
            (self.leaving.turn(Corners::FALLING), self.leaving.turn(Corners::RISING));
        if self.subgoals.has_diagonals {
            if falls {
                self.diagonal::<false, false>(from, [west, north], visit);
                self.diagonal::<true, true>(from, [east, south], visit);
            }
            if rises {
                self.diagonal::<true, false>(from, [east, north], visit);
                self.diagonal::<false, true>(from, [west, south], visit);
            }
        } else {
            if falls {
                self.bent::<false, false>(from, north, visit);
                self.bent::<true, true>(from, south, visit);
            }
            if rises {
                self.bent::<true, false>(from, north, visit);
                self.bent::<false, true>(from, south, visit);
            }
        }
    }

    /// Scans along a diagonal, and from each of its cells along the row and the column.
    #[inline(always)]
    fn diagonal<const EAST: bool, const SOUTH: bool>(
        &self,
        mut at: CellPair,
        [mut in_row, mut in_column]: [u32; 2],
        visit: &mut impl FnMut(Cell),
    ) {
        let Subgoals { layout, transposed, .. } = self.subgoals;
        let bit = (if SOUTH { 5 } else { 0 }) + (if EAST { 2 } else { 0 });
        let [rows, columns] = if EAST == SOUTH { &self.open.falling } else { &self.open.rising };
        while self.subgoals.moves(self.free, at.row) >> bit & 1 == 1 {
            at.row = step::<EAST>(step::<SOUTH>(at.row, layout.stride), 1);
            at.column = step::<SOUTH>(step::<EAST>(at.column, transposed.stride), 1);
            let is_subgoal = !rows.get(at.row);
            let mut chained = [false; 2];
            if is_subgoal {
                visit(at.row);
                let corners = Corners::among(self.free.around(at.row));
                chained = [
                    corners.turn(if EAST { Way::EAST } else { Way::WEST }.going),
                    corners.turn(if SOUTH { Way::SOUTH } else { Way::NORTH }.going),
                ];
            }
            let row = self.row::<EAST>(rows, at, in_row, chained[0], visit);
            let column = self.column::<SOUTH>(columns, at, in_column, chained[1], visit);
            if is_subgoal {
                return;
            }
            (in_row, in_column) = (row.open, column.open);
        }
    }

    /// Scans along the row, and from each of its cells along the column.
    fn bent<const EAST: bool, const SOUTH: bool>(
        &self,
        mut at: CellPair,
        mut in_column: u32,
        visit: &mut impl FnMut(Cell),
    ) {
        let way = if EAST { Way::EAST } else { Way::WEST };
        let back = if SOUTH { Way::SOUTH } else { Way::NORTH }.going;
        let class = if EAST == SOUTH { Corners::FALLING } else { Corners::RISING };
        let columns = &if EAST == SOUTH { &self.open.falling } else { &self.open.rising }[1];
        loop {
            at.row = step::<EAST>(at.row, 1);
            at.column = step::<EAST>(at.column, self.subgoals.transposed.stride);
            if !self.free.get(at.row) {
                return;
            }
            let corners = Corners::among(self.free.around(at.row));
            let is_subgoal = corners.turn(way.coming);
            let is_chained = is_subgoal && corners.turn(back);
            let column = self.column::<SOUTH>(columns, at, in_column, is_chained, visit);
            if is_subgoal && corners.turn(class) {
                return;
            }
            // The next column is scanned as far as the first subgoal of this one. A path to a cell
            // further on may as well pass that subgoal.
            in_column = column.free.min(column.open.saturating_add(1));
            if in_column == 0 {
                return;
            }
        }
    }
}
