//! Navigation meshes are checked and joined, whatever is in the draft.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::space::{Space, StateId};
use wayfare_mesh::navmesh::{AreaId, MeshDraft, NavMesh, NavMeshError};
use wayfare_mesh::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};

/// A draft of those places (x, y up, z) and polygons.
fn draft(places: &[[f32; 3]], polygons: &[&[u32]]) -> MeshDraft {
    let mut draft = MeshDraft::new(places.iter().map(|place| Vec3::from(*place)).collect());
    for polygon in polygons {
        draft.push(polygon, AreaId::WALKABLE);
    }
    draft
}

/// A square of side 1 whose corner of least x and z is there, and its corners' places.
fn square(x: f32, y: f32, z: f32, side: f32) -> [[f32; 3]; 4] {
    [[x, y, z], [x, y, z + side], [x + side, y, z + side], [x + side, y, z]]
}

/// The neighbours of a polygon as numbers.
fn neighbours(mesh: &NavMesh, polygon: u32) -> Vec<Option<u32>> {
    let polygon = mesh.polygon(polygon).unwrap();
    mesh.neighbours(polygon).map(|next| next.map(StateId::index)).collect()
}

#[test]
fn vertices_at_one_place_are_one() {
    let places = [square(0.0, 0.0, 0.0, 1.0), square(1.0, 0.0, 0.0, 1.0)].concat();
    let mesh = NavMesh::new(draft(&places, &[&[0, 1, 2, 3], &[4, 5, 6, 7]])).unwrap();
    assert_eq!(neighbours(&mesh, 0), [None, None, Some(1), None]);
    assert_eq!(neighbours(&mesh, 1), [Some(0), None, None, None]);
    assert_eq!(mesh.plan_area(mesh.polygon(0).unwrap()), 1.0);
    assert_eq!(mesh.middle(mesh.polygon(1).unwrap()), Vec3::new(1.5, 0.0, 0.5));
}

#[test]
fn edges_that_overlap_in_part_are_joined_there() {
    // One wide square, and two narrow ones at its right side, half a square too far down.
    let places =
        [square(0.0, 0.0, 0.0, 2.0), square(2.0, 0.0, -0.5, 1.0), square(2.0, 0.0, 0.5, 1.0)]
            .concat();
    let polygons: [&[u32]; 3] = [&[0, 1, 2, 3], &[4, 5, 6, 7], &[8, 9, 10, 11]];
    let mesh = NavMesh::new(draft(&places, &polygons)).unwrap();
    let count = |polygon| neighbours(&mesh, polygon).iter().flatten().count();
    assert_eq!([count(0), count(1), count(2)], [2, 2, 2]);
    assert_eq!(mesh.corners(mesh.polygon(0).unwrap()).len(), 6);
    assert_eq!(mesh.corners(mesh.polygon(1).unwrap()).len(), 5);
}

#[test]
fn floors_are_joined_only_within_the_step() {
    let places = [square(0.0, 0.0, 0.0, 1.0), square(1.0, 0.4, 0.0, 1.0)].concat();
    let mut steps = draft(&places, &[&[0, 1, 2, 3], &[4, 5, 6, 7]]);
    assert_eq!(neighbours(&NavMesh::new(steps.clone()).unwrap(), 0), [None; 4]);
    steps.step = 0.5;
    assert_eq!(neighbours(&NavMesh::new(steps).unwrap(), 0), [None, None, Some(1), None]);
}

#[test]
fn an_error_names_the_polygon_and_the_vertex() {
    let flat = square(0.0, 0.0, 0.0, 1.0);
    let error = |polygons: &[&[u32]]| NavMesh::new(draft(&flat, polygons)).unwrap_err();
    assert_eq!(error(&[&[0, 1]]), NavMeshError::TooFewCorners { polygon: 0, corners: 2 });
    assert_eq!(
        error(&[&[0, 1, 2], &[0, 2, 9]]),
        NavMeshError::UnknownVertex { polygon: 1, vertex: 9, known: 4 }
    );
    assert_eq!(error(&[&[0, 1, 1, 2]]), NavMeshError::RepeatedVertex { polygon: 0, vertex: 1 });
    assert_eq!(error(&[&[3, 2, 1, 0]]), NavMeshError::Clockwise { polygon: 0 });
    assert!(matches!(error(&[&[0, 1, 3, 2]]), NavMeshError::NoArea { polygon: 0 }));
    assert_eq!(
        error(&[&[0, 1, 2], &[0, 1, 3]]),
        NavMeshError::Overlap { first: 0, second: 1, from: 0, to: 1 }
    );
    let mut nan = draft(&flat, &[&[0, 1, 2, 3]]);
    nan.vertices[2].y = f32::NAN;
    assert!(matches!(NavMesh::new(nan), Err(NavMeshError::Coordinate { vertex: 2, .. })));
    let dart = [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.5, 0.0, 0.0], [1.0, 0.0, -1.0]];
    let concave = NavMesh::new(draft(&dart, &[&[0, 1, 2, 3]])).unwrap_err();
    assert_eq!(concave, NavMeshError::Concave { polygon: 0, vertex: 2 });
}

