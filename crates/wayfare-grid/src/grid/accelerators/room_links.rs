//! Links between cells: of an obstacle, and of a room.
//!
//! Cells of an obstacle are linked where they touch, at corners too unless moves cut corners. Cells
//! of a room are linked by moves between cells of no gateway, and through the gateways that the
//! room owns.

use super::gateways::{Separation, Side, cells_of};
use super::islands::rings_within_reach;
use super::pieces::{Links, Numbers};
use super::room_build::sides_of;
use super::rooms::{Entry, GATEWAY, NONE, OBSTACLE, is_room};
use super::runs::reach;
use super::signs::Signed;
use crate::grid::layout::Layout;
use crate::grid::moves::SOUTH;

/// How cells of obstacles touch.
pub(super) struct Touching {
    offsets: [i32; 8],
    /// Which of the eight cells around one touch it.
    around: u8,
}

/// The straight steps, as bits.
pub(super) const STRAIGHT_STEPS: u8 = 0b0101_1010;

/// Returns the steps whose bits are set, with those bits' places.
#[inline(always)]
fn steps(offsets: &[i32; 8], mut around: u8) -> impl Iterator<Item = (usize, i32)> {
    std::iter::from_fn(move || {
        let bit = around.trailing_zeros() as usize;
        around &= around.wrapping_sub(1);
        offsets.get(bit).map(|&offset| (bit, offset))
    })
}

impl Touching {
    pub(super) fn new(map: Signed<'_>) -> Self {
        // Where moves cut corners, they lead between obstacles that touch at one.
        let cuts_corners = reach(map.neighbours, map.corners) > 0;
        let around = if cuts_corners { STRAIGHT_STEPS } else { u8::MAX };
        Self { offsets: map.layout.offsets(), around }
    }

    /// Returns whether the cells of an obstacle around one of its cells are linked among the eight.
    pub(super) fn is_ring(&self, numbers: &Numbers, cell: u32, obstacle: u32) -> bool {
        let reach = u32::from(self.around == u8::MAX);
        is_ring(&self.offsets, reach, numbers, (cell, obstacle))
    }
}

/// Returns whether the cells of a number around a cell are linked among the eight.
fn is_ring(offsets: &[i32; 8], reach: u32, numbers: &Numbers, (cell, number): (u32, u32)) -> bool {
    let ring = offsets.iter().enumerate().fold(0u8, |ring, (bit, &offset)| {
        let is_same = numbers[cell.wrapping_add_signed(offset) as usize] == number;
        ring | u8::from(is_same) << bit
    });
    rings_within_reach(reach)[usize::from(ring)]
}

impl Links for Touching {
    fn visit(&self, numbers: &Numbers, cell: u32, mut visit: impl FnMut(u32)) {
        for (_, offset) in steps(&self.offsets, self.around) {
            let other = cell.wrapping_add_signed(offset);
            let number = numbers.get(other as usize).copied().unwrap_or(NONE);
            if number != NONE && number & OBSTACLE != 0 {
                visit(other);
            }
        }
    }

    fn rows(&self) -> [u32; 2] {
        [self.offsets[SOUTH] as u32, u32::from(self.around == u8::MAX)]
    }

    fn bridge(&self, _number: u32, _bit: usize) -> Option<u32> {
        None
    }

    fn visit_across(&self, _numbers: &Numbers, _bridge: u32, _visit: impl FnMut(u32)) {}
}

/// How cells of a room are linked: by moves, and by the gateways that the room owns.
pub(super) struct Moves<'r> {
    offsets: [i32; 8],
    reach: u32,
    layout: &'r Layout,
    gateways: &'r [Option<Entry>],
}

impl<'r> Moves<'r> {
    pub(super) fn new(map: Signed<'r>, gateways: &'r [Option<Entry>]) -> Self {
        let reach = reach(map.neighbours, map.corners);
        Self { offsets: map.layout.offsets(), reach, layout: map.layout, gateways }
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

impl Links for Moves<'_> {
    fn rows(&self) -> [u32; 2] {
        [self.layout.stride, self.reach]
    }

    /// A gateway, as twice its index, and one more for its owner's side.
    fn bridge(&self, number: u32, bit: usize) -> Option<u32> {
        let (index, side) = self.gateway(number, bit)?;
        let own = self.gateways[index as usize].as_ref()?.separation.own;
        Some(2 * index + u32::from(own == side))
    }

    fn visit_across(&self, numbers: &Numbers, bridge: u32, mut visit: impl FnMut(u32)) {
        if bridge % 2 == 1
            && let Some(Some(entry)) = self.gateways.get(bridge as usize / 2)
        {
            let beside = sides_of(entry.separation, self.layout, self.reach);
            beside.filter(|&cell| is_room(numbers[cell as usize])).for_each(&mut visit);
        }
    }

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
}
