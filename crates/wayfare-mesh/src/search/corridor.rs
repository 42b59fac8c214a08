//! A corridor of polygons by A*, and the shortest line within it.

use std::sync::Arc;

use glam::{DVec2, Vec3};
use wayfare_core::search::{GroundDelays, Interruption, Limit, NoPath, Progress, Stats};
use wayfare_core::space::StateId;
use wayfare_core::trace::TraceEventKind;

use super::course::{Begun, Course, Ends, Machine, Run, step};
use super::query::preflight;
use super::scratch::NONE;
use super::{MeshAnswer, MeshOutcome, MeshQuery, MeshScratch, MeshSearch};
use crate::navmesh::build::NO_TWIN;
use crate::navmesh::plan::plan;
use crate::navmesh::{MeshPoint, NavMeshSpace, PolygonId, funnel};
use crate::{MeshEvent, MeshObserver, MeshPath};

/// A corridor of polygons by A* over the middles of edges, and the shortest line within it.
///
/// The library Detour searches in the same way. Areas cost their multipliers. The path is not
/// optimal: the corridor is the cheapest for an agent that walks from middle to middle, and on
/// large polygons another corridor may be much shorter. [`Polyanya`](super::Polyanya) is exact
/// where all ground costs the same, and usually faster.
///
/// Of corridors that cost the same it takes the one whose last edge was reached last. Time O(log n)
/// for each edge that is expanded; memory 16 bytes a corner of the mesh.
///
/// The line is that of the funnel algorithm.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{Corridor, MeshQuery, MeshScratch, MeshSearch};
/// use wayfare::space::navmesh::{AreaId, HeightReach, MeshDraft, NavMesh};
///
/// // Two squares side by side.
/// let places = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0], [4.0, 2.0], [4.0, 0.0]];
/// let mut draft = MeshDraft::new(places.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec());
/// draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
/// draft.push(&[3, 2, 4, 5], AreaId::WALKABLE);
/// let mesh = NavMesh::new(draft)?;
/// let space = mesh.space();
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let mut search = Corridor.search(MeshQuery::new(at(0.5, 1.0), at(3.5, 1.0)));
/// let answer = search.finish(&space, &mut MeshScratch::new(), &mut ());
/// assert_eq!(answer.outcome.path().unwrap().points.len(), 2); // one straight leg
/// # Ok::<(), wayfare::space::navmesh::NavMeshError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Corridor;

impl Corridor {
    /// Returns a search before its first step.
    #[must_use]
    pub fn search(&self, query: MeshQuery) -> CorridorSearch {
        CorridorSearch { query, delays: None, run: Run::new() }
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Ending {
    /// By the edge with that corner in the goal's polygon; [`NONE`] for the start's own.
    Found(u32),
    NoPath(NoPath),
    Limit(Limit),
    Interrupted(Interruption),
}

/// A [`Corridor`] search under way.
#[derive(Clone, Debug)]
pub struct CorridorSearch {
    query: MeshQuery,
    delays: Option<Arc<dyn GroundDelays>>,
    run: Run<Ending>,
}

/// Returns the middle of an edge.
fn middle(space: &NavMeshSpace<'_>, corner: u32) -> DVec2 {
    let corners = &space.layer.corners;
    let ahead = space.mesh().tables.next(corner);
    (corners[corner as usize].place() + corners[ahead as usize].place()) / 2.0
}

impl CorridorSearch {
    /// Returns the same search over ground with delays: both the choice of the corridor and the
    /// cost of the path count them. They have to stay the same until the search is done.
    #[must_use]
    pub fn with_delays(self, delays: Arc<dyn GroundDelays>) -> Self {
        Self { delays: Some(delays), ..self }
    }

    /// Returns the delay along the line to the midpoint of an edge, from the midpoint of another or
    /// the start.
    fn delay(&self, space: &NavMeshSpace<'_>, parent: u32, corner: u32) -> f64 {
        let Some(delays) = &self.delays else { return 0.0 };
        let middle = |at: u32| {
            let tables = &space.mesh().tables;
            let [from, to] =
                portal(space, at).map(|end| tables.vertices[tables.corners[end as usize] as usize]);
            from.midpoint(to)
        };
        let from = if parent == NONE { self.query.start.place } else { middle(parent) };
        delays.along(from, middle(corner))
    }

    /// Reaches the edges of a polygon that was entered at `from`, at the cost `g`, by `parent`.
    fn spread<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
        (polygon, parent): (PolygonId, u32),
        (from, g): (DVec2, f64),
    ) {
        let goal = plan(self.query.goal.place);
        let multiplier = f64::from(space.multiplier(polygon).unwrap_or(1.0));
        let lowest = f64::from(space.layer.lowest);
        for corner in space.mesh().own(polygon) {
            let crossed = space.layer.corners[corner];
            if crossed.twin == NO_TWIN || crossed.twin == parent {
                continue;
            }
            let at = middle(space, crossed.twin);
            let delay = self.delay(space, parent, crossed.twin);
            let cost = g + multiplier * (at - from).length() + delay;
            if scratch.relax(crossed.twin, cost, parent) {
                self.run.stats.generated += 1;
                let h = lowest * (goal - at).length();
                if O::LISTENS {
                    let kind = TraceEventKind::Generate;
                    observer.observe(event(space, crossed.twin, kind, cost, h));
                }
                if cost + h <= self.query.limits.length {
                    scratch.push(cost + h, crossed.twin);
                }
            }
        }
        self.run.stats.heap_peak = self.run.stats.heap_peak.max(scratch.open());
    }

    /// Returns the path whose last edge has that corner in the goal's polygon.
    fn path(&self, space: &NavMeshSpace<'_>, scratch: &mut MeshScratch, last: u32) -> MeshPath {
        let mut path = scratch.path();
        scratch.chain.clear();
        let mut corner = last;
        while corner != NONE {
            scratch.chain.push(corner);
            corner = scratch.door_parent(corner);
        }
        scratch.chain.reverse();
        let owners = &space.mesh().tables.owners;
        path.corridor.push(self.query.start.polygon);
        path.corridor.extend(scratch.chain.iter().map(|&at| PolygonId(owners[at as usize])));
        pull(space, &scratch.chain, &self.query, &mut path);
        if let Some(delays) = &self.delays {
            let along = |from: Vec3, to: Vec3| delays.along(from, to);
            let legs = path.points.windows(2).map(|leg| along(leg[0].place, leg[1].place));
            path.cost += legs.fold(0.0, |sum, delay| sum + delay);
        }
        path.length = path.measured_length();
        path.revision = space.mesh().revision();
        path
    }
}

impl Ends for Ending {
    fn interrupted(interruption: Interruption) -> Self {
        Self::Interrupted(interruption)
    }
}

impl Machine for CorridorSearch {
    type Ending = Ending;

