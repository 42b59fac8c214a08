//! The set of obstacles against signed distances that share no code with it.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::ops;
use wayfare_grid::geometry::{Obstacle, ObstacleKind, ObstacleShape, Obstacles, SurfaceLayer};

/// The distance from a point to a shape; negative inside.
fn signed_distance(shape: &ObstacleShape, point: Vec3) -> f32 {
    let of_box = |q: Vec3| q.max(Vec3::ZERO).length() + q.max_element().min(0.0);
    match *shape {
        ObstacleShape::Box { center, half_extents, yaw } => {
            let ops::SinCos { sin, cos } = ops::sin_cos(yaw);
            let d = point - center;
            // The inverse turn: by −yaw about y.
            let local = Vec3::new(cos * d.x - sin * d.z, d.y, sin * d.x + cos * d.z);
            of_box(local.abs() - half_extents)
        }
        ObstacleShape::Sphere { center, radius } => point.distance(center) - radius,
        ObstacleShape::Cylinder { center, radius, half_height } => {
            let d = point - center;
            let aside = (d.x * d.x + d.z * d.z).sqrt() - radius;
            of_box(Vec3::new(aside, d.y.abs() - half_height, f32::MIN))
        }
        ObstacleShape::Mesh { .. } => unreachable!("no distance is written down for meshes"),
    }
}

