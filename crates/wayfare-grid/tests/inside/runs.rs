//! Runs of free cells, also after edits.

use proptest::prelude::*;
use wayfare_grid::inside::tested::runs::{Run, Runs};
use wayfare_grid::inside::{BitMap, Layout};

proptest! {
    #[test]
    fn runs_are_the_stretches_of_free_cells(
        width in 1u32..200,
        height in 1u32..4,
        flips in prop::collection::vec((any::<u32>(), any::<u32>()), 0..40),
    ) {
        let layout = Layout::new(width, height);
        let mut map = BitMap::new(&layout);
        for cell in layout.cells() {
            map.set(cell, true);
        }
        for (x, y) in flips {
            let cell = layout.cell(x % width, y % height);
            map.set(cell, !map.get(cell));
        }
        let mut expected = Vec::new();
        for y in 0..height {
            let free = |x: u32| x < width && map.get(layout.cell(x, y));
            for first in (0..width).filter(|&x| free(x) && (x == 0 || !free(x - 1))) {
                let last = (first..).find(|&x| !free(x + 1)).unwrap_or(first);
                expected.push(Run { line: y as u16, first: first as u16, last: last as u16 });
            }
        }
        let runs = Runs::of_rows(&map, &layout);
        prop_assert_eq!(runs.as_slice(), &expected[..]);
    }
}
