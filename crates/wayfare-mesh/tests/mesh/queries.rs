//! Questions about places on navigation meshes, against oracles that look at every polygon.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::space::StateId;
use wayfare_mesh::navmesh::{
    AreaId, CarvedGround, Carving, HeightReach, MeshDraft, MeshPoint, MeshSampler, NavMesh,
    NavMeshSpace, Prism,
};

use crate::mesh_fields::{Flat, distance, fields, locate, places, turn};

fn flat(point: Vec3) -> Flat {
    [f64::from(point.x), f64::from(point.z)]
}

fn at([x, z]: Flat) -> Vec3 {
    Vec3::new(x as f32, 0.0, z as f32)
}

fn to_edge(point: Flat, from: Flat, to: Flat) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = along[0].powi(2) + along[1].powi(2);
    let t = ((point[0] - from[0]) * along[0] + (point[1] - from[1]) * along[1]) / length;
    let t = t.clamp(0.0, 1.0);
    distance(point, [from[0] + along[0] * t, from[1] + along[1] * t])
}

/// The share of a segment, from its beginning, that polygons cover which hang together by edges
/// along it. Polygons count as wider by `margin`.
fn covered(space: &NavMeshSpace<'_>, from: MeshPoint, to: Flat, margin: f64) -> f64 {
    let a = flat(from.place);
    let part = |polygon| {
        let outline: Vec<Flat> = space.mesh().outline(polygon).map(flat).collect();
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        for (i, &corner) in outline.iter().enumerate() {
            let next = outline[(i + 1) % outline.len()];
            let long = distance(corner, next);
            let [near, far] = [a, to].map(|at| turn(corner, next, at) / long + margin);
            if near < 0.0 && far < 0.0 {
                return None;
            }
            if near < 0.0 {
                begin = begin.max(near / (near - far));
            } else if far < 0.0 {
                end = end.min(near / (near - far));
            }
        }
        (begin <= end).then_some((begin, end))
    };
    let mut reached = 0.0_f64;
    let mut seen = vec![from.polygon];
    let mut next = 0;
    while let Some(&polygon) = seen.get(next) {
        next += 1;
        let Some((_, end)) = part(polygon) else { continue };
        reached = reached.max(end);
        for neighbour in space.passable_neighbours(polygon) {
            let meets = part(neighbour)
                .zip(part(polygon))
                .is_some_and(|(a, b)| a.0 <= b.1 + 1e-9 && b.0 <= a.1 + 1e-9);
            if meets && !seen.contains(&neighbour) {
                seen.push(neighbour);
            }
        }
    }
    reached
}

/// The square floors of a house, joined by a ramp: 0 to 10 metres at height 0, and at height 3
/// above it. The ramp lies beside them.
fn house() -> NavMesh {
    let mut draft = MeshDraft::new(Vec::new());
    let mut quad = |corners: [[f32; 3]; 4]| {
        let first = draft.vertices.len() as u32;
        draft.vertices.extend(corners.map(Vec3::from));
        draft.push(&[first, first + 1, first + 2, first + 3], AreaId::WALKABLE);
    };
    for y in [0.0, 3.0] {
        for x in 0..4 {
            for z in 0..4 {
                let [x, z] = [x, z].map(|at| at as f32 * 2.5);
                quad([[x, y, z], [x, y, z + 2.5], [x + 2.5, y, z + 2.5], [x + 2.5, y, z]]);
            }
        }
    }
    // Up along z, beside the floors: it meets the lower one at its foot and the upper one at its
    // top.
    quad([[10.0, 0.0, 0.0], [10.0, 0.0, 2.5], [12.5, 0.0, 2.5], [12.5, 0.0, 0.0]]);
    quad([[10.0, 0.0, 2.5], [10.0, 3.0, 7.5], [12.5, 3.0, 7.5], [12.5, 0.0, 2.5]]);
    quad([[10.0, 3.0, 7.5], [10.0, 3.0, 10.0], [12.5, 3.0, 10.0], [12.5, 3.0, 7.5]]);
    NavMesh::new(draft).unwrap()
}

fn carvings() -> impl Strategy<Value = Vec<Carving>> {
    let place = (0.0_f32..12.0, 0_u8..2, 0.0_f32..10.0)
        .prop_map(|(x, floor, z)| Vec3::new(x, f32::from(floor) * 3.0, z));
    let prism = (place, 0.1_f32..1.5, 0.1_f32..1.5, -3.0_f32..3.0)
        .prop_map(|(at, x, z, yaw)| Prism::cuboid(at, Vec3::new(x, 1.0, z), yaw).unwrap());
    let carving = prism.prop_map(|prism| Carving { prism, ground: CarvedGround::Blocked });
    prop::collection::vec(carving, 0..8)
}

