//! Pruned steps on plains and ramps.

use wayfare_voxel::inside::tested::bits::LEVEL;
use wayfare_voxel::inside::tested::ground::ACROSS;
use wayfare_voxel::inside::tested::steps::{Gait, LENGTHS, Surroundings, direction};
use wayfare_voxel::{VOXEL_DIAGONAL, VoxelProfile};

#[test]
fn directions_are_numbered_in_their_order() {
    for (number, (dx, dz)) in ACROSS.into_iter().enumerate() {
        assert_eq!(direction(dx, dz), number);
        assert_eq!(LENGTHS[number] == VOXEL_DIAGONAL, dx != 0 && dz != 0);
    }
}

#[test]
fn on_a_plain_and_on_a_ramp_one_move_continues_a_straight_one_and_three_a_diagonal() {
    let profile = VoxelProfile { max_fall_distance: 1, ..VoxelProfile::default() };
    for slope in [0, 1] {
        // Ground that rises by that much for each block along x.
        let height = |dx: i32| LEVEL as i32 + slope * dx;
        let open = |dx: i32| !0u32 << height(dx);
        let around = Surroundings {
            gait: Gait::new(&profile, 1),
            own: open(0),
            open: ACROSS.map(|(dx, _)| open(dx)),
            footing: ACROSS.map(|(dx, _)| 1 << height(dx)),
        };
        for (dx, dz) in ACROSS {
            let mut moves = around.moves(&around.across());
            assert_eq!(moves.iter().map(|ends| ends.count_ones()).sum::<u32>(), 8);
            around.prune(&mut moves, [dx, slope * dx, dz]);
            let kept: Vec<_> = (0..8).filter(|&at| moves[at] != 0).map(|at| ACROSS[at]).collect();
            if dx == 0 || dz == 0 {
                assert_eq!(kept, [(dx, dz)]);
            } else {
                assert_eq!(kept.len(), 3);
                assert!([(dx, dz), (dx, 0), (0, dz)].iter().all(|way| kept.contains(way)));
            }
        }
    }
}
