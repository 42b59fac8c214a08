//! Forged files of grid indexes.

use proptest::prelude::*;
use wayfare_grid::grid::Grid;
use wayfare_index::index::{GridIndex, IndexFileError, IndexScratch};

use crate::frame::{forged, forgeries, sealed};

fn grid() -> Grid {
    Grid::from_rows(&["..#...", "..#.#.", "......", ".#..#.", "......"]).unwrap()
}

proptest! {
    #[test]
    fn forged_indexes_are_refused_or_answer_with_paths_that_exist(
        forgeries in forgeries(),
        has_sight in any::<bool>(),
    ) {
        let grid = grid();
        let space = grid.space();
        let mut index = GridIndex::new(&space).unwrap();
        if has_sight {
            index.note_sight(&space, 1 << 20).unwrap();
        }
        let bytes = forged(index.encode(), &forgeries);
        let Ok(index) = GridIndex::decode(&space, &bytes) else { return Ok(()) };
        let indexed = index.of(&space).unwrap();
        let free: Vec<_> = grid.cells().filter(|&cell| space.is_free(cell)).collect();
        for (&start, &goal) in free.iter().flat_map(|start| free.iter().map(move |goal| (start, goal))) {
            let outcome = indexed.path(start, goal, &mut IndexScratch::new());
            if let Some(path) = outcome.path() {
                prop_assert_eq!(wayfare_core::path::validate(&space, path, start, goal), Ok(()));
            }
        }
    }
}

#[test]
fn counts_are_checked_before_anything_is_made_of_them() {
    let grid = grid();
    let mut bytes = GridIndex::new(&grid.space()).unwrap().encode();
    bytes[20..36].copy_from_slice(&[0xff; 16]);
    let decoded = GridIndex::decode(&grid.space(), &sealed(bytes.clone())).err();
    let expected = 44 + 4 * (6 * u64::from(u32::MAX) + u64::from(u32::MAX.div_ceil(2)));
    let found = bytes.len() as u64;
    assert_eq!(decoded, Some(IndexFileError::Length { expected, found }));
}