/// A point of the ground from three numbers.
fn drawn(space: &NavMeshSpace<'_>, numbers: [u32; 3]) -> Option<MeshPoint> {
    MeshSampler::new(space, |_| true).draw(space, numbers)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Ends lie on corners, on edges and between them; rays run along walls and past corners.
    #[test]
    fn rays_see_what_the_oracle_sees(field in fields(7), ends in prop::array::uniform8(places(7))) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        for from in ends {
            let Some(start) = locate(&space, from) else { continue };
            for to in ends {
                let mut passed = Vec::new();
                let hit = space.raycast_through(start, at(to), |polygon| passed.push(polygon));
                prop_assert_eq!(hit.is_clear(), field.sees(from, to), "{:?} {:?}", from, to);
                prop_assert_eq!(passed[0], start.polygon);
                prop_assert!(passed.contains(&hit.end.polygon));
                let reached = flat(hit.end.place);
                let whole = distance(from, to);
                let share = covered(&space, start, to, 1e-7);
                prop_assert!((distance(from, reached) - share * whole).abs() < 1e-3,
                    "{from:?} {to:?}: {reached:?}, {share}");
                if let Some(wall) = hit.wall {
                    prop_assert!(to_edge(reached, flat(wall.from), flat(wall.to)) < 1e-4);
                    let push = at(to) - at(from);
                    prop_assert!(wall.normal.dot(push) < 1e-6, "{:?}", wall);
                }
            }
        }
    }

    #[test]
    fn rays_keep_to_their_floor_around_carvings(
        carvings in carvings(),
        narrow in prop::option::of(0.05_f32..0.6),
        numbers in prop::array::uniform6(any::<u32>()),
    ) {
        let mut mesh = house().carved(&carvings);
        if let Some(radius) = narrow {
            mesh = mesh.narrowed(radius).unwrap();
        }
        let space = mesh.space();
        let [a, b, c, d, e, f] = numbers;
        let (Some(from), Some(to)) = (drawn(&space, [a, b, c]), drawn(&space, [d, e, f])) else {
            return Ok(());
        };
        let hit = space.raycast(from, to.place);
        // All of the way is ground, and nowhere does it change the floor.
        let mut height = from.place.y;
        for sample in 0..=200 {
            let place = from.place.lerp(hit.end.place, sample as f32 / 200.0).with_y(height);
            let near = mesh.polygons().map(|polygon| mesh.nearest_in(polygon, place));
            let mut near = near.filter(|near| {
                distance(flat(*near), flat(place)) < 1e-4 && (near.y - height).abs() < 0.2
            });
            let ground = near.next();
            prop_assert!(ground.is_some(), "{place} is off the mesh");
            height = ground.unwrap().y;
        }
        // Between ramp and floor there is ground on both sides of the border.
        if !hit.is_clear() && (hit.end.place.x - 10.0).abs() > 0.01 {
            // It ends where the ground does.
            let push = (to.place - from.place).with_y(0.0).normalize();
            let ends = [1e-4, 1e-3, 5e-3].iter().any(|&on| {
                let beyond = hit.end.place + push * on;
                space.locate(beyond, HeightReach { below: 0.2, above: 0.2 }).is_none()
            });
            // Or at the very corner of an obstacle.
            let wall = hit.wall.unwrap();
            let corner = [wall.from, wall.to].map(|end| end.distance(hit.end.place));
            let ends = ends || corner[0].min(corner[1]) < 1e-3;
            prop_assert!(ends, "{from:?} {to:?} {hit:?}");
        }
        if hit.is_clear() {
            let ground = mesh.height_at(hit.end.polygon, hit.end.place);
            prop_assert!(mesh.contains(hit.end.polygon, hit.end.place));
            prop_assert_eq!(ground, hit.end.place.y);
        }
    }

    #[test]
    fn the_nearest_border_is_the_nearest_of_all(field in fields(6), place in places(6)) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let Some(point) = locate(&space, place) else { return Ok(()) };
        let mut nearest = f64::INFINITY;
        for polygon in mesh.polygons() {
            let outline: Vec<Flat> = mesh.outline(polygon).map(flat).collect();
            for (i, beyond) in mesh.neighbours(polygon).enumerate() {
                if beyond.is_none() {
                    let edge = (outline[i], outline[(i + 1) % outline.len()]);
                    nearest = nearest.min(to_edge(place, edge.0, edge.1));
                }
            }
        }
        let found = space.distance_to_border(point, 20.0).unwrap();
        prop_assert!((f64::from(found.distance) - nearest).abs() < 1e-5);
        prop_assert!((distance(place, flat(found.place)) - nearest).abs() < 1e-5);
        prop_assert!(to_edge(flat(found.place), flat(found.wall.from), flat(found.wall.to)) < 1e-5);
        let short = space.distance_to_border(point, nearest as f32 * 0.99);
        prop_assert!(short.is_none() || nearest == 0.0);
    }

    #[test]
    fn moving_along_the_surface_stays_on_it_and_goes_no_farther(
        field in fields(7),
        [from, to] in prop::array::uniform2(places(7)),
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let Some(start) = locate(&space, from) else { return Ok(()) };
        let moved = space.move_along_surface(start, at(to));
        prop_assert!(mesh.contains(moved.polygon, moved.place), "{:?}", moved);
        prop_assert_eq!(space.component(moved.polygon), space.component(start.polygon));
        prop_assert!(distance(from, flat(moved.place)) <= distance(from, to) + 1e-3);
        if space.raycast(start, at(to)).is_clear() {
            prop_assert!(distance(flat(moved.place), to) < 1e-4);
        }
    }
}

