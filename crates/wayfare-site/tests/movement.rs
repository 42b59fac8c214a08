//! Every remedy of a reason is made, and there is a path: no longer than was said.

use wayfare::search::AlgorithmId;
use wayfare_formats::{FileSystem, Files};
use wayfare_site::{
    Endpoints, MemoryFiles, OpenOptions, SearchRequest, Site, explain, open_bytes, open_from,
};

/// Makes each change that opens a path, on a world of its own. Returns the changes.
fn make_all(name: &str, files: &dyn Files, options: &OpenOptions, ends: [&str; 2]) -> Vec<String> {
    let open = || open_from(name, files, options).unwrap();
    let site = open();
    let [start, goal] = ends.map(|place| site.find(place).unwrap());
    let request = SearchRequest::new(AlgorithmId::AStar, Endpoints { start, goal });
    let why = explain(site.as_ref(), &request, &mut |_| ()).unwrap();
    assert!(why.reason.is_some() && !why.remedies.is_empty(), "{name}: {:?}", why.reason);
    let made = why.remedies.into_iter().filter(|remedy| !remedy.change.is_empty());
    made.map(|remedy| {
        let mut changed = open();
        changed.adapt(&remedy.change, start).unwrap();
        let report = changed.searcher().run(&request, &mut |_| ());
        assert!(report.is_found(), "{name}: {}", remedy.change);
        // Without the toll for ground that was closed paths may be longer, and cheaper.
        let is_as_short = report.length <= remedy.length + 1e-3;
        assert!(is_as_short || remedy.change.contains("enter="), "{name}: {}", remedy.change);
        remedy.change
    })
    .collect()
}

fn made_in(text: &str, name: &str, options: &OpenOptions, ends: [&str; 2]) -> Vec<String> {
    make_all(name, &MemoryFiles::new().with(name, text.as_bytes()), options, ends)
}

#[test]
fn walkers_on_grids_are_given_what_they_lack() {
    let plain = OpenOptions::default();
    let four = OpenOptions { neighbours: Some(wayfare::space::Neighbours::Four), ..plain };
    let diagonal = made_in("S#\n#G\n", "b.txt", &plain, ["0,0", "1,1"]);
    assert!(diagonal.iter().any(|change| change == "corners=always"), "{diagonal:?}");
    let orthogonal = made_in("S.#\n..#\n##G\n", "c.txt", &four, ["0,0", "2,2"]);
    assert!(orthogonal.iter().any(|change| change.starts_with("enter=")), "{orthogonal:?}");
    let wide = OpenOptions { width: Some(2), ..plain };
    let yard = "......\n......\n###.##\n......\n......\n";
    let narrow = made_in(yard, "d.txt", &wide, ["1,1", "1,4"]);
    assert!(narrow.iter().any(|change| change == "width=1"), "{narrow:?}");
}

#[test]
fn closed_ground_is_entered_in_the_medium_of_the_start() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/two-islands.txt");
    let made = make_all(path, &FileSystem, &OpenOptions::default(), ["6,4", "20,7"]);
    assert_eq!(made, ["enter=sea"]);
}

#[test]
fn agents_among_blocks_are_given_what_they_lack() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/floating-islands.voxels");
    let site = open_from(path, &FileSystem, &OpenOptions::default()).unwrap();
    let ends = site.routes()[0].ends;
    let [start, goal] = [ends.start, ends.goal].map(|state| site.place(state).to_string());
    let made = make_all(path, &FileSystem, &OpenOptions::default(), [&start, &goal]);
    assert_eq!(made, ["jump-height=2 jump-distance=2 max-fall=3"]);
}

const DOOR: &str = r##"
scene = { name = "door", map = """
......
######
......"""}
places = [{ name = "in", at = [0, 0] }, { name = "out", at = [5, 2] }]
classes = [{ name = "rich", keys = ["iron", "gold"] }]
nav_links = [{ name = "old oak", kind = "door", from = [2, 0], to = [2, 2], seconds = 1, gate = GATE }]
"##;

