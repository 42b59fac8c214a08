//! Links between cells of a room: moves between cells of no gateway, and the gateways that the room
//! owns.

use super::gateways::{Separation, Side, cells_of};
use super::obstacle_links::{STRAIGHT_STEPS, is_ring, steps};
use super::open_cells::{BitLines, OpenCells, Position};
use super::pieces::{Flood, Links, Numbers, Stretch};
use super::rooms::{Entry, GATEWAY, NONE, is_room};
use super::runs::reach;
use super::signs::Signed;
use crate::grid::Cell;
use crate::grid::layout::Layout;

/// How cells of a room are linked: by moves, and by the gateways that the room owns.
pub(super) struct Moves<'r> {
    offsets: [i32; 8],
    reach: u32,
    layout: &'r Layout,
    gateways: &'r [Option<Entry>],
    cells: &'r OpenCells,
    /// The lines that floods go along: of open cells, and of those of gateways.
    is_column: bool,
    open: BitLines<'r>,
    shut: BitLines<'r>,
}

impl<'r> Moves<'r> {
    /// `is_column`: whether floods go along columns.
    pub(super) fn new(
        map: Signed<'r>,
        gateways: &'r [Option<Entry>],
        cells: &'r OpenCells,
        is_column: bool,
    ) -> Self {
        Self {
            offsets: map.layout.offsets(),
            reach: reach(map.neighbours, map.corners),
            layout: map.layout,
            gateways,
            cells,
            is_column,
            open: cells.lines(is_column),
            shut: cells.gateways(is_column),
        }
    }

    /// Returns whether the cells that one of a room is linked with are linked among the eight
    /// around it: not at a gateway, which may link it with others.
    pub(super) fn is_ring(&self, numbers: &Numbers, cell: u32, room: u32) -> bool {
        let mut is_at_gateway = false;
        self.visit_gateways(numbers, cell, |_, _, _| is_at_gateway = true);
        !is_at_gateway && is_ring(&self.offsets, self.reach, numbers, (cell, room))
    }

    /// Calls `visit` with each cell beside one: its number, and the step to it.
    fn visit_beside(&self, numbers: &Numbers, cell: u32, mut visit: impl FnMut(u32, u32, usize)) {
        let around = if self.reach > 0 { u8::MAX } else { STRAIGHT_STEPS };
        for (bit, offset) in steps(&self.offsets, around) {
            let other = cell.wrapping_add_signed(offset);
            visit(other, numbers[other as usize], bit);
        }
    }

    /// Calls `visit` with the index of each gateway beside a cell of a room, and the side of it
    /// that the cell lies on.
    pub(super) fn visit_gateways(
        &self,
        numbers: &Numbers,
        cell: u32,
        mut visit: impl FnMut(u32, Side, u32),
    ) {
        self.visit_beside(numbers, cell, |other, number, bit| {
            if let Some((index, side)) = self.gateway(number, bit) {
                visit(index, side, other);
            }
        });
    }

    /// Returns the index of a gateway by the number of its cells, and the side that a step leads to
    /// it from.
    fn gateway(&self, number: u32, bit: usize) -> Option<(u32, Side)> {
        if number & GATEWAY == 0 || number == NONE {
            return None;
        }
        let index = number ^ GATEWAY;
        let entry = self.gateways.get(index as usize)?.as_ref()?;
        let is_column = entry.separation.gateway.is_column;
        // The step to the gateway leads to higher coordinates from before it.
        let from_before: u8 = if is_column { 0b1001_0100 } else { 0b1110_0000 };
        let is_before = from_before >> bit & 1 == 1;
        Some((index, if is_before { Side::Before } else { Side::After }))
    }

    /// Visits the cells that the gateways beside a cell join it with, if its room owns them.
    ///
    /// Compiled once, as few cells are at a gateway.
    #[inline(never)]
    fn visit_owned(&self, numbers: &Numbers, cell: u32, visit: &mut dyn FnMut(u32)) {
        self.visit_gateways(numbers, cell, |index, side, at| {
            if let Some(Some(entry)) = self.gateways.get(index as usize)
                && entry.separation.own == side
            {
                self.visit_through(numbers, (entry, at), visit);
            }
        });
    }

    /// Visits the next cells of the owner, to either hand, that a gateway joins with a cell at it.
    fn visit_through(
        &self,
        numbers: &Numbers,
        (entry, at): (&Entry, u32),
        visit: &mut dyn FnMut(u32),
    ) {
        let Separation { gateway, own, .. } = entry.separation;
        let stride = self.layout.stride;
        let (along, across) = if gateway.is_column { (stride, 1) } else { (1, stride) };
        let first = cells_of(gateway, self.layout).next().map_or(at, |cell| cell.0);
        let last = first + u32::from(gateway.last - gateway.first) * along;
        let beside = |cell: u32| match own {
            Side::Before => cell - across,
            Side::After => cell + across,
        };
        let is_room = |cell: u32| is_room(numbers[beside(cell) as usize]);
        let (from, to) = (first - self.reach * along, last + self.reach * along);
        let mut back = at;
        while back > from {
            back -= along;
            if is_room(back) {
                visit(beside(back));
                break;
            }
        }
        let mut on = at;
        while on < to {
            on += along;
            if is_room(on) {
                visit(beside(on));
                break;
            }
        }
        if is_room(at) {
            visit(beside(at));
        }
    }
}

