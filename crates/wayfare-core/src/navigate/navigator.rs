//! The navigator: a space and the engines that answer on it.

use super::lead::LedSearch;
use super::{
    Answered, Choice, Coverage, Engine, EngineGround, EngineId, EngineSearch, EngineStep, Lead,
    Lent, Offer, Policy, Question, QuestionOf, Reason, Refusal, Took, work,
};
use crate::path::Path;
use crate::search::{
    Algorithm, Auto, Guarantee, Progress, Scratch, ScratchOf, Search, is_foregone,
};
use crate::space::{Cost, Space, StateId};
use crate::trace::{Observer, TraceEvent, TraceEventKind};

/// A space and the engines that answer on it: prepared ones in the order in which they are
/// preferred, then a search.
///
/// A question whose ends alone show that there is no path is answered without any engine. Else it
/// goes to the first prepared engine that [offers](Engine::offer) an answer and has one,
/// [guides](Engine::lead) a search, or [begins](Engine::begin) its own; else to the search.
///
/// A navigator is made for the moment; the engines are kept. It borrows the world through the
/// space, which rules out edits in the meantime. Making one takes a list of the engines, and no
/// memory without any.
///
/// ```
/// use wayfare::index::GridIndex;
/// use wayfare::navigate::{EngineId, IndexEngine, Navigator};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
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
    /// Returns a navigator that searches, by jump point search where the space can jump and by A*
    /// elsewhere.
    #[must_use]
    pub fn new(space: S) -> Self {
        Self::by(space, Auto, Guarantee::Optimal)
    }
}

impl<'n, S: Space, A> Navigator<'n, S, A> {
    /// Returns a navigator that searches by that algorithm, which promises that of its paths.
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

    /// Returns the space.
    #[must_use]
    pub fn space(&self) -> &S {
        &self.space
    }

    /// Returns the space, without the engines.
    #[must_use]
    pub fn into_space(self) -> S {
        self.space
    }

    /// Returns every engine in the order in which it is asked, and whether it suits a question. The
    /// look at the ends comes first ([`EngineId::Preflight`]), the search last; that one always
    /// suits.
    ///
    /// The first engine with an offer answers, unless it [turns out](Engine::answer) not to suit.
    pub fn choices(&self, question: &Question<S::State, S::Cost>) -> impl Iterator<Item = Choice> {
        let by_search =
            |reason| Offer { reason, guarantee: self.guarantee, coverage: Coverage::Whole };
        let ends = match is_foregone(&self.space, &question.query) {
            true => Ok(by_search(Reason::Foregone)),
            false => Err(Refusal::NotForegone),
        };
        let engines = self.engines.iter().map(|engine| Choice {
            engine: engine.id(),
            offer: engine.offer(&self.space, question),
        });
        let search =
            Choice { engine: EngineId::Search, offer: Ok(by_search(Reason::NothingElseSuits)) };
        let ends = Choice { engine: EngineId::Preflight, offer: ends };
        [ends].into_iter().chain(engines).chain([search])
    }

    /// Returns the answer of the first prepared engine that suits and has one; `None` if a search
    /// is needed, guided or not. `spare` gives paths whose memory may be reused, one for each
    /// engine that is asked.
    pub fn ask_engines(
        &self,
        question: &Question<S::State, S::Cost>,
        mut spare: impl FnMut() -> Path<S::State, S::Cost>,
    ) -> Option<Answered<S::State, S::Cost>> {
        let suits = |engine: &&&dyn Engine<S>| engine.offer(&self.space, question).is_ok();
        let mut suitable = self.engines.iter().filter(suits);
        suitable.find_map(|engine| engine.answer(&self.space, question, spare()))
    }

    /// Returns the bound of the first prepared engine that suits and guides a search. For callers
    /// that make their own searches, after [`Navigator::ask_engines`] had no answer.
    #[must_use]
    pub fn lead(&self, question: &Question<S::State, S::Cost>) -> Option<Lent<S::State, S::Cost>> {
        self.engines.iter().find_map(|engine| lent(*engine, &self.space, question))
    }

    /// Returns the search of the first engine that suits and begins one: for callers that slice it,
    /// by [`Navigator::step_engine`] and [`Navigator::conclude_engine`], after
    /// [`Navigator::ask_engines`] had no answer.
    #[must_use]
    pub fn begin_engine(&self, question: &Question<S::State, S::Cost>) -> Option<BegunSearch> {
        self.engines.iter().enumerate().find_map(|(place, &engine)| {
            engine.offer(&self.space, question).ok()?;
            let search = engine.begin(EngineGround::Alone(&self.space), question)?;
            Some(BegunSearch { place, search })
        })
    }

