//! Where models of MagicaVoxel lie.

use dot_vox::Size;
use wayfare_formats::inside::tested::place::{Placing, rows_of};

#[test]
fn models_turn_about_their_middle() {
    let size = Size { x: 3, y: 2, z: 1 };
    let plain = Placing { shift: [10, 20, 30], ..Placing::NONE };
    assert_eq!(plain.voxel(size, [0, 0, 0]), [9, 19, 30]);
    assert_eq!(plain.voxel(size, [2, 1, 0]), [11, 20, 30]);
    // A quarter turn about z: x becomes y, and y becomes -x.
    let rows = rows_of(0b0010001).expect("a turn");
    let turned = Placing { rows, shift: [0; 3] };
    let at = |x, y| turned.voxel(size, [x, y, 0]);
    assert_eq!([at(0, 0), at(2, 0), at(0, 1)], [[0, -1, 0], [0, 1, 0], [-1, -1, 0]]);
    let four = turned.around(&turned).around(&turned).around(&turned);
    assert_eq!(four, Placing::NONE);
    assert_eq!(rows_of(0b0000101), None);
    assert_eq!(rows_of(0b0001100), None);
}
