//! The only module where a request meets the navigator, and so the generic searches.
//!
//! The algorithms that are chosen for speed have small costs and no observer: the crates of the
//! spaces instantiate them ([`FastSpace`]). Wide costs, with a recorder that may be off, serve the
//! rest: other algorithms, paths too expensive for small costs, and recorded searches.
//!
//! Both give the same path and the same counters. A search compares keys of cost, estimate and
//! state; both types represent the same integers and compare them alike, unless the small one
//! overflows, which repeats the search.
//!
//! Prepared engines have small costs where there are any. A search guided by one of them has two
//! machines: one for recording, and one for speed.

use std::time::Duration;

use wayfare::navigate::{Answered, EngineId, Navigator, Policy, Question, QuestionOf, Refusal};
use wayfare::search::{AStar, AlgorithmId, FullSpace, Guarantee, Limit, Outcome, Scratch};
use wayfare::space::Space;
use wayfare_core::inside::{FastSearch, FastSpace, ask};

use crate::answered::{Choice, query, report};
use crate::owner::{NarrowOwner, OwnEngines, Owner};
use crate::prepare::{HAS_ENGINES, SharedEngines, timed};
use crate::trace::Recorder;
use crate::{
    Clock, EngineName, Preparation, PreparedEngine, SearchReport, SearchRequest, SiteError,
};

/// Answers requests, one after the other in the same memory, by the engines that it was told to
/// prepare or by a search. The report says which engine that was, and why.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{
///     EngineName, NoFiles, OpenOptions, Preparation, SearchRequest, open_bytes,
/// };
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let mut searcher = site.searcher();
/// let ends = site.routes()[0].ends;
/// for algorithm in [AlgorithmId::AStar, AlgorithmId::Bfs] {
///     let report = searcher.run(&SearchRequest::new(algorithm, ends), &mut |_expanded| ());
///     assert_eq!(report.path.len(), 5);
/// }
///
/// // An engine that is prepared answers, after edits too if it follows them.
/// let clock = wayfare_site::Clock::NONE;
/// searcher.prepare(Preparation::usual(EngineName::Index, ends).unwrap(), clock)?;
/// let request = SearchRequest::new(AlgorithmId::Auto, ends);
/// assert_eq!(searcher.run(&request, &mut |_| ()).method, "index");
/// searcher.set_ground(site.find("0,1")?, "blocked")?;
/// let report = searcher.run(&request, &mut |_| ());
/// assert_eq!((report.method, report.path.len()), ("index", 5));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
pub trait Searcher {
    /// Answers a request. `on_progress` gets the present work every half a million units.
    fn run(&mut self, request: &SearchRequest, on_progress: &mut dyn FnMut(u64)) -> SearchReport;

    /// Prepares an engine. It replaces a prepared one of the same name.
    ///
    /// # Errors
    /// When the kind of world has no such engine, the world does not suit it, or an index is of
    /// another world. Always without the feature `engines`.
    fn prepare(
        &mut self,
        preparation: Preparation,
        clock: Clock,
    ) -> Result<PreparedEngine, SiteError>;

    /// Returns the time for the turning points of a path alone, where the request's engine knows
    /// them. Measured by itself: an answer is faster right after one to the same request.
    fn time_turns(&mut self, _request: &SearchRequest) -> Option<Duration> {
        None
    }

    /// Gives the ground at a state another name, "blocked" or one of the world's terrains. Prepared
    /// engines follow the edit, or are not asked any more until they are prepared again. The edit
    /// is this searcher's own: its site and others stay as they are.
    ///
    /// # Errors
    /// When the world is no grid, or has no ground of that name.
    fn set_ground(&mut self, state: u32, ground: &str) -> Result<(), SiteError>;
}

/// Returns whether a path needs wider costs than those it was searched with.
fn needs_wide_costs<State, C>(answered: &Answered<State, C>) -> bool {
    matches!(answered.outcome, Outcome::LimitReached { limit: Limit::CostRange, .. })
}

/// Returns the prepared engine that a question goes to. Where it goes to none, the reason of the
/// one that was asked for by name, if that is prepared.
fn prepared_choice<S: FullSpace, A>(
    navigator: &Navigator<'_, S, A>,
    question: &QuestionOf<S>,
    request: &SearchRequest,
) -> Result<EngineId, Option<Refusal>> {
    let mut refused = None;
    for choice in navigator.choices(question) {
        match (choice.engine, choice.offer) {
            (EngineId::Preflight | EngineId::Search, Ok(_)) => break,
            (engine, Ok(_)) => return Ok(engine),
            (engine, Err(refusal)) if engine.name() == request.engine.name() => {
                refused = Some(refusal);
            }
            _ => {}
        }
    }
    Err(refused)
}

