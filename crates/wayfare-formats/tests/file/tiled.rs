//! Tiled maps, beside the `tiled` crate as a reference.

use std::num::NonZeroU16;
use std::path::{Path, PathBuf};

use wayfare_core::link::{Crossing, Gate, LinkKind};
use wayfare_formats::{
    HexagonMap, MapLink, MemoryFiles, TileMap, TilePosition, World, read_from, read_path,
    tiled as ours,
};

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
    #[cfg(feature = "zstd")]
    {
        let zstd =
            r#""data":"KLUv/QRoQQAAAQAAAAIAAAA6GOQe","encoding":"base64","compression":"zstd""#;
        assert_eq!(plain, tmj(zstd));
    }
}

/// 16 × 12 tiles, as `zstd -19` packs them: a sequence, not stored bytes.
#[cfg(feature = "zstd")]
#[test]
fn zstandard_is_unpacked_as_it_was_packed_and_its_faults_are_told() {
    let read = |data: &str| {
        let text = format!(
            r#"{{"width":16,"height":12,"tilesets":[{{"firstgid":1,"tiles":[{{"id":0,"type":"grass"}},
                {{"id":1,"type":"wall"}}]}}],"layers":[{{"type":"tilelayer","width":16,"height":12,
                "data":"{data}","encoding":"base64","compression":"zstd"}}]}}"#
        );
        ours::read_tmj(text.as_bytes(), "m", Path::new("")).map_err(|error| error.to_string())
    };
    let map = read("KLUv/QRodQAAKAIAAAABAgDpblZAd7Vz/YIy").expect("sound");
    for (y, row) in picture(&map).iter().enumerate() {
        let wanted: String = (0..16).map(|x| if (x + y) % 5 == 0 { '#' } else { '.' }).collect();
        assert_eq!(*row, wanted);
    }
    for (data, told) in [
        ("KLUv/QRodQAAKAIAAAABAgDpblZA", "layer data does not decompress"),
        ("AQAAAAIAAAA=", "layer data does not decompress"),
        // A window of 2 GiB about eight bytes.
        ("KLUv/QSoQQAAAQAAAAIAAAA6GOQe", ""),
        ("KLUv/QRoQQAAAQAAAAIAAAA6GOQe", "only 2 tiles"),
    ] {
        let error = read(data).expect_err(data);
        assert!(error.contains(told), "{error}");
    }
}

