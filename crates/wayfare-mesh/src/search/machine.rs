//! Polyanya: shortest paths at any angle on navigation meshes.

use glam::{DVec2, Vec2};
use wayfare_core::search::{Interruption, Limit, NoPath, Progress, Stats};
use wayfare_core::trace::TraceEventKind;

use super::corridor::{bend, cost};
use super::course::{Begun, Course, Ends, Machine, Run, step};
use super::expansion::{Best, Expansion};
use super::query::preflight;
use super::scratch::{NONE, Node, Root};
use super::{MeshAnswer, MeshOutcome, MeshQuery, MeshScratch, MeshSearch};
use crate::navmesh::build::NO_TWIN;
use crate::navmesh::plan::{plan, turn};
use crate::navmesh::{MeshPoint, NavMeshSpace, PolygonId};
use crate::{MeshEvent, MeshObserver, MeshPath};

/// A shortest path between two points of a mesh, at any angle.
///
/// Searches intervals of edges instead of states: a node is the part of an edge that one turning
/// point sees. Exact where all ground that can be entered has one multiplier; areas that cannot be
/// entered are walls. Where multipliers differ, the path is the shortest one, not always the
/// cheapest; its cost is that of the areas it crosses.
///
/// Lengths are measured from above. Of several shortest paths it returns the first found, which is
/// the same on every run and target.
///
/// Time: O(log n) for each interval; memory about 80 bytes an interval. Only the blocks of the mesh
/// between start and goal are searched.
///
/// Source: Cui, Harabor and Grastien, "Compromise-free Pathfinding on a Navigation Mesh" (2017).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
/// use wayfare::space::navmesh::{AreaId, HeightReach, MeshDraft, NavMesh};
///
/// // An L of two rectangles, 1 m wide: along z, then along x.
/// let places = [[0.0, 0.0], [0.0, 3.0], [1.0, 3.0], [1.0, 2.0], [1.0, 0.0], [4.0, 3.0], [4.0, 2.0]];
/// let mut draft = MeshDraft::new(places.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec());
/// draft.push(&[0, 1, 2, 3, 4], AreaId::WALKABLE);
/// draft.push(&[3, 2, 5, 6], AreaId::WALKABLE);
/// let mesh = NavMesh::new(draft)?;
/// let space = mesh.space();
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let mut search = Polyanya.search(MeshQuery::new(at(1.0, 1.0), at(2.0, 2.0)));
/// let answer = search.finish(&space, &mut MeshScratch::new(), &mut ());
/// let path = answer.outcome.path().unwrap();
/// assert_eq!((path.points.len(), path.length), (3, 2.0)); // around the corner at (1, 2)
/// # Ok::<(), wayfare::space::navmesh::NavMeshError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Polyanya;

