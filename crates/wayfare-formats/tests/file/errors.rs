//! What an error says: the place, what is wrong, what to do.

use std::path::Path;

use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_formats::{
    MemoryFiles, TileMap, World, WorldError, ascii, movingai_map, movingai_scen, obj, png,
    read_from, tiled,
};

fn said<T: std::fmt::Debug>(result: Result<T, WorldError>) -> String {
    result.expect_err("this input is wrong").to_string()
}

#[track_caller]
fn assert_says<T: std::fmt::Debug>(result: Result<T, WorldError>, start: &str, part: &str) {
    let said = said(result);
    assert!(said.starts_with(start), "{said:?} should start with {start:?}");
    assert!(said.contains(part), "{said:?} should hold {part:?}");
}

#[test]
fn moving_ai_maps() {
    let map = |body: &str| movingai_map::read(format!("type octile\n{body}").as_bytes(), "m");
    assert_says(map("height 2\nwidth 3\nmap\n...\n....\n"), "6:4: ", "remove 1 tile");
    assert_says(map("height 2\nwidth 3\nmap\n...\n..\n"), "6:3: ", "add 1 tile");
    assert_says(map("height 3\nwidth 3\nmap\n...\n...\n"), "6: ", "add 1 row");
    assert_says(map("height 1\nwidth 3\nmap\n...\n...\n"), "6: ", "after the 1 row");
    assert_says(map("height 2\nwidth 3\nmap\n...\n\n...\n"), "6: ", "blank line");
    assert_says(map("height 1\nwidth 3\nmap\n.x.\n"), "5:2: ", "'x' is not a tile");
    assert_says(map("height 1\nwidth 3\nmap\n.\u{0}.\n"), "5:2: ", "byte 0x00");
    assert_says(map("height NaN\nwidth 3\nmap\n"), "2: ", "'NaN' is not a size");
    assert_says(map("height 0\nwidth 3\nmap\n"), "2: ", "'0' is not a size");
    assert_says(map("height 4294967296\nwidth 3\nmap\n"), "2: ", "not a size");
    assert_says(map("height 4294967295\nwidth 4294967295\nmap\n...\n"), "5:4: ", "3 tiles");
    assert_says(map("height 3\nheight 3\n"), "3: ", "twice");
    assert_says(map("height 3\nmap\n"), "3: ", "without a width");
    assert_says(map("height 3\n"), "2: ", "ends inside the header");
    assert_says(movingai_map::read(b"", "m"), "1: ", "ends inside the header");
    assert_says(movingai_map::read(b"\xff\xfe\x00", "m"), "1:1: ", "not UTF-8");
    let crlf = b"type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n.@\r\n\r\n\r\n";
    assert_eq!(movingai_map::read(crlf, "m").map(|map| map.width()).ok(), Some(2));
}

#[test]
fn scenarios() {
    let scen = |line: &str| movingai_scen::read(format!("version 1\n{line}\n").as_bytes());
    assert_says(scen("0\tm.map\t4\t4\t0\t0\t1\t1"), "2: ", "has 8");
    assert_says(scen("0\tm.map\t4\t4\t0\t0\t1\t1\tNaN"), "2:21: ", "'NaN'");
    assert_says(scen("0\tm.map\t4\t4\t0\t0\t1\t-1\t2"), "2:19: ", "goal y");
    assert_says(scen("0\tm.map\t4\t4\t0\t4\t1\t1\t2"), "2:13: ", "lies outside");
    assert_says(movingai_scen::read(b"0 m.map"), "1: ", "version line");
    assert_says(movingai_scen::read(b""), "1: ", "empty");
}

#[test]
fn text_maps() {
    assert_says(ascii::read(b"...\n.?.\n", "m"), "2:2: ", "'?' is not a tile");
    assert_says(ascii::read(b"...\n..\n", "m"), "2:3: ", "the first has 3");
    assert_says(ascii::read(b"S..\n..S\n", "m"), "2:3: ", "a second start");
    assert_says(ascii::read(b"\n\n", "m"), "1: ", "no rows");
    assert_says(ascii::read(b"...\n\n...\n", "m"), "3: ", "after a blank line");
    assert_says(ascii::read(b"legend\n. a penalty=NaN\nmap\n.\n", "m"), "2: ", "finite");
    assert_says(ascii::read(b"legend\n. a speed=2\nmap\n.\n", "m"), "2: ", "not a known setting");
    assert_says(ascii::read(b"legend\nS start on b\nmap\nS\n", "m"), "2: ", "no terrain 'b'");
    assert_says(ascii::read(b"legend\n. a\n. b\nmap\n.\n", "m"), "3: ", "two meanings");
    assert_says(ascii::read(b"legend\n. a\n", "m"), "2: ", "inside the legend");
    assert_says(ascii::read(b"..\n.\xff\n", "m"), "2:2: ", "not UTF-8");
}

#[test]
fn meshes() {
    assert_says(obj::read(b"v 0 0\n"), "1: ", "has no z");
    assert_says(obj::read(b"v 0 0 inf\n"), "1: ", "not a finite number");
    assert_says(obj::read(b"v 0 0 0\nf 1 1\n"), "2: ", "three corners");
    assert_says(obj::read(b"v 0 0 0\nf 1 1 0\n"), "2: ", "'0' is no vertex");
    assert_says(obj::read(b"v 0 0 0\nf 1 -2 1\n"), "2: ", "'-2' is no vertex");
    assert_says(obj::read(b"v 0 0 0\nf 1 1 9999999999999999999\n"), "2: ", "is no vertex");
}

