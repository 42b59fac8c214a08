//! Canonical moves: the moves out of a cell that a search on uniform-cost terrain has to follow.
//!
//! Between two cells of open ground there are many paths of one length. A search that follows one
//! of them, diagonal steps first, reaches the same cells at the same costs. It looks at one
//! neighbour of a cell entered straight and at three of a cell entered diagonally, not at eight.
//!
//! # Why pruned searches keep a cheapest path
//!
//! Each table entry is [`Neighbourhood::needed`] with all costs alike. A move is left out only if a
//! detour around the cell costs less, or costs the same and has an earlier last move. That is the
//! condition of [`Pruning`](wayfare_core::space::Pruning), whose documentation has the induction:
//! each cell `t` has a cheapest path whose last move comes first in the order, and this move is
//! never left out.
//!
//! The comparison depends on the free neighbours alone, since every step costs its length. So one
//! table of 8 directions × 256 patterns holds for all maps of a rule.
//!
//! Sources: D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", 2011;
//! N. Sturtevant, S. Rabin, "Canonical orderings on grids", 2016.

use std::sync::LazyLock;

use wayfare_core::space::{DIAGONAL, STRAIGHT};

use super::dominance::{EntryCost, Neighbourhood};
use crate::grid::moves::{MoveTable, move_table};
use crate::grid::{CornerRule, Neighbours};

/// The moves to follow out of a cell: by the direction of entry, then by the pattern of free
/// neighbours.
pub(crate) type CanonicalTable = [MoveTable; 8];

static FOUR: LazyLock<CanonicalTable> =
    LazyLock::new(|| table(Neighbours::Four, CornerRule::Always));
static BOTH_FREE: LazyLock<CanonicalTable> =
    LazyLock::new(|| table(Neighbours::Eight, CornerRule::BothFree));
static ONE_FREE: LazyLock<CanonicalTable> =
    LazyLock::new(|| table(Neighbours::Eight, CornerRule::OneFree));
static ALWAYS: LazyLock<CanonicalTable> =
    LazyLock::new(|| table(Neighbours::Eight, CornerRule::Always));

/// Returns the table of a rule. Computed at the first call.
pub fn canonical_table(neighbours: Neighbours, corners: CornerRule) -> &'static CanonicalTable {
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