#[test]
fn random_points_are_uniform_by_area() {
    let mesh = house();
    let space = mesh.space();
    let sampler = MeshSampler::new(&space, |_| true);
    let mut counts = vec![0_u32; mesh.len()];
    let mut state = 1_u64;
    let mut number = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    };
    let draws = 40_000;
    let mut in_lower_half = 0;
    for _ in 0..draws {
        let point = sampler.draw(&space, [number(), number(), number()]).unwrap();
        assert!(mesh.contains(point.polygon, point.place));
        counts[point.polygon.index() as usize] += 1;
        in_lower_half += u32::from((point.place.x / 2.5).fract() < 0.5);
    }
    for polygon in mesh.polygons() {
        let share = mesh.plan_area(polygon) / sampler.area();
        let expected = share * f64::from(draws);
        let off = (f64::from(counts[polygon.index() as usize]) - expected).abs();
        assert!(off < 5.0 * expected.sqrt(), "{polygon:?}: {off} off {expected}");
    }
    assert!((i64::from(in_lower_half) - i64::from(draws) / 2).abs() < 1000);
}

#[test]
fn points_beside_the_mesh_have_no_ray() {
    let mesh = house();
    let space = mesh.space();
    let inside = space.locate(Vec3::new(1.0, 0.0, 1.0), HeightReach::default()).unwrap();
    let beside = MeshPoint { place: Vec3::new(-1.0, 0.0, 1.0), ..inside };
    let hit = space.raycast(beside, Vec3::new(-3.0, 0.0, 1.0));
    assert!(!hit.is_clear());
    assert_eq!(hit.end.place, beside.place);
    let nowhere = space.raycast(inside, Vec3::NAN);
    assert!(!nowhere.is_clear());
}

/// A side with several corners on one line, as merging leaves it; the outline begins at each corner
/// in turn.
#[test]
fn corners_on_a_line_keep_their_heights() {
    let outline = [
        Vec3::new(0.9, 0.36, 2.0),
        Vec3::new(2.0, 0.78, 2.0),
        Vec3::new(3.0, 1.17, 2.0),
        Vec3::new(4.0, 1.56, 2.0),
        Vec3::new(4.0, 1.56, 0.0),
        Vec3::new(0.1, 0.04, 0.0),
    ];
    for (rise, first) in [0.0, 0.4].into_iter().flat_map(|rise| (0..6).map(move |at| (rise, at))) {
        let mut places = outline;
        places[1].y += rise;
        places.rotate_left(first);
        let mut draft = MeshDraft::new(places.to_vec());
        draft.push(&[0, 1, 2, 3, 4, 5], AreaId::WALKABLE);
        let mesh = NavMesh::new(draft).unwrap();
        let polygon = mesh.polygons().next().unwrap();
        let height = |point: Vec3| mesh.height_at(polygon, point);
        for (number, &place) in places.iter().enumerate() {
            assert!((height(place) - place.y).abs() < 1e-5, "corner {number}: {}", height(place));
            let middle = place.midpoint(places[(number + 1) % places.len()]);
            assert!((height(middle) - middle.y).abs() < 1e-5, "side {number}: {}", height(middle));
        }
        let middle = mesh.middle(polygon);
        assert!((height(middle) - middle.y).abs() < 1e-5);
        let beside = Vec3::new(2.5, 0.0, 7.0);
        let side = 0.975 + rise / 2.0;
        assert!((height(beside) - side).abs() < 1e-5, "beside: {}", height(beside));
    }
}
