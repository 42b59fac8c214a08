//! What a scene says of a simulation: read, written, and refused where it makes no sense.

use wayfare::crowd::{AvoidanceModel, AvoidanceQuality, CollisionFreeSpeed};
use wayfare::simulation::{Audit, Avoidance};
use wayfare_world::scene::{self, Gate, PatrolOrder, Scene, SceneBehaviour, Spot};
use wayfare_world::{Movement, Playable, Staged, Staging, World};

/// Every table and every key that simulations have.
const EVERYTHING: &str = r##"
simulation = { tick_seconds = 0.05, decision_seconds = 0.5, work_per_tick = 900, policy = "first_leg", danger_seconds = 2, danger_kept = 0.5, danger_spread = 0.25, jams = true, jam_side = 4, jam_asks_every = 2.5, jam_gain = 0.5, seconds = 20, seed = 7 }
places = [{ name = "well", at = [2, 1] }, { name = "gate", at = [3.5, 0, 0.25] }]
classes = [
  { name = "guard", width = 1, neighbours = 4, corners = "one", slope_cost = 2, keys = ["iron", "gold"], algorithm = "bfs", avoidance = "high", priority = 3, steering = "free_speed", time_gap = 0.75, terrains = [{ terrain = "free", multiplier = 2, penalty = 0.5, walkable = true, speed = 0.5 }] },
  { name = "diver", abilities = ["walk", "jump", "fall", "swim", "climb", "fly"], jump_height = 2, jump_distance = 1, max_fall = 3, height = 2 },
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
  { at = 8, replace = { corner = [2, 0], map = "#.\n .", entry = "well" } },
]
dangers = [{ area = { min = [0, 0], max = [1, 1] }, known = 2, harm = 0.5 }]
clips = [{ name = "idle", speed = 0 }, { name = "run", speed = 4 }]
"##;

fn scene(body: &str) -> Result<Scene, wayfare_world::WorldError> {
    let map = "scene = { name = \"s\", map = \"\"\"\n....\n.#..\n....\n\"\"\" }\n";
    scene::read(format!("{map}{body}").as_bytes())
}

#[track_caller]
fn assert_refused(body: &str, at: &str, field: &str, part: &str) {
    let error = scene(body).expect_err("this scene is wrong");
    let said = error.to_string();
    assert!(said.starts_with(at), "{said:?} should start with {at:?}");
    assert!(said.contains(part), "{said:?} should hold {part:?}");
    if !field.is_empty() {
        assert_eq!(error.field().as_deref(), Some(field), "{said}");
    }
}

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
fn worlds_that_cannot_be() {
    assert_refused("map = 1", "6:1: ", "", "unknown field `map`");
    let read = |text: &str| scene::read(text.as_bytes()).expect_err("wrong").to_string();
    let said = read("[scene]\nname = \"s\"\nmap = \"\"\"\n...\n.?.\n\"\"\"\n");
    assert!(said.starts_with("5:2: '?' is not a tile"), "{said}");
    let said = read("scene = { name = \"s\", world = \"../x.map\" }\n");
    assert!(said.starts_with("1:31: ") && said.contains("folder of the scene"), "{said}");
    let said = read("scene = { name = \"s\", world = \"x.map\", map = \"..\" }\n");
    assert!(said.contains("both a 'map' and a 'world'"), "{said}");
    assert_refused(
        "waypoints = [{ id = \"a\", at = [0, 0, 0] }]\n",
        "6:13: ",
        "waypoints",
        "no use",
    );
}

