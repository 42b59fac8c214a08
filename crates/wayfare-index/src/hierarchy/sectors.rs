//! The division of a grid into square sectors, and the ids of cells along their rims.

use wayfare_grid::grid::{Cell, Grid};

/// The directions in the order of the bits of a cell's moves. The opposite of `d` is `7 - d`.
pub(super) const STEPS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
pub(super) const NORTH_WEST: u8 = 0;
pub(super) const NORTH: u8 = 1;
pub(super) const NORTH_EAST: u8 = 2;
pub(super) const WEST: u8 = 3;
pub(super) const EAST: u8 = 4;
pub(super) const SOUTH_WEST: u8 = 5;
pub(super) const SOUTH: u8 = 6;
pub(super) const SOUTH_EAST: u8 = 7;

/// Returns the opposite direction.
pub(super) fn opposite(direction: u8) -> u8 {
    7 - direction
}

/// Returns the directions of some bits, in ascending order.
#[inline]
pub(super) fn directions(mut bits: u8) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let direction = bits.trailing_zeros() as u8;
        (bits != 0).then(|| {
            bits &= bits - 1;
            direction
        })
    })
}

#[inline]
pub(super) fn is_diagonal(direction: u8) -> bool {
    !matches!(direction, NORTH | WEST | EAST | SOUTH)
}

/// Returns the direction towards a cell that many columns and rows away, other than the cell
/// itself.
pub(super) fn direction_of(dx: i64, dy: i64) -> u8 {
    let place = 3 * (dy.signum() + 1) + dx.signum() + 1;
    (place - i64::from(place > 4)) as u8
}

/// The cells of one sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Its first column.
    pub x: u32,
    /// Its first row.
    pub y: u32,
    /// Its columns.
    pub width: u32,
    /// Its rows.
    pub height: u32,
}

impl Bounds {
    pub(super) fn contains(self, (x, y): (u32, u32)) -> bool {
        x.wrapping_sub(self.x) < self.width && y.wrapping_sub(self.y) < self.height
    }

    /// Returns the directions, as bits, that stay within the sector from its cell in column `x` and
    /// row `y`.
    #[inline]
    pub(super) fn directions_inside(self, x: u32, y: u32) -> u8 {
        let mut inside = u8::MAX;
        if x == 0 {
            inside &= !(1 << NORTH_WEST | 1 << WEST | 1 << SOUTH_WEST);
        }
        if x + 1 == self.width {
            inside &= !(1 << NORTH_EAST | 1 << EAST | 1 << SOUTH_EAST);
        }
        if y == 0 {
            inside &= !(1 << NORTH_WEST | 1 << NORTH | 1 << NORTH_EAST);
        }
        if y + 1 == self.height {
            inside &= !(1 << SOUTH_WEST | 1 << SOUTH | 1 << SOUTH_EAST);
        }
        inside
    }
}

/// The division of a grid into sectors.
///
/// A *slot* is the position of a cell along the rim of its sector. It depends on the cell alone, so
/// an edit in one sector changes no slot that other sectors refer to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sectors {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) side: u32,
    /// The count of sectors in a row and in a column.
    pub(super) across: u32,
    pub(super) down: u32,
    /// Whether squares of sectors form groups.
    pub(super) is_grouped: bool,
}

impl Sectors {
    pub(super) fn new(grid: &Grid, side: u32, is_grouped: bool) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let (across, down) = (width.div_ceil(side), height.div_ceil(side));
        Self { width, height, side, across, down, is_grouped }
    }

    pub(super) fn count(&self) -> u32 {
        self.across * self.down
    }

    /// Returns the sector of a cell on the map.
    #[inline]
    pub(super) fn sector_at(&self, (x, y): (u32, u32)) -> u32 {
        y / self.side * self.across + x / self.side
    }

    pub(super) fn bounds(&self, sector: u32) -> Bounds {
        let (x, y) = (sector % self.across * self.side, sector / self.across * self.side);
        let (width, height) = (self.side.min(self.width - x), self.side.min(self.height - y));
        Bounds { x, y, width, height }
    }

    /// Returns the slot of a cell on the rim of its sector.
    #[inline]
    pub(super) fn slot_at(&self, (x, y): (u32, u32)) -> u32 {
        let (x, y, last) = (x % self.side, y % self.side, self.side - 1);
        if y == 0 {
            x
        } else if y == last {
            self.side + x
        } else if x == 0 {
            2 * self.side + y
        } else {
            3 * self.side + y
        }
    }

    /// Returns the sector and the slot of the cell that a direction leads to; `None` off the map.
    pub(super) fn beyond(&self, (x, y): (u32, u32), direction: u8) -> Option<(u32, u32)> {
        let (dx, dy) = STEPS[usize::from(direction & 7)];
        let at = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        let is_on_map = at.0 < self.width && at.1 < self.height;
        is_on_map.then(|| (self.sector_at(at), self.slot_at(at)))
    }

    /// Returns the neighbour of a cell in a direction: its coordinates and its id. `None` off the
    /// map.
    #[inline]
    pub(super) fn step(
        &self,
        grid: &Grid,
        (x, y): (u32, u32),
        direction: u8,
    ) -> Option<((u32, u32), Cell)> {
        let (dx, dy) = STEPS[usize::from(direction & 7)];
        let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        Some(((x, y), grid.cell(x, y)?))
    }

    /// Visits a sector and those around it.
    pub(super) fn beside(&self, sector: u32, mut visit: impl FnMut(u32)) {
        let around = |at: u32, bound: u32| at.saturating_sub(1)..=(at + 1).min(bound - 1);
        for row in around(sector / self.across, self.down) {
            for column in around(sector % self.across, self.across) {
                visit(row * self.across + column);
            }
        }
    }

    /// Visits every sector with a cell at most `reach` columns and rows away.
    pub(super) fn around(&self, (x, y): (u32, u32), reach: u32, mut visit: impl FnMut(u32)) {
        let span = |at: u32, bound: u32| {
            let last = (at + reach).min(bound - 1);
            at.saturating_sub(reach) / self.side..=last / self.side
        };
        for row in span(y, self.height) {
            for column in span(x, self.width) {
                visit(row * self.across + column);
            }
        }
    }
}
