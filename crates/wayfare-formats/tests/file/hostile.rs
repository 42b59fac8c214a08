//! Whatever the bytes, a reader answers: no panic, no memory beyond what the bytes back.

use std::path::Path;

use proptest::prelude::*;
use wayfare_formats::{
    MemoryFiles, ascii, gltf, heightmap, movingai_3dmap, movingai_3dscen, movingai_map,
    movingai_scen, obj, png, read_from, read_path, tiled, voxel_text,
};

use crate::change::{apply, change};

/// Feeds every reader; the results do not matter, that they come does.
fn read_all(bytes: &[u8]) {
    let _ = movingai_map::read(bytes, "x");
    let _ = movingai_scen::read(bytes);
    let _ = ascii::read(bytes, "x");
    let _ = obj::read(bytes);
    let _ = gltf::read(bytes);
    let _ = movingai_3dmap::read(bytes, "x");
    let _ = movingai_3dscen::read(bytes);
    let _ = voxel_text::read(bytes, "x");
    let _ = png::read(bytes, "x", &png::Legend::default());
    let _ = png::Legend::read(bytes);
    let _ = tiled::read_tmj(bytes, "x", Path::new("nowhere"));
    let _ = tiled::read_tmx(bytes, "x", Path::new("nowhere"));
    let _ = heightmap::read(bytes, "x", Default::default());
    for name in ["x.ldtk", "x.tmx", "x.tmj"] {
        // The last two once more, for hexagons.
        let _ = read_from(name, &MemoryFiles::new().with(name, bytes), Default::default());
    }
}

/// A triangle that is placed by two nodes.
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[
{"children":[1],"scale":[1,1,-1]},{"mesh":0,"translation":[1,2,3]}],"materials":[{"name":"mud"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],"accessors":[
{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,0,1]},
{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],"bufferViews":[
{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],"buffers":[{"byteLength":42,
"uri":"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA/AACAPwAAAAAAAIA/AAABAAIA"}]}"#;

/// The same in one container.
fn glb() -> Vec<u8> {
    let data = GLTF.find(",\n\"uri\"").expect("the data");
    let mut json = GLTF[..data].to_owned() + "}]}";
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    let mut binary = vec![0; 20];
    binary.extend([0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 128, 63]);
    binary.extend([0, 0, 1, 0, 2, 0, 0, 0]);
    let mut file = b"glTF\x02\0\0\0".to_vec();
    let word = |number: usize| (number as u32).to_le_bytes();
    file.extend(word(12 + 8 + json.len() + 8 + binary.len()));
    file.extend(word(json.len()));
    file.extend(b"JSON");
    file.extend(json.as_bytes());
    file.extend(word(binary.len()));
    file.extend(b"BIN\0");
    file.extend(&binary);
    file
}

#[test]
fn scenes_are_placed_and_turned_by_their_nodes() {
    for file in [GLTF.as_bytes().to_vec(), glb()] {
        let mesh = gltf::read(&file).expect("sound");
        assert_eq!(mesh.materials(), ["mud"]);
        assert_eq!(mesh.material(0), Some(0));
        // The mirror turns the triangle over.
        assert_eq!(mesh.triangles(), [[0, 2, 1]]);
        assert_eq!(mesh.vertices()[0], [1.0, 2.0, -3.0]);
    }
    // A node that is its own child.
    let circle = GLTF.replace(r#""children":[1]"#, r#""children":[0]"#);
    assert!(gltf::read(circle.as_bytes()).is_err());
    let short = GLTF.replace(r#""count":3,"type":"VEC3""#, r#""count":4,"type":"VEC3""#);
    assert!(gltf::read(short.as_bytes()).unwrap_err().to_string().contains("beyond its buffer"));
}

/// Objects of all shapes, tiles as elements, layers that declare something.
const OBJECTS: &str = "<map orientation='isometric' width='3' height='2' tilewidth='32' tileheight='16'>
<tileset firstgid='1'><tile id='1' class='stone wall'><objectgroup><object x='0' y='0'/></objectgroup>
<properties><property name='solid' value='true'/></properties></tile></tileset>
<layer name='Walls' width='3' height='2'><properties><property name='walkable' value='false'/></properties>
<data><tile gid='1'/><tile/><tile gid='2'/><tile/><tile/><tile gid='1'/></data></layer>
<objectgroup name='collision'><object x='1' y='2' width='30' height='9'/>
<object x='1' y='2' width='30' height='9'><ellipse/></object><object name='start' x='8' y='8'><point/></object>
<object x='4' y='5'><polygon points='0,0 9,0 9,20'/></object></objectgroup></map>";

/// Hexagons with a start and a goal.
const HEXAGONS: &str = include_str!("../data/hexagons.tmj");

/// Two levels, one of them with an entity.
const LDTK: &str = r##"{"worldLayout":"Free","defs":{"layers":[{"uid":7,"intGridValues":[
{"value":1,"identifier":"wall","color":"#102030"},{"value":2,"identifier":null,"color":"#000000"}]}]},
"levels":[{"identifier":"A","worldX":-16,"worldY":0,"layerInstances":[{"__identifier":"Things",
"__type":"Entities","__cWid":2,"__cHei":1,"__gridSize":8,"layerDefUid":8,"entityInstances":[
{"__identifier":"Player","__grid":[1,0]}]},{"__identifier":"Ground","__type":"IntGrid","__cWid":2,
"__cHei":1,"__gridSize":8,"layerDefUid":7,"intGridCsv":[0,1]}]},{"identifier":"B","worldX":0,
"worldY":8,"layerInstances":[{"__identifier":"Ground","__type":"IntGrid","__cWid":2,"__cHei":1,
"__gridSize":8,"layerDefUid":7,"intGridCsv":[2,0]}]}]}"##;

