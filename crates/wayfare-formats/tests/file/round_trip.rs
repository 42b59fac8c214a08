//! What is written reads back the same.

use proptest::prelude::*;
use wayfare::space::Neighbours;
use wayfare_world::scene::{self, Scene};
use wayfare_world::{
    Marks, Medium, Terrain, TerrainId, TileMap, TilePosition, World, ascii, movingai_map, obj, png,
    read_path, tiled, write_path,
};

/// Maps with up to five terrains of any cost.
fn any_map() -> impl Strategy<Value = TileMap> {
    let terrain = (any::<bool>(), 0u8..4, -100.0f32..1000.0, 0.0f32..10.0, any::<[u8; 2]>());
    let shape = (1u32..12, 1u32..12, prop::collection::vec(terrain, 1..6));
    shape.prop_flat_map(|(width, height, terrains)| {
        let count = terrains.len() as u8;
        let table: Vec<Terrain> = (0u8..)
            .zip(terrains)
            .map(|(id, (walkable, medium, penalty, multiplier, color))| Terrain {
                name: format!("t{id}"),
                glyph: char::from(b'a' + id),
                color: [id, color[0], color[1]],
                multiplier,
                penalty,
                walkable,
                medium: Medium(medium),
            })
            .collect();
        let area = (width * height) as usize;
        let tiles = prop::collection::vec((0..count).prop_map(TerrainId), area);
        tiles.prop_map(move |tiles| {
            TileMap::new("m", width, height, table.clone(), tiles).expect("sound by construction")
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn text_maps(map in any_map(), start in any::<prop::sample::Index>()) {
        let index = start.index(map.tiles().len()) as u32;
        let start = TilePosition { x: index % map.width(), y: index / map.width() };
        let marked = map.with_marks(Marks { start: Some(start), goal: None }).expect("on the map");
        let text = ascii::write(&marked).expect("its glyphs");
        prop_assert_eq!(ascii::read(text.as_bytes(), "m").expect("just written"), marked);
    }

    #[test]
    fn images(map in any_map()) {
        let (bytes, legend) = png::write(&map).expect("its colours");
        let again = png::Legend::read(legend.write().expect("toml").as_bytes()).expect("legend");
        prop_assert_eq!(png::read(&bytes, "m", &again).expect("just written"), map);
    }

    #[test]
    fn tiled_json(map in any_map()) {
        let text = tiled::write_tmj(&map).expect("json");
        let again = tiled::read_tmj(text.as_bytes(), "m", "".as_ref()).expect("just written");
        // Terrains are numbered as they come up; the tiles are what counts.
        prop_assert_eq!((again.width(), again.height()), (map.width(), map.height()));
        for (a, b) in again.tiles().iter().zip(map.tiles()) {
            prop_assert_eq!(again.terrain(*a), map.terrain(*b));
        }
    }

    #[test]
    fn scenes_of_tiles(map in any_map(), eight in any::<bool>()) {
        let neighbours = if eight { Neighbours::Eight } else { Neighbours::Four };
        let scene = Scene::from_tile_map(&map, neighbours).expect("small");
        let text = scene::write(&scene).expect("sound");
        prop_assert_eq!(scene::read(text.as_bytes()).expect("just written"), scene);
    }

    #[test]
    fn moving_ai_maps(width in 1u32..20, height in 1u32..20, seed: u64) {
        let tiles = (0..width * height).map(|tile| TerrainId((seed >> (tile % 61) & 1) as u8));
        let terrains = movingai_map::terrains();
        let map = TileMap::new("map", width, height, terrains, tiles.collect()).expect("in range");
        let bytes = movingai_map::write(&map).expect("its terrains");
        prop_assert_eq!(movingai_map::read(&bytes, "map").expect("just written"), map);
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
fn files_of_every_kind_and_their_companions() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let map = World::TileMap(
        movingai_map::read(b"type octile\nheight 2\nwidth 4\nmap\n.@..\n...@\n", "m")
            .expect("sound"),
    );
    for name in ["m.map", "m.txt", "m.png", "m.tmj", "m.MAP"] {
        write_path(at(name), &map).expect(name);
        let World::TileMap(again) = read_path(at(name)).expect(name) else { panic!("{name}") };
        assert_eq!((again.name(), again.width(), again.height()), ("m", 4, 2));
    }
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

    // Errors name the inner file, and what else could be read.
    std::fs::write(at("rock.obj"), "v 0 0\n").expect("written");
    let error = read_path(at("s.toml")).expect_err("a broken mesh").to_string();
    assert!(error.contains("rock.obj:1: this vertex has no z"), "{error}");
    std::fs::write(at("m.bmp"), "BM").expect("written");
    let error = read_path(at("m.bmp")).expect_err("unknown").to_string();
    assert!(error.contains("'.bmp' is not a known format; known are .map"), "{error}");
    // Of files that are not there, that is said first, and their likely names.
    let missing = |name: &str| read_path(at(name)).expect_err("missing").to_string();
    let strange = missing("elsewhere.txt");
    assert!(strange.ends_with("there is no such file"), "{strange}");
    let meant = format!("there is no such file; did you mean {}?", at("rock.obj").display());
    assert!(missing("rook.obj").contains(&meant), "{}", missing("rook.obj"));
    let meant = format!("there is no such file; did you mean {}.bmp", at("m").display());
    assert!(!missing("m").contains(&meant), "no format");
    let meant = format!("there is no such file; did you mean {}?", at("s.toml").display());
    assert!(missing("s").contains(&meant), "{}", missing("s"));
    assert!(missing(".").contains("this is a folder, not a file"), "{}", missing("."));
    let error = write_path(at("m.toml"), &map).expect_err("not a scene").to_string();
    assert!(error.contains("a tile map cannot be written"), "{error}");
    // Nothing half-written is left behind.
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("readable")
        .filter_map(|entry| entry.ok().map(|entry| entry.file_name()))
        .filter(|name| name.to_string_lossy().ends_with(".tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
