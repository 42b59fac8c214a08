//! Why there is no path: `why`, links that are shut or full, gates of puzzles.

use crate::support::{Folder, wayfare, world};

/// A wall with a side door, which is locked, and a bridge that is up.
const SHUT: &str = r#"
scene = { name = "Two ways in", map = """
....#....
....#....
....#....
""" }
classes = [{ name = "guard", keys = ["brass", "iron"] }]
[[nav_links]]
name = "side door"
kind = "door"
from = [3, 0]
to = [5, 0]
seconds = 1
gate = "locked"
key = "brass"
[[nav_links]]
name = "drawbridge"
from = [3, 2]
to = [5, 2]
seconds = 9
gate = "closed"
"#;

#[test]
fn links_count_and_shut_ones_are_the_reason() {
    let folder = Folder::new();
    let scene = folder.write("shut.toml", SHUT);
    let ends = "--from 0,0 --to 8,0";
    let shut = wayfare(&format!("solve {scene} {ends} --format json")).ends(1).json();
    let reason = "door 'side door' is locked; key 'brass' opens it, and \
                  passage 'drawbridge' is closed";
    assert_eq!(shut["reason"], reason);
    for engine in ["jps", "dijkstra", "bidirectional", "landmarks"] {
        let line = format!("solve {scene} {ends} --keys brass -a {engine} --format json");
        let open = wayfare(&line).ends(0).json();
        assert_eq!(open["links"], serde_json::json!(["door 'side door'"]), "{engine}");
        assert_eq!(open["path"].as_array().unwrap().len(), 8, "{engine}");
    }
    let text = wayfare(&format!("solve {scene} {ends} --keys iron,brass")).ends(0).stdout;
    assert!(text.contains("links       door 'side door'"), "{text}");

    let why = wayfare(&format!("why {scene} {ends}")).ends(1).stdout;
    for part in [
        "Because door 'side door' is locked; key 'brass' opens it",
        "if it holds the key 'brass' (--keys brass):",
        "if passage 'drawbridge' is opened:",
    ] {
        assert!(why.contains(part), "{part}: {why}");
    }
    let held = wayfare(&format!("why {scene} {ends} --keys brass")).ends(0).stdout;
    assert!(held.contains("door 'side door'"), "{held}");
    let compared = wayfare(&format!("compare {scene} {ends} --format json")).ends(1).json();
    assert_eq!(compared["results"][0]["reason"], reason);

    let unknown = wayfare(&format!("solve {scene} {ends} --keys gold")).ends(2).stderr;
    assert!(unknown.contains("no key 'gold': its keys are brass, iron"), "{unknown}");
    let index = wayfare(&format!("solve {scene} {ends} -a index")).ends(2).stderr;
    assert!(index.contains("for grids without links"), "{index}");
}

/// Two ladders over a wall: the north one for one agent, the south one, longer, for any number.
const LADDERS: &str = r#"
scene = { name = "Two ladders", map = """
...#...
...#...
""" }
[[nav_links]]
name = "north"
kind = "ladder"
from = [2, 0]
to = [4, 0]
seconds = 4
capacity = 1
[[nav_links]]
name = "south"
kind = "ladder"
from = [2, 1]
to = [4, 1]
seconds = 60
"#;

#[test]
fn a_full_link_is_the_reason() {
    let folder = Folder::new();
    let scene = folder.write("ladders.toml", LADDERS);
    let ends = "--from 0,0 --to 6,0";
    let links = |rest: &str| {
        let line = format!("solve {scene} {ends} {rest} --format json");
        wayfare(&line).ends(0).json()["links"].clone()
    };
    assert_eq!(links(""), serde_json::json!(["ladder 'north'"]));
    for engine in ["astar", "jps", "dijkstra", "bidirectional", "landmarks"] {
        let taken = links(&format!("--full north -a {engine}"));
        assert_eq!(taken, serde_json::json!(["ladder 'south'"]), "{engine}");
    }
    let alone = folder
        .write("alone.toml", LADDERS.split("[[nav_links]]\nname = \"south\"").next().unwrap());
    let solved =
        wayfare(&format!("solve {alone} {ends} --full north --format json")).ends(1).json();
    assert_eq!(solved["reason"], "ladder 'north' is full (1 of 1)");
    let why = wayfare(&format!("why {alone} {ends} --full north")).ends(1).stdout;
    for part in ["Because ladder 'north' is full (1 of 1)", "if ladder 'north' has room:"] {
        assert!(why.contains(part), "{part}: {why}");
    }
    let unknown = wayfare(&format!("why {scene} {ends} --full west")).ends(2).stderr;
    assert!(unknown.contains("no link of this scene is called 'west'"), "{unknown}");
    assert!(unknown.contains("its links are north, south"), "{unknown}");
    let never = wayfare(&format!("solve {scene} {ends} --full north --full south")).ends(2).stderr;
    assert!(never.contains("ladder 'south' has no capacity: it is never full"), "{never}");
    let none = wayfare(&format!("solve {} --full x", world("maze.txt"))).ends(2).stderr;
    assert!(none.contains("it has no links"), "{none}");
}

