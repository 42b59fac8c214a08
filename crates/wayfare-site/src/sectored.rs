//! Routes over a hierarchy of sectors instead of one search.

use std::time::Duration;

use wayfare::hierarchy::{
    Hierarchy, HierarchyError, HierarchyScratch, HierarchySettings, RouteOutcome,
};
use wayfare::path::Path;
use wayfare::search::{Guarantee, Limit, Outcome};
use wayfare::space::{Cell, Cost, GridSpace, StateId};

use crate::indexed::grid_of;
use crate::searcher::{Answered, Choice};
use crate::trace::Recorder;
use crate::{Clock, Ending, GridView, SearchReport, SearchRequest, Searcher, Site, SiteError};

/// The name of the engine that answers by a hierarchy.
pub const HIERARCHY: &str = "hierarchy";

/// The size of a hierarchy, and the time that it took.
#[derive(serde::Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct HierarchySize {
    /// The number of sectors.
    pub sectors: usize,
    /// The number of transitions between them.
    pub transitions: usize,
    /// Its memory.
    pub bytes: usize,
    /// The time of building it.
    pub built: Duration,
}

/// A route over sectors beside its path. Costs are in the space's units.
#[derive(serde::Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct RouteOverSectors {
    /// The hierarchy.
    pub size: HierarchySize,
    /// An upper bound of the route's cost, known with the first leg.
    pub promised: u64,
    /// The cost of all legs together.
    pub cost: u64,
    /// The number of legs.
    pub legs: usize,
    /// The time from the question to the first leg.
    pub first: Duration,
    /// The moves of the first leg.
    pub first_moves: usize,
    /// The time from the question to the last leg.
    pub whole: Duration,
    /// The time for a cheapest path in place of the route, where one was asked for.
    pub exact: Option<Duration>,
}

/// A hierarchy with the memory that its routes are found in.
struct Sectors<'s, C: Cost> {
    space: GridSpace<'s, C>,
    wide: GridSpace<'s, u64>,
    hierarchy: Hierarchy<C>,
    size: HierarchySize,
    scratch: HierarchyScratch<C>,
    path: Path<Cell, C>,
}

impl<'s, C: Cost> Sectors<'s, C> {
    fn build(
        space: GridSpace<'s, C>,
        wide: GridSpace<'s, u64>,
        settings: HierarchySettings,
        clock: Clock,
    ) -> Self {
        let begun = clock.now();
        let hierarchy = Hierarchy::build(&space, settings);
        let built = clock.since(begun);
        let size = HierarchySize {
            sectors: hierarchy.sectors(),
            transitions: hierarchy.transitions(),
            bytes: hierarchy.size_in_bytes(),
            built,
        };
        Self {
            space,
            wide,
            hierarchy,
            size,
            scratch: HierarchyScratch::new(),
            path: Path::default(),
        }
    }

    fn run(&mut self, request: &SearchRequest, exact: bool) -> SearchReport {
        let mut recorder = Recorder::new(request.record);
        let begun = request.clock.now();
        let answered = self.answer(request, exact, &mut recorder, begun);
        let elapsed = request.clock.since(begun);
        let (outcome, sectors, fault) = match answered {
            Ok((outcome, sectors)) => (outcome, sectors, None),
            // It was built for this very grid: a defect, to be told as those of searches are.
            Err(error) => (Outcome::Found(Path::default()), None, Some(error.to_string())),
        };
        let stats = self.scratch.stats();
        let answered = Answered::of(outcome, stats, |path| self.path = path);
        let choice = Choice { algorithm: request.algorithm, because: None };
        let report = answered.report(&self.wide, request, &choice);
        let broken = sectors.filter(|route| route.cost > route.promised).map(|route| {
            format!("it costs {}, more than the {} that were promised", route.cost, route.promised)
        });
        SearchReport {
            method: HIERARCHY,
            guarantee: if exact { Guarantee::Optimal } else { Guarantee::Bounded },
            elapsed,
            turns_elapsed: elapsed,
            scratch_bytes: self.scratch.bytes(),
            trace: recorder.whole(),
            fault: fault.or(broken).or(report.fault),
            sectors,
            ..report
        }
    }

