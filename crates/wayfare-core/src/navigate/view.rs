//! How a planner sees a space: alone, or with prepared engines.

use super::{Answered, BegunSearch, EngineStep, Lent, Navigator, Question};
use crate::path::Path;
use crate::search::Progress;
use crate::space::{Cost, ReverseSpace, StateId};

/// A space, alone or with [engines](super::Engine) that are prepared for it: a plain
/// space, or a [`Navigator`].
///
/// ```
/// use wayfare::navigate::{FieldEngine, Question};
/// use wayfare::plan::View;
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
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

    /// Returns the space.
    fn into_space(self) -> Self::Space;

    /// Returns the answer of the first engine that suits and has one without a search; `None` if a
    /// search is needed. `spare`: paths whose memory may be reused.
    fn ask_engines(
        self,
        question: &Question<State, C>,
        spare: &mut Vec<Path<State, C>>,
    ) -> Option<Answered<State, C>>;

    /// Returns the bound of the first engine that suits and guides a search. Default: none.
    fn lead(self, _question: &Question<State, C>) -> Option<Lent<State, C>>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the search of the first engine that suits and begins one. Default: none.
    fn begin_engine(self, _question: &Question<State, C>) -> Option<BegunSearch>
    where
        Self: Sized,
    {
        None
    }

    /// Works on such a search for at most `budget` units. Default: it is done.
    fn step_engine(self, _search: &mut BegunSearch, _budget: u64) -> EngineStep
    where
        Self: Sized,
    {
        EngineStep { progress: Progress::Done, work: 0, expanded: 0 }
    }

    /// Continues such a search after an edit; whether it does. Default: it does not.
    fn adopt_engine(self, _search: &mut BegunSearch, _affected: &[State]) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Returns the answer of such a search, done or given up. Default: none.
    fn conclude_engine(
        self,
        _search: BegunSearch,
        _spare: Path<State, C>,
    ) -> Option<Answered<State, C>>
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

    fn begin_engine(self, question: &Question<S::State, S::Cost>) -> Option<BegunSearch> {
        Navigator::begin_engine(&self, question)
    }

    fn step_engine(self, search: &mut BegunSearch, budget: u64) -> EngineStep {
        Navigator::step_engine(&self, search, budget)
    }

    fn adopt_engine(self, search: &mut BegunSearch, affected: &[S::State]) -> bool {
        Navigator::adopt_engine(&self, search, affected)
    }

    fn conclude_engine(
        self,
        search: BegunSearch,
        spare: Path<S::State, S::Cost>,
    ) -> Option<Answered<S::State, S::Cost>> {
        Navigator::conclude_engine(&self, search, spare)
    }
}
