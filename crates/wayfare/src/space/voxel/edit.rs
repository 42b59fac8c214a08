//! Edits of a voxel world, and which paths they touch.

use super::grid::position;
use super::layer::reach;
use super::layout::At;
use super::{BlockId, BlockPosition, Voxel, VoxelError, VoxelGrid, VoxelSpace};
use crate::space::Cost;

/// Blocks that were changed together, with what was there before.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct VoxelEdit {
    /// The places that changed, and the blocks before, in the order in which they were set.
    before: Vec<(At, BlockId)>,
}

impl VoxelEdit {
    pub(super) fn new(before: Vec<(At, BlockId)>) -> Self {
        Self { before }
    }

    /// Whether nothing changed at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before.is_empty()
    }

    /// The places that changed.
    pub fn places(&self) -> impl Iterator<Item = BlockPosition> + '_ {
        self.before.iter().map(|&(at, _)| position(at))
    }

    /// The number of the first of a path's states (`path.states()`) whose step the edit may have made impossible or dearer: a
    /// block changed that the step's body passes, stands on or holds on to. `None`: the path is as good as it was. O(steps × changes).
    ///
    /// Cheaper ways that the edit has opened are not looked for.
    #[must_use]
    pub fn touches<C: Cost>(
        &self,
        space: &VoxelSpace<'_, C>,
        states: impl IntoIterator<Item = Voxel>,
    ) -> Option<usize> {
        let profile = &space.layer.profile;
        let (low, high) = reach(profile.width);
        let states: Vec<At> =
            states.into_iter().map(|state| space.blocks.layout.at(state)).collect();
        (0..states.len()).find(|&step| {
            let (from, to) = (states[step.saturating_sub(1)], states[step]);
            self.before.iter().any(|&(changed, _)| {
                let within = |axis: usize, below: i32, above: i32| {
                    let (first, last) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
                    (first + below..=last + above).contains(&changed[axis])
                };
                // One more on every side for the wall that one holds on to, and one below for the ground.
                within(0, low - 1, high + 1)
                    && within(1, -1, i32::from(profile.height) - 1)
                    && within(2, low - 1, high + 1)
            })
        })
    }
}

impl VoxelGrid {
    /// Takes an edit back. The next revision.
    ///
    /// # Errors
    /// When a place has been unloaded since.
    pub fn undo(&mut self, edit: &VoxelEdit) -> Result<VoxelEdit, VoxelError> {
        self.set_blocks(edit.before.iter().rev().map(|&(at, block)| (position(at), block)))
    }

    /// Makes an edit, asks something of the edited world, and takes the edit back: the world is then as it was, its
    /// revision included.
    ///
    /// # Errors
    /// When the edit is not possible.
    pub fn try_out<R>(
        &mut self,
        edits: impl IntoIterator<Item = (BlockPosition, BlockId)>,
        ask: impl FnOnce(&Self, &VoxelEdit) -> R,
    ) -> Result<R, VoxelError> {
        let revision = self.revision;
        let edit = self.set_blocks(edits)?;
        let answer = ask(self, &edit);
        self.undo(&edit)?;
        self.revision = revision;
        Ok(answer)
    }
}
