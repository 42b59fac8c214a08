//! The result of a search without a goal: lengths and paths from everywhere to its sources.

use glam::{DVec2, Vec2};
use wayfare_core::search::{Limit, Stats};
use wayfare_core::space::{Revision, StateId};

use super::MeshScratch;
use super::corridor::bend;
use super::expansion::direction;
use super::machine::inner_place;
use super::scratch::{NONE, Node, Root};
use crate::navmesh::build::NO_TWIN;
use crate::navmesh::plan::{plan, turn};
use crate::navmesh::{MeshPoint, NavMeshSpace, PolygonId};

/// The exact length of the shortest path between the nearest of some points and every point of the
/// mesh, and these paths.
///
/// Use it where one point matters to many: a shared goal for a crowd (each agent goes to
/// [`next`](Self::next)), the nearest of many points ([`nearest`](Self::nearest)), the ground that
/// can be [reached](Self::reached) within a length. For a single path [`Polyanya`](super::Polyanya)
/// expands far less.
///
/// Lengths are exact where all ground that can be entered has one multiplier; where multipliers
/// differ, they are still lengths, not costs. Areas that cannot be entered are walls.
///
/// A look-up takes O(log n + k) time for n intervals, k of them at the edges of the polygon; the
/// field takes about 150 bytes an interval. See [`MeshFieldQuery`](super::MeshFieldQuery).
///
/// Source: the intervals of Cui, Harabor and Grastien, "Compromise-free Pathfinding on a Navigation
/// Mesh" (2017), spread in the order of their distance as by Mitchell, Mount and Papadimitriou,
/// "The Discrete Geodesic Problem" (1987).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshFieldQuery, mesh_field};
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let field = mesh_field(&space, MeshFieldQuery::from_points([at(3.5, 2.0)]))?;
/// assert_eq!(field.distance(&space, at(3.5, 0.0)), Some(2.0));
/// // From here the way leads around a corner of the wall.
/// let next = field.next(&space, at(1.5, 0.5)).unwrap();
/// assert_eq!(next.place, Vec3::new(3.0, 0.0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MeshField {
    pub(super) sources: Vec<Source>,
    /// In order of polygon, then of distance.
    pub(super) entries: Vec<Entry>,
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<Root>,
    /// For each root the node behind which the path turned there, or [`NONE`].
    pub(super) turned_behind: Vec<u32>,
    /// Lengths above this one are not known.
    longest: f64,
    limit: Option<Limit>,
    stats: Stats,
    pub(super) revision: Revision,
}

/// The nearest of some targets.
///
/// Example: [`MeshFieldQuery`](super::MeshFieldQuery).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NearestTarget {
    /// Its index in the list of targets.
    pub target: usize,
    /// The length of the shortest path in metres.
    pub length: f64,
}

/// A polygon that a [`MeshField`] reaches, at least in part.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshFieldQuery, mesh_field};
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let start = space.locate(Vec3::new(0.5, 0.0, 0.5), HeightReach::default()).unwrap();
/// let field = mesh_field(&space, MeshFieldQuery::from_points([start]).max_length(3.0))?;
/// let whole = field.reached(&space).filter(|polygon| polygon.farthest <= 3.0).count();
/// assert!(whole < field.reached(&space).count()); // of some only a part is near enough
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReachedPolygon {
    /// The polygon.
    pub polygon: PolygonId,
    /// The distance of its nearest point in metres.
    pub nearest: f64,
    /// No point of the polygon is farther than this, in metres: an upper bound. All of the polygon
    /// is reached if this is at most the largest length of the field; else a point of it is reached
    /// if the field has a [distance](MeshField::distance) there.
    pub farthest: f64,
}

/// A source that was found on the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub(super) root: u32,
    /// Its index in the query.
    pub(super) number: usize,
    pub(super) point: MeshPoint,
}

/// A root that no interval was generated from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glimpse {
    pub(super) root: u32,
    /// The node behind which it was seen; [`NONE`]: it was seen from the root before it along a
    /// polygon that both are corners of.
    pub(super) behind: u32,
}

/// An entry into a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) polygon: u32,
    pub(super) root: u32,
    /// The interval that it passes; [`NONE`]: the root lies on the polygon.
    pub(super) node: u32,
    /// The distance of the nearest point in the polygon beyond it.
    pub(super) least: f64,
}

impl Entry {
    /// Returns the entry into a polygon that has a root as a corner.
    pub(super) fn at_root(polygon: u32, root: u32, g: f64) -> Self {
        Self { polygon, root, node: NONE, least: g }
    }
}