/// The mesh of a box along the axes.
fn box_mesh(center: Vec3, half: Vec3) -> Obstacle {
    let corner = |i: u32| {
        let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        center + half * Vec3::new(sign(0), sign(1), sign(2))
    };
    let quads =
        [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Obstacle::mesh((0..8).map(corner).collect(), triangles)
}

fn point() -> impl Strategy<Value = Vec3> {
    (-10.0f32..10.0, -2.0f32..2.0, -10.0f32..10.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn size() -> impl Strategy<Value = Vec3> {
    (0.1f32..2.0, 0.1f32..2.0, 0.1f32..2.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn shape() -> impl Strategy<Value = ObstacleShape> {
    prop_oneof![
        (point(), size(), -4.0f32..4.0).prop_map(|(center, half_extents, yaw)| {
            ObstacleShape::Box { center, half_extents, yaw }
        }),
        (point(), 0.1f32..2.0)
            .prop_map(|(center, radius)| ObstacleShape::Sphere { center, radius }),
        (point(), size()).prop_map(|(center, size)| ObstacleShape::Cylinder {
            center,
            radius: size.x,
            half_height: size.y,
        }),
    ]
}

/// The least distance from points along the segment to any shape, and how much less it may be
/// between them.
fn least_distance(shapes: &[ObstacleShape], from: Vec3, to: Vec3) -> (f32, f32) {
    let samples = 400;
    let least = (0..=samples)
        .map(|i| from.lerp(to, i as f32 / samples as f32))
        .flat_map(|point| shapes.iter().map(move |shape| signed_distance(shape, point)))
        .fold(f32::INFINITY, f32::min);
    (least, from.distance(to) / samples as f32 / 2.0)
}

proptest! {
    #[test]
    fn segments_and_spheres_agree_with_signed_distances(
        shapes in prop::collection::vec(shape(), 0..12),
        removed in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        late in 0usize..12,
        (from, to) in (point(), point()),
        radius in prop_oneof![Just(0.0f32), 0.05f32..1.5],
    ) {
        let obstacle = |shape: &ObstacleShape| Obstacle { shape: shape.clone(), kind: ObstacleKind::Blocking };
        let early = shapes.len() - late.min(shapes.len());
        let mut set = Obstacles::new(shapes[..early].iter().map(obstacle)).unwrap();
        for shape in &shapes[early..] {
            set.add(obstacle(shape)).unwrap();
        }
        let mut left: Vec<_> = set.iter().map(|one| one.id).collect();
        for index in removed {
            if !left.is_empty() {
                let id = left.swap_remove(index.index(left.len()));
                prop_assert!(set.remove(id) && !set.remove(id));
            }
        }
        let shapes: Vec<_> = left.iter().map(|id| shapes[id.index() as usize].clone()).collect();
        prop_assert_eq!(set.len(), shapes.len());

        let margin = 2e-3;
        let (least, slack) = least_distance(&shapes, from, to);
        let clear = set.segment_is_clear(from, to, radius);
        if least < radius - margin {
            prop_assert!(!clear, "{least} < {radius}");
        } else if least - slack > radius + margin {
            prop_assert!(clear, "{least} > {radius}");
        }
        if radius == 0.0 {
            match set.first_hit(from, to) {
                Some(hit) => {
                    let (before, _) = least_distance(&shapes, from, from + (hit.point - from) * 0.99);
                    prop_assert!(before > -margin || hit.fraction == 0.0);
                    let at = shapes.iter().map(|shape| signed_distance(shape, hit.point));
                    // Casts on cylinders are iterated: at a rim they are less exact.
                    prop_assert!(at.fold(f32::INFINITY, f32::min) < 2.0 * margin);
                }
                None => prop_assert!(least > -margin),
            }
        }
        let (least, _) = least_distance(&shapes, from, from);
        if (least - radius).abs() > margin {
            prop_assert_eq!(set.overlaps_sphere(from, radius), least < radius);
        }
    }

    #[test]
    fn a_closed_mesh_is_as_solid_as_its_box(
        center in point(), half in size(), (from, to) in (point(), point()),
        radius in prop_oneof![Just(0.0f32), 0.05f32..1.5],
    ) {
        let solid = [ObstacleShape::Box { center, half_extents: half, yaw: 0.0 }];
        let set = Obstacles::new([box_mesh(center, half)]).unwrap();
        let (least, slack) = least_distance(&solid, from, to);
        if least < radius - 2e-3 {
            prop_assert!(!set.segment_is_clear(from, to, radius));
        } else if least - slack > radius + 2e-3 {
            prop_assert!(set.segment_is_clear(from, to, radius));
        }
        prop_assert!(set.overlaps_sphere(center, 0.0) && set.overlaps_box(center, Vec3::splat(0.01)));
        let apart = (from - center).abs() - half - Vec3::splat(radius);
        if apart.max_element().abs() > 2e-3 {
            prop_assert_eq!(set.overlaps_box(from, Vec3::splat(radius)), apart.max_element() < 0.0);
        }
    }

    #[test]
    fn no_description_panics(
        numbers in prop::array::uniform8(any::<f32>()), triangle in prop::array::uniform3(0u32..4), kind in 0..4,
        (from, to) in (prop::array::uniform3(any::<f32>()), prop::array::uniform3(any::<f32>())),
    ) {
        let [a, b, c, d, e, f, g, h] = numbers;
        let (center, half_extents) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
        let obstacle = match kind {
            0 => Obstacle { shape: ObstacleShape::Box { center, half_extents, yaw: g }, kind: ObstacleKind::default() },
            1 => Obstacle::sphere(center, d),
            2 => Obstacle::cylinder(center, d, e),
            _ => Obstacle::mesh(vec![center, half_extents, Vec3::new(f, g, h)], vec![triangle]),
        };
        let surface = obstacle.clone().with_kind(ObstacleKind::Platform(SurfaceLayer(1)));
        if let Ok(set) = Obstacles::new([obstacle, surface]) {
            let (from, to) = (Vec3::from(from), Vec3::from(to));
            let _ = (set.segment_is_clear(from, to, 0.0), set.segment_is_clear(from, to, h));
            let _ = (set.first_hit(from, to), set.overlaps_box(from, to), set.overlaps_sphere(from, g));
            let _ = set.ray_down(from.x, from.z, from.y, to.y);
        }
    }
}

#[test]
fn surfaces_carry_and_platforms_also_block() {
    let layer = SurfaceLayer;
    let hill = Obstacle::mesh(
        [(0, 0, 0), (10, 0, 0), (10, 5, 10), (0, 5, 10)]
            .map(|(x, y, z)| Vec3::new(x as f32, y as f32, z as f32))
            .to_vec(),
        vec![[0, 2, 1], [0, 3, 2]],
    );
    let crate_box = Obstacle::cuboid(Vec3::new(5.0, 3.0, 5.0), Vec3::ONE);
    let mast = Obstacle::cylinder(Vec3::new(8.0, 5.0, 8.0), 0.5, 5.0);
    let set = Obstacles::new([
        mast,
        hill.with_kind(ObstacleKind::Surface(layer(3))),
        crate_box.with_kind(ObstacleKind::Platform(layer(4))),
    ])
    .unwrap();
    // On the crate, on the slope beside it, on the seam of the two triangles, under the mast, off
    // the world.
    let down = |x, z| set.ray_down(x, z, 100.0, -100.0).map(|hit| (hit.y, hit.layer.0));
    assert_eq!(down(5.0, 5.0), Some((4.0, 4)));
    assert_eq!(down(5.0, 2.0), Some((1.0, 3)));
    assert_eq!(down(2.0, 2.0), Some((1.0, 3)));
    assert_eq!(down(8.0, 8.0), Some((4.0, 3)));
    assert_eq!(down(-1.0, 2.0), None);
    // The border belongs to the surface.
    for (x, z) in [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0), (10.0, 4.0), (4.0, 10.0)] {
        assert_eq!(down(x, z), Some((z / 2.0, 3)));
    }
    assert_eq!(set.ray_down(5.0, 5.0, 3.0, -100.0).map(|hit| hit.layer), Some(layer(3)));
    // The slope does not block; the crate does.
    assert!(set.segment_is_clear(Vec3::new(1.0, 0.0, 9.0), Vec3::new(1.0, 9.0, 0.0), 0.2));
    assert!(!set.segment_is_clear(Vec3::new(0.0, 3.0, 5.0), Vec3::new(9.0, 3.0, 5.0), 0.0));
    assert_eq!(set.footprint(set.iter().nth(2).unwrap().id).unwrap().len(), 4);
}

#[test]
fn faults_name_the_obstacle_and_the_field() {
    let fault = |obstacle| {
        Obstacles::new([Obstacle::sphere(Vec3::ZERO, 1.0), obstacle]).unwrap_err().to_string()
    };
    let nan = Obstacle::sphere(Vec3::new(0.0, f32::NAN, 0.0), 1.0);
    assert_eq!(
        fault(nan),
        "obstacle 1: `center` holds NaN, which is not a number from −4,000,000 to 4,000,000"
    );
    let flat = Obstacle::cuboid(Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0));
    assert_eq!(fault(flat), "obstacle 1: `half_extents` holds 0, but must be at least 0.0001");
    let loose = Obstacle::mesh(vec![Vec3::ZERO; 3], vec![[0, 1, 7]]);
    assert_eq!(
        fault(loose),
        "obstacle 1: triangle 0 of `triangles` names vertex 7, but there are 3"
    );
    let empty = Obstacle::mesh(vec![Vec3::ZERO; 3], vec![[0, 1, 2]]);
    assert_eq!(fault(empty), "obstacle 1: `triangles` holds no triangle with an area");
}
