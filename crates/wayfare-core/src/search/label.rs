//! Labels: several paths to one state, where cost is not all that counts.

/// A path to a state, as its last step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label<C> {
    pub(super) cost: C,
    pub(super) state: u32,
    /// The number of the label that this one goes on from; its own for the start.
    pub(super) parent: u32,
    pub(super) moves: u32,
}
