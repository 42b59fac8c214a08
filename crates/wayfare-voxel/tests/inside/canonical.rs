//! The number of moves that a volume needs after a step.

use wayfare_voxel::inside::tested::canonical::entered;
use wayfare_voxel::inside::tested::volume::{CENTRE, OPEN, offset, reachable};

#[test]
fn in_open_space_one_three_or_seven_moves_are_needed() {
    for direction in (0..27).filter(|&direction| direction != CENTRE) {
        let axes = offset(direction).iter().filter(|&&part| part != 0).count();
        let needed = entered()[direction as usize].needed(reachable(OPEN), OPEN);
        assert_eq!(needed.count_ones(), (1 << axes) - 1, "{:?}", offset(direction));
        assert_eq!(needed & 1 << direction, 1 << direction);
    }
}
