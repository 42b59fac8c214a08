//! The navigator: a space and the engines that answer on it.

use super::{
    Answered, Choice, Coverage, Engine, EngineId, Offer, Policy, Question, Reason, Took, work,
};
use crate::path::Path;
use crate::search::{
    Algorithm, Auto, Guarantee, Progress, Scratch, ScratchOf, Search, is_foregone,
};
use crate::space::{Cost, Space, StateId};
use crate::trace::{Observer, TraceEvent, TraceEventKind};

/// A space and the engines that answer on it: prepared ones in the order in which they are preferred, then a search.
///
/// A question goes to the first prepared engine that [offers](Engine::offer) an answer, else to the search.
///
/// A navigator is made for the moment; the engines are kept. It borrows the world through the space,
/// which rules out edits in the meantime. Making one takes a list of the engines, and no memory
/// without any.
///
/// ```
/// use wayfare::index::GridIndex;
/// use wayfare::navigate::{EngineId, IndexEngine, Navigator};
/// use wayfare::prelude::*;
///
/// let mut grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let index = IndexEngine::new(&grid.space(), GridIndex::new(&grid.space())?)?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let mut scratch = Scratch::new();
///
/// let answer = Navigator::new(grid.space()).with(&index).ask(query.clone(), &mut scratch);
/// assert_eq!(answer.took.engine, EngineId::Index);
///
/// // After an edit the index is stale, and the search answers.
/// grid.set_terrain(grid.cell(1, 0).unwrap(), TerrainId::BLOCKED);
/// let navigator = Navigator::new(grid.space()).with(&index);
/// let answer = navigator.ask(query.clone(), &mut scratch);
/// assert_eq!(answer.took.engine, EngineId::Search);
/// for choice in navigator.choices(&query.into()) {
///     if let Err(refusal) = choice.offer {
///         println!("not the {}: {refusal}", choice.engine);
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Navigator<'n, S: Space, A = Auto> {
    space: S,
    search: A,
    guarantee: Guarantee,
    engines: Vec<&'n dyn Engine<S>>,
}

impl<S: Space> Navigator<'_, S> {
    /// A navigator that searches, by jump point search where the space can jump and by A* elsewhere.
    #[must_use]
    pub fn new(space: S) -> Self {
        Self::by(space, Auto, Guarantee::Optimal)
    }
}

impl<'n, S: Space, A> Navigator<'n, S, A> {
    /// A navigator that searches by that algorithm, which promises that of its paths.
    #[must_use]
    pub fn by(space: S, search: A, guarantee: Guarantee) -> Self {
        Self { space, search, guarantee, engines: Vec::new() }
    }

    /// Adds an engine. It comes after the engines that were added before it and before the search.
    #[must_use]
    pub fn with(mut self, engine: &'n dyn Engine<S>) -> Self {
        self.engines.push(engine);
        self
    }

    /// The space.
    #[must_use]
    pub fn space(&self) -> &S {
        &self.space
    }

    /// The space, without the engines.
    #[must_use]
    pub fn into_space(self) -> S {
        self.space
    }

    /// Every engine, in the order in which they are preferred, and whether it suits a question. The search, the last one, always
    /// does.
    pub fn choices(&self, question: &Question<S::State, S::Cost>) -> impl Iterator<Item = Choice> {
        let search = Offer {
            reason: Reason::NothingElseSuits,
            guarantee: self.guarantee,
            coverage: Coverage::Whole,
        };
        let engines = self.engines.iter();
        engines
            .map(|engine| Choice {
                engine: engine.id(),
                offer: engine.offer(&self.space, question),
            })
            .chain([Choice { engine: EngineId::Search, offer: Ok(search) }])
    }

    /// The answer of the first prepared engine that suits; `None` if a search is needed. `spare` is a path whose memory may be
    /// reused.
    pub fn ask_engines(
        &self,
        question: &Question<S::State, S::Cost>,
        spare: impl FnOnce() -> Path<S::State, S::Cost>,
    ) -> Option<Answered<S::State, S::Cost>> {
        let mut engines = self.engines.iter();
        let suits = |engine: &&&dyn Engine<S>| engine.offer(&self.space, question).is_ok();
        engines.find(suits)?.answer(&self.space, question, spare())
    }

    /// Begins to answer a question. Prepared engines answer at once, searches by [`Inquiry::step`].
    pub fn begin(&self, question: impl Into<Question<S::State, S::Cost>>) -> InquiryOf<S, A>
    where
        A: Algorithm,
    {
        let question = question.into();
        let left = match question.policy {
            Policy::Within(units) => units,
            Policy::Exact | Policy::FirstLeg => u64::MAX,
        };
        let is_foregone = is_foregone(&self.space, &question.query);
        let answered = if is_foregone { None } else { self.ask_engines(&question, Path::default) };
        let stage = match answered {
            Some(answered) => Stage::Answered(Box::new(answered)),
            None => Stage::Searching(self.search.search(question.query)),
        };
        Inquiry { stage, left, work: 0, scanned: 0, guarantee: self.guarantee, is_foregone }
    }

