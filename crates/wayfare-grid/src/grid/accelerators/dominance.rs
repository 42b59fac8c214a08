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
pub struct EntryCost {
    /// Of a straight step.
    pub straight: u32,
    /// Of a diagonal step.
    pub diagonal: u32,
}

impl EntryCost {
    #[inline]
    pub(in crate::grid) fn of(self, direction: usize) -> u32 {
        if DIAGONALS >> direction & 1 == 1 { self.diagonal } else { self.straight }
    }
}

/// The moves to follow out of a cell, as bits, by the direction of entry.
pub type Needed = [u8; 8];

/// A free cell and the eight around it: `None` where no agent of its medium can stand.
#[derive(Clone, Copy)]
pub struct Neighbourhood<'t> {
    /// The cost of a step into the cell.
    pub centre: EntryCost,
    /// The costs of steps into the cells around it, in the order of the moves.
    pub around: [Option<EntryCost>; 8],
    /// The legal moves.
    pub moves: &'t MoveTable,
}

impl Neighbourhood<'_> {
    /// Returns the moves that a search needs to follow, for each direction in which the cell may be
    /// entered.
    pub fn needed(&self) -> Needed {
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
