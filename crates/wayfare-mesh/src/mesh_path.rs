//! Paths on navigation meshes.

use glam::{DVec2, Vec3};
use wayfare_core::space::Revision;

use crate::navmesh::plan::plan;
use crate::navmesh::{MeshPoint, NavMeshSpace, PolygonId};

/// A path on a navigation mesh: straight legs between turning points, and the polygons they cross.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{
///     MeshAnswer, MeshLimits, MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya,
/// };
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
/// let query = MeshQuery::new(at(0.5, 1.0), at(3.5, 1.0)).max_length(9.0);
/// assert_eq!(query.limits, MeshLimits { length: 9.0, ..MeshLimits::default() });
/// let mut search = Polyanya.search(query);
/// let answer: MeshAnswer = search.finish(&space, &mut MeshScratch::new(), &mut ());
/// let MeshOutcome::Found(path) = answer.outcome else { panic!("there is a way") };
/// assert_eq!((path.corridor.len(), path.length, path.measured_length()), (2, 3.0, 3.0));
/// assert_eq!(path.places().next(), Some(Vec3::new(0.5, 0.0, 1.0)));
/// # Ok::<(), wayfare::space::navmesh::NavMeshError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MeshPath {
    /// The start, the turning points, and the end. Empty if there is no path at all.
    pub points: Vec<MeshPoint>,
    /// The polygons that the path crosses, in order: the corridor. Each is a neighbour of the one
    /// before it.
    pub corridor: Vec<PolygonId>,
    /// The length in metres, seen from above.
    pub length: f64,
    /// The cost of the path: the length on each area times the multiplier of the area. If the path
    /// ends short of the goal: the length times the lowest multiplier of the mesh.
    pub cost: f64,
    /// The revision of the mesh that the path was found on.
    pub revision: Revision,
}

impl MeshPath {
    /// Returns the positions of the points, in order.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator + '_ {
        self.points.iter().map(|point| point.place)
    }

    /// Returns the length of the legs in metres, seen from above, added up again.
    #[must_use]
    pub fn measured_length(&self) -> f64 {
        let leg = |ends: &[MeshPoint]| (plan(ends[1].place) - plan(ends[0].place)).length();
        self.points.windows(2).map(leg).fold(0.0, |sum, length| sum + length)
    }

    /// Returns whether edits since the path was found have broken it: a polygon of the corridor is
    /// gone or closed, two of them are not joined any more, or a leg is blocked. Edits elsewhere do
    /// not count, nor does a shortcut that opened.
    ///
    /// On the mesh of another world the answer means nothing. O(1) if there was no edit; else the
    /// corridor is walked again, at a cost that does not depend on the size of the mesh.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
    /// use wayfare::space::navmesh::{CarvedGround, Carving, HeightReach, LiveMesh, MeshDraft, NavMesh, Prism};
    ///
    /// let grid = Grid::from_rows(&["........"; 8])?;
    /// let mut live = LiveMesh::new(NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?);
    /// let space = live.mesh().space();
    /// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
    /// let query = MeshQuery::new(at(1.0, 1.0), at(7.0, 1.0));
    /// let answer = Polyanya.search(query).finish(&space, &mut MeshScratch::new(), &mut ());
    /// let path = answer.outcome.path().unwrap();
    /// assert!(!path.is_stale(&space));
    /// let barrel = Prism::cylinder(Vec3::new(4.0, 0.0, 1.0), 0.5, 1.0)?;
    /// live.insert(Carving { prism: barrel, ground: CarvedGround::Blocked })?;
    /// assert!(path.is_stale(&live.mesh().space()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_stale(&self, space: &NavMeshSpace<'_>) -> bool {
        let (Some(&first), Some(&last)) = (self.points.first(), self.points.last()) else {
            return self.revision != space.mesh().revision();
        };
        self.revision != space.mesh().revision()
            && validate_mesh_path(space, self, first, last).is_err()
    }

    /// Empties the path, and keeps its memory.
    #[doc(hidden)]
    pub fn clear(&mut self) {
        self.points.clear();
        self.corridor.clear();
        (self.length, self.cost, self.revision) = (0.0, 0.0, Revision::default());
    }
}

/// A fault of a path on a mesh.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshPathFault {
    /// It has no points.
    #[error("the path has no points")]
    Empty,
    /// It does not begin or end where it should.
    #[error("the path leads from {from} to {to}")]
    WrongEnds {
        /// Where it begins.
        from: Vec3,
        /// Where it ends.
        to: Vec3,
    },
    /// A point is not in its polygon, or its polygon is blocked.
    #[error("point {point} does not lie on the mesh")]
    OffMesh {
        /// The index of the point.
        point: usize,
    },
    /// A point does not lie at the height of its polygon.
    #[error("point {point} lies at the height {claimed}, and its polygon at {ground}")]
    WrongHeight {
        /// The index of the point.
        point: usize,
        /// Its height in metres.
        claimed: f32,
        /// The height of its polygon there, in metres.
        ground: f32,
    },
    /// A leg leaves the mesh.
    #[error("leg {leg} leaves the mesh")]
    LeavesMesh {
        /// The index of the leg.
        leg: usize,
    },
    /// The corridor jumps from one polygon to another.
    #[error("polygon {step} of the corridor is no neighbour of the one before it")]
    BrokenCorridor {
        /// The index of the polygon in the corridor.
        step: usize,
    },
    /// The length is not that of the legs.
    #[error("the path claims the length {claimed}, but its legs add up to {summed}")]
    WrongLength {
        /// The sum that the path claims.
        claimed: f64,
        /// The sum over the legs.
        summed: f64,
    },
}

