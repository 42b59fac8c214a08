//! Whether an edit would close the last path.

use wayfare_core::explain::Blockage;
use wayfare_core::search::{AStar, Query, solve};
use wayfare_core::space::{ProfileId, Space};

use crate::{BlockId, BlockPosition, Voxel, VoxelError, VoxelGrid};

/// Returns the effect of an edit on the paths between two states, without making it: the world and
/// its revision stay as they are.
///
/// Takes one search, and a second one if the edit touches the path that was found. The edit costs
/// two calls of [`VoxelGrid::set_blocks`].
///
/// ```
/// use wayfare::explain::voxel::{Blockage, would_block};
/// use wayfare::space::voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};
/// let size = VoxelSize { width: 5, height: 1, depth: 1 };
/// let mut tunnel = VoxelGrid::new(size, VoxelProfile::flyer())?;
/// let [west, middle, east] = [0, 2, 4].map(|x| BlockPosition::new(x, 0, 0));
/// let ends = [west, east].map(|at| tunnel.voxel(at).unwrap());
/// let first = tunnel.profiles().next().unwrap();
/// let wall = [(middle, BlockId::SOLID)];
/// let effect = would_block(&mut tunnel, first, wall, ends[0], ends[1])?;
/// assert_eq!(effect, Blockage::WouldBlock);
/// # Ok::<(), wayfare::space::voxel::VoxelError>(())
/// ```
///
/// # Errors
/// If the edit is not possible.
pub fn would_block(
    world: &mut VoxelGrid,
    profile: ProfileId,
    edit: impl IntoIterator<Item = (BlockPosition, BlockId)>,
    from: Voxel,
    to: Voxel,
) -> Result<Blockage, VoxelError> {
    let answer = |world: &VoxelGrid| {
        solve(&world.space_for::<u64>(profile), &AStar::new(), Query::new(from, to)).outcome
    };
    let before = answer(world);
    world.try_out(edit, |world, edit| {
        let space = world.space_for::<u64>(profile);
        let ends_stay = [from, to].iter().all(|&end| space.check(end).is_ok());
        match before.path() {
            None => Blockage::AlreadyBlocked,
            Some(path) if ends_stay && edit.touches(&space, path.states()).is_none() => {
                Blockage::Open
            }
            Some(_) if answer(world).is_found() => Blockage::Open,
            Some(_) => Blockage::WouldBlock,
        }
    })
}
