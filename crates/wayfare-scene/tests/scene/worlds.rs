//! The shipped worlds are sound.

use std::path::{Path, PathBuf};

use wayfare_formats::TileMap;
use wayfare_scene::scene::{QueryPlace, Scene};
use wayfare_scene::{World, read_path};

fn shipped(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds").join(file)
}

fn map(file: &str) -> TileMap {
    match read_path(shipped(file)) {
        Ok(World::TileMap(map)) => map,
        other => panic!("{file}: {other:?}"),
    }
}

fn scene(file: &str) -> Scene {
    match read_path(shipped(file)) {
        Ok(World::Scene(scene)) => scene,
        other => panic!("{file}: {other:?}"),
    }
}

#[test]
fn every_shipped_world_reads() {
    let mut seen = 0;
    for entry in std::fs::read_dir(shipped("")).expect("the folder is shipped") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|extension| extension != "md") {
            read_path(&path).map_err(|error| error.to_string()).expect("sound");
            seen += 1;
        }
    }
    assert!(seen >= 8, "only {seen} worlds");
}

#[test]
fn the_village_is_the_same_as_tiles_and_as_waypoints() {
    let tiles = map("village.tmj");
    let graph = scene("village.toml");
    assert_eq!((tiles.width(), tiles.height(), graph.waypoints.len()), (16, 16, 256));
    let wanted = [
        ("grass", 0.0),
        ("sand", 0.5),
        ("snow", 10.0),
        ("mountain", 100.0),
        ("water", 999.0),
        ("town", -0.5),
        ("bridge", 0.5),
    ];
    for (name, penalty) in wanted {
        let terrain = graph.terrain(name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(terrain.penalty, penalty);
        assert_eq!(terrain.walkable, name != "water");
        assert!(tiles.terrains().contains(terrain), "{name} differs");
    }
    for (waypoint, tile) in graph.waypoints.iter().zip(tiles.tiles()) {
        let terrain = tiles.terrain(*tile);
        assert_eq!(waypoint.terrain.as_deref(), Some(terrain.name.as_str()));
        assert_eq!(graph.own_cost(waypoint), terrain.penalty);
    }
    let wet = |id: &str| {
        graph.waypoints.iter().any(|at| at.id == id && at.terrain.as_deref() == Some("water"))
    };
    assert!(!graph.links.iter().any(|link| wet(&link.from) || wet(&link.to)));
    assert!(graph.queries.len() >= 2);
}

#[test]
fn queries_in_scenes_name_waypoints() {
    for file in ["village.toml", "obstacles.toml"] {
        let scene = scene(file);
        for query in &scene.queries {
            for place in [&query.from, &query.to] {
                let QueryPlace::Waypoint(id) = place else { continue };
                assert!(scene.waypoints.iter().any(|waypoint| waypoint.id == *id), "{file}: {id}");
            }
        }
    }
}