#[test]
fn images() {
    let legend = png::Legend::default();
    assert_says(png::read(b"not a png", "m", &legend), "not a sound PNG", "");
    let map = ascii::read(b".#\n..\n", "m").expect("sound");
    let (bytes, own) = png::write(&map).expect("two colours");
    assert_eq!(png::read(&bytes, "m", &own).expect("just written"), map);
    assert_says(png::read(&bytes, "m", &legend), "pixel 0,0: ", "#efe9dc is not in the legend");
    // Without a legend beside it, light is free and dark is blocked, and a remark says so.
    let beside = HeightmapOptions::default();
    let files = MemoryFiles::new().with("m.png", bytes.clone());
    let Ok(World::TileMap(read)) = read_from("m.png", &files, beside) else { panic!("a map") };
    let walls = |map: &TileMap| -> Vec<bool> {
        map.tiles().iter().map(|&tile| !map.terrain(tile).walkable).collect()
    };
    assert_eq!(walls(&read), walls(&map));
    assert!(read.remarks()[0].contains("read by brightness"), "{:?}", read.remarks());
    let files = files.with("m.png.toml", own.write().expect("sound"));
    let Ok(World::TileMap(read)) = read_from("m.png", &files, beside) else { panic!("a map") };
    assert_eq!((walls(&read), read.remarks().len()), (walls(&map), 0));
    // The header's width, which comes after signature, length and type.
    let mut huge = bytes.clone();
    huge[16..20].copy_from_slice(&0x7fff_ffff_u32.to_be_bytes());
    assert!(png::read(&huge, "m", &own).is_err());
    // The same lie with a sound checksum, in a file that is far too short for it.
    let mut sized = bytes[..33].to_vec();
    sized[16..24].copy_from_slice(&[0, 0, 64, 0, 0, 0, 64, 0]);
    let mut checksum = flate2::Crc::new();
    checksum.update(&sized[12..29]);
    sized[29..33].copy_from_slice(&checksum.sum().to_be_bytes());
    sized.extend(&bytes[33..]);
    assert_says(png::read(&sized, "m", &own), "the header claims 16384 × 16384", "can hold");
    assert_says(png::Legend::read(b"[[terrain]]\nname = 3\n"), "2:8: ", "string");
}

#[test]
fn tiled_maps() {
    let tmj = |text: &str| tiled::read_tmj(text.as_bytes(), "m", Path::new(""));
    let tmx = |text: &str| tiled::read_tmx(text.as_bytes(), "m", Path::new(""));
    assert_says(tmj("{"), "1:1: ", "EOF");
    let layer = r#"{"width":4294967295,"height":4294967295,"layers":[{"type":"tilelayer","name":"l","width":4294967295,"height":4294967295,"data":[1]}]}"#;
    assert_says(tmj(layer), "layer 'l': ", "at most");
    let short = r#"{"width":2,"height":2,"layers":[{"type":"tilelayer","name":"l","width":2,"height":2,"data":[1]}]}"#;
    assert_says(tmj(short), "layer 'l': ", "only 1 tiles");
    let dangling = r#"{"width":1,"height":1,"layers":[{"type":"tilelayer","name":"l","width":1,"height":1,"data":[7]}]}"#;
    assert_says(tmj(dangling), "the tile at 0,0", "of no tileset");
    let far = r#"{"width":1,"height":1,"infinite":true,"layers":[{"type":"tilelayer","chunks":[
        {"x":-2147483648,"y":0,"width":1,"height":1,"data":[0]},
        {"x":2147483647,"y":2147483647,"width":1,"height":1,"data":[0]}]}]}"#;
    assert_says(tmj(far), "the chunks lie scattered", "");
    assert_says(
        tmj(
            r#"{"width":1,"height":1,"tilesets":[{"firstgid":1,"source":"/etc/x.tsx"}],"layers":[]}"#,
        ),
        "the tileset",
        "relative",
    );
    assert_says(tmx("<map width='2' height='x'/>"), "1:1: ", "'height' of <map> is 'x'");
    assert_says(tmx("<map width='2'>"), "1:1: ", "lacks the attribute 'height'");
    assert_says(
        tmx(
            "<map width='2' height='2'>\n<layer width='2' height='2'>\n<data encoding='csv'>1,2</data></layer></map>",
        ),
        "3:",
        "only 2 tiles",
    );
    assert_says(tmx("<tileset/>"), "1:1: ", "should with <map>");
    assert_says(
        tmx(&"<group>".repeat(100_000).replacen("<group>", "<map width='1' height='1'>", 1)),
        "1:",
        "nested more than",
    );
    assert_says(
        tmx("<map width='65535' height='65535'><layer width='65535' height='65535'/></map>"),
        "the map has no tiles",
        "paint",
    );
    assert_says(tmj(r#"{"width":65535,"height":65535,"layers":[]}"#), "the map has no tiles", "");
    assert_says(tmx(""), "1:1: ", "no <map>");
}

/// Nesting is cut off long before it could exhaust the stack.
#[test]
fn deep_nesting() {
    let folder = Path::new("");
    assert!(tiled::read_tmj("[".repeat(100_000).as_bytes(), "m", folder).is_err());
    let groups = r#"{"type":"group","layers":["#.repeat(100_000);
    let map = format!(r#"{{"width":1,"height":1,"layers":[{groups}"#);
    assert!(tiled::read_tmj(map.as_bytes(), "m", folder).is_err());
    let attributes = " a='1'".repeat(100_000);
    assert_says(
        tiled::read_tmx(format!("<map{attributes}/>").as_bytes(), "m", folder),
        "1:1: ",
        "more than 64 attributes",
    );
}
