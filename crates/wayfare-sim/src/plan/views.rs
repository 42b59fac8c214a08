//! How a tick sees the world: the space of each class, and the engines that are prepared for it.

use wayfare_core::navigate::{Answered, BegunSearch, EngineStep, Lent, Question, View};
use wayfare_core::path::Path;
use wayfare_core::space::{Cost, StateId};

use super::ClassId;

/// Prepared engines by class.
pub(super) trait AskEngines<State: StateId, C: Cost> {
    /// See [`View::ask_engines`].
    fn ask(
        &self,
        class: ClassId,
        question: &Question<State, C>,
        spare: &mut Vec<Path<State, C>>,
    ) -> Option<Answered<State, C>>;

    /// See [`View::lead`].
    fn lead(&self, class: ClassId, question: &Question<State, C>) -> Option<Lent<State, C>>;

    /// See [`View::begin_engine`].
    fn begin(&self, class: ClassId, question: &Question<State, C>) -> Option<BegunSearch>;

    /// See [`View::step_engine`].
    fn step(&self, class: ClassId, search: &mut BegunSearch, budget: u64) -> EngineStep;

    /// See [`View::conclude_engine`].
    fn conclude(
        &self,
        class: ClassId,
        search: BegunSearch,
        spare: Path<State, C>,
    ) -> Option<Answered<State, C>>;
}

/// The engines of the views that a function from classes returns.
pub(super) struct EnginesOf<F>(pub(super) F);

impl<State: StateId, C: Cost, F, V> AskEngines<State, C> for EnginesOf<F>
where
    F: Fn(ClassId) -> V,
    V: View<State, C>,
{
    fn ask(
        &self,
        class: ClassId,
        question: &Question<State, C>,
        spare: &mut Vec<Path<State, C>>,
    ) -> Option<Answered<State, C>> {
        (self.0)(class).ask_engines(question, spare)
    }

    fn lead(&self, class: ClassId, question: &Question<State, C>) -> Option<Lent<State, C>> {
        (self.0)(class).lead(question)
    }

    fn begin(&self, class: ClassId, question: &Question<State, C>) -> Option<BegunSearch> {
        (self.0)(class).begin_engine(question)
    }

    fn step(&self, class: ClassId, search: &mut BegunSearch, budget: u64) -> EngineStep {
        (self.0)(class).step_engine(search, budget)
    }

    fn conclude(
        &self,
        class: ClassId,
        search: BegunSearch,
        spare: Path<State, C>,
    ) -> Option<Answered<State, C>> {
        (self.0)(class).conclude_engine(search, spare)
    }
}

/// Spaces and engines by class.
pub(super) struct Views<F, E> {
    pub(super) spaces: F,
    pub(super) engines: E,
}
