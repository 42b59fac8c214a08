//! The places of voxel worlds.

use wayfare_draw::{DrawError, VoxelWorld};

#[test]
fn places_and_positions_undo_each_other() -> Result<(), DrawError> {
    let world = VoxelWorld::new([9, 17, 5], Vec::new(), |_| None)?;
    let mut seen = vec![false; world.places()];
    for x in 0..9 {
        for y in 0..17 {
            for z in 0..5 {
                let place = world.place([x, y, z]).unwrap_or(usize::MAX);
                assert_eq!(world.at(place), [x, y, z]);
                assert!(!std::mem::replace(&mut seen[place], true));
            }
        }
    }
    assert_eq!(world.place([9, 0, 0]), None);
    assert_eq!(world.place([0, -1, 0]), None);
    Ok(())
}

#[test]
fn worlds_without_extent_or_too_large_are_refused() {
    for size in [[0, 1, 1], [u32::MAX, u32::MAX, 2], [4096, 4096, 4096]] {
        let world = VoxelWorld::new(size, Vec::new(), |_| None);
        assert!(matches!(world, Err(DrawError::VoxelSize { .. })));
    }
}
