//! Where a grid lies in the world.

use glam::{DVec2, Vec3};

/// Where a grid lies in the world. The grid lies flat on the x and z axes; y is up. Columns go
/// along x, rows along z.
///
/// ```
/// use glam::Vec3;
/// use wayfare::prelude::*;
/// use wayfare::space::Frame;
/// let frame = Frame { origin: Vec3::new(10.0, 0.0, 0.0), cell_size: 2.0 };
/// let grid = Grid::from_rows(&["..."])?.with_frame(frame)?;
/// assert_eq!(grid.cell_at(Vec3::new(13.0, 0.0, 1.0)), grid.cell(1, 0));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// The world point of the outer corner of cell (0, 0). Default: the world's origin.
    pub origin: Vec3,
    /// The side of a cell in world units, more than 0. Default 1.
    pub cell_size: f32,
}

impl Default for Frame {
    fn default() -> Self {
        Self { origin: Vec3::ZERO, cell_size: 1.0 }
    }
}

impl Frame {
    /// Returns the centre of the cell at column `x` and row `y`, at the height of the frame.
    #[must_use]
    pub fn centre(&self, x: u32, y: u32) -> Vec3 {
        self.origin + Vec3::new(x as f32 + 0.5, 0.0, y as f32 + 0.5) * self.cell_size
    }

    /// Returns a world point in units of cells: the integer parts of `x` and `y` are its column and
    /// row.
    #[must_use]
    pub fn to_cells(&self, point: Vec3) -> DVec2 {
        let offset = |value: f32, origin: f32| {
            (f64::from(value) - f64::from(origin)) / f64::from(self.cell_size)
        };
        DVec2::new(offset(point.x, self.origin.x), offset(point.z, self.origin.z))
    }
}
