//! One validated obstacle, ready for queries.

use glam::{Quat, Vec2, Vec3};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhNode};
use parry3d::query::{Ray, RayCast, RayIntersection, details};
use parry3d::shape::{Capsule, Shape, SharedShape, TriMesh};
use wayfare_core::inside::convex_hull;
use wayfare_core::ops;

use super::obstacle::{Obstacle, ObstacleFault, ObstacleKind, ObstacleShape, solid_triangles};

/// The number of sides of the polygon that stands for a circle.
const CIRCLE_SIDES: u8 = 8;

#[derive(Clone, Debug)]
pub(super) struct Solid {
    pub(super) kind: ObstacleKind,
    shape: SharedShape,
    pose: Pose,
    /// Whether the shape is a mesh that encloses a volume.
    closed_mesh: bool,
}

impl Solid {
    pub(super) fn new(obstacle: Obstacle) -> Result<Self, ObstacleFault> {
        obstacle.check()?;
        let mut closed_mesh = false;
        let (shape, pose) = match obstacle.shape {
            ObstacleShape::Box { center, half_extents: half, yaw } => {
                let ops::SinCos { sin, cos } = ops::sin_cos(yaw / 2.0);
                let turn = Quat::from_xyzw(0.0, sin, 0.0, cos).normalize();
                (SharedShape::cuboid(half.x, half.y, half.z), Pose::from_parts(center, turn))
            }
            ObstacleShape::Sphere { center, radius } => {
                (SharedShape::ball(radius), Pose::from_translation(center))
            }
            ObstacleShape::Cylinder { center, radius, half_height } => {
                (SharedShape::cylinder(half_height, radius), Pose::from_translation(center))
            }
            ObstacleShape::Mesh { vertices, triangles } => {
                let triangles: Vec<_> = solid_triangles(&vertices, &triangles).collect();
                closed_mesh = is_closed(&vertices, &triangles);
                let mesh =
                    TriMesh::new(vertices, triangles).map_err(|_| ObstacleFault::EmptyMesh)?;
                (SharedShape::new(mesh), Pose::identity())
            }
        };
        Ok(Self { kind: obstacle.kind, shape, pose, closed_mesh })
    }

    pub(super) fn aabb(&self) -> Aabb {
        self.shape.compute_aabb(&self.pose)
    }

    /// Returns the first point of a segment that meets the solid, as a share of its length; 0 if
    /// the segment starts inside.
    pub(super) fn cast(&self, from: Vec3, to: Vec3) -> Option<RayIntersection> {
        let ray = Ray::new(from, to - from);
        let Some(mesh) = self.shape.as_trimesh() else {
            return self.shape.cast_ray_and_get_normal(&self.pose, &ray, 1.0, true);
        };
        if self.contains(from) {
            return self
                .mesh_hit(mesh, &ray)
                .map(|hit| RayIntersection { time_of_impact: 0.0, ..hit });
        }
        self.mesh_hit(mesh, &ray)
    }

    fn mesh_hit(&self, mesh: &TriMesh, ray: &Ray) -> Option<RayIntersection> {
        leaves_near_segment(mesh.bvh(), ray.origin, ray.origin + ray.dir, 0.0)
            .filter_map(|leaf| {
                let hit = mesh.triangle(leaf).cast_local_ray_and_get_normal(ray, 1.0, true)?;
                Some((hit.time_of_impact, leaf, hit))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, _, hit)| hit)
    }

    /// Returns whether a ball that moves along the segment touches the solid.
    ///
    /// The ball sweeps the capsule of its radius around the segment, so this is one intersection
    /// test.
    pub(super) fn meets_segment(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        if from == to {
            return self.meets(&parry3d::shape::Ball::new(radius), from);
        }
        if radius > 0.0 {
            let (middle, half) = ((from + to) / 2.0, (to - from) / 2.0);
            return self.meets(&Capsule::new(-half, half, radius), middle);
        }
        if self.contains(from) {
            return true;
        }
        let ray = Ray::new(from, to - from);
        match self.shape.as_trimesh() {
            None => self.shape.intersects_ray(&self.pose, &ray, 1.0),
            Some(mesh) => leaves_near_segment(mesh.bvh(), from, to, 0.0)
                .any(|leaf| mesh.triangle(leaf).intersects_local_ray(&ray, 1.0)),
        }
    }

