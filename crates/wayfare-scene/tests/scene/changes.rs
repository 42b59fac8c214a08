//! Scenes that change while they run: danger, costs, algorithms, the ground.

use wayfare_scene::{Staged, Staging};
use wayfare_sim::simulation::Audit;

/// A scene on a map with a way above and a longer way below, in a folder that it goes away with.
fn two_ways(rest: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    let rows = "...........\n.#########.\n.#########.\n.#########.\n...........\n...........";
    let terrains = "terrains = [{ name = \"road\", glyph = \"r\" }]";
    let rows = rows.replacen("...........", "....rrr....", 1);
    let text =
        format!("scene = {{ name = \"s\", map = \"\"\"\n{rows}\n\"\"\" }}\n{terrains}\n{rest}\n");
    std::fs::write(&path, text).expect("written");
    (folder, path)
}

/// The largest z on the way of the agent of that name after `ticks` ticks.
fn lowest(staged: &mut Staged<wayfare_grid::grid::Grid>, name: &str, ticks: u64) -> f32 {
    for _ in 0..ticks {
        staged.tick();
    }
    let id = staged.simulation.find(name).expect("it is there");
    let agent = staged.simulation.agent(id).expect("it is there");
    agent.way_ahead().map(|point| point.z).fold(0.0, f32::max)
}

fn on_grid(path: &std::path::Path) -> Staged<wayfare_grid::grid::Grid> {
    match Staging::open(path, None).expect("sound") {
        Staging::Grid(staged) => staged,
        _ => panic!("a grid"),
    }
}

#[test]
fn agents_know_of_danger_or_learn_of_it_where_they_are_hurt() {
    let agent = "agents = [{ name = \"Ann\", at = [0, 1], orders = [[10, 1]] }, { name = \"Kit\", at = [5, 0] }]";
    let area = "area = { min = [4, 0], max = [7, 1] }";
    let (_folder, path) = two_ways(agent);
    assert!(lowest(&mut on_grid(&path), "Ann", 4) < 2.0);
    let (_folder, path) = two_ways(&format!("{agent}\ndangers = [{{ {area}, known = 50 }}]"));
    assert!(lowest(&mut on_grid(&path), "Ann", 4) > 4.0, "it knows");
    // Kit stands in it: Ann, who is on the way there, learns of it after a second.
    let (_folder, path) = two_ways(&format!("{agent}\ndangers = [{{ {area}, harm = 50 }}]"));
    let mut learning = on_grid(&path);
    assert!(lowest(&mut learning, "Ann", 4) < 2.0, "nobody was hurt yet");
    assert!(lowest(&mut learning, "Ann", 22) > 4.0, "it was told");
    let told =
        "events = [{ at = 0, danger = { area = { min = [4, 0], max = [7, 1] }, amount = 60 } }]";
    let (_folder, path) = two_ways(&format!("{agent}\n{told}"));
    assert!(lowest(&mut on_grid(&path), "Ann", 4) > 4.0);
    let hurt = "events = [{ at = 0, harm = { agent = \"Kit\", amount = 60 } }]";
    let (_folder, path) = two_ways(&format!("{agent}\n{hurt}"));
    assert!(lowest(&mut on_grid(&path), "Ann", 4) > 4.0);
}

#[test]
fn agents_find_their_paths_by_the_algorithm_that_they_are_given() {
    // The way above has fewer moves and is dangerous.
    let danger = "dangers = [{ area = { min = [4, 0], max = [7, 1] }, known = 50 }]";
    let ann = "name = \"Ann\", at = [0, 1]";
    let lowest = |rest: &str| {
        let (_folder, path) = two_ways(&format!("{danger}\n{rest}"));
        lowest(&mut on_grid(&path), "Ann", 8)
    };
    let classes = "classes = [{ name = \"rash\", algorithm = \"bfs\" }, { name = \"calm\" }]";
    let goes = "orders = [[10, 1]]";
    assert!(lowest(&format!("agents = [{{ {ann}, {goes} }}]")) > 4.0);
    assert!(lowest(&format!("agents = [{{ {ann}, {goes}, algorithm = \"bfs\" }}]")) < 2.0);
    assert!(lowest(&format!("{classes}\nagents = [{{ {ann}, {goes} }}]")) < 2.0, "its class does");
    let own = "algorithm = \"A-Star\"";
    assert!(lowest(&format!("{classes}\nagents = [{{ {ann}, {goes}, {own} }}]")) > 4.0);
    let told =
        "events = [{ at = 0, order = { agent = \"Ann\", to = [10, 1], algorithm = \"bfs\" } }]";
    assert!(lowest(&format!("agents = [{{ {ann} }}]\n{told}")) < 2.0);
    let changed = "events = [{ at = 0, change = { agent = \"Ann\", class = \"calm\" } }]";
    assert!(lowest(&format!("{classes}\nagents = [{{ {ann}, {goes} }}]\n{changed}")) > 4.0);
}