impl Polyanya {
    /// Returns a search before its first step.
    #[must_use]
    pub fn search(&self, query: MeshQuery) -> PolyanyaSearch {
        PolyanyaSearch {
            query,
            aim: DVec2::ZERO,
            best: Best::NONE,
            held: NONE,
            closest: (f64::INFINITY, NONE),
            is_cut: false,
            entered: 0,
            run: Run::new(),
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Ending {
    /// Start and goal see each other across no edge, or across edges the start lies on.
    Straight,
    Found,
    NoPath(NoPath),
    Limit(Limit),
    Interrupted(Interruption),
}

/// A [`Polyanya`] search under way.
#[derive(Clone, Debug)]
pub struct PolyanyaSearch {
    query: MeshQuery,
    /// The goal's point for the search.
    aim: DVec2,
    best: Best,
    /// The node to be expanded before all nodes on the heap, if any.
    held: u32,
    /// The squared distance to the goal of the nearest root of an expanded node, and that node.
    closest: (f64, u32),
    /// Whether a node was left out as too long.
    is_cut: bool,
    /// A sum over the blocks that the search may enter.
    entered: u64,
    run: Run<Ending>,
}

impl PolyanyaSearch {
    /// Puts new nodes on the heap, but keeps back the one that is to be expanded next: the only
    /// one, or the shortest if no other on the heap is shorter.
    ///
    /// A node without siblings is kept back at any length: in a corridor nothing is estimated.
    fn take_in<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
        first: usize,
    ) {
        let end = scratch.nodes.len() as u32;
        let first = first as u32;
        self.run.stats.generated += u64::from(end - first);
        let (goal, mut best) = (self.query.goal, self.best);
        let work = Expansion::new(space, scratch, self.aim, goal.polygon.0, &mut best);
        if O::LISTENS {
            for node in first..end {
                observer.observe(event(&work, node, TraceEventKind::Generate));
            }
        }
        let (longest, found) = (self.query.limits.length, self.best);
        if end - first == 1 && found.node == NONE && longest == f64::INFINITY {
            self.held = first;
            return;
        }
        let mut held = (f64::INFINITY, NONE);
        for node in first..end {
            if node == found.node {
                continue;
            }
            let f = work.estimate(node);
            if f > longest {
                self.is_cut = true;
            } else if f < found.length {
                let longer =
                    if f < held.0 { std::mem::replace(&mut held, (f, node)) } else { (f, node) };
                if longer.1 != NONE {
                    work.scratch.push(longer.0, longer.1);
                }
            }
        }
        if held.1 != NONE {
            if held.0 <= work.scratch.least() {
                self.held = held.1;
            } else {
                work.scratch.push(held.0, held.1);
            }
        }
        self.run.stats.heap_peak = self.run.stats.heap_peak.max(scratch.open());
    }

    /// Returns how a search ends when nothing is left that could be shorter.
    fn verdict(&self) -> Ending {
        if self.best.node == NONE {
            return match self.is_cut {
                true => Ending::Limit(Limit::Cost),
                false => Ending::NoPath(NoPath::Exhausted),
            };
        }
        if self.best.length > self.query.limits.length {
            return Ending::Limit(Limit::Cost);
        }
        Ending::Found
    }
}

impl Ends for Ending {
    fn interrupted(interruption: Interruption) -> Self {
        Self::Interrupted(interruption)
    }
}

impl Machine for PolyanyaSearch {
    type Ending = Ending;

    fn run(&mut self) -> &mut Run<Ending> {
        &mut self.run
    }

    /// Begins a search: preflight, blocks, the start's intervals.
    fn begin<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> Begun<Ending> {
        if let Err(reason) = preflight(space, &self.query) {
            return Begun { ticket: 0, ending: Some(Ending::NoPath(reason)) };
        }
        let (start, goal) = (self.query.start, self.query.goal);
        let blocks = &space.layer.blocks;
        let (fans, polygons) = (space.layer.fan_bound(), space.mesh().bound());
        let ticket = scratch.begin(fans, blocks.bound());
        scratch.grow(fans, blocks.bound(), polygons);
        scratch.look(start.polygon.0);
        scratch.look(goal.polygon.0);
        let straight = (plan(goal.place) - plan(start.place)).length();
        let straight = match straight > self.query.limits.length {
            true => Ending::Limit(Limit::Cost),
            false => Ending::Straight,
        };
        if start.polygon == goal.polygon {
            return Begun { ticket, ending: Some(straight) };
        }
        self.aim = inner_place(space, goal).as_dvec2();
        blocks.between(start.polygon.0, goal.polygon.0, |block| {
            scratch.allow(block);
            self.entered = self.entered.wrapping_add(scattered(block));
        });
        let mut work = Expansion::new(space, scratch, self.aim, goal.polygon.0, &mut self.best);
        let is_straight = work.begin(inner_place(space, start), start.polygon.0);
        if !is_straight {
            self.take_in(space, scratch, observer, 0);
        }
        Begun { ticket, ending: is_straight.then_some(straight) }
    }

    #[inline]
    fn advance<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> Option<Ending> {
        let held = std::mem::replace(&mut self.held, NONE);
        let index = match held {
            NONE => match scratch.pop() {
                Some((f, index)) if f < self.best.length => index,
                _ => return Some(self.verdict()),
            },
            held => held,
        };
        let root = scratch.roots[scratch.nodes[index as usize].root as usize];
        if held == NONE && root.corner != NONE {
            let fan = space.layer.corners[root.corner as usize].fan;
            if !scratch.is_shortest(fan, root.g) {
                return None; // a shorter way to the root was found since
            }
        }
        let (goal, aim) = (self.query.goal, self.aim);
        if held == NONE
            && Expansion::new(space, scratch, aim, goal.polygon.0, &mut self.best).is_beaten(index)
        {
            return None;
        }
        if self.run.stats.expanded == self.query.limits.expansions {
            self.held = index;
            return Some(Ending::Limit(Limit::Expansions));
        }
        self.run.stats.expanded += 1;
        let first = scratch.nodes.len();
        let distance = (aim - root.place.as_dvec2()).length_squared();
        if distance < self.closest.0 {
            self.closest = (distance, index);
        }
        let mut work = Expansion::new(space, scratch, aim, goal.polygon.0, &mut self.best);
        if O::LISTENS {
            observer.observe(event(&work, index, TraceEventKind::Expand));
        }
        work.expand(index);
        if scratch.nodes.len() > first {
            self.take_in(space, scratch, observer, first);
        }
        None
    }
}

/// Returns the raster point that stands for a point in searches: the nearest one in its polygon.
///
/// A point on an edge is rounded to either side. Beyond a wall its view would be wrong, so it is
/// moved towards the centre of the polygon, by at most a thousandth of the distance.
pub fn inner_place(space: &NavMeshSpace<'_>, point: MeshPoint) -> Vec2 {
    let (layer, mesh) = (&space.layer, space.mesh());
    let own = mesh.own(point.polygon);
    let is_inside = |at: Vec2| {
        own.clone().all(|corner| {
            let ahead = mesh.tables.next(corner as u32) as usize;
            let (a, b) = (layer.corners[corner].place(), layer.corners[ahead].place());
            turn(a, b, at.as_dvec2()) >= 0.0
        })
    };
    let place = mesh.tables.raster.place(point.place);
    let towards_middle = |part: u32| {
        let moved = point.place.lerp(mesh.middle(point.polygon), 1.0 / (1_u32 << part) as f32);
        mesh.tables.raster.place(moved)
    };
    let mut places = std::iter::once(place).chain((10..=20).rev().map(towards_middle));
    places.find(|&place| is_inside(place)).unwrap_or(place)
}

/// Returns an event of a node.
fn event(work: &Expansion<'_>, index: u32, kind: TraceEventKind) -> MeshEvent {
    let node = work.scratch.nodes[index as usize];
    let root = work.scratch.roots[node.root as usize];
    let (left, right) = work.ends(&node);
    let tables = &work.space.mesh().tables;
    let twin = work.space.layer.corners[node.corner as usize].twin;
    let from = PolygonId(tables.owners[twin as usize]);
    let polygon = PolygonId(tables.owners[node.corner as usize]);
    let of_world = |place: DVec2| DVec2::new(place.x, -place.y);
    MeshEvent {
        kind,
        polygon,
        from,
        root: of_world(root.place.as_dvec2()),
        left: of_world(left),
        right: of_world(right),
        g: root.g,
        h: work.estimate(index) - root.g,
    }
}

impl MeshSearch for PolyanyaSearch {
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
        let stats = self.run.stats;
        let outcome = match self.run.course {
            Course::Fresh => {
                let mut nearest = scratch.path();
                nearest.points.push(self.query.start);
                MeshOutcome::LimitReached { limit: Limit::Expansions, nearest }
            }
            Course::Ended { ending: Ending::Interrupted(interruption), .. } => {
                MeshOutcome::Interrupted(interruption)
            }
            Course::Ended { ending: Ending::NoPath(reason), .. } => {
                let mut nearest = scratch.path();
                if !matches!(reason, NoPath::Start(_)) {
                    nearest.points.push(self.query.start);
                    nearest.corridor.push(self.query.start.polygon);
                }
                MeshOutcome::Unreachable { reason, nearest }
            }
            Course::Working { ticket, .. } | Course::Ended { ticket, .. }
                if !scratch.serves(ticket) =>
            {
                MeshOutcome::Interrupted(Interruption::ScratchReused)
            }
            Course::Ended { ending: Ending::Straight, .. } => {
                let mut path = scratch.path();
                path.points.extend([self.query.start, self.query.goal]);
                self.complete(space, scratch, &mut path, NONE);
                MeshOutcome::Found(path)
            }
            Course::Ended { ending: Ending::Found, .. } => {
                let mut path = scratch.path();
                self.trace_back(space, scratch, &mut path);
                self.complete(space, scratch, &mut path, self.best.node);
                MeshOutcome::Found(path)
            }
            Course::Ended { ending: Ending::Limit(limit), .. } => {
                MeshOutcome::LimitReached { limit, nearest: self.partial(space, scratch) }
            }
            Course::Working { .. } => MeshOutcome::LimitReached {
                limit: Limit::Expansions,
                nearest: self.partial(space, scratch),
            },
        };
        MeshAnswer { outcome, stats }
    }
}

impl PolyanyaSearch {
    /// Continues the search after an edit if it has looked at nothing that the edit changed; then
    /// it does the same as a search that begins now. Returns whether it continues. `affected` has
    /// all polygons that [`LiveMesh::affected`](crate::navmesh::LiveMesh::affected) told
    /// since the last step.
    ///
    /// # Why it may continue
    ///
    /// A search reads the corners of the polygons that its nodes enter, of those around the
    /// vertices where it tried to turn, and of those that the start touches. Polygons that are not
    /// affected keep their indices and corners. Their fans get other indices only at a vertex of an
    /// affected polygon, so all polygons around these count too. The blocks that the search may
    /// enter must also be the same.
    ///
    /// O(nodes since the last edit + affected polygons · polygons around them).
    pub fn adopt(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        affected: &[PolygonId],
    ) -> bool {
        let Course::Working { ticket, .. } = self.run.course else {
            return self.run.course == Course::Fresh;
        };
        if !scratch.serves(ticket) {
            return false;
        }
        scratch.look_at_nodes();
        if affected.iter().any(|&polygon| has_looked_around(space, scratch, polygon)) {
            return false;
        }
        let (start, goal) = (self.query.start.polygon.0, self.query.goal.polygon.0);
        let blocks = &space.layer.blocks;
        scratch.grow(space.layer.fan_bound(), blocks.bound(), space.mesh().bound());
        let (mut entered, mut is_known) = (0_u64, true);
        blocks.between(start, goal, |block| {
            entered = entered.wrapping_add(scattered(block));
            is_known &= scratch.allows(block);
        });
        if !is_known || entered != self.entered {
            return false;
        }
        self.run.course = Course::Working { ticket, revision: space.mesh().revision() };
        true
    }