#[test]
fn agents_that_cannot_be() {
    let one = |rest: &str| format!("agents = [{{ name = \"a\", at = [0, 0]{rest} }}]\n");
    assert_refused(&one(", speed = -1"), "6:46: ", "agents[0].speed", "greater than 0");
    assert_refused(&one(", speed = nan"), "6:46: ", "agents[0].speed", "finite");
    assert_refused(&one(", radius = inf"), "6:47: ", "agents[0].radius", "finite");
    assert_refused(&one(", acceleration = 0"), "6:53: ", "agents[0].acceleration", "greater");
    assert_refused(&one(", velocity = 1"), "6:38: ", "", "unknown field `velocity`");
    assert_refused(&one(", algorithm = \"astr\""), "6:50: ", "", "\"astr\"; there are: auto, bfs");
    assert_refused(&one(", count = 0"), "6:46: ", "agents[0].count", "at least 1");
    assert_refused(&one(", count = 4000000000"), "6:46: ", "agents[0].count", "at most 65536");
    assert_refused(&one(", class = \"x\""), "6:46: ", "agents[0].class", "no class 'x'");
    assert_refused(&one(", avoidance = \"on\""), "6:", "", "`off`, `low`, `medium`, `high`");
    assert_refused(&one(", priority = 256"), "6:", "", "256");
    assert_refused(&one(", layers = [0]"), "6:", "agents[0].layers[0]", "1 to 32");
    assert_refused(&one(", avoids = [1, 33]"), "6:", "agents[0].avoids[1]", "1 to 32");
    assert_refused(&one(", orders = [\"x\"]"), "6:48: ", "agents[0].orders[0]", "no place");
    assert_refused("agents = [{ name = \"a\", at = [0.5, 1] }]", "6:30: ", "", "name of a place");
    assert_refused("agents = [{ name = \"a\", at = [0, nan, 1] }]", "6:30: ", "", "finite");
    let two = "agents = [{ name = \"a\", at = [0, 0] }, { name = \"a\", at = [0, 0] }]";
    assert_refused(two, "6:49: ", "agents[1].name", "used twice");
    let mixed =
        "agents = [{ name = \"a\", at = [0, 0] }, { name = \"b\", team = \"a\", at = [0, 0] }]";
    assert_refused(mixed, "6:20: ", "agents[0].name", "is a team");
    let area = one(", area = { min = [0, 0], max = [1, 1] }");
    assert_refused(&area, "6:45: ", "agents[0].area", "for crowds");
}

#[test]
fn behaviours_that_cannot_be() {
    let does = |what: &str| {
        format!(
            "agents = [\n{{ name = \"b\", team = \"t\", at = [0, 0] }},\n{{ name = \"a\", at = [0, 0], behaviours = [\n{{ {what} }}] }}]\n"
        )
    };
    let field = |key: &str| format!("agents[1].behaviours[0].{key}");
    let refused = |what: &str, key: &str, part: &str| {
        assert_refused(&does(what), "9:", &field(key), part);
    };
    refused("kind = \"patrol\", points = []", "points", "no points");
    refused("kind = \"patrol\", points = [\"x\"]", "points[0]", "no place or waypoint 'x'");
    refused("kind = \"patrol\", points = [[0, 0]], dwell = -1", "dwell", "not be negative");
    refused("kind = \"patrol\", points = [[0, 0]], start = 1", "start", "numbered 0 to 0");
    refused("kind = \"pursue\", target = \"c\", aggro = 2", "target", "known are a, b, t");
    refused("kind = \"pursue\", target = \"a\", aggro = 2", "target", "itself");
    refused("kind = \"pursue\", target = \"b\", aggro = 0", "aggro", "greater than 0");
    refused("kind = \"pursue\", target = \"t\", aggro = 5, give_up = 4", "give_up", "less than");
    refused("kind = \"flee\", from = \"t\", radius = nan, distance = 1", "radius", "finite");
    refused("kind = \"wander\", radius = -2", "radius", "greater than 0");
    refused("kind = \"follow\", target = \"b\", distance = 0", "distance", "greater than 0");
    assert_refused(&does("kind = \"dance\""), "9:", "", "dance");
    assert_refused(&does("kind = \"patrol\", target = \"b\""), "8:", "", "target");
}

#[test]
fn nobody_follows_in_circles() {
    let follows = |name: &str, target: &str| {
        format!(
            "{{ name = \"{name}\", at = [0, 0], behaviours = [{{ kind = \"follow\", target = \"{target}\", distance = 1 }}] }},\n"
        )
    };
    let agents = |list: &[(&str, &str)]| {
        let all: String = list.iter().map(|(name, target)| follows(name, target)).collect();
        format!("agents = [\n{{ name = \"lead\", team = \"front\", at = [0, 0] }},\n{all}]\n")
    };
    scene(&agents(&[("a", "b"), ("b", "c"), ("c", "front")])).expect("a chain");
    scene(&agents(&[("a", "lead"), ("b", "a"), ("c", "a")])).expect("a tree");
    let round = agents(&[("a", "b"), ("b", "c"), ("c", "a")]);
    assert_refused(&round, "10:", "agents[3].behaviours[0].target", "in a circle: a, b, c, a");
    let pair = agents(&[("x", "lead"), ("a", "b"), ("b", "a")]);
    assert_refused(&pair, "10:", "agents[3].behaviours[0].target", "in a circle: a, b, a");
}

