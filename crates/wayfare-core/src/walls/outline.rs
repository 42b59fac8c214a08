//! The outline of walls on a raster of squares, read off the squares around a body.
//!
//! Nothing is stored, so nothing is out of date after an edit. Sides of neighbouring squares are
//! joined to one: the nearest point of a long wall is the foot of the body, where that of each
//! square's side would be a corner of the square, and the body would avoid corners that the wall
//! does not have.

use std::ops::RangeInclusive;

use glam::Vec3;

use super::WallSide;

/// Walls are looked for in at most this many squares to each side of a body.
const FARTHEST: i64 = 24;

/// Squares, seen from above.
pub struct Raster {
    /// The corner of the square (0, 0) with the least coordinates; its height is that of all sides.
    pub origin: Vec3,
    /// The side of a square, in world units.
    pub side: f32,
}

impl Raster {
    /// Visits the sides of walls within a range of a body that face it. Returns whether they are
    /// all: false for a body in a wall, and for a range of more than 24 squares.
    ///
    /// `walls`: the walls among at most 49 squares of a row as bits, the first column first.
    /// O(squares within the range).
    #[doc(hidden)]
    pub fn sides_near(
        &self,
        at: Vec3,
        range: f32,
        walls: impl Fn(i64, RangeInclusive<i64>) -> u64,
        mut visit: impl FnMut(WallSide),
    ) -> bool {
        let Self { origin, side } = *self;
        let from_origin = (at.as_dvec3() - origin.as_dvec3()) / f64::from(side);
        let (across, down) = (from_origin.x, from_origin.z);
        let reach = f64::from(range / side);
        if !(across + down + reach).is_finite() {
            return false;
        }
        let (column, row) = (across.floor() as i64, down.floor() as i64);
        let first = |at: f64, own: i64| ((at - reach).floor() as i64).clamp(own - FARTHEST, own);
        let last = |at: f64, own: i64| ((at + reach).floor() as i64).clamp(own, own + FARTHEST);
        let (left, right) = (first(across, column), last(across, column));
        let (top, bottom) = (first(down, row), last(down, row));
        let walls = |y: i64| walls(y, left..=right);
        let point = |x: i64, y: i64| origin + Vec3::new(x as f32, 0.0, y as f32) * side;
        let are_all = reach <= FARTHEST as f64;
        if (top..=bottom).all(|y| walls(y) == 0) {
            return are_all;
        }
        // Walls of a column, gathered row by row: runs of sides towards the body's own column.
        let mut begun = [None::<i64>; 2 * FARTHEST as usize + 1];
        let mut above: Option<u64> = None;
        for y in top..=bottom {
            let here = walls(y);
            // Sides along the rows. Those above the body face it from their lower side.
            let before = above.replace(here).unwrap_or(here);
            let exposed = if y <= row { before & !here } else { here & !before };
            let mut bits = exposed;
            while bits != 0 {
                let begin = bits.trailing_zeros();
                let length = (bits >> begin).trailing_ones();
                let x = left + i64::from(begin);
                visit(WallSide { from: point(x, y), to: point(x + i64::from(length), y) });
                bits &= !(((1u64 << length) - 1) << begin);
            }
            // Sides along the columns. Bit `i` of the result stands for the line to the left of
            // column `left + i`. Lines to the left of the body face it from their right side.
            let own = (column - left) as u32;
            let to_left = (here << 1) & !here & ((2u64 << own) - 1);
            let to_right = here & !(here << 1) & !((2u64 << own) - 1);
            let lines = (to_left | to_right) & !1;
            let count = (right - left + 1) as usize;
            for (line, begun) in begun.iter_mut().enumerate().take(count).skip(1) {
                let x = left + line as i64;
                match (lines >> line & 1 == 1, *begun) {
                    (true, None) => *begun = Some(y),
                    (false, Some(from)) => {
                        visit(WallSide { from: point(x, from), to: point(x, y) });
                        *begun = None;
                    }
                    _ => {}
                }
            }
        }
        for (line, begun) in begun.iter().enumerate() {
            if let Some(from) = *begun {
                let x = left + line as i64;
                visit(WallSide { from: point(x, from), to: point(x, bottom + 1) });
            }
        }
        are_all && walls(row) >> (column - left) & 1 == 0
    }
}
