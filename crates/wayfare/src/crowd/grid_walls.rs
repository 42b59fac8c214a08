//! The walls of a grid: the outline of its blocked cells, read off the cells around a body.
//!
//! Nothing is stored, so nothing is out of date after an edit. Sides of neighbouring cells are
//! joined to one: the nearest point of a long wall is the foot of the body, where that of each
//! cell's side would be a corner of the cell, and the body would avoid corners that the wall does
//! not have.

use glam::Vec3;

use super::{WallSide, Walls};
use crate::space::{Cost, GridSpace, LineOfSight};

/// Walls are looked for in at most this many cells to each side of a body.
const FARTHEST: i64 = 24;

impl<C: Cost> Walls for GridSpace<'_, C> {
    /// O(cells within the range), a row without walls at a 56th of that.
    fn sides_near(&self, at: Vec3, range: f32, mut visit: impl FnMut(WallSide)) {
        let frame = self.grid().frame();
        let (middle, reach) = (frame.to_cells(at), f64::from(range / frame.cell_size));
        if !middle.is_finite() || !reach.is_finite() {
            return;
        }
        let (column, row) = (middle.x.floor() as i64, middle.y.floor() as i64);
        let first = |at: f64, own: i64| ((at - reach).floor() as i64).clamp(own - FARTHEST, own);
        let last = |at: f64, own: i64| ((at + reach).floor() as i64).clamp(own, own + FARTHEST);
        let (left, right) = (first(middle.x, column), last(middle.x, column));
        let (top, bottom) = (first(middle.y, row), last(middle.y, row));
        // The walls of a row as bits, the column `left` first; at most 49 of them.
        let walls = |y: i64| self.wall_bits(y, left..=right);
        let point =
            |x: i64, y: i64| frame.origin + Vec3::new(x as f32, 0.0, y as f32) * frame.cell_size;
        if (top..=bottom).all(|y| walls(y) == 0) {
            return;
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
    }

    fn is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.sweep_is_clear(from, to, radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Grid;

    fn sides(rows: &[&str], x: f32, z: f32, range: f32) -> Vec<(f32, f32, f32, f32)> {
        let grid = Grid::from_rows(rows).unwrap();
        let mut found = Vec::new();
        grid.space().sides_near(Vec3::new(x, 0.0, z), range, |side| {
            found.push((side.from.x, side.from.z, side.to.x, side.to.z));
        });
        found
    }

    #[test]
    fn sides_of_neighbouring_cells_are_one() {
        let room = ["#####", "#...#", "#...#", "#####"];
        let all = sides(&room, 2.5, 1.5, 4.0);
        assert_eq!(
            all,
            [
                (1.0, 1.0, 4.0, 1.0),
                (1.0, 3.0, 4.0, 3.0),
                (1.0, 1.0, 1.0, 3.0),
                (4.0, 1.0, 4.0, 3.0)
            ]
        );
    }

    #[test]
    fn the_border_of_the_map_is_a_wall_and_far_walls_are_left_out() {
        assert_eq!(
            sides(&["....", "...."], 0.5, 0.5, 0.6),
            [(0.0, 0.0, 2.0, 0.0), (0.0, 0.0, 0.0, 2.0)]
        );
        assert!(sides(&["....", "....", "....", "...."], 2.0, 2.0, 1.0).is_empty());
    }

    #[test]
    fn only_sides_that_face_the_body_count() {
        let post = ["...", ".#.", "..."];
        assert_eq!(sides(&post, 0.5, 0.5, 1.2).last(), Some(&(1.0, 1.0, 1.0, 2.0)));
        let below = sides(&post, 1.5, 2.5, 0.8);
        assert!(below.contains(&(1.0, 2.0, 2.0, 2.0)), "{below:?}");
        assert!(!below.iter().any(|side| side.1 == 1.0 && side.3 == 1.0), "{below:?}");
    }
}
