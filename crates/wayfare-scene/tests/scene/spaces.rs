//! Scenes become the graphs that they describe.

use glam::Vec3;
use wayfare_core::search::{AStar, Query, solve};
use wayfare_core::space::{LineOfSight, Obstruction, Space, StateId};
use wayfare_formats::WorldErrorKind;
use wayfare_grid::waypoint::{AutoLinkCounts, WaypointId, WaypointLink};
use wayfare_scene::{Movement, Playable, WaypointWorld, scene};

fn read(body: &str) -> wayfare_scene::scene::Scene {
    let text = format!("scene = {{ name = \"s\" }}\n{body}");
    scene::read(text.as_bytes()).expect("sound")
}

fn graph(body: &str) -> WaypointWorld {
    read(body).to_waypoints().expect("a graph")
}

/// What the move between two waypoints costs, in millimetres.
fn cost(world: &WaypointWorld, from: &str, to: &str) -> Option<u64> {
    let mut cost = None;
    world.graph.successors(world.ids[from], |edge| {
        if edge.target == world.ids[to] {
            cost = Some(edge.cost);
        }
    });
    cost
}

#[test]
fn links_cost_what_the_file_says() {
    let world = graph(
        r##"
terrains = [
  { name = "mud", multiplier = 2, penalty = 0.5 },
  { name = "lake", walkable = false },
]
waypoints = [
  { id = "a", at = [0, 0, 0] },
  { id = "b", at = [3, 0, 4], cost = 0.25 },
  { id = "c", at = [3, 0, 0], terrain = "mud" },
  { id = "d", at = [6, 0, 0], terrain = "mud", cost = 0 },
  { id = "w", at = [9, 0, 0], terrain = "lake" },
]
links = [
  { from = "a", to = "b", danger = 2 },
  { from = "a", to = "c" },
  { from = "c", to = "d", one_way = true },
  { from = "d", to = "a", cost = 1 },
  { from = "d", to = "w" },
]
"##,
    );
    assert_eq!(cost(&world, "a", "b"), Some(5000 + 2000 + 250));
    assert_eq!(cost(&world, "b", "a"), Some(5000 + 2000));
    // Onto mud it is slow, off it is not.
    assert_eq!(cost(&world, "a", "c"), Some(6000 + 500));
    assert_eq!(cost(&world, "c", "a"), Some(3000));
    assert_eq!(cost(&world, "c", "d"), Some(6000));
    assert_eq!(cost(&world, "d", "c"), None);
    assert_eq!(cost(&world, "d", "a"), Some(1000));
    assert_eq!(world.graph.check(world.ids["w"]), Err(Obstruction::Blocked));
    assert_eq!(world.graph.name(world.ids["c"]), Some("c"));
    assert_eq!(world.ground[world.ids["c"].index() as usize].map(|id| id.0), Some(0));
}