/// Before version 1.2, properties were objects by their names, and tiles objects by their numbers.
#[test]
fn maps_of_old_versions_are_read_as_new_ones() {
    let read = |tileset: &str, layer: &str| {
        let text = format!(
            r#"{{"width":3,"height":1,"tilesets":[{{"firstgid":1,{tileset}}}],
                "layers":[{{"type":"tilelayer","width":3,"height":1,"data":[1,2,1]}},
                {{"type":"tilelayer","name":"x","width":3,"height":1,"data":[0,0,2],{layer}}}]}}"#
        );
        ours::read_tmj(text.as_bytes(), "m", Path::new("")).map_err(|error| error.to_string())
    };
    let new = read(
        r#""tiles":[{"id":0,"properties":[{"name":"terrain","value":"sand"}]},
            {"id":1,"type":"bush","properties":[{"name":"cost","value":0.5}]}]"#,
        r#""properties":[{"name":"walkable","value":false}]"#,
    );
    let old = read(
        r#""tileproperties":{"0":{"terrain":"sand"},"1":{"cost":0.5}},"tiles":{"1":{"type":"bush"}}"#,
        r#""properties":{"walkable":false}"#,
    );
    assert_eq!(old, new);
    let map = old.expect("sound");
    assert!(!map.terrain_at(2, 0).expect("a tile").walkable);
    let wrong = read(r#""tileproperties":{"one":{}}"#, r#""properties":{}"#);
    assert!(wrong.expect_err("no number").contains("'one' is not the number of a tile"));
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

fn tmx(text: &str) -> TileMap {
    ours::read_tmx(text.as_bytes(), "m", Path::new("")).expect(text)
}

/// One character a tile: `#` where nobody walks.
fn picture(map: &TileMap) -> Vec<String> {
    let glyph = |tile| if map.terrain(tile).walkable { '.' } else { '#' };
    map.rows().map(|row| row.iter().map(|tile| glyph(*tile)).collect()).collect()
}

/// A map of 4 × 3 tiles of 16 pixels, with a tileset of two tiles.
fn small(tileset: &str, layers: &str) -> String {
    format!(
        "<map width='4' height='3' tilewidth='16' tileheight='16'>\
         <tileset firstgid='1'>{tileset}</tileset>{layers}</map>"
    )
}

fn layer(name: &str, tiles: &str) -> String {
    format!("<layer name='{name}' width='4' height='3'><data encoding='csv'>{tiles}</data></layer>")
}

const FLOOR: &str = "1,1,1,1, 1,1,1,1, 1,1,1,1";
const SOME: &str = "0,0,2,0, 0,2,2,0, 0,0,0,0";
const SOME_BLOCKED: [&str; 3] = ["..#.", ".##.", "...."];

#[test]
fn layers_named_after_walls_block_and_that_is_said() {
    let layers = layer("Ground", FLOOR) + &layer("House Walls", SOME);
    let map = tmx(&small("", &layers));
    assert_eq!(picture(&map), SOME_BLOCKED);
    let [remark] = map.remarks() else { panic!("{:?}", map.remarks()) };
    assert!(remark.contains("the layers 'House Walls' block"), "{remark}");
    assert!(remark.contains("the property 'walkable'"), "{remark}");
    // Whoever declares anything is taken at the word, in silence.
    let says =
        "<tile id='1'><properties><property name='walkable' value='true'/></properties></tile>";
    let map = tmx(&small(says, &layers));
    assert_eq!(picture(&map), ["....", "....", "...."]);
    assert!(map.remarks().is_empty());
    let declared = "<layer name='x' width='4' height='3'><properties><property name='collides' \
                    type='bool' value='true'/></properties><data encoding='csv'>";
    let map = tmx(&small("", &format!("{}{declared}{SOME}</data></layer>", layer("Walls", FLOOR))));
    assert_eq!(picture(&map), SOME_BLOCKED);
    assert!(map.remarks().is_empty());
}

#[test]
fn collision_shapes_and_common_properties_block() {
    let layers = layer("below", FLOOR) + &layer("above", SOME);
    let shape = "<tile id='1'><objectgroup><object id='1' x='0' y='0' width='9' height='9'/>\
                 </objectgroup></tile>";
    let map = tmx(&small(shape, &layers));
    assert_eq!(picture(&map), SOME_BLOCKED);
    assert!(map.remarks()[0].contains("collision shapes block (3 places)"), "{:?}", map.remarks());
    let solid = "<tile id='1'><properties><property name='solid' type='bool' value='true'/>\
                 </properties></tile>";
    let map = tmx(&small(solid, &layers));
    assert_eq!(picture(&map), SOME_BLOCKED);
    assert!(map.remarks().is_empty());
    let map = tmx(&small("<tile id='1' class='StoneWall'/>", &layers));
    assert_eq!(picture(&map), SOME_BLOCKED);
    assert!(map.remarks()[0].contains("the terrains 'StoneWall' block"), "{:?}", map.remarks());
}

/// A map of walls alone is not one of floors in the void.
#[test]
fn where_all_tiles_are_walls_the_rest_is_open() {
    let map = tmx(&small("", &layer("collision", SOME)));
    assert_eq!(picture(&map), SOME_BLOCKED);
    assert!(map.remarks()[0].contains("places without a tile are open"), "{:?}", map.remarks());
    let map = tmx(&small("", &layer("Tile Layer 1", SOME)));
    assert_eq!(picture(&map), ["##.#", "#..#", "####"]);
    assert!(map.remarks()[0].contains("every place with a tile is open"), "{:?}", map.remarks());
}

#[test]
fn tiles_of_an_open_map_are_told_apart() {
    let trees = "0,2,0,0, 0,3,0,0, 0,2,0,0";
    let map = tmx(&small("", &(layer("Ground", FLOOR) + &layer("Trees", trees))));
    assert_eq!(picture(&map), ["....", "....", "...."]);
    let names: Vec<&str> = map.terrains().iter().map(|terrain| terrain.name.as_str()).collect();
    assert_eq!(names, ["Ground, tile 0", "Trees, tile 1", "Trees, tile 2"]);
    let at = |x, y| map.terrain_at(x, y).expect("on the map").name.as_str();
    assert_eq!((at(0, 0), at(1, 0), at(1, 1)), (names[0], names[1], names[2]));
    let colours: std::collections::BTreeSet<_> = map.terrains().iter().map(|it| it.color).collect();
    assert_eq!(colours.len(), 3);
    assert!(map.remarks()[0].starts_with("every place with a tile is open"), "{:?}", map.remarks());
    // One kind of tile is plain ground; of too many kinds each layer is a terrain.
    assert_eq!(tmx(&small("", &layer("Ground", FLOOR))).terrains()[0].name, "plain");
    let many: Vec<String> = (0..300).map(|gid| (gid % 250 + 1).to_string()).collect();
    let size = "width='20' height='15'";
    let many =
        small("", &(layer("Ground", &many.join(",")) + &layer("", &("0,".repeat(299) + "7"))));
    let map = tmx(&many.replace("width='4' height='3'", size));
    let names: Vec<&str> = map.terrains().iter().map(|terrain| terrain.name.as_str()).collect();
    assert_eq!(names, ["Ground", "layer 2"]);
}

const OBJECTS: &str = "<objectgroup name='walls'>\
    <object id='1' x='32' y='0' width='16' height='16'/>\
    <object id='2' x='16' y='16'><polygon points='0,0 32,0 32,16 0,16'/></object>\
    <object id='3' x='0' y='0'><polyline points='0,0 64,48'/></object></objectgroup>\
    <objectgroup name='things'><object id='4' name='Start' x='8' y='40'><point/></object>\
    <object id='5' class='exit' gid='1' x='48' y='16' width='16' height='16'/></objectgroup>";

#[test]
fn objects_block_and_mark() {
    let map = tmx(&small("", &(layer("floor", FLOOR) + OBJECTS)));
    assert_eq!(picture(&map), SOME_BLOCKED);
    let at = |x, y| Some(TilePosition { x, y });
    assert_eq!((map.marks().start, map.marks().goal), (at(0, 2), at(3, 0)));
    let json = r#"{"width":4,"height":3,"tilewidth":16,"tileheight":16,"tilesets":[{"firstgid":1}],
        "layers":[{"type":"tilelayer","name":"floor","width":4,"height":3,"data":[1,1,1,1,1,1,1,1,1,1,1,1]},
        {"type":"objectgroup","name":"walls","objects":[{"x":32,"y":0,"width":16,"height":16},
        {"x":16,"y":16,"polygon":[{"x":0,"y":0},{"x":32,"y":0},{"x":32,"y":16},{"x":0,"y":16}]},
        {"x":0,"y":0,"polyline":[{"x":0,"y":0},{"x":64,"y":48}]}]},
        {"type":"objectgroup","name":"things","objects":[{"name":"Start","x":8,"y":40,"point":true},
        {"type":"exit","gid":1,"x":48,"y":16,"width":16,"height":16}]}]}"#;
    assert_eq!(ours::read_tmj(json.as_bytes(), "m", Path::new("")).expect("sound"), map);
}

