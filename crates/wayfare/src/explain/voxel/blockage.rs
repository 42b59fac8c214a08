//! Whether an edit would close the last way.

use crate::search::{AStar, Query, solve};
use crate::space::voxel::{BlockId, BlockPosition, Voxel, VoxelError, VoxelGrid};
use crate::space::{ProfileId, Space};

/// What an edit would do to the way between two places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blockage {
    /// There would still be a way.
    Open,
    /// The last way would be closed.
    WouldBlock,
    /// There is no way as it is.
    AlreadyBlocked,
}

/// Tells what an edit would do to the way between two places, and leaves the world as it is, its revision included.
///
/// Takes one search, and another one if the edit touches the path that was found; the edit itself costs what
/// [`VoxelGrid::set_blocks`] does, twice.
///
/// # Errors
/// When the edit is not possible.
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