    /// Works on a search that [`Navigator::begin_engine`] began, for at most `budget`
    /// [units](super::work), which the last piece of work may exceed. To be asked of a navigator
    /// with the same engines.
    pub fn step_engine(&self, search: &mut BegunSearch, budget: u64) -> EngineStep {
        let done = EngineStep { progress: Progress::Done, work: 0, expanded: 0 };
        let ground = EngineGround::Alone(&self.space);
        let engine = self.engines.get(search.place);
        engine.map_or(done, |engine| engine.step(ground, &mut search.search, budget))
    }

    /// Continues a search that [`Navigator::begin_engine`] began after an edit, if its engine
    /// [can](Engine::adopt). Returns whether it continues.
    pub fn adopt_engine(&self, search: &mut BegunSearch, affected: &[S::State]) -> bool {
        let ground = EngineGround::Alone(&self.space);
        let engine = self.engines.get(search.place);
        engine.is_some_and(|engine| engine.adopt(ground, &mut search.search, affected))
    }

    /// Returns the answer of a search that [`Navigator::begin_engine`] began; before it is done,
    /// the answer if it is given up now. `None`: the engine has none, and a search over states is
    /// needed.
    pub fn conclude_engine(
        &self,
        search: BegunSearch,
        spare: Path<S::State, S::Cost>,
    ) -> Option<Answered<S::State, S::Cost>> {
        let ground = EngineGround::Alone(&self.space);
        self.engines.get(search.place)?.conclude(ground, search.search, spare)
    }

    /// Returns the answer of an engine by a search of its own that is not sliced. `None` if the
    /// policy does not leave it enough work.
    fn search_by_engine(
        &self,
        engine: &dyn Engine<S>,
        question: &Question<S::State, S::Cost>,
        spare: Path<S::State, S::Cost>,
    ) -> Option<Answered<S::State, S::Cost>> {
        let ground = EngineGround::Alone(&self.space);
        let mut search = engine.begin(ground, question)?;
        let mut left = match question.policy {
            Policy::Within(units) => units,
            Policy::Exact | Policy::FirstLeg => u64::MAX,
        };
        while left > 0 {
            let EngineStep { progress, work, .. } = engine.step(ground, &mut search, left);
            if progress == Progress::Done {
                break;
            }
            left = left.saturating_sub(work.max(1));
        }
        engine.conclude(ground, search, spare)
    }

    /// Returns the answer of the first prepared engine that suits and has one, or the bound of the
    /// first that guides.
    fn first_reply(
        &self,
        question: &Question<S::State, S::Cost>,
        spare: &mut Path<S::State, S::Cost>,
    ) -> Option<ReplyOf<S>> {
        self.engines.iter().find_map(|engine| {
            engine.offer(&self.space, question).ok()?;
            if let Some(Lent { lead, took }) = lent(*engine, &self.space, question) {
                return Some(Reply::Leads(lead, took));
            }
            let answered = engine
                .answer(&self.space, question, std::mem::take(spare))
                .or_else(|| self.search_by_engine(*engine, question, std::mem::take(spare)));
            answered.map(|answered| Reply::Answers(Box::new(answered)))
        })
    }

    /// Begins to answer a question. Engines that know the answer give it at once, and so do engines
    /// with a [search of their own](Engine::begin), which is not sliced here. Searches, guided by
    /// an engine or not, give it by [`Inquiry::step`].
    pub fn begin(&self, question: impl Into<Question<S::State, S::Cost>>) -> InquiryOf<S, A>
    where
        A: Algorithm,
    {
        self.begin_reusing(question, &mut Path::default())
    }

    /// Like [`Navigator::begin`], with a path whose memory an engine may take for its answer: that
    /// of [`Scratch::spare_path`], for instance.
    pub fn begin_reusing(
        &self,
        question: impl Into<Question<S::State, S::Cost>>,
        spare: &mut Path<S::State, S::Cost>,
    ) -> InquiryOf<S, A>
    where
        A: Algorithm,
    {
        let question = question.into();
        let left = match question.policy {
            Policy::Within(units) => units,
            Policy::Exact | Policy::FirstLeg => u64::MAX,
        };
        let by = |engine, reason| Took::by_search((engine, reason), self.guarantee, 0);
        let (reply, took) = if is_foregone(&self.space, &question.query) {
            (None, by(EngineId::Preflight, Reason::Foregone))
        } else {
            (self.first_reply(&question, spare), by(EngineId::Search, Reason::NothingElseSuits))
        };
        let (stage, took) = match reply {
            Some(Reply::Answers(answered)) => {
                let took = answered.took;
                (Stage::Answered(answered), took)
            }
            Some(Reply::Leads(lead, took)) => {
                (Stage::Led(Box::new(lead.search(question.query))), took)
            }
            None => (Stage::Searching(self.search.search(question.query)), took),
        };
        Inquiry { stage, took, left, scanned: 0 }
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
        let mut spare = scratch.spare_path();
        let mut inquiry = self.begin_reusing(question, &mut spare);
        scratch.recycle(spare);
        while inquiry.step(&self.space, scratch, &mut (), u64::MAX) == Progress::Working {}
        inquiry.answer(&self.space, scratch)
    }
}

