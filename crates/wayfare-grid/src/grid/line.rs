//! Straight lines over a grid: every cell that a line touches has to be open.

use std::ops::RangeInclusive;

use glam::{DVec2, Vec3};
use wayfare_core::inside::{TOUCH as CONTACT, disc_sweep_is_clear, distance_squared, floor};
use wayfare_core::space::{Cost, LineOfSight, Medium, OpenSwath};

use super::moves::corner_is_passable;
use super::space::straight_line;
use super::{BitMap, Cell, GridSpace, Neighbours};

/// A segment that passes a corner within this many cells passes through the corner itself: world
/// coordinates are rounded, and a segment along a diagonal must not depend on which way.
const TOUCH: f64 = 1e-3;

/// The radius of the widest body that a profile can have, in cells.
const WIDEST: f64 = 32.0;

/// Up to this radius, in cells, a body is swept along a segment that is checked by itself: within
/// rounding it touches nothing.
const NARROW: f64 = 0.01;

/// A swath is looked at by this much more on all sides, in cells: coordinates below
/// [`MAX_SIDE`](super::MAX_SIDE) are rounded by far less.
const MARGIN: f64 = 1e-6;

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
    /// Returns the medium of a cell that an agent can stand on.
    fn medium_at(&self, x: i64, y: i64) -> Option<Medium> {
        let cell = self.cell_on_map(x, y).filter(|&cell| self.layer.is_free(cell))?;
        self.layer.costs.get(self.grid.terrain(cell)).map(|cost| cost.medium)
    }

    /// Returns the walls among at most 64 cells of a row as bits, the first cell first. Cells off
    /// the map are walls.
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

    /// Returns whether bodies of the profile cannot reach into a cell.
    #[doc(hidden)]
    pub fn is_wall(&self, x: i64, y: i64) -> bool {
        // A body of one cell can stand wherever there is no wall.
        let is_open = |cell| match self.layer.profile.width {
            1 => self.layer.is_free(cell),
            _ => self.layer.costs.get(self.grid.terrain(cell)).is_some(),
        };
        !self.cell_on_map(x, y).is_some_and(is_open)
    }

    /// Returns whether some of these cells of a row are not free or lie off the map. O(cells / 56).
    fn row_may_hold_walls(&self, free: &BitMap, y: i64, columns: RangeInclusive<i64>) -> bool {
        let ends = (self.cell_on_map(*columns.start(), y), self.cell_on_map(*columns.end(), y));
        let (Some(first), Some(last)) = ends else { return true };
        !free.all(first, last.0 - first.0 + 1)
    }

    /// Returns the cells that can be stood on, if the profile moves in a single medium: then a line
    /// is clear if all cells that it touches are free.
    fn only_free_cells(&self) -> Option<&BitMap> {
        let mut media = self.layer.accelerators.free_cells();
        media.next().filter(|_| media.len() == 0)
    }

    /// Returns whether a sweep that meets no [wall](Self::is_wall) is clear: bodies of one cell
    /// move in a single medium.
    pub(crate) fn walls_alone_bar(&self) -> bool {
        self.layer.profile.width == 1 && self.only_free_cells().is_some()
    }

    /// Returns whether no wall bars a swath: the cells within `reach` cells of a segment, and
    /// perhaps some beside it. `bars` decides for each cell of it that is not free, given its lower
    /// corner. `None` where the swath leaves the map.
    ///
    /// Rows are looked at as words, and most swaths hold free cells alone: that is much quicker
    /// than a walk from cell to cell. O(rows · (1 + columns / 56)), and the cells that are not
    /// free.
    fn swath_is_clear(
        &self,
        free: &BitMap,
        (a, b): (DVec2, DVec2),
        reach: f64,
        bars: impl Fn(DVec2) -> bool,
    ) -> Option<bool> {
        let (layout, reach) = (&self.grid.layout, reach + MARGIN);
        let (low, high) = (a.min(b), a.max(b));
        let size = DVec2::new(layout.width.into(), layout.height.into());
        let is_inside = (low - reach).cmpge(DVec2::ZERO) & (high + reach).cmplt(size);
        if !is_inside.all() {
            return None; // coordinates that are no numbers come here too
        }
        let whole = |at: f64| at as u32; // rounds down: none is below 0
        let is_free =
            |y: u32, left: u32, right: u32| free.all(layout.cell(left, y), right - left + 1);
        let (top, bottom) = (whole(low.y - reach), whole(high.y + reach));
        let (left, right) = (whole(low.x - reach), whole(high.x + reach));
        // The rectangle around a short or a straight line holds little more.
        let is_slim = (bottom - top).min(right - left) < 4;
        if is_slim && (top..=bottom).all(|y| is_free(y, left, right)) {
            return Some(true);
        }
        let way = b - a;
        // The part of the segment that is near enough to a row lies between two columns.
        let slope = if way.y == 0.0 { 0.0 } else { way.x / way.y };
        let column_at = |y: f64| (a.x + (y - a.y) * slope).max(low.x).min(high.x);
        for row in 0..=bottom - top {
            // From the end on: lines are tried that are longer than others found clear.
            let y = if way.y > 0.0 { bottom - row } else { top + row };
            let (above, below) = (f64::from(y) - reach, f64::from(y) + 1.0 + reach);
            let ends = (column_at(above), column_at(below));
            let ends = if way.y == 0.0 { (low.x, high.x) } else { ends };
            let first = whole(ends.0.min(ends.1) - reach);
            let last = whole(ends.0.max(ends.1) + reach);
            let is_barred = |x: u32| {
                !free.get(layout.cell(x, y)) && bars(DVec2::new(f64::from(x), f64::from(y)))
            };
            if !is_free(y, first, last) && (first..=last).any(is_barred) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns the cost of a line that crosses `dx` columns and `dy` rows of one kind of ground.
    fn line_cost_over(dx: u64, dy: u64, straight: u32, penalty: u32) -> C {
        // Penalties are paid as often as by the fewest moves that cover the distance.
        let penalties = dx.max(dy) * u64::from(penalty);
        C::from_u64(straight_line(dx, dy, u64::from(straight)) + penalties)
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

    /// Returns the cost of the line between two cells by a walk from cell to cell, in exact integer
    /// arithmetic: O(dx + dy).
    #[doc(hidden)]
    pub fn line_cost_by_walk(&self, from: (i64, i64), end: (i64, i64)) -> Option<C> {
        let (mut x, mut y) = from;
        let (dx, dy) = (end.0.abs_diff(x), end.1.abs_diff(y));
        let steps = ((end.0 - x).signum(), (end.1 - y).signum());
        let medium = self.medium_at(x, y)?;
        // All cells of the line but the first must have one cost.
        let ground = |cell: Cell| {
            let cost = self.layer.costs.get(self.grid.terrain(cell))?;
            Some((cost.straight, self.layer.penalty(cell)))
        };
        let alike = (!self.layer.is_uniform())
            .then(|| self.cell_on_map(end.0, end.1).and_then(ground))
            .flatten();
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
        Some(Self::line_cost_over(dx, dy, straight, penalty))
    }

    /// Returns whether a segment is clear, by a walk from cell to cell: O(cells).
    #[doc(hidden)]
    pub fn segment_is_clear_by_walk(&self, a: DVec2, b: DVec2) -> bool {
        let ((fx, fy), (tx, ty)): ((f64, f64), (f64, f64)) = (a.into(), b.into());
        if !(fx.is_finite() && fy.is_finite() && tx.is_finite() && ty.is_finite()) {
            return false;
        }
        let (mut x, mut y) = (floor(fx), floor(fy));
        let end = (floor(tx), floor(ty));
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

    /// Returns whether a body can be swept along a segment, square by square: O(cells that it
    /// sweeps over).
    fn sweep_is_clear_by_squares(&self, a: DVec2, b: DVec2, reach: f64) -> bool {
        let free = self.only_free_cells().filter(|_| self.layer.profile.width == 1);
        disc_sweep_is_clear(
            a,
            b,
            reach,
            |y, columns| free.is_none_or(|free| self.row_may_hold_walls(free, y, columns)),
            |x, y| self.is_wall(x, y),
        )
    }
}

impl<C: Cost> LineOfSight for GridSpace<'_, C> {
    /// Decides by the cells that the line between the two centres touches: O(dx + dy).
    fn line_cost(&self, from: Cell, to: Cell) -> Option<C> {
        let at = |cell| {
            let (x, y) = self.grid.layout.coordinates(cell);
            (i64::from(x), i64::from(y))
        };
        let middle = |(x, y): (i64, i64)| DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
        let (from, to) = (at(from), at(to));
        if let Some(free) = self.only_free_cells().filter(|_| self.layer.is_uniform())
            && self.swath_is_clear(free, (middle(from), middle(to)), TOUCH, |_| true) == Some(true)
        {
            let (dx, dy) = (to.0.abs_diff(from.0), to.1.abs_diff(from.1));
            return Some(Self::line_cost_over(dx, dy, self.layer.least_step().straight, 0));
        }
        self.line_cost_by_walk(from, to)
    }

    /// Decides by the cells that the segment touches: O(cells).
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let (a, b) = (self.grid.frame().to_cells(from), self.grid.frame().to_cells(to));
        // A corner that the segment passes through lies within `TOUCH` of it: one of the points at
        // which it meets the corner's column and row does.
        self.only_free_cells()
            .is_some_and(|free| self.swath_is_clear(free, (a, b), TOUCH, |_| true) == Some(true))
            || self.segment_is_clear_by_walk(a, b)
    }

    /// Walls are cells of terrain that the profile cannot enter, and everything off the map. Bodies
    /// wider than the widest profile have no room anywhere. O(cells that the body sweeps over).
    fn sweep_is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        let frame = self.grid.frame();
        let reach = f64::from(radius) / f64::from(frame.cell_size);
        let (a, b) = (frame.to_cells(from), frame.to_cells(to));
        if reach > WIDEST || !a.is_finite() || !b.is_finite() {
            return false;
        }
        match self.only_free_cells() {
            // A disc that reaches into no cell but free ones of the only medium crosses nothing
            // that bars the segment.
            Some(free) if self.layer.profile.width == 1 && reach > NARROW => {
                let most = reach - CONTACT;
                let bars = |corner| distance_squared(a, b - a, corner) < most * most;
                self.swath_is_clear(free, (a, b), most, bars).unwrap_or_else(|| {
                    let is_open = |end: DVec2| !self.is_wall(floor(end.x), floor(end.y));
                    is_open(a) && is_open(b) && self.sweep_is_clear_by_squares(a, b, reach)
                })
            }
            _ => self.segment_is_clear(from, to) && self.sweep_is_clear_by_squares(a, b, reach),
        }
    }

    /// Where all cells that can be entered are of one medium: then a sweep looks for walls alone.
    fn open_swath(&self, from: Vec3, to: Vec3, radius: f32) -> Option<OpenSwath> {
        let looks_for_walls = self.layer.profile.width == 1 && self.only_free_cells().is_some();
        let is_open = looks_for_walls && self.sweep_is_clear(from, to, radius);
        is_open.then_some(OpenSwath { height: f32::INFINITY, is_level: true, narrows: false })
    }
}
