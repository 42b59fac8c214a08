//! What a scene says of a simulation: every key, read and written, on maps of all kinds.

use crate::support::{played, scene, staged};
use wayfare_scene::scene::{Formation, Gate, PatrolOrder, SceneBehaviour, Spot};
use wayfare_scene::{Movement, Playable, Staging, World, scene};

/// Every table and every key that simulations have.
const EVERYTHING: &str = r##"
simulation = { tick_seconds = 0.05, decision_seconds = 0.5, work_per_tick = 900, policy = "first_leg", danger_seconds = 2, danger_kept = 0.5, danger_spread = 0.25, jams = true, jam_side = 4, jam_asks_every = 2.5, jam_gain = 0.5, seconds = 20, seed = 7 }
places = [{ name = "well", at = [2, 1] }, { name = "gate", at = [3.5, 0, 0.25] }]
classes = [
  { name = "guard", width = 1, neighbours = 4, corners = "one", slope_cost = 2, keys = ["iron", "gold"], algorithm = "bfs", avoidance = "high", priority = 3, steering = "free_speed", time_gap = 0.75, terrains = [{ terrain = "free", multiplier = 2, penalty = 0.5, walkable = true, speed = 0.5 }] },
  { name = "diver", abilities = ["walk", "jump", "fall", "swim", "climb", "fly"], jump_height = 2, jump_distance = 1, max_fall = 3, height = 2, times = "people" },
]
agents = [
  { name = "Ann", team = "guards", class = "guard", at = "well", facing = 90, speed = 2.5, acceleration = 8, turn_speed = 360, spot_turn_speed = 90, phase = 0.5, stopping_distance = 0.25, auto_braking = false, turn_radius = 0.5, radius = 0.25, algorithm = "theta", avoidance = "low", priority = 2, layers = [1, 32], avoids = [2], orders = ["gate", [0, 0]], behaviours = [
    { kind = "pursue", target = "thieves", aggro = 4, give_up = 7, predict = 0.5, speed = 3 },
    { kind = "patrol", points = ["well", [1, 1], [1, 0, 1]], order = "ping_pong", dwell = 1.5, start = 2 },
  ] },
  { name = "Tom", team = "thieves", at = [0, 0], behaviours = [{ kind = "flee", from = "Ann", radius = 3, distance = 6, speed = 4 }, { kind = "wander", radius = 4, dwell = 1 }] },
  { name = "dog", at = [1, 0, 1], behaviours = [{ kind = "follow", target = "Ann", distance = 1 }, { kind = "idle" }] },
  { name = "folk", at = [0, 0], count = 30, area = { min = [0, 0], max = [4, 2] }, behaviours = [{ kind = "patrol", points = ["well"], order = "random" }] },
]
groups = [
  { name = "watch", members = ["guards", "dog"], formation = "line", spacing = 1.5, patience = 3, orders = ["gate", [0, 0]] },
  { name = "crowd", members = ["folk"], formation = [[-1, 0.5], [-2, 0]] },
]
nav_links = [
  { name = "tunnel", from = "well", to = [0, 1], seconds = 2.5, capacity = 1, one_way = true },
  { name = "door", from = [0, 0], to = [1, 1], kind = "door", speed = 1.5, gate = "locked", key = "iron" },
  { name = "lift", from = [0, 0], to = [1, 1], kind = "lift", speed = 1.5, gate = "closed" },
]
events = [
  { at = 3, every = 10, gate = { link = "door", state = "open" } },
  { at = 4, block = { id = "cart", area = { min = [1, 0], max = [2, 1] }, bottom = 0, top = 2 } },
  { at = 9.5, restore = "cart" },
  { at = 1, order = { agent = "guards", to = "gate", at_once = true, algorithm = "jps" } },
  { at = 12, remove = "Tom", restore = "cart" },
  { at = 5, harm = { agent = "dog", amount = 3 }, danger = { area = { min = [0, 0], max = [1, 1] }, amount = -2.5 } },
  { at = 6, change = { agent = "Tom", class = "diver", team = "guards", speed = 1.5 } },
  { at = 7, costs = { class = "guard", terrain = "free", multiplier = 2, penalty = 1, walkable = false } },
  { at = 8, order = { agent = "watch", to = "well" }, form = { group = "watch", formation = "box", spacing = 2 } },
  { at = 9, form = { group = "watch", formation = "column" }, disband = "crowd" },
  { at = 8, replace = { corner = [2, 0], map = "#.\n .", entry = "well" } },
]
dangers = [{ area = { min = [0, 0], max = [1, 1] }, known = 2, harm = 0.5 }]
clips = [{ name = "idle", speed = 0 }, { name = "run", speed = 4 }]
"##;

