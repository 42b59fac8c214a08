//! Whatever the bytes, a reader answers: no panic, no memory beyond what the bytes back.

use std::path::Path;

use proptest::prelude::*;
use wayfare::simulation::Audit;
use wayfare_world::{
    MemoryFiles, Movement, Playable, Staging, ascii, gltf, heightmap, movingai_3dmap,
    movingai_3dscen, movingai_map, movingai_scen, obj, png, read_from, read_path, scene, tiled,
    voxel_text,
};

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
    let _ = scene::read(bytes);
    let _ = tiled::read_tmj(bytes, "x", Path::new("nowhere"));
    let _ = tiled::read_tmx(bytes, "x", Path::new("nowhere"));
    let _ = heightmap::read(bytes, "x", Default::default());
    for name in ["x.ldtk", "x.tmx", "x.tmj"] {
        // The last two once more, as hexagons become a scene here.
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
const HEXAGONS: &str = r#"{"orientation":"hexagonal","staggeraxis":"x","staggerindex":"even","width":3,
"height":2,"tilewidth":14,"tileheight":12,"tilesets":[{"firstgid":1,"tiles":[{"id":0,"type":"grass",
"objectgroup":{"type":"objectgroup","objects":[{"x":1,"y":2}]}}]}],"layers":[{"type":"tilelayer",
"name":"ground","width":3,"height":2,"data":[1,1,2,0,1,1],"properties":[{"name":"x","value":1}]},
{"type":"objectgroup","name":"walls","objects":[{"x":9,"y":9,"width":5,"height":5,"ellipse":true}]}]}"#;

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
        include_bytes!("../../../../worlds/obstacles.toml").to_vec(),
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

/// A scene of every kind of part, small enough to be built a thousand times.
const SMALL: &str = r#"
scene = { name = "s" }
costs = { negative_costs = "shift" }
terrains = [{ name = "mud", multiplier = 2, penalty = -1 }, { name = "road", medium = 1 }]
surfaces = [
  { shape = "rectangle", layer = "mud", min = [0, 0], max = [9, 9], y = 1 },
  { shape = "heightfield", layer = "road", origin = [0, 3], spacing = 2, heights = [[1, 2, 1], [2, 1, 2]] },
]
obstacles = [
  { shape = "box", center = [4, 1, 4], half_extents = [1, 1, 0.5], yaw = 30 },
  { shape = "sphere", center = [7, 1, 2], radius = 1 },
  { shape = "cylinder", center = [2, 1, 7], radius = 1, half_height = 2 },
  { shape = "mesh", mesh = { vertices = [[0, 0, 0], [1, 0, 0], [0, 3, 0]], triangles = [[0, 1, 2]] } },
]
grid = { min = [0, 0], max = [9, 9], node_radius = 0.5, layers = ["mud"], agent_height = 2, blur = 2 }
waypoints = [{ id = "a", at = [0, 1, 0], cost = 2 }, { id = "b", at = [9, 1, 9], terrain = "mud" }]
placements = [
  { area = { min = [0, 0], max = [9, 9] }, agent_radius = 0.2, generate = { kind = "random", count = 7, seed = 5 } },
  { area = { min = [0, 0], max = [9, 9] }, prefix = "q", generate = { kind = "poisson", spacing = 3 } },
  { area = { min = [0, 0], max = [9, 9] }, prefix = "g", generate = { kind = "grid", spacing = 3 } },
  { area = { min = [0, 0], max = [9, 9] }, prefix = "c", generate = { kind = "corners" } },
]
links = [{ from = "a", to = "b", one_way = true, cost = 4, danger = 1 }]
auto_links = { max_distance = 5, k_nearest = 4, agent_radius = 0.1, eye_height = 0.3, slope_cost = 2, max_slope = 40 }
queries = [{ name = "q", from = "a", to = [1, 2, 3] }, { name = "r", from = "p2", to = "b" }]
"#;

/// A simulation with something of everything, small enough to be played hundreds of times.
const PLAYED: &str = r#"
scene = { name = "s", map = """
......
.####.
.#..#.
.#.##.
......""" }
simulation = { tick_seconds = 0.05, decision_seconds = 0.1, work_per_tick = 50, jams = true, jam_side = 3, seconds = 2, seed = 7 }
places = [{ name = "well", at = [5, 4] }, { name = "gate", at = [0.5, 0, 0.5] }]
classes = [{ name = "guard", width = 1, neighbours = 8, corners = "one", keys = ["iron"] }, { name = "mob", width = 1 }]
nav_links = [
  { name = "door", kind = "door", from = [2, 2], to = [2, 0], seconds = 0.2, capacity = 1, gate = "locked", key = "iron" },
  { name = "hole", from = [5, 0], to = "well", speed = 9, one_way = true },
]
agents = [
  { name = "Ann", team = "guards", class = "guard", at = [2, 2], facing = 90, speed = 2.5, acceleration = 8, turn_speed = 360, orders = ["gate"], behaviours = [
    { kind = "pursue", target = "thieves", aggro = 4, give_up = 7, predict = 0.5 },
    { kind = "patrol", points = ["well", [0, 4], [0.5, 0, 2.5]], order = "ping_pong", dwell = 0.2, start = 1 },
  ] },
  { name = "Tom", team = "thieves", at = [4, 0], radius = 0.2, turn_radius = 0.4, stopping_distance = 0.1, auto_braking = false, behaviours = [
    { kind = "flee", from = "Ann", radius = 3, distance = 6 }, { kind = "wander", radius = 4, dwell = 1 },
  ] },
  { name = "dog", at = [1, 0], behaviours = [{ kind = "follow", target = "Ann", distance = 1 }] },
  { name = "folk", class = "mob", at = [0, 0], count = 9, area = { min = [0, 0], max = [6, 1] }, behaviours = [{ kind = "patrol", points = ["well", "gate"], order = "random" }] },
]
events = [
  { at = 0.1, every = 0.5, gate = { link = "door", state = "open" } },
  { at = 0.2, block = { id = "cart", area = { min = [3, 4], max = [4, 5] }, bottom = 0, top = 2 } },
  { at = 0.9, restore = "cart", remove = "Tom" },
  { at = 0.3, order = { agent = "guards", to = "gate", at_once = true } },
  { at = 0.4, harm = { agent = "dog", amount = 3 }, danger = { area = { min = [2, 0], max = [4, 1] }, amount = 2.5 } },
  { at = 0.6, change = { agent = "dog", class = "guard", team = "guards", speed = 1.5 } },
  { at = 0.8, costs = { class = "mob", terrain = "free", multiplier = 2, penalty = 1, walkable = true } },
]
dangers = [{ area = { min = [0, 0], max = [1, 5] }, known = 2, harm = 0.5 }]
"#;

