//! Searches on a mesh, whole and in steps.

use std::sync::Arc;

use glam::{DVec2, Vec3};
use wayfare::index::MeshIndex;
use wayfare::link::{GroundSearch, MeshWayAnswer, MeshWaySearch};
use wayfare::navigate::{MeshIndexEngine, Refusal};
use wayfare::search::{
    Corridor, CorridorSearch, MeshAnswer, MeshOutcome, MeshQuery, MeshScratch, MeshSearch, NoPath,
    Polyanya, PolyanyaSearch, Progress, Stats,
};
use wayfare::space::navmesh::{MESH_COST_PER_METRE, NavMeshSpace};
use wayfare::space::{Obstruction, PolygonId, StateId};
use wayfare::trace::{MeshEvent, MeshObserver, Side};

use super::points::MeshWorld;
use super::report::{index_report, refusal, report, way_report};
use crate::indexed::OfGround;
use crate::passages::Passages;
use crate::prepare::{HAS_ENGINES, timed};
use crate::trace::Recorder;
use crate::{
    Clock, EngineName, MeshInterval, Preparation, PreparedEngine, SearchEvent, SearchReport,
    SearchRequest, SearchSession, Searcher, SiteError,
};

/// Returns the query of a request.
///
/// # Errors
/// The end that lies off the mesh.
fn query(world: &MeshWorld, request: &SearchRequest) -> Result<MeshQuery, NoPath> {
    let ends = request.ends;
    let start = world.point(ends.start).ok_or(NoPath::Start(Obstruction::OffMap))?;
    let goal = world.point(ends.goal).ok_or(NoPath::Goal(Obstruction::OffMap))?;
    let mut query = MeshQuery::new(start, goal);
    if let Some(expansions) = request.max_expansions {
        query = query.max_expansions(expansions);
    }
    if let Some(length) = request.max_cost {
        query = query.max_length(length);
    }
    Ok(query)
}

/// Searches on a mesh, and its index if that is prepared.
pub(super) struct MeshSearcher {
    world: Arc<MeshWorld>,
    passages: Arc<Passages<PolygonId>>,
    scratch: MeshScratch,
    index: Option<MeshIndexEngine>,
}

impl MeshSearcher {
    pub(super) fn new(world: Arc<MeshWorld>, passages: Arc<Passages<PolygonId>>) -> Self {
        Self { world, passages, scratch: MeshScratch::new(), index: None }
    }

    /// Returns the answer of the index. Where it does not answer, the reason, if it was asked by
    /// name.
    fn by_index(
        &self,
        request: &SearchRequest,
        query: MeshQuery,
    ) -> Result<SearchReport, Option<Refusal>> {
        let Self { world, index, .. } = self;
        let prepared = index.as_ref().filter(|_| request.engine.admits(EngineName::Index));
        let Some(engine) = prepared else { return Err(None) };
        if request.max_cost.is_some() || request.approach {
            return Err((request.engine == EngineName::Index).then_some(Refusal::Limits));
        }
        let begun = request.clock.now();
        let outcome = engine.line(&world.space(), query.start, query.goal).ok_or(None)?;
        let elapsed = request.clock.since(begun);
        let answer = MeshAnswer { outcome, stats: Stats::default() };
        let report = index_report(world, request, query, answer);
        Ok(SearchReport { elapsed, scratch_bytes: engine.scratch_bytes(), ..report })
    }
}

impl Searcher for MeshSearcher {
    fn run(&mut self, request: &SearchRequest, _on_progress: &mut dyn FnMut(u64)) -> SearchReport {
        let query = match query(&self.world, request) {
            Ok(query) => query,
            Err(reason) => {
                return report(&self.world, request, None, refusal(reason), Recorder::new(false));
            }
        };
        let answer = if HAS_ENGINES { self.by_index(request, query) } else { Err(None) };
        match answer {
            Ok(report) => report,
            Err(refused) => SearchReport { refused, ..self.search(request, query) },
        }
    }

