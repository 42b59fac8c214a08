//! Canonical moves: on ground of one cost, all but a few of the moves out of a cell lead where its parent gets as cheaply
//! without it.
//!
//! Between two cells of open ground there are many paths of one length. A search that follows just one of them, the one that
//! goes diagonally first, reaches the same cells at the same costs and looks at two or three neighbours of each, not eight.
//! The rule is that of jump point search (D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", 2011;
//! N. Sturtevant, S. Rabin, "Canonical orderings on grids", 2016). Which moves it leaves is not written down here case
//! by case: it is worked out from the moves themselves, for each pattern of free neighbours.

use std::sync::LazyLock;

use super::moves::{DIAGONALS, MoveTable, move_table};
use super::{CornerRule, Neighbours};
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

/// The offsets of the eight directions, in the order of the bits.
const AROUND: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The nine cells of a pattern, seen from the middle one, which is free.
#[derive(Clone, Copy)]
struct Window {
    free: u8,
    rule: (Neighbours, CornerRule),
}

impl Window {
    fn is_free(self, at: (i32, i32)) -> bool {
        at == (0, 0)
            || AROUND
                .iter()
                .position(|&offset| offset == at)
                .is_some_and(|bit| self.free >> bit & 1 == 1)
    }

    /// What the single move between two cells of the window costs.
    fn cost(self, from: (i32, i32), to: (i32, i32)) -> Option<u32> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let direction = AROUND.iter().position(|&offset| offset == (dx, dy))?;
        // The pattern around `from` as far as the move can see it: the cells between the two lie in the window too.
        let around = (0..8).fold(0u8, |bits, bit| {
            let (ox, oy) = AROUND[bit];
            bits | u8::from(self.is_free((from.0 + ox, from.1 + oy))) << bit
        });
        let allowed = self.is_free(from)
            && move_table(self.rule.0, self.rule.1)[usize::from(around)] >> direction & 1 == 1;
        allowed.then_some(if DIAGONALS >> direction & 1 == 1 { DIAGONAL } else { STRAIGHT })
    }

    /// The cost of the best way between two cells in one or two moves that does not pass the middle. Three moves are longer
    /// than any two.
    fn detour(self, from: (i32, i32), to: (i32, i32)) -> Option<u32> {
        let by_way_of = |via: (i32, i32)| Some(self.cost(from, via)? + self.cost(via, to)?);
        let two_moves = AROUND.into_iter().filter_map(by_way_of).min();
        let one_move = self.cost(from, to);
        let nothing = (from == to).then_some(0);
        [nothing, one_move, two_moves].into_iter().flatten().min()
    }
}

fn table(neighbours: Neighbours, corners: CornerRule) -> CanonicalTable {
    let mut table = [[0; 256]; 8];
    for (entered, moves) in table.iter_mut().enumerate() {
        let (ex, ey) = AROUND[entered];
        let parent = (-ex, -ey);
        // Of two ways of one length, the one that is left stands first in an order: diagonals before straight moves and, where
        // there are no diagonals, moves along rows before moves along columns.
        let yields_to_equals = match neighbours {
            Neighbours::Eight => ex == 0 || ey == 0,
            Neighbours::Four => ex == 0,
        };
        for (free, kept) in moves.iter_mut().enumerate() {
            let window = Window { free: free as u8, rule: (neighbours, corners) };
            let Some(entry) = window.cost(parent, (0, 0)) else {
                // Nobody enters this way through this pattern; leave all moves, to be safe.
                *kept = move_table(neighbours, corners)[free];
                continue;
            };
            for (bit, &target) in AROUND.iter().enumerate() {
                let Some(exit) = window.cost((0, 0), target) else { continue };
                let is_needless = window.detour(parent, target).is_some_and(|detour| {
                    detour < entry + exit || (yields_to_equals && detour == entry + exit)
                });
                *kept |= u8::from(!is_needless) << bit;
            }
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
