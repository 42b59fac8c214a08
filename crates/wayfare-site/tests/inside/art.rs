//! The lid of a closed world.

use wayfare::space::StateId;
use wayfare::space::voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};
use wayfare_site::inside::art::lid;

#[test]
fn the_lid_of_a_closed_world_is_cut_off_above_the_path() {
    let size = VoxelSize { width: 6, height: 9, depth: 1 };
    // Rock with a tunnel that rises by a block, and a shaft at x = 5.
    let grid = VoxelGrid::from_fn(size, &[], VoxelProfile::default(), |at| {
        let floor = if at.x < 3 { 2 } else { 3 };
        let is_air = (floor..floor + 2).contains(&at.y) || at.x == 5 && at.y >= floor;
        if is_air { BlockId::AIR } else { BlockId::SOLID }
    });
    let grid = grid.expect("a small world");
    let state = |x, y| grid.voxel(BlockPosition::new(x, y, 0)).expect("on the map").index();
    let tunnel = [state(0, 2), state(2, 2), state(3, 3), state(4, 3)];
    assert_eq!(lid(&grid, &tunnel), Some(5));
    assert_eq!(lid(&grid, &tunnel[..2]), Some(4));
    // Under the open sky nothing is cut.
    assert_eq!(lid(&grid, &[tunnel[3], state(5, 3)]), None);
    assert_eq!(lid(&grid, &[]), None);
}