#[test]
fn tiles_may_be_elements() {
    let tiles = "<tile gid='1'/><tile/><tile gid='2'/>";
    let text = |tiles: &str| {
        format!(
            "<map width='3' height='1'><tileset firstgid='1'><tile id='1' class='sand'/></tileset>\
             <layer width='3' height='1'><data>{tiles}</data></layer></map>"
        )
    };
    assert_eq!(names(&tmx(&text(tiles))), [["plain", "empty", "sand"]]);
    let error = ours::read_tmx(text("<tile gid='1'/>").as_bytes(), "m", Path::new(""));
    assert!(error.expect_err("too few").to_string().contains("only 1 tiles"));
}

/// Read as an orthogonal map, except objects: their unit is the height of a tile.
#[test]
fn isometric_maps_are_grids() {
    let head = "<map orientation='isometric' width='4' height='3' tilewidth='32' tileheight='16'>\
                <tileset firstgid='1'/>";
    let map = tmx(&format!("{head}{}{OBJECTS}</map>", layer("floor", FLOOR)));
    assert_eq!(picture(&map), SOME_BLOCKED);
}

/// Rows of a staggered map are diagonals of the grid.
#[test]
fn staggered_maps_are_turned() {
    let map = tmx(
        "<map orientation='staggered' staggeraxis='y' staggerindex='odd' width='2' height='3'>\
         <tileset firstgid='1'><tile id='0' class='a'/><tile id='1' class='b'/>\
         <tile id='2' class='c'/></tileset><layer width='2' height='3'>\
         <data encoding='csv'>1,1,2,2,3,3</data></layer></map>",
    );
    let e = "empty";
    assert_eq!(names(&map), [[e, "a", "b"], ["a", "b", "c"], [e, "c", e]]);
}

#[test]
fn hexagons_have_three_neighbours_after_them() {
    let text = "<map orientation='hexagonal' staggeraxis='y' staggerindex='odd' width='3' height='3'>\
        <tileset firstgid='1'/><layer width='3' height='3'>\
        <data encoding='csv'>1,1,1,1,1,1,1,1,1</data></layer></map>";
    assert!(ours::read_tmx(text.as_bytes(), "m", Path::new("")).is_err());
    let files = MemoryFiles::new().with("hex.tmx", text);
    let world = read_from("hex.tmx", &files, Default::default()).expect("sound");
    let World::Hexagons(map) = world else { panic!("hexagons") };
    let after = |map: &HexagonMap, x, y| -> Vec<[u32; 2]> {
        map.neighbours_after(TilePosition { x, y }).map(|at| [at.x, at.y]).collect()
    };
    assert_eq!(after(&map, 1, 1), [[2, 1], [1, 2], [2, 2]]);
    assert_eq!(after(&map, 0, 0), [[1, 0], [0, 1]]);
    assert_eq!(map.middle(TilePosition { x: 1, y: 1 })[0], 1.5);
    // All are one apart.
    for (x, y) in (0..3).flat_map(|x| (0..3).map(move |y| (x, y))) {
        let here = map.middle(TilePosition { x, y });
        for at in map.neighbours_after(TilePosition { x, y }) {
            let there = map.middle(at);
            let squared = (there[0] - here[0]).powi(2) + (there[1] - here[1]).powi(2);
            assert!((squared - 1.0).abs() < 1e-5, "{x},{y} {at:?}: {squared}");
        }
    }
}