#[test]
fn off_the_map_is_said_plainly() {
    let folder = Folder::new();
    let map = folder.write("edge.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n");
    for command in ["solve", "why"] {
        for (from, place) in
            [("2,0", "the start 2,0 lies off the map"), ("7,0", "the start lies off")]
        {
            let line = format!("{command} {map} --from {from} --to 0,0 --format json");
            let answer = wayfare(&line).ends(1).json();
            let reason = answer["reason"].as_str().unwrap();
            assert!(reason.contains(place) && !reason.contains("stands on"), "{reason}");
        }
    }
    let one = wayfare(&format!("solve {map} --from 0,0 --to 0,0")).ends(0).stdout;
    assert!(one.contains("length      0 cells"), "{one}");
}

#[test]
fn gates_and_what_is_left_out_are_marked_when_asked_for() {
    let folder = Folder::new();
    let drawn = |name: &str, options: &str| {
        let file = folder.name(name);
        wayfare(&format!("solve {} {options} -o {file}", world("maze.txt"))).ends(0);
        std::fs::read_to_string(&file).unwrap()
    };
    let (plain, marked) = (drawn("plain.svg", ""), drawn("rooms.svg", "--rooms"));
    for label in [">gateway<", ">left out<"] {
        assert!(!plain.contains(label) && marked.contains(label), "{label}");
    }
    // On ground of different costs there are none, and nothing is said of them.
    let file = folder.name("hills.svg");
    wayfare(&format!("solve {} --rooms -o {file}", world("hills.toml"))).ends(0);
    assert!(!std::fs::read_to_string(&file).unwrap().contains(">gateway<"));
}

#[test]
fn islands_have_no_path_and_why_says_what_would_help() {
    let islands = world("two-islands.txt");
    let solved = wayfare(&format!("solve {islands} --format json")).ends(1).json();
    assert_eq!((&solved["outcome"], &solved["cost"]), (&"no path".into(), &().into()));
    assert!(solved["reason"].as_str().unwrap().contains("different islands"));

    let why = wayfare(&format!("why {islands} --format json")).ends(1).json();
    assert!(why["nearest"]["distance_to_goal"].as_f64().unwrap() > 0.0);
    let remedies = why["remedies"].as_array().unwrap();
    let sea = remedies.iter().find(|remedy| remedy["change"] == "enter=sea").unwrap();
    assert_eq!(sea["crossing"]["ground"], "sea");
    assert!(sea["crossing"]["places"].as_u64().unwrap() > 0);
    let text = wayfare(&format!("why {islands}")).ends(1).stdout;
    assert!(text.contains("if it may enter 'sea'") && text.contains("As near as one can get"));
}

#[test]
fn why_explains_width_corners_and_blocked_ends() {
    let folder = Folder::new();
    let narrow =
        folder.write("narrow.txt", "....#....\n....#....\n.........\n....#....\n....#....\n");
    let why = wayfare(&format!("why {narrow} --from 1,2 --to 7,2 --width 3 --format json")).ends(1);
    assert_eq!(why.json()["remedies"][0]["change"], "width=1");

    let corner = folder.write("corner.txt", ".#.\n#..\n...\n");
    let why = wayfare(&format!("why {corner} --from 0,0 --to 2,2 --format json")).ends(1).json();
    assert_eq!(why["remedies"][0]["change"], "corners=always");

    let why = wayfare(&format!("why {corner} --from 1,0 --to 2,2")).ends(1).stdout;
    assert!(
        why.contains("the start 1,0 stands on 'blocked', which this walker cannot enter"),
        "{why}"
    );
    let off = wayfare(&format!("why {corner} --from 7,0 --to 2,2")).ends(1).stdout;
    assert!(off.contains("lies off the map, which is 3 cells wide and 3 high"), "{off}");
}

