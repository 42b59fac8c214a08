//! Goals that nobody gets to: the states around one are looked at too, backwards and far more slowly than those around the start.
//!
//! A search from the start alone finds out that a goal is walled in when it has been everywhere else. Where the wall is tight, a few
//! states lead to the goal, and looking at them is enough.

use super::nodes::Relaxed;
use super::{Goal, Key, Query, ScratchOf};
use crate::space::{Cost, Expander, Space, StateId};

/// How often a search looks at the goal's side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// A look is due after so many expansions, and again after as many.
    every: u64,
    /// States that a look goes on for.
    states: usize,
}

/// A sixteenth of the search's own states.
pub(super) const AMONG_NEIGHBOURS: Pace = Pace { every: 1024, states: 64 };
/// An expansion jumps over some ten states.
pub(super) const AMONG_JUMPS: Pace = Pace { every: 2048, states: 256 };

/// What is known of the states that lead to the goal. Its memory is the scratch's backward table, and its stack.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Pocket {
    /// It has not been looked at.
    #[default]
    Unknown,
    /// There is more of it.
    Growing,
    /// It is not closed, or the space cannot say what leads to a state.
    Open,
}

impl Pocket {
    /// At the beginning of a search. To come near the goal, it has to be seen from everywhere; several goals are not walled in
    /// together.
    pub(super) fn of<State, C>(query: &Query<State, C>) -> Self {
        match query.goal {
            Goal::State(_) if !query.approach => Self::Unknown,
            _ => Self::Open,
        }
    }

    /// The number of expansions at which the next look is due.
    pub(super) fn due(self, expanded: u64, Pace { every, .. }: Pace) -> u64 {
        if self == Self::Open { u64::MAX } else { (expanded / every + 1) * every }
    }

    /// Looks at some more of the states that lead to the goal. Says whether that was all of them, and the search has been at
    /// none.
    pub(super) fn is_closed<S: Space>(
        &mut self,
        space: &S,
        goal: &Goal<S::State>,
        scratch: &mut ScratchOf<S>,
        pace: Pace,
    ) -> bool {
        let Goal::State(goal) = *goal else { return false };
        if *self == Self::Unknown {
            if !S::Expander::predecessors(space, goal, |_| ()) {
                *self = Self::Open; // before any memory is taken
                return false;
            }
            *self = Self::Growing;
            scratch.backward.reset(space.state_bound());
            scratch.backward.open(goal.index(), S::Cost::ZERO, goal.index());
            scratch.stack.clear();
            scratch.stack.push(Key::new(0, 0, goal.index()));
        }
        for _ in 0..pace.states {
            let Some(key) = scratch.stack.pop() else { return true };
            let (forward, backward) = (&scratch.forward, &mut scratch.backward);
            let stack = &mut scratch.stack;
            S::Expander::predecessors(space, S::State::from_index(key.state()), |from| {
                let index = from.index();
                if forward.g(index).is_some() {
                    *self = Self::Open;
                } else if backward.relax(index, S::Cost::ZERO, index, false) == Relaxed::First {
                    stack.push(Key::new(0, 0, index));
                }
            });
            if *self == Self::Open {
                return false;
            }
        }
        false
    }
}