/// A root, and the interval through which it sees into a polygon, if not from its border.
pub(super) struct View<'a> {
    root: &'a Root,
    node: Option<&'a Node>,
}

impl<'a> View<'a> {
    pub(super) fn of(entry: &Entry, nodes: &'a [Node], roots: &'a [Root]) -> Self {
        Self { root: &roots[entry.root as usize], node: nodes.get(entry.node as usize) }
    }
}

/// A path to a point through an interval.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) length: f64,
    /// The corner at an end of the interval where it turns; [`NONE`]: at the root.
    pub(super) corner: u32,
}

/// Returns the shortest path to a point in the polygon behind an interval: straight from the root,
/// or around an end of the interval that is a corner of the mesh. No shortest path passes other
/// ends.
pub(super) fn length_through(space: &NavMeshSpace<'_>, view: &View<'_>, place: DVec2) -> Way {
    let root = view.root;
    let eye = root.place.as_dvec2();
    let straight = Way { length: root.g + (place - eye).length(), corner: NONE };
    let Some(node) = view.node else { return straight };
    let is_past_right = direction(root, node.right).perp_dot(place - eye) < 0.0;
    let is_past_left = direction(root, node.left).perp_dot(place - eye) > 0.0;
    if !is_past_right && !is_past_left {
        return straight;
    }
    // Around either end: of a cone that is nearly flat rounding may have told the wrong side.
    let corners = &space.layer.corners;
    let around = |bound: Vec2, corner: u32| {
        let at = bound.as_dvec2();
        let length = match bound == corners[corner as usize].flat() {
            true => root.g + (at - eye).length() + (place - at).length(),
            false => f64::INFINITY,
        };
        Way { length, corner }
    };
    let by_left = around(node.left, node.corner);
    let by_right = around(node.right, space.mesh().tables.next(node.corner));
    if by_left.length < by_right.length { by_left } else { by_right }
}

impl MeshField {
    /// Adds the entries into polygons that a search found.
    pub(super) fn take_ways(&mut self, sources: Vec<Source>, entries: Vec<Entry>) {
        (self.sources, self.entries) = (sources, entries);
        self.entries.sort_unstable_by(|a, b| {
            let by_least = a.least.total_cmp(&b.least);
            a.polygon.cmp(&b.polygon).then(by_least).then((a.root, a.node).cmp(&(b.root, b.node)))
        });
    }

    /// Adds the origins of the entries.
    pub(super) fn take_chains(&mut self, scratch: &mut MeshScratch, glimpses: &[Glimpse]) {
        std::mem::swap(&mut self.nodes, &mut scratch.nodes);
        std::mem::swap(&mut self.roots, &mut scratch.roots);
        let behind = &mut self.turned_behind;
        behind.clear();
        behind.resize(self.roots.len(), NONE);
        // The first node of a root was generated when the path turned there.
        for node in self.nodes.iter().rev() {
            behind[node.root as usize] = node.parent;
        }
        // A root without nodes was a turn before one with nodes, behind the same node, or it is a
        // mere glimpse.
        let mut left = glimpses.iter().rev().peekable();
        for root in (0..self.roots.len()).rev() {
            if left.next_if(|glimpse| glimpse.root as usize == root).is_some() {
                continue;
            }
            let (parent, node) = (self.roots[root].parent, behind[root]);
            let is_of_parent = self.nodes.get(node as usize).is_some_and(|it| it.root == parent);
            if parent != NONE && !is_of_parent {
                behind[parent as usize] = node;
            }
        }
        for glimpse in glimpses {
            let root = glimpse.root as usize;
            behind[root] = match glimpse.behind {
                NONE => behind[self.roots[root].parent as usize],
                node => node,
            };
        }
    }

    /// Says how far the field reaches, and why no farther.
    pub(super) fn end(&mut self, longest: f64, limit: Option<Limit>, stats: Stats) {
        (self.longest, self.limit, self.stats) = (longest, limit, stats);
    }

    /// Returns the entries of a polygon, nearest first.
    fn entries_of(&self, polygon: PolygonId) -> &[Entry] {
        let polygon = polygon.index();
        let begin = self.entries.partition_point(|entry| entry.polygon < polygon);
        let own = &self.entries[begin..];
        &own[..own.partition_point(|entry| entry.polygon == polygon)]
    }

