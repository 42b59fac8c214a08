//! Parts: the gateways of a map, and the areas of free cells between them.
//!
//! Each cell has the number of its part. After an edit the parts are repaired at the cost of the
//! changed areas. They then equal the parts of a new map, up to their numbers.
//!
//! # Which areas are flooded
//!
//! Let the *changed* cells be all cells that became free or blocked, and all cells of gateways that
//! are new or gone. Every area with a changed cell or a cell beside one is flooded, and no other.
//! Let `A` be an area on the new map without a changed cell or one beside it. Then the cells of `A`
//! and all cells beside it are as before, so `A` was an area before, and keeps its number.
//!
//! A single cell in the midst of an area need not be flooded around. If all free cells around it
//! belong to one area, and those are connected among themselves, then the area is connected with
//! the cell and without it. No gateway touches it there either way.
//!
//! Memory: 2 bytes and 2 bits a cell, 20 bytes a part.

use wayfare_core::inside::Gateway;

use super::bits::BitMap;
use super::islands::{RingTable, rings_within_reach};
use super::runs::reach;
use super::signs::Signed;
use crate::grid::Cell;
use crate::grid::layout::Layout;

/// The part number of cells that are not free.
pub const NONE: u16 = u16::MAX;
/// The number of small areas that no gateway touches, all together. Nobody goes from one to the
/// other.
pub const PLAIN: u16 = 0;
/// Areas that no gateway touches have the number [`PLAIN`] if they have fewer cells than this, or
/// than the map's cells divided by [`CELLS_A_PLAIN_AREA`]. There may be more islands than numbers.
const SMALL: u32 = 64;
/// See [`SMALL`].
const CELLS_A_PLAIN_AREA: usize = 4096;

/// The meaning of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Nothing.
    Unused,
    /// A maximal set of free cells of no gateway that are connected.
    Area {
        /// The number of its cells.
        cells: u32,
        /// Its least cell.
        first: Cell,
    },
    Gateway(Gateway),
}

/// The parts of a map.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The number of each cell.
    of_cells: Vec<u16>,
    /// The free cells of no gateway.
    open: BitMap,
    /// The cells of gateways.
    taken: BitMap,
    /// By number, with the round of numbering that it dates from.
    parts: Vec<(Part, u32)>,
    unused: Vec<u16>,
    /// The numbers of the gateways, in the order in which they were given.
    gateways: Vec<u16>,
    /// The number of free cells.
    free: u32,
    /// Counts the rounds of numbering.
    round: u32,
    /// Cells whose runs are still to be flooded.
    pending: Vec<Cell>,
}

/// There are no numbers left.
pub(super) struct OutOfNumbers;

impl Parts {
    /// Returns the parts of a map between some gateways. O(runs + cells / 16).
    pub(super) fn new(map: Signed<'_>, gateways: &[Gateway]) -> Result<Self, OutOfNumbers> {
        let bound = map.layout.bound();
        let plain = Part::Area { cells: 0, first: Cell(0) };
        let mut parts = Self {
            of_cells: vec![NONE; bound],
            open: map.rows.clone(),
            taken: BitMap::new(map.layout),
            parts: vec![(plain, 0)],
            unused: Vec::new(),
            gateways: Vec::with_capacity(gateways.len()),
            free: map.rows.count(),
            round: 1,
            pending: Vec::new(),
        };
        for &gateway in gateways {
            let number = parts.add(Part::Gateway(gateway))?;
            parts.gateways.push(number);
            for cell in cells_of(gateway, map.layout) {
                parts.take(cell, number);
            }
        }
        let mut from = Cell(0);
        while let Some(cell) = parts.open.next(from, bound as u32) {
            if parts.of_cells[cell.0 as usize] == NONE {
                parts.flood_new(cell, map)?;
            }
            from = Cell(parts.open.stretch_around(cell).1.0 + 1);
        }
        Ok(parts)
    }