    fn run(&mut self) -> &mut Run<Ending> {
        &mut self.run
    }

    fn begin<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> Begun<Ending> {
        if let Err(reason) = preflight(space, &self.query) {
            return Begun { ticket: 0, ending: Some(Ending::NoPath(reason)) };
        }
        let MeshQuery { start, goal, .. } = self.query;
        let ticket = scratch.begin(0, 0);
        scratch.begin_doors(space.layer.corners.len());
        if start.polygon == goal.polygon {
            return Begun { ticket, ending: Some(Ending::Found(NONE)) };
        }
        let from = (plan(start.place), 0.0);
        self.spread(space, scratch, observer, (start.polygon, NONE), from);
        Begun { ticket, ending: None }
    }

    fn advance<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> Option<Ending> {
        let Some((f, corner)) = scratch.pop() else {
            let is_limited = self.query.limits.length.is_finite();
            let cut = if is_limited {
                Ending::Limit(Limit::Cost)
            } else {
                Ending::NoPath(NoPath::Exhausted)
            };
            return Some(cut);
        };
        let polygon = PolygonId(space.mesh().tables.owners[corner as usize]);
        if polygon == self.query.goal.polygon {
            return Some(Ending::Found(corner));
        }
        let (g, at) = (scratch.door(corner), middle(space, corner));
        let h = f64::from(space.layer.lowest) * (plan(self.query.goal.place) - at).length();
        if g + h < f {
            return None; // reached more cheaply since
        }
        if self.run.stats.expanded == self.query.limits.expansions {
            scratch.push(f, corner);
            return Some(Ending::Limit(Limit::Expansions));
        }
        self.run.stats.expanded += 1;
        if O::LISTENS {
            observer.observe(event(space, corner, TraceEventKind::Expand, g, h));
        }
        self.spread(space, scratch, observer, (polygon, corner), (at, g));
        None
    }
}

/// Returns the edge that a corner enters its polygon by, as left and right corner seen on entering.
fn portal(space: &NavMeshSpace<'_>, corner: u32) -> [u32; 2] {
    [corner, space.mesh().tables.next(corner)]
}

/// Pulls a line taut through the edges of a corridor, and adds up its cost.
fn pull(space: &NavMeshSpace<'_>, edges: &[u32], query: &MeshQuery, path: &mut MeshPath) {
    let corners = &space.layer.corners;
    let ends = |edge: usize| portal(space, edges[edge]).map(|at| corners[at as usize].place());
    let (start, goal) = (plan(query.start.place), plan(query.goal.place));
    path.points.push(query.start);
    let (mut cost, mut settled, mut apex) = (0.0, 0, start);
    funnel::pull(start, goal, edges.len(), ends, |turn| {
        cost += cost_of_leg(space, edges, path, (settled, turn.portal), (turn.from, turn.place));
        settled = turn.portal + 1;
        apex = turn.place;
        path.points.push(bend(space, portal(space, edges[turn.portal])[turn.end]));
    });
    cost += cost_of_leg(space, edges, path, (settled, edges.len()), (apex, goal));
    path.points.push(query.goal);
    path.cost = cost;
}

/// Returns the cost of a shortest path on the areas that it crosses: the cost of the shortest line
/// within its corridor, which has the same length. Allocates where multipliers differ.
pub(super) fn cost(space: &NavMeshSpace<'_>, query: &MeshQuery, path: &MeshPath) -> f64 {
    if let Some(multiplier) = space.layer.uniform {
        return path.length * f64::from(multiplier);
    }
    let (mesh, corners) = (space.mesh(), &space.layer.corners);
    let entries = path.corridor.windows(2).filter_map(|pair| {
        let mut own = mesh.own(pair[1]);
        own.find(|&at| corners[at].twin != NO_TWIN && corners[at].beyond == pair[0].index())
    });
    let edges: Vec<u32> = entries.map(|corner| corner as u32).collect();
    let mut priced = MeshPath { corridor: path.corridor.clone(), ..MeshPath::default() };
    pull(space, &edges, query, &mut priced);
    priced.cost
}

/// Returns the cost of a leg that crosses the edges from `first` to `last`, and ends at `last`.
///
/// The leg is cut where it crosses each edge, never before the cut of the edge before. Where it
/// runs along an edge it is cut as early as possible. So the parts add up to the leg.
fn cost_of_leg(
    space: &NavMeshSpace<'_>,
    edges: &[u32],
    path: &MeshPath,
    (first, last): (usize, usize),
    (from, to): (DVec2, DVec2),
) -> f64 {
    let corners = &space.layer.corners;
    let leg = to - from;
    if leg == DVec2::ZERO {
        return 0.0;
    }
    // Shares of the leg.
    let (mut cut, mut weighted) = (0.0_f64, 0.0);
    for edge in first..=last {
        let next = match edges.get(edge).filter(|_| edge < last) {
            None => 1.0,
            Some(&corner) => {
                let [a, b] = portal(space, corner).map(|at| corners[at as usize].place());
                let across = leg.perp_dot(b - a);
                if across == 0.0 {
                    let [s, t] = [a, b].map(|end| (end - from).dot(leg) / leg.length_squared());
                    cut.clamp(s.min(t), s.max(t))
                } else {
                    (a - from).perp_dot(b - a) / across
                }
            }
        };
        let next = next.clamp(cut, 1.0);
        let multiplier = space.multiplier(path.corridor[edge]).unwrap_or(1.0);
        weighted += (next - cut) * f64::from(multiplier);
        cut = next;
    }
    weighted * leg.length()
}

/// Returns the turning point at a corner.
pub(super) fn bend(space: &NavMeshSpace<'_>, corner: u32) -> MeshPoint {
    let tables = &space.mesh().tables;
    let vertex = tables.corners[corner as usize];
    let polygon = PolygonId(tables.owners[corner as usize]);
    MeshPoint { polygon, place: tables.vertices[vertex as usize] }
}

/// Returns an event of an edge: the interval is all of it, seen from its middle.
fn event(space: &NavMeshSpace<'_>, corner: u32, kind: TraceEventKind, g: f64, h: f64) -> MeshEvent {
    let owners = &space.mesh().tables.owners;
    let of_world = |place: DVec2| DVec2::new(place.x, -place.y);
    let [left, right] =
        portal(space, corner).map(|at| of_world(space.layer.corners[at as usize].place()));
    MeshEvent {
        kind,
        polygon: PolygonId(owners[corner as usize]),
        from: PolygonId(space.layer.corners[corner as usize].beyond),
        root: of_world(middle(space, corner)),
        left,
        right,
        g,
        h,
    }
}

impl MeshSearch for CorridorSearch {
    fn stats(&self) -> Stats {
        self.run.stats
    }

