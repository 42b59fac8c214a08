//! From a draft to a mesh: checks, and the joining of edges.
//!
//! 1. Vertices are checked; vertices at the same point become one.
//! 2. Polygons are checked: three corners or more, counter-clockwise, convex.
//! 3. Where a vertex lies on an edge that has no partner, the edge is split there: the polygon gets
//!    a further corner with an angle of 180°. Edges that overlap in part become edges that coincide
//!    or do not touch, so that an edge has one neighbour at most.
//! 4. Edges between the same two vertices become twins.
//!
//! Time O(n log n) for n corners, plus the number of splits.

use glam::{DVec2, Vec3};
use rstar::{AABB, PointDistance, RTree, RTreeObject, SelectionFunction};

use super::mesh::Rings;
use super::plan::{plan, turn};
use super::{MeshDraft, NavMeshError};

/// No twin: beyond the edge the mesh ends.
pub const NO_TWIN: u32 = u32::MAX;

/// The largest coordinate: beyond it single floats do not tell metres apart.
const MAX_COORDINATE: f32 = 16_777_216.0;

/// The most vertices, and the most corners.
const MAX_CORNERS: usize = 1 << 30;

/// The distance from a line, in metres, below which points of cuts count as on it, however small
/// the mesh.
pub(super) const ON_LINE: f64 = 1e-5;

/// The largest radius of bodies that a mesh is made for, in metres.
pub(super) const MOST_RADIUS: f32 = 1000.0;

/// Checks a draft and joins its polygons.
pub(super) fn join(draft: &MeshDraft) -> Result<Rings, NavMeshError> {
    let vertices = &draft.vertices;
    if vertices.len() > MAX_CORNERS || draft.corners.len() > MAX_CORNERS {
        return Err(NavMeshError::TooLarge);
    }
    if !(0.0..=1000.0).contains(&draft.step) {
        return Err(NavMeshError::Step { step: draft.step });
    }
    if !(0.0..=MOST_RADIUS).contains(&draft.body_radius) {
        return Err(NavMeshError::BodyRadius { radius: draft.body_radius });
    }
    for (vertex, place) in (0..).zip(vertices) {
        let Vec3 { x, y, z } = *place;
        if ![x, y, z].iter().all(|value| value.abs() <= MAX_COORDINATE) {
            return Err(NavMeshError::Coordinate { vertex, x, y, z });
        }
    }
    let merged = merge_vertices(vertices, draft.step);
    let tolerance = tolerance(vertices);
    let mut first = Vec::with_capacity(draft.len() + 1);
    let mut corners = Vec::with_capacity(draft.corners.len());
    first.push(0);
    for (polygon, named) in (0..).zip(draft.polygons()) {
        for &vertex in named.corners {
            let Some(&merged) = merged.get(vertex as usize) else {
                return Err(NavMeshError::UnknownVertex { polygon, vertex, known: vertices.len() });
            };
            corners.push(merged);
        }
        let own = &corners[first[polygon as usize] as usize..];
        check_polygon(polygon, own, vertices, tolerance)?;
        first.push(corners.len() as u32);
    }
    let twins = pair(&first, &corners)?;
    let mut joined = Rings { vertices: vertices.clone(), first, corners, twins };
    if split_edges(&mut joined, draft.step, tolerance)? {
        joined.twins = pair(&joined.first, &joined.corners)?;
    }
    Ok(joined)
}

/// Returns the distance below which a corner counts as on an edge: four units in the last place of
/// the largest coordinate.
pub(super) fn tolerance(vertices: &[Vec3]) -> f64 {
    let largest =
        vertices.iter().fold(0.0, |most: f32, place| most.max(place.x.abs()).max(place.z.abs()));
    f64::from(largest) * f64::from(4.0 * f32::EPSILON)
}

/// Returns for each vertex the first vertex at the same x and z with a height within `step` of the
/// previous one.
fn merge_vertices(vertices: &[Vec3], step: f32) -> Vec<u32> {
    // Adding zero turns the negative zero into the positive one.
    let place = |vertex: u32| vertices[vertex as usize] + Vec3::ZERO;
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| {
        let (p, q) = (place(a), place(b));
        let of_place = p.x.total_cmp(&q.x).then(p.z.total_cmp(&q.z)).then(p.y.total_cmp(&q.y));
        of_place.then(a.cmp(&b))
    });
    let mut merged: Vec<u32> = (0..vertices.len() as u32).collect();
    for pair in order.windows(2) {
        let (lower, upper) = (place(pair[0]), place(pair[1]));
        if lower.x == upper.x && lower.z == upper.z && upper.y - lower.y <= step {
            merged[pair[1] as usize] = merged[pair[0] as usize];
        }
    }
    merged
}

