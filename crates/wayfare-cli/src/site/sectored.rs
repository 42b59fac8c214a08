//! Routes over a hierarchy of sectors instead of one search.

use std::time::Duration;

use wayfare::hierarchy::{
    Hierarchy, HierarchyError, HierarchyScratch, HierarchySettings, RouteOutcome,
};
use wayfare::path::Path;
use wayfare::search::{Answer, Guarantee, Limit, Outcome};
use wayfare::space::{Cell, Cost, Grid, GridSpace, ProfileId, StateId};

use super::run::{Ask, Ending, Run};
use super::searcher::{CappedTrace, Workbench};
use super::stopwatch::Stopwatch;
use super::traits::{Searcher, Site};
use crate::failure::Failure;

/// What answers by a hierarchy is called where algorithms have their names.
pub(crate) const HIERARCHY: &str = "hierarchy";

/// What a hierarchy is, and what it took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HierarchySize {
    pub(crate) sectors: usize,
    pub(crate) transitions: usize,
    pub(crate) bytes: usize,
    /// How long building it took.
    pub(crate) built: Duration,
}

/// What there is to say of a route over sectors beside its path. Costs are in the space's units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legs {
    pub(crate) size: HierarchySize,
    /// The whole route costs at most that, as is known with the first leg.
    pub(crate) promised: u64,
    /// What all legs cost together.
    pub(crate) cost: u64,
    pub(crate) count: usize,
    /// From the question to the first leg.
    pub(crate) first: Duration,
    /// The moves of the first leg.
    pub(crate) first_moves: usize,
    /// From the question to the last leg.
    pub(crate) whole: Duration,
    /// For a cheapest path in place of the route, where one was asked for.
    pub(crate) exact: Option<Duration>,
}

/// A hierarchy with the memory that its routes are found in.
struct Sectors<'a, C: Cost> {
    space: GridSpace<'a, C>,
    bench: Workbench<GridSpace<'a, C>>,
    hierarchy: Hierarchy<C>,
    size: HierarchySize,
    scratch: HierarchyScratch<C>,
    path: Path<Cell, C>,
}

impl<'a, C: Cost> Sectors<'a, C> {
    fn build(space: GridSpace<'a, C>, settings: HierarchySettings, unit: f64) -> Self {
        let begun = Stopwatch::start();
        let hierarchy = Hierarchy::build(&space, settings);
        let built = begun.elapsed();
        let size = HierarchySize {
            sectors: hierarchy.sectors(),
            transitions: hierarchy.transitions(),
            bytes: hierarchy.size_in_bytes(),
            built,
        };
        let bench = Workbench::new(space, unit);
        Self {
            space,
            bench,
            hierarchy,
            size,
            scratch: HierarchyScratch::new(),
            path: Path::default(),
        }
    }

    fn run(&mut self, ask: &Ask, exact: bool) -> Run {
        let mut trace = ask.record.then(CappedTrace::default);
        let begun = Stopwatch::start();
        let answered = self.answer(ask, exact, &mut trace, &begun);
        let elapsed = begun.elapsed();
        let (outcome, legs, fault) = match answered {
            Ok((outcome, legs)) => (outcome, legs, None),
            // It was built for this very grid: a defect, to be told as those of searches are.
            Err(error) => (Outcome::Found(Path::default()), None, Some(error.to_string())),
        };
        let stats = self.scratch.stats();
        let (run, path) = self.bench.report(ask, Answer { outcome, stats });
        self.path = path;
        let dearer = legs.filter(|legs| legs.cost > legs.promised).map(|legs| {
            format!("it costs {}, more than the {} that were promised", legs.cost, legs.promised)
        });
        Run {
            method: HIERARCHY,
            guarantee: if exact { Guarantee::Optimal } else { Guarantee::Bounded },
            elapsed,
            turns_elapsed: elapsed,
            scratch_bytes: self.scratch.bytes(),
            recording: trace.and_then(CappedTrace::whole).map(|trace| Box::new(trace) as _),
            fault: fault.or(dearer).or(run.fault),
            legs,
            ..run
        }
    }

    fn answer(
        &mut self,
        ask: &Ask,
        exact: bool,
        trace: &mut Option<CappedTrace<Cell, C>>,
        begun: &Stopwatch,
    ) -> Result<(Outcome<Cell, C>, Option<Legs>), HierarchyError> {
        let Self { space, hierarchy, scratch, size, path, .. } = self;
        let ends = (Cell::from_index(ask.start), Cell::from_index(ask.goal));
        let routed = match trace {
            Some(trace) => hierarchy.route_observed(space, scratch, ends.0, ends.1, trace)?,
            None => hierarchy.route(space, scratch, ends.0, ends.1)?,
        };
        let first = begun.elapsed();
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
        let (mut count, first_moves) = (1, path.len().saturating_sub(1));
        while route.next_leg(hierarchy, space, scratch)? {
            count += 1;
            path.steps.extend_from_slice(&route.leg()[1..]); // it begins where the one before ended
        }
        let whole = begun.elapsed();
        let (promised, cost) = (route.cost().to_u64(), path.cost().to_u64());
        let mut legs =
            Legs { size: *size, promised, cost, count, first, first_moves, whole, exact: None };
        if exact {
            path = route.exact(hierarchy, space, scratch)?;
            legs.exact = Some(begun.elapsed().saturating_sub(whole));
        }
        scratch.recycle(route);
        Ok((Outcome::Found(path), Some(legs)))
    }
}

/// Answers queries by a hierarchy that it has built.
pub(crate) struct HierarchySearcher<'a> {
    narrow: Sectors<'a, u32>,
    /// For routes that cost more than the small type holds; built when there is one.
    wide: Option<Sectors<'a, u64>>,
    settings: HierarchySettings,
    unit: f64,
    /// Finds a cheapest path in place of each route.
    exact: bool,
    grid: &'a Grid,
    profile: ProfileId,
}

impl<'a> HierarchySearcher<'a> {
    /// Builds the hierarchy of a site.
    pub(crate) fn build(
        site: &'a dyn Site,
        settings: HierarchySettings,
        exact: bool,
    ) -> Result<Self, Failure> {
        let about = site.about();
        let (grid, profile) = site.grid_and_profile().ok_or_else(|| {
            let (file, kind) = (about.file.display(), about.kind);
            Failure::Usage(format!("{file} is a {kind}: --hierarchy is for grids"))
        })?;
        let unit = about.unit_cost;
        let narrow = Sectors::build(grid.space_for(profile), settings, unit);
        Ok(Self { narrow, wide: None, settings, unit, exact, grid, profile })
    }

    pub(crate) fn size(&self) -> HierarchySize {
        self.narrow.size
    }
}

impl Searcher for HierarchySearcher<'_> {
    fn run(&mut self, ask: &Ask, _: &mut dyn FnMut(u64)) -> Run {
        let run = self.narrow.run(ask, self.exact);
        if run.ending != Ending::Limit(Limit::CostRange) {
            return run;
        }
        let space = self.grid.space_for(self.profile);
        let build = || Sectors::build(space, self.settings, self.unit);
        self.wide.get_or_insert_with(build).run(ask, self.exact)
    }
}
