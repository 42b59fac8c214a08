//! Agents of simulations say why they do not get on, in the words of `explain`.

use std::collections::BTreeSet;

use wayfare::search::AlgorithmId;
use wayfare_scene::PuzzleScene;
use wayfare_site::{
    Endpoints, MemoryFiles, OpenOptions, SearchRequest, SimulationSession, Site, explain,
    open_as_from, open_from, open_simulation_from,
};

/// A room with a locked door, for agents with and without the key.
const DOOR: &str = r##"
scene = { name = "door", map = """
......
######
......"""}
places = [{ name = "in", at = [0, 0] }, { name = "out", at = [5, 2] }]
classes = [{ name = "poor" }, { name = "rich", keys = ["iron"] }]
nav_links = [{ name = "oak", kind = "door", from = [2, 0], to = [2, 2], seconds = 1, gate = "locked", key = "iron" }]
agents = [
  { name = "Ann", class = "poor", at = "in", orders = ["out"] },
  { name = "Pat", class = "poor", at = "in", behaviours = [{ kind = "patrol", points = ["out", "in"] }] },
  { name = "Rob", class = "rich", at = "in", orders = ["out"] },
]
"##;

/// A hall with a heavy door: Bob solves it, Eve waits for it.
fn hall(plate: &str) -> String {
    let text = r##"
scene = { name = "hall", map = """
#########
#...#...#
#.......#
#...#...#
#########"""}
places = [{ name = "in", at = [1, 2] }, { name = "out", at = [7, 2] }]
[[puzzles]]
name = "hall"
start = "in"
goal = "out"
agent = "Bob"
plates = [{ name = "pan", at = PLATE }]
crates = [{ name = "stone", at = [2, 2] }]
gates = [{ name = "grate", form = "heavy_door", cells = [[4, 2]], when = ["plate pan"] }]
[[agents]]
name = "Bob"
at = "in"
[[agents]]
name = "Eve"
at = [1, 1]
orders = ["out"]
"##;
    text.replace("PLATE", plate)
}

fn played(text: &str, ticks: usize) -> Box<dyn SimulationSession> {
    let files = MemoryFiles::new().with("s.toml", text.as_bytes());
    let mut session = open_simulation_from("s.toml", &files, None).unwrap();
    for _ in 0..ticks {
        session.tick();
    }
    session
}

/// What an agent of a scene says within some ticks while something keeps it.
fn complaints(text: &str, agent: u32) -> BTreeSet<String> {
    let mut session = played(text, 0);
    let mut said = BTreeSet::new();
    for _ in 0..200 {
        session.tick();
        let occupation = session.occupation(agent).unwrap();
        said.extend(occupation.is_troubled.then_some(occupation.text));
    }
    said
}

/// The reason of `explain` for the way from one place to another.
fn explained(site: &dyn Site, from: &str, to: &str) -> String {
    let ends = Endpoints { start: site.find(from).unwrap(), goal: site.find(to).unwrap() };
    let request = SearchRequest::new(AlgorithmId::AStar, ends);
    explain(site, &request, &mut |_| ()).unwrap().reason.expect("no path")
}

#[test]
fn agents_name_the_locked_door_as_explain_does() {
    let files = MemoryFiles::new().with("s.toml", DOOR.as_bytes());
    let site = open_as_from("s.toml", &files, &OpenOptions::default(), "poor").unwrap();
    let why = explained(site.as_ref(), "in", "out");
    assert_eq!(why, "door 'oak' is locked; key 'iron' opens it");
    let told = BTreeSet::from([format!("no path: {why}")]);
    assert_eq!([0, 1].map(|agent| complaints(DOOR, agent)), [told.clone(), told]);
    assert!(complaints(DOOR, 2).is_empty());
}

#[test]
fn agents_say_why_their_puzzle_has_no_plan_and_which_gate_is_shut() {
    let text = hall("[6, 1]");
    let files = MemoryFiles::new().with("s.toml", text.as_bytes());
    let scene = PuzzleScene::open_from("s.toml", &files, &Default::default()).unwrap().unwrap();
    let one = &scene.puzzles[0];
    let answer = one.puzzle.solve(&one.query());
    let wayfare::puzzle::PuzzleOutcome::NoPlan(reason) = answer.outcome else { panic!("a plan") };
    let session = played(&text, 200);
    let bob = session.occupation(0).unwrap();
    assert_eq!(bob.text, format!("hall cannot be solved: {reason}"));
    assert!(bob.is_troubled);

    let mut site = open_from("s.toml", &files, &OpenOptions::default()).unwrap();
    site.shut_gates(&scene.puzzles);
    let why = explained(site.as_ref(), "in", "out");
    assert_eq!(why, "'grate' is shut: it opens while a crate lies on 'pan'");
    assert_eq!(complaints(&text, 1), BTreeSet::from([format!("no path: {why}")]));
}

#[test]
fn gates_of_puzzles_are_shut_to_searches_that_ask_for_it() {
    let text = hall("[3, 1]");
    let files = MemoryFiles::new().with("s.toml", text.as_bytes());
    let scene = PuzzleScene::open_from("s.toml", &files, &Default::default()).unwrap().unwrap();
    let mut site = open_from("s.toml", &files, &OpenOptions::default()).unwrap();
    let ends = |site: &dyn Site, to: &str| Endpoints {
        start: site.find("in").unwrap(),
        goal: site.find(to).unwrap(),
    };
    let length = |site: &dyn Site, to: &str| {
        let request = SearchRequest::new(AlgorithmId::AStar, ends(site, to));
        let report = site.searcher().run(&request, &mut |_| ());
        report.is_found().then_some(report.path.len() - 1)
    };
    assert_eq!((length(site.as_ref(), "out"), length(site.as_ref(), "3,2")), (Some(6), Some(2)));
    site.shut_gates(&scene.puzzles);
    // The crate is in the way, and can be gone round.
    assert_eq!((length(site.as_ref(), "out"), length(site.as_ref(), "3,2")), (None, Some(4)));
}