/// A change to a file: overwrite, insert, remove or double a piece, or claim a huge number.
#[derive(Debug, Clone)]
enum Change {
    Overwrite(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index, usize),
    Double(prop::sample::Index, usize),
    Huge(prop::sample::Index),
    Cut(prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Overwrite(at, byte)),
        (at(), prop::collection::vec(any::<u8>(), 1..6))
            .prop_map(|(at, new)| Change::Insert(at, new)),
        (at(), 1usize..20).prop_map(|(at, length)| Change::Remove(at, length)),
        (at(), 1usize..40).prop_map(|(at, length)| Change::Double(at, length)),
        at().prop_map(Change::Huge),
        at().prop_map(Change::Cut),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    if bytes.is_empty() {
        return;
    }
    let piece = |at: usize, length: usize, end: usize| at..(at + length).min(end);
    let end = bytes.len();
    match change {
        Change::Overwrite(at, byte) => bytes[at.index(end)] = *byte,
        Change::Insert(at, new) => {
            let at = at.index(end);
            bytes.splice(at..at, new.iter().copied());
        }
        Change::Remove(at, length) => {
            bytes.drain(piece(at.index(end), *length, end));
        }
        Change::Double(at, length) => {
            let piece = piece(at.index(end), *length, end);
            let copy = bytes[piece.clone()].to_vec();
            bytes.splice(piece.start..piece.start, copy);
        }
        Change::Huge(at) => {
            // The digits at or after the place become the largest u32.
            let from = at.index(end);
            if let Some(digit) = bytes[from..].iter().position(u8::is_ascii_digit) {
                let start = from + digit;
                let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                bytes.splice(start..start + length, *b"4294967295");
            }
        }
        Change::Cut(at) => bytes.truncate(at.index(end)),
    }
}

#[test]
fn the_simulation_to_be_damaged_is_sound() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("played.toml");
    std::fs::write(&path, PLAYED).expect("written");
    assert_eq!(play(&path, 60).expect("sound"), 11);
}

/// How many agents are left after some ticks under the audit, fewer of large crowds.
fn play(path: &Path, ticks: u64) -> Result<usize, wayfare_world::WorldError> {
    let Staging::Grid(mut staged) = Staging::open(path, None)? else { return Ok(0) };
    let crowd = staged.simulation.agents().count() as u64;
    let mut audit = Audit::new();
    for _ in 0..ticks.min(1 + 3000 / crowd.max(1)) {
        staged.tick();
        audit.check(&staged.simulation).expect("no rule is broken");
    }
    Ok(staged.simulation.agents().count())
}

#[test]
fn the_maps_to_be_damaged_are_sound() {
    for (name, text) in [("x.tmx", OBJECTS), ("x.tmj", HEXAGONS), ("x.ldtk", LDTK)] {
        let files = MemoryFiles::new().with(name, text);
        Playable::open_from(name, &files, &Movement::default()).expect(name);
    }
}

#[test]
fn the_scene_to_be_damaged_is_sound() {
    let scene = scene::read(SMALL.as_bytes()).expect("sound");
    assert!(scene.to_waypoints().expect("a graph").graph.len() > 20);
    assert!(scene.to_grid(&Movement::default()).is_ok());
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn damaged_scenes_are_built_or_refused(
        changes in prop::collection::vec(change(), 1..4),
        extension in prop::sample::select(vec!["toml", "toml", "toml", "txt", "map", "scen", "obj"]),
    ) {
        let mut bytes = SMALL.as_bytes().to_vec();
        for change in &changes {
            apply(&mut bytes, change);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("damaged").with_extension(extension);
        std::fs::write(&path, &bytes).expect("written");
        if let Err(error) = Playable::open(&path, &Movement::default()) {
            prop_assert!(error.to_string().starts_with(&path.display().to_string()), "{}", error);
        }
        if let Ok(wayfare_world::World::Scene(scene)) = read_path(&path) {
            // Sound or not, it comes back.
            let _ = scene.to_grid(&Movement::default());
        }
    }

    #[test]
    fn damaged_simulations_are_played_or_refused(changes in prop::collection::vec(change(), 1..4)) {
        let mut bytes = PLAYED.as_bytes().to_vec();
        for change in &changes {
            apply(&mut bytes, change);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("damaged.toml");
        std::fs::write(&path, &bytes).expect("written");
        if let Err(error) = play(&path, 40) {
            prop_assert!(error.to_string().starts_with(&path.display().to_string()), "{}", error);
        }
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
    assert!(error.contains("this is a pipe or a device, not a file"), "{error}");
}
