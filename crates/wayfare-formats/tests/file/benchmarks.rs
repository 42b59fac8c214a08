//! The public benchmark files, where they are at hand: every map, scenario and mesh reads, and
//! every scenario fits its map.

use std::path::PathBuf;

use wayfare_formats::{World, movingai_map, movingai_scen, read_path};

/// The folder that `WAYFARE_DATA` names.
fn data(folder: &str) -> Option<PathBuf> {
    let found = std::env::var_os("WAYFARE_DATA").map(|root| PathBuf::from(root).join(folder));
    if found.is_none() {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: WAYFARE_DATA does not name the folder of benchmark data");
        }
    }
    found
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let Some(folder) = data(folder) else { return Vec::new() };
    let entries = std::fs::read_dir(folder).expect("readable");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

#[test]
fn moving_ai_maps_and_scenarios() {
    let mut queries = 0;
    for path in files("grid", "scen") {
        let World::Scenario(scenario) = read_path(&path).expect("sound") else {
            panic!("a scenario")
        };
        queries += scenario.entries.len();
        let again = movingai_scen::write(&scenario).expect("representable");
        assert_eq!(movingai_scen::read(&again).expect("just written"), scenario);

        let beside = movingai_scen::find_map(&path, &scenario).expect("the map is beside");
        let World::TileMap(map) = read_path(beside).expect("sound") else { panic!("a map") };
        for entry in &scenario.entries {
            assert_eq!((entry.width, entry.height), (map.width(), map.height()));
            for place in [entry.start, entry.goal] {
                assert!(map.terrain_at(place.x, place.y).is_some_and(|terrain| terrain.walkable));
            }
        }
        let bytes = movingai_map::write(&map).expect("its own terrains");
        assert_eq!(movingai_map::read(&bytes, map.name()).expect("just written"), map);
    }
    assert!(queries == 0 || queries == 35_569, "{queries} queries");
}

#[test]
fn meshes() {
    for path in files("navmesh", "obj") {
        let World::Mesh(mesh) = read_path(&path).expect("sound") else { panic!("a mesh") };
        assert!(mesh.triangles().len() > 1000, "{}", path.display());
    }
}