/// A search that an engine of a navigator has begun.
///
/// ```
/// use wayfare::navigate::{BegunSearch, EngineStep, MeshEngine, Navigator, Question};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::navmesh::{MeshDraft, NavMesh, PolygonId};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let ends: Vec<PolygonId> = mesh.polygons().collect();
/// let question = Question::from(Query::new(ends[0], ends[ends.len() - 1]));
/// let engine = MeshEngine::new();
/// let navigator = || Navigator::new(mesh.space()).with(&engine);
/// let mut search: BegunSearch = navigator().begin_engine(&question).unwrap();
/// while navigator().step_engine(&mut search, 1).progress == Progress::Working {}
/// let answered = navigator().conclude_engine(search, Path::default()).unwrap();
/// assert!(answered.outcome.is_found());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BegunSearch {
    /// The index of the engine among those of the navigator.
    place: usize,
    search: EngineSearch,
}

/// Returns the bound that an engine lends to the search for an answer, if the engine suits and
/// guides.
fn lent<S: Space>(
    engine: &dyn Engine<S>,
    space: &S,
    question: &QuestionOf<S>,
) -> Option<Lent<S::State, S::Cost>> {
    let offer = engine.offer(space, question).ok()?;
    let lead = engine.lead(space, question)?;
    Some(Lent { lead, took: Took::by_search((engine.id(), offer.reason), offer.guarantee, 0) })
}

/// A navigator whose space and search are not known by type: object safe, for programs that choose
/// the world at run time.
///
/// ```
/// use wayfare::navigate::{Navigate, Navigator};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
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

/// The first suitable engine's reply to a question.
enum Reply<State, C> {
    Answers(Box<Answered<State, C>>),
    Leads(Lead<State, C>, Took),
}

type ReplyOf<S> = Reply<<S as Space>::State, <S as Space>::Cost>;

/// A question that is being answered. Borrows nothing: it can lie beside the world between two
/// steps.
///
/// Example: [`LandmarksEngine`](super::LandmarksEngine).
#[derive(Clone, Debug)]
pub struct Inquiry<State, C, Q> {
    stage: Stage<State, C, Q>,
    /// The engine, and the work up to now.
    took: Took,
    /// Units of work that the policy leaves.
    left: u64,
    /// Less than a unit, in 64ths.
    scanned: u64,
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
    Led(Box<LedSearch<State, C>>),
}

impl<State: StateId, C: Cost, Q> Inquiry<State, C, Q> {
    /// Returns the engine that answers, and the work up to now.
    #[must_use]
    pub fn took(&self) -> Took {
        self.took
    }

    /// Returns the navigator's own search, where it is that which answers.
    #[must_use]
    pub fn search(&self) -> Option<&Q> {
        match &self.stage {
            Stage::Searching(search) => Some(search),
            Stage::Answered(_) | Stage::Led(_) => None,
        }
    }

    /// Works on for at most `budget` [units](super::work), in the space that the question was asked
    /// of and always the same scratch.
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
        let mut meter = Meter { observer, expanded: 0, scanned: 0 };
        let units = space.units_an_expansion().max(1);
        let budget = budget.min(self.left).div_ceil(units);
        let progress = match &mut self.stage {
            Stage::Answered(_) => return Progress::Done,
            Stage::Searching(search) => search.step(space, scratch, &mut meter, budget),
            Stage::Led(search) => search.step(space, scratch, &mut meter, budget),
        };
        // Parts of a unit carry over to the next step.
        self.scanned += meter.scanned;
        let done = (meter.expanded + self.scanned / work::SCANS_A_UNIT) * units;
        self.scanned %= work::SCANS_A_UNIT;
        self.left -= done.min(self.left);
        self.took.work += done;
        if self.left == 0 { Progress::Done } else { progress }
    }

    /// Returns the answer; before [`Progress::Done`], the answer if the search is given up now.
    pub fn answer<S>(self, space: &S, scratch: &mut Scratch<State, C>) -> Answered<State, C>
    where
        S: Space<State = State, Cost = C>,
        Q: Search<S>,
    {
        let answer = match self.stage {
            Stage::Answered(answered) => return *answered,
            Stage::Searching(mut search) => search.answer(space, scratch),
            Stage::Led(mut search) => search.answer(space, scratch),
        };
        Answered::new(answer, self.took)
    }
}

/// Counts work while passing events to another observer.
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
