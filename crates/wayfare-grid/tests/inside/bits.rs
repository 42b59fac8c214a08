//! The bit map and its transposition, bit by bit.

use proptest::prelude::*;
use wayfare_grid::inside::{BitMap, Layout};

proptest! {
    #[test]
    fn stretches_of_cells_are_set_and_found(
        first in (0u32..60, 0u32..6),
        size in (1u32..60, 1u32..6),
        asked in (0u32..60, 0u32..6, 1u32..60),
    ) {
        let layout = Layout::new(60, 6);
        let mut map = BitMap::new(&layout);
        let (width, height) = (size.0.min(60 - first.0), size.1.min(6 - first.1));
        map.set_block(layout.cell(first.0, first.1), width, height);
        let is_set = |x: u32, y: u32| {
            (first.0..first.0 + width).contains(&x) && (first.1..first.1 + height).contains(&y)
        };
        for cell in layout.cells() {
            let (x, y) = layout.coordinates(cell);
            prop_assert_eq!(map.get(cell), is_set(x, y));
        }
        let (x, y, cells) = (asked.0, asked.1, asked.2.min(60 - asked.0));
        let any = (x..x + cells).any(|x| is_set(x, y));
        prop_assert_eq!(map.any(layout.cell(x, y), cells), any);
        let all = (x..x + cells).all(|x| is_set(x, y));
        prop_assert_eq!(map.all(layout.cell(x, y), cells), all);
    }

    #[test]
    fn around_gathers_the_eight_neighbours(width in 1u32..40, height in 1u32..8, seed: u64, x in 0u32..40, y in 0u32..8) {
        let (x, y) = (x % width, y % height);
        let layout = Layout::new(width, height);
        let free = |x: i64, y: i64| {
            x >= 0 && y >= 0 && x < i64::from(width) && y < i64::from(height)
                && (seed >> ((x * 7 + y * 13) % 64)) & 1 == 1
        };
        let mut map = BitMap::new(&layout);
        for cell in layout.cells() {
            let (x, y) = layout.coordinates(cell);
            map.set(cell, free(x.into(), y.into()));
        }
        let around = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        let expected = around.iter().enumerate().fold(0u8, |bits, (bit, (dx, dy))| {
            bits | u8::from(free(i64::from(x) + dx, i64::from(y) + dy)) << bit
        });
        prop_assert_eq!(map.around(layout.cell(x, y)), expected);
    }
}
