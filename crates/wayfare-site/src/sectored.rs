//! Whole routes over a hierarchy of sectors, leg by leg.

use std::time::Duration;

use wayfare::hierarchy::{HierarchyError, HierarchyScratch, HierarchySettings, RouteOutcome};
use wayfare::navigate::{Answered, Coverage, Engine, EngineId, HierarchyEngine, Reason, Took};
use wayfare::path::Path;
use wayfare::search::{Guarantee, Limit, Outcome};
use wayfare::space::{Cell, Cost, GridSpace, STRAIGHT, Space, StateId};

use crate::answered::{Choice, report};
use crate::prepare::timed;
use crate::trace::Recorder;
use crate::{Clock, Ending, SearchReport, SearchRequest};

/// The size of a hierarchy, and the time that it took.
///
/// ```
/// use wayfare_site::{
///     Clock, EngineName, NoFiles, OpenOptions, Preparation, SearchRequest, open_bytes,
/// };
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let (ends, name) = (site.routes()[0].ends, EngineName::Hierarchy);
/// let mut searcher = site.searcher();
/// searcher.prepare(Preparation::usual(name, ends).unwrap(), Clock::NONE)?;
/// let report = searcher.run(&SearchRequest::new(name, ends), &mut |_expanded| ());
/// let size = report.sectors.expect("a route over sectors").size;
/// assert_eq!((size.sectors, size.transitions), (1, 0)); // a small map is one sector
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
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
///
/// ```
/// use wayfare_site::{
///     Clock, EngineName, NoFiles, OpenOptions, Preparation, SearchRequest, open_bytes,
/// };
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let (ends, name) = (site.routes()[0].ends, EngineName::Hierarchy);
/// let mut searcher = site.searcher();
/// searcher.prepare(Preparation::usual(name, ends).unwrap(), Clock::NONE)?;
/// let report = searcher.run(&SearchRequest::new(name, ends), &mut |_expanded| ());
/// let route = report.sectors.expect("a route over sectors");
/// assert!(route.cost <= route.promised && route.legs == 1);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
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
    /// The time for a cheapest path instead of the route, if one was requested.
    pub exact: Option<Duration>,
}

/// A hierarchy with the memory that its routes are found in.
#[derive(Debug)]
struct Sectors<C: Cost> {
    engine: HierarchyEngine<C>,
    scratch: HierarchyScratch<C>,
    path: Path<Cell, C>,
    /// The time of building it.
    built: Duration,
}

/// The first leg and the rest of a route.
struct Walked<C> {
    outcome: Outcome<Cell, C>,
    route: Option<RouteOverSectors>,
}

impl<C: Cost> Sectors<C> {
    fn build(space: &GridSpace<'_, C>, settings: HierarchySettings, clock: Clock) -> Self {
        let (engine, built) = timed(clock, || HierarchyEngine::new(space, settings));
        Self { engine, scratch: HierarchyScratch::new(), path: Path::default(), built }
    }

    fn size(&self) -> HierarchySize {
        let hierarchy = self.engine.hierarchy();
        HierarchySize {
            sectors: hierarchy.sectors(),
            transitions: hierarchy.transitions(),
            bytes: hierarchy.size_in_bytes(),
            built: self.built,
        }
    }

