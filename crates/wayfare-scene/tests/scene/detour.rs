//! A baked mesh as tiles of Detour.

use glam::Vec3;
use wayfare_bake::{Ground, WalkerShape};
use wayfare_formats::{LinkedMesh, World, detour, read_path};
use wayfare_mesh::navmesh::{HeightReach, NavMesh};
use wayfare_mesh::search::{MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare_scene::{bake_level, level_geometry};

fn length(mesh: &NavMesh, from: Vec3, to: Vec3) -> Option<f64> {
    let at = |place| mesh.locate(place, HeightReach::default());
    let query = MeshQuery::new(at(from)?, at(to)?);
    match Polyanya.search(query).finish(&mesh.space(), &mut MeshScratch::new(), &mut ()).outcome {
        MeshOutcome::Found(path) => Some(path.length),
        _ => None,
    }
}

#[test]
fn a_baked_level_has_the_same_paths() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/house.obj");
    let World::Mesh(triangles) = read_path(path).unwrap() else { panic!("a level") };
    let level = level_geometry(&triangles, |_| Ground::PLAIN, false).unwrap();
    let walker = WalkerShape { radius: 0.3, ..WalkerShape::default() };
    let mesh = LinkedMesh::from(bake_level(&level, walker, None).unwrap());
    assert!(mesh.mesh.polygons().any(|polygon| mesh.mesh.corners(polygon).len() > 6));
    let again = detour::read(&detour::write(&mesh).unwrap()).unwrap().mesh;
    let mesh = mesh.mesh;
    let area = |mesh: &NavMesh| mesh.polygons().map(|id| mesh.plan_area(id)).sum::<f64>();
    assert!((area(&mesh) - area(&again)).abs() < 1e-4);
    assert!(again.polygons().all(|polygon| again.corners(polygon).len() <= 6));
    let middles: Vec<Vec3> = mesh.polygons().map(|polygon| mesh.middle(polygon)).collect();
    let mut found = 0;
    for (number, &from) in middles.iter().enumerate() {
        let to = middles[(number * 7 + 3) % middles.len()];
        let (ours, theirs) = (length(&mesh, from, to), length(&again, from, to));
        assert_eq!(ours.is_some(), theirs.is_some(), "{from} to {to}");
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            assert!((ours - theirs).abs() <= 1e-5 * (1.0 + ours), "{ours} {theirs}");
            found += 1;
        }
    }
    assert!(found > 20, "{found}");
}
