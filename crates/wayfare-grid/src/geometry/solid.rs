//! One validated obstacle, ready for queries.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhNode};
use parry3d::query::{Ray, RayCast, RayIntersection, details};
use parry3d::shape::{Ball, Capsule, Cuboid, Cylinder, Shape, SupportMap, TriMesh};
use wayfare_core::inside::convex_hull;
use wayfare_core::ops;

use super::obstacle::{Obstacle, ObstacleFault, ObstacleKind, ObstacleShape, solid_triangles};

/// The number of sides of the polygon that stands for a circle.
const CIRCLE_SIDES: u8 = 8;

#[derive(Clone, Debug)]
pub(super) struct Solid {
    pub(super) kind: ObstacleKind,
    form: Form,
    pose: Pose,
    /// Whether the shape is a mesh that encloses a volume.
    closed_mesh: bool,
}

/// The shape of a solid. No `dyn Shape`: its table of methods would bring the code of masses,
/// features and shapes that nobody here asks for.
#[derive(Clone, Debug)]
enum Form {
    Box(Cuboid),
    Sphere(Ball),
    Cylinder(Cylinder),
    Mesh(Arc<TriMesh>),
}

/// An upright convex shape that may touch solids.
pub(super) enum Body {
    Ball(Ball),
    Capsule(Capsule),
    Box(Cuboid),
}

impl Solid {
    pub(super) fn new(obstacle: Obstacle) -> Result<Self, ObstacleFault> {
        obstacle.check()?;
        let mut closed_mesh = false;
        let (form, pose) = match obstacle.shape {
            ObstacleShape::Box { center, half_extents: half, yaw } => {
                let ops::SinCos { sin, cos } = ops::sin_cos(yaw / 2.0);
                let turn = Quat::from_xyzw(0.0, sin, 0.0, cos).normalize();
                (Form::Box(Cuboid::new(half)), Pose::from_parts(center, turn))
            }
            ObstacleShape::Sphere { center, radius } => {
                (Form::Sphere(Ball::new(radius)), Pose::from_translation(center))
            }
            ObstacleShape::Cylinder { center, radius, half_height } => {
                let cylinder = Cylinder::new(half_height, radius);
                (Form::Cylinder(cylinder), Pose::from_translation(center))
            }
            ObstacleShape::Mesh { vertices, triangles } => {
                let triangles: Vec<_> = solid_triangles(&vertices, &triangles).collect();
                closed_mesh = is_closed(&vertices, &triangles);
                let mesh =
                    TriMesh::new(vertices, triangles).map_err(|_| ObstacleFault::EmptyMesh)?;
                (Form::Mesh(Arc::new(mesh)), Pose::identity())
            }
        };
        Ok(Self { kind: obstacle.kind, form, pose, closed_mesh })
    }

    pub(super) fn aabb(&self) -> Aabb {
        match &self.form {
            Form::Box(cuboid) => cuboid.compute_aabb(&self.pose),
            Form::Sphere(ball) => ball.compute_aabb(&self.pose),
            Form::Cylinder(cylinder) => cylinder.compute_aabb(&self.pose),
            Form::Mesh(mesh) => mesh.compute_aabb(&self.pose),
        }
    }

