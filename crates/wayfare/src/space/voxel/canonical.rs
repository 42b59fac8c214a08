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

use super::volume::{CENTRE, LENGTHS, OPEN, bit, bits, bounding_box, offset, reachable};

/// What may be left out after a move in one direction.
pub(crate) struct Entered {
    /// The voxels that the move here needed.
    behind: u32,
    /// The voxels that the same move needs once more.
    pub(crate) ahead: u32,
    /// The moves that are never needless.
    natural: u32,
    /// The moves that are needless unless something is blocked.
    forced: u32,
    /// The voxels of which one is blocked where a move is forced.
    watched: u32,
    /// For each such move, the sets of voxels that make it needless when they are free.
    detours: [Detours; 27],
}

/// There are no more than two. Where there are fewer, the whole cube takes their place: it is not free where it is asked for.
type Detours = [u32; 2];

static TABLE: LazyLock<[Entered; 27]> = LazyLock::new(|| std::array::from_fn(by_move));

/// What may be left out, by the bit of a cube that the move into a voxel led to.
#[inline]
pub(crate) fn entered() -> &'static [Entered; 27] {
    &TABLE
}

impl Entered {
    /// The moves to follow, of those that are possible; all, if the voxel was not entered by a move through the volume.
    #[inline]
    pub(crate) fn needed(&self, possible: u32, cube: u32) -> u32 {
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

    /// Whether other moves are to be followed than those in open space.
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
            // To know fewer of them than there are would be safe.
            for (set, way) in entered.detours[exit as usize].iter_mut().zip(ways) {
                *set = way;
            }
        }
    }
    entered
}

/// The single move from one voxel of a cube to another: its length and the voxels it needs.
fn single_move(from: [i32; 3], to: [i32; 3]) -> Option<(u32, u32)> {
    let step = [0, 1, 2].map(|axis| to[axis] - from[axis]);
    let is_move = from != to && step.iter().all(|part| part.abs() <= 1);
    is_move.then(|| (LENGTHS[bit(step) as usize], bounding_box(from, to)))
}

/// What voxels must be free for a way from the parent to the exit that makes the one over the middle needless, besides those that are
/// if both moves can be made. The smallest sets come first; none holds another.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_open_space_one_three_or_seven_moves_are_needed() {
        for direction in (0..27).filter(|&direction| direction != CENTRE) {
            let axes = offset(direction).iter().filter(|&&part| part != 0).count();
            let needed = entered()[direction as usize].needed(reachable(OPEN), OPEN);
            assert_eq!(needed.count_ones(), (1 << axes) - 1, "{:?}", offset(direction));
            assert_eq!(needed & 1 << direction, 1 << direction);
        }
    }
}
