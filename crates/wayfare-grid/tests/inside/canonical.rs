//! The canonical moves of jump point search.

use wayfare_grid::grid::{CornerRule, Neighbours};
use wayfare_grid::inside::tested::canonical::canonical_table;

const NW: u8 = 1;
const N: u8 = 2;
const NE: u8 = 4;
const E: u8 = 16;
const S: u8 = 64;
const SE: u8 = 128;
const EAST: usize = 4;
const SOUTH: usize = 6;
const SOUTH_EAST: usize = 7;

#[test]
fn on_open_ground_one_move_continues_a_straight_one_and_three_a_diagonal() {
    for corners in [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always] {
        let table = canonical_table(Neighbours::Eight, corners);
        assert_eq!(table[EAST][255], E);
        assert_eq!(table[SOUTH_EAST][255], E | S | SE);
    }
    let four = canonical_table(Neighbours::Four, CornerRule::BothFree);
    assert_eq!([four[EAST][255], four[SOUTH][255]], [N | E | S, S]);
}

#[test]
fn obstacles_force_the_neighbours_that_the_papers_name() {
    // Moving east past a wall to the north: the rules differ in whether its corner may be cut.
    let cutting = canonical_table(Neighbours::Eight, CornerRule::OneFree);
    assert_eq!(cutting[EAST][usize::from(!N)], E | NE);
    let square = canonical_table(Neighbours::Eight, CornerRule::BothFree);
    assert_eq!(square[EAST][usize::from(!NW)], N | E | NE);
    assert_eq!(square[EAST][usize::from(!N)], E);
}