/// Checks that a polygon is convex, counter-clockwise, and passes no vertex twice.
///
/// Tolerates a corner that points inwards by less than `tolerance`, or than [`ON_LINE`]: single
/// floats cannot keep a corner on a slanting edge, and points of cuts count as on a line so near to
/// it. A polygon whose corners all turn left goes around once if and only if its edges change from
/// leftward to rightward once.
fn check_polygon(
    polygon: u32,
    corners: &[u32],
    vertices: &[Vec3],
    tolerance: f64,
) -> Result<(), NavMeshError> {
    let count = corners.len();
    if count < 3 {
        return Err(NavMeshError::TooFewCorners { polygon, corners: count });
    }
    let place = |corner: usize| plan(vertices[corners[corner % count] as usize]);
    let origin = place(0);
    let doubled: f64 = (1..count - 1).map(|i| turn(origin, place(i), place(i + 1))).sum();
    let reach = (1..count).map(|i| (place(i) - origin).length()).fold(0.0, f64::max);
    if doubled.abs() <= tolerance * reach {
        return Err(NavMeshError::NoArea { polygon });
    }
    let mut revolutions = 0;
    for i in 0..count {
        let (a, b, c) = (place(i), place(i + 1), place(i + 2));
        let vertex = corners[(i + 1) % count];
        if a == b {
            return Err(NavMeshError::RepeatedVertex { polygon, vertex });
        }
        let (before, after) = (b - a, c - b);
        let turned = before.perp_dot(after);
        let longest = before.length().max(after.length());
        let is_inward = turned < -tolerance.max(ON_LINE) * longest;
        let turns_back = turned <= tolerance * longest && before.dot(after) < 0.0;
        if is_inward || turns_back {
            let clockwise = doubled < 0.0 && turned < 0.0;
            return Err(match clockwise {
                true => NavMeshError::Clockwise { polygon },
                false => NavMeshError::Concave { polygon, vertex },
            });
        }
        let is_rightward = |edge: DVec2| edge.x > 0.0 || (edge.x == 0.0 && edge.y > 0.0);
        revolutions += u32::from(!is_rightward(before) && is_rightward(after));
        if revolutions > 1 {
            return Err(NavMeshError::Concave { polygon, vertex });
        }
    }
    if doubled < 0.0 { Err(NavMeshError::Clockwise { polygon }) } else { Ok(()) }
}

/// Returns the next corner of the same polygon.
fn next(first: &[u32], polygon: usize, corner: u32) -> u32 {
    if corner + 1 == first[polygon + 1] { first[polygon] } else { corner + 1 }
}

/// Returns the polygon of a corner.
fn owner(first: &[u32], corner: u32) -> u32 {
    first.partition_point(|&begin| begin <= corner) as u32 - 1
}

/// Finds the twin of each edge.
fn pair(first: &[u32], corners: &[u32]) -> Result<Vec<u32>, NavMeshError> {
    let mut edges: Vec<(u64, u32)> = Vec::with_capacity(corners.len());
    for polygon in 0..first.len() - 1 {
        for corner in first[polygon]..first[polygon + 1] {
            let a = corners[corner as usize];
            let b = corners[next(first, polygon, corner) as usize];
            edges.push((u64::from(a.min(b)) << 32 | u64::from(a.max(b)), corner));
        }
    }
    edges.sort_unstable();
    let mut twins = vec![NO_TWIN; corners.len()];
    for same in edges.chunk_by(|a, b| a.0 == b.0) {
        let [(_, a), rest @ ..] = same else { continue };
        let from = |corner: u32| corners[corner as usize];
        let forward = rest.iter().find(|(_, b)| from(*b) == from(*a));
        // Of three edges two have the same direction.
        let clash = match rest {
            [] | [_] => forward.map(|(_, b)| (a, b)),
            [(_, b), (_, c), ..] => Some(forward.map_or((b, c), |(_, b)| (a, b))),
        };
        if let Some((&a, &b)) = clash {
            let (first_polygon, second) = (owner(first, a), owner(first, b));
            let to = corners[next(first, first_polygon as usize, a) as usize];
            return Err(NavMeshError::Overlap { first: first_polygon, second, from: from(a), to });
        }
        if let [(_, b)] = rest {
            twins[*a as usize] = *b;
            twins[*b as usize] = *a;
        }
    }
    Ok(twins)
}