#[test]
fn a_polygon_that_winds_twice_is_refused() {
    // The star in a pentagon turns left at every corner, and goes around twice.
    let places = [[0.0, 1.0], [0.95, 0.31], [0.59, -0.81], [-0.59, -0.81], [-0.95, 0.31]];
    let places = places.map(|[x, y]| [x, 0.0, -y]);
    assert!(NavMesh::new(draft(&places, &[&[0, 4, 3, 2, 1]])).is_ok());
    let star = NavMesh::new(draft(&places, &[&[0, 3, 1, 4, 2]]));
    assert!(matches!(star, Err(NavMeshError::Concave { polygon: 0, .. })), "{star:?}");
}

#[test]
fn an_empty_draft_is_an_empty_mesh() {
    assert!(NavMesh::new(MeshDraft::new(Vec::new())).unwrap().is_empty());
}

#[test]
fn a_large_comb_is_joined_quickly() {
    // One strip of 20,000 teeth below a single long edge, slanting: each tooth's ends lie on it.
    let teeth = 20_000_u32;
    let mut places = vec![[0.0, 0.0, 0.0], [20_000.0, 0.0, 20_000.0], [20_000.0, 0.0, 0.0]];
    for tooth in 0..=teeth {
        places.push([tooth as f32, 0.0, tooth as f32]);
        places.push([tooth as f32 - 0.5, 0.0, tooth as f32 + 0.5]);
    }
    let mut comb = draft(&places, &[&[0, 1, 2]]);
    for tooth in 0..teeth {
        let at = 3 + 2 * tooth;
        comb.push(&[at, at + 1, at + 3, at + 2], AreaId::WALKABLE);
    }
    let mesh = NavMesh::new(comb).unwrap();
    assert_eq!(neighbours(&mesh, 0).iter().flatten().count(), teeth as usize);
}

proptest! {
    #[test]
    fn no_draft_panics(
        places in prop::collection::vec(prop::array::uniform3(-3_i8..3), 0..20),
        odd in prop::option::of((0_usize..20, prop::num::f32::ANY)),
        polygons in prop::collection::vec(prop::collection::vec(0_u32..22, 0..6), 0..20),
        step in prop_oneof![Just(0.01), Just(2.0), prop::num::f32::ANY],
    ) {
        let mut places: Vec<_> = places.iter().map(|place| place.map(f32::from)).collect();
        if let Some((at, value)) = odd
            && let Some(place) = places.get_mut(at)
        {
            place[at % 3] = value;
        }
        let polygons: Vec<&[u32]> = polygons.iter().map(Vec::as_slice).collect();
        let mut draft = draft(&places, &polygons);
        draft.step = step;
        if let Ok(mesh) = NavMesh::new(draft) {
            for polygon in mesh.polygons() {
                prop_assert!(mesh.plan_area(polygon) > 0.0);
                for next in mesh.neighbours(polygon).flatten() {
                    prop_assert!(mesh.neighbours(next).flatten().any(|back| back == polygon));
                }
            }
        }
    }
}

#[test]
fn nobody_can_stand_in_the_space_of_a_foreign_profile() {
    let mut draft = MeshDraft::new(vec![Vec3::ZERO, Vec3::Z, Vec3::X]);
    draft.push(&[0, 1, 2], AreaId::WALKABLE);
    let mesh = NavMesh::new(draft).unwrap();
    let first = mesh.polygons().next().unwrap();
    assert_eq!(mesh.space().check(first), Ok(()));
    let other = mesh.clone().add_profile(Default::default()).unwrap();
    let foreign = mesh.space_of(other);
    assert_eq!(foreign.check(first), Err(wayfare_core::space::Obstruction::NoSuchProfile));
    let at = foreign.locate(Vec3::new(0.2, 0.0, 0.2), Default::default());
    if let Some(point) = at {
        let mut search = Polyanya.search(MeshQuery::new(point, point));
        let answer = search.finish(&foreign, &mut MeshScratch::new(), &mut ());
        assert!(answer.outcome.path().is_none(), "{:?}", answer.outcome);
    }
}