    /// Returns the path as far as the root that is nearest to the goal. The corridor goes on to the
    /// polygon that is entered by an interval that the root sees.
    fn partial(&self, space: &NavMeshSpace<'_>, scratch: &mut MeshScratch) -> MeshPath {
        let mut path = scratch.path();
        self.push_corridor(space, scratch, &mut path, self.closest.1);
        let mut root = scratch.nodes.get(self.closest.1 as usize).map_or(NONE, |node| node.root);
        while root != NONE {
            let Root { corner, parent, .. } = scratch.roots[root as usize];
            path.points.push(match corner {
                NONE => self.query.start,
                corner => bend(space, corner),
            });
            root = parent;
        }
        if path.points.is_empty() {
            path.points.push(self.query.start);
        }
        path.points.reverse();
        path.length = path.measured_length();
        path.cost = path.length * f64::from(space.layer.lowest);
        path.revision = space.mesh().revision();
        path
    }

    /// Returns the points of the path that was found.
    fn trace_back(&self, space: &NavMeshSpace<'_>, scratch: &MeshScratch, path: &mut MeshPath) {
        path.points.push(self.query.goal);
        if self.best.corner != NONE {
            path.points.push(bend(space, self.best.corner));
        }
        let mut root = scratch.nodes[self.best.node as usize].root;
        while root != NONE {
            let Root { corner, parent, .. } = scratch.roots[root as usize];
            path.points.push(match corner {
                NONE => self.query.start,
                corner => bend(space, corner),
            });
            root = parent;
        }
        path.points.reverse();
    }

