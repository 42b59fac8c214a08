//! The answer to a request, without the types of any space.

use std::time::Duration;

use serde::Serialize;
use wayfare::navigate::{Refusal, Took};
use wayfare::path::Polyline;
use wayfare::search::{Interruption, Limit, NoPath, Outcome, Stats};
use wayfare::space::Action;

use crate::{RouteOverSectors, SearchTrace};

/// The end of a search.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
/// let report = site.searcher().run(&request, &mut |_expanded| ());
/// assert_eq!(report.ending.name(), "found");
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With a path.
    Found,
    /// There is no path.
    NoPath(NoPath),
    /// A limit was reached first.
    Limit(Limit),
    /// It could not go on.
    Interrupted(Interruption),
}

impl Ending {
    /// Returns the end of a search with that outcome.
    pub(crate) fn of<State, C>(outcome: &Outcome<State, C>) -> Self {
        match outcome {
            Outcome::Found(_) => Self::Found,
            Outcome::Unreachable { reason, .. } => Self::NoPath(*reason),
            Outcome::LimitReached { limit, .. } => Self::Limit(*limit),
            Outcome::Interrupted(interruption) => Self::Interrupted(*interruption),
        }
    }

    /// Returns the name that JSON and tables use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NoPath(_) => "no path",
            Self::Limit(_) => "limit",
            Self::Interrupted(_) => "interrupted",
        }
    }
}

/// A state on a path.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
/// let report = site.searcher().run(&request, &mut |_expanded| ());
/// let last = report.path.last().expect("a path");
/// assert_eq!((last.state, last.cost), (site.find("2,2")?, report.cost()));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// The state.
    pub state: u32,
    /// The cost from the start to here, in the space's units.
    pub cost: u64,
    /// The action of the move from the step before.
    pub action: Action,
}

/// The answer to a [`SearchRequest`](crate::SearchRequest).
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::Dijkstra, site.routes()[0].ends);
/// let report = site.searcher().run(&request.recorded(true), &mut |_expanded| ());
/// assert!(report.is_found() && report.fault.is_none());
/// assert_eq!((report.path.len(), report.length), (5, 4.0));
/// let trace = report.trace.expect("it was asked for");
/// assert_eq!(trace.count(wayfare_site::TraceEventKind::Expand), report.stats.expanded);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// The name of the engine that answered: a search's, or that of a prepared one.
    pub method: &'static str,
    /// The engine as the navigator names it, its reason, its promise and its work.
    pub took: Took,
    /// How it ended.
    pub ending: Ending,
    /// The path, or else the one to the state nearest to the goal.
    pub path: Vec<PathStep>,
    /// On a navigation mesh the polygons that the path crosses, in order; elsewhere empty.
    pub corridor: Vec<u32>,
    /// The path's length in units of the world: cells, metres.
    pub length: f64,
    /// The counters of the search.
    pub stats: Stats,
    /// The reason for the engine, where the choice was left open or a prepared engine answered.
    pub chosen_because: Option<String>,
    /// Why the prepared engine that was asked for by name did not answer.
    pub refused: Option<Refusal>,
    /// The time of the search and of putting the path together, state by state.
    pub elapsed: Duration,
    /// The memory that the search works in.
    pub scratch_bytes: usize,
    /// The events, where they were asked for and there was room for all of them.
    pub trace: Option<SearchTrace>,
    /// The fault that the validator found with the path: a defect of the engine.
    pub fault: Option<String>,
    /// The path's refined shape, where one was asked for.
    pub refined: Option<Polyline>,
    /// The legs, where the route was planned over sectors.
    pub sectors: Option<RouteOverSectors>,
}

impl SearchReport {
    /// Returns whether there is a path.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.ending == Ending::Found
    }

    /// Returns the cost of the path in the space's units.
    #[must_use]
    pub fn cost(&self) -> u64 {
        self.path.last().map_or(0, |step| step.cost)
    }
}
