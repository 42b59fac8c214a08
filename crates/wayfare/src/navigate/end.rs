//! Ends of questions: a state, and a point in it.

use glam::Vec3;

/// An end of a [`Question`](super::Question): a state and a point in it.
///
/// Example: [`Question`](super::Question).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End<State> {
    /// The state.
    pub state: State,
    /// A point in the state, in world units.
    pub point: Vec3,
}