#[test]
fn links_are_opened_and_emptied() {
    let plain = OpenOptions::default();
    let locked = DOOR.replace("GATE", "\"locked\", key = \"iron\"");
    let made = made_in(&locked, "door.toml", &plain, ["0,0", "5,2"]);
    assert!(made.contains(&"keys=iron".to_owned()), "{made:?}");
    let shut = DOOR.replace("GATE", "\"closed\"");
    let made = made_in(&shut, "door.toml", &plain, ["0,0", "5,2"]);
    assert!(made.contains(&"open=door 'old oak'".to_owned()), "{made:?}");

    // Keys that the agent has stay in its hands.
    let mut site = open_bytes("door.toml", locked.as_bytes(), &MemoryFiles::new(), &plain).unwrap();
    site.adapt("keys=gold", 0).unwrap();
    let [start, goal] = ["0,0", "5,2"].map(|place| site.find(place).unwrap());
    let request = SearchRequest::new(AlgorithmId::AStar, Endpoints { start, goal });
    let why = explain(site.as_ref(), &request, &mut |_| ()).unwrap();
    let keys = why.remedies.iter().find(|remedy| remedy.change.starts_with("keys"));
    assert_eq!(keys.unwrap().change, "keys=gold,iron");
    let part = site.movement().pop().unwrap();
    assert_eq!((part.name, part.value.as_str(), part.is_list), ("keys", "gold", true));
}

#[test]
fn one_way_links_are_walked_both_ways() {
    let scene = r#"
scene = { name = "bridge" }
waypoints = [{ id = "a", at = [0.0, 0.0, 0.0] }, { id = "b", at = [4.0, 0.0, 0.0] }]
links = [{ from = "b", to = "a", one_way = true }]
"#;
    let made = made_in(scene, "bridge.toml", &OpenOptions::default(), ["a", "b"]);
    assert_eq!(made, ["one-way=ignored"]);
}

#[test]
fn parts_are_as_they_were_set_and_faults_change_nothing() {
    let mut grid =
        open_bytes("a.txt", b"...\n...\n", &MemoryFiles::new(), &OpenOptions::default()).unwrap();
    let values = |site: &dyn Site| -> Vec<String> {
        site.movement().into_iter().map(|part| format!("{}={}", part.name, part.value)).collect()
    };
    grid.adapt("neighbours=4 corners=one width=2", 0).unwrap();
    let set = ["neighbours=4", "corners=one", "width=2"];
    assert_eq!(values(grid.as_ref()), set);
    for (fault, told) in [
        ("neighbours=8 corners=two", "corners=two: it takes both, one or always"),
        ("width=0", "width=0: it takes 1 to 64"),
        ("jump-height=2", "jump-height=2: agents in this world have no such part"),
        ("enter=sea", "the world has no ground 'sea'"),
        ("keys=iron", "the world has no key 'iron': it has no keys"),
        ("shoes=red", "shoes=red: changes begin with one of neighbours, corners"),
    ] {
        let error = grid.adapt(fault, 0).unwrap_err().to_string();
        assert!(error.starts_with(told), "{error}");
        assert_eq!(values(grid.as_ref()), set, "{fault}");
    }

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/floating-islands.voxels");
    let mut blocks = open_from(path, &FileSystem, &OpenOptions::default()).unwrap();
    let usual = values(blocks.as_ref());
    let start = blocks.routes()[0].ends.start;
    let moves = blocks.moves_from(start).len();
    blocks.adapt("abilities=fly", start).unwrap();
    assert!(blocks.moves_from(start).len() > moves);
    blocks.adapt(&usual.join(" "), start).unwrap();
    assert_eq!(values(blocks.as_ref()), usual);
    assert_eq!(blocks.moves_from(start).len(), moves);
}
