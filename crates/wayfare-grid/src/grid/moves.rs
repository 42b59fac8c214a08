//! The legal moves out of a cell, given the free cells around it.

use super::{CornerRule, Neighbours};

/// The diagonals. The eight neighbours are bits in the order of their ids: NW, N, NE, W, E, SW, S,
/// SE.
pub const DIAGONALS: u8 = 0b1010_0101;

/// The number of the bit of north.
pub const NORTH: usize = 1;
/// The number of the bit of west.
pub const WEST: usize = 3;
/// The number of the bit of east.
pub const EAST: usize = 4;
/// The number of the bit of south.
pub const SOUTH: usize = 6;

/// The moves for each of the 256 patterns of free neighbours.
pub type MoveTable = [u8; 256];

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

/// The moves of four neighbours.
pub static FOUR: MoveTable = table(false, 0);
/// The moves of eight neighbours under [`CornerRule::BothFree`].
pub static BOTH_FREE: MoveTable = table(true, 2);
/// The moves of eight neighbours under [`CornerRule::OneFree`].
pub static ONE_FREE: MoveTable = table(true, 1);
/// The moves of eight neighbours under [`CornerRule::Always`].
pub static ALWAYS: MoveTable = table(true, 0);

/// Returns the table of a rule.
pub fn move_table(neighbours: Neighbours, corners: CornerRule) -> &'static MoveTable {
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
