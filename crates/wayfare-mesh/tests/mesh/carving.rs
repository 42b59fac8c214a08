//! Meshes with prisms cut out of them, or filled with other ground, against points.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_mesh::navmesh::{
    AreaCosts, AreaId, CarvedGround, Carving, HeightReach, MeshDraft, MeshProfile, NavMesh,
    NavMeshError, Prism, PrismError,
};

/// A floor of 10 by 10 metres at a height: `parts` cells a side, squares or pairs of triangles.
pub(crate) fn floor(draft: &mut MeshDraft, parts: u32, y: f32, is_triangles: bool) {
    let first = draft.vertices.len() as u32;
    let size = 10.0 / parts as f32;
    for z in 0..=parts {
        let row = (0..=parts).map(|x| Vec3::new(x as f32 * size, y, z as f32 * size));
        draft.vertices.extend(row);
    }
    for z in 0..parts {
        for x in 0..parts {
            let a = first + z * (parts + 1) + x;
            let (b, c, d) = (a + parts + 1, a + parts + 2, a + 1);
            if is_triangles {
                draft.push(&[a, b, c], AreaId::WALKABLE);
                draft.push(&[a, c, d], AreaId((x + z) as u8 % 3));
            } else {
                draft.push(&[a, b, c, d], AreaId::WALKABLE);
            }
        }
    }
}

fn floors(heights: &[f32], parts: u32) -> NavMesh {
    let mut draft = MeshDraft::new(Vec::new());
    for &y in heights {
        floor(&mut draft, parts, y, false);
    }
    NavMesh::new(draft).unwrap()
}

fn size(mesh: &NavMesh) -> f64 {
    mesh.polygons().map(|polygon| mesh.plan_area(polygon)).sum()
}

pub(crate) fn prisms() -> impl Strategy<Value = Prism> {
    let place = (-1.0_f32..11.0, -1.0_f32..11.0).prop_map(|(x, z)| Vec3::new(x, 0.0, z));
    prop_oneof![
        (place.clone(), 0.05_f32..2.0)
            .prop_map(|(foot, radius)| Prism::cylinder(foot, radius, 1.0).unwrap()),
        (place, 0.05_f32..3.0, 0.05_f32..3.0, -4.0_f32..4.0).prop_map(|(centre, x, z, yaw)| {
            Prism::cuboid(centre, Vec3::new(x, 1.0, z), yaw).unwrap()
        }),
        // Along the edges of the mesh.
        (0..5_u8, 0..5_u8, 1..4_u8, 1..4_u8).prop_map(|(x, z, w, l)| {
            let low = Vec3::new(f32::from(x) * 2.5, 0.0, f32::from(z) * 2.5);
            let high = low + Vec3::new(f32::from(w) * 2.5, 0.0, f32::from(l) * 2.5);
            let corners = [low, Vec3::new(low.x, 0.0, high.z), high, Vec3::new(high.x, 0.0, low.z)];
            Prism::over(&corners, -1.0, 1.0).unwrap()
        }),
    ]
}

fn carvings() -> impl Strategy<Value = Vec<Carving>> {
    let ground = prop_oneof![
        Just(CarvedGround::Blocked),
        (1..4_u8).prop_map(|area| CarvedGround::Area(AreaId(area))),
    ];
    let carving = (prisms(), ground).prop_map(|(prism, ground)| Carving { prism, ground });
    prop::collection::vec(carving, 0..10)
}

