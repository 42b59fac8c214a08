//! Straight lines over a grid: every cell that a line touches has to be open.

use std::ops::RangeInclusive;

use glam::Vec3;

use super::bits::BitMap;
use super::moves::corner_is_passable;
use super::space::straight_line;
use super::{Cell, GridSpace, Medium, Neighbours};
use crate::plane::disc_sweep_is_clear;
use crate::space::{Cost, LineOfSight};

/// A segment that passes a corner within this many cells passes through the corner itself: world
/// coordinates are rounded, and a segment along a diagonal must not depend on which way.
const TOUCH: f64 = 1e-3;

/// The radius of the widest body that a profile can have, in cells.
const WIDEST: f64 = 32.0;

/// Up to this radius, in cells, a body is swept along a segment that is checked by itself: within
/// rounding it touches nothing.
const NARROW: f64 = 0.01;

/// One step of a line from cell to cell.
enum Crossing {
    /// Into the next column.
    Column,
    /// Into the next row.
    Row,
    /// Through the corner where four cells meet, into the diagonal one.
    Corner,
}

impl<C: Cost> GridSpace<'_, C> {
    /// The medium of a cell that an agent can stand on.
    fn medium_at(&self, x: i64, y: i64) -> Option<Medium> {
        let cell = self.cell_on_map(x, y).filter(|&cell| self.layer.is_free(cell))?;
        self.layer.costs.get(self.grid.terrain(cell)).map(|cost| cost.medium)
    }

    /// The walls among at most 64 cells of a row as bits, the first cell first. Cells off the map
    /// are walls.
    pub(crate) fn wall_bits(&self, y: i64, columns: RangeInclusive<i64>) -> u64 {
        let mut media = self.layer.accelerators.free_cells();
        if let (Some(free), 1) = (media.next(), self.layer.profile.width)
            && media.len() == 0
            && !self.row_may_hold_walls(free, y, columns.clone())
        {
            return 0;
        }
        let bits = columns.take(64).enumerate();
        bits.fold(0, |bits, (at, x)| bits | u64::from(self.is_wall(x, y)) << at)
    }

    /// Whether bodies of the profile cannot reach into a cell.
    fn is_wall(&self, x: i64, y: i64) -> bool {
        // A body of one cell can stand wherever there is no wall.
        let is_open = |cell| match self.layer.profile.width {
            1 => self.layer.is_free(cell),
            _ => self.layer.costs.get(self.grid.terrain(cell)).is_some(),
        };
        !self.cell_on_map(x, y).is_some_and(is_open)
    }

    /// Whether not all of those cells of a row are free, or some lie off the map. O(cells / 56).
    fn row_may_hold_walls(&self, free: &BitMap, y: i64, columns: RangeInclusive<i64>) -> bool {
        let ends = (self.cell_on_map(*columns.start(), y), self.cell_on_map(*columns.end(), y));
        let (Some(Cell(mut at)), Some(Cell(end))) = ends else { return true };
        while at <= end {
            // A word holds 64 cells from a whole byte on, and so at least 57 from any cell on.
            let count = (end - at + 1).min(56);
            let all = (1u64 << count) - 1;
            if free.word(BitMap::byte(Cell(at))) >> (at & 7) & all != all {
                return true;
            }
            at += count;
        }
        false
    }

    fn cell_on_map(&self, x: i64, y: i64) -> Option<Cell> {
        self.grid.cell(u32::try_from(x).ok()?, u32::try_from(y).ok()?)
    }

    /// Takes one step of a line; `None` if it is blocked.
    fn cross(
        &self,
        (x, y): (i64, i64),
        (step_x, step_y): (i64, i64),
        crossing: &Crossing,
        medium: Medium,
    ) -> Option<(i64, i64)> {
        let is_open = |x, y| self.medium_at(x, y) == Some(medium);
        let next = match crossing {
            Crossing::Column => (x + step_x, y),
            Crossing::Row => (x, y + step_y),
            Crossing::Corner => {
                let (beside, below) = (is_open(x + step_x, y), is_open(x, y + step_y));
                let passes = match self.layer.profile.neighbours {
                    Neighbours::Four => beside && below,
                    Neighbours::Eight => {
                        corner_is_passable(self.layer.profile.corners, beside, below)
                    }
                };
                if !passes {
                    return None;
                }
                (x + step_x, y + step_y)
            }
        };
        is_open(next.0, next.1).then_some(next)
    }
}

