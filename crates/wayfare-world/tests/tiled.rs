//! Tiled maps, beside the `tiled` crate as a reference.

use std::path::{Path, PathBuf};

use wayfare_world::{TileMap, World, read_path, tiled as ours};

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file)
}

fn read(file: &str) -> TileMap {
    match read_path(data(file)) {
        Ok(World::TileMap(map)) => map,
        other => panic!("{file}: {other:?}"),
    }
}

fn names(map: &TileMap) -> Vec<Vec<&str>> {
    map.rows()
        .map(|row| row.iter().map(|tile| map.terrain(*tile).name.as_str()).collect())
        .collect()
}

#[test]
fn the_topmost_tile_with_a_meaning_counts() {
    let map = read("decorated.tmx");
    let (grass, mud, wall) = ("grass", "mud & reeds", "wall");
    assert_eq!(
        names(&map),
        [
            vec![grass, grass, mud, "empty"],
            vec![grass, grass, wall, "plain"],
            vec![wall, grass, grass, grass],
        ]
    );
    let terrain = |name: &str| map.terrains().iter().find(|terrain| terrain.name == name).cloned();
    assert_eq!(terrain(mud).map(|terrain| terrain.multiplier), Some(2.5));
    assert_eq!(terrain(grass).map(|terrain| terrain.color), Some([0xb9, 0xcb, 0x9a]));
    assert_eq!(terrain("empty").map(|terrain| terrain.walkable), Some(false));
    assert_eq!(terrain("plain").map(|terrain| terrain.walkable), Some(true));
}

#[test]
fn infinite_maps_span_their_chunks() {
    let map = read("endless.tmx");
    assert_eq!((map.width(), map.height()), (32, 16));
    assert_eq!(map.terrain_at(0, 0).map(|terrain| terrain.name.as_str()), Some("grass"));
    assert_eq!(map.terrain_at(16, 3).map(|terrain| terrain.penalty), Some(0.5));
    assert_eq!(map.terrain_at(24, 3).map(|terrain| terrain.walkable), Some(false));
}

/// Every tile of every layer is the one that the reference reader sees.
#[test]
fn agrees_with_the_tiled_crate() {
    let map = read("decorated.tmx");
    let reference = tiled::Loader::new().load_tmx_map(data("decorated.tmx")).expect("sound");
    let mut layers = Vec::new();
    for layer in reference.layers() {
        match layer.layer_type() {
            tiled::LayerType::Tiles(_) => layers.push(layer),
            tiled::LayerType::Group(group) => layers.extend(group.layers()),
            _ => {}
        }
    }
    for y in 0..map.height() {
        for x in 0..map.width() {
            let mut top = "empty".to_string();
            for layer in &layers {
                let Some(tiles) = layer.as_tile_layer() else { continue };
                let Some(tile) = tiles.get_tile(x as i32, y as i32) else { continue };
                let kind = tile.get_tile();
                let property =
                    kind.as_ref().and_then(|kind| match kind.properties.get("terrain") {
                        Some(tiled::PropertyValue::StringValue(name)) => Some(name.clone()),
                        _ => Some(kind.user_type.clone()).filter(|class| !class.is_empty()),
                    });
                match property {
                    Some(name) => top = name,
                    None if top == "empty" => top = "plain".to_string(),
                    None => {}
                }
            }
            assert_eq!(map.terrain_at(x, y).map(|terrain| &terrain.name), Some(&top), "{x},{y}");
        }
    }
}

#[test]
fn json_and_xml_and_every_encoding_agree() {
    let tmj = |layer: &str| {
        let text = format!(
            r#"{{"width":2,"height":1,"tilesets":[{{"firstgid":1,"tiles":[
                {{"id":0,"type":"grass"}},
                {{"id":1,"properties":[{{"name":"terrain","value":"sand"}},{{"name":"cost","value":0.5}}]}}]}}],
                "layers":[{{"type":"tilelayer","width":2,"height":1,{layer}}}]}}"#
        );
        ours::read_tmj(text.as_bytes(), "m", Path::new("")).expect(layer)
    };
    let plain = tmj(r#""data":[1,2]"#);
    assert_eq!(names(&plain), [["grass", "sand"]]);
    assert_eq!(plain, tmj(r#""data":"1,2","encoding":"csv""#));
    assert_eq!(plain, tmj(r#""data":"AQAAAAIAAAA=","encoding":"base64""#));
    assert_eq!(
        plain,
        tmj(r#""data":"eJxjZGBgYAJiAAAYAAQ=","encoding":"base64","compression":"zlib""#)
    );
    assert_eq!(
        plain,
        tmj(
            r#""data":"H4sIAAAAAAACA2NkYGBgAmIAfBeBAwgAAAA=","encoding":"base64","compression":"gzip""#
        )
    );
}

/// 64 MiB of zeros in 64 KiB of zlib, for a layer that says it has 4 tiles.
#[test]
fn a_bomb_is_not_unpacked() {
    use std::io::Write as _;
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..64 {
        packer.write_all(&vec![0; 1 << 20]).expect("in memory");
    }
    let packed = packer.finish().expect("in memory");
    let text = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, packed);
    let map = format!(
        "<map width='2' height='2'><layer width='2' height='2'>\
         <data encoding='base64' compression='zlib'>{text}</data></layer></map>"
    );
    let error = ours::read_tmx(map.as_bytes(), "m", Path::new("")).expect_err("too many tiles");
    assert!(error.to_string().contains("more tiles"), "{error}");
}