#[test]
fn why_breaks_a_cost_down_by_terrain() {
    let line = format!("why {} --from 1,2 --to 8,2 --format json", world("village.tmj"));
    let why = wayfare(&line).ends(0).json();
    let sum: f64 = why["grounds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|share| share["cost"].as_f64().unwrap())
        .sum();
    assert!((sum - why["cost"].as_f64().unwrap()).abs() < 1e-3);
}

#[test]
fn why_knows_one_way_links_and_blocked_terrain() {
    let folder = Folder::new();
    let scene = folder.write(
        "ways.toml",
        r#"
        scene = { name = "ways" }
        terrains = [{ name = "lava", glyph = "L", walkable = false }]
        waypoints = [
          { id = "a", at = [0, 0, 0] },
          { id = "b", at = [4, 0, 3] },
          { id = "hot", at = [8, 0, 3], terrain = "lava" },
          { id = "c", at = [12, 0, 0] },
        ]
        links = [
          { from = "a", to = "b", one_way = true },
          { from = "b", to = "hot" },
          { from = "hot", to = "c" },
        ]
        "#,
    );
    let change = |from: &str, to: &str| {
        let line = format!("why {scene} --from {from} --to {to} --format json");
        let why = wayfare(&line).ends(1).json();
        why["remedies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["change"].to_string())
            .collect::<String>()
    };
    assert!(change("b", "a").contains("one-way=ignored"));
    assert!(change("a", "c").contains("enter=lava"));
    assert!(change("a", "hot").contains("to="));
    let folder = Folder::new();
    let svg = folder.name("ways.svg");
    wayfare(&format!("solve {scene} --from a --to b -o {svg}")).ends(0);
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<"));
}

/// A ramp of triangles: lengths on a mesh are those seen from above, in the table too.
#[test]
fn why_on_a_mesh_adds_up_to_its_headline() {
    let folder = Folder::new();
    let ramp = folder.write("ramp.obj", "v 0 0 0\nv 0 0 6\nv 12 6 6\nv 12 6 0\nf 1 2 3 4\n");
    let why = wayfare(&format!("why {ramp} --from 2,1,3 --to 10,5,3 --format json")).ends(0).json();
    let of = |value: &serde_json::Value| value.as_f64().expect("a number");
    let shares = why["grounds"].as_array().expect("a list");
    let sum: f64 = shares.iter().map(|share| of(&share["length"])).sum();
    assert!((sum - of(&why["length"])).abs() < 1e-4, "{why}");
    assert!(of(&why["straight_line"]) <= of(&why["length"]) + 1e-4, "{why}");
    let cost: f64 = shares.iter().map(|share| of(&share["cost"])).sum();
    assert!((cost - of(&why["cost"])).abs() < 1e-4, "{why}");
}

/// A hall with a heavy door, and a room beside it that is no part of the puzzle.
fn hall(plate: &str) -> String {
    let text = r##"
scene = { name = "hall", map = """
############
#...#...#..#
#..........#
#...#...#..#
############"""}
places = [{ name = "in", at = [1, 2] }, { name = "out", at = [7, 2] }, { name = "room", at = [10, 1] }]
[[puzzles]]
name = "hall"
start = "in"
goal = "out"
agent = "Bob"
area = { min = [1, 1], max = [8, 3] }
plates = [{ name = "pan", at = PLATE }]
crates = [{ name = "stone", at = [2, 2] }]
gates = [{ name = "grate", form = "heavy_door", cells = [[4, 2]], when = ["plate pan"] }]
[[agents]]
name = "Bob"
at = "in"
"##;
    text.replace("PLATE", plate)
}

#[test]
fn routes_respect_the_shut_gates_of_puzzles() {
    let folder = Folder::new();
    let file = folder.write("hall.toml", hall("[3, 1]"));
    let ask = |command: &str, to: &str| wayfare(&format!("{command} {file} --from in --to {to}"));
    // A plan, where both ends are on the ground of the puzzle.
    let solved = ask("solve", "out").ends(0).stdout;
    assert!(solved.contains("push crate"), "{solved}");
    let why = ask("why", "out").ends(0).stdout;
    assert!(why.contains("hall can be solved, with 2 deeds"), "{why}");
    // A path that needs no deed is one as ever.
    let near = ask("solve", "3,3").ends(0).stdout;
    assert!(near.contains("a path of"), "{near}");
    // Beyond the puzzle the gate is named.
    for command in ["solve", "why"] {
        let told = ask(command, "room").ends(1).stdout;
        assert!(told.contains("'grate' is shut: it opens while a crate lies on 'pan'"), "{told}");
    }
}

#[test]
fn a_simulation_tells_of_a_puzzle_that_cannot_be_solved() {
    let folder = Folder::new();
    let file = folder.write("hall.toml", hall("[6, 1]"));
    let why = wayfare(&format!("why {file}")).ends(1).stdout;
    let why = why.trim_end_matches(['.', '\n']);
    assert!(why.starts_with("hall cannot be solved: grate stays shut"), "{why}");
    let ran = wayfare(&format!("simulate {file} --ticks 200")).ends(0);
    assert!(ran.stdout.contains(why) && ran.stderr.contains(why), "{}{}", ran.stdout, ran.stderr);
    let json = wayfare(&format!("simulate {file} --ticks 200 --format json")).ends(0).json();
    assert_eq!(json["unsolved"][0], why);
}