    /// Returns the entry and the last leg of the shortest path to a point of the field.
    pub(super) fn way(&self, space: &NavMeshSpace<'_>, point: MeshPoint) -> Option<(Entry, Way)> {
        self.shortest_way(space, point).filter(|(_, way)| way.length <= self.longest)
    }

    /// Returns the last turning point of the path to a point.
    fn last_bend(&self, space: &NavMeshSpace<'_>, entry: &Entry, way: &Way) -> DVec2 {
        let bend = match way.corner {
            NONE => self.roots[entry.root as usize].place,
            corner => space.layer.corners[corner as usize].flat(),
        };
        bend.as_dvec2()
    }

    /// Returns the entry and the last leg of the shortest path known to a point, even if it is
    /// longer than the certainly shortest ones.
    fn shortest_way(&self, space: &NavMeshSpace<'_>, point: MeshPoint) -> Option<(Entry, Way)> {
        let is_known = space.mesh().revision() == self.revision && space.is_on(point);
        let own = if is_known { self.entries_of(point.polygon) } else { &[] };
        let mut best: Option<(Entry, Way)> = None;
        let mut place = DVec2::ZERO;
        for (index, entry) in own.iter().enumerate() {
            if index == 0 {
                place = inner_place(space, point).as_dvec2();
            }
            let length = best.map_or(f64::INFINITY, |(_, way)| way.length);
            // The least distances are rounded as well.
            if entry.least * (1.0 - 1e-9) >= length {
                break;
            }
            let way = length_through(space, &View::of(entry, &self.nodes, &self.roots), place);
            if way.length < length {
                best = Some((*entry, way));
            }
        }
        // The entry was chosen for the inner point, which may be a thousandth of the polygon away.
        best.map(|(entry, Way { length, corner })| {
            let bend = self.last_bend(space, &entry, &Way { length, corner });
            let moved = (plan(point.place) - bend).length() - (place - bend).length();
            (entry, Way { length: length + moved, corner })
        })
    }

    /// Returns a point of the field or, for one beyond it, the end of the field on the path there,
    /// if that lies in the same polygon.
    pub(super) fn on_way(&self, space: &NavMeshSpace<'_>, point: MeshPoint) -> Option<MeshPoint> {
        let (entry, way) = self.shortest_way(space, point)?;
        if way.length <= self.longest {
            return Some(point);
        }
        let bend = self.last_bend(space, &entry, &way);
        let leg = (plan(point.place) - bend).length();
        // Within the field, whatever roundings say.
        let left = (leg - (way.length - self.longest)) * (1.0 - 1e-6);
        let at = bend.lerp(plan(point.place), left / leg);
        let place = glam::Vec3::new(at.x as f32, 0.0, -at.y as f32);
        let mesh = space.mesh();
        let is_within = left > 0.0 && mesh.contains(point.polygon, place);
        let place = place.with_y(mesh.height_at(point.polygon, place));
        is_within.then_some(MeshPoint { polygon: point.polygon, place })
    }

    /// Returns the length of the shortest path between a point and the nearest source, in metres.
    /// `None` if there is no path, it is longer than the field is large, or the mesh was edited
    /// since.
    #[must_use]
    pub fn distance(&self, space: &NavMeshSpace<'_>, point: MeshPoint) -> Option<f64> {
        self.way(space, point).map(|(_, way)| way.length)
    }

    /// Returns the next point on the shortest path from a point to its nearest source: the turning
    /// point to walk to in a straight line, or the source. `None` where there is no
    /// [distance](Self::distance).
    #[must_use]
    pub fn next(&self, space: &NavMeshSpace<'_>, point: MeshPoint) -> Option<MeshPoint> {
        let (entry, way) = self.way(space, point)?;
        let is_here = |next: &MeshPoint| plan(next.place) == plan(point.place);
        let first = match way.corner {
            NONE => None,
            corner => Some(bend(space, corner)).filter(|next| !is_here(next)),
        };
        first.or_else(|| {
            let mut root = entry.root;
            loop {
                let next = self.point_of(space, root);
                let parent = self.roots[root as usize].parent;
                // At a corner the path continues to the next one.
                if !is_here(&next) || parent == NONE {
                    return Some(next);
                }
                root = parent;
            }
        })
    }

    /// Returns the index, in the query, of the source that is nearest to a point. `None` where
    /// there is no [distance](Self::distance).
    #[must_use]
    pub fn source(&self, space: &NavMeshSpace<'_>, point: MeshPoint) -> Option<usize> {
        let (entry, _) = self.way(space, point)?;
        let mut root = entry.root;
        while self.roots[root as usize].parent != NONE {
            root = self.roots[root as usize].parent;
        }
        self.source_of(root).map(|source| source.number)
    }

