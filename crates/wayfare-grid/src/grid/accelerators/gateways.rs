//! Gateways: straight lines of free cells that cut a map in two.
//!
//! A *gateway* is a whole run of free cells along a row or a column, from obstacle to obstacle,
//! without which the cells on its two sides are not connected.
//!
//! # Which runs separate
//!
//! Count as one obstacle all blocked cells that no move leads between: those that touch, at corners
//! too unless moves cut corners; the edge of the map belongs to them. Let the two ends of a run
//! touch the *same* obstacle. Then the run closes a curve through that obstacle, and by Jordan's
//! theorem no way leads from one side to the other but through the run. Between two obstacles a run
//! separates nothing: a way leads around either. So a look at two numbers tells, and after an edit
//! only runs beside cells that changed, or whose obstacle did, are looked at again.
//!
//! # Which of them are gateways
//!
//! Any choice is correct. This one depends on the surroundings of a line alone. Let a *candidate*
//! be a run that separates, and that has just one run beside it on one of its sides. So that side
//! lies in one room; the other side does too, as the run joins it ([`Side`]).
//!
//! 1. A candidate stays if each candidate beside it is wider: a door, or the narrowest place of a
//!    passage. Of equally wide ones every fourth is taken to be the narrowest.
//! 2. Gateways do not cross. Where both could be, that along the column stays.
//!
//! Other choices make no search much shorter: by the number of cells cut off, the narrowest first,
//! all rows, or every fourth (docs/decisions/0022).
//!
//! The name is that of Y. Björnsson, K. Halldórsson, "Improved heuristics for optimal path-finding
//! on game maps", 2006, where gateways bound the areas of a decomposition and need not separate
//! them.

use wayfare_core::inside::Gateway;

use super::bits::BitMap;
use super::pieces::Numbers;
use super::runs::reach;
use super::signs::Signed;
use crate::grid::Cell;
use crate::grid::layout::Layout;

/// Lines from one gateway to the next along a passage whose width stays the same.
const SPACING: u16 = 4;

/// The order in which candidates come before those beside them.
fn rank(Gateway { line, first, last, .. }: Gateway) -> (u16, u16, u16) {
    (last - first, (line + SPACING / 2) % SPACING, line)
}

/// A run of free cells: its first and its last cell.
pub(super) type Run = (Cell, Cell);

/// A side of a gateway: of lower coordinates, or of higher ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Before,
    After,
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Before => Self::After,
            Self::After => Self::Before,
        }
    }
}

/// A gateway, and where its sides lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Separation {
    pub(super) gateway: Gateway,
    /// The side whose room the cells of the gateway join, and belong to.
    pub(super) own: Side,
    /// A free cell beside the gateway, before it and after it.
    pub(super) beside: [Cell; 2],
}

impl Separation {
    pub(super) fn cell_on(&self, side: Side) -> Cell {
        self.beside[side as usize]
    }

    /// Returns whether two describe one gateway with one owner.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.gateway, self.own) == (other.gateway, other.own)
    }
}

/// The lines of a map in one direction, in the order of one of its bit maps.
#[derive(Clone, Copy)]
pub(super) struct Lines<'m> {
    map: &'m BitMap,
    /// Of the bit map.
    layout: Layout,
    /// Of the grid.
    grid: &'m Layout,
    reach: u32,
    is_column: bool,
}

impl<'m> Lines<'m> {
    pub(super) fn rows(map: Signed<'m>) -> Self {
        let reach = reach(map.neighbours, map.corners);
        Self { map: map.rows, layout: *map.layout, grid: map.layout, reach, is_column: false }
    }

    pub(super) fn columns(map: Signed<'m>) -> Self {
        let layout = Layout::new(map.layout.height, map.layout.width);
        let reach = reach(map.neighbours, map.corners);
        Self { map: map.columns, layout, grid: map.layout, reach, is_column: true }
    }

    pub(super) fn is_column(&self) -> bool {
        self.is_column
    }

    /// Returns a cell of the grid in the order of the lines.
    pub(super) fn along(&self, cell: Cell) -> Cell {
        if !self.is_column {
            return cell;
        }
        let (x, y) = self.grid.coordinates(cell);
        self.layout.cell(y, x)
    }

