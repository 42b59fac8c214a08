//! Worlds of many chunks, most of which are alike: what is derived once for all of them is right
//! for each.

use wayfare_core::space::{Space, StateId};
use wayfare_voxel::{Abilities, BlockId, BlockPosition, Voxel, VoxelGrid, VoxelProfile, VoxelSize};

/// No side is a multiple of a chunk's.
const SIZE: VoxelSize = VoxelSize { width: 50, height: 40, depth: 35 };

fn profiles() -> [VoxelProfile; 3] {
    let wide = VoxelProfile { width: 3, height: 2, ..VoxelProfile::default() };
    let flies = Abilities { fly: true, ..Abilities::NONE };
    [VoxelProfile::default(), wide.clone(), VoxelProfile { abilities: flies, ..wide }]
}

fn free(world: &VoxelGrid) -> Vec<u32> {
    let space = world.space();
    let all = (0..space.state_bound() as u32).map(Voxel::from_index);
    all.filter(|&voxel| space.check(voxel).is_ok()).map(StateId::index).collect()
}

#[test]
fn bodies_are_kept_from_the_edges_of_plain_worlds() {
    let [walker, wide, flyer] = profiles();
    let first = |world: &VoxelGrid| world.profiles().next().unwrap();
    for (floor, profile, count) in [
        (0, walker.clone(), 0),
        (0, flyer.clone(), 48 * 39 * 33),
        (16, walker.clone(), 50 * 35),
        (16, wide.clone(), 48 * 33),
        (32, flyer, 48 * 7 * 33),
        (40, walker, 0),
        (39, wide, 0), // it is two blocks high
    ] {
        let world = VoxelGrid::from_fn(SIZE, &[], profile, |at| {
            if at.y < floor { BlockId::SOLID } else { BlockId::AIR }
        })
        .unwrap();
        assert_eq!(world.free_voxels(first(&world)), count, "a floor up to {floor}");
        assert_eq!(free(&world).len() as u64, count, "a floor up to {floor}");
    }
}

#[test]
fn a_world_of_few_blocks_is_the_same_whether_built_or_edited() {
    let corner = |x: u32, y: u32, z: u32| BlockPosition::new(x, y, z);
    let blocks = [
        corner(0, 0, 0),
        corner(49, 39, 34),
        corner(49, 0, 0),
        corner(15, 16, 15),
        corner(16, 15, 16),
        corner(31, 20, 33),
        corner(48, 32, 17),
    ];
    for profile in profiles() {
        let built = blocks.map(|at| (at, BlockId::SOLID));
        let built = VoxelGrid::from_blocks(SIZE, &[], profile.clone(), built).unwrap();
        let mut edited = VoxelGrid::new(SIZE, profile).unwrap();
        for at in blocks {
            edited.set_block(at, BlockId::SOLID).unwrap();
        }
        let (built, edited) = (free(&built), free(&edited));
        assert!(!built.is_empty() && built == edited, "{} and {}", built.len(), edited.len());
    }
}
