//! Queries to an index of a mesh.

use glam::DVec2;
use wayfare_core::search::NoPath;
use wayfare_mesh::MeshPath;
use wayfare_mesh::inside::{BaseId, mesh_inner_place, mesh_preflight};
use wayfare_mesh::navmesh::{MeshPoint, NavMeshSpace, PolygonId};
use wayfare_mesh::search::{MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};

use super::build::{MeshIndex, OtherMesh, check, fingerprint};
use super::edited::{EditedMesh, Ground};
use super::walk::{Target, walk};
use crate::index::labels::Hub;

/// A mesh together with its index. Cheap to copy. It borrows the mesh, so the mesh cannot be edited
/// while it exists.
///
/// Example: [`MeshIndex`].
#[derive(Clone, Copy, Debug)]
pub struct IndexedMesh<'m> {
    index: &'m MeshIndex,
    pub(super) space: NavMeshSpace<'m>,
    /// The mesh as a base of edits.
    base: BaseId,
}

/// The working memory of queries to indexes of meshes: owned by the caller, one per thread, usable
/// with any index.
///
/// It grows to 8 bytes a bend and the length of a path; further queries allocate nothing.
///
/// Example: [`MeshIndex`].
#[derive(Debug, Default)]
pub struct MeshIndexScratch {
    /// The least cost from the start to each hub, plus `base`. Entries of earlier queries are
    /// larger than any cost of the present one.
    reached: Vec<u64>,
    base: u64,
    starts: Vec<End>,
    goals: Vec<End>,
    /// The nodes of the path.
    nodes: Vec<u32>,
    spare: MeshPath,
    search: MeshScratch,
    searched: u64,
}

/// A node in sight of one end of the query.
#[derive(Clone, Copy, Debug)]
struct End {
    /// A lower bound on the cost of a path through the node.
    least: u64,
    /// The cost between the node and the end.
    cost: u64,
    node: u32,
}

/// More than any path costs: a path is a sum of four costs of 32 bits each.
const FAR: u64 = 1 << 34;

impl MeshIndexScratch {
    /// Returns a scratch without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes back a path that is no longer needed. The next query reuses its memory.
    pub fn recycle(&mut self, path: MeshPath) {
        self.spare = path;
    }

    /// Returns the count of queries that [`Polyanya`] had to answer. On the indexed mesh: where
    /// polygons are not quite convex, rounding may hide a line from the index. On an
    /// [`EditedMesh`]: where edits bar the path.
    #[must_use]
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// Returns the memory of the scratch, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        8 * self.reached.capacity()
            + size_of::<End>() * (self.starts.capacity() + self.goals.capacity())
            + 4 * self.nodes.capacity()
            + size_of::<MeshPoint>() * self.spare.points.capacity()
            + size_of::<PolygonId>() * self.spare.corridor.capacity()
            + self.search.bytes()
    }

    /// Answers by a search.
    pub(super) fn search(
        &mut self,
        space: &NavMeshSpace<'_>,
        start: MeshPoint,
        goal: MeshPoint,
    ) -> MeshOutcome {
        self.searched += 1;
        self.search.recycle(std::mem::take(&mut self.spare));
        let mut search = Polyanya.search(MeshQuery::new(start, goal));
        search.finish(space, &mut self.search, &mut ()).outcome
    }

    /// Forgets the previous query: see [`IndexScratch`](crate::index::IndexScratch).
    fn begin(&mut self, nodes: usize) {
        if self.reached.len() < nodes || self.base < FAR {
            self.reached.clear();
            self.reached.resize(nodes, u64::MAX / 2);
            self.base = u64::MAX / 4;
        }
        self.base -= FAR;
        self.starts.clear();
        self.goals.clear();
        self.nodes.clear();
    }
}

/// A shortest path by nodes: from the start to node `first`, through `hub` to node `last`, and on
/// to the goal.
#[derive(Clone, Copy, Debug)]
struct Over {
    first: u32,
    hub: u32,
    last: u32,
}

impl MeshIndex {
    /// Pairs the index with the mesh that it was built for.
    ///
    /// Compares a fingerprint of the whole mesh with the indexed one: O(corners). Do it once after
    /// building or loading and keep the result.
    ///
    /// # Errors
    /// If the mesh, or the part that the profile can enter, differs from the indexed one.
    pub fn of<'m>(&'m self, space: &NavMeshSpace<'m>) -> Result<IndexedMesh<'m>, OtherMesh> {
        if check(space).is_err() || fingerprint(space) != self.fingerprint {
            return Err(OtherMesh);
        }
        Ok(self.assumed_of(space, BaseId::of(space.mesh())))
    }

    /// Returns the index with a mesh that [`MeshIndex::of`] accepted in this revision, and its id
    /// as a base.
    pub(crate) fn assumed_of<'m>(
        &'m self,
        space: &NavMeshSpace<'m>,
        base: BaseId,
    ) -> IndexedMesh<'m> {
        IndexedMesh { index: self, space: *space, base }
    }
}

