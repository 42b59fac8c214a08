//! A mesh by tiles: the one of a whole bake, whoever bakes them.

mod common;

use common::{Job, numbers, rows, texts, worlds};
use wayfare_bake::{Bake, BakeSettings, Ground, WalkerShape};
use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_formats::{FileSystem, LinkedMesh, navmesh_file};
use wayfare_scene::{World, level_geometry, read_from};
use wayfare_shards::{Progress, Store, verify};

fn job(level: &str, more: &str) -> Job {
    Job::new(&format!(
        "name = \"level\"\nshard-seconds = 0.004\n[bake]\nlevel = \"WORLDS/{level}\"\n{more}"
    ))
}

/// Returns the mesh of a level baked at once.
fn whole(level: &str, radius: f32, tile_side: u32) -> Vec<u8> {
    let path = worlds().join(level);
    let World::Mesh(mesh) = read_from(path, &FileSystem, HeightmapOptions::default()).unwrap()
    else {
        panic!("{level} is no level");
    };
    let level = level_geometry(&mesh, |_| Ground::PLAIN, false).unwrap();
    let walker = WalkerShape { radius, ..WalkerShape::default() };
    let settings = BakeSettings::for_level(&level, walker);
    let settings = BakeSettings { tile_side: Some(tile_side), ..settings };
    let baked = Bake::new(&level, settings).unwrap().run().unwrap();
    navmesh_file::write(&LinkedMesh::from(baked.polygons.nav_mesh().unwrap()))
}

#[test]
fn a_mesh_by_tiles_is_that_of_a_whole_bake() {
    for (level, side) in [("courtyard.obj", 32), ("courtyard.obj", 57), ("house.obj", 24)] {
        let job = job(level, &format!("radius = 0.3\ntile-side = {side}\n"));
        let (plan, store, manifest) = job.run().unwrap();
        assert!(plan.shards.len() > 2, "{level}: {} shards", plan.shards.len());
        assert_eq!(manifest.products, ["level.navmesh", "level.png"]);
        let mesh = store.read("level.navmesh").unwrap();
        assert!(mesh == whole(level, 0.3, side), "{level} in tiles of {side}");
        let rows = rows(&plan, &store);
        assert!(texts(&rows, "status").iter().any(|status| status == "baked"));
        // Stitching adds corners, never polygons.
        let polygons: f64 = numbers(&rows, "polygons").iter().sum();
        assert_eq!(polygons, navmesh_file::read(&mesh).unwrap().mesh.len() as f64);
    }
}

#[test]
fn a_tile_does_not_depend_on_its_shard() {
    let settings = "radius = 0.3\ntile-side = 32\n";
    let job = job("house.obj", settings);
    let (plan, store, manifest) = job.run().unwrap();
    assert_eq!(verify(&plan, &store, 40, 5, &Progress::default()).unwrap().faults, [""; 0]);
    for shard in 0..plan.shards.len() {
        store.remove(&plan.file_of(shard)).unwrap();
    }
    assert_eq!(manifest, job.run().unwrap().2);
    let other =
        Job::new(&format!("name = \"other\"\n[bake]\nlevel = \"WORLDS/house.obj\"\n{settings}"));
    let (one, other_store, _) = other.run().unwrap();
    assert_eq!(one.shards.len(), 1);
    let mesh = |store: &Store| store.read("level.navmesh").unwrap();
    assert!(mesh(&store) == mesh(&other_store));
}

#[test]
fn settings_without_a_value_are_those_of_the_command() {
    let job = job("courtyard.obj", "");
    let (_, store, _) = job.run().unwrap();
    assert!(store.read("level.navmesh").unwrap() == whole("courtyard.obj", 0.4, 256));
}

#[test]
fn a_tile_that_fails_has_a_status_and_fails_nothing() {
    // At the rim of the level tiles are cut off, and need less memory than is allowed.
    let job = job("courtyard.obj", "tile-side = 150\nmemory-limit = 1\n");
    let (plan, store, manifest) = job.run().unwrap();
    let rows = rows(&plan, &store);
    let (status, reasons) = (texts(&rows, "status"), texts(&rows, "reason"));
    for (status, reason) in status.iter().zip(&reasons) {
        assert_eq!(status == "fault", reason.contains("the memory limit is 1 MB"), "{reason}");
    }
    let faults = status.iter().filter(|status| *status == "fault").count();
    assert!(0 < faults && faults < status.len(), "{status:?}");
    assert_eq!((manifest.rows, manifest.products.len()), (status.len() as u64, 2));
}

#[test]
fn impossible_bakes_are_refused() {
    let fault = |level: &str, more: &str| job(level, more).fault();
    let no_level = fault("city.map", "");
    assert!(no_level.contains("city.map: this is no level of triangles"), "{no_level}");
    let missing = fault("none.obj", "");
    assert!(missing.contains("none.obj"), "{missing}");
    let slope = fault("house.obj", "slope = 90\n");
    assert!(slope.contains("the slope is 90; it must be"), "{slope}");
    let side = fault("house.obj", "tile-side = 8\n");
    assert!(side.contains("the tile side is 8; it must be"), "{side}");
    let partition = fault("house.obj", "partition = \"voronoi\"\n");
    assert!(partition.contains("watershed"), "{partition}");
}

#[test]
fn a_level_without_ground_names_itself_and_the_remedy() {
    let job = Job::new("name = \"x\"\n[bake]\nlevel = \"ceiling.obj\"\n");
    let ceiling = "v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nf 4 3 2 1\n";
    std::fs::write(job.folder.path().join("ceiling.obj"), ceiling).unwrap();
    let error = job.run().unwrap_err().to_string();
    assert!(error.contains("ceiling.obj: nothing in this level is walkable"), "{error}");
    assert!(error.contains("`flip = true`"), "{error}");
}
