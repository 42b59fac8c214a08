//! Puzzles of scenes: read, written, refused with the key at fault, and solved.

use wayfare_formats::MemoryFiles;
use wayfare_scene::scene::Scene;
use wayfare_scene::{PuzzleScene, scene};

const HALL: &str = r##"
scene = { name = "hall", map = """
.....#.....
.....#.....
...........
.....#.....
.....#....."""}
places = [{ name = "in", at = [0, 2] }, { name = "out", at = [10, 2] }]

[[puzzles]]
name = "all"
start = "in"
goal = "out"
area = { min = [0, 0], max = [10, 4] }
can_pull = true
keys = [{ name = "iron", at = [0, 4] }]
levers = [{ name = "red", at = [4, 4], on = true }]
plates = [{ name = "pan", at = [2, 0] }]
crates = [{ name = "box", at = [1, 1] }, { name = "other", at = [1, 3] }]
hooks = [{ name = "crane", at = [4, 1], under = [3, 3] }]
gates = [
  { name = "door", cells = [[5, 2]], when = ["not lever red", "key iron"] },
  { name = "grate", form = "heavy_door", cells = [[6, 2]], when = ["plate pan"] },
  { name = "gap", form = "bridge", cells = [[7, 2], [7, 1], [7, 0], [7, 3], [7, 4]], when = ["hook crane"] },
]
platforms = [
  { name = "lift", low = [8, 0], high = [10, 0], cost = 2.5, up = ["not plate pan"] },
  { name = "ferry", low = [8, 3], high = [10, 3], timetable = { period = 40, up_at = 0.5, down_at = 20 } },
]
"##;

fn read(text: &str) -> Result<Scene, String> {
    scene::read(text.as_bytes()).map_err(|error| error.to_string())
}

fn open(text: &str) -> Result<PuzzleScene, String> {
    let files = MemoryFiles::new().with("hall.toml", text.as_bytes());
    let opened = PuzzleScene::open_from("hall.toml", &files, &Default::default());
    opened.map(|scene| scene.expect("it has puzzles")).map_err(|error| error.to_string())
}

#[test]
fn a_scene_with_all_parts_goes_round_and_is_solved() {
    let scene = read(HALL).unwrap();
    let text = scene::write(&scene).unwrap();
    assert_eq!(read(&text).unwrap(), scene, "{text}");
    let hall = open(HALL).unwrap();
    let puzzle = &hall.puzzles[0];
    let answer = puzzle.puzzle.solve(&puzzle.query());
    let plan = answer.plan().unwrap_or_else(|| panic!("{answer:?}"));
    assert_eq!(puzzle.puzzle.judge(&puzzle.query(), plan), Ok(plan.cost()));
    let told: Vec<String> = plan.deeds().map(|deed| puzzle.puzzle.tell(deed)).collect();
    for deed in ["take iron", "pull red", "work crane"] {
        assert!(told.iter().any(|known| known == deed), "{told:?}");
    }
}

#[test]
fn faults_name_their_key() {
    for (old, new, says) in [
        ("\"key iron\"", "\"key brass\"", "there is no condition 'key brass'"),
        ("\"not lever red\"", "\"not key iron\"", "there is no condition 'not key iron'"),
        ("up = [\"not plate pan\"]", "up = []", "'up' must have at least one condition"),
        ("cost = 2.5", "cost = 0", "'cost' holds 0"),
        ("name = \"other\"", "name = \"box\"", "'box' is used twice"),
        ("[10, 4] }", "[10, 4], x = 1 }", "x"),
        ("min = [0, 0]", "min = [11, 0]", "'min' must be the first cell"),
        ("cells = [[5, 2]]", "cells = []", "'cells' must have at least one cell"),
        ("form = \"bridge\"", "form = \"moat\"", "moat"),
        ("name = \"all\"", "name = \"\"", "'name' must not be empty"),
        ("start = \"in\"", "start = \"inn\"", "no place or waypoint 'inn'"),
        ("period = 40", "period = 0", "'period' holds 0"),
        ("up_at = 0.5", "up_at = -1", "'up_at' holds -1"),
        (
            "timetable = {",
            "up = [\"plate pot\"], timetable = {",
            "there is no condition 'plate pot'",
        ),
        ("can_pull", "agent = \"Ann\"\ncan_pull", "no agent or team 'Ann'"),
    ] {
        let broken = HALL.replace(old, new);
        assert_ne!(broken, HALL, "{old}");
        let error = read(&broken).unwrap_err();
        assert!(error.contains(says), "{new}: {error}");
        // With the line.
        assert!(error.starts_with(|first: char| first.is_ascii_digit()), "{error}");
    }
    for (old, new, says) in [
        ("at = [0, 4]", "at = [0, 40]", "the cell [0, 40] lies off the map"),
        ("cells = [[5, 2]]", "cells = [[5, 3]]", "door lies on a cell where nobody can stand"),
        ("at = [1, 3]", "at = [1, 1]", "other lies where another thing is"),
        ("down_at = 20", "down_at = 40", "the timetable of ferry is not possible"),
        ("down_at = 20", "down_at = 2", "the timetable of ferry is not possible"),
        ("[10, 4] }", "[4, 4] }", "door lies on a cell where nobody can stand"),
    ] {
        let error = open(&HALL.replace(old, new)).unwrap_err();
        assert!(error.contains(says), "{new}: {error}");
    }
    let waypoints = "scene = { name = \"a\" }\nwaypoints = [{ id = \"w\", at = [0, 0, 0] }]\n\
                     puzzles = [{ name = \"p\", start = \"w\", goal = \"w\" }]\n";
    assert!(open(waypoints).unwrap_err().contains("on grids only"));
}