#[test]
fn links_that_cannot_be() {
    let link = |rest: &str| format!("nav_links = [{{ name = \"l\", {rest} }}]\n");
    let refused = |rest: &str, key: &str, part: &str| {
        assert_refused(&link(rest), "6:", &format!("nav_links[0].{key}"), part);
    };
    refused("from = [0, 0], to = \"nowhere\", seconds = 1", "to", "no place or waypoint 'nowhere'");
    refused("from = [0, 0], to = [0, 0], seconds = 1", "to", "to where it begins");
    refused("from = [0, 0], to = [1, 0]", "seconds", "how long it takes");
    refused("from = [0, 0], to = [1, 0], seconds = 1, speed = 1", "speed", "both");
    refused("from = [0, 0], to = [1, 0], speed = -1", "speed", "greater than 0");
    refused("from = [0, 0], to = [1, 0], seconds = inf", "seconds", "finite");
    refused("from = [0, 0], to = [1, 0], speed = 1, capacity = 0", "capacity", "nobody fits");
    refused("from = [0, 0], to = [1, 0], speed = 1, key = \"k\"", "key", "carries the key 'k'");
    assert_refused(
        &link("from = [0, 0], to = [1, 0], kind = \"rope\", speed = 1"),
        "6:",
        "",
        "rope",
    );
}

#[test]
fn events_that_cannot_be() {
    let event = |rest: &str| format!("events = [\n{{ {rest} }}]\n");
    let refused = |rest: &str, key: &str, part: &str| {
        assert_refused(&event(rest), "7:", &format!("events[0].{key}"), part);
    };
    refused("at = -1, restore = \"x\"", "at", "negative");
    refused("at = nan, restore = \"x\"", "at", "finite");
    refused("at = 1, every = 0, restore = \"x\"", "every", "must be 0.01");
    refused("at = 1, restore = \"x\"", "restore", "no block 'x'");
    refused("at = 1, remove = \"x\"", "remove", "no agent or team 'x'");
    refused("at = 1, gate = { link = \"x\", state = \"open\" }", "gate.link", "no link 'x'");
    refused("at = 1, order = { agent = \"x\", to = [0, 0] }", "order.agent", "no agent or team");
    refused(
        "at = 1, block = { id = \"b\", area = { min = [2, 0], max = [1, 1] } }",
        "block.area.max",
        "must be greater than 'min'",
    );
    assert_refused(&event("at = 1"), "7:", "events[0]", "does nothing");
    assert_refused(&event("at = 1, explode = 1"), "7:", "", "explode");
}

#[test]
fn work_per_tick_has_an_older_name() {
    let older = scene("simulation = { expansions_per_tick = 900 }\n").expect("sound");
    let newer = scene("simulation = { work_per_tick = 900 }\n").expect("sound");
    assert_eq!(older, newer);
    assert_eq!(newer.simulation.and_then(|settings| settings.work_per_tick), Some(900));
}

