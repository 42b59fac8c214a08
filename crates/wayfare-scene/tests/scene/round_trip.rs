//! What is written reads back the same.

use proptest::prelude::*;
use wayfare_formats::{movingai_map, obj};
use wayfare_grid::grid::Neighbours;
use wayfare_scene::scene::Scene;
use wayfare_scene::{World, read_path, scene, write_path};

use crate::any_map::any_map;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn scenes_of_tiles(map in any_map(), eight in any::<bool>()) {
        let neighbours = if eight { Neighbours::Eight } else { Neighbours::Four };
        let scene = Scene::from_tile_map(&map, neighbours).expect("small");
        let text = scene::write(&scene).expect("sound");
        prop_assert_eq!(scene::read(text.as_bytes()).expect("just written"), scene);
    }
}

/// Every table and every key that the format has.
const EVERYTHING: &str = r##"
scene = { name = "all \"of\" it", description = "line\nbreak" }
costs = { negative_costs = "shift" }
terrains = [{ name = "mud", glyph = "m", color = "#102030", multiplier = 2, penalty = -1.5, walkable = false, medium = 3 }]
obstacles = [
  { shape = "box", center = [1, 2, 3.25], half_extents = [1, 1e-3, 1], yaw = 45 },
  { shape = "sphere", center = [1, 2, 4e6], radius = 0.1 },
  { shape = "cylinder", center = [-0.0, 0, 0], radius = 1, half_height = 2 },
  { shape = "mesh", mesh = { vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles = [[0, 1, 2]] }, offset = [1, 0, 0] },
  { shape = "mesh", mesh = { file = "parts/rock.obj" } },
]
surfaces = [
  { shape = "rectangle", layer = "mud", min = [0, 0], max = [5, 5], y = 1 },
  { shape = "heightfield", layer = "mud", origin = [0, 0], spacing = 1, heights = [[0, 1], [2, 3.5]] },
  { shape = "mesh", layer = "mud", mesh = { file = "road.obj" }, offset = [0, 1, 0] },
]
grid = { min = [0, 0], max = [5, 5], node_radius = 0.5, layers = ["mud"], agent_height = 1, max_slope = 30, max_step = 0.5, slope_cost = 3, blur = 2 }
waypoints = [{ id = "a", at = [0, 0, 0], cost = -2, terrain = "mud" }, { id = "b", at = [1, 0, 0] }]
placements = [
  { area = { min = [0, 0], max = [5, 5] }, prefix = "r", agent_radius = 0.5, generate = { kind = "random", count = 3, seed = 9 } },
  { area = { min = [0, 0], max = [5, 5] }, generate = { kind = "poisson", spacing = 1 } },
  { area = { min = [0, 0], max = [5, 5] }, generate = { kind = "grid", spacing = 1 } },
  { area = { min = [0, 0], max = [5, 5] }, generate = { kind = "corners" } },
]
links = [{ from = "a", to = "b", one_way = true, cost = 4, danger = 1 }]
auto_links = { max_distance = 9, k_nearest = 3, agent_radius = 1, eye_height = 1, slope_cost = 2, max_slope = 30 }
queries = [{ name = "q", from = "a", to = [1, 2, 3] }, { name = "r", from = "r2", to = "b" }]
"##;

fn own_costs(scene: &Scene) -> Vec<f32> {
    scene.waypoints.iter().map(|waypoint| scene.own_cost(waypoint)).collect()
}

#[test]
fn scenes_with_everything() {
    let scene = scene::read(EVERYTHING.as_bytes()).expect("sound");
    let text = scene::write(&scene).expect("sound");
    assert_eq!(scene::read(text.as_bytes()).expect("just written"), scene);
    assert_eq!(own_costs(&scene), [-2.0, 0.0]);
}

#[test]
fn headers_and_inline_tables_mean_the_same() {
    let inline = r#"
        scene = { name = "s" }
        waypoints = [{ id = "a", at = [0, 0, 0] }, { id = "b", at = [1, 0, 0] }]
        links = [{ from = "a", to = "b" }]"#;
    let headers = r#"
        [scene]
        name = "s"
        [[waypoints]]
        id = "a"
        at = [0, 0, 0]
        [[waypoints]]
        id = "b"
        at = [1, 0, 0]
        [[links]]
        from = "a"
        to = "b""#;
    assert_eq!(scene::read(inline.as_bytes()).ok(), scene::read(headers.as_bytes()).ok());
    assert!(scene::read(inline.as_bytes()).is_ok());
}

#[test]
fn the_example_in_the_format_page_is_sound() {
    let page = include_str!("../../docs/scene-format.md");
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let scene = scene::read(example.expect("an example").as_bytes()).expect("sound");
    assert_eq!(own_costs(&scene), [0.0, -0.5, 0.0]);
    let second = page.split("```toml\n").nth(2).and_then(|rest| rest.split("```").next());
    let scene = scene::read(second.expect("another").as_bytes()).expect("sound");
    assert_eq!((scene.agents.len(), scene.nav_links.len()), (2, 1));
}

#[test]
fn files_of_scenes_and_their_companions() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let mesh = obj::read(b"v 0 0 0\nv 1 0 0.1\nv 0 0 1\nf 1 2 3\n").expect("sound");
    write_path(at("rock.obj"), &World::Mesh(mesh.clone())).expect("written");
    let text = "scene = { name = \"s\" }\nobstacles = [{ shape = \"mesh\", mesh = { file = \"rock.obj\" } }]\n";
    std::fs::write(at("s.toml"), text).expect("written");
    let World::Scene(scene) = read_path(at("s.toml")).expect("sound") else { panic!("a scene") };
    let scene::SceneObstacle::Mesh { mesh: source, .. } = &scene.obstacles[0] else {
        panic!("a mesh")
    };
    assert_eq!(source.mesh().expect("loaded"), mesh);
    // Written again, the mesh stays in its file.
    assert!(scene::write(&scene).expect("sound").contains("{ file = \"rock.obj\" }"));

    write_path(at("again.toml"), &World::Scene(scene.clone())).expect("written");
    assert_eq!(read_path(at("again.toml")).expect("just written"), World::Scene(scene));

    // Errors name the inner file.
    std::fs::write(at("rock.obj"), "v 0 0\n").expect("written");
    let error = read_path(at("s.toml")).expect_err("a broken mesh").to_string();
    assert!(error.contains("rock.obj:1: this vertex has no z"), "{error}");
    // Of files that are not there, that is said first, and their likely names.
    let meant = format!("there is no such file; did you mean {}?", at("s.toml").display());
    for missing in ["s", "ss.toml"] {
        let error = read_path(at(missing)).expect_err("missing").to_string();
        assert!(error.contains(&meant), "{error}");
    }
    let map = movingai_map::read(b"type octile\nheight 1\nwidth 1\nmap\n.\n", "m");
    let map = World::TileMap(map.expect("sound"));
    let error = write_path(at("m.toml"), &map).expect_err("not a scene").to_string();
    assert!(error.contains("a tile map cannot be written"), "{error}");
    let scene = World::Scene(Scene::new("s"));
    let error = write_path(at("s.map"), &scene).expect_err("no map").to_string();
    assert!(error.contains("a scene cannot be written") && error.contains(".toml"), "{error}");
}
