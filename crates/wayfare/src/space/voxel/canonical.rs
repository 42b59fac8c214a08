//! Canonical moves through volumes: all but a few of the moves out of a voxel lead where its parent gets as cheaply without it.
//!
//! The rule of the grid's canonical moves in three dimensions (D. Harabor, A. Grastien, "Online graph pruning for pathfinding on
//! grid maps", 2011; T. Nobes, D. Harabor, M. Wybrow, S. Walsh, "The JPS pathfinding system in 3D", 2022). There, each pattern of
//! free neighbours has its entry in a table; here there would be 2²⁶. Instead, each move that can be needless has a short
//! list of detours, and is left out if the voxels of one of them are free.
//!
//! Why it is safe to leave out: let `t` be reached from `s`, and `s` from `p`. The move from `s` to `t` is left out if another way
//! from `p` to `t` is shorter, or as long and its *last* move is shorter. Were `t` never reached at its least cost, take
//! among its predecessors on cheapest ways one with the shortest last move: its move was not left out for a way that is shorter,
//! since there is none, nor for one whose last move is shorter still. This holds whichever parent was recorded for `s`.

use std::sync::LazyLock;

use super::volume::{CENTRE, LENGTHS, bit, bits, bounding_box, offset};

/// What may be left out after a move in one direction.
pub(crate) struct Entered {
    /// The moves that are never needless.
    natural: u32,
    /// For each move, the sets of voxels that make it needless when they are free.
    detours: [Vec<u32>; 27],
}

static TABLE: LazyLock<[Entered; 27]> = LazyLock::new(|| std::array::from_fn(entered));

/// The table's entry for a voxel that was entered by a move in that direction: by the bit of a cube.
#[inline]
pub(crate) fn entered_by(direction: u32) -> &'static Entered {
    &TABLE[direction as usize]
}

impl Entered {
    /// The moves to follow, of those that are possible.
    #[inline]
    pub(crate) fn needed(&self, possible: u32, cube: u32) -> u32 {
        let mut needed = possible & self.natural;
        if cube != super::volume::OPEN {
            for exit in bits(possible & !self.natural) {
                let is_needless =
                    self.detours[exit as usize].iter().any(|&around| around & !cube == 0);
                needed |= u32::from(!is_needless) << exit;
            }
        }
        needed
    }
}

fn entered(direction: usize) -> Entered {
    let direction = direction as u32;
    let parent = offset(direction).map(|part| -part);
    let mut detours = [(); 27].map(|()| Vec::new());
    for exit in (0..27).filter(|&exit| exit != CENTRE && direction != CENTRE) {
        detours[exit as usize] = ways_around(parent, direction, exit);
    }
    let natural = (0..27)
        .filter(|&exit| exit != CENTRE && detours[exit as usize].is_empty())
        .fold(0, |bits, exit| bits | 1 << exit);
    Entered { natural, detours }
}

/// The single move from one voxel of a cube to another: its length and the voxels it needs.
fn single_move(from: [i32; 3], to: [i32; 3]) -> Option<(u32, u32)> {
    let step = [0, 1, 2].map(|axis| to[axis] - from[axis]);
    let is_move = from != to && step.iter().all(|part| part.abs() <= 1);
    is_move.then(|| (LENGTHS[bit(step) as usize], bounding_box(from, to)))
}

/// What voxels must be free for a way from the parent to the exit that makes the one over the middle needless.
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
    // A set that holds another one adds nothing to it.
    let all = found.clone();
    found.retain(|&set| !all.iter().any(|&other| other != set && other & set == other));
    found.sort_unstable_by_key(|set| (set.count_ones(), *set));
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::voxel::volume::{OPEN, reachable};

    #[test]
    fn in_open_space_one_three_or_seven_moves_are_needed() {
        for direction in (0..27).filter(|&direction| direction != CENTRE) {
            let axes = offset(direction).iter().filter(|&&part| part != 0).count();
            let needed = entered_by(direction).needed(reachable(OPEN), OPEN);
            assert_eq!(needed.count_ones(), (1 << axes) - 1, "{:?}", offset(direction));
            assert_eq!(needed & 1 << direction, 1 << direction);
        }
    }
}