/// A vertex in the tree of vertices, as seen from above.
struct Seen {
    place: [f64; 2],
    vertex: u32,
}

impl RTreeObject for Seen {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_point(self.place)
    }
}

impl PointDistance for Seen {
    fn distance_2(&self, point: &[f64; 2]) -> f64 {
        DVec2::from(self.place).distance_squared(DVec2::from(*point))
    }
}

/// Selects the vertices within a distance of a segment without visiting its whole bounding box,
/// which has many vertices for a long slanting edge.
struct Beside {
    a: DVec2,
    b: DVec2,
    distance: f64,
}

impl SelectionFunction<Seen> for Beside {
    fn should_unpack_parent(&self, envelope: &AABB<[f64; 2]>) -> bool {
        let (lower, upper) = (DVec2::from(envelope.lower()), DVec2::from(envelope.upper()));
        let overlaps = self.a.min(self.b).cmple(upper + self.distance).all()
            && self.a.max(self.b).cmpge(lower - self.distance).all();
        // The line misses a box if all corners of it are on one side.
        let (middle, half) = ((lower + upper) / 2.0, (upper - lower) / 2.0 + self.distance);
        let normal = (self.b - self.a).perp();
        overlaps && normal.dot(middle - self.a).abs() <= normal.abs().dot(half)
    }

    fn should_unpack_leaf(&self, seen: &Seen) -> bool {
        let place = DVec2::from(seen.place);
        let along = self.b - self.a;
        let t = (place - self.a).dot(along);
        let distance = (along.perp_dot(place - self.a)).abs();
        t > 0.0 && t < along.length_squared() && distance <= self.distance * along.length()
    }
}

/// Splits the edges without a twin at the vertices that lie on them. Returns whether it did.
fn split_edges(joined: &mut Rings, step: f32, tolerance: f64) -> Result<bool, NavMeshError> {
    let Rings { vertices, first, corners, twins } = joined;
    // Only ends of other such edges matter.
    let mut is_seen = vec![false; vertices.len()];
    let mut seen = Vec::new();
    for polygon in 0..first.len() - 1 {
        for corner in first[polygon]..first[polygon + 1] {
            if twins[corner as usize] == NO_TWIN {
                for end in [corner, next(first, polygon, corner)] {
                    let vertex = corners[end as usize];
                    if !std::mem::replace(&mut is_seen[vertex as usize], true) {
                        let place = plan(vertices[vertex as usize]).into();
                        seen.push(Seen { place, vertex });
                    }
                }
            }
        }
    }
    let tree = RTree::bulk_load(seen);
    let (mut split, mut begins) = (Vec::with_capacity(corners.len()), vec![0]);
    let mut found: Vec<(f64, u32)> = Vec::new();
    // The last polygon that got each vertex.
    let mut taken_by = vec![usize::MAX; vertices.len()];
    for polygon in 0..first.len() - 1 {
        let own = first[polygon] as usize..first[polygon + 1] as usize;
        for &vertex in &corners[own.clone()] {
            taken_by[vertex as usize] = polygon;
        }
        for corner in own {
            split.push(corners[corner]);
            if twins[corner] != NO_TWIN {
                continue;
            }
            let from = vertices[corners[corner] as usize];
            let to = vertices[corners[next(first, polygon, corner as u32) as usize] as usize];
            let (a, b) = (plan(from), plan(to));
            found.clear();
            let beside = Beside { a, b, distance: tolerance };
            for Seen { place, vertex } in tree.locate_with_selection_function(beside) {
                let t = (DVec2::from(*place) - a).dot(b - a) / (b - a).length_squared();
                let height = f64::from(from.y) + t * f64::from(to.y - from.y);
                let rise = f64::from(vertices[*vertex as usize].y) - height;
                if rise.abs() <= f64::from(step) && taken_by[*vertex as usize] != polygon {
                    found.push((t, *vertex));
                }
            }
            found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            found.dedup_by(|a, b| a.0 == b.0);
            for &(_, vertex) in &found {
                taken_by[vertex as usize] = polygon;
                split.push(vertex);
            }
        }
        if split.len() > MAX_CORNERS {
            return Err(NavMeshError::TooLarge);
        }
        begins.push(split.len() as u32);
    }
    let is_split = split.len() > corners.len();
    (*first, *corners) = (begins, split);
    Ok(is_split)
}
