//! A set of obstacles and its queries.

use glam::{Vec2, Vec3};
use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use parry3d::shape::{Ball, Cuboid};

use super::obstacle::{
    Obstacle, ObstacleError, ObstacleFault, ObstacleId, ObstacleKind, SurfaceLayer,
};
use super::solid::{Body, Solid, leaves_near_segment};

/// The point where a segment meets an obstacle.
///
/// Example: [`Obstacles`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// The point.
    pub point: Vec3,
    /// The share of the segment before the point: 0 at its start, 1 at its end.
    pub fraction: f32,
    /// The direction that the surface faces, of length 1; 0 if the segment starts inside the
    /// obstacle.
    pub normal: Vec3,
    /// The obstacle.
    pub obstacle: ObstacleId,
}

/// A point where an agent can stand on a surface.
///
/// ```
/// use wayfare::geometry::{
///     Obstacle, ObstacleBounds, ObstacleId, ObstacleKind, Obstacles, SurfaceHeights, SurfaceHit,
///     SurfaceLayer,
/// };
/// use wayfare::glam::Vec3;
///
/// let stage = Obstacle::cuboid(Vec3::new(0.0, 0.5, 0.0), Vec3::new(3.0, 0.5, 2.0))
///     .with_kind(ObstacleKind::Platform(SurfaceLayer(2)));
/// let mut obstacles = Obstacles::new([])?;
/// let stage: ObstacleId = obstacles.add(stage)?;
/// let ground: SurfaceHit = obstacles.ray_down(1.0, 1.0, 9.0, 0.0).unwrap();
/// assert_eq!((ground.y, ground.layer, ground.obstacle), (1.0, SurfaceLayer(2), stage));
/// let ObstacleBounds { min, max } = obstacles.bounds(stage).unwrap();
/// assert_eq!(max - min, Vec3::new(6.0, 1.0, 4.0));
/// let SurfaceHeights { highest, .. } = obstacles.surface_heights().unwrap();
/// assert_eq!(highest, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurfaceHit {
    /// The height of the point.
    pub y: f32,
    /// The layer of the surface.
    pub layer: SurfaceLayer,
    /// The obstacle with the surface.
    pub obstacle: ObstacleId,
}

/// An obstacle or a surface of a set.
///
/// ```
/// use wayfare::geometry::{Obstacle, ObstacleKind, ObstacleShape, Obstacles};
/// use wayfare::glam::Vec3;
/// let shape = ObstacleShape::Sphere { center: Vec3::ZERO, radius: 1.0 };
/// let obstacles = Obstacles::new(vec![Obstacle { shape, kind: ObstacleKind::Blocking }])?;
/// assert!(obstacles.iter().all(|one| one.kind.blocks() && obstacles.bounds(one.id).is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownObstacle {
    /// Its number.
    pub id: ObstacleId,
    /// Whether it blocks, or carries agents.
    pub kind: ObstacleKind,
}

/// The axis-aligned bounding box of an obstacle, in world units.
///
/// Example: [`SurfaceHit`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ObstacleBounds {
    /// The corner with the least x, y and z.
    pub min: Vec3,
    /// The corner with the greatest x, y and z.
    pub max: Vec3,
}

/// The range of heights of all surfaces in a set, in world units.
///
/// Example: [`SurfaceHit`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurfaceHeights {
    /// The height of the lowest point of any surface.
    pub lowest: f32,
    /// The height of the highest point of any surface.
    pub highest: f32,
}

/// Static obstacles and surfaces, in two bounding volume hierarchies.
///
/// Every query descends a hierarchy: O(log n + candidates). Results depend on no hash order and no
/// threads. A query with a coordinate that is not finite finds nothing, and such a segment is never
/// clear.
///
/// ```
/// use glam::Vec3;
/// use wayfare::geometry::{Hit, Obstacle, Obstacles};
///
/// let wall = Obstacle::cuboid(Vec3::new(5.0, 1.0, 0.0), Vec3::new(0.5, 1.0, 4.0));
/// let mut obstacles = Obstacles::new([wall])?;
/// let (from, to) = (Vec3::new(0.0, 1.0, 0.0), Vec3::new(10.0, 1.0, 0.0));
/// let hit: Hit = obstacles.first_hit(from, to).expect("the wall is in the way");
/// assert_eq!(hit.point, Vec3::new(4.5, 1.0, 0.0));
///
/// // Past the end of the wall there is room for a line, but not for an agent of radius 1.
/// let aside = Vec3::new(0.0, 0.0, 4.5);
/// assert!(obstacles.segment_is_clear(from + aside, to + aside, 0.0));
/// assert!(!obstacles.segment_is_clear(from + aside, to + aside, 1.0));
///
/// obstacles.remove(hit.obstacle);
/// assert!(obstacles.segment_is_clear(from, to, 1.0));
/// # Ok::<(), wayfare::geometry::ObstacleError>(())
/// ```
#[derive(Clone, Default)]
pub struct Obstacles {
    /// By id; `None` for removed obstacles.
    solids: Vec<Option<Solid>>,
    blocking: Bvh,
    surfaces: Bvh,
    len: usize,
}

