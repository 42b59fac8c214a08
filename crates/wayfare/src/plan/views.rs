//! How a tick sees the world: the space of each class, and the engines that are prepared for it.

use super::ClassId;
use crate::navigate::{Answered, Navigator, Question};
use crate::path::Path;
use crate::space::{Cost, ReverseSpace, StateId};

/// A space, alone or with [engines](crate::navigate::Engine) that are prepared for it: a plain
/// space, or a [`Navigator`].
pub trait View<State: StateId, C: Cost> {
    /// The space.
    type Space: ReverseSpace<State = State, Cost = C>;

    /// The space.
    fn into_space(self) -> Self::Space;

    /// The answer of the first engine that suits; `None` if a search is needed. `spare`: paths
    /// whose memory may be reused.
    fn ask_engines(
        self,
        question: &Question<State, C>,
        spare: &mut Vec<Path<State, C>>,
    ) -> Option<Answered<State, C>>;
}

impl<S: ReverseSpace> View<S::State, S::Cost> for S {
    type Space = S;

    fn into_space(self) -> S {
        self
    }

    fn ask_engines(
        self,
        _question: &Question<S::State, S::Cost>,
        _spare: &mut Vec<Path<S::State, S::Cost>>,
    ) -> Option<Answered<S::State, S::Cost>> {
        None
    }
}

impl<S: ReverseSpace, A> View<S::State, S::Cost> for Navigator<'_, S, A> {
    type Space = S;

    fn into_space(self) -> S {
        Navigator::into_space(self)
    }

    fn ask_engines(
        self,
        question: &Question<S::State, S::Cost>,
        spare: &mut Vec<Path<S::State, S::Cost>>,
    ) -> Option<Answered<S::State, S::Cost>> {
        Navigator::ask_engines(&self, question, || spare.pop().unwrap_or_default())
    }
}

/// What a tick asks engines by.
pub(super) trait AskEngines<State: StateId, C: Cost> {
    fn ask(
        &self,
        class: ClassId,
        question: &Question<State, C>,
        spare: &mut Vec<Path<State, C>>,
    ) -> Option<Answered<State, C>>;
}

impl<State: StateId, C: Cost, F> AskEngines<State, C> for F
where
    F: Fn(ClassId, &Question<State, C>, &mut Vec<Path<State, C>>) -> Option<Answered<State, C>>,
{
    fn ask(
        &self,
        class: ClassId,
        question: &Question<State, C>,
        spare: &mut Vec<Path<State, C>>,
    ) -> Option<Answered<State, C>> {
        self(class, question, spare)
    }
}

/// Spaces and engines by class.
pub(super) struct Views<F, E> {
    pub(super) spaces: F,
    pub(super) engines: E,
}