    /// Updates the parts to a changed map with other gateways.
    ///
    /// `flips`: the cells that became free or blocked; others among them do no harm. After an error
    /// the parts are of no use. O(cells of gateways + runs of the areas that changed).
    pub(super) fn mend(
        &mut self,
        map: Signed<'_>,
        gateways: &[Gateway],
        flips: &[Cell],
    ) -> Result<(), OutOfNumbers> {
        self.round += 1;
        let mut gone = Vec::new();
        let mut changed = Vec::new();
        let added = self.drop_gateways(map, gateways, &mut gone, &mut changed);
        let reach = reach(map.neighbours, map.corners);
        let rings = rings_within_reach(reach);
        for &cell in flips {
            let is_free = map.rows.get(cell);
            let former = self.of_cells[cell.0 as usize];
            if is_free == (former != NONE || self.open.get(cell)) {
                continue;
            }
            self.free = if is_free { self.free + 1 } else { self.free - 1 };
            let is_midst = changed.is_empty()
                && added.is_empty()
                && self.change_within_area(map.layout, cell, is_free, rings);
            if is_midst {
                continue;
            }
            if former != NONE {
                gone.push(former);
            }
            self.of_cells[cell.0 as usize] = NONE;
            self.open.set(cell, is_free);
            changed.push(cell);
        }
        for (place, gateway) in added {
            let number = self.add(Part::Gateway(gateway))?;
            self.gateways[place] = number;
            for cell in cells_of(gateway, map.layout) {
                let former = self.of_cells[cell.0 as usize];
                if former != NONE {
                    gone.push(former);
                }
                self.take(cell, number);
                changed.push(cell);
            }
        }
        // Cells from which the areas that changed are flooded.
        let offsets = map.layout.offsets();
        let mut seeds = Vec::new();
        for cell in changed {
            let mut note = |cell: Cell| {
                if self.open.get(cell) {
                    seeds.push(cell);
                    gone.push(self.of_cells[cell.0 as usize]);
                }
            };
            note(cell);
            for (bit, offset) in offsets.into_iter().enumerate() {
                if reach > 0 || 0b0101_1010 >> bit & 1 == 1 {
                    note(Cell(cell.0.wrapping_add_signed(offset)));
                }
            }
        }
        // Flooding changes numbers, so all freed numbers are collected first. Other parts get them
        // only after this round, since cells still have them.
        gone.retain(|&number| {
            let is_area = number != NONE
                && number != PLAIN
                && matches!(self.parts[usize::from(number)].0, Part::Area { .. });
            if is_area {
                self.parts[usize::from(number)].0 = Part::Unused;
            }
            is_area
        });
        for seed in seeds {
            let number = self.of_cells[seed.0 as usize];
            let is_done = number != NONE && self.parts[usize::from(number)].1 == self.round;
            if !is_done {
                self.flood_new(seed, map)?;
            }
        }
        self.unused.extend(gone);
        Ok(())
    }

    /// Drops the gateways that are not among the given ones, and marks their cells as changed.
    /// Returns the new ones, with their indices.
    fn drop_gateways(
        &mut self,
        map: Signed<'_>,
        gateways: &[Gateway],
        gone: &mut Vec<u16>,
        changed: &mut Vec<Cell>,
    ) -> Vec<(usize, Gateway)> {
        let mut added = Vec::new();
        let mut numbers = Vec::with_capacity(gateways.len());
        for (place, &gateway) in gateways.iter().enumerate() {
            let number = self.of_cells[cell_of(gateway, map.layout).0 as usize];
            let former = self.parts.get_mut(usize::from(number));
            numbers.push(match former {
                Some((part, round)) if *part == Part::Gateway(gateway) => {
                    *round = self.round;
                    number
                }
                _ => {
                    added.push((place, gateway));
                    NONE
                }
            });
        }
        for number in std::mem::replace(&mut self.gateways, numbers) {
            let (part, round) = self.parts[usize::from(number)];
            if let Part::Gateway(gateway) = part
                && round != self.round
            {
                self.parts[usize::from(number)].0 = Part::Unused;
                self.unused.push(number);
                for cell in cells_of(gateway, map.layout) {
                    self.of_cells[cell.0 as usize] = NONE;
                    self.taken.set(cell, false);
                    self.open.set(cell, true);
                    changed.push(cell);
                }
            }
        }
        gone.reserve(changed.len());
        added
    }

    /// Frees or blocks a cell in the midst of an area; returns whether it is one.
    fn change_within_area(
        &mut self,
        layout: &Layout,
        cell: Cell,
        is_free: bool,
        rings: &RingTable,
    ) -> bool {
        let mut area = if is_free { NONE } else { self.of_cells[cell.0 as usize] };
        let mut ring = 0u8;
        for (bit, offset) in layout.offsets().into_iter().enumerate() {
            let beside = Cell(cell.0.wrapping_add_signed(offset));
            let number = self.of(beside).unwrap_or(NONE);
            if number == NONE {
                continue;
            }
            if area == NONE {
                area = number;
            }
            if number != area {
                return false;
            }
            ring |= 1 << bit;
        }
        // Without a straight neighbour the cell may be joined with nothing.
        if ring & 0b0101_1010 == 0 || !rings[usize::from(ring)] {
            return false;
        }
        let Part::Area { cells, first } = &mut self.parts[usize::from(area)].0 else {
            return false;
        };
        if area != PLAIN {
            if is_free {
                *cells += 1;
                *first = cell.min(*first);
            } else if *first == cell {
                return false;
            } else {
                *cells -= 1;
            }
        }
        self.of_cells[cell.0 as usize] = if is_free { area } else { NONE };
        self.open.set(cell, is_free);
        true
    }

    /// Gives a part an unused number.
    fn add(&mut self, part: Part) -> Result<u16, OutOfNumbers> {
        let number = match self.unused.pop() {
            Some(number) => number,
            None if self.parts.len() < usize::from(NONE) => {
                self.parts.push((Part::Unused, 0));
                (self.parts.len() - 1) as u16
            }
            None => return Err(OutOfNumbers),
        };
        self.parts[usize::from(number)] = (part, self.round);
        Ok(number)
    }

