//! What is written reads back the same.

use proptest::prelude::*;
use wayfare_formats::{
    Marks, TerrainId, TileMap, TilePosition, World, ascii, movingai_map, obj, png, read_path,
    tiled, write_path,
};

use crate::any_map::any_map;

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
    fn moving_ai_maps(width in 1u32..20, height in 1u32..20, seed: u64) {
        let tiles = (0..width * height).map(|tile| TerrainId((seed >> (tile % 61) & 1) as u8));
        let terrains = movingai_map::terrains();
        let map = TileMap::new("map", width, height, terrains, tiles.collect()).expect("in range");
        let bytes = movingai_map::write(&map).expect("its terrains");
        prop_assert_eq!(movingai_map::read(&bytes, "map").expect("just written"), map);
    }
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
    write_path(at("rock.obj"), &World::Mesh(mesh)).expect("written");
    std::fs::write(at("m.bmp"), "BM").expect("written");
    let error = read_path(at("m.bmp")).expect_err("unknown").to_string();
    assert!(error.contains("'.bmp' is not a known format; known are .map"), "{error}");
    std::fs::write(at("s.toml"), "scene = { name = \"s\" }\n").expect("written");
    let error = read_path(at("s.toml")).expect_err("a scene").to_string();
    assert!(error.contains("the file is a scene; read it with"), "{error}");
    // Of files that are not there, that is said first, and their likely names.
    let missing = |name: &str| read_path(at(name)).expect_err("missing").to_string();
    let strange = missing("elsewhere.txt");
    assert!(strange.ends_with("there is no such file"), "{strange}");
    let meant = format!("there is no such file; did you mean {}?", at("rock.obj").display());
    assert!(missing("rook.obj").contains(&meant), "{}", missing("rook.obj"));
    let meant = format!("there is no such file; did you mean {}.bmp", at("m").display());
    assert!(!missing("m").contains(&meant), "no format");
    let meant = format!("there is no such file; did you mean {}?", at("rock.obj").display());
    assert!(missing("rock").contains(&meant), "{}", missing("rock"));
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
