//! Local dominance: the moves out of a cell that a search needs, given the costs of the eight cells
//! around it.
//!
//! # Why it is exact
//!
//! Let a search enter cell `s` from its neighbour `p`, and let `t` be a neighbour of `s`. A
//! *detour* is a path from `p` to `t` within the eight cells around `s` that does not pass `s`. The
//! move `s → t` is left out if a detour
//!
//! - costs less than `p → s → t`, or
//! - costs the same, and its last move comes earlier in [`PREFERENCE`].
//!
//! This is the condition of [`Pruning`](wayfare_core::space::Pruning): the move that a cheapest
//! path to `t` needs is never left out, whichever of several cheapest parents a search has kept.
//!
//! Three facts make the comparison sound:
//!
//! - A detour uses legal moves only. Legality of a move between two cells around `s` depends on
//!   cells among the nine, so none is misjudged for lack of sight.
//! - The two last moves differ: moves in one direction into `t` begin at one cell, and only one
//!   path begins its last move at `s`. So the order decides every tie.
//! - Every step costs more than zero. Hence the move back to `p` is never needed, and the induction
//!   over costs in [`Pruning`](crate::space::Pruning) holds.
//!
//! Source: M. Carlson, S. Moghadam, D. Harabor, P. Stuckey, M. Ebendt, "Optimal pathfinding on
//! weighted grid maps", 2023.

use crate::grid::moves::{DIAGONALS, MoveTable};

/// The offsets of the eight directions, in the order of the bits of
/// [`moves`](crate::grid::moves).
const AROUND: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The rank of each direction as a last move; the lowest is preferred. Columns come before rows,
/// rows before diagonals. So a jump takes its diagonal steps first, and among four neighbours the
/// steps along the row.
const PREFERENCE: [u8; 8] = [4, 0, 5, 2, 3, 6, 1, 7];

/// The cost of a step into a cell, in cost units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(in crate::grid) struct EntryCost {
    pub(in crate::grid) straight: u32,
    pub(in crate::grid) diagonal: u32,
}

impl EntryCost {
    #[inline]
    pub(in crate::grid) fn of(self, direction: usize) -> u32 {
        if DIAGONALS >> direction & 1 == 1 { self.diagonal } else { self.straight }
    }
}

/// The moves to follow out of a cell, as bits, by the direction of entry.
pub(in crate::grid) type Needed = [u8; 8];

/// A free cell and the eight around it: `None` where no agent of its medium can stand.
#[derive(Clone, Copy)]
pub(in crate::grid) struct Neighbourhood<'t> {
    pub(in crate::grid) centre: EntryCost,
    pub(in crate::grid) around: [Option<EntryCost>; 8],
    pub(in crate::grid) moves: &'t MoveTable,
}

impl Neighbourhood<'_> {
    /// Returns the moves that a search needs to follow, for each direction in which the cell may be
    /// entered.
    pub(in crate::grid) fn needed(&self) -> Needed {
        let free = self.free_around((0, 0));
        let legal = self.moves[usize::from(free)];
        std::array::from_fn(|entered| {
            let parent = 7 - entered;
            if legal >> parent & 1 == 0 {
                return legal; // moves are symmetric, so no move enters this way
            }
            let detours = self.detours(parent);
            let entry = self.centre.of(entered);
            (0..8).filter(|&bit| legal >> bit & 1 == 1).fold(0, |needed, bit| {
                let Some(cost) = self.around[bit] else { return needed };
                let through = (entry + cost.of(bit), PREFERENCE[bit]);
                needed | u8::from(through < detours[bit]) << bit
            })
        })
    }

    /// For each of the eight cells the cheapest path from one of them that does not pass the
    /// middle: its cost, and the rank of its last move.
    fn detours(&self, from: usize) -> [(u32, u8); 8] {
        let mut best = [(u32::MAX, u8::MAX); 8];
        best[from] = (0, 0);
        loop {
            let before = best;
            for (cell, &offset) in AROUND.iter().enumerate() {
                let mut legal = self.moves[usize::from(self.free_around(offset))];
                if self.around[cell].is_none() || before[cell].0 == u32::MAX {
                    legal = 0;
                }
                for direction in (0..8).filter(|direction| legal >> direction & 1 == 1) {
                    let step = AROUND[direction];
                    let target = (offset.0 + step.0, offset.1 + step.1);
                    let Some(to) = AROUND.iter().position(|&offset| offset == target) else {
                        continue;
                    };
                    let Some(cost) = self.around[to] else { continue };
                    let way = (before[cell].0 + cost.of(direction), PREFERENCE[direction]);
                    best[to] = best[to].min(way);
                }
            }
            if best == before {
                return best;
            }
        }
    }

    /// Returns the free cells around one of the nine, as far as they lie among the nine.
    fn free_around(&self, at: (i32, i32)) -> u8 {
        AROUND.iter().enumerate().fold(0, |free, (bit, offset)| {
            let cell = (at.0 + offset.0, at.1 + offset.1);
            let is_free = cell == (0, 0)
                || AROUND
                    .iter()
                    .position(|&offset| offset == cell)
                    .is_some_and(|place| self.around[place].is_some());
            free | u8::from(is_free) << bit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::moves::move_table;
    use crate::grid::{CornerRule, Neighbours};
    use wayfare_core::space::{DIAGONAL, STRAIGHT};

    const NW: usize = 0;
    const N: usize = 1;
    const NE: usize = 2;
    const W: usize = 3;
    const E: usize = 4;
    const SW: usize = 5;
    const S: usize = 6;
    const SE: usize = 7;

    fn times(factor: u32) -> EntryCost {
        EntryCost { straight: STRAIGHT * factor, diagonal: DIAGONAL * factor }
    }

    fn needed(around: [Option<u32>; 8], centre: u32) -> Needed {
        Neighbourhood {
            centre: times(centre),
            around: around.map(|factor| factor.map(times)),
            moves: move_table(Neighbours::Eight, CornerRule::BothFree),
        }
        .needed()
    }

    fn bits(directions: &[usize]) -> u8 {
        directions.iter().fold(0, |bits, direction| bits | 1 << direction)
    }

    #[test]
    fn on_uniform_terrain_straight_lines_go_on_and_diagonals_fan_out() {
        let needed = needed([Some(3); 8], 3);
        assert_eq!(needed[E], bits(&[E]));
        assert_eq!(needed[S], bits(&[S]));
        assert_eq!(needed[NE], bits(&[N, E, NE]));
        assert_eq!(needed[SW], bits(&[S, W, SW]));
    }

    #[test]
    fn a_line_turns_where_cheaper_ground_begins_and_not_where_more_expensive_does() {
        let mut around = [Some(2); 8];
        for ahead in [NE, E, SE] {
            around[ahead] = Some(1);
        }
        assert_eq!(needed(around, 2)[E], bits(&[NE, E, SE]));
        for ahead in [NE, E, SE] {
            around[ahead] = Some(4);
        }
        assert_eq!(needed(around, 2)[E], bits(&[E]));
    }

    #[test]
    fn a_line_turns_behind_a_wall() {
        let mut around = [Some(1); 8];
        around[NW] = None;
        assert_eq!(needed(around, 1)[E], bits(&[N, NE, E]));
    }
}
