//! The legal moves out of a cell, given the free cells around it.

use super::{CornerRule, Neighbours};

/// The eight neighbours as bits, in the order of their ids: NW, N, NE, W, E, SW, S, SE.
pub(crate) const DIAGONALS: u8 = 0b1010_0101;

/// The straight ones, as the numbers of their bits.
pub(super) const NORTH: usize = 1;
pub(super) const WEST: usize = 3;
pub(super) const EAST: usize = 4;
pub(super) const SOUTH: usize = 6;

/// The moves for each of the 256 patterns of free neighbours.
pub(crate) type MoveTable = [u8; 256];

const fn table(diagonal: bool, least_free_corners: u8) -> MoveTable {
    // The straight neighbours on either side of each diagonal.
    const CORNERS: [(u8, u8); 4] =
        [(0, 0b0000_1010), (2, 0b0001_0010), (5, 0b0100_1000), (7, 0b0101_0000)];
    let mut table = [0; 256];
    let mut free = 0usize;
    while free < 256 {
        let mut moves = free as u8 & !DIAGONALS;
        let mut corner = 0;
        while diagonal && corner < 4 {
            let (bit, sides) = CORNERS[corner];
            if (free as u8 & sides).count_ones() as u8 >= least_free_corners {
                moves |= free as u8 & (1 << bit);
            }
            corner += 1;
        }
        table[free] = moves;
        free += 1;
    }
    table
}

static FOUR: MoveTable = table(false, 0);
static BOTH_FREE: MoveTable = table(true, 2);
static ONE_FREE: MoveTable = table(true, 1);
static ALWAYS: MoveTable = table(true, 0);

/// Returns the table of a rule.
pub(crate) fn move_table(neighbours: Neighbours, corners: CornerRule) -> &'static MoveTable {
    match (neighbours, corners) {
        (Neighbours::Four, _) => &FOUR,
        (Neighbours::Eight, CornerRule::BothFree) => &BOTH_FREE,
        (Neighbours::Eight, CornerRule::OneFree) => &ONE_FREE,
        (Neighbours::Eight, CornerRule::Always) => &ALWAYS,
    }
}

/// Returns whether a diagonal may pass between two cells under a corner rule.
pub(crate) fn corner_is_passable(corners: CornerRule, one_free: bool, other_free: bool) -> bool {
    match corners {
        CornerRule::BothFree => one_free && other_free,
        CornerRule::OneFree => one_free || other_free,
        CornerRule::Always => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_corner_rules_differ_as_they_should() {
        let only = |bits: u8| move |table: &MoveTable| table[usize::from(bits)];
        let (nw, nw_n, nw_n_w) = (only(0b0000_0001), only(0b0000_0011), only(0b0000_1011));
        assert_eq!([nw(&BOTH_FREE), nw(&ONE_FREE), nw(&ALWAYS), nw(&FOUR)], [0, 0, 1, 0]);
        assert_eq!([nw_n(&BOTH_FREE), nw_n(&ONE_FREE), nw_n(&ALWAYS), nw_n(&FOUR)], [2, 3, 3, 2]);
        assert_eq!(
            [nw_n_w(&BOTH_FREE), nw_n_w(&ONE_FREE), nw_n_w(&FOUR)],
            [0b1011, 0b1011, 0b1010]
        );
        assert_eq!([BOTH_FREE[255], FOUR[255]], [255, !DIAGONALS]);
    }
}
