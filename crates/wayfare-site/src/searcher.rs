//! The one place where a request meets the generic searches.
//!
//! Compiling a search takes seconds a space, a cost type and an observer, so each is instantiated
//! once. The few algorithms that are chosen for speed have small costs and no observer. Wide costs,
//! with a recorder that may be off, serve the rest: other algorithms, paths that cost more than the
//! small type holds, and searches that somebody watches.
//!
//! Both give the same path and the same counters. A search compares keys of cost, estimate and
//! state; both types hold the same integers and compare them alike, unless the small one overflows,
//! which repeats the search.

use std::time::Duration;

use wayfare::path::{
    Path, PathOf, Polyline, Rounding, Step, round_corners, shorten_path, simplify, smooth,
    validate, validate_any_angle,
};
use wayfare::search::{
    AStar, Algorithm, AlgorithmId, AnswerOf, AnySearch, Auto, Bidirectional, Dijkstra, FullSpace,
    Guarantee, Jps, JpsSearch, Limit, NamedHeuristic, Outcome, Progress, Query, QueryOf, Scratch,
    ScratchOf, Search, Stats,
};
use wayfare::space::{Cell, Cost, GridSpace, Space, StateId, Voxel, VoxelSpace};
use wayfare::space::{WaypointGraph, WaypointId};
use wayfare::trace::ObserverOf;

use crate::trace::Recorder;
use crate::{Clock, Ending, PathStep, Refinement, SearchReport, SearchRequest};

/// Expansions between two calls of `on_progress`.
const SLICE: u64 = 1 << 19;

/// The distance between the points of a curve, in units of the world.
const CURVE_SPACING: f32 = 0.25;

/// Answers requests, one after the other in the same memory.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let mut searcher = site.searcher();
/// let ends = site.routes()[0].ends;
/// for algorithm in [AlgorithmId::AStar, AlgorithmId::Bfs] {
///     let report = searcher.run(&SearchRequest::new(algorithm, ends), &mut |_expanded| ());
///     assert_eq!(report.path.len(), 5);
/// }
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
pub trait Searcher {
    /// Answers a request. `on_progress` hears the number of expansions every half a million.
    fn run(&mut self, request: &SearchRequest, on_progress: &mut dyn FnMut(u64)) -> SearchReport;
}

/// A space whose paths have a length in units of the world.
pub(crate) trait Measured: FullSpace {
    fn path_length(&self, path: &PathOf<Self>) -> f64;
}

impl Measured for GridSpace<'_, u64> {
    fn path_length(&self, path: &Path<Cell, u64>) -> f64 {
        self.length(path.states())
    }
}

impl Measured for &WaypointGraph {
    fn path_length(&self, path: &Path<WaypointId, u64>) -> f64 {
        Polyline::from_path(*self, path).length()
    }
}

impl Measured for VoxelSpace<'_, u64> {
    fn path_length(&self, path: &Path<Voxel, u64>) -> f64 {
        self.length(path.steps.iter().map(|step| (step.state, step.action)))
    }
}

/// Owns a space, so that a search on it can outlive its site.
pub(crate) trait Owner: Clone + 'static {
    type State: StateId;
    type Wide<'s>: Measured + Space<State = Self::State, Cost = u64>;

    /// The space with costs that hold every path.
    fn wide(&self) -> Self::Wide<'_>;

    /// The cost of one unit of length on plain ground.
    fn unit(&self) -> f64;
}

/// An owner whose space has a small cost type, too.
pub(crate) trait NarrowOwner: Owner {
    type Narrow<'s>: FullSpace + Space<State = Self::State, Cost = u32>;

    /// The space with costs of half the size, which search faster.
    fn narrow(&self) -> Self::Narrow<'_>;
}

/// The algorithm that answers, and why, where the choice was left open.
pub(crate) struct Choice {
    pub(crate) algorithm: AlgorithmId,
    pub(crate) because: Option<&'static str>,
}

impl Choice {
    pub(crate) fn of<S: FullSpace>(request: &SearchRequest, space: &S, query: &QueryOf<S>) -> Self {
        match request.algorithm {
            AlgorithmId::Auto if request.options.heuristic != NamedHeuristic::Natural => Self {
                algorithm: AlgorithmId::AStar,
                because: Some("it steers by the heuristic that was named"),
            },
            AlgorithmId::Auto => {
                let choice = Auto::choose(space, query);
                Self { algorithm: choice.algorithm, because: Some(choice.why) }
            }
            algorithm => Self { algorithm, because: None },
        }
    }
}

/// The query of a request.
pub(crate) fn query<State: StateId, C: Cost>(
    request: &SearchRequest,
    unit: f64,
) -> Query<State, C> {
    let ends = request.ends;
    let mut query = Query::new(State::from_index(ends.start), State::from_index(ends.goal));
    if let Some(expansions) = request.max_expansions {
        query = query.max_expansions(expansions);
    }
    if let Some(cost) = request.max_cost {
        query = query.max_cost(C::from_u64((cost * unit).round() as u64));
    }
    if request.approach { query.approach() } else { query }
}

