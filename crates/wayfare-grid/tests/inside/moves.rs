//! The moves under each corner rule.

use wayfare_grid::inside::tested::moves::{
    ALWAYS, BOTH_FREE, DIAGONALS, FOUR, MoveTable, ONE_FREE,
};

#[test]
fn the_three_corner_rules_differ_as_they_should() {
    let only = |bits: u8| move |table: &MoveTable| table[usize::from(bits)];
    let (nw, nw_n, nw_n_w) = (only(0b0000_0001), only(0b0000_0011), only(0b0000_1011));
    assert_eq!([nw(&BOTH_FREE), nw(&ONE_FREE), nw(&ALWAYS), nw(&FOUR)], [0, 0, 1, 0]);
    assert_eq!([nw_n(&BOTH_FREE), nw_n(&ONE_FREE), nw_n(&ALWAYS), nw_n(&FOUR)], [2, 3, 3, 2]);
    assert_eq!([nw_n_w(&BOTH_FREE), nw_n_w(&ONE_FREE), nw_n_w(&FOUR)], [0b1011, 0b1011, 0b1010]);
    assert_eq!([BOTH_FREE[255], FOUR[255]], [255, !DIAGONALS]);
}