impl<'m> IndexedMesh<'m> {
    /// Returns the id of the mesh as a base.
    pub(crate) fn base(&self) -> BaseId {
        self.base
    }

    /// Returns the mesh as a space.
    #[must_use]
    pub fn space(&self) -> &NavMeshSpace<'m> {
        &self.space
    }

    /// Returns the index for this mesh after edits: see [`EditedMesh`]. O(1).
    ///
    /// # Errors
    /// If `space` is not of a [`LiveMesh`](wayfare_mesh::navmesh::LiveMesh) with this mesh as its
    /// base, in the same profile.
    pub fn edited<'e>(&self, space: &NavMeshSpace<'e>) -> Result<EditedMesh<'e>, OtherMesh>
    where
        'm: 'e,
    {
        EditedMesh::new(*self, *space)
    }

    /// Returns a shortest path between two points, with the polygons that it crosses.
    ///
    /// If there is none, the reason is the one that searches give, and `nearest` is the start
    /// alone. O(v + c · k) for v views of the polygons of the ends, c bends in sight of them and k
    /// hubs of each, plus O(corners of the polygons crossed).
    pub fn path(
        &self,
        start: MeshPoint,
        goal: MeshPoint,
        scratch: &mut MeshIndexScratch,
    ) -> MeshOutcome {
        let outcome = self.path_by_hubs(start, goal, scratch);
        outcome.unwrap_or_else(|| scratch.search(&self.space, start, goal))
    }

    /// Like [`IndexedMesh::path`], without a search: `None` if a search has to answer.
    pub(crate) fn path_by_hubs(
        &self,
        start: MeshPoint,
        goal: MeshPoint,
        scratch: &mut MeshIndexScratch,
    ) -> Option<MeshOutcome> {
        self.path_on(&Ground::Indexed(self.space), [start, goal], scratch)
    }

    /// Finds a shortest path by hubs and walks along it. `None` if a search has to answer.
    pub(super) fn path_on(
        &self,
        ground: &Ground<'_>,
        ends: [MeshPoint; 2],
        scratch: &mut MeshIndexScratch,
    ) -> Option<MeshOutcome> {
        let mut path = std::mem::take(&mut scratch.spare);
        path.clear();
        let space = ground.space();
        if let Err(reason) = mesh_preflight(space, &MeshQuery::new(ends[0], ends[1])) {
            if !matches!(reason, NoPath::Start(_)) {
                path.points.push(ends[0]);
                path.corridor.push(ends[0].polygon);
            }
            return Some(MeshOutcome::Unreachable { reason, nearest: path });
        }
        if !self.find(ground, ends, scratch, &mut path) {
            scratch.spare = path;
            return None;
        }
        path.length = path.measured_length();
        path.cost = path.length * f64::from(space.layer.lowest);
        path.revision = space.mesh().revision();
        Some(MeshOutcome::Found(path))
    }

    /// Finds the points and the corridor of a path. Returns whether there is one.
    fn find(
        &self,
        ground: &Ground<'_>,
        [start, goal]: [MeshPoint; 2],
        scratch: &mut MeshIndexScratch,
        path: &mut MeshPath,
    ) -> bool {
        let (index, space) = (self.index, ground.space());
        path.points.push(start);
        path.corridor.push(start.polygon);
        if start.polygon == goal.polygon {
            path.points.push(goal);
            return ground.is_plain(&path.corridor);
        }
        let [from, to] = [start, goal].map(|end| mesh_inner_place(space, end).as_dvec2());
        let end = Target::Polygon(goal.polygon.0);
        if walk(space, [from, to], end, &mut path.corridor) {
            path.points.push(goal);
            return ground.is_plain(&path.corridor);
        }
        path.corridor.truncate(1);
        let polygons = [start, goal].map(|end| ground.indexed(end.polygon));
        // Hubs know the ways around corners alone.
        if ground.is_edited() && self.is_straight(polygons, [from, to], &mut path.corridor) {
            return false;
        }
        let Some(Over { first, hub, last }) = self.meet(polygons, [from, to], scratch) else {
            return false;
        };
        self.unpack(first, hub, |node| scratch.nodes.push(node));
        let behind = scratch.nodes.len();
        self.unpack(last, hub, |node| scratch.nodes.push(node));
        // The hub is there already.
        scratch.nodes.pop();
        scratch.nodes[behind..].reverse();
        let mut at = from;
        for &node in &scratch.nodes {
            let bend = &index.bends.all[node as usize];
            if bend.place != at {
                let Some(corner) = ground.corner(self, bend.corner) else { return false };
                let fan = Target::Fan(space.layer.corners[corner as usize].fan);
                if !walk(space, [at, bend.place], fan, &mut path.corridor) {
                    return false;
                }
                at = bend.place;
                path.points.push(point(space, corner));
            }
        }
        path.points.push(goal);
        walk(space, [at, to], end, &mut path.corridor) && ground.is_plain(&path.corridor)
    }

    /// Returns whether the straight line is free on the indexed mesh. Leaves the corridor as it is.
    fn is_straight(
        &self,
        [start, goal]: [PolygonId; 2],
        ends: [DVec2; 2],
        corridor: &mut Vec<PolygonId>,
    ) -> bool {
        let length = corridor.len();
        corridor.push(start);
        let is_free = walk(&self.space, ends, Target::Polygon(goal.0), corridor);
        corridor.truncate(length);
        is_free
    }

    /// Finds the hub on a shortest path.
    fn meet(
        &self,
        polygons: [PolygonId; 2],
        [from, to]: [DVec2; 2],
        scratch: &mut MeshIndexScratch,
    ) -> Option<Over> {
        let index = self.index;
        let scale = index.scale;
        scratch.begin(index.bends.all.len());
        let MeshIndexScratch { reached, base, starts, goals, .. } = scratch;
        let sides = [(&mut *starts, polygons[0], from, to), (&mut *goals, polygons[1], to, from)];
        for (ends, polygon, place, other) in sides {
            index.views.visit(&self.space, &index.bends, polygon.0, place, |node, length| {
                let rest = index.bends.all[node as usize].place.distance(other);
                let cost = (length * scale).round() as u64;
                ends.push(End { least: cost + (rest * scale) as u64, cost, node });
            });
        }
        // The most promising end of each side first: its cost rules out most of the others.
        for ends in [&mut *starts, &mut *goals] {
            let first = (0..ends.len()).min_by_key(|&place| (ends[place].least, ends[place].node));
            if let Some(first) = first {
                ends.swap(0, first);
            }
        }
        let mut best = (u64::MAX, 0, 0);
        let bends = &index.bends.all;
        // Visits the hubs behind an end that a path shorter than `most` may have.
        let hubs = |end: &End, most: u64, [from, to]: [DVec2; 2], visit: &mut dyn FnMut(&[Hub])| {
            let bend = &bends[end.node as usize];
            let came = from - bend.place;
            let sides = bend.sides(came);
            for (way, hubs) in index.ways.of(end.node) {
                let next = bends[way.next() as usize].place;
                let exit = next - bend.place;
                if way.follows(came, sides, exit) {
                    let rest = (exit.length() + next.distance(to)) * scale;
                    if *base + end.cost + (rest as u64) < most {
                        visit(hubs);
                    }
                }
            }
        };
        for part in [0..1, 1..starts.len()] {
            for end in starts.get(part).unwrap_or_default() {
                if *base + end.least >= best.0 {
                    continue;
                }
                let so_far = *base + end.cost;
                hubs(end, best.0, [from, to], &mut |hubs| {
                    for hub in hubs {
                        let known = &mut reached[hub.node as usize];
                        *known = (*known).min(so_far + u64::from(hub.cost));
                    }
                });
            }
            for end in goals.iter() {
                if *base + end.least >= best.0 {
                    continue;
                }
                hubs(end, best.0, [to, from], &mut |hubs| {
                    for hub in hubs {
                        let cost = reached[hub.node as usize] + end.cost + u64::from(hub.cost);
                        if cost < best.0 {
                            best = (cost, hub.node, end.node);
                        }
                    }
                });
            }
        }
        let (cost, hub, last) = best;
        if cost - *base >= FAR {
            return None;
        }
        let goal = goals.iter().find(|end| end.node == last)?;
        let (_, rest) = index.ways.to(last, hub)?;
        let wanted = cost - *base - goal.cost - u64::from(rest);
        let leads = |end: &&End| {
            // A lower cost may belong to a way that the path cannot leave by.
            let (_, cost) = index.ways.to(end.node, hub)?;
            (end.cost + u64::from(cost) == wanted).then_some(())
        };
        let first = starts.iter().find(|end| leads(end).is_some())?;
        Some(Over { first: first.node, hub, last })
    }

    /// Visits the nodes from `from` to one of its hubs, both included.
    fn unpack(&self, from: u32, hub: u32, mut visit: impl FnMut(u32)) {
        let mut node = from;
        visit(node);
        while node != hub {
            let Some((next, _)) = self.index.ways.to(node, hub) else { return };
            node = next;
            visit(node);
        }
    }
}

/// Returns the turning point at a corner.
fn point(space: &NavMeshSpace<'_>, corner: u32) -> MeshPoint {
    let tables = &space.mesh().tables;
    let vertex = tables.corners[corner as usize];
    let polygon = PolygonId(tables.owners[corner as usize]);
    MeshPoint { polygon, place: tables.vertices[vertex as usize] }
}