/// An answer with wide costs, and what it took.
pub(crate) struct Answered<State> {
    pub(crate) ending: Ending,
    pub(crate) path: Path<State, u64>,
    pub(crate) stats: Stats,
    pub(crate) elapsed: Duration,
    pub(crate) turns_elapsed: Duration,
    pub(crate) scratch_bytes: usize,
}

impl<State: StateId> Answered<State> {
    /// Takes an answer out of its scratch, which gets the memory of its path back.
    pub(crate) fn of<C: Cost>(
        outcome: Outcome<State, C>,
        stats: Stats,
        recycle: impl FnOnce(Path<State, C>),
    ) -> Self {
        let ending = match &outcome {
            Outcome::Found(_) => Ending::Found,
            Outcome::Unreachable { reason, .. } => Ending::NoPath(*reason),
            Outcome::LimitReached { limit, .. } => Ending::Limit(*limit),
            Outcome::Interrupted(interruption) => Ending::Interrupted(*interruption),
        };
        let narrow = outcome.into_path();
        let widen = |step: &Step<State, C>| Step {
            state: step.state,
            action: step.action,
            cost: step.cost.to_u64(),
        };
        let path =
            Path { steps: narrow.steps.iter().map(widen).collect(), revision: narrow.revision };
        recycle(narrow);
        Self {
            ending,
            path,
            stats,
            elapsed: Duration::ZERO,
            turns_elapsed: Duration::ZERO,
            scratch_bytes: 0,
        }
    }

    /// The report, with the path checked, measured and refined.
    pub(crate) fn report<S>(
        self,
        space: &S,
        request: &SearchRequest,
        choice: &Choice,
    ) -> SearchReport
    where
        S: Measured + Space<State = State, Cost = u64>,
    {
        let Self { ending, path, stats, elapsed, turns_elapsed, scratch_bytes } = self;
        let info = choice.algorithm.info();
        let is_found = ending == Ending::Found;
        let fault = if is_found { fault_of(space, request, info.guarantee, &path) } else { None };
        SearchReport {
            algorithm: choice.algorithm,
            method: info.name,
            guarantee: info.guarantee,
            ending,
            length: space.path_length(&path),
            stats,
            chosen_because: choice.because,
            elapsed,
            turns_elapsed,
            scratch_bytes,
            trace: None,
            fault,
            refined: refined(space, request.refinement, &path),
            sectors: None,
            path: path_steps(&path),
        }
    }
}

/// A path without the types of its space.
pub(crate) fn path_steps<State: StateId>(path: &Path<State, u64>) -> Vec<PathStep> {
    let step = |step: &Step<State, u64>| PathStep {
        state: step.state.index(),
        cost: step.cost,
        action: step.action,
    };
    path.steps.iter().map(step).collect()
}

fn refined<S: FullSpace>(space: &S, refinement: Refinement, path: &PathOf<S>) -> Option<Polyline> {
    // Curves through every cell would follow the grid's staircase; through the turning points they
    // follow the way.
    let shortened = || Polyline::from_path(space, &shorten_path(space, path));
    match refinement {
        Refinement::None => None,
        Refinement::Simplify => Some(simplify(&Polyline::from_path(space, path))),
        Refinement::Shorten => Some(shortened()),
        Refinement::Round { turn_radius } => {
            Some(round_corners(space, &shortened(), Rounding::new(turn_radius)))
        }
        Refinement::CatmullRom => Some(smooth(space, &shortened(), CURVE_SPACING)),
    }
}

fn fault_of<S: FullSpace>(
    space: &S,
    request: &SearchRequest,
    guarantee: Guarantee,
    path: &PathOf<S>,
) -> Option<String> {
    let [start, goal] = [request.ends.start, request.ends.goal].map(S::State::from_index);
    let verdict = match guarantee {
        Guarantee::AnyAngle => validate_any_angle(space, path, start, goal),
        _ => validate(space, path, start, goal),
    };
    verdict.err().map(|fault| fault.to_string())
}

/// The turning points of a search that knows them; `None` for one that does not.
type Turns<M, S> = fn(&M, &S, &mut ScratchOf<S>) -> Option<PathOf<S>>;

fn no_turns<M, S: FullSpace>(_: &M, _: &S, _: &mut ScratchOf<S>) -> Option<PathOf<S>> {
    None
}

fn jump_points<S: FullSpace>(
    search: &JpsSearch<S::State, S::Cost>,
    space: &S,
    scratch: &mut ScratchOf<S>,
) -> Option<PathOf<S>> {
    Some(search.jump_points(space, scratch).0.unwrap_or_default())
}

