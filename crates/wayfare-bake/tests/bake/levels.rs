//! Small levels whose meshes are known, and random ones whose meshes must be sound.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use wayfare_bake::{
    AreaVolume, Bake, BakeError, BakeSettings, Ground, LevelGeometry, Partition, PolygonMesh,
    WalkerShape,
};
use wayfare_mesh::navmesh::AreaId;

use crate::boxes;

pub(crate) fn settings(radius: f32) -> BakeSettings {
    let walker = WalkerShape { radius, height: 1.8, step: 0.5, slope: 45.0 };
    BakeSettings { cell_size: 0.2, cell_height: 0.1, min_island: 0, ..BakeSettings::new(walker) }
}

fn mesh(level: &LevelGeometry, settings: BakeSettings) -> PolygonMesh {
    let baked = Bake::new(level, settings).unwrap().run().unwrap();
    assert_eq!(baked.polygons.fault(), None);
    baked.polygons
}

/// The number of parts that are not connected by common edges.
pub(crate) fn islands(mesh: &PolygonMesh) -> usize {
    let mut parents: Vec<usize> = (0..mesh.len()).collect();
    fn root(parents: &[usize], mut of: usize) -> usize {
        while parents[of] != of {
            of = parents[of];
        }
        of
    }
    let mut owners = std::collections::BTreeMap::new();
    for (number, polygon) in mesh.polygons().enumerate() {
        for index in 0..polygon.len() {
            let (a, b) = (polygon[index], polygon[(index + 1) % polygon.len()]);
            if let Some(&other) = owners.get(&(b, a)) {
                let (x, y) = (root(&parents, number), root(&parents, other));
                parents[x.max(y)] = x.min(y);
            }
            owners.insert((a, b), number);
        }
    }
    (0..mesh.len()).filter(|&number| parents[number] == number).count()
}

#[test]
fn a_floor_becomes_one_polygon() {
    let level = boxes(&[[[0.0, -1.0, 0.0], [10.0, 0.0, 6.0]]]);
    let mesh = mesh(&level, settings(0.4));
    assert_eq!(mesh.len(), 1);
    // A cell for the drop, two for the radius, on each side.
    assert!((mesh.area_in_plan() - 8.8 * 4.8).abs() < 1e-3, "{}", mesh.area_in_plan());
    assert!(mesh.positions().all(|at| at.y.abs() < 0.11));
    assert_eq!(mesh.nav_mesh().unwrap().body_radius(), 0.4);
}

#[test]
fn a_pillar_is_a_hole() {
    let level =
        boxes(&[[[0.0, -1.0, 0.0], [10.0, 0.0, 10.0]], [[4.0, -0.5, 4.0], [6.0, 1.5, 6.0]]]);
    for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
        let mesh = mesh(&level, BakeSettings { partition, ..settings(0.4) });
        // The pillar's top is an island of its own.
        assert_eq!(islands(&mesh), 2, "{partition:?}");
        let on_ground = 8.8 * 8.8 - 2.8 * 2.8;
        let on_top = 0.8 * 0.8;
        assert!((mesh.area_in_plan() - on_ground - on_top).abs() < 0.5, "{}", mesh.area_in_plan());
    }
}

#[test]
fn a_step_is_climbed_and_a_wall_is_not() {
    for (height, connected) in [(0.4, 1), (0.9, 2)] {
        let level =
            boxes(&[[[0.0, -1.0, 0.0], [10.0, 0.0, 6.0]], [[5.0, -0.9, 0.0], [10.0, height, 6.0]]]);
        assert_eq!(islands(&mesh(&level, settings(0.4))), connected, "{height} m");
    }
}

#[test]
fn low_ceilings_are_no_ground() {
    for (ceiling, parts) in [(2.0, 2), (1.5, 3)] {
        let level = boxes(&[
            [[0.0, -1.0, 0.0], [12.0, 0.0, 6.0]],
            [[4.0, ceiling, 0.0], [8.0, ceiling + 1.0, 6.0]],
        ]);
        // The roof is an island too.
        assert_eq!(islands(&mesh(&level, settings(0.4))), parts, "{ceiling} m");
    }
}