/// One sound file of each format.
fn samples() -> Vec<Vec<u8>> {
    let map = ascii::read(
        b"legend\n. a\n# b walkable=false color=#000000\n: c penalty=2 color=#804020\nS start on a\nmap\nS.#\n:..\n",
        "x",
    )
    .expect("sound");
    let plain = movingai_map::read(b"type octile\nheight 2\nwidth 4\nmap\n.@..\n...@\n", "x");
    let plain = plain.expect("sound");
    vec![
        movingai_map::write(&plain).expect("its terrains"),
        b"version 1\n0\tm.map\t9\t7\t0\t0\t8\t6\t9.5\n3 m.map 9 7 1 1 2 2 1.4\n".to_vec(),
        ascii::write(&map).expect("its glyphs").into_bytes(),
        b"# mesh\nv 0 0 0\nv 1 0 0.5 1\nv 0 1e3 0\nv 1 1 1\nf 1 2/3 3//1 -1\nusemtl m\nf 1 2 3\n".to_vec(),
        GLTF.into(),
        glb(),
        png::write(&map).map(|(bytes, _)| bytes).expect("its colours"),
        tiled::write_tmj(&map).expect("json").into_bytes(),
        include_bytes!("../data/decorated.tmx").to_vec(),
        include_bytes!("../data/endless.tmx").to_vec(),
        OBJECTS.into(),
        OBJECTS.replace("isometric", "staggered").into_bytes(),
        HEXAGONS.into(),
        LDTK.into(),
        b"voxel 4 3 5\n0 0 0\n3 2 4\n".to_vec(),
        b"version 1\nA.3dmap\n0 0 1 3 2 1 4.5 1.1\n".to_vec(),
        b"voxels 3 2 2\n~ water\nd oak kind=door penalty=2\nroute 0,1,0 2,1,1 a b\nlayer 0\n#~#\n###\nlayer 1\n.d.\n...\n"
            .to_vec(),
    ]
}

#[test]
fn the_maps_to_be_damaged_are_sound() {
    for (name, text) in [("x.tmx", OBJECTS), ("x.tmj", HEXAGONS), ("x.ldtk", LDTK)] {
        let files = MemoryFiles::new().with(name, text);
        read_from(name, &files, Default::default()).expect(name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_all(&bytes);
    }

    #[test]
    fn random_text_does_no_harm(text in "[ -~\n\t\r.#@\\[\\]{}=\"<>/]{0,300}") {
        read_all(text.as_bytes());
    }

    #[test]
    fn damaged_files_do_no_harm(
        sample in any::<prop::sample::Index>(),
        changes in prop::collection::vec(change(), 1..5),
    ) {
        let samples = samples();
        let mut bytes = samples[sample.index(samples.len())].clone();
        for change in &changes {
            apply(&mut bytes, change);
        }
        read_all(&bytes);
    }
}

/// Pipes would block for ever, and names may hold what a terminal obeys.
#[test]
fn paths_that_are_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = |path: &Path| read_path(path).expect_err("no file").to_string();
    let named = folder.path().join("folder.map");
    std::fs::create_dir(&named).expect("created");
    assert!(said(&named).contains("this is a folder, not a file"), "{}", said(&named));
    let error = read_path(folder.path().join("a\u{1b}[31mb.map")).expect_err("not there");
    assert!(error.to_string().contains("a\\u{1b}[31mb.map"), "{error}");
}

#[cfg(unix)]
#[test]
fn pipes_do_not_block() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.map");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let error = read_path(&pipe).expect_err("no file").to_string();
    assert!(error.contains("this is a pipe, a socket or a device, not a file"), "{error}");
}
