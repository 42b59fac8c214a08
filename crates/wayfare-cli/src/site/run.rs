//! What is asked of a site, and what comes back, without the types of any space.

use std::time::Duration;

use wayfare::path::Polyline;
use wayfare::search::{AlgorithmId, Guarantee, Interruption, Limit, NoPath, Options, Stats};
use wayfare::space::Action;
use wayfare_draw::Recording;

use super::sectored::Legs;
use crate::args::{LimitArgs, SearchArgs, SmoothArg};

/// One query to one algorithm.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) algorithm: AlgorithmId,
    pub(crate) options: Options,
    pub(crate) start: u32,
    pub(crate) goal: u32,
    pub(crate) max_expansions: Option<u64>,
    /// In units of length on plain ground.
    pub(crate) max_cost: Option<f64>,
    /// Go as near as one can where there is known to be no path.
    pub(crate) approach: bool,
    /// Keep every event, for a picture.
    pub(crate) record: bool,
    /// Refine the path's shape.
    pub(crate) refine: Refine,
}

/// What is to become of a path's shape.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Refine {
    pub(crate) how: SmoothArg,
    /// In units of the world.
    pub(crate) turn_radius: f32,
}

impl Ask {
    pub(crate) fn new(algorithm: AlgorithmId, start: u32, goal: u32) -> Self {
        Self {
            algorithm,
            options: Options::default(),
            start,
            goal,
            max_expansions: None,
            max_cost: None,
            approach: false,
            record: false,
            refine: Refine { how: SmoothArg::None, turn_radius: 1.0 },
        }
    }

    pub(crate) fn with_search(self, search: &SearchArgs) -> Self {
        Self { options: search.options(), ..self }
    }

    pub(crate) fn within(self, limits: &LimitArgs) -> Self {
        Self { max_expansions: limits.max_expansions, max_cost: limits.max_cost, ..self }
    }

    pub(crate) fn refined(self, how: SmoothArg, turn_radius: f32) -> Self {
        Self { refine: Refine { how, turn_radius }, ..self }
    }

    pub(crate) fn recorded(self, record: bool) -> Self {
        Self { record, ..self }
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Found,
    NoPath(NoPath),
    Limit(Limit),
    Interrupted(Interruption),
}

impl Ending {
    /// The name that JSON and tables use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NoPath(_) => "no path",
            Self::Limit(_) => "limit",
            Self::Interrupted(_) => "interrupted",
        }
    }
}

/// A state on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stop {
    pub(crate) state: u32,
    /// From the start to here, in the space's units of cost.
    pub(crate) cost: u64,
    /// How one gets here from the stop before.
    pub(crate) action: Action,
}

/// What a search answered, and what that took.
pub(crate) struct Run {
    pub(crate) algorithm: AlgorithmId,
    /// What answered: the algorithm's name, "index" or "hierarchy".
    pub(crate) method: &'static str,
    /// What that promises. A hierarchy's bound is the one that it states with each route.
    pub(crate) guarantee: Guarantee,
    pub(crate) ending: Ending,
    /// The path, or else the one that comes nearest.
    pub(crate) path: Vec<Stop>,
    /// In units of length: cells, metres.
    pub(crate) length: f64,
    pub(crate) stats: Stats,
    /// Why that algorithm, where it was left open.
    pub(crate) why: Option<&'static str>,
    /// Of the search and of putting the path together, state by state.
    pub(crate) elapsed: Duration,
    /// The same with only the states where the path may turn, where the search knows them; else `elapsed`.
    pub(crate) turns_elapsed: Duration,
    pub(crate) scratch_bytes: usize,
    /// What the search did, where that was asked for and there was room for it.
    pub(crate) recording: Option<Box<dyn Recording>>,
    /// What the validator found wrong with the path.
    pub(crate) fault: Option<String>,
    /// The path's refined shape, where that was asked for.
    pub(crate) refined: Option<Polyline>,
    /// How the route went together, where it is one over sectors.
    pub(crate) legs: Option<Legs>,
}

impl Run {
    pub(crate) fn is_found(&self) -> bool {
        self.ending == Ending::Found
    }

    /// The cost of the path in the space's units.
    pub(crate) fn cost(&self) -> u64 {
        self.path.last().map_or(0, |stop| stop.cost)
    }
}
