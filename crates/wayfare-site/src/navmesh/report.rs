//! Reports of searches on a mesh, with their paths checked.

use wayfare::link::{CrossedLink, MeshStretch, MeshWay};
use wayfare::navigate::{Coverage, EngineId, Reason, Took, work};
use wayfare::path::{MeshPath, Polyline, validate_mesh_path};
use wayfare::search::{Guarantee, MeshAnswer, MeshOutcome, MeshQuery, NoPath, Stats};
use wayfare::space::navmesh::{MESH_COST_PER_METRE, MeshPoint};
use wayfare::space::{Action, StateId};

use super::points::MeshWorld;
use crate::trace::Recorder;
use crate::{Ending, EngineName, PathStep, SearchReport, SearchRequest};

/// Returns the answer to a query that cannot be asked.
pub(super) fn refusal(reason: NoPath) -> MeshAnswer {
    let outcome = MeshOutcome::Unreachable { reason, nearest: MeshPath::default() };
    MeshAnswer { outcome, stats: Stats::default() }
}

/// Returns the report of an answer, with the path checked.
pub(super) fn report(
    world: &MeshWorld,
    request: &SearchRequest,
    query: Option<MeshQuery>,
    answer: MeshAnswer,
    recorder: Recorder,
) -> SearchReport {
    let space = world.space();
    let MeshAnswer { outcome, stats } = answer;
    let ending = match &outcome {
        MeshOutcome::Found(_) => Ending::Found,
        MeshOutcome::Unreachable { reason, .. } => Ending::NoPath(*reason),
        MeshOutcome::LimitReached { limit, .. } => Ending::Limit(*limit),
        MeshOutcome::Interrupted(interruption) => Ending::Interrupted(*interruption),
    };
    let fault = match (outcome.path(), query) {
        (Some(path), Some(query)) => {
            validate_mesh_path(&space, path, query.start, query.goal).err()
        }
        _ => None,
    };
    let path = outcome.into_path();
    let mut cost = 0.0;
    let mut before = path.points.first().map(|point| point.place);
    let steps = path.points.iter().enumerate().map(|(number, point)| {
        let last = before.replace(point.place).unwrap_or(point.place);
        let leg = (point.place - last).as_dvec3();
        cost += (leg.x * leg.x + leg.z * leg.z).sqrt() * MESH_COST_PER_METRE as f64;
        let is_end = ending == Ending::Found && number + 1 == path.points.len();
        let state = match number {
            0 => request.ends.start,
            _ if is_end => request.ends.goal,
            _ => world.state_of(*point),
        };
        PathStep { state, cost: cost.round() as u64, action: Action::Walk }
    });
    let steps: Vec<PathStep> = steps.collect();
    let corridor = path.corridor.iter().map(|polygon| polygon.index()).collect();
    let (length, fault) = (path.length, fault.map(|fault| fault.to_string()));
    let walked = Walked { path: steps, corridor, length, fault };
    filed(request, ending, walked, stats, recorder)
}

/// Returns the report of an answer of the index, with the path checked.
pub(super) fn index_report(
    world: &MeshWorld,
    request: &SearchRequest,
    query: MeshQuery,
    answer: MeshAnswer,
) -> SearchReport {
    let report = report(world, request, Some(query), answer, Recorder::new(false));
    if report.ending != Ending::Found {
        return report; // the ends alone show that there is no path
    }
    let work = work::of_reading(report.corridor.len());
    let took = Took::optimal(EngineId::Index, Reason::Prepared, work);
    let chosen_because = Some(took.reason.to_string());
    SearchReport { method: EngineName::Index.name(), took, chosen_because, trace: None, ..report }
}

