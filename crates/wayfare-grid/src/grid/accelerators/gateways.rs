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
//! be a run of at most 64 cells that separates, and that has just one run beside it on one of its
//! sides. So that side lies in one room; the other side does too, as the run joins it ([`Side`]).
//! Longer lines say little about the way ahead, and an obstacle amid open ground would move them.
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

use super::open_cells::{BitLines, Position};
use super::pieces::Numbers;
use super::runs::reach;
use super::signs::Signed;
use crate::grid::Cell;
use crate::grid::layout::Layout;

/// Lines from one gateway to the next along a passage whose width stays the same.
const SPACING: u16 = 4;

/// The most cells of a gateway.
const LONGEST: u32 = 64;

/// The order in which candidates come before those beside them.
fn rank(Gateway { line, first, last, .. }: Gateway) -> (u16, u16, u16) {
    (last - first, (line + SPACING / 2) % SPACING, line)
}

/// A run of free cells: its line, and its first and its last place in that, with the padding
/// counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub(super) line: u32,
    pub(super) first: u32,
    pub(super) last: u32,
}

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

/// The rows of a map, or its columns.
#[derive(Clone, Copy)]
pub(super) struct Lines<'m> {
    free: BitLines<'m>,
    /// The number of lines, and of the cells of each.
    count: u32,
    length: u32,
    reach: u32,
    is_column: bool,
}

impl<'m> Lines<'m> {
    pub(super) fn of(map: Signed<'m>, is_column: bool) -> Self {
        let Layout { width, height, .. } = *map.layout;
        let [length, count] = if is_column { [height, width] } else { [width, height] };
        let reach = reach(map.neighbours, map.corners);
        Self { free: BitLines::of_free(map, is_column), count, length, reach, is_column }
    }

    pub(super) fn is_column(&self) -> bool {
        self.is_column
    }

    /// Returns the cell at a place of a line.
    pub(super) fn cell(&self, line: u32, at: u32) -> Cell {
        Cell(self.free.cell(Position { line, at }))
    }

    /// Returns all runs, line by line.
    pub(super) fn runs(self) -> impl Iterator<Item = Run> + 'm {
        (1..=self.count).flat_map(move |line| self.runs_among(line, [1, self.length]))
    }

    /// Returns the runs with cells from one place of a line to another, some of the padding
    /// perhaps.
    pub(super) fn runs_among(
        self,
        line: u32,
        [mut from, to]: [u32; 2],
    ) -> impl Iterator<Item = Run> + 'm {
        let to = to.min(self.length);
        std::iter::from_fn(move || {
            let at = self.free.next(Position { line, at: from }, to)?;
            let [first, last] = self.free.stretch(Position { line, at });
            from = last + 1;
            Some(Run { line, first, last })
        })
    }

    /// Returns the lines beside a run, and the places of cells that one of it has moves to.
    pub(super) fn beside(&self, run: Run) -> [(u32, [u32; 2]); 2] {
        let places = [run.first - self.reach, run.last + self.reach];
        [run.line - 1, run.line + 1].map(|line| (line, places))
    }

    /// Returns the separation by a run, if it is a gateway by the first rule. O(cells of the run /
    /// 64 + runs beside it).
    pub(super) fn separation(&self, run: Run, numbers: &Numbers) -> Option<Separation> {
        let found = self.candidate(run, numbers)?;
        let rank_of_own = rank(found.gateway);
        let comes_first = |beside: Run| {
            self.candidate(beside, numbers).is_none_or(|other| rank_of_own < rank(other.gateway))
        };
        let mut beside = self.beside(run).into_iter();
        beside.all(|(line, places)| self.runs_among(line, places).all(comes_first)).then_some(found)
    }

    fn candidate(&self, run: Run, numbers: &Numbers) -> Option<Separation> {
        let Run { line, first, last } = run;
        let number = |at: u32| numbers[self.cell(line, at).0 as usize];
        if last - first >= LONGEST || number(first - 1) != number(last + 1) {
            return None;
        }
        let [before, after] = self.beside(run);
        let (before, before_is_one) = self.side(before)?;
        let (after, after_is_one) = self.side(after)?;
        let own = match (before_is_one, after_is_one) {
            (_, true) => Side::Before,
            (true, false) => Side::After,
            (false, false) => return None,
        };
        let [line, first, last] = [line, first, last].map(|padded| (padded - 1) as u16);
        let gateway = Gateway { is_column: self.is_column, line, first, last };
        Some(Separation { gateway, own, beside: [before, after] })
    }

    /// Returns a free cell among some places of a line, and whether all of them are in one run.
    fn side(&self, (line, [first, last]): (u32, [u32; 2])) -> Option<(Cell, bool)> {
        let at = self.free.next(Position { line, at: first }, last)?;
        let end = self.free.next_clear(Position { line, at });
        let is_one = self.free.next(Position { line, at: end }, last).is_none();
        Some((self.cell(line, at), is_one))
    }
}

/// Returns the cells of a gateway.
pub(super) fn cells_of(gateway: Gateway, layout: &Layout) -> impl Iterator<Item = Cell> + use<> {
    let (line, first) = (u32::from(gateway.line), u32::from(gateway.first));
    let begin = if gateway.is_column { layout.cell(line, first) } else { layout.cell(first, line) };
    let step = if gateway.is_column { layout.stride } else { 1 };
    (0..=u32::from(gateway.last - gateway.first)).map(move |n| Cell(begin.0 + n * step))
}