#[test]
fn settings_that_cannot_be() {
    let refused = |rest: &str, key: &str, part: &str| {
        let text = format!("simulation = {{ {rest} }}\n");
        assert_refused(&text, "6:", &format!("simulation.{key}"), part);
    };
    refused("tick_seconds = 0", "tick_seconds", "must be 0.001 to 1");
    refused("tick_seconds = nan", "tick_seconds", "finite");
    refused("decision_seconds = 0.01", "decision_seconds", "must be 0.05");
    refused("seconds = -4", "seconds", "greater than 0");
    refused("seconds = 3e6", "seconds", "at most 16777216");
    refused("work_per_tick = 0", "work_per_tick", "at least 1");
    let both = "simulation = { work_per_tick = 9, expansions_per_tick = 9 }\n";
    assert_refused(both, "6:", "", "duplicate");
    let keys: Vec<String> = (0..40).map(|number| format!("\"k{number}\"")).collect();
    let class = format!("classes = [{{ name = \"c\", keys = [{}] }}]\n", keys.join(", "));
    assert_refused(&class, "6:", "classes[0].keys", "more than 32");
    assert_refused(
        "classes = [{ name = \"c\", width = 0 }]\n",
        "6:",
        "classes[0].width",
        "1 to 64",
    );
    assert_refused(
        "classes = [{ name = \"c\", time_gap = 1 }]\n",
        "6:",
        "classes[0].time_gap",
        "for",
    );
    let hasty = "classes = [{ name = \"c\", steering = \"free_speed\", time_gap = 0 }]\n";
    assert_refused(hasty, "6:", "classes[0].time_gap", "0.001 to 60");
    let standing = "terrains = [{ name = \"mud\" }]\nclasses = [{ name = \"c\", terrains = [{ terrain = \"mud\", speed = 0 }] }]\n";
    assert_refused(standing, "7:", "classes[0].terrains[0].speed", "0.01 to 1");
    assert_refused("classes = [{ name = \"c\", neighbours = 5 }]\n", "6:", "", "4 or 8");
    assert_refused("places = [{ name = \"p\", at = \"q\" }]\n", "6:", "places[0].at", "is a name");
}

/// Plays a scene for so many ticks under the audit.
fn played<W: wayfare::simulation::Environment + Clone>(staged: &mut Staged<W>, ticks: u64) {
    let mut audit = Audit::new();
    for _ in 0..ticks {
        staged.tick();
        audit.check(&staged.simulation).expect("no rule is broken");
    }
}

fn staged(text: &str) -> Staging {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).expect("written");
    Staging::open(&path, None).map_err(|error| error.to_string()).expect("sound")
}

/// Ann wades through mud, Ben is at home in it; its cost is the same to both.
#[test]
fn mud_slows_a_class() {
    let text = r#"
        scene = { name = "mud", map = """
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm""" }
        terrains = [{ name = "mud", glyph = "m" }]
        classes = [{ name = "plain" }, { name = "slow", terrains = [{ terrain = "mud", speed = 0.25 }] }]
        agents = [
          { name = "Ann", class = "slow", at = [0, 0], orders = [[19, 0]], speed = 2 },
          { name = "Ben", class = "plain", at = [0, 1], orders = [[19, 1]], speed = 2 },
        ]
    "#;
    let Staging::Grid(mut mud) = staged(text) else { panic!("a grid") };
    played(&mut mud, 100);
    let speeds: Vec<f32> = mud.simulation.agents().map(|agent| agent.speed()).collect();
    assert_eq!(speeds, [0.5, 2.0]);
    let factors: Vec<f32> = mud.simulation.agents().map(|agent| agent.ground_factor()).collect();
    assert_eq!(factors, [0.25, 1.0]);
}

#[test]
fn waypoints_have_no_ground_that_slows() {
    let text = r#"
        scene = { name = "path" }
        terrains = [{ name = "mud" }]
        waypoints = [{ id = "a", at = [0, 0, 0], terrain = "mud" }, { id = "b", at = [4, 0, 0] }]
        links = [{ from = "a", to = "b" }]
        classes = [{ name = "slow", terrains = [{ terrain = "mud", speed = 0.25 }] }]
        agents = [{ name = "Ann", at = "a" }]
    "#;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).expect("written");
    let error = Staging::open(&path, None).expect_err("refused").to_string();
    assert!(error.contains("s.toml:6:76") && error.contains("'speed' means nothing"), "{error}");
}

