//! Directions in a cube.

use proptest::prelude::*;
use wayfare_voxel::inside::tested::volume::{CENTRE, OPEN, bit, bounding_box, offset, reachable};

proptest! {
    #[test]
    fn all_boxes_at_once_are_the_boxes_one_by_one(cube in 0..=OPEN) {
        let cube = cube | 1 << CENTRE;
        for at in (0..27).filter(|&at| at != CENTRE) {
            let needed = bounding_box([0; 3], offset(at));
            prop_assert_eq!(reachable(cube) >> at & 1 == 1, cube & needed == needed, "{}", at);
            prop_assert_eq!(bit(offset(at)), at);
        }
    }
}