    /// Returns the nearest of some targets; of equal ones the first. `None` if the field reaches
    /// none.
    #[must_use]
    pub fn nearest(
        &self,
        space: &NavMeshSpace<'_>,
        targets: &[MeshPoint],
    ) -> Option<NearestTarget> {
        let known = targets.iter().enumerate().filter_map(|(target, &point)| {
            Some(NearestTarget { target, length: self.distance(space, point)? })
        });
        known.min_by(|a, b| a.length.total_cmp(&b.length))
    }

    /// Returns the polygons that the field reaches, in order of index.
    pub fn reached<'f>(
        &'f self,
        space: &'f NavMeshSpace<'_>,
    ) -> impl Iterator<Item = ReachedPolygon> + 'f {
        let is_known = space.mesh().revision() == self.revision;
        let entries = if is_known { self.entries.as_slice() } else { &[] };
        entries.chunk_by(|a, b| a.polygon == b.polygon).filter_map(|own| {
            let polygon = PolygonId::from_index(own[0].polygon);
            let nearest = own[0].least;
            let farthest = own.iter().map(|entry| self.farthest(space, entry));
            let farthest = farthest.fold(f64::INFINITY, f64::min);
            (nearest <= self.longest).then_some(ReachedPolygon { polygon, nearest, farthest })
        })
    }

    /// Returns an upper bound of the distances in the polygon of an entry.
    ///
    /// The length of the path through one interval is a convex function of its end. So it is
    /// longest at a corner.
    fn farthest(&self, space: &NavMeshSpace<'_>, entry: &Entry) -> f64 {
        let view = View::of(entry, &self.nodes, &self.roots);
        let own = space.mesh().own(PolygonId::from_index(entry.polygon));
        let corners = &space.layer.corners[own];
        let lengths = corners.iter().map(|at| length_through(space, &view, at.place()).length);
        lengths.fold(0.0, f64::max)
    }

    /// Returns the largest length in the field, in metres; infinite if it is complete.
    #[must_use]
    pub fn longest(&self) -> f64 {
        self.longest
    }

    /// Returns the limit that cut the field short, if one did.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Returns the counters of the search.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Returns the revision of the mesh that the field was computed on.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the memory of the field, in bytes.
    #[must_use]
    pub fn size_in_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.roots.capacity() * size_of::<Root>()
            + self.turned_behind.capacity() * size_of::<u32>()
    }

    pub(super) fn source_of(&self, root: u32) -> Option<&Source> {
        let at = self.sources.binary_search_by_key(&root, |source| source.root);
        at.ok().map(|at| &self.sources[at])
    }

    /// Returns the point of a root.
    pub(super) fn point_of(&self, space: &NavMeshSpace<'_>, root: u32) -> MeshPoint {
        match self.roots[root as usize].corner {
            NONE => self.source_of(root).map_or_else(
                || MeshPoint { polygon: PolygonId::from_index(0), place: glam::Vec3::NAN },
                |source| source.point,
            ),
            corner => bend(space, corner),
        }
    }
}

/// Appends to a corridor the polygons between two around a point, without the first.
pub(super) fn connect(
    space: &NavMeshSpace<'_>,
    place: DVec2,
    (from, to): (u32, u32),
    corridor: &mut Vec<PolygonId>,
) {
    if from == to {
        return;
    }
    let (tables, corners) = (&space.mesh().tables, &space.layer.corners);
    let mut links = vec![(from, NONE)];
    let mut index = 0;
    while let Some(&(polygon, _)) = links.get(index) {
        if polygon == to {
            break;
        }
        for corner in space.mesh().own(PolygonId::from_index(polygon)) {
            let twin = corners[corner].twin;
            if twin == NO_TWIN {
                continue;
            }
            let ahead = tables.next(corner as u32) as usize;
            let (a, b) = (corners[corner].place(), corners[ahead].place());
            let touches = turn(place, a, b) <= 0.0 && (a - place).dot(b - place) <= 0.0;
            let next = tables.owners[twin as usize];
            if touches && links.iter().all(|link| link.0 != next) {
                links.push((next, index as u32));
            }
        }
        index += 1;
    }
    let begin = corridor.len();
    let mut at = if index < links.len() { index as u32 } else { 0 };
    while at != 0 {
        let (polygon, parent) = links[at as usize];
        corridor.push(PolygonId::from_index(polygon));
        at = parent;
    }
    corridor[begin..].reverse();
}