#[test]
fn a_bridge_and_the_ground_below_are_two_floors() {
    let mut parts =
        vec![[[0.0, -1.0, 0.0], [20.0, 0.0, 20.0]], [[8.0, 2.6, 8.0], [16.0, 3.0, 12.0]]];
    for step in 1..8 {
        let (x, top) = (8.0 - step as f32, 3.0 - 0.375 * step as f32);
        parts.push([[x, top - 0.4, 8.0], [x + 1.0, top, 12.0]]);
    }
    let level = boxes(&parts);
    for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
        let mesh = mesh(&level, BakeSettings { partition, ..settings(0.4) });
        assert_eq!(islands(&mesh), 1, "{partition:?}");
        let above = mesh.positions().filter(|at| at.y > 2.5).count();
        assert!(above >= 2, "{partition:?}");
    }
}

/// Four platforms around a corner, each a step above the last, and a fifth above the first.
#[test]
fn stairs_around_a_corner_have_one_height_at_the_corner() {
    let quarters = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    let parts: Vec<[[f32; 3]; 2]> = (0..12)
        .map(|index| {
            let ([x, z], y) = (quarters[index % 4], index as f32 * 0.5);
            [[x, y - 0.1, z], [x + 4.0, y, z + 4.0]]
        })
        .collect();
    let level = boxes(&parts);
    for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
        let mesh = mesh(&level, BakeSettings { partition, ..settings(0.0) });
        assert!(mesh.len() >= 8, "{partition:?}: {}", mesh.len());
    }
}

#[test]
fn volumes_change_areas_and_take_ground_out() {
    let outline = vec![[2.0, 2.0].into(), [6.0, 2.0].into(), [6.0, 6.0].into(), [2.0, 6.0].into()];
    let mud =
        AreaVolume { outline, bottom: -1.0, top: 1.0, ground: Ground::of(AreaId(7)).unwrap() };
    let floor = boxes(&[[[0.0, -1.0, 0.0], [10.0, 0.0, 10.0]]]);
    let level = floor.clone().with_volumes([mud.clone()]);
    let muddy = mesh(&level, settings(0.4));
    assert_eq!(islands(&muddy), 1);
    assert!((0..muddy.len()).any(|polygon| muddy.area(polygon) == AreaId(7)));
    let level = floor.with_volumes([AreaVolume { ground: Ground::BLOCKED, ..mud }]);
    let holed = mesh(&level, settings(0.4));
    let difference = muddy.area_in_plan() - holed.area_in_plan();
    assert!((difference - 16.0).abs() < 0.5, "{difference}");
}

#[test]
fn what_cannot_be_baked_is_refused_by_name() {
    let level = boxes(&[[[0.0, -1.0, 0.0], [10.0, 0.0, 10.0]]]);
    let error = |settings| Bake::new(&level, settings).and_then(|bake| bake.run()).unwrap_err();
    let good = settings(0.4);
    let message = error(BakeSettings { cell_size: f32::NAN, ..good }).to_string();
    assert!(message.contains("cell size"), "{message}");
    let message = error(BakeSettings { memory_limit: 1000, ..good }).to_string();
    assert!(message.contains("memory limit"), "{message}");
    let wide = boxes(&[[[-1e6, 0.0, 0.0], [1e6, 1.0, 1.0]]]);
    let error = Bake::new(&wide, good).err().unwrap();
    assert!(matches!(error, BakeError::TooLarge { axis: "x", .. }), "{error}");
    let none = LevelGeometry::default();
    assert_eq!(Bake::new(&none, good).err(), Some(BakeError::NoTriangles));
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let cancelled = Bake::new(&level, good).unwrap().cancelled_by(&cancel).run();
    assert!(matches!(cancelled, Err(BakeError::Cancelled { .. })));
}

#[test]
fn levels_far_from_the_origin_are_baked_alike() {
    let near = boxes(&[[[0.0, -1.0, 0.0], [16.0, 0.0, 16.0]]]);
    let far = boxes(&[[[1e6, -1.0, -1e6], [1e6 + 16.0, 0.0, -1e6 + 16.0]]]);
    let settings = BakeSettings { cell_size: 0.25, ..settings(0.5) };
    let [near, far] = [near, far].map(|level| mesh(&level, settings).area_in_plan());
    assert_eq!(near, far);
}

/// Random boxes on a floor, in a space so small that they touch, overlap and pile up.
pub(crate) fn cluttered() -> impl Strategy<Value = LevelGeometry> {
    let place = (0..40_i32, 0..16_i32, 0..40_i32);
    let size = (1..14_i32, 1..12_i32, 1..14_i32);
    proptest::collection::vec((place, size), 0..24).prop_map(|list| {
        let mut parts = vec![[[0.0, -0.5, 0.0], [8.0, 0.0, 8.0]]];
        for ((x, y, z), (w, h, d)) in list {
            let [x, y, z, w, h, d] = [x, y, z, w, h, d].map(|v| v as f32 * 0.2);
            parts.push([[x, y, z], [x + w, y + h, z + d]]);
        }
        boxes(&parts)
    })
}