/// Returns the question of a request. A hierarchy is asked by name for a route that begins at once.
fn question<S: Space>(request: &SearchRequest, unit: f64) -> QuestionOf<S> {
    let policy = match request.engine {
        EngineName::Hierarchy => Policy::FirstLeg,
        _ => request.policy,
    };
    Question::from(query::<S::State, S::Cost>(request, unit)).policy(policy)
}

/// Searches with wide costs, watched or not.
pub(crate) struct WideSearcher<O: Owner> {
    owner: O,
    scratch: Scratch<O::State, u64>,
    engines: SharedEngines<O::State, u64>,
}

impl<O: Owner> WideSearcher<O> {
    /// Takes no memory for searches before the first one.
    pub(crate) fn new(owner: O) -> Self {
        Self { owner, scratch: Scratch::new(), engines: SharedEngines::default() }
    }
}

impl<O: Owner> Searcher for WideSearcher<O> {
    fn run(&mut self, request: &SearchRequest, on_progress: &mut dyn FnMut(u64)) -> SearchReport {
        let Self { owner, scratch, engines } = self;
        let space = owner.wide();
        let question = question::<O::Bare<'_>>(request, owner.unit());
        let choice = Choice::of(request, &space, &question.query);
        let mut recorder = Recorder::new(request.record);
        let navigator = Navigator::by(space, choice.named(request), choice.guarantee());
        let navigator = engines.add_to(navigator, request.engine, owner);
        let refused = prepared_choice(&navigator, &question, request).err().flatten();
        let begun = request.clock.now();
        let answered = ask(&navigator, question, scratch, &mut recorder, on_progress);
        let elapsed = request.clock.since(begun);
        let space = navigator.space();
        let report = report(answered, space, request, &choice, |path| scratch.recycle(path));
        let (scratch_bytes, trace) = (scratch.bytes(), recorder.whole());
        SearchReport { elapsed, scratch_bytes, trace, refused, ..report }
    }

    fn prepare(
        &mut self,
        preparation: Preparation,
        clock: Clock,
    ) -> Result<PreparedEngine, SiteError> {
        let Self { owner, engines, .. } = self;
        let engine = preparation.engine();
        let (bytes, took) = timed(clock, || engines.prepare(&owner.wide(), &preparation));
        let bytes = bytes.ok_or(SiteError::NoSuchEngine { engine: engine.name() })?;
        Ok(PreparedEngine { engine, bytes, took })
    }

    fn set_ground(&mut self, _state: u32, _ground: &str) -> Result<(), SiteError> {
        Err(SiteError::NotEditable)
    }
}

/// Searches with small costs by the algorithms that are chosen for speed; with wide ones by the
/// others, for paths that need them, and for recording.
pub(crate) struct NarrowSearcher<O: NarrowOwner> {
    scratch: Scratch<O::State, u32>,
    engines: SharedEngines<O::State, u32>,
    own: O::Engines,
    wide: WideSearcher<O>,
}

impl<O: NarrowOwner> NarrowSearcher<O> {
    pub(crate) fn new(owner: O) -> Self {
        Self {
            scratch: Scratch::new(),
            engines: SharedEngines::default(),
            own: O::Engines::default(),
            wide: WideSearcher::new(owner),
        }
    }

    /// Returns whether there are links, which only the space with wide costs has.
    fn has_links(&self) -> bool {
        !self.wide.owner.passages().is_empty()
    }

