//! Ids and positions.

use wayfare_voxel::inside::tested::layout::Layout;
use wayfare_voxel::{VoxelError, VoxelSize};

#[test]
fn ids_and_places_undo_each_other() {
    for size in [[1, 1, 1], [16, 17, 15], [1024, 256, 1024], [896, 390, 255], [5, 3000, 2]] {
        let [width, height, depth] = size;
        let layout = Layout::new(VoxelSize { width, height, depth }).unwrap();
        for x in [0, 1, width / 2, width - 1] {
            for y in [0, 1, height / 2, height - 1] {
                for z in [0, 1, depth / 2, depth - 1] {
                    let at = [x as i32, y as i32, z as i32];
                    if !layout.contains(at) {
                        continue;
                    }
                    let voxel = layout.voxel(at);
                    assert_eq!(layout.at(voxel), at);
                    assert_eq!(layout.place(voxel), Some(at));
                    let parts = layout.around(voxel);
                    for (axis, (here, part)) in at.into_iter().zip(parts).enumerate() {
                        for (step, id) in [-1, 0, 1].into_iter().zip(part) {
                            let mut to = at;
                            to[axis] = here + step;
                            if layout.contains(to) {
                                assert_eq!(id, layout.voxel(to).0 & layout.masks[axis]);
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn worlds_that_ids_cannot_number_are_errors() {
    let size = |width, height, depth| VoxelSize { width, height, depth };
    assert!(matches!(Layout::new(size(4, 0, 4)), Err(VoxelError::Empty { .. })));
    assert!(matches!(Layout::new(size(u32::MAX, 1, 1)), Err(VoxelError::TooLarge { .. })));
    assert!(matches!(Layout::new(size(2048, 1024, 2048)), Err(VoxelError::TooLarge { .. })));
    assert!(Layout::new(size(2048, 512, 2048)).is_ok());
}