#[test]
fn agents_go_from_waypoint_to_waypoint() {
    let text = r#"
        scene = { name = "ring" }
        waypoints = [
          { id = "a", at = [0, 0, 0] }, { id = "b", at = [4, 0, 0] },
          { id = "c", at = [4, 0, 4] }, { id = "d", at = [0, 0, 4] },
        ]
        links = [{ from = "a", to = "b" }, { from = "b", to = "c" }, { from = "a", to = "d" }, { from = "d", to = "c" }]
        agents = [{ name = "Ann", at = "a", behaviours = [{ kind = "patrol", points = ["c", "a"] }] }]
        events = [{ at = 0.5, every = 9, block = { id = "rock", area = { min = [3, -1], max = [5, 1] } } }, { at = 5, every = 9, restore = "rock" }]
    "#;
    let Staging::Waypoints(mut ring) = staged(text) else { panic!("waypoints") };
    // The rock lies in the way, goes, and comes again.
    let mut lies = Vec::new();
    for _ in 0..12 {
        played(&mut ring, 20);
        lies.push(ring.barriers().count());
    }
    assert_eq!(lies, [1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1]);
    assert_eq!(ring.places.len(), 2);
}

#[test]
fn the_example_in_the_format_page_plays() {
    let page = include_str!("../docs/scene-format.md");
    let example = page.split("```toml\n").nth(2).and_then(|rest| rest.split("```").next());
    let Staging::Grid(mut watch) = staged(example.expect("an example")) else { panic!("a grid") };
    assert_eq!((watch.ticks, watch.teams.len()), (400, 3));
    played(&mut watch, 400);
    let ann = watch.simulation.find("Ann").and_then(|ann| watch.simulation.agent(ann));
    assert!(ann.is_some_and(|ann| ann.trouble().is_none()));
}

