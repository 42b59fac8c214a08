//! The cells of three axes.

use glam::Vec3;

use crate::cells::{Cell, Divided, floor};

impl Divided for Vec3 {
    const AXES: u32 = 3;
    const INNERMOST: i32 = 0;

    #[inline]
    fn cell(self) -> Cell {
        self.to_array().map(floor)
    }

    #[inline]
    fn coordinates(self) -> [f32; 3] {
        self.to_array()
    }
}
