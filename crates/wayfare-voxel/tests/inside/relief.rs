//! Steps by heights against steps by bits.

use std::cell::Cell;

use wayfare_voxel::inside::tested::bits::LEVEL;
use wayfare_voxel::inside::tested::ground::ACROSS;
use wayfare_voxel::inside::tested::relief::Relief;
use wayfare_voxel::inside::tested::steps::{Gait, Surroundings};
use wayfare_voxel::{Abilities, VoxelProfile};

#[test]
fn heights_and_bits_need_the_same_steps() {
    let seed = Cell::new(1u64);
    let random = |bound: u32| {
        let next = seed.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed.set(next);
        (next >> 33) as u32 % bound
    };
    let mut compared = [0; 2];
    for _ in 0..100_000 {
        let abilities = Abilities { walk: random(8) > 0, ..Abilities::default() };
        let jump_height = random(4) as u8;
        let profile = VoxelProfile { abilities, jump_height, ..VoxelProfile::default() };
        let range = 1 + random(8);
        let column = |ground: u32| match random(40) {
            0 => (0, 0),
            1 => {
                let open = random(u32::MAX);
                (open, open & random(u32::MAX))
            }
            2 => (!0 << ground & !(1 << (ground + 1 + random(5))), 1 << ground),
            _ => (!0 << ground, 1 << ground),
        };
        let (own, _) = column(LEVEL);
        let columns = [(); 8].map(|()| {
            let rise = random(range);
            column(LEVEL + range / 2 - rise)
        });
        let around = Surroundings {
            gait: Gait::new(&profile, random(6) as i32),
            own,
            open: columns.map(|(open, _)| open),
            footing: columns.map(|(_, footing)| footing),
        };
        let Some(relief) = Relief::of(&around) else { continue };
        for (dx, dz) in ACROSS {
            for dy in -5..=5 {
                let Some(needed) = relief.needed([dx, dy, dz]) else { continue };
                let mut moves = around.moves(&around.across());
                around.prune(&mut moves, [dx, dy, dz]);
                let by_heights = std::array::from_fn(|at| {
                    let height = LEVEL as i32 + relief.rise(at);
                    if needed >> at & 1 == 1 { 1 << height } else { 0 }
                });
                assert_eq!(moves, by_heights, "{columns:?} after {:?}", [dx, dy, dz]);
                compared[usize::from(dx != 0 && dz != 0)] += 1;
            }
        }
    }
    assert!(compared.iter().all(|&count| count > 10_000), "{compared:?}");
}