    /// Returns the answer of a prepared engine. Where none suits, the reason of the one that was
    /// asked for by name.
    fn by_engine(
        &mut self,
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<SearchReport, Option<Refusal>> {
        let Self { scratch, engines, own, wide } = self;
        let owner = &wide.owner;
        let question = question::<O::Narrow<'_>>(request, owner.unit());
        let search = Navigator::by(owner.narrow(), AStar::new(), Guarantee::Optimal);
        let navigator = engines.add_to(own.add_to(search, request.engine), request.engine, owner);
        let taken = prepared_choice(&navigator, &question, request)?;
        if taken == EngineId::Hierarchy && request.engine == EngineName::Hierarchy {
            drop(navigator);
            return own.route(owner, request).ok_or(None);
        }
        let mut recorder = Recorder::new(request.record);
        let begun = request.clock.now();
        let answered = if request.record {
            ask(&navigator, question, scratch, &mut recorder, on_progress)
        } else {
            O::Narrow::answer_prepared(&navigator, question, scratch, on_progress)
        };
        let elapsed = request.clock.since(begun);
        if needs_wide_costs(&answered) || answered.took.engine != taken {
            return Err(None); // it did not suit after all
        }
        let choice = Choice { algorithm: AlgorithmId::AStar, because: None };
        let space = owner.wide();
        let report = report(answered, &space, request, &choice, |path| scratch.recycle(path));
        // Engines that read an answer have nothing to watch.
        let trace = recorder.whole().filter(|trace| !trace.events.is_empty());
        Ok(SearchReport { elapsed, scratch_bytes: scratch.bytes(), trace, ..report })
    }

    /// Returns the answer of a search with small costs, for an algorithm that has one and a path
    /// that needs no wider ones. Returns the time that was spent otherwise.
    fn by_search(
        &mut self,
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<SearchReport, Duration> {
        let Self { scratch, wide, .. } = self;
        let owner = &wide.owner;
        let space = owner.narrow();
        let question = question::<O::Narrow<'_>>(request, owner.unit());
        let choice = Choice::of(request, &space, &question.query);
        let search = match choice.algorithm {
            _ if request.record => return Err(Duration::ZERO),
            AlgorithmId::AStar => FastSearch::AStar(request.options.heuristic),
            AlgorithmId::Dijkstra => FastSearch::Dijkstra,
            AlgorithmId::Bidirectional => FastSearch::Bidirectional,
            AlgorithmId::Jps => FastSearch::Jps,
            _ => return Err(Duration::ZERO),
        };
        let begun = request.clock.now();
        let answered = space.answer(search, question, scratch, on_progress);
        let elapsed = request.clock.since(begun);
        if needs_wide_costs(&answered) {
            return Err(elapsed);
        }
        let space = owner.wide();
        let report = report(answered, &space, request, &choice, |path| scratch.recycle(path));
        Ok(SearchReport { elapsed, scratch_bytes: scratch.bytes(), ..report })
    }

    fn search(
        &mut self,
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> SearchReport {
        self.by_search(request, on_progress).unwrap_or_else(|spent| {
            let report = self.wide.run(request, on_progress);
            SearchReport { elapsed: report.elapsed + spent, ..report }
        })
    }
}

impl<O: NarrowOwner> Searcher for NarrowSearcher<O> {
    fn run(&mut self, request: &SearchRequest, on_progress: &mut dyn FnMut(u64)) -> SearchReport {
        if self.has_links() {
            return self.wide.run(request, on_progress);
        }
        let answer = if HAS_ENGINES { self.by_engine(request, on_progress) } else { Err(None) };
        match answer {
            Ok(report) => report,
            Err(refused) => SearchReport { refused, ..self.search(request, on_progress) },
        }
    }

    fn prepare(
        &mut self,
        mut preparation: Preparation,
        clock: Clock,
    ) -> Result<PreparedEngine, SiteError> {
        if self.has_links() {
            return self.wide.prepare(preparation, clock);
        }
        let Self { engines, own, wide, .. } = self;
        let (owner, engine) = (&wide.owner, preparation.engine());
        if !HAS_ENGINES {
            return Err(SiteError::NoSuchEngine { engine: engine.name() });
        }
        let (own, took) = timed(clock, || own.prepare(owner, &mut preparation, clock));
        if let Some(prepared) = own? {
            return Ok(PreparedEngine { took, ..prepared });
        }
        let (bytes, took) = timed(clock, || engines.prepare(&owner.narrow(), &preparation));
        let bytes = bytes.ok_or(SiteError::NoSuchEngine { engine: engine.name() })?;
        Ok(PreparedEngine { engine, bytes, took })
    }

    fn time_turns(&mut self, request: &SearchRequest) -> Option<Duration> {
        if self.has_links() {
            return None;
        }
        let Self { scratch, own, wide, .. } = self;
        let (owner, clock) = (&wide.owner, request.clock);
        if let EngineName::Search(_) = request.engine {
            let space = owner.narrow();
            let query = query(request, owner.unit());
            if Choice::of(request, &space, &query).algorithm != AlgorithmId::Jps {
                return None;
            }
            let begun = clock.now();
            space.jump_points(query, scratch);
            let elapsed = clock.since(begun);
            return Some(elapsed);
        }
        own.time_turns(owner, request)
    }

    fn set_ground(&mut self, state: u32, ground: &str) -> Result<(), SiteError> {
        // Landmarks and fields go by the revision: they need not be told.
        self.own.set_ground(&mut self.wide.owner, state, ground)
    }
}