    /// Makes a cell one of a gateway.
    fn take(&mut self, cell: Cell, number: u16) {
        self.of_cells[cell.0 as usize] = number;
        self.open.set(cell, false);
        self.taken.set(cell, true);
    }

    /// Numbers the area of a cell.
    fn flood_new(&mut self, seed: Cell, map: Signed<'_>) -> Result<(), OutOfNumbers> {
        let number = self.add(Part::Unused)?;
        let (area, is_touched) = self.flood(seed, number, map);
        let Part::Area { cells, .. } = area else { return Ok(()) };
        let small = SMALL.max((map.layout.bound() / CELLS_A_PLAIN_AREA) as u32);
        if is_touched || cells >= small {
            self.parts[usize::from(number)].0 = area;
        } else {
            self.flood(seed, PLAIN, map);
            self.unused.push(number);
        }
        Ok(())
    }

    /// Gives all cells of an area a number. Returns the area, and whether a gateway touches it.
    fn flood(&mut self, seed: Cell, number: u16, map: Signed<'_>) -> (Part, bool) {
        let reach = reach(map.neighbours, map.corners);
        let stride = map.layout.stride;
        let (mut cells, mut least, mut is_touched) = (0, seed, false);
        self.pending.push(seed);
        while let Some(cell) = self.pending.pop() {
            if self.of_cells[cell.0 as usize] == number {
                continue;
            }
            let (first, last) = self.open.stretch_around(cell);
            self.of_cells[first.0 as usize..=last.0 as usize].fill(number);
            let length = last.0 - first.0 + 1;
            cells += length;
            least = least.min(first);
            is_touched = is_touched || self.taken.any(Cell(first.0 - 1), length + 2);
            for beside in [first.0 - stride, first.0 + stride] {
                let (mut from, end) = (Cell(beside - reach), beside + length + reach);
                is_touched = is_touched || self.taken.any(from, end - from.0);
                while let Some(cell) = self.open.next(from, end) {
                    if self.of_cells[cell.0 as usize] != number {
                        self.pending.push(cell);
                    }
                    from = self.open.next_clear(cell);
                }
            }
        }
        (Part::Area { cells, first: least }, is_touched)
    }

    /// Visits the numbers of the parts that a gateway touches; some more than once.
    pub(super) fn visit_beside(
        &self,
        gateway: Gateway,
        map: Signed<'_>,
        mut visit: impl FnMut(u16),
    ) {
        let reach = reach(map.neighbours, map.corners);
        let stride = map.layout.stride;
        let (along, across) = if gateway.is_column { (stride, 1) } else { (1, stride) };
        let first = cell_of(gateway, map.layout).0 - reach * along;
        let cells = u32::from(gateway.last - gateway.first) + 1 + 2 * reach;
        for begin in [first - across, first + across] {
            let beside = self.of_cells[begin as usize..].iter().step_by(along as usize);
            let mut former = NONE;
            for &number in beside.take(cells as usize) {
                if number != former {
                    former = number;
                    if number != NONE {
                        visit(number);
                    }
                }
            }
        }
    }

    /// Returns the number of a cell; [`NONE`] for a blocked one, and `None` beyond the map and its
    /// padding.
    #[inline(always)]
    pub fn of(&self, cell: Cell) -> Option<u16> {
        self.of_cells.get(cell.0 as usize).copied()
    }

    /// Returns one more than the greatest number.
    pub(super) fn bound(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn part(&self, number: u16) -> Part {
        self.parts[usize::from(number)].0
    }

    /// Returns the number of cells of a part.
    pub(super) fn cells(&self, number: u16) -> u32 {
        match self.part(number) {
            Part::Unused => 0,
            Part::Area { cells, .. } => cells,
            Part::Gateway(gateway) => u32::from(gateway.last - gateway.first) + 1,
        }
    }

    /// Returns the numbers of the gateways, in the order in which they were given.
    pub(super) fn gateways(&self) -> &[u16] {
        &self.gateways
    }

    /// Returns the number of free cells.
    pub fn free(&self) -> u32 {
        self.free
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        size_of_val(&self.of_cells[..])
            + self.open.size_in_bytes()
            + self.taken.size_in_bytes()
            + size_of_val(&self.parts[..])
    }
}

/// Returns the first cell of a gateway.
fn cell_of(gateway: Gateway, layout: &Layout) -> Cell {
    let (line, first) = (u32::from(gateway.line), u32::from(gateway.first));
    if gateway.is_column { layout.cell(line, first) } else { layout.cell(first, line) }
}

/// Returns the cells of a gateway.
fn cells_of(gateway: Gateway, layout: &Layout) -> impl Iterator<Item = Cell> + use<> {
    let first = cell_of(gateway, layout).0;
    let step = if gateway.is_column { layout.stride } else { 1 };
    (0..=u32::from(gateway.last - gateway.first)).map(move |n| Cell(first + n * step))
}