    /// Returns whether an upright convex shape around a point touches the solid.
    pub(super) fn meets(&self, shape: &dyn Shape, center: Vec3) -> bool {
        if self.contains(center) {
            return true;
        }
        let place = self.pose.inv_mul(&Pose::from_translation(center));
        let (Some(mesh), None) = (self.shape.as_trimesh(), shape.as_ball()) else {
            return touches(&*self.shape, shape, &place);
        };
        let near = shape.compute_aabb(&place);
        let mut leaves = mesh.bvh().leaves(|node: &BvhNode| node.aabb().intersects(&near));
        leaves.any(|leaf| {
            let triangle = mesh.triangle(leaf);
            match shape.as_cuboid() {
                Some(cuboid) => {
                    details::intersection_test_triangle_cuboid(&place, &triangle, cuboid)
                }
                None => touches(&triangle, shape, &place),
            }
        })
    }

    /// Returns whether a point lies inside a closed mesh: a vertical ray from it meets an odd
    /// number of triangles.
    fn contains(&self, point: Vec3) -> bool {
        match self.shape.as_trimesh() {
            Some(mesh) if self.closed_mesh => {
                let crossings = crossings(mesh, point.x, point.z);
                crossings.filter(|crossing| crossing.owned && crossing.y > point.y).count() % 2 == 1
            }
            _ => false,
        }
    }

    /// Returns the height of the highest point of the solid at (x, z) between `bottom` and `top`.
    pub(super) fn height(&self, x: f32, z: f32, bottom: f32, top: f32) -> Option<f32> {
        let within = |y: &f32| (bottom..=top).contains(y);
        let center = self.pose.translation;
        let offset = Vec2::new(x - center.x, z - center.z);
        if let Some(mesh) = self.shape.as_trimesh() {
            return crossings(mesh, x, z)
                .map(|crossing| crossing.y)
                .filter(within)
                .max_by(f32::total_cmp);
        }
        let height = if let Some(cuboid) = self.shape.as_cuboid() {
            let local = self.pose.inverse_transform_point(Vec3::new(x, center.y, z)).abs();
            let half = cuboid.half_extents;
            (local.x <= half.x && local.z <= half.z).then_some(center.y + half.y)
        } else if let Some(ball) = self.shape.as_ball() {
            let square = ball.radius * ball.radius - offset.length_squared();
            (square >= 0.0).then(|| center.y + square.sqrt())
        } else if let Some(cylinder) = self.shape.as_cylinder() {
            let inside = offset.length_squared() <= cylinder.radius * cylinder.radius;
            inside.then_some(center.y + cylinder.half_height)
        } else {
            None
        };
        height.filter(within)
    }

    /// Returns the outline of the solid seen from above: a convex polygon of (x, z), in order of
    /// growing angle.
    ///
    /// Round shapes become octagons around their circle.
    pub(super) fn footprint(&self) -> Vec<Vec2> {
        let center = self.pose.translation;
        let around = |radius: f32| {
            // Corners at this distance put the middles of the sides on the circle.
            let reach = radius / ops::sin_cos(std::f32::consts::PI * 3.0 / 8.0).sin;
            let corner = |i: u8| {
                let angle = std::f32::consts::TAU * (f32::from(i) + 0.5) / f32::from(CIRCLE_SIDES);
                let ops::SinCos { sin, cos } = ops::sin_cos(angle);
                Vec2::new(center.x + reach * cos, center.z + reach * sin)
            };
            (0..CIRCLE_SIDES).map(corner).collect()
        };
        if let Some(cuboid) = self.shape.as_cuboid() {
            let half = cuboid.half_extents;
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let place = |(x, z): (f32, f32)| {
                let corner = self.pose.transform_point(Vec3::new(x * half.x, 0.0, z * half.z));
                Vec2::new(corner.x, corner.z)
            };
            corners.map(place).to_vec()
        } else if let Some(ball) = self.shape.as_ball() {
            around(ball.radius)
        } else if let Some(cylinder) = self.shape.as_cylinder() {
            around(cylinder.radius)
        } else if let Some(mesh) = self.shape.as_trimesh() {
            let seen = mesh.vertices().iter().map(|v| Vec2::new(v.x, v.z).as_dvec2());
            convex_hull(seen.collect()).iter().map(|corner| corner.as_vec2()).collect()
        } else {
            Vec::new()
        }
    }
}

/// Returns whether two shapes touch, the second one at a place as the first one sees it. A mesh is
/// a first shape for balls alone.
///
/// Asks the functions for pairs of shapes. `parry3d::query::intersection_test` would bring half a
/// megabyte of code for shapes and questions that nobody here has.
fn touches(first: &dyn Shape, second: &dyn Shape, place: &Pose) -> bool {
    if let (Some(first), Some(second)) = (first.as_ball(), second.as_ball()) {
        return details::intersection_test_ball_ball(place.translation, first, second);
    }
    if let (Some(first), Some(second)) = (first.as_cuboid(), second.as_cuboid()) {
        return details::intersection_test_cuboid_cuboid(place, first, second);
    }
    if let Some(ball) = first.as_ball() {
        return details::intersection_test_ball_point_query(place, ball, second).intersecting;
    }
    if let Some(ball) = second.as_ball() {
        return details::intersection_test_point_query_ball(place, first, ball).intersecting;
    }
    match (first.as_support_map(), second.as_support_map()) {
        (Some(first), Some(second)) => {
            details::intersection_test_support_map_support_map(place, first, second)
        }
        // No pair that a `Solid` and a body can form. It would count as blocked.
        _ => true,
    }
}