#[test]
fn automatic_links_mind_slope_size_distance_and_medium() {
    let hill = |rules: &str| {
        graph(&format!(
            r#"
waypoints = [{{ id = "low", at = [0, 0, 0] }}, {{ id = "high", at = [10, 10, 0] }}]
auto_links = {{ max_distance = 20, {rules} }}
"#
        ))
    };
    let plain = cost(&hill(""), "low", "high").expect("linked");
    assert_eq!(plain, 14_143);
    assert!(cost(&hill("max_slope = 46"), "low", "high").is_some());
    assert!(cost(&hill("max_slope = 44"), "low", "high").is_none());
    let steep = hill("slope_cost = 3");
    assert_eq!(cost(&steep, "low", "high"), Some(plain + 30_000), "ten metres are climbed");
    assert_eq!(cost(&steep, "high", "low"), Some(plain), "and nothing on the way down");

    let gate = |rules: &str| {
        graph(&format!(
            r#"
obstacles = [
  {{ shape = "box", center = [5, 1, 4], half_extents = [0.5, 1, 3] }},
  {{ shape = "cylinder", center = [5, 0.5, -4], radius = 3, half_height = 0.5 }},
]
waypoints = [{{ id = "a", at = [0, 0, 0] }}, {{ id = "b", at = [10, 0, 0] }}, {{ id = "c", at = [5, 0, -8] }}]
auto_links = {{ {rules} }}
"#
        ))
    };
    let narrow = gate("max_distance = 20, agent_radius = 0.9");
    assert_eq!(
        narrow.link_counts,
        AutoLinkCounts { tested: 3, linked: 1, blocked: 2, too_steep: 0 }
    );
    assert!(cost(&gate("max_distance = 20, agent_radius = 1.1"), "a", "b").is_none());
    assert!(cost(&gate("max_distance = 9.9"), "a", "b").is_none());
    // Along the cylinder at the height of the ground, and above its top.
    let along = [Vec3::new(5.0, 0.0, -8.0), Vec3::new(5.0, 0.0, 0.0)];
    assert!(!narrow.graph.segment_is_clear(along[0], along[1]));
    let high = gate("max_distance = 20, eye_height = 1.5");
    assert!(high.graph.segment_is_clear(along[0], along[1]));

    let shore = graph(
        r#"
terrains = [{ name = "lake", medium = 1 }]
waypoints = [{ id = "a", at = [0, 0, 0] }, { id = "b", at = [1, 0, 0], terrain = "lake" }, { id = "c", at = [2, 0, 0] }]
links = [{ from = "a", to = "b", cost = 7 }]
auto_links = { max_distance = 5 }
"#,
    );
    assert_eq!(cost(&shore, "a", "c"), Some(2000));
    assert_eq!(cost(&shore, "b", "c"), None);
    assert_eq!(cost(&shore, "a", "b"), Some(7000), "a jetty is a link by hand");
}

#[test]
fn a_written_link_replaces_an_automatic_one() {
    let world = graph(
        r#"
waypoints = [{ id = "a", at = [0, 0, 0] }, { id = "b", at = [1, 0, 0] }]
links = [{ from = "a", to = "b", one_way = true, cost = 9 }]
auto_links = { max_distance = 5 }
"#,
    );
    assert_eq!((cost(&world, "a", "b"), cost(&world, "b", "a")), (Some(9000), Some(1000)));
}

#[test]
fn yaw_turns_anticlockwise_seen_from_above() {
    let world = read(
        r#"
obstacles = [{ shape = "box", center = [0, 0, 0], half_extents = [5, 1, 0.5], yaw = 45 }]
"#,
    );
    let obstacles = world.to_obstacles().expect("sound");
    // With x to the right and z towards the viewer, the far right is at (+x, −z).
    assert!(obstacles.overlaps_sphere(Vec3::new(3.0, 0.0, -3.0), 0.1));
    assert!(!obstacles.overlaps_sphere(Vec3::new(3.0, 0.0, 3.0), 0.1));
}

#[test]
fn every_shape_becomes_solid_or_ground() {
    let world = read(
        r#"
terrains = [{ name = "low" }, { name = "hill" }, { name = "road" }]
obstacles = [
  { shape = "sphere", center = [1, 0, 1], radius = 0.5 },
  { shape = "mesh", mesh = { vertices = [[0, 0, 0], [0, 2, 0], [0, 0, 2]], triangles = [[0, 1, 2]] }, offset = [8, 0, 0] },
]
surfaces = [
  { shape = "rectangle", layer = "low", min = [0, 0], max = [10, 10], y = 0 },
  { shape = "heightfield", layer = "hill", origin = [4, 4], spacing = 1, heights = [[0, 1, 0], [1, 2, 1], [0, 1, 0]] },
  { shape = "mesh", layer = "road", mesh = { vertices = [[0, 0, 8], [10, 0, 8], [10, 0, 9], [0, 0, 9]], triangles = [[0, 1, 2], [0, 2, 3]] }, offset = [0, 0.5, 0] },
]
"#,
    );
    let obstacles = world.to_obstacles().expect("sound");
    assert_eq!(obstacles.len(), 5);
    let under =
        |x: f32, z: f32| obstacles.ray_down(x, z, 9.0, -9.0).map(|hit| (hit.y, hit.layer.0));
    assert_eq!(under(1.0, 9.5), Some((0.0, 0)));
    assert_eq!(under(5.0, 5.0), Some((2.0, 1)));
    assert_eq!(under(3.0, 8.5), Some((0.5, 2)));
    assert_eq!(under(11.0, 8.5), None);
    assert!(obstacles.overlaps_sphere(Vec3::new(1.0, 0.4, 1.0), 0.0));
    let through = |z: f32| (Vec3::new(7.0, 0.5, z), Vec3::new(9.0, 0.5, z));
    assert!(obstacles.first_hit(through(0.5).0, through(0.5).1).is_some());
    assert!(obstacles.first_hit(through(1.8).0, through(1.8).1).is_none());
}