    /// Returns the corridor and the length of a path whose last interval is that of `node`.
    fn complete(
        &self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        path: &mut MeshPath,
        node: u32,
    ) {
        let polygon = self.push_corridor(space, scratch, path, node);
        if polygon != self.query.goal.polygon {
            // Both touch the start.
            bridge(space, scratch, path, (polygon, self.query.goal.polygon), (0, NONE));
        }
        path.length = path.measured_length();
        path.cost = cost(space, &self.query, path);
        path.revision = space.mesh().revision();
    }

    /// Adds the polygons from the start to that which `node` enters, the last one. Returns that
    /// one.
    fn push_corridor(
        &self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        path: &mut MeshPath,
        node: u32,
    ) -> PolygonId {
        scratch.chain.clear();
        let mut at = node;
        while at != NONE {
            scratch.chain.push(at);
            at = scratch.nodes[at as usize].parent;
        }
        let tables = &space.mesh().tables;
        let mut polygon = self.query.start.polygon;
        path.corridor.push(polygon);
        let mut seen_by = NONE;
        while let Some(index) = scratch.chain.pop() {
            let Node { corner, root, .. } = scratch.nodes[index as usize];
            let twin = space.layer.corners[corner as usize].twin;
            let exit = PolygonId(tables.owners[twin as usize]);
            if exit != polygon {
                bridge(space, scratch, path, (polygon, exit), (root, seen_by));
            }
            polygon = PolygonId(tables.owners[corner as usize]);
            path.corridor.push(polygon);
            seen_by = root;
        }
        polygon
    }
}

/// Returns a hash of a block that seldom collides in sums.
fn scattered(block: u32) -> u64 {
    let mixed = (u64::from(block) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Returns whether a search has looked at a polygon, or at one that shares a fan with it.
fn has_looked_around(space: &NavMeshSpace<'_>, scratch: &MeshScratch, polygon: PolygonId) -> bool {
    if scratch.has_looked(polygon.0) {
        return true;
    }
    let (tables, corners) = (&space.mesh().tables, &space.layer.corners);
    // From a corner around its vertex, as far as a wall.
    let beside = |at: u32, is_clockwise: bool| match is_clockwise {
        true => Some(corners[at as usize].twin)
            .filter(|&twin| twin != NO_TWIN)
            .map(|twin| tables.next(twin)),
        false => Some(corners[tables.previous(at) as usize].twin).filter(|&twin| twin != NO_TWIN),
    };
    space.mesh().own(polygon).any(|corner| {
        let corner = corner as u32;
        [true, false].into_iter().any(|is_clockwise| {
            let mut at = corner;
            while let Some(next) = beside(at, is_clockwise).filter(|&next| next != corner) {
                if scratch.has_looked(tables.owners[next as usize]) {
                    return true;
                }
                at = next;
            }
            false
        })
    })
}

/// Appends the polygons between two to a corridor: the polygons around the roots from the first of
/// `roots` back to the second.
fn bridge(
    space: &NavMeshSpace<'_>,
    scratch: &mut MeshScratch,
    path: &mut MeshPath,
    (from, to): (PolygonId, PolygonId),
    (root, last): (u32, u32),
) {
    scratch.begin_round(space.mesh().bound());
    scratch.see(from.0);
    scratch.links.push((from.0, NONE));
    let touches = |scratch: &MeshScratch, a: DVec2, b: DVec2| {
        let mut root = root;
        loop {
            let Root { place, parent, .. } = scratch.roots[root as usize];
            let at = place.as_dvec2();
            if turn(at, a, b) <= 0.0 && (a - at).dot(b - at) <= 0.0 {
                return true;
            }
            if parent == NONE || parent == last {
                return false;
            }
            root = parent;
        }
    };
    let (tables, corners) = (&space.mesh().tables, &space.layer.corners);
    let mut index = 0;
    while let Some(&(polygon, _)) = scratch.links.get(index) {
        for corner in space.mesh().own(PolygonId(polygon)) {
            let twin = corners[corner].twin;
            if twin == NO_TWIN {
                continue;
            }
            let ahead = tables.next(corner as u32) as usize;
            let next = tables.owners[twin as usize];
            if touches(scratch, corners[corner].place(), corners[ahead].place())
                && scratch.see(next)
            {
                scratch.links.push((next, index as u32));
            }
        }
        index += 1;
        if scratch.links.last().is_some_and(|(polygon, _)| *polygon == to.0) {
            break;
        }
    }
    let begin = path.corridor.len();
    let mut at = scratch.links.iter().position(|(polygon, _)| *polygon == to.0).unwrap_or(0) as u32;
    while at != 0 && at != NONE {
        let (polygon, parent) = scratch.links[at as usize];
        path.corridor.push(PolygonId(polygon));
        at = parent;
    }
    path.corridor[begin..].reverse();
}