fn any_turns<S: FullSpace>(
    search: &AnySearch<S::State, S::Cost>,
    space: &S,
    scratch: &mut ScratchOf<S>,
) -> Option<PathOf<S>> {
    match search {
        AnySearch::Jps(search) => jump_points(search, space, scratch),
        _ => None,
    }
}

/// A space with the memory for searches on it.
struct Ground<'s, S: FullSpace> {
    space: &'s S,
    scratch: &'s mut ScratchOf<S>,
    clock: Clock,
}

impl<S: FullSpace> Ground<'_, S> {
    /// Runs one search to its end, with the clock beside it.
    fn answer<M: Search<S>>(
        self,
        mut search: M,
        turns: Turns<M, S>,
        observer: &mut impl ObserverOf<S>,
        on_progress: &mut dyn FnMut(u64),
    ) -> Answered<S::State> {
        let Self { space, scratch, clock } = self;
        let begun = clock.now();
        let mut expanded = 0;
        while search.step(space, scratch, observer, SLICE) == Progress::Working {
            expanded += SLICE;
            on_progress(expanded);
        }
        let searched = clock.since(begun);
        let answer: AnswerOf<S> = search.answer(space, scratch);
        let elapsed = clock.since(begun);
        let begun = clock.now();
        let turns_elapsed = match turns(&search, space, scratch) {
            Some(points) => {
                let elapsed = searched + clock.since(begun);
                scratch.recycle(points);
                elapsed
            }
            None => elapsed,
        };
        let answered = Answered::of(answer.outcome, answer.stats, |path| scratch.recycle(path));
        Answered { elapsed, turns_elapsed, scratch_bytes: scratch.bytes(), ..answered }
    }
}

/// Searches with wide costs, watched or not.
pub(crate) struct WideSearcher<O: Owner> {
    owner: O,
    scratch: Scratch<O::State, u64>,
}

impl<O: Owner> WideSearcher<O> {
    /// Takes no memory for searches before the first one.
    pub(crate) fn new(owner: O) -> Self {
        Self { owner, scratch: Scratch::new() }
    }
}

impl<O: Owner> Searcher for WideSearcher<O> {
    fn run(&mut self, request: &SearchRequest, on_progress: &mut dyn FnMut(u64)) -> SearchReport {
        let Self { owner, scratch } = self;
        let space = owner.wide();
        let query = query(request, owner.unit());
        let choice = Choice::of(request, &space, &query);
        let mut recorder = Recorder::new(request.record);
        let search = choice.algorithm.search(&request.options, query);
        let ground = Ground { space: &space, scratch, clock: request.clock };
        let answered = ground.answer(search, any_turns, &mut recorder, on_progress);
        let report = answered.report(&space, request, &choice);
        SearchReport { trace: recorder.whole(), ..report }
    }
}

/// Searches with small costs by the algorithms that are chosen for speed; with wide ones by the
/// others, where a path needs them, and where somebody watches.
pub(crate) struct NarrowSearcher<O: NarrowOwner> {
    scratch: Scratch<O::State, u32>,
    wide: WideSearcher<O>,
}

impl<O: NarrowOwner> NarrowSearcher<O> {
    pub(crate) fn new(owner: O) -> Self {
        Self { scratch: Scratch::new(), wide: WideSearcher::new(owner) }
    }

    /// The answer with small costs; `None` for an algorithm that has none.
    fn answer(
        &mut self,
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Option<(Answered<O::State>, Choice)> {
        let owner = &self.wide.owner;
        let space = owner.narrow();
        let query = query(request, owner.unit());
        let choice = Choice::of(request, &space, &query);
        let ground = Ground { space: &space, scratch: &mut self.scratch, clock: request.clock };
        let answered = match choice.algorithm {
            AlgorithmId::AStar => {
                let search = AStar::with(request.options.heuristic).search(query);
                ground.answer(search, no_turns, &mut (), on_progress)
            }
            AlgorithmId::Dijkstra => {
                let search = Dijkstra.search(query);
                ground.answer(search, no_turns, &mut (), on_progress)
            }
            AlgorithmId::Bidirectional => {
                let search = Bidirectional.search(query);
                ground.answer(search, no_turns, &mut (), on_progress)
            }
            AlgorithmId::Jps => {
                let search = Jps.search(query);
                ground.answer(search, jump_points, &mut (), on_progress)
            }
            _ => return None,
        };
        Some((answered, choice))
    }
}

impl<O: NarrowOwner> Searcher for NarrowSearcher<O> {
    fn run(&mut self, request: &SearchRequest, on_progress: &mut dyn FnMut(u64)) -> SearchReport {
        let answer = if request.record { None } else { self.answer(request, on_progress) };
        let Some((answered, choice)) = answer else { return self.wide.run(request, on_progress) };
        if answered.ending != Ending::Limit(Limit::CostRange) {
            return answered.report(&self.wide.owner.wide(), request, &choice);
        }
        let mut again = self.wide.run(request, on_progress);
        again.elapsed += answered.elapsed;
        again
    }
}