const PLACED: &str = r#"
terrains = [{ name = "yard", penalty = 0.5 }, { name = "pool", walkable = false }]
surfaces = [
  { shape = "rectangle", layer = "yard", min = [0, 0], max = [20, 20], y = 1 },
  { shape = "rectangle", layer = "pool", min = [0, 0], max = [4, 20], y = 1.1 },
]
obstacles = [{ shape = "box", center = [12, 2, 10], half_extents = [1, 1, 1] }]
waypoints = [{ id = "gate", at = [10, 1, 0] }]
placements = [
  { area = { min = [-5, 0], max = [25, 20] }, agent_radius = 0.5, generate = { kind = "grid", spacing = 2.5 } },
  { area = { min = [0, 0], max = [20, 20] }, agent_radius = 0.5, prefix = "c", generate = { kind = "corners" } },
  { area = { min = [0, 0], max = [20, 20] }, generate = { kind = "random", count = 9, seed = 1 } },
  { area = { min = [0, 0], max = [20, 20] }, prefix = "d", generate = { kind = "poisson", spacing = 3 } },
]
auto_links = { max_distance = 4, agent_radius = 0.4, eye_height = 0.5 }
queries = [
  { name = "a", from = "gate", to = "c4" },
  { name = "b", from = [19, 1, 19], to = "p3" },
]
"#;

#[test]
fn placements_stand_on_walkable_ground_and_are_named() {
    let world = graph(PLACED);
    let count = |prefix: &str| {
        world.ids.keys().filter(|id| id.starts_with(prefix) && *id != "gate").count()
    };
    assert_eq!(count("c"), 4);
    assert!(count("d") > 10);
    let placed: Vec<WaypointId> = world.graph.ids().skip(1).collect();
    for id in &placed {
        let at = world.graph.position(*id);
        assert!(at.x > 4.0 && at.x <= 20.0 && at.y == 1.0, "{at} is off the yard");
        assert!((at - Vec3::new(12.0, 1.0, 10.0)).abs().max_element() > 1.0, "{at} is in the box");
        assert_eq!(world.graph.waypoint(*id).map(|waypoint| waypoint.cost), Some(0.5));
        assert_eq!(world.ground[id.index() as usize].map(|id| id.0), Some(0));
    }
    // Numbers go on where the first placement with the prefix ended.
    let rows = 7 * 9 - 1;
    let first_random = world.ids[&format!("p{}", rows + 1)];
    assert_eq!(count("p"), rows + 9);
    assert!(first_random > world.ids["c4"]);
    assert_eq!(world.routes[0].goal, world.ids["c4"]);
    assert_eq!(world.routes[1].goal, world.ids["p3"]);
    let start = world.graph.position(world.routes[1].start);
    assert!(start.distance(Vec3::new(19.0, 1.0, 19.0)) < 3.0);
    for route in &world.routes {
        let answer = solve(&world.graph, &AStar::new(), Query::new(route.start, route.goal));
        assert!(answer.outcome.is_found());
    }
    let links: Vec<WaypointLink> = world.graph.links().collect();
    assert_eq!(links, graph(PLACED).graph.links().collect::<Vec<_>>(), "the same every time");
}

