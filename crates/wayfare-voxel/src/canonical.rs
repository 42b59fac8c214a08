//! Canonical moves through volumes: prunes most moves out of a voxel to states that its parent
//! reaches as cheaply without it.
//!
//! A table for each pattern of free neighbours, as grids have it, would have 2²⁶ entries. Instead
//! each move that can be pruned has a short list of detours, and is pruned if the voxels of one of
//! them are free.
//!
//! # Why pruning keeps a cheapest path
//!
//! The rule: after a move from `p` to `s`, the move from `s` to `t` is pruned only if another path
//! from `p` to `t`
//!
//! * is shorter, or
//! * is as long, and its last move is shorter.
//!
//! The claim: every reachable `t` is reached at its least cost. By induction over that cost, let
//! all cheaper states be so. Of the states that precede `t` on a cheapest path take the `s` with
//! the shortest last move. It is expanded at its least cost, from some recorded parent `p`. A
//! shorter path from `p` to `t` would contradict that `s` lies on a cheapest path to `t`; one with
//! a shorter last move would contradict the choice of `s`. So the move from `s` to `t` is not
//! pruned. Which of the best parents of `s` was recorded does not matter.
//!
//! `steps.rs` uses the same argument on slopes, and `jump.rs` the last sentence.
//!
//! Sources: D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", 2011; T.
//! Nobes, D. Harabor, M. Wybrow, S. Walsh, "The JPS pathfinding system in 3D", 2022.

use std::sync::LazyLock;

use super::layout::by_axis;
use super::volume::{CENTRE, LENGTHS, OPEN, bit, bits, bounding_box, offset, reachable};

/// The moves to follow after a move in one direction.
pub struct Entered {
    /// The voxels that the move into the voxel needed.
    behind: u32,
    /// The voxels that the next move in the same direction needs.
    pub(crate) ahead: u32,
    /// The moves that are never pruned.
    natural: u32,
    /// The moves that are pruned unless a voxel is blocked.
    forced: u32,
    /// The voxels of which one is blocked whenever a move is forced.
    watched: u32,
    /// For each such move, sets of voxels: if one set is free, the move is pruned.
    detours: [Detours; 27],
}

/// At most two sets. Unused ones are the whole cube, which is never free where a move is forced.
type Detours = [u32; 2];

static TABLE: LazyLock<[Entered; 27]> = LazyLock::new(|| std::array::from_fn(by_move));

/// Returns the table, indexed by the bit of the cube that the move into a voxel ended at.
#[inline]
pub fn entered() -> &'static [Entered; 27] {
    &TABLE
}

impl Entered {
    /// Returns the moves to follow out of `possible`. All, if the voxel was not entered through the
    /// volume.
    #[inline]
    pub fn needed(&self, possible: u32, cube: u32) -> u32 {
        if !cube & self.behind != 0 {
            return possible;
        }
        let natural = possible & self.natural;
        if !cube & self.watched == 0 {
            return natural;
        }
        bits(possible & self.forced)
            .filter(|&exit| self.is_forced(exit, cube))
            .fold(natural, |needed, exit| needed | 1 << exit)
    }

    /// Returns whether moves must be followed besides the moves of open space.
    #[inline]
    pub(crate) fn turns(&self, cube: u32) -> bool {
        !cube & self.watched != 0
            && bits(reachable(cube) & self.forced).any(|exit| self.is_forced(exit, cube))
    }

    #[inline]
    fn is_forced(&self, exit: u32, cube: u32) -> bool {
        self.detours[exit as usize].iter().all(|around| around & !cube != 0)
    }
}

fn by_move(direction: usize) -> Entered {
    let direction = direction as u32;
    let parent = offset(direction).map(|part| -part);
    let mut entered = Entered {
        behind: bounding_box(parent, [0; 3]),
        ahead: bounding_box([0; 3], offset(direction)),
        natural: 0,
        forced: 0,
        watched: 0,
        detours: [[OPEN; 2]; 27],
    };
    for exit in (0..27).filter(|&exit| exit != CENTRE) {
        let ways =
            if direction == CENTRE { Vec::new() } else { ways_around(parent, direction, exit) };
        if ways.is_empty() {
            entered.natural |= 1 << exit;
        } else if ways[0] != 0 {
            entered.forced |= 1 << exit;
            entered.watched |= ways.iter().fold(0, |all, way| all | way);
            // Dropping a detour is safe: fewer moves are pruned.
            for (set, way) in entered.detours[exit as usize].iter_mut().zip(ways) {
                *set = way;
            }
        }
    }
    entered
}

/// Returns the single move between two voxels of a cube: its length, and the voxels that it needs.
fn single_move(from: [i32; 3], to: [i32; 3]) -> Option<(u32, u32)> {
    let step = by_axis(|axis| to[axis] - from[axis]);
    let is_move = from != to && step.iter().all(|part| part.abs() <= 1);
    is_move.then(|| (LENGTHS[bit(step) as usize], bounding_box(from, to)))
}

/// Returns the sets of voxels that must be free for a detour from `parent` to `exit` to prune the
/// move through the middle, besides the voxels that both its moves need.
///
/// The smallest sets come first; none contains another.
fn ways_around(parent: [i32; 3], direction: u32, exit: u32) -> Vec<u32> {
    let target = offset(exit);
    if target == parent {
        return vec![0];
    }
    let last = LENGTHS[exit as usize];
    let length = LENGTHS[direction as usize] + last;
    let mut found: Vec<u32> =
        single_move(parent, target).into_iter().map(|(_, needed)| needed).collect();
    for via in (0..27).filter(|&via| via != CENTRE).map(offset) {
        let (Some(first), Some(second)) = (single_move(parent, via), single_move(via, target))
        else {
            continue;
        };
        let detour = first.0 + second.0;
        if detour < length || detour == length && second.0 < last {
            found.push(first.1 | second.1);
        }
    }
    let known = bounding_box(parent, [0; 3]) | bounding_box([0; 3], target);
    found.iter_mut().for_each(|set| *set &= !known);
    let all = found.clone();
    found.retain(|&set| !all.iter().any(|&other| other != set && other & set == other));
    found.sort_unstable_by_key(|set| (set.count_ones(), *set));
    found.dedup();
    found
}
