//! The walls of a grid: the outline of its blocked cells.

use glam::Vec3;
use wayfare_core::inside::Raster;
use wayfare_core::space::{Cost, LineOfSight};
use wayfare_core::walls::{WallSide, Walls};

use crate::grid::GridSpace;

impl<C: Cost> Walls for GridSpace<'_, C> {
    /// O(cells within the range), a row without walls at a 56th of that.
    fn sides_near(&self, at: Vec3, range: f32, visit: impl FnMut(WallSide)) {
        let frame = self.grid().frame();
        let raster = Raster { origin: frame.origin, side: frame.cell_size };
        raster.sides_near(at, range, |row, columns| self.wall_bits(row, columns), visit);
    }

    fn is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.sweep_is_clear(from, to, radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

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
