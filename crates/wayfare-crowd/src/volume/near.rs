//! The cells of three axes.

use glam::Vec3;

use crate::near::{Cell, Cells, Hunt, Near, floor};

impl Cells for Vec3 {
    const AXES: u32 = 3;
    const INNERMOST: i32 = 0;

    #[inline]
    fn cell(self) -> Cell {
        self.to_array().map(floor)
    }

    #[inline]
    fn within(self, cell: Cell) -> Self {
        self - Self::from_array(cell.map(|part| part as f32))
    }

    #[inline]
    fn to_border(self) -> f32 {
        self.min(Self::ONE - self).min_element()
    }

    #[inline]
    fn look_round<F: Fn(usize) -> bool>(
        near: &Near,
        [column, row, layer]: Cell,
        _within: Self,
        ring: i32,
        hunt: &mut Hunt<'_, Self, F>,
        touching: &mut Vec<u32>,
    ) {
        let (left, right) = (column.wrapping_sub(ring), column.wrapping_add(ring));
        for z in -ring..=ring {
            for y in -ring..=ring {
                let (row, layer) = (row.wrapping_add(y), layer.wrapping_add(z));
                if y.abs() == ring || z.abs() == ring {
                    near.look_along([left, row, layer], 2 * ring as u32 + 1, hunt, touching);
                } else {
                    near.look_along([left, row, layer], 1, hunt, touching);
                    near.look_along([right, row, layer], 1, hunt, touching);
                }
            }
        }
    }
}
