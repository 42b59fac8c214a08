//! Canonical moves: on ground of one cost, all but a few of the moves out of a cell lead where its parent gets as cheaply
//! without it.
//!
//! Between two cells of open ground there are many paths of one length. A search that follows just one of them, the one that
//! goes diagonally first, reaches the same cells at the same costs and looks at two or three neighbours of each, not eight.
//! The rule is that of jump point search (D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", 2011;
//! N. Sturtevant, S. Rabin, "Canonical orderings on grids", 2016), and a special case of [`super::dominance`]: its table is worked out
//! beforehand for each pattern of free neighbours, and needs no cost.

use std::sync::LazyLock;

use super::dominance::{EntryCost, Neighbourhood};
use crate::space::grid::moves::{MoveTable, move_table};
use crate::space::grid::{CornerRule, Neighbours};
use crate::space::{DIAGONAL, STRAIGHT};

/// The moves to follow out of a cell: by the direction it was entered in, then by the pattern of its free neighbours.
pub(crate) type CanonicalTable = [MoveTable; 8];

static FOUR: LazyLock<CanonicalTable> =
    LazyLock::new(|| table(Neighbours::Four, CornerRule::Always));
static BOTH_FREE: LazyLock<CanonicalTable> =
    LazyLock::new(|| table(Neighbours::Eight, CornerRule::BothFree));
static ONE_FREE: LazyLock<CanonicalTable> =
    LazyLock::new(|| table(Neighbours::Eight, CornerRule::OneFree));
static ALWAYS: LazyLock<CanonicalTable> =
    LazyLock::new(|| table(Neighbours::Eight, CornerRule::Always));

/// The table of a rule; worked out the first time it is asked for.
pub(crate) fn canonical_table(
    neighbours: Neighbours,
    corners: CornerRule,
) -> &'static CanonicalTable {
    match (neighbours, corners) {
        (Neighbours::Four, _) => &FOUR,
        (Neighbours::Eight, CornerRule::BothFree) => &BOTH_FREE,
        (Neighbours::Eight, CornerRule::OneFree) => &ONE_FREE,
        (Neighbours::Eight, CornerRule::Always) => &ALWAYS,
    }
}

fn table(neighbours: Neighbours, corners: CornerRule) -> CanonicalTable {
    let moves = move_table(neighbours, corners);
    let cost = EntryCost { straight: STRAIGHT, diagonal: DIAGONAL };
    let mut table = [[0; 256]; 8];
    for free in 0..=u8::MAX {
        let around = std::array::from_fn(|bit| (free >> bit & 1 == 1).then_some(cost));
        let needed = Neighbourhood { centre: cost, around, moves }.needed();
        for (entered, needed) in needed.into_iter().enumerate() {
            table[entered][usize::from(free)] = needed;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Moving east past a wall to the north: cutting its corner is what the rules differ in.
        let cutting = canonical_table(Neighbours::Eight, CornerRule::OneFree);
        assert_eq!(cutting[EAST][usize::from(!N)], E | NE);
        let square = canonical_table(Neighbours::Eight, CornerRule::BothFree);
        assert_eq!(square[EAST][usize::from(!NW)], N | E | NE);
        assert_eq!(square[EAST][usize::from(!N)], E);
    }
}
