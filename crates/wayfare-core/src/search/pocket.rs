//! Walled-in goals: a slow backward search from the goal beside the search from the start.
//!
//! A search from the start alone notices that a goal is walled in after it has been everywhere
//! else. If the wall is tight, few states lead to the goal. Once they are exhausted without a state
//! of the forward search among them, no path exists.

use super::nodes::Relaxed;
use super::{Goal, Key, Query, ScratchOf};
use crate::space::{Cost, Expander, Space, StateId};

/// How often a search looks at the goal's side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The number of expansions between two looks.
    every: u64,
    /// The number of states in a look.
    states: usize,
}

/// A sixteenth of the search's own states.
pub(super) const AMONG_NEIGHBOURS: Pace = Pace { every: 1024, states: 64 };
/// An expansion jumps over some ten states.
pub(super) const AMONG_JUMPS: Pace = Pace { every: 2048, states: 256 };

/// The state of the backward search. Its memory is the scratch's backward table and stack.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Pocket {
    /// Not started.
    #[default]
    Unknown,
    /// There are more states that lead to the goal.
    Growing,
    /// The goal is not walled in, or the space cannot list predecessors.
    Open,
}

impl Pocket {
    /// At the beginning of a search. Not for goals to be approached, which takes a search of
    /// everything, nor for several goals, which are seldom walled in together.
    pub(super) fn of<State, C>(query: &Query<State, C>) -> Self {
        match query.goal {
            Goal::State(_) if !query.approach => Self::Unknown,
            _ => Self::Open,
        }
    }

    /// Restarts the backward search: the predecessors of the goal may have changed.
    pub(super) fn follow_edit(&mut self) {
        if *self == Self::Growing {
            *self = Self::Unknown;
        }
    }

    /// Returns the number of expansions at which the next look is due.
    pub(super) fn due(self, expanded: u64, Pace { every, .. }: Pace) -> u64 {
        if self == Self::Open { u64::MAX } else { (expanded / every + 1) * every }
    }

    /// Looks at some more predecessors of the goal. Returns whether they are exhausted, and the
    /// forward search has reached none of them.
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
