//! How a tick sees the world: the space of each class, and the engines that are prepared for it.

use super::ClassId;
use crate::navigate::{Answered, Lent, Navigator, Question};
use crate::path::Path;
use crate::space::{Cost, ReverseSpace, StateId};

/// A space, alone or with [engines](crate::navigate::Engine) that are prepared for it: a plain
/// space, or a [`Navigator`].
///
/// ```
/// use wayfare::navigate::{FieldEngine, Question};
/// use wayfare::plan::View;
/// use wayfare::prelude::*;
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let question = Question::from(Query::new(start, goal));
/// let field = FieldEngine::new(&grid.space(), goal);
/// // A space alone has no engines; a navigator has the ones that it was given.
/// let alone = View::ask_engines(grid.space(), &question, &mut Vec::new());
/// let navigator = Navigator::new(grid.space()).with(&field);
/// let by_field = View::ask_engines(navigator, &question, &mut Vec::new());
/// assert!(alone.is_none() && by_field.is_some());
/// # Ok::<(), GridError>(())
/// ```
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

    /// The bound of the first engine that suits and leads a search. Default: none.
    fn lead(self, _question: &Question<State, C>) -> Option<Lent<State, C>>
    where
        Self: Sized,
    {
        None
    }
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

    fn lead(self, question: &Question<S::State, S::Cost>) -> Option<Lent<S::State, S::Cost>> {
        Navigator::lead(&self, question)
    }
}

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
}

/// Spaces and engines by class.
pub(super) struct Views<F, E> {
    pub(super) spaces: F,
    pub(super) engines: E,
}
