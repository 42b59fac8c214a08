//! The walls of a grid: the outline of its blocked cells.

use glam::Vec3;
use wayfare_core::inside::Raster;
use wayfare_core::space::{Cost, LineOfSight};
use wayfare_core::walls::{WallSide, Walls};

use crate::grid::GridSpace;

impl<C: Cost> Walls for GridSpace<'_, C> {
    /// O(cells within the range), a row without walls at a 56th of that.
    fn sides_near(&self, at: Vec3, range: f32, visit: impl FnMut(WallSide)) -> bool {
        let frame = self.grid().frame();
        let raster = Raster { origin: frame.origin, side: frame.cell_size };
        let are_all =
            raster.sides_near(at, range, |row, columns| self.wall_bits(row, columns), visit);
        are_all && self.walls_alone_bar()
    }

    fn is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.sweep_is_clear(from, to, radius)
    }
}