#[test]
fn a_point_goes_to_a_waypoint_that_it_sees() {
    let world = graph(
        r#"
obstacles = [{ shape = "box", center = [1, 0, 0], half_extents = [0.1, 5, 5] }]
waypoints = [{ id = "behind", at = [1.5, 0, 0] }, { id = "before", at = [-3, 0, 0] }]
queries = [{ name = "q", from = [0, 0, 0], to = "behind" }]
"#,
    );
    assert_eq!(world.routes[0].start, world.ids["before"]);
}

/// The error of a scene file that reads well but cannot be built.
fn build_error(body: &str) -> (String, WorldErrorKind) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.toml");
    std::fs::write(&path, format!("scene = {{ name = \"s\" }}\n{body}")).expect("written");
    let error = Playable::open(&path, &Movement::default()).expect_err("cannot be built");
    assert_eq!(error.path(), Some(path.as_path()));
    let said = error.to_string();
    let said = said.strip_prefix(&format!("{}:", path.display())).expect("the file comes first");
    (said.to_string(), error.kind())
}

#[test]
fn what_cannot_be_built_is_found_in_the_file() {
    let two =
        "waypoints = [\n  { id = \"a\", at = [0, 0, 0] },\n  { id = \"b\", at = [1, 0, 0] },\n]\n";
    let area = "area = { min = [0, 0], max = [9, 9] }";
    let cases = [
        // Queries for waypoints that the placements do not make.
        (
            format!("placements = [{{ {area}, generate = {{ kind = \"grid\", spacing = 9 }} }}]\nqueries = [{{ name = \"q\", from = \"p1\", to = \"p5\" }}]"),
            "3:44: ",
            "there is no waypoint 'p5'",
        ),
        (
            format!("waypoints = [{{ id = \"p2\", at = [0, 0, 0] }}]\nplacements = [\n  {{ {area}, generate = {{ kind = \"grid\", spacing = 9 }} }}]"),
            "4:3: ",
            "second waypoint 'p2'",
        ),
        (
            format!("placements = [\n  {{ {area}, generate = {{ kind = \"random\", count = 1000000000 }} }}]"),
            "3:82: ",
            "1000000000 waypoints",
        ),
        (
            format!("placements = [\n  {{ {area}, generate = {{ kind = \"poisson\", spacing = 1e-5 }} }}]"),
            "3:85: ",
            "waypoints",
        ),
        (
            format!("placements = [{{ {area}, generate = {{ kind = \"random\", count = 500000 }} }}]\nauto_links = {{ max_distance = 100 }}"),
            "3:14: ",
            "lower k_nearest",
        ),
        (
            "grid = { min = [0, 0], max = [1000000, 1000000], node_radius = 0.5 }".to_string(),
            "2:64: ",
            "1000000 × 1000000 cells",
        ),
        (
            format!("{two}links = [\n  {{ from = \"a\", to = \"b\", cost = 1.9e6, danger = 1.9e6 }}]"),
            "7:3: ",
            "too long",
        ),
        (
            format!("terrains = [\n  {{ name = \"t\", penalty = -1 }}]\nsurfaces = [{{ shape = \"rectangle\", layer = \"t\", min = [0, 0], max = [9, 9], y = 0 }}]\nplacements = [{{ {area}, generate = {{ kind = \"grid\", spacing = 9 }} }}]"),
            "3:27: ",
            "negative",
        ),
        (
            "obstacles = [\n  { shape = \"mesh\", mesh = { vertices = [[0, 0, 0], [1, 0, 0], [2, 0, 0]], triangles = [[0, 1, 2]] } }]".to_string(),
            "3:3: ",
            "no triangle with an area",
        ),
        (String::new(), " ", "neither waypoints nor a grid"),
    ];
    for (body, place, part) in cases {
        // A scene without obstacles or the like is not built before it is asked for a space.
        let body = if part.contains("triangle") { format!("{body}\n{two}") } else { body };
        let (said, _) = build_error(&body);
        assert!(said.starts_with(place), "{said:?} should start with {place:?}");
        assert!(said.contains(part), "{said:?} should hold {part:?}");
    }
    assert_eq!(build_error("").1, WorldErrorKind::NotSearchable);
}