    fn prepare(
        &mut self,
        preparation: Preparation,
        clock: Clock,
    ) -> Result<PreparedEngine, SiteError> {
        let engine = preparation.engine();
        let Preparation::Index(given) = preparation else {
            return Err(SiteError::NoSuchEngine { engine: engine.name() });
        };
        if !HAS_ENGINES || !self.passages.is_empty() {
            return Err(SiteError::NoSuchEngine { engine: engine.name() });
        }
        let space = self.world.space();
        let make = || match given.map(|index| index.into_inner()) {
            Some(OfGround::Mesh(index)) => Ok(index),
            Some(OfGround::Grid(_)) => Err(SiteError::OtherIndex),
            None => MeshIndex::new(&space).map_err(|error| SiteError::Unindexed {
                world: "the navigation mesh".to_owned(),
                problem: error.to_string(),
            }),
        };
        let (index, took) = timed(clock, make);
        let index = MeshIndexEngine::new(&space, index?).map_err(|_| SiteError::OtherIndex)?;
        let bytes = index.index().size_in_bytes();
        self.index = Some(index);
        Ok(PreparedEngine { engine, bytes, took })
    }

    fn set_ground(&mut self, _state: u32, _ground: &str) -> Result<(), SiteError> {
        Err(SiteError::NotEditable)
    }
}

impl MeshSearcher {
    /// Searches, and reports the answer.
    fn search(&mut self, request: &SearchRequest, query: MeshQuery) -> SearchReport {
        let Self { world, passages, scratch, .. } = self;
        let mut recorder = Recorder::new(request.record);
        let space = world.space();
        let begun = request.clock.now();
        let is_corridor = request.engine == EngineName::Corridor;
        if !passages.is_empty() {
            let ground = if is_corridor { GroundSearch::Corridor } else { GroundSearch::Polyanya };
            let linked = passages.over(space);
            let mut search = MeshWaySearch::new(query, ground);
            let MeshWayAnswer { way, stats } = match request.record {
                true => search.finish(&linked, scratch, &mut recorder),
                false => search.finish(&linked, scratch, &mut ()),
            };
            let elapsed = request.clock.since(begun);
            let scratch_bytes = scratch.bytes();
            let report = match way {
                Ok(way) => way_report(world, request, &way, stats, recorder),
                Err(outcome) => {
                    let mut answer = MeshAnswer { outcome, stats };
                    approach(&space, request, query, &mut answer, scratch);
                    report(world, request, Some(query), answer, recorder)
                }
            };
            return SearchReport { elapsed, scratch_bytes, ..report };
        }
        let mut answer = match (is_corridor, request.record) {
            (false, true) => Polyanya.search(query).finish(&space, scratch, &mut recorder),
            (false, false) => Polyanya.search(query).finish(&space, scratch, &mut ()),
            (true, true) => Corridor.search(query).finish(&space, scratch, &mut recorder),
            (true, false) => Corridor.search(query).finish(&space, scratch, &mut ()),
        };
        approach(&space, request, query, &mut answer, scratch);
        let elapsed = request.clock.since(begun);
        let scratch_bytes = scratch.bytes();
        let report = report(world, request, Some(query), answer, recorder);
        SearchReport { elapsed, scratch_bytes, ..report }
    }
}

/// Finds a path as near to the goal as possible, if start and goal lie on different islands. The
/// ending stays that there is no path.
fn approach(
    space: &NavMeshSpace<'_>,
    request: &SearchRequest,
    query: MeshQuery,
    answer: &mut MeshAnswer,
    scratch: &mut MeshScratch,
) {
    let MeshOutcome::Unreachable { reason: NoPath::DifferentIslands { .. }, nearest } =
        &mut answer.outcome
    else {
        return;
    };
    if request.approach
        && let MeshOutcome::Found(path) =
            Polyanya.search(query.approach(space)).finish(space, scratch, &mut ()).outcome
    {
        *nearest = path;
    }
}

/// A stepped search on a mesh: by Polyanya unless a corridor is asked for.
pub(super) struct MeshSession {
    world: Arc<MeshWorld>,
    passages: Arc<Passages<PolygonId>>,
    request: SearchRequest,
    query: Result<MeshQuery, NoPath>,
    search: Option<Stepped>,
    scratch: MeshScratch,
    watcher: Watcher,
}