/// A boat crosses the water that a walker goes around; neither can do without the other's ground.
#[test]
fn classes_meet_terrains_of_their_own() {
    let text = |classes: &str, class: &str| {
        format!(
            r##"
scene = {{ name = "s", map = """
....
~~~.
....""" }}
terrains = [{{ name = "sea", glyph = "~", walkable = false }}, {{ name = "land", glyph = "." }}]
classes = [{classes}]
agents = [{{ name = "Ann", class = "{class}", at = [0, 0], orders = [[0, 2]] }}]
simulation = {{ seconds = 60 }}
"##
        )
    };
    let stage = |classes: &str, class: &str| {
        let files = wayfare_world::MemoryFiles::new().with("s.toml", text(classes, class));
        Staging::open_from("s.toml", &files, None)
    };
    let seconds = |class: &str| {
        let classes = r#"{ name = "walker" }, { name = "boat", terrains = [{ terrain = "sea", walkable = true }] }"#;
        let Ok(Staging::Grid(mut staged)) = stage(classes, class) else { panic!("{class}") };
        let mut audit = Audit::new();
        for tick in 0..staged.ticks {
            staged.tick();
            audit.check(&staged.simulation).expect("no rule is broken");
            let ann = staged.simulation.agents().next().expect("Ann");
            if ann.position().z > 2.4 && ann.position().x < 0.6 {
                return tick;
            }
        }
        panic!("{class} never arrives")
    };
    let (walker, boat) = (seconds("walker"), seconds("boat"));
    assert!(boat * 2 < walker, "{boat} and {walker} ticks");
    let refused = |terrain: &str| {
        let class = format!(r#"{{ name = "c", terrains = [{{ {terrain} }}] }}"#);
        stage(&class, "c").map(drop).expect_err("wrong").to_string()
    };
    let said = refused(r#"terrain = "lava""#);
    assert!(said.contains("s.toml:7:") && said.contains("no terrain 'lava'"), "{said}");
    assert!(said.contains("known are sea, land"), "{said}");
    let said = refused(r#"terrain = "sea", multiplier = 1e9"#);
    assert!(said.contains("multiplier"), "{said}");
}

/// A hundred agents in six cells: nobody begins where another stands.
#[test]
fn a_crowd_of_more_agents_than_cells_is_not_stacked() {
    let text = r#"
        scene = { name = "yard", map = """
...#
...#
####""" }
        agents = [
          { name = "folk", at = [0, 0], count = 100 },
          { name = "club", at = [0, 0], count = 20, area = { min = [0, 0], max = [1, 1] } },
        ]
    "#;
    let Staging::Grid(mut yard) = staged(text) else { panic!("a grid") };
    let of = |team: &str| {
        let members = yard.simulation.agents().filter(|agent| agent.name().starts_with(team));
        let mut places: Vec<[u32; 2]> = members
            .map(|agent| [agent.position().x.to_bits(), agent.position().z.to_bits()])
            .collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    };
    assert_eq!((of("folk"), of("club")), (100, 20));
    let club = yard.simulation.agents().filter(|agent| agent.name().starts_with("club"));
    assert!(club.into_iter().all(|agent| agent.position().x <= 1.0 && agent.position().z <= 1.0));
    played(&mut yard, 20);
}

/// Two rows of agents change places in a corridor, and a ghost walks through them.
#[test]
fn agents_of_a_scene_avoid_each_other() {
    let text = |world: &str, more: &str| {
        format!(
            r#"
scene = {{ name = "s"{world} }}
classes = [
  {{ name = "folk", avoidance = "medium", priority = 1 }},
  {{ name = "ghost" }},
  {{ name = "person", avoidance = "low", steering = "free_speed", time_gap = 0.75 }},
]
agents = [
  {{ name = "a", class = "folk", at = "west", orders = ["east"]{more} }},
  {{ name = "b", class = "folk", at = "east", orders = ["west"], priority = 4, layers = [2], avoids = [] }},
  {{ name = "c", class = "ghost", at = "west", orders = ["east"] }},
  {{ name = "d", class = "person", at = [5, 0] }},
]
"#
        )
    };
    let map = ", map = \"\"\"\n............\n............\n............\"\"\"";
    let places = "places = [{ name = \"west\", at = [0, 1] }, { name = \"east\", at = [11, 1] }]\n";
    let Staging::Grid(mut staged) = staged(&(text(map, "") + places)) else { panic!("a grid") };
    let simulation = &staged.simulation;
    let of = |name: &str| simulation.agent(simulation.find(name).unwrap()).unwrap().avoidance();
    let folk = Avoidance { quality: AvoidanceQuality::Medium, priority: 1, ..Default::default() };
    assert_eq!(of("a"), folk);
    assert_eq!(of("b"), Avoidance { priority: 4, layers: 2, mask: 0, ..folk });
    assert_eq!(of("c"), Avoidance::default());
    let patient = CollisionFreeSpeed { time_gap: 0.75, ..Default::default() };
    assert_eq!(of("d").model, AvoidanceModel::FreeSpeed(patient));
    let mut apart = f32::INFINITY;
    let mut audit = Audit::new();
    for _ in 0..200 {
        staged.tick();
        audit.check(&staged.simulation).expect("no rule is broken");
        let place = |name: &str| {
            let simulation = &staged.simulation;
            simulation.agent(simulation.find(name).unwrap()).unwrap().position()
        };
        apart = apart.min(place("a").distance(place("b")));
    }
    assert!((0.59..1.5).contains(&apart), "{apart}");
    let busy = staged.simulation.agents().filter(|agent| agent.orders().len() > 0);
    let busy: Vec<_> = busy.map(|agent| (agent.name().to_string(), agent.position())).collect();
    assert!(busy.is_empty(), "{busy:?}");

    // A body without a radius, and a world of waypoints.
    let refused = |text: String| {
        let files = wayfare_world::MemoryFiles::new().with("s.toml", text);
        Staging::open_from("s.toml", &files, None).map(drop).expect_err("wrong").to_string()
    };
    let said = refused(text(map, ", radius = 0") + places);
    assert!(said.contains("s.toml:12:") && said.contains("radius above 0"), "{said}");
    let graph = "waypoints = [{ id = \"west\", at = [0, 0, 0] }, { id = \"east\", at = [4, 0, 0] }]\n\
                 links = [{ from = \"west\", to = \"east\" }]\n";
    let said = refused(text("", "") + graph);
    assert!(said.contains("on grids and navigation meshes only"), "{said}");
}

#[test]
fn dangers_and_changes_that_cannot_be() {
    let area = "area = { min = [0, 0], max = [1, 1] }";
    let one = |rest: &str| format!("dangers = [{{ {area}{rest} }}]\n");
    assert_refused(&one(""), "6:12: ", "dangers[0]", "is none");
    assert_refused(&one(", known = -1"), "6:61: ", "dangers[0].known", "0 to 10000");
    assert_refused(&one(", harm = nan"), "6:60: ", "dangers[0].harm", "finite");
    let agent = "agents = [{ name = \"a\", at = [0, 0] }]\nclasses = [{ name = \"c\" }]\n";
    let event = |what: &str| format!("{agent}events = [{{ at = 1, {what} }}]\n");
    let harm = event("harm = { agent = \"a\", amount = 0 }");
    assert_refused(&harm, "8:", "events[0].harm.amount", "greater than 0");
    let change = event("change = { agent = \"a\" }");
    assert_refused(&change, "8:", "events[0].change", "changes nothing");
    let change = event("change = { agent = \"a\", team = \"t\" }");
    assert_refused(&change, "8:", "events[0].change.team", "no team 't'");
    let costs = event("costs = { class = \"d\", terrain = \"free\" }");
    assert_refused(&costs, "8:", "events[0].costs.class", "no class 'd'");
    let clips = "clips = [{ name = \"run\", speed = 4 }, { name = \"walk\", speed = 1 }]\n";
    assert_refused(clips, "6:", "clips[1].speed", "not faster");
}

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
fn lowest(staged: &mut Staged<wayfare::space::Grid>, name: &str, ticks: u64) -> f32 {
    for _ in 0..ticks {
        staged.tick();
    }
    let id = staged.simulation.find(name).expect("it is there");
    let agent = staged.simulation.agent(id).expect("it is there");
    agent.way_ahead().map(|point| point.z).fold(0.0, f32::max)
}

fn on_grid(path: &std::path::Path) -> Staged<wayfare::space::Grid> {
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

#[test]
fn waypoints_are_to_each_class_what_their_terrains_are() {
    let text = r#"
        scene = { name = "river" }
        terrains = [{ name = "water", walkable = false }, { name = "mud", multiplier = 3 }]
        waypoints = [
          { id = "west", at = [0, 0, 0] }, { id = "ford", at = [5, 0, 0], terrain = "water" },
          { id = "east", at = [10, 0, 0] }, { id = "bridge", at = [5, 0, 6] },
        ]
        links = [{ from = "west", to = "ford" }, { from = "ford", to = "east" }, { from = "west", to = "bridge" }, { from = "bridge", to = "east" }]
        classes = [{ name = "walker" }, { name = "boat", terrains = [{ terrain = "water", walkable = true, multiplier = 0.5 }] }]
        agents = [
          { name = "Ann", class = "walker", at = "west", orders = ["east"] },
          { name = "Bob", class = "boat", at = "west", orders = ["east"] },
        ]
    "#;
    let Staging::Waypoints(mut staged) = staged(text) else { panic!("waypoints") };
    for _ in 0..5 {
        staged.tick();
    }
    let furthest = |name: &str| {
        let id = staged.simulation.find(name).expect("it is there");
        let agent = staged.simulation.agent(id).expect("it is there");
        agent.way_ahead().map(|point| point.z).fold(0.0, f32::max)
    };
    assert_eq!((furthest("Ann"), furthest("Bob")), (6.0, 0.0));
    let wrong = text.replace("terrain = \"water\", walkable = true", "terrain = \"lava\"");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, wrong).expect("written");
    let said = Staging::open(&path, None).expect_err("no lava").to_string();
    assert!(said.contains("no terrain 'lava'") && said.contains("known are water, mud"), "{said}");
}

/// A walker in a corridor of 9 × 3 cells whose middle is replaced at 1 s.
fn replaced(change: &str) -> Result<Staging, wayfare_world::WorldError> {
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
    Staging::open_from("s.toml", &wayfare_world::MemoryFiles::new().with("s.toml", text), None)
}

#[test]
fn the_ground_is_replaced_under_agents() {
    let change = "corner = [3, 0], map = \"###\\nm##\\n   \", entry = \"door\"";
    let Ok(Staging::Grid(mut staged)) = replaced(change) else { panic!("a grid") };
    let mut audit = Audit::new();
    let mut displaced = 0;
    for _ in 0..200 {
        let events = &staged.tick().events;
        let is_ann = |event: &&wayfare::simulation::Event| {
            matches!(event, wayfare::simulation::Event::Displaced(_))
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