/// How far above or below its polygon a point of a path may lie, in metres.
const HEIGHT_SLACK: f32 = 0.01;

/// Walks a path over the mesh leg by leg, and measures it again. Shares no code with any search.
///
/// Each leg is followed from polygon to polygon, by the part of the leg that lies in each; floors
/// above and below do not count. Each point has the height of its polygon there, to a centimetre.
/// O(legs · polygons that a leg crosses).
///
/// # Errors
/// The first fault found.
pub fn validate_mesh_path(
    space: &NavMeshSpace<'_>,
    path: &MeshPath,
    start: MeshPoint,
    goal: MeshPoint,
) -> Result<(), MeshPathFault> {
    let (Some(first), Some(last)) = (path.points.first(), path.points.last()) else {
        return Err(MeshPathFault::Empty);
    };
    if plan(first.place) != plan(start.place) || plan(last.place) != plan(goal.place) {
        return Err(MeshPathFault::WrongEnds { from: first.place, to: last.place });
    }
    for (point, at) in path.points.iter().enumerate() {
        if !space.is_free(at.polygon) || !space.is_on(*at) {
            return Err(MeshPathFault::OffMesh { point });
        }
        if !lies_on(space, at.polygon, at.place) {
            let ground = space.mesh().height_at(at.polygon, at.place);
            return Err(MeshPathFault::WrongHeight { point, claimed: at.place.y, ground });
        }
    }
    let is_whole = path.corridor.first() == Some(&start.polygon)
        && path.corridor.last() == Some(&goal.polygon);
    if !is_whole {
        return Err(MeshPathFault::BrokenCorridor { step: 0 });
    }
    for (step, pair) in (1..).zip(path.corridor.windows(2)) {
        if !space.passable_neighbours(pair[0]).any(|next| next == pair[1]) {
            return Err(MeshPathFault::BrokenCorridor { step });
        }
    }
    for (leg, pair) in path.points.windows(2).enumerate() {
        if !is_walkable(space, pair[0], pair[1]) {
            return Err(MeshPathFault::LeavesMesh { leg });
        }
    }
    let (claimed, summed) = (path.length, path.measured_length());
    if (claimed - summed).abs() > 1e-9 * (1.0 + summed) {
        return Err(MeshPathFault::WrongLength { claimed, summed });
    }
    Ok(())
}

/// Returns whether a point has the height of a polygon there.
fn lies_on(space: &NavMeshSpace<'_>, polygon: PolygonId, place: Vec3) -> bool {
    let ground = space.mesh().height_at(polygon, place);
    (place.y - ground).abs() <= HEIGHT_SLACK + ground.abs() * 1e-6
}

/// Returns whether a segment lies on polygons that follow each other without a gap, from that of
/// `from` to the floor of `to`.
///
/// A polygon is reached if a neighbour is, and the parts of the segment in both touch. Two
/// neighbours lie on the two sides of their common edge, so the parts touch on that edge, and the
/// segment does not leave the floor between them. By induction the segment is covered up to the end
/// of each reached part.
fn is_walkable(space: &NavMeshSpace<'_>, from: MeshPoint, to: MeshPoint) -> bool {
    let (a, b) = (plan(from.place), plan(to.place));
    let along = b - a;
    let length = along.length();
    let slack = 1e-6 * (1.0 + a.abs().max_element().max(b.abs().max_element()));
    let part = |polygon| clipped(space, polygon, a, along, length, slack);
    // Another polygon around a corner, on the same floor.
    let is_there = |polygon: PolygonId| {
        polygon == to.polygon
            || lies_on(space, polygon, to.place)
            || space.passable_neighbours(polygon).any(|next| next == to.polygon)
    };
    let Some(first) = part(from.polygon) else { return false };
    let mut reached = vec![(from.polygon, first)];
    let mut next = 0;
    while let Some(&(polygon, (begin, end))) = reached.get(next) {
        next += 1;
        if end >= length - 2.0 * slack && is_there(polygon) {
            return true;
        }
        for neighbour in space.passable_neighbours(polygon) {
            let is_new = reached.iter().all(|(known, _)| *known != neighbour);
            let Some(other) = part(neighbour).filter(|_| is_new) else { continue };
            if other.0 <= end + 2.0 * slack && other.1 >= begin - 2.0 * slack {
                reached.push((neighbour, other));
            }
        }
    }
    false
}

/// Returns the part of a segment that lies in a polygon, widened by `slack`, as distances from its
/// beginning.
fn clipped(
    space: &NavMeshSpace<'_>,
    polygon: PolygonId,
    a: DVec2,
    along: DVec2,
    length: f64,
    slack: f64,
) -> Option<(f64, f64)> {
    let direction = along.normalize_or_zero();
    let (mut begin, mut end) = (0.0_f64, length);
    let outline: Vec<DVec2> = space.mesh().outline(polygon).map(plan).collect();
    for (index, &corner) in outline.iter().enumerate() {
        let edge = (outline[(index + 1) % outline.len()] - corner).normalize_or_zero();
        // The line along a short edge that single floats have turned a little may cut off corners
        // far away. It is moved outwards until it does not.
        let depths = outline.iter().map(|&other| edge.perp_dot(other - corner));
        let least = depths.fold(0.0, f64::min);
        // The distance to the left of the line, at the beginning and for each metre along.
        let inside = edge.perp_dot(a - corner) + slack - least;
        let slope = edge.perp_dot(direction);
        if slope.abs() < 1e-12 {
            if inside < 0.0 {
                return None;
            }
        } else if slope > 0.0 {
            begin = begin.max(-inside / slope);
        } else {
            end = end.min(-inside / slope);
        }
    }
    (begin <= end).then_some((begin, end))
}