/// Random triangles, degenerate ones among them.
pub(crate) fn soup() -> impl Strategy<Value = LevelGeometry> {
    let coordinate = prop_oneof![(-6.0_f32..6.0), (-3..3_i32).prop_map(|v| v as f32)];
    let corner = [coordinate.clone(), coordinate.clone(), coordinate];
    proptest::collection::vec(proptest::collection::vec(corner, 3), 1..60).prop_map(|list| {
        let vertices: Vec<glam::Vec3> =
            list.into_iter().flatten().map(|[x, y, z]| [x, y * 0.4, z].into()).collect();
        let triangles = (0..vertices.len() as u32 / 3).map(|t| [t * 3, t * 3 + 1, t * 3 + 2]);
        LevelGeometry::new(vertices, triangles.collect()).unwrap()
    })
}

pub(crate) fn partitions() -> impl Strategy<Value = Partition> {
    prop_oneof![Just(Partition::Watershed), Just(Partition::Monotone), Just(Partition::Layers)]
}

fn errors() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0_f32), Just(1.3), Just(4.0)]
}

/// Polygons are convex, no edge has two owners on one side, and at full detail the polygons cover
/// exactly the floors of the regions.
fn becomes_a_sound_mesh(
    level: &LevelGeometry,
    partition: Partition,
    radius: f32,
    error: f32,
) -> Result<(), TestCaseError> {
    let settings =
        BakeSettings { partition, max_outline_error: error, merge_below: 100, ..settings(radius) };
    let bake = Bake::new(level, settings).unwrap();
    let field = bake.field().unwrap();
    let regions = bake.regions(&field).unwrap();
    let contours = bake.contours(&field, &regions).unwrap();
    let mesh = bake.polygons(&contours).unwrap();
    prop_assert_eq!(mesh.fault(), None);
    prop_assert!(mesh.nav_mesh().is_ok(), "{:?}", mesh.nav_mesh().err());
    if !mesh.is_empty() {
        bake.heights(&field, &regions, &mesh).unwrap();
    }
    // The area within the outlines is that of the polygons: neither hole nor overlap.
    let doubled: i64 = contours
        .outlines()
        .iter()
        .map(|outline| {
            let at = |i: usize| contours.vertices()[outline.corners[i] as usize];
            (1..outline.corners.len() - 1).map(|i| at(0).turn(at(i), at(i + 1))).sum::<i64>()
        })
        .sum();
    let cell = bake.lattice().cell_size();
    prop_assert!((mesh.area_in_plan() - doubled as f64 * 0.5 * cell * cell).abs() < 1e-6);
    if error == 0.0 && regions.len() <= 1 {
        let floors = (0..field.len()).filter(|&f| regions.of(f).is_region()).count();
        prop_assert_eq!(doubled, floors as i64 * 2);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_levels_become_sound_meshes(
        level in prop_oneof![cluttered(), soup()],
        partition in partitions(),
        radius in prop_oneof![Just(0.2_f32), Just(0.4)],
        error in errors(),
    ) {
        becomes_a_sound_mesh(&level, partition, radius, error)?;
    }

    /// Without a radius about 1 of 1,000 levels becomes polygons of which one is concave, or two
    /// overlap. No navigation mesh is made of these.
    #[test]
    fn random_levels_for_points_are_sound_or_refused(
        level in prop_oneof![cluttered(), soup()],
        partition in partitions(),
        max_outline_error in errors(),
    ) {
        let settings = BakeSettings {
            partition,
            max_outline_error,
            merge_below: 100,
            ..settings(0.0)
        };
        let mesh = Bake::new(&level, settings).unwrap().run().unwrap().polygons;
        prop_assert!(mesh.fault().is_none() || mesh.nav_mesh().is_err(), "{:?}", mesh.fault());
    }

    /// Tiles cover what the whole level covers, without a gap between them, with the same bytes on
    /// each run.
    #[test]
    fn tiles_make_a_sound_mesh(
        level in prop_oneof![cluttered(), soup()],
        partition in partitions(),
        radius in prop_oneof![Just(0.2_f32), Just(0.4)],
        side in 16..32_u32,
    ) {
        let exact = BakeSettings { partition, max_outline_error: 0.0, ..settings(radius) };
        let whole = Bake::new(&level, exact).unwrap().run().unwrap().polygons;
        let settings = BakeSettings { tile_side: Some(side), ..exact };
        let tiled = Bake::new(&level, settings).unwrap().run().unwrap();
        prop_assert_eq!(tiled.polygons.fault(), None);
        prop_assert!(tiled.polygons.nav_mesh().is_ok());
        prop_assert_eq!(&tiled, &Bake::new(&level, settings).unwrap().run().unwrap());
        // At full detail each floor is covered once by both, but for simplified inner borders.
        let difference = (whole.area_in_plan() - tiled.polygons.area_in_plan()).abs();
        prop_assert!(difference < 1e-6, "{difference}");
        prop_assert_eq!(islands(&whole), islands(&tiled.polygons));
    }
}

/// A rectangle of 10 by 6 metres, turned by twice the angle whose tangent is `half`.
fn turned(half: f32) -> [Vec2; 4] {
    let scale = 1.0 + half * half;
    let (sin, cos) = (2.0 * half / scale, (1.0 - half * half) / scale);
    [[0.0, 0.0], [0.0, 6.0], [10.0, 6.0], [10.0, 0.0]]
        .map(|[x, z]| Vec2::new(20.03 + cos * x - sin * z, 20.07 + sin * x + cos * z))
}

/// Ground two metres high with a pit, or with a block on it.
fn with_hole(hole: [Vec2; 4], is_pit: bool) -> LevelGeometry {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let mut quad = |corners: [Vec3; 4]| {
        let first = vertices.len() as u32;
        vertices.extend(corners);
        triangles.extend([[0, 1, 2], [0, 2, 3]].map(|corners| corners.map(|it| first + it)));
    };
    let at = |corner: Vec2, y: f32| Vec3::new(corner.x, y, corner.y);
    let outer = [[0.0, 0.0], [0.0, 45.0], [45.0, 45.0], [45.0, 0.0]].map(Vec2::from);
    for side in 0..4 {
        let next = (side + 1) % 4;
        quad([
            at(outer[side], 2.0),
            at(outer[next], 2.0),
            at(hole[next], 2.0),
            at(hole[side], 2.0),
        ]);
        if !is_pit {
            quad([
                at(hole[next], 2.0),
                at(hole[side], 2.0),
                at(hole[side], 5.0),
                at(hole[next], 5.0),
            ]);
        }
    }
    quad(hole.map(|corner| at(corner, if is_pit { 0.0 } else { 5.0 })));
    LevelGeometry::new(vertices, triangles).unwrap()
}

/// Returns the distance of a point from a convex shape whose corners run counter-clockwise.
fn distance(point: Vec2, shape: &[Vec2; 4]) -> f32 {
    let sides = (0..4).map(|side| (shape[side], shape[(side + 1) % 4]));
    let to_side = |(a, b): (Vec2, Vec2)| {
        let along = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        point.distance(a.lerp(b, along))
    };
    sides.map(to_side).fold(f32::INFINITY, f32::min)
}

/// Whatever the direction of an edge, no floor is left nearer to it than the radius: from an edge
/// that goes down, as from a wall.
#[test]
fn floors_keep_the_radius_from_drops_as_from_walls() {
    for is_pit in [false, true] {
        for twentieths in 0..20_u8 {
            let hole = turned(f32::from(twentieths) / 20.0);
            let level = with_hole(hole, is_pit);
            let settings = BakeSettings { cell_size: 0.15, ..settings(0.3) };
            let bake = Bake::new(&level, settings).unwrap();
            let field = bake.field().unwrap();
            let (origin, cell) = (field.lattice().origin(), field.lattice().cell_size());
            let mut nearest = f32::INFINITY;
            for floor in 0..field.len() {
                let place = field.place(floor);
                let height = origin.y + f64::from(place.y) * field.lattice().cell_height();
                if !(1.0..3.0).contains(&height) {
                    continue;
                }
                for corner in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                    let x = origin.x + f64::from(place.x + corner[0]) * cell;
                    let z = origin.z + f64::from(place.z + corner[1]) * cell;
                    nearest = nearest.min(distance(Vec2::new(x as f32, z as f32), &hole));
                }
            }
            // A corner that pokes into a cell may come nearer by a part of the cell.
            assert!(nearest > 0.3 - 0.8 * 0.15, "{is_pit}, {twentieths}: {nearest}");
        }
    }
}