/// Two halves, a wall between them, and objects in both formats.
fn furnished() -> [(&'static str, String); 2] {
    let tiles = "1,1,1,2,1,1,1,\n1,1,1,2,1,1,1,\n1,1,1,2,1,1,1";
    let tmx = include_str!("../data/house.tmx").to_owned();
    let tmj = format!(
        r#"{{"width":7,"height":3,"tilewidth":16,"tileheight":16,
"tilesets":[{{"firstgid":1,"tiles":[{{"id":1,"type":"wall","properties":[{{"name":"walkable","value":false}}]}}]}}],
"layers":[{{"type":"tilelayer","name":"ground","width":7,"height":3,"data":[{tiles}]}},
{{"type":"objectgroup","name":"things","objects":[
 {{"id":1,"name":"well","x":20,"y":20,"point":true}},
 {{"id":2,"name":"yard","x":64,"y":0,"width":48,"height":32}},
 {{"id":3,"name":"pond","x":0,"y":32,"polygon":[{{"x":0,"y":0}},{{"x":32,"y":0}},{{"x":0,"y":16}}]}},
 {{"id":4,"name":"well","x":100,"y":40,"point":true}},
 {{"id":5,"name":"side door","type":"door","x":40,"y":8,"polyline":[{{"x":0,"y":0}},{{"x":12,"y":2}},{{"x":30,"y":0}}],
  "properties":[{{"name":"key","value":"brass"}},{{"name":"capacity","value":2}},{{"name":"one_way","value":true}},{{"name":"speed","value":1.5}}]}},
 {{"id":6,"name":"ring","type":"teleport","x":8,"y":40,"point":true,"properties":[{{"name":"target","value":2}},{{"name":"gate","value":"ajar"}}]}},
 {{"id":7,"type":"ladder","x":8,"y":8,"polyline":[{{"x":0,"y":0}},{{"x":48,"y":0}}]}},
 {{"id":8,"name":"beside","x":900,"y":8,"point":true}},
 {{"id":9,"name":"oak door","type":"door","x":0,"y":0,"width":16,"height":16}}]}}]}}"#
    );
    [("house.tmx", tmx), ("house.tmj", tmj)]
}

#[test]
fn objects_are_places_and_links() {
    for (file, text) in furnished() {
        let map = match Path::new(file).extension().and_then(|it| it.to_str()) {
            Some("tmx") => ours::read_tmx(text.as_bytes(), "house", Path::new("")),
            _ => ours::read_tmj(text.as_bytes(), "house", Path::new("")),
        };
        let map = map.unwrap_or_else(|error| panic!("{file}: {error}"));
        let at = |x, y| TilePosition { x, y };
        let places: Vec<_> =
            map.places().iter().map(|place| (place.name.as_str(), place.at)).collect();
        let known = [
            ("well", at(1, 1)),
            ("yard", at(5, 1)),
            ("pond", at(1, 2)),
            ("ring", at(0, 2)),
            ("oak door", at(0, 0)),
        ];
        assert_eq!(places, known, "{file}");
        let [door, ring] = map.links() else { panic!("{file}: {:?}", map.links()) };
        let one = MapLink {
            name: "side door".to_owned(),
            from: at(2, 0),
            to: at(4, 0),
            kind: LinkKind::Door,
            crossing: Crossing::Speed(1.5),
            capacity: NonZeroU16::new(2),
            gate: Gate::Locked,
            key: Some("brass".to_owned()),
            one_way: true,
        };
        assert_eq!(*door, one, "{file}");
        assert_eq!((ring.from, ring.to), (at(0, 2), at(5, 1)));
        let (kind, gate, crossing) = (LinkKind::Teleport, Gate::Open, Crossing::Seconds(1.0));
        assert_eq!((ring.kind, ring.gate, ring.crossing), (kind, gate, crossing));
        let remarks = map.remarks().join("\n");
        for said in ["'gate' of the link 'ring' is 'ajar'", "1 object of a name", "1 link left out"]
        {
            assert!(remarks.contains(said), "{file}: {remarks}");
        }
    }
}
