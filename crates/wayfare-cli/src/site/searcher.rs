//! The one place where a query meets the generic searches.

use std::borrow::Borrow;
use std::time::Duration;

use wayfare::path::{
    Path, PathOf, Polyline, Rounding, round_corners, shorten_path, simplify, smooth, validate,
    validate_any_angle,
};
use wayfare::search::{
    AlgorithmId, AnswerOf, AnySearch, Auto, FullSpace, Guarantee, Limit, NamedHeuristic, Outcome,
    Progress, Query, Scratch, ScratchOf, Search,
};
use wayfare::space::{
    Cell, Cost, GridSpace, StateId, Voxel, VoxelSpace, WaypointGraph, WaypointId,
};
use wayfare::trace::{Observer, ObserverOf, Trace, TraceEvent};

use super::run::{Ask, Ending, Refine, Run, Stop};
use super::stopwatch::Stopwatch;
use super::traits::Searcher;
use crate::args::SmoothArg;

/// Expansions between two signs of life.
const SLICE: u64 = 1 << 19;

/// The most events that are kept for a picture: half a gigabyte of them.
const MOST_EVENTS: usize = 20_000_000;

/// The distance between the points of a curve, in units of the world.
const CURVE_SPACING: f32 = 0.25;

/// A space whose paths have a length.
pub(super) trait Measured: FullSpace {
    /// The length of a path in units of the world.
    fn path_length(&self, path: &PathOf<Self>) -> f64;
}

impl<C: Cost> Measured for GridSpace<'_, C> {
    fn path_length(&self, path: &Path<Cell, C>) -> f64 {
        self.length(path.states())
    }
}

impl Measured for WaypointGraph {
    fn path_length(&self, path: &Path<WaypointId, u64>) -> f64 {
        Polyline::from_path(self, path).length()
    }
}

impl<C: Cost> Measured for VoxelSpace<'_, C> {
    fn path_length(&self, path: &Path<Voxel, C>) -> f64 {
        self.length(path.moves())
    }
}

/// A space of any kind, with the memory that its searches work in.
pub(super) struct Workbench<S: Measured, Held: Borrow<S> = S> {
    space: Held,
    scratch: ScratchOf<S>,
    /// The cost of one unit of length on plain ground.
    unit: f64,
}

impl<S: Measured, Held: Borrow<S>> Workbench<S, Held> {
    pub(super) fn new(space: Held, unit: f64) -> Self {
        Self { space, scratch: Scratch::new(), unit }
    }

    pub(super) fn answer(&mut self, ask: &Ask, beat: &mut dyn FnMut(u64)) -> Run {
        let space = self.space.borrow();
        let mut query = Query::new(S::State::from_index(ask.start), S::State::from_index(ask.goal));
        if let Some(expansions) = ask.max_expansions {
            query = query.max_expansions(expansions);
        }
        if let Some(cost) = ask.max_cost {
            query = query.max_cost(S::Cost::from_u64((cost * self.unit).round() as u64));
        }
        if ask.approach {
            query = query.approach();
        }
        let (algorithm, why) = match ask.algorithm {
            AlgorithmId::Auto if ask.options.heuristic != NamedHeuristic::Natural => {
                (AlgorithmId::AStar, Some("it steers by the heuristic that was named"))
            }
            AlgorithmId::Auto => {
                let choice = Auto::choose(space, &query);
                (choice.algorithm, Some(choice.why))
            }
            named => (named, None),
        };
        let mut search = algorithm.search(&ask.options, query);
        let mut trace = ask.record.then(CappedTrace::default);
        let begun = Stopwatch::start();
        match &mut trace {
            Some(trace) => drive(&mut search, space, &mut self.scratch, trace, beat),
            None => drive(&mut search, space, &mut self.scratch, &mut (), beat),
        }
        let searched = begun.elapsed();
        let answer = search.answer(space, &mut self.scratch);
        let elapsed = begun.elapsed();
        let turns_elapsed = match &search {
            AnySearch::Jps(search) => {
                let begun = Stopwatch::start();
                let (points, _) = search.jump_points(space, &mut self.scratch);
                let elapsed = searched + begun.elapsed();
                points.into_iter().for_each(|path| self.scratch.recycle(path));
                elapsed
            }
            _ => elapsed,
        };
        let (run, path) = self.report(ask, answer);
        self.scratch.recycle(path);
        Run {
            algorithm,
            method: algorithm.info().name,
            guarantee: algorithm.info().guarantee,
            why,
            elapsed,
            turns_elapsed,
            recording: trace.and_then(CappedTrace::whole).map(|trace| Box::new(trace) as _),
            ..run
        }
    }