    fn work(&self) -> u64 {
        self.run.work()
    }

    fn step<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
        budget: u64,
    ) -> Progress {
        step(self, space, scratch, observer, budget)
    }

    fn answer(&mut self, space: &NavMeshSpace<'_>, scratch: &mut MeshScratch) -> MeshAnswer {
        let mut alone = || {
            let mut nearest = scratch.path();
            nearest.points.push(self.query.start);
            nearest.corridor.push(self.query.start.polygon);
            nearest
        };
        let outcome = match self.run.course {
            Course::Ended { ending: Ending::Interrupted(interruption), .. } => {
                MeshOutcome::Interrupted(interruption)
            }
            Course::Ended { ending: Ending::NoPath(reason @ NoPath::Start(_)), .. } => {
                MeshOutcome::Unreachable { reason, nearest: MeshPath::default() }
            }
            Course::Ended { ending: Ending::NoPath(reason), .. } => {
                MeshOutcome::Unreachable { reason, nearest: alone() }
            }
            Course::Ended { ending: Ending::Limit(limit), .. } => {
                MeshOutcome::LimitReached { limit, nearest: alone() }
            }
            Course::Fresh | Course::Working { .. } => {
                MeshOutcome::LimitReached { limit: Limit::Expansions, nearest: alone() }
            }
            Course::Ended { ticket, ending: Ending::Found(_) } if !scratch.serves(ticket) => {
                MeshOutcome::Interrupted(Interruption::ScratchReused)
            }
            Course::Ended { ending: Ending::Found(last), .. } => {
                MeshOutcome::Found(self.path(space, scratch, last))
            }
        };
        MeshAnswer { outcome, stats: self.run.stats }
    }
}