#[test]
fn all_of_it_is_read_and_written() {
    let scene = scene(EVERYTHING).expect("sound");
    let text = scene::write(&scene).expect("sound");
    let again = scene::read(text.as_bytes()).expect("just written");
    assert_eq!(again, scene, "{text}");
    let SceneBehaviour::Patrol { points, order, .. } = &scene.agents[0].behaviours[1] else {
        panic!("a patrol");
    };
    assert_eq!((points.len(), *order), (3, PatrolOrder::PingPong));
    assert_eq!(points[1], Spot::Cell([1, 1]));
    let shapes = scene.groups.iter().map(|group| &group.formation);
    let own = Formation::Own(vec![[-1.0, 0.5].into(), [-2.0, 0.0].into()]);
    assert!(shapes.eq([&Formation::Line, &own]));
    assert_eq!(scene.events[0].gate.as_ref().map(|change| change.state), Some(Gate::Open));
    assert_eq!(scene.simulation.map(|settings| settings.ticks()), Some(400));
}

#[test]
fn a_scene_plays_on_its_own_map() {
    let scene = scene("terrains = [{ name = \"mud\", glyph = \"m\", multiplier = 3 }]\n").unwrap();
    let world = Playable::new(World::Scene(scene), &Movement::default()).expect("a grid");
    let Playable::Grid(world) = world else { panic!("a grid") };
    assert_eq!((world.name.as_str(), world.grid.width(), world.grid.height()), ("s", 4, 3));
}

#[test]
fn a_scene_plays_in_a_file_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    std::fs::write(folder.path().join("yard.txt"), "...\n.#.\n").expect("written");
    std::fs::write(&path, "scene = { name = \"s\", world = \"yard.txt\" }\n").expect("written");
    let Ok(Playable::Grid(world)) = Playable::open(&path, &Movement::default()) else {
        panic!("a grid");
    };
    assert_eq!((world.name.as_str(), world.grid.width()), ("s", 3));
    // One that leads to itself leads nowhere.
    std::fs::write(&path, "scene = { name = \"s\", world = \"s.toml\" }\n").expect("written");
    let error = Playable::open(&path, &Movement::default()).expect_err("a circle").to_string();
    assert!(error.contains("s.toml:1:") && error.contains("a scene itself"), "{error}");
}

#[test]
fn work_per_tick_has_an_older_name() {
    let older = scene("simulation = { expansions_per_tick = 900 }\n").expect("sound");
    let newer = scene("simulation = { work_per_tick = 900 }\n").expect("sound");
    assert_eq!(older, newer);
    assert_eq!(newer.simulation.and_then(|settings| settings.work_per_tick), Some(900));
}

#[test]
fn the_example_in_the_format_page_plays() {
    let page = include_str!("../../docs/scene-format.md");
    let example = page.split("```toml\n").nth(2).and_then(|rest| rest.split("```").next());
    let Staging::Grid(mut watch) = staged(example.expect("an example")) else { panic!("a grid") };
    assert_eq!((watch.ticks, watch.teams.len()), (400, 3));
    played(&mut watch, 400);
    let ann = watch.simulation.find("Ann").and_then(|ann| watch.simulation.agent(ann));
    assert!(ann.is_some_and(|ann| ann.trouble().is_none()));
}