    /// What is to be said of an answer but for what it took, and its path back.
    pub(super) fn report(&self, ask: &Ask, answer: AnswerOf<S>) -> (Run, PathOf<S>) {
        let space = self.space.borrow();
        let ending = match &answer.outcome {
            Outcome::Found(_) => Ending::Found,
            Outcome::Unreachable { reason, .. } => Ending::NoPath(*reason),
            Outcome::LimitReached { limit, .. } => Ending::Limit(*limit),
            Outcome::Interrupted(interruption) => Ending::Interrupted(*interruption),
        };
        let path = answer.outcome.into_path();
        let found = ending == Ending::Found;
        let fault = if found { self.fault_of(ask, &path) } else { None };
        let run = Run {
            algorithm: ask.algorithm,
            method: ask.algorithm.info().name,
            guarantee: ask.algorithm.info().guarantee,
            why: None,
            ending,
            length: space.path_length(&path),
            path: stops(&path),
            stats: answer.stats,
            elapsed: Duration::ZERO,
            turns_elapsed: Duration::ZERO,
            scratch_bytes: self.scratch.bytes(),
            recording: None,
            fault,
            refined: self.refined(ask.refine, &path),
            legs: None,
        };
        (run, path)
    }

    fn refined(&self, refine: Refine, path: &PathOf<S>) -> Option<Polyline> {
        let space = self.space.borrow();
        // Curves through every cell would follow the grid's staircase; through the turning points they follow the way.
        let shortened = || Polyline::from_path(space, &shorten_path(space, path));
        match refine.how {
            SmoothArg::None => None,
            SmoothArg::Simplify => Some(simplify(&Polyline::from_path(space, path))),
            SmoothArg::Shorten => Some(shortened()),
            SmoothArg::Round => {
                Some(round_corners(space, &shortened(), Rounding::new(refine.turn_radius)))
            }
            SmoothArg::CatmullRom => Some(smooth(space, &shortened(), CURVE_SPACING)),
        }
    }

    fn fault_of(&self, ask: &Ask, path: &PathOf<S>) -> Option<String> {
        let (start, goal) = (S::State::from_index(ask.start), S::State::from_index(ask.goal));
        let space = self.space.borrow();
        let verdict = match ask.algorithm.info().guarantee {
            Guarantee::AnyAngle => validate_any_angle(space, path, start, goal),
            _ => validate(space, path, start, goal),
        };
        verdict.err().map(|fault| fault.to_string())
    }
}

pub(super) fn stops<State: StateId, C: Cost>(path: &Path<State, C>) -> Vec<Stop> {
    let stop = |step: &wayfare::path::Step<State, C>| Stop {
        state: step.state.index(),
        cost: step.cost.to_u64(),
        action: step.action,
    };
    path.steps.iter().map(stop).collect()
}

fn drive<S: FullSpace, O: ObserverOf<S>>(
    search: &mut impl Search<S>,
    space: &S,
    scratch: &mut ScratchOf<S>,
    observer: &mut O,
    beat: &mut dyn FnMut(u64),
) {
    let mut expanded = 0;
    while search.step(space, scratch, observer, SLICE) == Progress::Working {
        expanded += SLICE;
        beat(expanded);
    }
}

/// A trace that does not grow without bounds.
pub(super) struct CappedTrace<State, C> {
    trace: Trace<State, C>,
    is_whole: bool,
}

impl<State: StateId, C: Cost> Default for CappedTrace<State, C> {
    fn default() -> Self {
        Self { trace: Trace::new(), is_whole: true }
    }
}

impl<State: StateId, C: Cost> CappedTrace<State, C> {
    /// The trace, if all of it fitted: half a search is not one.
    pub(super) fn whole(self) -> Option<Trace<State, C>> {
        self.is_whole.then_some(self.trace)
    }
}

impl<State: StateId, C: Cost> Observer<State, C> for CappedTrace<State, C> {
    fn observe(&mut self, event: TraceEvent<State, C>) {
        if self.trace.events.len() < MOST_EVENTS {
            self.trace.observe(event);
        } else {
            self.is_whole = false;
        }
    }
}

/// Searches a space with the small cost, and again with the wide one where a query needs it.
pub(super) struct Widening<N: Measured, W: Measured> {
    narrow: Workbench<N>,
    wide: Workbench<W>,
}

impl<N: Measured, W: Measured> Widening<N, W> {
    /// Both widths of one space. The wide one takes no memory before it is needed.
    pub(super) fn new(narrow: N, wide: W, unit: f64) -> Self {
        Self { narrow: Workbench::new(narrow, unit), wide: Workbench::new(wide, unit) }
    }
}

impl<N: Measured, W: Measured> Searcher for Widening<N, W> {
    fn run(&mut self, ask: &Ask, beat: &mut dyn FnMut(u64)) -> Run {
        let run = self.narrow.answer(ask, beat);
        if run.ending != Ending::Limit(Limit::CostRange) {
            return run;
        }
        let mut again = self.wide.answer(ask, beat);
        again.elapsed += run.elapsed;
        again
    }
}