    /// Returns the first point of a segment that meets the solid, as a share of its length; 0 if
    /// the segment starts inside.
    pub(super) fn cast(&self, from: Vec3, to: Vec3) -> Option<RayIntersection> {
        let ray = Ray::new(from, to - from);
        let pose = &self.pose;
        match &self.form {
            Form::Box(cuboid) => cuboid.cast_ray_and_get_normal(pose, &ray, 1.0, true),
            Form::Sphere(ball) => ball.cast_ray_and_get_normal(pose, &ray, 1.0, true),
            Form::Cylinder(cylinder) => cylinder.cast_ray_and_get_normal(pose, &ray, 1.0, true),
            Form::Mesh(mesh) => {
                let hit = self.mesh_hit(mesh, &ray)?;
                let is_inside = self.contains(from);
                Some(if is_inside { RayIntersection { time_of_impact: 0.0, ..hit } } else { hit })
            }
        }
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
            return self.meets(&Body::Ball(Ball::new(radius)), from);
        }
        if radius > 0.0 {
            let (middle, half) = ((from + to) / 2.0, (to - from) / 2.0);
            return self.meets(&Body::Capsule(Capsule::new(-half, half, radius)), middle);
        }
        if self.contains(from) {
            return true;
        }
        let ray = Ray::new(from, to - from);
        match &self.form {
            Form::Box(cuboid) => cuboid.intersects_ray(&self.pose, &ray, 1.0),
            Form::Sphere(ball) => ball.intersects_ray(&self.pose, &ray, 1.0),
            Form::Cylinder(cylinder) => cylinder.intersects_ray(&self.pose, &ray, 1.0),
            Form::Mesh(mesh) => leaves_near_segment(mesh.bvh(), from, to, 0.0)
                .any(|leaf| mesh.triangle(leaf).intersects_local_ray(&ray, 1.0)),
        }
    }

    /// Returns whether a body around a point touches the solid.
    ///
    /// Asks the functions for pairs of shapes. `parry3d::query::intersection_test` would bring half
    /// a megabyte of code for shapes and questions that nobody here has.
    pub(super) fn meets(&self, body: &Body, center: Vec3) -> bool {
        if self.contains(center) {
            return true;
        }
        let place = &self.pose.inv_mul(&Pose::from_translation(center));
        match (&self.form, body) {
            (Form::Mesh(mesh), body) => mesh_meets(mesh, body, place),
            (Form::Sphere(ball), Body::Ball(other)) => {
                details::intersection_test_ball_ball(place.translation, ball, other)
            }
            (Form::Sphere(ball), Body::Capsule(capsule)) => {
                details::intersection_test_ball_point_query(place, ball, capsule).intersecting
            }
            (Form::Sphere(ball), Body::Box(cuboid)) => {
                details::intersection_test_ball_point_query(place, ball, cuboid).intersecting
            }
            (Form::Box(cuboid), Body::Ball(ball)) => {
                details::intersection_test_point_query_ball(place, cuboid, ball).intersecting
            }
            (Form::Box(cuboid), Body::Box(other)) => {
                details::intersection_test_cuboid_cuboid(place, cuboid, other)
            }
            (Form::Box(cuboid), Body::Capsule(capsule)) => meet(place, cuboid, capsule),
            (Form::Cylinder(cylinder), Body::Ball(ball)) => {
                details::intersection_test_point_query_ball(place, cylinder, ball).intersecting
            }
            (Form::Cylinder(cylinder), Body::Capsule(capsule)) => meet(place, cylinder, capsule),
            (Form::Cylinder(cylinder), Body::Box(cuboid)) => meet(place, cylinder, cuboid),
        }
    }

    /// Returns whether a point lies inside a closed mesh: a vertical ray from it meets an odd
    /// number of triangles.
    fn contains(&self, point: Vec3) -> bool {
        match &self.form {
            Form::Mesh(mesh) if self.closed_mesh => {
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
        let height = match &self.form {
            Form::Mesh(mesh) => {
                let heights = crossings(mesh, x, z).map(|crossing| crossing.y);
                return heights.filter(within).max_by(f32::total_cmp);
            }
            Form::Box(cuboid) => {
                let local = self.pose.inverse_transform_point(Vec3::new(x, center.y, z)).abs();
                let half = cuboid.half_extents;
                (local.x <= half.x && local.z <= half.z).then_some(center.y + half.y)
            }
            Form::Sphere(ball) => {
                let square = ball.radius * ball.radius - offset.length_squared();
                (square >= 0.0).then(|| center.y + square.sqrt())
            }
            Form::Cylinder(cylinder) => {
                let inside = offset.length_squared() <= cylinder.radius * cylinder.radius;
                inside.then_some(center.y + cylinder.half_height)
            }
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
        match &self.form {
            Form::Box(cuboid) => {
                let half = cuboid.half_extents;
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let place = |(x, z): (f32, f32)| {
                    let corner = self.pose.transform_point(Vec3::new(x * half.x, 0.0, z * half.z));
                    Vec2::new(corner.x, corner.z)
                };
                corners.map(place).to_vec()
            }
            Form::Sphere(ball) => around(ball.radius),
            Form::Cylinder(cylinder) => around(cylinder.radius),
            Form::Mesh(mesh) => {
                let seen = mesh.vertices().iter().map(|v| Vec2::new(v.x, v.z).as_dvec2());
                convex_hull(seen.collect()).iter().map(|corner| corner.as_vec2()).collect()
            }
        }
    }
}

/// Returns whether a body touches the surface of a mesh, at a place as the mesh sees it.
fn mesh_meets(mesh: &TriMesh, body: &Body, place: &Pose) -> bool {
    let triangles = |near: Aabb| {
        let leaves = mesh.bvh().leaves(move |node: &BvhNode| node.aabb().intersects(&near));
        leaves.map(|leaf| mesh.triangle(leaf))
    };
    match body {
        Body::Ball(ball) => {
            details::intersection_test_point_query_ball(place, mesh, ball).intersecting
        }
        Body::Box(cuboid) => triangles(cuboid.compute_aabb(place))
            .any(|one| details::intersection_test_triangle_cuboid(place, &one, cuboid)),
        Body::Capsule(capsule) => {
            triangles(capsule.compute_aabb(place)).any(|one| meet(place, &one, capsule))
        }
    }
}

/// Returns whether two convex shapes touch, the second one at a place as the first one sees it.
/// Compiled once for all pairs.
fn meet(place: &Pose, first: &dyn SupportMap, second: &dyn SupportMap) -> bool {
    details::intersection_test_support_map_support_map(place, first, second)
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
