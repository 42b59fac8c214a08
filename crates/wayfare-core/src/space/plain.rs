//! The expander that leaves out nothing.

use super::{Cost, EdgeOf, Expander, Guidance, JumpVisitor, Jumping, Pruning, Revision, Space};

/// The expander that leaves out nothing: the one line that a space of a user's own needs.
///
/// Every search works with it. A* and jump point search look at all moves of each state that they
/// expand, and an edit restarts searches under way.
///
/// Example: [`Space`](super::Space).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Plain;

impl<S: Space> Expander<S> for Plain {
    type Pruning = Self;
    type Guidance = Self;
    type Jumping = Self;

    /// Returns the revision: the effects of an edit elsewhere are unknown.
    fn stamp(space: &S) -> u64 {
        let Revision(edits) = space.revision();
        edits
    }

    fn predecessors(_space: &S, _state: S::State, _visit: impl FnMut(S::State)) -> bool {
        false
    }
}

impl<S: Space> Pruning<S> for Plain {
    #[inline]
    fn successors(space: &S, _parent: S::State, state: S::State, visit: impl FnMut(EdgeOf<S>)) {
        space.successors(state, visit);
    }
}

impl<S: Space> Guidance<S> for Plain {
    type Memory = ();

    const GUIDES: bool = false;

    fn prepare(_space: &S, _start: S::State, _goal: S::State, _memory: &mut ()) -> bool {
        false
    }

    fn estimate(_space: &S, _memory: &(), _state: S::State) -> S::Cost {
        S::Cost::ZERO
    }

    fn holds(_space: &S, _goal: S::State, _memory: &mut ()) -> bool {
        true
    }
}

impl<S: Space> Jumping<S> for Plain {
    type Memory = ();

    fn is_possible(_space: &S) -> bool {
        false
    }

    fn prepare(_space: &S, _goals: &[S::State], _memory: &mut ()) {}

    fn jumps(
        _space: &S,
        _parent: S::State,
        _state: S::State,
        _goals: &[S::State],
        _memory: &(),
        _visitor: &mut impl JumpVisitor<S::State, S::Cost>,
    ) {
    }

    fn shared_jumps(
        _space: &S,
        _parent: S::State,
        _state: S::State,
        _goals: &[S::State],
        _memory: &(),
        _visitor: &mut impl JumpVisitor<S::State, S::Cost>,
    ) {
    }

    fn in_sight(_space: &S, _from: S::State, _goal: S::State) -> Option<S::State> {
        None
    }

    fn retrace(_space: &S, _from: S::State, _to: S::State, _visit: impl FnMut(EdgeOf<S>)) {}
}
