//! Edits of a voxel world, and the paths that they touch.

use wayfare_core::inside::EditLog;
use wayfare_core::space::{Cost, Revision};

use super::grid::position;
use super::layer::reach;
use super::layout::At;
use super::{BlockId, BlockPosition, Voxel, VoxelError, VoxelGrid, VoxelSpace};

/// Blocks that were changed together, and the blocks before the change.
///
/// ```
/// use wayfare::space::voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};
/// let size = VoxelSize { width: 4, height: 4, depth: 4 };
/// let mut grid = VoxelGrid::new(size, VoxelProfile::default())?;
/// let at = BlockPosition::new(1, 0, 1);
/// let edit = grid.set_block(at, BlockId::SOLID)?;
/// assert_eq!(edit.places().collect::<Vec<_>>(), [at]);
/// grid.undo(&edit)?;
/// assert_eq!(grid.block(at), Some(BlockId::AIR));
/// # Ok::<(), wayfare::space::voxel::VoxelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct VoxelEdit {
    /// The changed positions with their former blocks, in the order of the changes.
    before: Vec<(At, BlockId)>,
}

impl VoxelEdit {
    pub(super) fn new(before: Vec<(At, BlockId)>) -> Self {
        Self { before }
    }

    /// Returns whether no block changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before.is_empty()
    }

    pub(super) fn changed(&self) -> impl Iterator<Item = At> + '_ {
        self.before.iter().map(|&(at, _)| at)
    }

    /// Returns the changed positions.
    pub fn places(&self) -> impl Iterator<Item = BlockPosition> + '_ {
        self.before.iter().map(|&(at, _)| position(at))
    }

    /// Returns the index of the first state of a path (`path.states()`) whose step the edit may
    /// have made impossible or more expensive: a block changed that the body passes, stands on or
    /// clings to.
    ///
    /// `None` if the path is as good as before. Cheaper paths that the edit opened are not looked
    /// for. O(steps · changes).
    #[must_use]
    pub fn touches<C: Cost>(
        &self,
        space: &VoxelSpace<'_, C>,
        states: impl IntoIterator<Item = Voxel>,
    ) -> Option<usize> {
        let profile = &space.layer.profile;
        let (low, high) = reach(profile.width);
        // The arc of a leap, and the head of a body that stands half a block higher.
        let above = i32::from(profile.jumps_across() > 0) + i32::from(space.layer.halves.is_some());
        let states: Vec<At> =
            states.into_iter().map(|state| space.blocks.layout.at(state)).collect();
        (0..states.len()).find(|&step| {
            let (from, to) = (states[step.saturating_sub(1)], states[step]);
            self.before.iter().any(|&(changed, _)| {
                let within = |axis: usize, below: i32, above: i32| {
                    let (first, last) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
                    (first + below..=last + above).contains(&changed[axis])
                };
                // One more on every side for a wall to cling to, and one below for the ground.
                within(0, low - 1, high + 1)
                    && within(1, -1, i32::from(profile.height) - 1 + above)
                    && within(2, low - 1, high + 1)
            })
        })
    }
}

impl VoxelGrid {
    /// Reverts an edit. Takes the next revision.
    ///
    /// # Errors
    /// If a changed position was unloaded since.
    pub fn undo(&mut self, edit: &VoxelEdit) -> Result<VoxelEdit, VoxelError> {
        self.set_blocks(edit.before.iter().rev().map(|&(at, block)| (position(at), block)))
    }

    /// Makes an edit, runs `ask` on the edited world, and reverts the edit and the revision, also
    /// if `ask` panics.
    ///
    /// # Errors
    /// If the edit is not possible.
    pub fn try_out<R>(
        &mut self,
        edits: impl IntoIterator<Item = (BlockPosition, BlockId)>,
        ask: impl FnOnce(&Self, &VoxelEdit) -> R,
    ) -> Result<R, VoxelError> {
        let (revision, log) = (self.revision, self.edits.clone());
        let edit = self.set_blocks(edits)?;
        let trial = Trial { world: self, edit, revision, log };
        Ok(ask(trial.world, &trial.edit))
    }
}

/// An edit on trial: reverted when this is dropped.
struct Trial<'w> {
    world: &'w mut VoxelGrid,
    edit: VoxelEdit,
    revision: Revision,
    log: EditLog,
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        // No chunk can be unloaded while `ask` borrows the world, so this cannot fail.
        let undone = self.world.undo(&self.edit);
        debug_assert!(undone.is_ok());
        self.world.revision = self.revision;
        self.world.edits = std::mem::take(&mut self.log);
    }
}
