//! Rows of blocks, against an array.

use proptest::prelude::*;
use wayfare_formats::inside::tested::voxel_rows::{Rows, RowsAnyhow};
use wayfare_voxel::BlockPosition;

proptest! {
    /// However rows come about, they hold the same as an array, and equal blocks are equal
    /// rows.
    #[test]
    fn rows_are_an_array(fills in prop::collection::vec((0u32..12, 0u32..12, 0u16..4), 0..20)) {
        let mut rows = Rows::default();
        let mut array = [0u16; 12];
        for (a, b, block) in fills {
            let (first, last) = (a.min(b), a.max(b));
            rows.fill(3, 5, [first, last], block);
            array[first as usize..=last as usize].fill(block);
        }
        let place = |x: u32| BlockPosition::new(x, 3, 5);
        for (x, block) in (0..).zip(array) {
            prop_assert_eq!(rows.get(place(x)), block);
        }
        let mut by_row = Rows::default();
        by_row.set_row(3, 5, array.into_iter());
        prop_assert_eq!(&by_row, &rows);
        let given = (0..12u32).zip(array).rev().filter(|(_, block)| *block != 0);
        let mut anyhow = RowsAnyhow::default();
        given.for_each(|(x, block)| anyhow.push(place(x), block));
        prop_assert_eq!(&anyhow.finish(), &rows);
    }
}

#[test]
fn the_last_block_at_a_place_counts_and_far_ends_do_not_overflow() {
    let at = BlockPosition::new(u32::from(u16::MAX), 0, 0);
    let mut anyhow = RowsAnyhow::default();
    [1, 2, 1].into_iter().for_each(|block| anyhow.push(at, block));
    let mut rows = anyhow.finish();
    assert_eq!(rows.get(at), 1);
    rows.fill(0, 0, [0, u32::from(u16::MAX)], 1);
    assert_eq!(rows.iter().map(|(.., it)| it.length()).collect::<Vec<_>>(), [1 << 16]);
    rows.fill(0, 0, [0, u32::from(u16::MAX)], 0);
    assert_eq!(rows, Rows::default());
}
