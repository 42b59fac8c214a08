//! Searches between points of a navigation mesh as an engine.

use std::sync::{Arc, Mutex, PoisonError};

use wayfare_core::navigate::{
    Answered, Coverage, Engine, EngineGround, EngineId, EngineSearch, EngineStep, Offer, Question,
    Reason, Refusal, Took, work,
};
use wayfare_core::path::{Path, Step};
use wayfare_core::search::{GroundDelays, Guarantee, Limit, Outcome, Progress};
use wayfare_core::space::{Action, Space};

use crate::navmesh::{MeshPoint, NavMeshSpace, PolygonId};
use crate::search::{
    Corridor, CorridorSearch, MeshAnswer, MeshOutcome, MeshQuery, MeshScratch, MeshSearch,
    Polyanya, PolyanyaSearch,
};
use crate::{
    CrossedLink, GroundSearch, MeshPath, MeshStretch, MeshWay, MeshWayAnswer, MeshWaySearch,
};

/// Answers between points of a navigation mesh:
/// * by [`Polyanya`] where all ground costs the same and no [jam](wayfare_core::link::Jams) delays
///   it;
/// * else by [`Corridor`].
///
/// If any state is in [danger](wayfare_core::link::Danger) it has no answer.
///
/// The path is the corridor: the polygons that the shortest line crosses. Pulled
/// [taut](wayfare_core::space::LineOfSight::taut), it is that line. The cost of its last step is
/// the cost of the line; the steps before have even shares of it.
///
/// Where [links](wayfare_core::link) lie over the mesh, it answers by [`MeshWaySearch`]: the path
/// uses the exact ends of links. The step through a link has the polygon at its exit.
///
/// It keeps nothing of a mesh, so that edits do not concern it and one engine serves all profiles.
/// Its searches are sliced: a `Planner` works on them tick by tick, and a
/// navigator to the end.
///
/// ```
/// use wayfare::navigate::{End, EngineId, MeshEngine, Navigator, Question};
/// use wayfare::prelude::*;
/// use wayfare::space::LineOfSight;
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let [start, goal] = [Vec3::new(0.5, 0.0, 0.5), Vec3::new(3.5, 0.0, 2.0)].map(|point| {
///     let found = space.locate(point, HeightReach::default()).unwrap();
///     End { state: found.polygon, point }
/// });
/// let engine = MeshEngine::new();
/// let answer = Navigator::new(space).with(&engine).ask(Question::between(start, goal), &mut Scratch::new());
/// assert_eq!(answer.took.engine, EngineId::Mesh);
/// let path = answer.outcome.into_path();
/// let states: Vec<_> = path.steps.iter().map(|step| step.state).collect();
/// let line = space.taut(start.point, &states, Some(goal.point), 0.0).unwrap();
/// assert_eq!(line[1], Vec3::new(3.0, 0.0, 1.0)); // around the corner of the wall
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct MeshEngine {
    /// The memory of searches that ended. No answer depends on its content.
    spare: Arc<Mutex<Vec<MeshScratch>>>,
}

impl MeshEngine {
    /// Returns an engine. Takes no memory before the first search.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The memory of a search, which goes back to its engine at the end.
#[derive(Debug)]
struct Lease {
    scratch: MeshScratch,
    owner: Arc<Mutex<Vec<MeshScratch>>>,
}

impl Lease {
    fn from(owner: &Arc<Mutex<Vec<MeshScratch>>>) -> Self {
        let scratch = owner.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self { scratch: scratch.unwrap_or_default(), owner: Arc::clone(owner) }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let scratch = std::mem::take(&mut self.scratch);
        self.owner.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }
}

/// The overlay of a mesh.
struct Overlay {
    has_links: bool,
    has_danger: bool,
    delays: Option<Arc<dyn GroundDelays>>,
}

impl Overlay {
    fn of(ground: EngineGround<'_, '_, NavMeshSpace<'_>>) -> Self {
        match ground {
            EngineGround::Alone(_) => Self { has_links: false, has_danger: false, delays: None },
            EngineGround::Linked(linked) => Self {
                has_links: linked.ways().next().is_some(),
                has_danger: !linked.links().danger().is_empty(),
                delays: linked.delays(),
            },
        }
    }

    fn is_bare(&self) -> bool {
        !self.has_links && !self.has_danger && self.delays.is_none()
    }
}

/// A search between points under way.
#[derive(Debug)]
struct UnderWay {
    lease: Lease,
    search: Between,
    is_done: bool,
}

/// A search between points, over the ground alone or through links.
#[derive(Debug)]
enum Between {
    Polyanya(PolyanyaSearch),
    Corridor(CorridorSearch),
    Links(Box<MeshWaySearch>),
}

/// Returns the end of a question on the mesh: the point, if it lies in the state, else its
/// position.
fn end(space: &NavMeshSpace<'_>, polygon: PolygonId, point: Option<glam::Vec3>) -> MeshPoint {
    let mesh = space.mesh();
    let middle = MeshPoint { polygon, place: mesh.middle(polygon) };
    let Some(point) = point.filter(|point| point.is_finite()) else { return middle };
    space.nearest_within(polygon, point)
}

impl<'m> Engine<NavMeshSpace<'m>> for MeshEngine {
    fn id(&self) -> EngineId {
        EngineId::Mesh
    }

    fn offer(
        &self,
        space: &NavMeshSpace<'m>,
        question: &Question<PolygonId, u64>,
    ) -> Result<Offer, Refusal> {
        question.plain_goal()?;
        let guarantee = guarantee(space);
        Ok(Offer { reason: Reason::BetweenPoints, guarantee, coverage: Coverage::Whole })
    }

    /// Answers by a search.
    fn answer(
        &self,
        _space: &NavMeshSpace<'m>,
        _question: &Question<PolygonId, u64>,
        _spare: Path<PolygonId, u64>,
    ) -> Option<Answered<PolygonId, u64>> {
        None
    }

    fn begin(
        &self,
        ground: EngineGround<'_, '_, NavMeshSpace<'m>>,
        question: &Question<PolygonId, u64>,
    ) -> Option<EngineSearch> {
        let space = ground.space();
        let query = between_points(space, question)?;
        let overlay = Overlay::of(ground);
        if overlay.has_danger {
            return None;
        }
        let search = match overlay.delays {
            _ if overlay.has_links => {
                Between::Links(Box::new(MeshWaySearch::new(query, GroundSearch::Suited)))
            }
            Some(delays) => Between::Corridor(Corridor.search(query).with_delays(delays)),
            None if space.is_uniform() => Between::Polyanya(Polyanya.search(query)),
            None => Between::Corridor(Corridor.search(query)),
        };
        Some(EngineSearch::new(UnderWay {
            lease: Lease::from(&self.spare),
            search,
            is_done: false,
        }))
    }

    fn step(
        &self,
        ground: EngineGround<'_, '_, NavMeshSpace<'m>>,
        search: &mut EngineSearch,
        budget: u64,
    ) -> EngineStep {
        let Some(under_way) = search.get_mut::<UnderWay>() else {
            return EngineStep { progress: Progress::Done, work: 0, expanded: 0 };
        };
        let (space, scratch) = (ground.space(), &mut under_way.lease.scratch);
        let before = under_way.search.counts();
        let progress = match (&mut under_way.search, ground) {
            (Between::Polyanya(search), _) => search.step(space, scratch, &mut (), budget),
            (Between::Corridor(search), _) => search.step(space, scratch, &mut (), budget),
            (Between::Links(search), EngineGround::Linked(linked)) => {
                search.step(linked, scratch, &mut (), budget)
            }
            // The links went away; there is no answer.
            (Between::Links(_), EngineGround::Alone(_)) => Progress::Done,
        };
        under_way.is_done = progress == Progress::Done;
        let [work, expanded] = under_way.search.counts();
        EngineStep { progress, work: work - before[0], expanded: expanded - before[1] }
    }

    /// Searches over the ground by [`Polyanya`] continue, as long as no link can be used and
    /// nothing delays or endangers the ground.
    fn adopt(
        &self,
        ground: EngineGround<'_, '_, NavMeshSpace<'m>>,
        search: &mut EngineSearch,
        affected: &[PolygonId],
    ) -> bool {
        let space = ground.space();
        if !Overlay::of(ground).is_bare() {
            return false;
        }
        let Some(UnderWay { lease, search, .. }) = search.get_mut::<UnderWay>() else {
            return false;
        };
        match search {
            Between::Polyanya(search) => {
                space.is_uniform() && search.adopt(space, &mut lease.scratch, affected)
            }
            Between::Corridor(_) | Between::Links(_) => false,
        }
    }

    fn conclude(
        &self,
        ground: EngineGround<'_, '_, NavMeshSpace<'m>>,
        mut search: EngineSearch,
        spare: Path<PolygonId, u64>,
    ) -> Option<Answered<PolygonId, u64>> {
        let UnderWay { lease, search, is_done } = search.get_mut::<UnderWay>()?;
        let (space, scratch) = (ground.space(), &mut lease.scratch);
        let [work, _] = search.counts();
        let (outcome, stats) = match search {
            Between::Polyanya(search) => {
                let MeshAnswer { outcome, stats } = search.answer(space, scratch);
                (of_ground(ground, outcome, *is_done, (scratch, spare)), stats)
            }
            Between::Corridor(search) => {
                let MeshAnswer { outcome, stats } = search.answer(space, scratch);
                (of_ground(ground, outcome, *is_done, (scratch, spare)), stats)
            }
            Between::Links(search) => {
                let MeshWayAnswer { way, stats } = search.answer();
                let outcome = match way {
                    Ok(way) => Some(Outcome::Found(through_links(way, (ground, spare)))),
                    Err(other) => of_ground(ground, other, *is_done, (scratch, spare)),
                };
                (outcome, stats)
            }
        };
        let outcome = outcome?;
        let (Outcome::Found(path) | Outcome::LimitReached { nearest: path, .. }) = &outcome else {
            return None;
        };
        let units = work + work::of_reading(path.steps.len());
        let origin = (EngineId::Mesh, Reason::BetweenPoints);
        let guarantee = match Overlay::of(ground).delays {
            Some(_) => Guarantee::None,
            None => guarantee(space),
        };
        let took = Took::by_search(origin, guarantee, units);
        Some(Answered { outcome, stats, took })
    }

    /// Does nothing: the engine keeps no data.
    fn world_changed(&mut self, _space: &NavMeshSpace<'m>, _affected: &[PolygonId]) {}
}

/// Returns the most expansions of a search between points, before one over polygons answers. It is
/// far more than searches take, so a mesh that misleads one cannot stop a simulation.
fn most_expansions(space: &NavMeshSpace<'_>) -> u64 {
    4096 + 64 * space.state_bound() as u64
}

/// Returns the guarantee of a search between points.
fn guarantee(space: &NavMeshSpace<'_>) -> Guarantee {
    if space.is_uniform() { Guarantee::Optimal } else { Guarantee::None }
}

impl Between {
    /// Returns the units of work and the expansions up to now.
    fn counts(&self) -> [u64; 2] {
        match self {
            Self::Polyanya(search) => [search.work(), search.stats().expanded],
            Self::Corridor(search) => [search.work(), search.stats().expanded],
            Self::Links(search) => [search.work(), search.stats().expanded],
        }
    }
}

/// Returns the question as one between points.
pub fn between_points(
    space: &NavMeshSpace<'_>,
    question: &Question<PolygonId, u64>,
) -> Option<MeshQuery> {
    let goal = question.plain_goal().ok()?;
    let start = question.query.start;
    if space.check(start).is_err() || space.check(goal).is_err() {
        return None;
    }
    let from = end(space, start, question.start_point);
    let to = end(space, goal, question.goal_point);
    let most = question.query.limits.expansions.min(most_expansions(space));
    Some(MeshQuery::new(from, to).max_expansions(most))
}

/// Returns the outcome of a search over the ground as one between polygons. `None`: whatever else
/// there is to say, the search over polygons says.
fn of_ground(
    ground: EngineGround<'_, '_, NavMeshSpace<'_>>,
    outcome: MeshOutcome,
    is_done: bool,
    (scratch, spare): (&mut MeshScratch, Path<PolygonId, u64>),
) -> Option<Outcome<PolygonId, u64>> {
    let is_found = outcome.is_found();
    let found = outcome.into_path();
    if !is_found && (is_done || found.corridor.is_empty()) {
        scratch.recycle(found);
        return None;
    }
    let cost = (found.cost * ground.space().cost_per_unit()).ceil() as u64;
    let mut path = emptied(ground, spare);
    push_corridor(&found, [0, cost], &mut path);
    scratch.recycle(found);
    Some(match is_found {
        true => Outcome::Found(path),
        false => Outcome::LimitReached { limit: Limit::Expansions, nearest: path },
    })
}

/// Returns a path through links, as a path over polygons.
fn through_links(
    way: MeshWay,
    (ground, spare): (EngineGround<'_, '_, NavMeshSpace<'_>>, Path<PolygonId, u64>),
) -> Path<PolygonId, u64> {
    let mut path = emptied(ground, spare);
    let mut gone = 0;
    let mut stretches = way.stretches.into_iter().peekable();
    while let Some(MeshStretch { path: ground, cost, link }) = stretches.next() {
        push_corridor(&ground, [gone, gone + cost], &mut path);
        gone += cost;
        let exit = stretches.peek().and_then(|next| next.path.corridor.first());
        if let (Some(CrossedLink { link, cost }), Some(&state)) = (link, exit) {
            gone += cost;
            path.steps.push(Step { state, action: Action::Link(link.0), cost: gone });
        }
    }
    path
}

/// Returns a path without steps, in the memory of another.
fn emptied(
    ground: EngineGround<'_, '_, NavMeshSpace<'_>>,
    mut path: Path<PolygonId, u64>,
) -> Path<PolygonId, u64> {
    path.steps.clear();
    path.revision = ground.revision();
    path
}

/// Adds the polygons of a corridor to a path that may end in the first of them. Costs grow evenly
/// from the first to the second.
pub fn push_corridor(found: &MeshPath, [before, after]: [u64; 2], path: &mut Path<PolygonId, u64>) {
    let last = (found.corridor.len() as u64).saturating_sub(1).max(1);
    for (place, &state) in (0..).zip(&found.corridor) {
        let share = u128::from(after - before) * u128::from(place as u64) / u128::from(last);
        if place > 0 || path.steps.is_empty() {
            path.steps.push(Step { state, action: Action::Walk, cost: before + share as u64 });
        }
    }
}