/// Returns the report of a path through links, with its stretches checked.
pub(super) fn way_report(
    world: &MeshWorld,
    request: &SearchRequest,
    way: &MeshWay,
    stats: Stats,
    recorder: Recorder,
) -> SearchReport {
    let space = world.space();
    let (path, corridor) = (Vec::new(), Vec::new());
    let mut walked = Walked { path, corridor, length: way.length(), fault: None };
    let (mut before, mut entered) = (0, Action::Walk);
    for stretch in &way.stretches {
        let points = &stretch.path.points;
        let (Some(&first), Some(&last)) = (points.first(), points.last()) else { continue };
        walked.corridor.extend(stretch.path.corridor.iter().map(|polygon| polygon.index()));
        let fault = validate_mesh_path(&space, &stretch.path, first, last).err();
        walked.fault = walked.fault.or(fault.map(|fault| fault.to_string()));
        let corners = corners(stretch);
        for (number, &Corner { point, cost }) in corners.iter().enumerate() {
            let is_goal = number + 1 == corners.len() && stretch.link.is_none();
            let state = match (walked.path.is_empty(), is_goal) {
                (true, _) => request.ends.start,
                (_, true) => request.ends.goal,
                _ => world.state_of(point),
            };
            let action = if number == 0 { entered } else { Action::Walk };
            // A link may begin where the path or another link ends.
            let is_new = walked.path.last().is_none_or(|step| step.state != state);
            if is_new || action != Action::Walk {
                walked.path.push(PathStep { state, cost: before + cost, action });
            }
        }
        before += stretch.cost;
        if let Some(CrossedLink { link, cost }) = stretch.link {
            before += cost;
            entered = Action::Link(link.0);
        }
    }
    filed(request, Ending::Found, walked, stats, recorder)
}

/// A point of a stretch, with the cost of the stretch up to there.
struct Corner {
    point: MeshPoint,
    cost: u64,
}

/// Returns the points of a stretch, each with the cost up to it, in proportion to the length.
/// Repeated points are omitted; the last one is always kept.
fn corners(stretch: &MeshStretch) -> Vec<Corner> {
    let MeshStretch { path: MeshPath { points, length, .. }, cost, .. } = stretch;
    let mut corners: Vec<Corner> = Vec::with_capacity(points.len());
    let mut along = 0.0;
    for (number, &point) in points.iter().enumerate() {
        let is_last = number + 1 == points.len();
        if let Some(before) = corners.last().map(|corner| corner.point.place) {
            if before == point.place && !is_last {
                continue;
            }
            along += (point.place - before).with_y(0.0).as_dvec3().length();
        }
        let share = (along / length.max(f64::MIN_POSITIVE) * *cost as f64) as u64;
        corners.push(Corner { point, cost: if is_last { *cost } else { share } });
    }
    corners
}

/// A path as a report has it.
struct Walked {
    path: Vec<PathStep>,
    corridor: Vec<u32>,
    length: f64,
    fault: Option<String>,
}

/// Returns the report of a search.
fn filed(
    request: &SearchRequest,
    ending: Ending,
    walked: Walked,
    stats: Stats,
    recorder: Recorder,
) -> SearchReport {
    let engine = match request.engine {
        EngineName::Corridor => EngineName::Corridor,
        _ => EngineName::Polyanya,
    };
    let took = Took {
        engine: if stats.expanded == 0 && ending != Ending::Found {
            EngineId::Preflight
        } else {
            EngineId::Search
        },
        reason: Reason::NothingElseSuits,
        guarantee: engine.guarantee(),
        loss_bound: if engine.guarantee() == Guarantee::Optimal { 1.0 } else { f32::INFINITY },
        coverage: Coverage::Whole,
        work: stats.expanded,
    };
    SearchReport {
        method: engine.name(),
        took,
        ending,
        path: walked.path,
        corridor: walked.corridor,
        length: walked.length,
        stats,
        chosen_because: None,
        refused: None,
        elapsed: std::time::Duration::ZERO,
        scratch_bytes: 0,
        trace: recorder.whole(),
        fault: walked.fault,
        refined: None::<Polyline>,
        sectors: None,
    }
}