impl std::fmt::Debug for Obstacles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Obstacles").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Obstacles {
    /// Builds the set. The first obstacle gets id 0. O(n log n).
    ///
    /// # Errors
    /// The number of the first invalid obstacle, and its field at fault.
    pub fn new(obstacles: impl IntoIterator<Item = Obstacle>) -> Result<Self, ObstacleError> {
        let mut solids = Vec::new();
        for (number, obstacle) in obstacles.into_iter().enumerate() {
            let solid = Solid::new(obstacle).map_err(|fault| ObstacleError { number, fault })?;
            solids.push(Some(solid));
        }
        let mut set = Self { len: solids.len(), solids, ..Self::default() };
        set.blocking = set.hierarchy(ObstacleKind::blocks);
        set.surfaces = set.hierarchy(|kind| kind.layer().is_some());
        Ok(set)
    }

    fn hierarchy(&self, belongs: impl Fn(ObstacleKind) -> bool) -> Bvh {
        let leaves: Vec<(usize, Aabb)> = (self.solids.iter().enumerate())
            .filter_map(|(id, solid)| solid.as_ref().map(|solid| (id, solid)))
            .filter(|(_, solid)| belongs(solid.kind))
            .map(|(id, solid)| (id, solid.aabb()))
            .collect();
        if leaves.len() > 2 {
            return Bvh::from_iter(BvhBuildStrategy::Binned, leaves);
        }
        // For so few leaves parry's builder assumes that their keys are 0 and 1.
        let mut bvh = Bvh::new();
        for (id, aabb) in leaves {
            bvh.insert(aabb, id as u32);
        }
        bvh
    }

    /// Adds an obstacle. O(log n), plus building its own mesh.
    ///
    /// # Errors
    /// The field at fault.
    pub fn add(&mut self, obstacle: Obstacle) -> Result<ObstacleId, ObstacleFault> {
        let solid = Solid::new(obstacle)?;
        let id = self.solids.len() as u32;
        if solid.kind.blocks() {
            self.blocking.insert(solid.aabb(), id);
        }
        if solid.kind.layer().is_some() {
            self.surfaces.insert(solid.aabb(), id);
        }
        self.solids.push(Some(solid));
        self.len += 1;
        Ok(ObstacleId(id))
    }

    /// Removes an obstacle. Returns whether the set held it. O(log n).
    pub fn remove(&mut self, obstacle: ObstacleId) -> bool {
        let Some(slot) = self.solids.get_mut(obstacle.0 as usize) else { return false };
        if slot.take().is_none() {
            return false;
        }
        self.blocking.remove(obstacle.0);
        self.surfaces.remove(obstacle.0);
        self.len -= 1;
        true
    }

    /// Returns the number of obstacles and surfaces.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns all obstacles and surfaces, in ascending order of id.
    pub fn iter(&self) -> impl Iterator<Item = KnownObstacle> + '_ {
        let ids = self.solids.iter().zip(0..);
        ids.filter_map(|(solid, id)| {
            let kind = solid.as_ref()?.kind;
            Some(KnownObstacle { id: ObstacleId(id), kind })
        })
    }

    /// Returns the axis-aligned bounding box of an obstacle; `None` if it is not in the set.
    #[must_use]
    pub fn bounds(&self, obstacle: ObstacleId) -> Option<ObstacleBounds> {
        let aabb = self.solid(obstacle.0)?.aabb();
        Some(ObstacleBounds { min: aabb.mins, max: aabb.maxs })
    }

    /// Returns the outline of an obstacle seen from above: a convex polygon of (x, z), in one
    /// direction around. `None` if the obstacle is not in the set.
    ///
    /// Spheres and cylinders become octagons around their circle, meshes their convex hull.
    #[must_use]
    pub fn footprint(&self, obstacle: ObstacleId) -> Option<Vec<Vec2>> {
        Some(self.solid(obstacle.0)?.footprint())
    }

    /// Returns whether a ball of `radius` can move along the segment without touching a blocking
    /// obstacle.
    ///
    /// `radius` is in world units; a negative one counts as 0, which is a ray.
    #[must_use]
    pub fn segment_is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        if !(from.is_finite() && to.is_finite() && radius.is_finite()) {
            return false;
        }
        let radius = radius.max(0.0);
        !leaves_near_segment(&self.blocking, from, to, radius)
            .filter_map(|leaf| self.solid(leaf))
            .any(|solid| solid.meets_segment(from, to, radius))
    }

    /// Returns the first point of a segment that meets a blocking obstacle. Ties go to the lower
    /// id.
    #[must_use]
    pub fn first_hit(&self, from: Vec3, to: Vec3) -> Option<Hit> {
        if !(from.is_finite() && to.is_finite()) || from == to {
            return None;
        }
        leaves_near_segment(&self.blocking, from, to, 0.0)
            .filter_map(|leaf| Some((leaf, self.solid(leaf)?.cast(from, to)?)))
            .min_by(|a, b| a.1.time_of_impact.total_cmp(&b.1.time_of_impact).then(a.0.cmp(&b.0)))
            .map(|(leaf, hit)| Hit {
                point: from + (to - from) * hit.time_of_impact,
                fraction: hit.time_of_impact,
                normal: hit.normal.normalize_or_zero(),
                obstacle: ObstacleId(leaf),
            })
    }

    /// Returns whether a ball touches a blocking obstacle. `radius` is in world units; a negative
    /// one counts as 0.
    #[must_use]
    pub fn overlaps_sphere(&self, center: Vec3, radius: f32) -> bool {
        let radius = radius.max(0.0);
        let ball = Body::Ball(Ball::new(radius));
        let aabb = Aabb::new(center - Vec3::splat(radius), center + Vec3::splat(radius));
        center.is_finite()
            && radius.is_finite()
            && self.blocked_within(&aabb, |solid| solid.meets(&ball, center))
    }

    /// Returns whether an axis-aligned box touches a blocking obstacle. `half_extents` are in world
    /// units; negative ones count as 0.
    #[must_use]
    pub fn overlaps_box(&self, center: Vec3, half_extents: Vec3) -> bool {
        let half = half_extents.max(Vec3::ZERO);
        let cuboid = Body::Box(Cuboid::new(half));
        let aabb = Aabb::new(center - half, center + half);
        center.is_finite()
            && half.is_finite()
            && self.blocked_within(&aabb, |solid| solid.meets(&cuboid, center))
    }

    fn blocked_within(&self, aabb: &Aabb, meets: impl Fn(&Solid) -> bool) -> bool {
        self.blocking.intersect_aabb(aabb).filter_map(|leaf| self.solid(leaf)).any(meets)
    }

    /// Returns the highest surface at (x, z) between the heights `to_y` and `from_y`. Ties go to
    /// the lower id.
    #[must_use]
    pub fn ray_down(&self, x: f32, z: f32, from_y: f32, to_y: f32) -> Option<SurfaceHit> {
        let crosses = |node: &BvhNode| {
            let (mins, maxs) = (node.mins(), node.maxs());
            let beside = x < mins.x || x > maxs.x || z < mins.z || z > maxs.z;
            !beside && mins.y <= from_y && to_y <= maxs.y
        };
        self.surfaces
            .leaves(crosses)
            .filter_map(|leaf| {
                let solid = self.solid(leaf)?;
                let y = solid.height(x, z, to_y, from_y)?;
                Some(SurfaceHit { y, layer: solid.kind.layer()?, obstacle: ObstacleId(leaf) })
            })
            .max_by(|a, b| a.y.total_cmp(&b.y).then(b.obstacle.cmp(&a.obstacle)))
    }

    /// Returns the range of heights of all surfaces; `None` without any.
    #[must_use]
    pub fn surface_heights(&self) -> Option<SurfaceHeights> {
        let aabb = self.surfaces.root_aabb();
        (!self.surfaces.is_empty())
            .then_some(SurfaceHeights { lowest: aabb.mins.y, highest: aabb.maxs.y })
    }

    fn solid(&self, id: u32) -> Option<&Solid> {
        self.solids.get(id as usize)?.as_ref()
    }
}