    /// Returns a cell of the lines in the order of the grid.
    pub(super) fn back(&self, cell: u32) -> Cell {
        if !self.is_column {
            return Cell(cell);
        }
        // Padding has no coordinates of its own: they are counted from the corner before the map.
        let stride = self.layout.stride;
        Cell(cell % stride * self.grid.stride + cell / stride)
    }

    /// Returns all runs, line by line.
    pub(super) fn runs(self) -> impl Iterator<Item = Run> + 'm {
        (0..self.layout.height).flat_map(move |line| {
            let first = self.layout.cell(0, line);
            self.runs_among(first, first.0 + self.layout.width)
        })
    }

    /// Returns the run that a free cell lies in.
    pub(super) fn run(&self, cell: Cell) -> Run {
        self.map.stretch_around(cell)
    }

    /// Returns the runs with cells from one cell on to another of the same line.
    fn runs_among(self, mut from: Cell, end: u32) -> impl Iterator<Item = Run> + 'm {
        std::iter::from_fn(move || {
            let run = self.run(self.map.next(from, end)?);
            from = Cell(run.1.0 + 1);
            Some(run)
        })
    }

    /// Returns the runs beside a run.
    pub(super) fn joined(self, (first, last): Run) -> impl Iterator<Item = Run> + 'm {
        let stride = self.layout.stride;
        let beside = move |by: u32| {
            let (first, last) = (first.0.wrapping_add(by), last.0.wrapping_add(by));
            self.runs_among(Cell(first - self.reach), last + self.reach + 1)
        };
        beside(stride.wrapping_neg()).chain(beside(stride))
    }

    /// Returns the separation by a run, if it is a gateway by the first rule. O(cells of the run /
    /// 64 + runs beside it).
    pub(super) fn separation(&self, run: Run, numbers: &Numbers) -> Option<Separation> {
        let found = self.candidate(run, numbers)?;
        let rank_of_own = rank(found.gateway);
        let comes_first = |beside: Run| {
            self.candidate(beside, numbers).is_none_or(|other| rank_of_own < rank(other.gateway))
        };
        self.joined(run).all(comes_first).then_some(found)
    }

    fn candidate(&self, (first, last): Run, numbers: &Numbers) -> Option<Separation> {
        let number = |cell: u32| numbers[self.back(cell).0 as usize];
        if number(first.0 - 1) != number(last.0 + 1) {
            return None;
        }
        let stride = self.layout.stride;
        let (before, before_is_one) = self.side((first.0 - stride, last.0 - stride))?;
        let (after, after_is_one) = self.side((first.0 + stride, last.0 + stride))?;
        let own = match (before_is_one, after_is_one) {
            (_, true) => Side::Before,
            (true, false) => Side::After,
            (false, false) => return None,
        };
        let (from, line) = self.layout.coordinates(first);
        let gateway = Gateway {
            is_column: self.is_column,
            line: line as u16,
            first: from as u16,
            last: (from + (last.0 - first.0)) as u16,
        };
        Some(Separation { gateway, own, beside: [before, after].map(|cell| self.back(cell.0)) })
    }

    /// Returns a free cell beside a run, and whether all of them are in one run.
    fn side(&self, (first, last): (u32, u32)) -> Option<(Cell, bool)> {
        let (first, end) = (Cell(first - self.reach), last + self.reach + 1);
        let found = self.map.next(first, end)?;
        let is_one = self.map.next(self.map.next_clear(found), end).is_none();
        Some((found, is_one))
    }
}

/// Returns the cells of a gateway.
pub(super) fn cells_of(gateway: Gateway, layout: &Layout) -> impl Iterator<Item = Cell> + use<> {
    let (line, first) = (u32::from(gateway.line), u32::from(gateway.first));
    let begin = if gateway.is_column { layout.cell(line, first) } else { layout.cell(first, line) };
    let step = if gateway.is_column { layout.stride } else { 1 };
    (0..=u32::from(gateway.last - gateway.first)).map(move |n| Cell(begin.0 + n * step))
}