impl MeshSession {
    pub(super) fn new(
        world: Arc<MeshWorld>,
        passages: Arc<Passages<PolygonId>>,
        request: &SearchRequest,
    ) -> Self {
        let query = query(&world, request);
        let is_corridor = request.engine == EngineName::Corridor;
        let search = query.ok().map(|query| match (passages.is_empty(), is_corridor) {
            (true, false) => Stepped::Ground(Polyanya.search(query)),
            (true, true) => Stepped::Corridor(Corridor.search(query)),
            (false, _) => {
                let ground =
                    if is_corridor { GroundSearch::Corridor } else { GroundSearch::Polyanya };
                Stepped::Links(Box::new(MeshWaySearch::new(query, ground)))
            }
        });
        let engine = if is_corridor { EngineName::Corridor } else { EngineName::Polyanya };
        Self {
            world,
            passages,
            request: SearchRequest { engine, ..*request },
            query,
            search,
            scratch: MeshScratch::new(),
            watcher: Watcher { recorder: Recorder::new(true), intervals: Vec::new() },
        }
    }
}

/// A search under way, over the ground alone or through links.
enum Stepped {
    Ground(PolyanyaSearch),
    Corridor(CorridorSearch),
    Links(Box<MeshWaySearch>),
}

impl SearchSession for MeshSession {
    fn step(&mut self, expansions: u64) -> Progress {
        let Some(search) = &mut self.search else { return Progress::Done };
        let space = self.world.space();
        let scratch = &mut self.scratch;
        let watcher = &mut Watching { space, watcher: &mut self.watcher };
        match search {
            Stepped::Ground(search) => search.step(&space, scratch, watcher, expansions),
            Stepped::Corridor(search) => search.step(&space, scratch, watcher, expansions),
            Stepped::Links(search) => {
                search.step(&self.passages.over(space), scratch, watcher, expansions)
            }
        }
    }

    fn events(&self) -> &[SearchEvent] {
        self.watcher.recorder.events()
    }

    fn intervals(&self) -> &[MeshInterval] {
        &self.watcher.intervals
    }

    fn finish(mut self: Box<Self>) -> SearchReport {
        while self.step(u64::MAX) == Progress::Working {}
        let Self { world, passages: _, request, query, search, mut scratch, watcher } = *self;
        let recorder = watcher.recorder;
        let answer = match (search, query) {
            (Some(Stepped::Ground(mut search)), _) => search.answer(&world.space(), &mut scratch),
            (Some(Stepped::Corridor(mut search)), _) => search.answer(&world.space(), &mut scratch),
            (Some(Stepped::Links(mut search)), _) => match search.answer() {
                MeshWayAnswer { way: Ok(way), stats } => {
                    let report = way_report(&world, &request, &way, stats, recorder);
                    return SearchReport { scratch_bytes: scratch.bytes(), ..report };
                }
                MeshWayAnswer { way: Err(outcome), stats } => MeshAnswer { outcome, stats },
            },
            (None, Err(reason)) => refusal(reason),
            (None, Ok(_)) => refusal(NoPath::NoGoal),
        };
        let report = report(&world, &request, query.ok(), answer, recorder);
        SearchReport { scratch_bytes: scratch.bytes(), ..report }
    }
}

/// Records events with their intervals.
struct Watcher {
    recorder: Recorder,
    intervals: Vec<MeshInterval>,
}

/// A watcher for one step, and the space that tells it heights.
struct Watching<'w> {
    space: NavMeshSpace<'w>,
    watcher: &'w mut Watcher,
}

impl MeshObserver for Watching<'_> {
    fn observe(&mut self, event: MeshEvent) {
        let Watcher { recorder, intervals } = &mut *self.watcher;
        recorder.observe(event);
        if intervals.len() < recorder.events().len() {
            let mesh = self.space.mesh();
            let lifted = |place: DVec2, polygon| {
                let place = Vec3::new(place.x as f32, 0.0, place.y as f32);
                Vec3 { y: mesh.height_at(polygon, place), ..place }
            };
            let (left, right) = (lifted(event.left, event.from), lifted(event.right, event.from));
            intervals.push(MeshInterval { root: lifted(event.root, event.from), left, right });
        }
    }
}

impl MeshObserver for Recorder {
    fn observe(&mut self, event: MeshEvent) {
        let millimetres = |length: f64| (length * MESH_COST_PER_METRE as f64).round() as u64;
        self.record(SearchEvent {
            kind: event.kind,
            side: Side::Forward,
            state: event.polygon.index(),
            parent: event.from.index(),
            g: millimetres(event.g),
            h: millimetres(event.h),
        });
    }
}
