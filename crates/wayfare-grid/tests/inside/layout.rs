//! Cells and coordinates.

use wayfare_grid::grid::{Cell, MAX_SIDE};
use wayfare_grid::inside::Layout;

#[test]
fn coordinates_undo_cell_for_every_width() {
    for width in (1..200).chain([511, 512, 1023, 4096, 10_000, MAX_SIDE - 1, MAX_SIDE]) {
        let layout = Layout::new(width, MAX_SIDE);
        for y in [0, 1, 2, 63, 1000, MAX_SIDE - 1] {
            for x in [0, 1, width / 2, width - 1] {
                if x < width {
                    assert_eq!(layout.coordinates(layout.cell(x, y)), (x, y));
                    assert!(layout.contains(layout.cell(x, y)));
                }
            }
        }
        assert!(!layout.contains(Cell(layout.cell(0, 0).0 - 1)));
        assert!(!layout.contains(Cell(layout.cell(width - 1, 3).0 + 1)));
        assert!(!layout.contains(Cell(0)) && !layout.contains(Cell(u32::MAX)));
    }
}