/// The ground at a point of the floor, if it is farther than `margin` from any other.
fn ground_at(carvings: &[Carving], point: Vec3, margin: f32) -> Option<CarvedGround> {
    let around = [[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let mut found = None;
    for [x, z] in around {
        let point = point + Vec3::new(x, 0.0, z) * margin;
        let mut over = carvings.iter().rev().filter(|carving| carving.prism.contains(point));
        let last = over.clone().next();
        let last = over.find(|carving| carving.ground == CarvedGround::Blocked).or(last);
        let here = last.map_or(CarvedGround::Area(AreaId::WALKABLE), |carving| carving.ground);
        if *found.get_or_insert(here) != here {
            return None;
        }
    }
    found
}

/// Carves pillars out of a square floor, and makes a mesh of the polygons alone, as files and
/// snapshots do: it has the same polygons. Each pillar: x, z and radius as parts of the side.
fn is_read_again(side: f32, parts: u32, pillars: &[(f32, f32, f32)]) {
    let mut draft = MeshDraft::new(Vec::new());
    floor(&mut draft, parts, 0.0, false);
    draft.vertices.iter_mut().for_each(|place| *place *= side / 10.0);
    let carvings = pillars.iter().map(|&(x, z, radius)| {
        let foot = Vec3::new(x, -0.1, z) * side;
        let prism = Prism::cylinder(foot, radius * side, side).unwrap();
        Carving { prism, ground: CarvedGround::Blocked }
    });
    let carvings: Vec<Carving> = carvings.collect();
    let carved = NavMesh::new(draft).unwrap().carved(&carvings);
    let again = match NavMesh::new(MeshDraft::of_mesh(&carved)) {
        Err(NavMeshError::NoArea { .. }) => return, // a splinter
        again => again.unwrap(),
    };
    assert_eq!(again.len(), carved.len());
    for polygon in carved.polygons() {
        assert!(again.outline(polygon).eq(carved.outline(polygon)));
        assert!(again.neighbours(polygon).eq(carved.neighbours(polygon)));
    }
}

/// A corner points inwards by more than single floats explain.
#[test]
fn a_small_carved_mesh_can_be_read_again() {
    is_read_again(1.0, 3, &[(0.366_508_28, 0.628_618_3, 0.185_341_13)]);
}

proptest! {
    #[test]
    fn a_carved_mesh_can_be_read_again(
        side in 1.0_f32..12.0,
        parts in 1u32..9,
        pillars in prop::collection::vec((0.0_f32..1.0, 0.0_f32..1.0, 0.02_f32..0.3), 1..4),
    ) {
        is_read_again(side, parts, &pillars);
    }

    #[test]
    fn prisms_say_the_ground_inside_them(carvings in carvings()) {
        let mesh = floors(&[0.0], 4);
        let carved = mesh.carved(&carvings);
        let mut islands: Vec<(Vec3, Option<u32>)> = Vec::new();
        for step in 0..30 * 30_usize {
            let place = Vec3::new((step % 30) as f32 / 3.0 + 0.11, 0.0, (step / 30) as f32 / 3.0 + 0.13);
            let found = carved.locate(place, HeightReach::ANY);
            let expected = ground_at(&carvings, place, 1e-3);
            match expected {
                Some(CarvedGround::Blocked) => prop_assert!(found.is_none(), "{place} is blocked"),
                Some(CarvedGround::Area(area)) => {
                    prop_assert!(found.is_some(), "{place} is missing");
                    prop_assert_eq!(found.map(|point| carved.area(point.polygon)), Some(area));
                }
                None => {}
            }
            // Steps to the neighbours over ground that is free all the way.
            let island = found.map(|point| carved.space().component(point.polygon));
            let neighbours = [1, 30].map(|back| step.checked_sub(back)).into_iter().flatten();
            for (before, of) in neighbours.map(|step| islands[step]) {
                if before.distance(place) > 0.4 {
                    continue; // the end of the row before
                }
                let is_free = (0..=20).all(|part| {
                    let ground = ground_at(&carvings, before.lerp(place, part as f32 / 20.0), 0.03);
                    ground.is_some_and(|ground| ground != CarvedGround::Blocked)
                });
                if is_free {
                    prop_assert_eq!(of, island, "cut off between {} and {}", before, place);
                }
            }
            islands.push((place, island));
        }
    }
}

fn blocked(prism: Prism) -> Carving {
    Carving { prism, ground: CarvedGround::Blocked }
}

#[test]
fn a_prism_changes_the_floor_it_stands_on() {
    let mesh = floors(&[0.0, 3.0, 6.0], 2);
    let crate_ = Prism::cuboid(Vec3::new(5.0, 3.5, 5.0), Vec3::new(1.0, 0.5, 2.0), 0.0).unwrap();
    let carved = mesh.carved(&[blocked(crate_.clone())]);
    assert!((size(&carved) - 292.0).abs() < 1e-3);
    let at = |mesh: &NavMesh, y: f32| {
        let reach = HeightReach { below: 0.1, above: 0.1 };
        mesh.locate(Vec3::new(5.0, y, 5.0), reach).is_some()
    };
    assert_eq!([0.0, 3.0, 6.0].map(|y| at(&carved, y)), [true, false, true]);
    // A head that is 3.2 m up would knock against it from the floor below.
    let carved = mesh.carved(&[blocked(crate_.grown(0.0, 3.2))]);
    assert_eq!([0.0, 3.0, 6.0].map(|y| at(&carved, y)), [false, false, true]);
}

#[test]
fn a_ramp_is_cut_where_its_ground_is_inside() {
    // From (0, 0) up to (10, 5): under a beam at heights 4 to 5.
    let corners = [[0.0, 0.0], [0.0, 10.0], [10.0, 10.0], [10.0, 0.0]];
    let mut draft = MeshDraft::new(corners.map(|[x, z]| Vec3::new(x, x / 2.0, z)).to_vec());
    draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
    let mesh = NavMesh::new(draft).unwrap();
    let beam = |x: f32| {
        let half = Vec3::new(0.5, 0.5, 20.0);
        mesh.carved(&[blocked(Prism::cuboid(Vec3::new(x, 4.5, 5.0), half, 0.0).unwrap())])
    };
    assert_eq!(size(&beam(4.0)), 100.0);
    assert!((size(&beam(9.0)) - 90.0).abs() < 1e-3);
    let point = beam(9.0).locate(Vec3::new(6.0, 9.0, 3.0), HeightReach::ANY).unwrap();
    assert!((point.place.y - 3.0).abs() < 1e-5);
}

#[test]
fn carved_and_narrowed_meshes_keep_their_profiles() {
    let mut mesh = floors(&[0.0], 1);
    let lava = AreaId(7);
    let careful = mesh.add_profile(MeshProfile { areas: AreaCosts::new().without(lava) }).unwrap();
    let prism = Prism::cuboid(Vec3::new(5.0, 0.0, 5.0), Vec3::new(1.0, 1.0, 9.0), 0.0).unwrap();
    let carved = mesh.carved(&[Carving { prism, ground: CarvedGround::Area(lava) }]);
    assert!(carved.revision() > mesh.revision());
    assert_eq!(carved.space().count_islands().islands, 1);
    assert_eq!(carved.space_of(careful).count_islands().islands, 2);
    let narrowed = carved.narrowed(1.0).unwrap();
    assert_eq!(narrowed.space_of(careful).count_islands().islands, 2);
    assert!((size(&narrowed) - 64.0).abs() < 1e-3);
}

#[test]
fn what_is_no_prism_is_refused() {
    let centre = Vec3::ZERO;
    let thin = Prism::cuboid(centre, Vec3::new(1.0, 1.0, 0.0), 0.3);
    assert_eq!(thin, Err(PrismError::Thin));
    assert_eq!(Prism::cylinder(centre, 0.0, 1.0), Err(PrismError::Thin));
    assert_eq!(Prism::over(&[], 0.0, 1.0), Err(PrismError::Thin));
    let upside_down = Prism::cylinder(centre, 1.0, -1.0);
    assert_eq!(upside_down, Err(PrismError::UpsideDown { lowest: 0.0, highest: -1.0 }));
    for value in [f32::NAN, f32::INFINITY, 1e9] {
        let error = Prism::cylinder(Vec3::new(value, 0.0, 0.0), 1.0, 1.0).unwrap_err();
        assert!(error.to_string().contains("16777216"), "{error}");
    }
}

#[test]
fn yaw_turns_x_towards_minus_z() {
    let half = Vec3::new(4.0, 1.0, 0.5);
    let prism = Prism::cuboid(Vec3::ZERO, half, std::f32::consts::FRAC_PI_4).unwrap();
    assert!(prism.contains(Vec3::new(2.0, 0.0, -2.0)) && !prism.contains(Vec3::new(2.0, 0.0, 2.0)));
}