/// Returns the leaves whose boxes, grown by `radius`, meet a segment; possibly a few more.
///
/// Tests the separating axes of a box and a segment: the three axes of the box, and their cross
/// products with the segment. There is no division, so a segment along a face of a box is found on
/// every target. The grown box contains every point within `radius` of the box, so no leaf that a
/// capsule meets is missed.
pub(super) fn leaves_near_segment(
    bvh: &Bvh,
    from: Vec3,
    to: Vec3,
    radius: f32,
) -> impl Iterator<Item = u32> {
    let middle = (from + to) / 2.0;
    let half = (to - from) / 2.0;
    let reach = half.abs();
    bvh.leaves(move |node: &BvhNode| {
        let (mins, maxs) = (node.mins(), node.maxs());
        let center = (mins + maxs) / 2.0;
        // Allows for rounding.
        let slack = 1.0e-5 * (center.abs().max_element() + middle.abs().max_element() + 1.0);
        let extents = (maxs - mins) / 2.0 + Vec3::splat(radius + slack);
        let offset = (middle - center).abs();
        if (offset - reach - extents).max_element() > 0.0 {
            return false;
        }
        let across = half.cross(middle - center).abs();
        let limit = Vec3::new(
            extents.y * reach.z + extents.z * reach.y,
            extents.x * reach.z + extents.z * reach.x,
            extents.x * reach.y + extents.y * reach.x,
        );
        (across - limit).max_element() <= slack * reach.max_element()
    })
}

/// A triangle that a vertical line meets.
struct Crossing {
    y: f32,
    /// Whether the triangle owns the line. Of the triangles that share the edge or corner that the
    /// line passes through, an even or odd number owns it, such that a line meets a closed mesh an
    /// even number of times in all.
    owned: bool,
}

/// Returns the triangles of a mesh at (x, z), borders included.
///
/// A triangle owns the line if a ray to +x from it crosses an odd number of its edges, seen from
/// above. An edge counts for `min(a.z, b.z) <= z < max(a.z, b.z)`, so it counts once at a shared
/// corner.
fn crossings(mesh: &TriMesh, x: f32, z: f32) -> impl Iterator<Item = Crossing> {
    let covers = move |node: &BvhNode| {
        let (mins, maxs) = (node.mins(), node.maxs());
        mins.x <= x && x <= maxs.x && mins.z <= z && z <= maxs.z
    };
    mesh.bvh().leaves(covers).filter_map(move |leaf| {
        let triangle = mesh.triangle(leaf);
        let corners = [triangle.a, triangle.b, triangle.c].map(Vec3::as_dvec3);
        let (x, z) = (f64::from(x), f64::from(z));
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        if normal.y == 0.0 {
            return None;
        }
        let (mut owned, mut enclosed) = (false, true);
        for i in 0..3 {
            let (mut a, mut b) = (corners[i], corners[(i + 1) % 3]);
            let side = (b.z - a.z) * (x - a.x) - (b.x - a.x) * (z - a.z);
            enclosed &= side * normal.y >= 0.0;
            if (a.z > z) == (b.z > z) {
                continue;
            }
            // Sorted ends make both triangles of an edge compute the same crossing, to the last
            // bit.
            if a.z > b.z {
                std::mem::swap(&mut a, &mut b);
            }
            owned ^= x < a.x + (b.x - a.x) * ((z - a.z) / (b.z - a.z));
        }
        let [a, ..] = corners;
        let y = a.y - (normal.x * (x - a.x) + normal.z * (z - a.z)) / normal.y;
        (owned || enclosed).then_some(Crossing { y: y as f32, owned })
    })
}

/// Returns whether every edge of the mesh joins exactly two triangles. Vertices at one place count
/// as one.
fn is_closed(vertices: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let bits = |i: u32| (vertices[i as usize] + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut edges: Vec<_> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(a, b)| (bits(a).min(bits(b)), bits(a).max(bits(b))))
        .collect();
    edges.sort_unstable();
    edges.chunk_by(|a, b| a == b).all(|edge| edge.len() == 2)
}