/// Two banks of a river with a bridge, and whatever else the scene has.
fn river(more: &str) -> WaypointWorld {
    graph(&format!(
        r#"
terrains = [{{ name = "meadow" }}, {{ name = "river", walkable = false }}]
waypoints = [
  {{ id = "a", at = [0, 0, 0], terrain = "meadow" }},
  {{ id = "mid", at = [2, 0, 0], terrain = "river" }},
  {{ id = "b", at = [4, 0, 0], terrain = "meadow" }},
  {{ id = "bridge", at = [2, 0, 9], terrain = "meadow" }},
]
links = [
  {{ from = "a", to = "mid" }}, {{ from = "mid", to = "b" }},
  {{ from = "a", to = "bridge" }}, {{ from = "bridge", to = "b" }},
]
{more}
"#
    ))
}

#[test]
fn lines_lead_only_along_links_where_nothing_else_tells_the_way() {
    let rock = "{ shape = \"sphere\", center = [9, 0, 9], radius = 1 }";
    for world in [river(""), river(&format!("obstacles = [{rock}]"))] {
        let [a, b, bridge] = ["a", "b", "bridge"].map(|name| world.ids[name]);
        assert_eq!(world.graph.line_cost(a, b), None, "through the river");
        assert!(world.graph.line_cost(a, bridge).is_some());
        let query = || Query::new(a, b);
        let any_angle =
            solve(&world.graph, &wayfare_core::search::LazyThetaStar, query()).outcome.into_path();
        let along_links = solve(&world.graph, &AStar::new(), query()).outcome.into_path();
        assert_eq!(any_angle, along_links);
        let short = wayfare_core::path::shorten_path(&world.graph, &along_links);
        assert!(short.states().any(|state| state == bridge));
    }
    // On plain ground an obstacle says where one can walk: anywhere else.
    let yard = graph(&format!(
        "waypoints = [{{ id = \"a\", at = [0, 0, 0] }}, {{ id = \"b\", at = [4, 0, 0] }}]\n\
         obstacles = [{rock}]"
    ));
    assert_eq!(yard.graph.line_cost(yard.ids["a"], yard.ids["b"]), Some(4000));
}

/// A floor of 8 × 6 m with a step 2 m high across it.
const STEP: &str = "\
v 0 0 0\nv 4 0 0\nv 4 0 6\nv 0 0 6\nf 1 4 3 2\n\
v 4 2 0\nv 8 2 0\nv 8 2 6\nv 4 2 6\nf 5 8 7 6\n";

/// Nobody climbs a step of 2 m between two cells.
#[test]
fn a_mesh_alone_is_sampled_and_its_steps_are_walls() {
    let files = |text: &str| wayfare_formats::MemoryFiles::new().with("level.obj", text);
    let open = |text: &str| Playable::open_from("level.obj", &files(text), &Movement::default());
    let Ok(Playable::Grid(world)) = open(STEP) else { panic!("a grid") };
    assert_eq!((world.name.as_str(), world.grid.width(), world.grid.height()), ("level", 16, 12));
    let [remark] = world.remarks.as_slice() else { panic!("{:?}", world.remarks) };
    assert!(remark.contains("cells of 0.50 m") && remark.contains("45°"), "{remark}");
    let space = world.grid.space();
    let cell = |x, y| world.grid.cell(x, y).expect("on the map");
    for row in 0..12 {
        for column in [7, 8] {
            assert!(space.check(cell(column, row)).is_err(), "the step at {column},{row}");
        }
    }
    assert!(space.check(cell(2, 2)).is_ok() && space.check(cell(12, 2)).is_ok());
    let error = open("v 0 0 0\nv 0 1 0\nv 0 1 1\nf 1 2 3\n").expect_err("upright");
    assert!(error.to_string().contains("no extent along x and z"), "{error}");
}