impl Moves<'_> {
    /// Looks at the cells of a line beside a stretch, from a position up to a place. Cells of two
    /// gateways never touch along a line, as gateways neither cross nor lie beside each other.
    fn look_beside(
        &self,
        numbers: &Numbers,
        flood: &mut Flood,
        former: u32,
        stretch: Position,
        (mut beside, to): (Position, u32),
    ) {
        let from = beside;
        while let Some(at) = self.open.next(beside, to) {
            beside.at = at;
            let number = numbers[self.open.cell(beside) as usize];
            if number == former {
                flood.next.push(beside.packed());
            } else {
                flood.come_beside(number);
            }
            beside.at = self.open.next_clear(beside);
        }
        beside = from;
        while let Some(at) = self.shut.next(beside, to) {
            beside.at = at;
            let number = numbers[self.open.cell(beside) as usize];
            self.come_to(numbers, flood, former, (number, stretch));
            beside.at = self.shut.next_clear(beside);
        }
    }

    /// Notes the gateway that a number is of, if it is, beside a stretch that begins at a position,
    /// and where the flood goes on through it.
    fn come_to(
        &self,
        numbers: &Numbers,
        flood: &mut Flood,
        former: u32,
        (number, stretch): (u32, Position),
    ) {
        if number & GATEWAY == 0 || number == NONE {
            return;
        }
        let index = number ^ GATEWAY;
        let Some(Some(entry)) = self.gateways.get(index as usize) else { return };
        let Separation { gateway, own, .. } = entry.separation;
        // The stretch does not cross the gateway.
        let across = if gateway.is_column == self.is_column { stretch.line } else { stretch.at };
        let side = if across <= gateway.line.into() { Side::Before } else { Side::After };
        if flood.is_new_bridge(2 * index + u32::from(own == side)) && own == side {
            self.go_through(numbers, flood, former, entry);
        }
    }

    /// Goes on from all cells on the side of a gateway's owner, unless they are one stretch.
    fn go_through(&self, numbers: &Numbers, flood: &mut Flood, former: u32, entry: &Entry) {
        let Separation { gateway, own, .. } = entry.separation;
        let line = match own {
            Side::Before => u32::from(gateway.line),
            Side::After => u32::from(gateway.line) + 2,
        };
        let lines = self.cells.lines(gateway.is_column);
        let mut at = u32::from(gateway.first) + 1 - self.reach;
        let to = u32::from(gateway.last) + 1 + self.reach;
        let mut is_first = true;
        while let Some(first) = lines.next(Position { line, at }, to) {
            at = lines.next_clear(Position { line, at: first });
            if std::mem::take(&mut is_first) && lines.next(Position { line, at }, to).is_none() {
                return;
            }
            // A stretch along the gateway is one of this flood's, or each of its cells is of one.
            let is_parallel = gateway.is_column == self.is_column;
            let last = if is_parallel { first } else { to.min(at - 1) };
            for place in first..=last {
                let number = numbers[lines.cell(Position { line, at: place }) as usize];
                if number == former {
                    let (line, at) = if is_parallel { (line, place) } else { (place, line) };
                    flood.next.push(Position { line, at }.packed());
                } else if is_room(number) {
                    flood.come_beside(number);
                }
            }
        }
    }
}

impl Links for Moves<'_> {
    fn visit(&self, numbers: &Numbers, cell: u32, mut visit: impl FnMut(u32)) {
        let mut is_at_gateway = false;
        self.visit_beside(numbers, cell, |other, number, _| {
            if is_room(number) {
                visit(other);
            } else {
                is_at_gateway |= number & GATEWAY != 0;
            }
        });
        if is_at_gateway {
            self.visit_owned(numbers, cell, &mut visit);
        }
    }

    fn place(&self, cell: u32) -> u32 {
        self.cells.position(self.layout, Cell(cell), self.is_column).packed()
    }

    fn cell(&self, place: u32) -> u32 {
        self.open.cell(Position::of_packed(place))
    }

    /// Takes a stretch of open cells, of a row or a column.
    fn spread(&self, numbers: &mut Numbers, flood: &mut Flood, former: u32, place: u32) {
        let Position { line, at } = Position::of_packed(place);
        let [first, last] = self.open.stretch(Position { line, at });
        let begin = Position { line, at: first };
        let cell = |at: u32| self.open.cell(Position { line, at });
        let stretch = [cell(first), cell(last)];
        self.fill(numbers, stretch, flood.number);
        flood.take(stretch, last + 1 - first);
        for end in [first - 1, last + 1] {
            self.come_to(numbers, flood, former, (numbers[cell(end) as usize], begin));
        }
        for line in [line - 1, line + 1] {
            let from = Position { line, at: first - self.reach };
            self.look_beside(numbers, flood, former, begin, (from, last + self.reach));
        }
    }

    /// The cells from one to another along the lines of the floods.
    fn fill(&self, numbers: &mut Numbers, [first, last]: Stretch, number: u32) {
        let cells = numbers[first as usize..=last as usize].iter_mut();
        cells.step_by(self.open.along as usize).for_each(|cell| *cell = number);
    }
}