    /// Answers a question.
    pub fn ask(
        &self,
        question: impl Into<Question<S::State, S::Cost>>,
        scratch: &mut ScratchOf<S>,
    ) -> Answered<S::State, S::Cost>
    where
        A: Algorithm<Search<S::State, S::Cost>: Search<S>>,
    {
        let mut inquiry = self.begin(question);
        while inquiry.step(&self.space, scratch, &mut (), u64::MAX) == Progress::Working {}
        inquiry.answer(&self.space, scratch)
    }
}

/// A navigator whose space and search are not known by type: object safe, for programs that choose the world at run time.
///
/// ```
/// use wayfare::navigate::{Navigate, Navigator};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["...."])?;
/// let navigator: &dyn Navigate<Cell, u32> = &Navigator::new(grid.space());
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 0).unwrap());
/// assert!(navigator.navigate(query.into(), &mut Scratch::new()).outcome.is_found());
/// # Ok::<(), GridError>(())
/// ```
pub trait Navigate<State: StateId, C: Cost> {
    /// Answers a question.
    fn navigate(
        &self,
        question: Question<State, C>,
        scratch: &mut Scratch<State, C>,
    ) -> Answered<State, C>;
}

impl<S, A> Navigate<S::State, S::Cost> for Navigator<'_, S, A>
where
    S: Space,
    A: Algorithm<Search<S::State, S::Cost>: Search<S>>,
{
    fn navigate(
        &self,
        question: Question<S::State, S::Cost>,
        scratch: &mut ScratchOf<S>,
    ) -> Answered<S::State, S::Cost> {
        self.ask(question, scratch)
    }
}

/// A question that is being answered. Borrows nothing: it can lie beside the world between two steps.
#[derive(Clone, Debug)]
pub struct Inquiry<State, C, Q> {
    stage: Stage<State, C, Q>,
    /// Units of work that the policy leaves.
    left: u64,
    work: u64,
    /// Less than a unit, in 64ths.
    scanned: u64,
    guarantee: Guarantee,
    is_foregone: bool,
}

/// A question about a space that is being answered by prepared engines or the algorithm `A`.
pub type InquiryOf<S, A> = Inquiry<
    <S as Space>::State,
    <S as Space>::Cost,
    <A as Algorithm>::Search<<S as Space>::State, <S as Space>::Cost>,
>;

#[derive(Clone, Debug)]
enum Stage<State, C, Q> {
    Answered(Box<Answered<State, C>>),
    Searching(Q),
}

impl<State: StateId, C: Cost, Q> Inquiry<State, C, Q> {
    /// Works on for at most `budget` [units](super::work), in the space that the question was asked of and always the same scratch.
    pub fn step<S>(
        &mut self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        observer: &mut impl Observer<State, C>,
        budget: u64,
    ) -> Progress
    where
        S: Space<State = State, Cost = C>,
        Q: Search<S>,
    {
        let Stage::Searching(search) = &mut self.stage else { return Progress::Done };
        let mut meter = Meter { observer, expanded: 0, scanned: 0 };
        let progress = search.step(space, scratch, &mut meter, budget.min(self.left));
        // Parts of a unit carry over to the next step.
        self.scanned += meter.scanned;
        let done = meter.expanded + self.scanned / work::SCANS_A_UNIT;
        self.scanned %= work::SCANS_A_UNIT;
        self.left -= done.min(self.left);
        self.work += done;
        if self.left == 0 { Progress::Done } else { progress }
    }

    /// The answer; before [`Progress::Done`], what is known by now.
    pub fn answer<S>(self, space: &S, scratch: &mut Scratch<State, C>) -> Answered<State, C>
    where
        S: Space<State = State, Cost = C>,
        Q: Search<S>,
    {
        match self.stage {
            Stage::Answered(answered) => *answered,
            Stage::Searching(mut search) => {
                let answer = search.answer(space, scratch);
                let (engine, reason) = if self.is_foregone {
                    (EngineId::Preflight, Reason::Foregone)
                } else {
                    (EngineId::Search, Reason::NothingElseSuits)
                };
                Answered::new(answer, Took::by_search((engine, reason), self.guarantee, self.work))
            }
        }
    }
}

/// Counts work on the way to another observer.
struct Meter<'o, O> {
    observer: &'o mut O,
    expanded: u64,
    scanned: u64,
}

impl<State: StateId, C: Cost, O: Observer<State, C>> Observer<State, C> for Meter<'_, O> {
    #[inline]
    fn observe(&mut self, event: TraceEvent<State, C>) {
        self.expanded += u64::from(event.kind == TraceEventKind::Expand);
        self.observer.observe(event);
    }

    #[inline]
    fn scanned(&mut self, work: u32) {
        self.scanned += u64::from(work);
        self.observer.scanned(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::GridIndex;
    use crate::navigate::IndexEngine;
    use crate::prelude::{Grid, Query};

    #[test]
    fn every_engine_is_asked() {
        let grid = Grid::from_rows(&["..."]).unwrap();
        let index =
            IndexEngine::new(&grid.space(), GridIndex::new(&grid.space()).unwrap()).unwrap();
        let mut navigator = Navigator::new(grid.space());
        for _ in 0..20 {
            navigator = navigator.with(&index);
        }
        let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(2, 0).unwrap());
        let question = query.into();
        let asked = navigator.choices(&question).filter(|choice| choice.offer.is_ok());
        assert_eq!(asked.count(), 21);
    }
}
