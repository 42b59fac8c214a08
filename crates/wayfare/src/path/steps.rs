//! The path type: what every search returns.

use crate::space::{Action, Cost, Revision, Space, StateId};
use glam::Vec3;

/// One state on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step<State, Cost> {
    /// Where the step ends.
    pub state: State,
    /// How it was made; [`Action::Walk`] for the first.
    pub action: Action,
    /// The cost from the path's start to here.
    pub cost: Cost,
}

/// A sequence of states from a start, with the actions between them and the running cost.
///
/// The first step is the start itself at cost zero. A path knows the revision of the space that it was found in: after an
/// edit, [`Path::is_stale`] tells.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path<State, Cost> {
    /// The steps, the start first.
    pub steps: Vec<Step<State, Cost>>,
    /// The revision of the space that the path was found in.
    pub revision: Revision,
}

/// The path type of a space.
pub type PathOf<S> = Path<<S as Space>::State, <S as Space>::Cost>;

impl<State, C> Default for Path<State, C> {
    fn default() -> Self {
        Self { steps: Vec::new(), revision: Revision::default() }
    }
}

impl<State: StateId, C: Cost> Path<State, C> {
    /// The cost of the whole path; zero for an empty one.
    #[must_use]
    pub fn cost(&self) -> C {
        self.steps.last().map_or(C::ZERO, |step| step.cost)
    }

    /// The states in order, the start first.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = State> + ExactSizeIterator + '_ {
        self.steps.iter().map(|step| step.state)
    }

    /// The states in order, each with the action that leads to it.
    pub fn moves(
        &self,
    ) -> impl DoubleEndedIterator<Item = (State, Action)> + ExactSizeIterator + '_ {
        self.steps.iter().map(|step| (step.state, step.action))
    }

    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no state at all. The path of a query whose start is its goal has one state and is not empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The state it begins with.
    #[must_use]
    pub fn start(&self) -> Option<State> {
        self.steps.first().map(|step| step.state)
    }

    /// The state it ends with.
    #[must_use]
    pub fn end(&self) -> Option<State> {
        self.steps.last().map(|step| step.state)
    }

    /// The points of the path in the world.
    pub fn points<'a, S>(
        &'a self,
        space: &'a S,
    ) -> impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator + 'a
    where
        S: Space<State = State, Cost = C>,
    {
        self.states().map(|state| space.position(state))
    }

    /// Whether the space was edited since the path was found.
    #[must_use]
    pub fn is_stale<S: Space<State = State, Cost = C>>(&self, space: &S) -> bool {
        self.revision != space.revision()
    }
}