    fn run(
        &mut self,
        space: &GridSpace<'_, C>,
        wide: &GridSpace<'_, u64>,
        request: &SearchRequest,
        exact: bool,
    ) -> SearchReport {
        let mut recorder = Recorder::new(request.record);
        let begun = request.clock.now();
        let walked = self.walk(space, request, exact, &mut recorder, begun);
        let elapsed = request.clock.since(begun);
        let (walked, fault) = match walked {
            Ok(walked) => (walked, None),
            // It follows every edit of this grid: a defect, reported like those of searches.
            Err(error) => {
                let outcome = Outcome::Found(Path::default());
                (Walked { outcome, route: None }, Some(error.to_string()))
            }
        };
        let Walked { outcome, route } = walked;
        let stats = self.scratch.stats();
        let [start, goal] = [request.ends.start, request.ends.goal].map(Cell::from_index);
        let bound = match (route, space.estimate(start, goal).to_u64()) {
            (Some(route), least) if least > 0 => route.promised as f64 / least as f64,
            _ => 1.0,
        };
        let took = Took {
            guarantee: if exact { Guarantee::Optimal } else { Guarantee::Bounded },
            loss_bound: if exact { 1.0 } else { bound as f32 },
            coverage: Coverage::Whole,
            ..Took::optimal(EngineId::Hierarchy, Reason::FirstLegWanted, stats.expanded)
        };
        let answered = Answered { outcome, stats, took };
        let choice = Choice { algorithm: request.engine.algorithm(), because: None };
        let report = report(answered, wide, request, &choice, |path| self.path = path);
        let broken = route.filter(|route| route.cost > route.promised).map(|route| {
            let [cost, promised] =
                [route.cost, route.promised].map(|cost| cost as f64 / f64::from(STRAIGHT));
            format!("it costs {cost:.5} steps, more than the {promised:.5} that were promised")
        });
        SearchReport {
            // The legs are not recorded: the picture is that of the search over sectors.
            trace: recorder.whole().map(|trace| trace.of_part(&stats)),
            fault: fault.or(broken).or(report.fault),
            sectors: route,
            elapsed,
            scratch_bytes: self.scratch.bytes(),
            ..report
        }
    }

    fn walk(
        &mut self,
        space: &GridSpace<'_, C>,
        request: &SearchRequest,
        exact: bool,
        recorder: &mut Recorder,
        begun: Duration,
    ) -> Result<Walked<C>, HierarchyError> {
        let (clock, size) = (request.clock, self.size());
        let Self { engine, scratch, path, .. } = self;
        let hierarchy = engine.hierarchy();
        let [start, goal] = [request.ends.start, request.ends.goal].map(Cell::from_index);
        let routed = hierarchy.route_observed(space, scratch, start, goal, recorder)?;
        let first = clock.since(begun);
        let mut path = std::mem::take(path);
        path.steps.clear();
        path.revision = hierarchy.revision();
        let mut route = match routed {
            RouteOutcome::Found(route) => route,
            RouteOutcome::Unreachable(reason) => {
                let outcome = Outcome::Unreachable { reason, nearest: path };
                return Ok(Walked { outcome, route: None });
            }
            RouteOutcome::LimitReached(limit) => {
                let outcome = Outcome::LimitReached { limit, nearest: path };
                return Ok(Walked { outcome, route: None });
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
        let mut sectors =
            RouteOverSectors { size, promised, cost, legs, first, first_moves, whole, exact: None };
        if exact {
            path = route.exact(hierarchy, space, scratch)?;
            sectors.exact = Some(clock.since(begun).saturating_sub(whole));
        }
        scratch.recycle(route);
        Ok(Walked { outcome: Outcome::Found(path), route: Some(sectors) })
    }
}

/// The hierarchy of a grid.
#[derive(Debug)]
pub(crate) struct SectorRoutes {
    settings: HierarchySettings,
    exact: bool,
    narrow: Sectors<u32>,
    /// For routes too expensive for the small type; built when there is one.
    wide: Option<Sectors<u64>>,
}

impl SectorRoutes {
    pub(crate) fn build(
        space: &GridSpace<'_>,
        settings: HierarchySettings,
        exact: bool,
        clock: Clock,
    ) -> Self {
        let narrow = Sectors::build(space, settings, clock);
        Self { settings, exact, narrow, wide: None }
    }

    pub(crate) fn engine(&self) -> &HierarchyEngine {
        &self.narrow.engine
    }

    /// Returns the sizes of the hierarchy.
    pub(crate) fn size(&self) -> HierarchySize {
        self.narrow.size()
    }

    /// Repairs the sectors around an edit.
    pub(crate) fn follow(&mut self, space: &GridSpace<'_>, affected: &[Cell]) {
        self.narrow.engine.world_changed(space, affected);
        self.wide = None;
    }

    /// Returns a whole route, from the first leg to the last.
    pub(crate) fn run(
        &mut self,
        space: &GridSpace<'_>,
        wide: &GridSpace<'_, u64>,
        request: &SearchRequest,
    ) -> SearchReport {
        let report = self.narrow.run(space, wide, request, self.exact);
        if report.ending != Ending::Limit(Limit::CostRange) {
            return report;
        }
        let build = || Sectors::build(wide, self.settings, request.clock);
        self.wide.get_or_insert_with(build).run(wide, wide, request, self.exact)
    }
}