    fn answer(
        &mut self,
        request: &SearchRequest,
        exact: bool,
        recorder: &mut Recorder,
        begun: Duration,
    ) -> Result<(Outcome<Cell, C>, Option<RouteOverSectors>), HierarchyError> {
        let clock = request.clock;
        let Self { space, hierarchy, scratch, size, path, .. } = self;
        let [start, goal] = [request.ends.start, request.ends.goal].map(Cell::from_index);
        let routed = hierarchy.route_observed(space, scratch, start, goal, recorder)?;
        let first = clock.since(begun);
        let mut path = std::mem::take(path);
        path.steps.clear();
        path.revision = hierarchy.revision();
        let mut route = match routed {
            RouteOutcome::Found(route) => route,
            RouteOutcome::Unreachable(reason) => {
                return Ok((Outcome::Unreachable { reason, nearest: path }, None));
            }
            RouteOutcome::LimitReached(limit) => {
                return Ok((Outcome::LimitReached { limit, nearest: path }, None));
            }
        };
        path.steps.extend_from_slice(route.leg());
        let (mut legs, first_moves) = (1, path.len());
        while route.next_leg(hierarchy, space, scratch)? {
            legs += 1;
            path.steps.extend_from_slice(&route.leg()[1..]); // it begins where the one before ended
        }
        let whole = clock.since(begun);
        let (promised, cost) = (route.cost().to_u64(), path.cost().to_u64());
        let size = *size;
        let mut sectors =
            RouteOverSectors { size, promised, cost, legs, first, first_moves, whole, exact: None };
        if exact {
            path = route.exact(hierarchy, space, scratch)?;
            sectors.exact = Some(clock.since(begun).saturating_sub(whole));
        }
        scratch.recycle(route);
        Ok((Outcome::Found(path), Some(sectors)))
    }
}

/// Answers requests by a hierarchy that it has built: the first steps at once, and a bound of the
/// whole cost with them.
///
/// ```
/// use wayfare::hierarchy::HierarchySettings;
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{Clock, HierarchySearcher, NoFiles, OpenOptions, SearchRequest, Searcher, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let settings = HierarchySettings::default();
/// let mut searcher = HierarchySearcher::build(site.as_ref(), settings, Clock::NONE)?;
/// let request = SearchRequest::new(AlgorithmId::Auto, site.routes()[0].ends);
/// let report = searcher.run(&request, &mut |_expanded| ());
/// let route = report.sectors.expect("there is a route");
/// assert!(route.cost <= route.promised);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
pub struct HierarchySearcher<'s> {
    view: GridView<'s>,
    settings: HierarchySettings,
    exact: bool,
    narrow: Sectors<'s, u32>,
    /// For routes that cost more than the small type holds; built when there is one.
    wide: Option<Sectors<'s, u64>>,
}

impl<'s> HierarchySearcher<'s> {
    /// Builds the hierarchy of a site, with a clock beside it.
    ///
    /// # Errors
    /// When the site is no grid.
    pub fn build(
        site: &'s dyn Site,
        settings: HierarchySettings,
        clock: Clock,
    ) -> Result<Self, SiteError> {
        let view = grid_of(site, HIERARCHY)?;
        let space = view.grid.space_for(view.profile);
        let narrow = Sectors::build(space, view.space(), settings, clock);
        Ok(Self { view, settings, exact: false, narrow, wide: None })
    }

    /// The same, which finds a cheapest path in place of each route.
    #[must_use]
    pub fn exact(self) -> Self {
        Self { exact: true, ..self }
    }

    /// The size of the hierarchy.
    #[must_use]
    pub fn size(&self) -> HierarchySize {
        self.narrow.size
    }
}

impl std::fmt::Debug for HierarchySearcher<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HierarchySearcher").field("size", &self.size()).finish_non_exhaustive()
    }
}

impl Searcher for HierarchySearcher<'_> {
    fn run(&mut self, request: &SearchRequest, _: &mut dyn FnMut(u64)) -> SearchReport {
        let report = self.narrow.run(request, self.exact);
        if report.ending != Ending::Limit(Limit::CostRange) {
            return report;
        }
        let (space, settings) = (self.view.space(), self.settings);
        let build = || Sectors::build(space, space, settings, request.clock);
        self.wide.get_or_insert_with(build).run(request, self.exact)
    }
}
