//! Searches between points of a navigation mesh as an engine.

use std::sync::{Mutex, PoisonError};

use super::{
    Answered, Coverage, Engine, EngineId, Offer, Policy, Question, Reason, Refusal, Took, work,
};
use crate::link::{CrossedLink, GroundSearch, LinkedSpace, MeshStretch, MeshWay, MeshWaySearch};
use crate::path::{MeshPath, Path, Step};
use crate::search::{
    Corridor, Guarantee, MeshAnswer, MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Outcome,
    Polyanya, Stats,
};
use crate::space::navmesh::{MeshPoint, NavMeshSpace};
use crate::space::{Action, PolygonId, Space};

/// Answers between points of a navigation mesh: by [`Polyanya`] where all ground costs the same,
/// else by [`Corridor`].
///
/// The path is the corridor: the polygons that the shortest line crosses. Pulled
/// [taut](crate::space::LineOfSight::taut), it is that line. The cost of its last step is the cost
/// of the line; the steps before have even shares of it.
///
/// Where [links](crate::link) lie over the mesh, it answers by [`MeshWaySearch`]: the path leads
/// through the exact ends of links. The step through a link has the polygon at its exit.
///
/// It keeps nothing of a mesh, so that edits do not concern it and one engine serves all profiles.
/// A search is not sliced: the budget of a tick may be exceeded by one search.
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
    /// Serves one thread at a time. No answer depends on its content.
    scratch: Mutex<MeshScratch>,
}

impl MeshEngine {
    /// An engine. Takes no memory before the first answer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The end of a question on the mesh: the point, if it lies in the state, else its position.
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

    fn answer(
        &self,
        space: &NavMeshSpace<'m>,
        question: &Question<PolygonId, u64>,
        spare: Path<PolygonId, u64>,
    ) -> Option<Answered<PolygonId, u64>> {
        let query = between_points(space, question)?;
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = match space.is_uniform() {
            true => Polyanya.search(query).finish(space, &mut scratch, &mut ()),
            false => Corridor.search(query).finish(space, &mut scratch, &mut ()),
        };
        let MeshAnswer { outcome, stats } = answer;
        let found = match outcome {
            MeshOutcome::Found(found) => found,
            // Whatever else there is to say, the search over polygons says.
            other => {
                scratch.recycle(other.into_path());
                return None;
            }
        };
        let path = of_corridor(space, &found, spare);
        scratch.recycle(found);
        let units = stats.expanded + work::of_reading(path.steps.len());
        Some(answered(space, path, stats, units))
    }

    fn answer_over_links(
        &self,
        linked: &LinkedSpace<'_, NavMeshSpace<'m>>,
        question: &Question<PolygonId, u64>,
    ) -> Option<Answered<PolygonId, u64>> {
        let space = linked.space();
        let query = between_points(space, question)?;
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut search = MeshWaySearch::new(query, GroundSearch::Suited);
        let answer = search.finish(linked, &mut scratch, &mut ());
        // Whatever else there is to say, the search over polygons says.
        let path = through_links(linked, answer.way.ok()?);
        let units = answer.stats.expanded + work::of_reading(path.steps.len());
        Some(answered(space, path, answer.stats, units))
    }

    /// Nothing is kept.
    fn world_changed(&mut self, _space: &NavMeshSpace<'m>, _affected: &[PolygonId]) {}
}

/// The expansions after which a search between points is given up, and one over polygons answers:
/// far more than searches take, so that a mesh that leads one astray cannot stop a simulation.
fn most_expansions(space: &NavMeshSpace<'_>) -> u64 {
    4096 + 64 * space.state_bound() as u64
}

/// What a search between points promises.
fn guarantee(space: &NavMeshSpace<'_>) -> Guarantee {
    if space.is_uniform() { Guarantee::Optimal } else { Guarantee::None }
}

fn answered(
    space: &NavMeshSpace<'_>,
    path: Path<PolygonId, u64>,
    stats: Stats,
    units: u64,
) -> Answered<PolygonId, u64> {
    let origin = (EngineId::Mesh, Reason::BetweenPoints);
    let took = Took::by_search(origin, guarantee(space), units);
    Answered { outcome: Outcome::Found(path), stats, took }
}

/// The question as one between points.
fn between_points(
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
    let most = match question.policy {
        Policy::Within(units) => units,
        Policy::Exact | Policy::FirstLeg => u64::MAX,
    };
    let most = most.min(question.query.limits.expansions).min(most_expansions(space));
    Some(MeshQuery::new(from, to).max_expansions(most))
}

/// The corridor as a path.
fn of_corridor(
    space: &NavMeshSpace<'_>,
    found: &MeshPath,
    mut path: Path<PolygonId, u64>,
) -> Path<PolygonId, u64> {
    path.steps.clear();
    path.revision = space.revision();
    let cost = (found.cost * space.cost_per_unit()).ceil() as u64;
    push_corridor(found, [0, cost], &mut path);
    path
}

/// A way through links as a path.
fn through_links(linked: &LinkedSpace<'_, NavMeshSpace<'_>>, way: MeshWay) -> Path<PolygonId, u64> {
    let mut path = Path { revision: linked.revision(), ..Path::default() };
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

/// Adds the polygons of a corridor to a path that may end in the first of them. Costs grow evenly
/// from the first to the second.
fn push_corridor(found: &MeshPath, [before, after]: [u64; 2], path: &mut Path<PolygonId, u64>) {
    let last = (found.corridor.len() as u64).saturating_sub(1).max(1);
    for (place, &state) in (0..).zip(&found.corridor) {
        let share = u128::from(after - before) * u128::from(place as u64) / u128::from(last);
        if place > 0 || path.steps.is_empty() {
            path.steps.push(Step { state, action: Action::Walk, cost: before + share as u64 });
        }
    }
}