impl<C: Cost> LineOfSight for GridSpace<'_, C> {
    /// Visits every cell that the line between the two centres touches, in exact integer
    /// arithmetic: O(dx + dy).
    fn line_cost(&self, from: Cell, to: Cell) -> Option<C> {
        let at = |cell| {
            let (x, y) = self.grid.layout.coordinates(cell);
            (i64::from(x), i64::from(y))
        };
        let ((mut x, mut y), end) = (at(from), at(to));
        let (dx, dy) = (end.0.abs_diff(x), end.1.abs_diff(y));
        let steps = ((end.0 - x).signum(), (end.1 - y).signum());
        let medium = self.medium_at(x, y)?;
        // All cells of the line but the first must have one cost.
        let ground = |cell: Cell| {
            let cost = self.layer.costs.get(self.grid.terrain(cell))?;
            Some((cost.straight, self.layer.penalty(cell)))
        };
        let alike = (!self.layer.is_uniform()).then(|| ground(to)).flatten();
        // Boundaries crossed so far; the line meets the next column boundary at (2i + 1) / 2dx of
        // its length.
        let (mut columns, mut rows) = (0, 0);
        while (x, y) != end {
            let (to_column, to_row) = ((2 * columns + 1) * dy, (2 * rows + 1) * dx);
            let crossing = match to_column.cmp(&to_row) {
                _ if dx == 0 => Crossing::Row,
                _ if dy == 0 => Crossing::Column,
                std::cmp::Ordering::Less => Crossing::Column,
                std::cmp::Ordering::Greater => Crossing::Row,
                std::cmp::Ordering::Equal => Crossing::Corner,
            };
            columns += u64::from(!matches!(crossing, Crossing::Row));
            rows += u64::from(!matches!(crossing, Crossing::Column));
            (x, y) = self.cross((x, y), steps, &crossing, medium)?;
            if alike.is_some() && self.cell_on_map(x, y).and_then(ground) != alike {
                return None;
            }
        }
        let (straight, penalty) = alike.unwrap_or((self.layer.least_step().straight, 0));
        // Penalties are paid as often as by the fewest moves that cover the distance.
        let penalties = dx.max(dy) * u64::from(penalty);
        Some(C::from_u64(straight_line(dx, dy, u64::from(straight)) + penalties))
    }

    /// Visits every cell that the segment touches: O(cells).
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let frame = self.grid.frame();
        let ((fx, fy), (tx, ty)): ((f64, f64), (f64, f64)) =
            (frame.to_cells(from).into(), frame.to_cells(to).into());
        if !(fx.is_finite() && fy.is_finite() && tx.is_finite() && ty.is_finite()) {
            return false;
        }
        let (mut x, mut y) = (fx.floor() as i64, fy.floor() as i64);
        let end = (tx.floor() as i64, ty.floor() as i64);
        let Some(medium) = self.medium_at(x, y) else { return false };
        if self.medium_at(end.0, end.1) != Some(medium) {
            return false;
        }
        let (dx, dy) = (tx - fx, ty - fy);
        let slighter = dx.abs().min(dy.abs());
        let steps = (end.0.cmp(&x) as i64, end.1.cmp(&y) as i64);
        // The share of the segment at which it meets the next boundary of each kind.
        let share = |at: i64, step: i64, from: f64, d: f64| {
            if step == 0 { f64::INFINITY } else { ((at + i64::from(step > 0)) as f64 - from) / d }
        };
        while (x, y) != end {
            let column = if x == end.0 { f64::INFINITY } else { share(x, steps.0, fx, dx) };
            let row = if y == end.1 { f64::INFINITY } else { share(y, steps.1, fy, dy) };
            let crossing = if (column - row).abs() * slighter < TOUCH {
                Crossing::Corner
            } else if column < row {
                Crossing::Column
            } else {
                Crossing::Row
            };
            match self.cross((x, y), steps, &crossing, medium) {
                Some(next) => (x, y) = next,
                None => return false,
            }
        }
        true
    }

    /// Walls are cells of terrain that the profile cannot enter, and what lies off the map. Bodies
    /// wider than the widest profile have no room anywhere. O(cells that the body sweeps over).
    fn sweep_is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        let frame = self.grid.frame();
        let reach = f64::from(radius) / f64::from(frame.cell_size);
        let (a, b) = (frame.to_cells(from), frame.to_cells(to));
        if reach > WIDEST || !a.is_finite() || !b.is_finite() {
            return false;
        }
        let mut media = self.layer.accelerators.free_cells();
        match media.next() {
            // A disc that reaches into no cell but free ones of the only medium crosses nothing
            // that bars the segment.
            Some(free) if media.len() == 0 && self.layer.profile.width == 1 && reach > NARROW => {
                let ends = [a, b].map(|end| (end.x.floor() as i64, end.y.floor() as i64));
                ends.iter().all(|&(x, y)| !self.is_wall(x, y))
                    && disc_sweep_is_clear(
                        a,
                        b,
                        reach,
                        |y, columns| self.row_may_hold_walls(free, y, columns),
                        |x, y| self.is_wall(x, y),
                    )
            }
            _ => {
                self.segment_is_clear(from, to)
                    && disc_sweep_is_clear(a, b, reach, |_, _| true, |x, y| self.is_wall(x, y))
            }
        }
    }
}
