//! From an answer of the engine to a report.

use std::time::Duration;

use wayfare::navigate::{Answered, Coverage, EngineId, Took};
use wayfare::path::{
    Path, PathOf, Polyline, Rounding, Step, round_corners, shorten_path, simplify, smooth,
    validate, validate_any_angle,
};
use wayfare::search::{
    AlgorithmId, Auto, AutoChoice, FullSpace, Guarantee, NamedAlgorithm, NamedHeuristic, Query,
    QueryOf,
};
use wayfare::space::{Cost, Space, StateId};

use crate::owner::Measured;
use crate::{Ending, PathStep, Refinement, SearchReport, SearchRequest};

/// The distance between the points of a curve, in units of the world.
const CURVE_SPACING: f32 = 0.25;

/// The search that answers where no prepared engine does, and why, where the choice was left open.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) algorithm: AlgorithmId,
    pub(crate) because: Option<&'static str>,
}

impl Choice {
    pub(crate) fn of<S: FullSpace>(request: &SearchRequest, space: &S, query: &QueryOf<S>) -> Self {
        match request.engine.algorithm() {
            AlgorithmId::Auto if request.options.heuristic != NamedHeuristic::Natural => Self {
                algorithm: AlgorithmId::AStar,
                because: Some("it steers by the heuristic that was named"),
            },
            // Where it cannot jump, jump point search is A*.
            asked @ (AlgorithmId::Auto | AlgorithmId::Jps) => {
                let AutoChoice { algorithm, why } = Auto::choose(space, query);
                Self { algorithm, because: (algorithm != asked).then_some(why) }
            }
            algorithm => Self { algorithm, because: None },
        }
    }

    /// Returns the algorithm with the request's options.
    pub(crate) fn named(&self, request: &SearchRequest) -> NamedAlgorithm {
        NamedAlgorithm { id: self.algorithm, options: request.options }
    }

    pub(crate) fn guarantee(&self) -> Guarantee {
        self.algorithm.info().guarantee
    }
}

/// Returns the query of a request.
pub(crate) fn query<State: StateId, C: Cost>(
    request: &SearchRequest,
    unit: f64,
) -> Query<State, C> {
    let ends = request.ends;
    let mut query = Query::new(State::from_index(ends.start), State::from_index(ends.goal));
    if let Some(expansions) = request.max_expansions {
        query = query.max_expansions(expansions);
    }
    if let Some(generated) = request.max_generated {
        query = query.max_generated(generated);
    }
    if let Some(open) = request.max_open {
        query = query.max_open(open);
    }
    if let Some(cost) = request.max_cost {
        query = query.max_cost(C::from_u64((cost * unit).round() as u64));
    }
    if request.approach { query.approach() } else { query }
}

/// Returns the report of an answer, with the path checked, measured and refined. `recycle` gets the
/// memory of the answer's own path back.
pub(crate) fn report<S, C: Cost>(
    answered: Answered<S::State, C>,
    space: &S,
    request: &SearchRequest,
    choice: &Choice,
    recycle: impl FnOnce(Path<S::State, C>),
) -> SearchReport
where
    S: Measured + Space<Cost = u64>,
{
    let Answered { outcome, stats, took } = answered;
    let ending = Ending::of(&outcome);
    let narrow = outcome.into_path();
    let path = widened(&narrow);
    recycle(narrow);
    let fault = if ending == Ending::Found { fault_of(space, request, took, &path) } else { None };
    let (method, chosen_because) = match took.engine {
        EngineId::Search | EngineId::Preflight => {
            (choice.algorithm.info().name, choice.because.map(str::to_owned))
        }
        engine => (engine.name(), Some(took.reason.to_string())),
    };
    SearchReport {
        method,
        took,
        ending,
        length: space.path_length(&path),
        stats,
        chosen_because,
        elapsed: Duration::ZERO,
        scratch_bytes: 0,
        refused: None,
        trace: None,
        fault,
        refined: refined(space, request.refinement, &path),
        sectors: None,
        corridor: Vec::new(),
        path: path_steps(&path),
    }
}

/// Returns a path with wide costs.
fn widened<State: StateId, C: Cost>(path: &Path<State, C>) -> Path<State, u64> {
    let widen = |step: &Step<State, C>| Step {
        state: step.state,
        action: step.action,
        cost: step.cost.to_u64(),
    };
    Path { steps: path.steps.iter().map(widen).collect(), revision: path.revision }
}

/// Returns a path without the types of its space.
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
    // follow the path.
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

/// Returns the validator's verdict on a path: to the goal, or to where its first leg ends.
fn fault_of<S: FullSpace>(
    space: &S,
    request: &SearchRequest,
    took: Took,
    path: &PathOf<S>,
) -> Option<String> {
    let [start, goal] = [request.ends.start, request.ends.goal].map(S::State::from_index);
    let goal = match took.coverage {
        Coverage::Whole => goal,
        Coverage::FirstLeg => path.end()?,
    };
    let verdict = match took.guarantee {
        Guarantee::AnyAngle => validate_any_angle(space, path, start, goal),
        _ => validate(space, path, start, goal),
    };
    verdict.err().map(|fault| fault.to_string())
}