#[test]
fn agents_and_costs_change_while_they_run() {
    let agents = "classes = [{ name = \"cart\" }, { name = \"walker\" }]
agents = [{ name = \"Ann\", at = [0, 1], team = \"x\", orders = [[10, 1]] }, { name = \"Kit\", at = [0, 5], team = \"y\" }]";
    let closed =
        "events = [{ at = 0, costs = { class = \"cart\", terrain = \"road\", walkable = false } }]";
    let (_folder, path) = two_ways(&format!("{agents}\n{closed}"));
    assert!(lowest(&mut on_grid(&path), "Ann", 4) > 4.0, "the road is closed to carts");
    let changed = "events = [
      { at = 0, costs = { class = \"cart\", terrain = \"road\", penalty = 100 } },
      { at = 0.1, change = { agent = \"x\", class = \"walker\", team = \"y\", speed = 1 } },
    ]";
    let (_folder, path) = two_ways(&format!("{agents}\n{changed}"));
    let mut staged = on_grid(&path);
    assert!(lowest(&mut staged, "Ann", 2) > 4.0, "the toll is too high");
    assert!(lowest(&mut staged, "Ann", 6) < 2.0, "walkers pay none");
    let id = staged.simulation.find("Ann").expect("it is there");
    let ann = staged.simulation.agent(id).expect("it is there");
    assert_eq!((staged.teams[usize::from(ann.team().0)].as_str(), ann.speed() <= 1.0), ("y", true));
}

/// A walker in a corridor of 9 × 3 cells whose middle is replaced at 1 s.
fn replaced(change: &str) -> Result<Staging, wayfare_formats::WorldError> {
    let text = format!(
        r##"
        scene = {{ name = "s", map = """
.........
.........
.........""" }}
        terrains = [{{ name = "mud", glyph = "m", multiplier = 3 }}]
        places = [{{ name = "door", at = [0, 1] }}]
        agents = [
          {{ name = "Ann", at = [4, 1] }},
          {{ name = "Bob", at = [8, 1], orders = [[1, 1]] }},
        ]
        events = [{{ at = 1, replace = {{ {change} }} }}]
        "##
    );
    Staging::open_from("s.toml", &wayfare_formats::MemoryFiles::new().with("s.toml", text), None)
}

#[test]
fn the_ground_is_replaced_under_agents() {
    let change = "corner = [3, 0], map = \"###\\nm##\\n   \", entry = \"door\"";
    let Ok(Staging::Grid(mut staged)) = replaced(change) else { panic!("a grid") };
    let mut audit = Audit::new();
    let mut displaced = 0;
    for _ in 0..200 {
        let events = &staged.tick().events;
        let is_ann = |event: &&wayfare_sim::simulation::Event| {
            matches!(event, wayfare_sim::simulation::Event::Displaced(_))
        };
        displaced += events.iter().filter(is_ann).count();
        audit.check(&staged.simulation).expect("no rule is broken");
    }
    let at = |name: &str| {
        let simulation = &staged.simulation;
        simulation.agent(simulation.find(name).unwrap()).unwrap().position()
    };
    // Ann stood in the wall; Bob went round it, below.
    assert_eq!((displaced, at("Ann").x, at("Bob").x), (1, 0.5, 1.5));
    let grounds: Vec<_> = staged.grounds().map(|g| (g.area.min, g.area.max)).collect();
    let stretches = [([3.0, 0.0], [6.0, 1.0]), ([3.0, 1.0], [4.0, 2.0]), ([4.0, 1.0], [6.0, 2.0])];
    assert_eq!(grounds, stretches);
}

#[test]
fn ground_that_cannot_be_replaced_is_refused() {
    let refused = |change: &str, part: &str| {
        let error = replaced(change).map(drop).expect_err("this scene is wrong").to_string();
        assert!(error.contains(part), "{error}");
    };
    refused("corner = [8, 0], map = \"..\", entry = \"door\"", "9, 0 lies off the map");
    refused("corner = [4294967295, 0], map = \".\", entry = \"door\"", "lies off the map");
    refused("corner = [0, 0], map = \"x\", entry = \"door\"", "'x' stands for no terrain");
    refused("corner = [0, 0], map = \"#\", entry = \"gate\"", "gate");
    refused("corner = [0, 0], map = \"\", entry = \"door\"", "map");
}
