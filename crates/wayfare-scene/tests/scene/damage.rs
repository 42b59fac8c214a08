//! Damaged scenes are read, built and played, or refused.

use std::path::Path;

use proptest::prelude::*;
use wayfare_formats::MemoryFiles;
use wayfare_scene::{Movement, Playable, Staging, World, read_from, read_path, scene};
use wayfare_sim::simulation::Audit;

use crate::change::{apply, change};

const HEXAGONS: &str = include_str!("../../../wayfare-formats/tests/data/hexagons.tmj");

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

#[test]
fn the_simulation_to_be_damaged_is_sound() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("played.toml");
    std::fs::write(&path, PLAYED).expect("written");
    assert_eq!(play(&path, 60).expect("sound"), 11);
}

/// How many agents are left after some ticks under the audit, fewer of large crowds.
fn play(path: &Path, ticks: u64) -> Result<usize, wayfare_formats::WorldError> {
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
fn the_scene_to_be_damaged_is_sound() {
    let scene = scene::read(SMALL.as_bytes()).expect("sound");
    assert!(scene.to_waypoints().expect("a graph").graph.len() > 20);
    assert!(scene.to_grid(&Movement::default()).is_ok());
}

#[test]
fn the_hexagons_to_be_damaged_are_sound() {
    let files = MemoryFiles::new().with("x.tmj", HEXAGONS);
    Playable::open_from("x.tmj", &files, &Movement::default()).expect("sound");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn damaged_documents_do_no_harm(
        which in 0usize..3,
        changes in prop::collection::vec(change(), 1..5),
    ) {
        let obstacles = include_bytes!("../../../../worlds/obstacles.toml");
        let samples = [SMALL.as_bytes(), obstacles, HEXAGONS.as_bytes()];
        let mut bytes = samples[which].to_vec();
        for change in &changes {
            apply(&mut bytes, change);
        }
        for name in ["x.toml", "x.tmj"] {
            let files = MemoryFiles::new().with(name, bytes.clone());
            let _ = read_from(name, &files, Default::default());
        }
    }

    #[test]
    fn random_text_does_no_harm(text in "[ -~\n\t\r.#@\\[\\]{}=\"<>/]{0,300}") {
        let _ = scene::read(text.as_bytes());
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
        if let Ok(World::Scene(scene)) = read_path(&path) {
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
