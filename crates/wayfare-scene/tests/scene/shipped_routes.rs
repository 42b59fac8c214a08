//! The shipped worlds show what they are there to show.

use std::path::{Path, PathBuf};

use wayfare_core::path::validate;
use wayfare_core::search::{
    AStar, AnswerOf, Bfs, CostOfMovement, Dijkstra, HScore, InverseCostOfMovement,
    ManhattanDistance, Query, Solver, Vector3Distance, solve,
};
use wayfare_core::space::{Reachability, Space, StateId};
use wayfare_formats::{TilePosition, movingai_scen};
use wayfare_grid::waypoint::WaypointGraph;
use wayfare_scene::{GridWorld, Movement, NamedRoute, Playable, WaypointWorld, World, read_path};

fn shipped(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds").join(file)
}

fn waypoints(file: &str) -> WaypointWorld {
    match Playable::open(shipped(file), &Movement::default()) {
        Ok(Playable::Waypoints(world)) => world,
        other => panic!("{file}: {other:?}"),
    }
}

fn grid(file: &str) -> GridWorld {
    match Playable::open(shipped(file), &Movement::default()) {
        Ok(Playable::Grid(world)) => world,
        other => panic!("{file}: {other:?}"),
    }
}

fn route<'w, State>(routes: &'w [NamedRoute<State>], name: &str) -> &'w NamedRoute<State> {
    routes.iter().find(|route| route.name.as_deref() == Some(name)).expect("a shipped query")
}

/// The terrains that the cheapest route enters; it is one which two algorithms agree on.
fn terrains_on_the_way(world: &WaypointWorld, name: &str) -> (u64, Vec<String>) {
    let route = route(&world.routes, name);
    let query = || Query::new(route.start, route.goal);
    let path = solve(&world.graph, &AStar::new(), query()).outcome.into_path();
    let oracle = solve(&world.graph, &Dijkstra, query()).outcome.into_path();
    validate(&world.graph, &path, route.start, route.goal).expect("a sound path");
    assert_eq!(path.cost(), oracle.cost(), "{name}");
    let terrain = |id: wayfare_grid::waypoint::WaypointId| {
        let ground = world.ground[id.index() as usize].expect("a tile has a terrain");
        world.terrains[usize::from(ground.0)].name.clone()
    };
    (path.cost(), path.states().skip(1).map(terrain).collect())
}

#[test]
fn village_routes_weigh_bridge_snow_and_mountain() {
    let world = waypoints("village.toml");
    assert_eq!((world.graph.len(), world.graph.cost_shift()), (256, 0.5));
    let count = |terrains: &[String], name: &str| terrains.iter().filter(|t| *t == name).count();

    // One tile of snow saves the long way round; no tile of mountain saves anything.
    let (_, way) = terrains_on_the_way(&world, "over the range");
    assert_eq!((count(&way, "snow"), count(&way, "mountain"), count(&way, "bridge")), (1, 0, 0));
    assert!(way.len() > 7, "straight over the top would be 7 steps");

    let (_, way) = terrains_on_the_way(&world, "to the other town");
    assert_eq!((count(&way, "snow"), count(&way, "mountain"), count(&way, "bridge")), (1, 0, 1));

    let (_, way) = terrains_on_the_way(&world, "to the beach");
    assert_eq!((count(&way, "bridge"), way.last().map(String::as_str)), (1, Some("sand")));

    let (_, way) = terrains_on_the_way(&world, "home past the mountain");
    assert_eq!((count(&way, "snow"), count(&way, "mountain"), count(&way, "bridge")), (0, 0, 1));
}

fn policies(
    graph: &WaypointGraph,
    route: &NamedRoute<wayfare_grid::waypoint::WaypointId>,
    ignore_own_costs: bool,
) -> [AnswerOf<WaypointGraph>; 5] {
    let query = || Query::new(route.start, route.goal);
    [
        solve(graph, &Vector3Distance { ignore_own_costs }, query()),
        solve(graph, &ManhattanDistance { ignore_own_costs }, query()),
        solve(graph, &CostOfMovement { ignore_own_costs }, query()),
        solve(graph, &InverseCostOfMovement { ignore_own_costs }, query()),
        solve(graph, &HScore { ignore_own_costs }, query()),
    ]
}

/// The costs of the policies' paths on the village's routes, in metres, as an independent program
/// that follows the tutorial step by step computes them with real numbers: with own costs, then
/// without. That program takes waypoints again and again, and gave up on the last path of all; it
/// is that of breadth-first search.
const COSTS: [(bool, [[f64; 4]; 5]); 2] = [
    (
        false,
        [
            [44.5563, 34.3137, 15.0711, 21.5711],
            [44.5563, 34.3137, 14.7426, 21.5711],
            [44.5563, 34.3137, 14.7426, 21.5711],
            [431.3284, 651.0563, 15.0711, 445.1421],
            [44.5563, 34.6421, 14.2426, 23.8137],
        ],
    ),
    (
        true,
        [
            [330.5000, 153.1421, 14.7426, 243.4853],
            [330.5000, 153.1421, 14.7426, 243.4853],
            [330.5000, 153.1421, 14.7426, 243.4853],
            [330.5000, 153.1421, 14.7426, 243.4853],
            [332.1569, 153.1421, 14.2426, 443.2279],
        ],
    ),
];

#[test]
fn the_tutorial_policies_take_the_tutorials_paths() {
    let world = waypoints("village.toml");
    let graph = &world.graph;
    assert_eq!(world.routes.len(), 4);
    for (ignore_own_costs, table) in COSTS {
        for (number, asked) in world.routes.iter().enumerate() {
            let best = terrains_on_the_way(&world, asked.name.as_deref().expect("named")).0;
            let answers = policies(graph, asked, ignore_own_costs);
            for (policy, (answer, costs)) in answers.iter().zip(&table).enumerate() {
                let path = answer.outcome.path().expect("found by every policy");
                validate(graph, path, asked.start, asked.goal).expect("a sound path");
                assert!(path.cost() >= best);
                let exact = graph.exact_cost(path.states()).expect("along links");
                let case = (ignore_own_costs, policy, number, exact);
                assert!((exact - costs[number]).abs() < 1e-4, "{case:?}");
                // Costs are whole thousandths of a metre, and those of links are rounded up.
                let rounded_up = path.cost() as f64 / 1000.0 - exact;
                assert!((-1e-5..path.len() as f64 / 1000.0).contains(&rounded_up), "{case:?}");
            }
        }
    }
}

#[test]
fn policies_of_equal_scores_take_the_fewest_moves() {
    let world = waypoints("village.toml");
    for asked in &world.routes {
        let query = || Query::new(asked.start, asked.goal);
        let breadth_first = solve(&world.graph, &Bfs, query()).outcome.into_path();
        let answers = policies(&world.graph, asked, true);
        let path = answers[4].outcome.path().expect("found");
        assert_eq!(path.states().collect::<Vec<_>>(), breadth_first.states().collect::<Vec<_>>());
    }
}

/// The same village as a grid costs the same: a step and half a step for the shift, in other units.
#[test]
fn the_village_grid_agrees_with_its_graph() {
    let graph = waypoints("village.toml");
    let tiles = grid("village.tmj");
    let space = tiles.grid.space();
    for asked in &graph.routes {
        let cell = |id| {
            let name = graph.graph.name(id).and_then(|name| name.split_once(','));
            let (x, y) = name.expect("named by column and row");
            let number = |text: &str| text.parse().expect("a number");
            tiles.grid.cell(number(x), number(y)).expect("on the map")
        };
        let (start, goal) = (cell(asked.start), cell(asked.goal));
        let path = solve(&space, &AStar::new(), Query::new(start, goal)).outcome.into_path();
        validate(&space, &path, start, goal).expect("a sound path");
        let oracle = solve(&space, &Dijkstra, Query::new(start, goal)).outcome.into_path();
        assert_eq!(path.cost(), oracle.cost());
        let name = asked.name.as_deref().expect("named");
        let (waypoint_cost, _) = terrains_on_the_way(&graph, name);
        let (metres, steps) = (
            waypoint_cost as f64 / 1000.0,
            f64::from(path.cost()) / f64::from(wayfare_core::space::STRAIGHT),
        );
        assert!((metres - steps).abs() < 0.1, "{name}: {metres} against {steps}");
    }
}

#[test]
fn the_yard_hangs_together() {
    let world = waypoints("obstacles.toml");
    let graph = &world.graph;
    assert!((50..=70).contains(&graph.len()), "{} waypoints", graph.len());
    let first = graph.ids().next().expect("there are waypoints");
    for id in graph.ids() {
        assert_eq!(graph.reachability(first, id), Reachability::Possible, "{:?}", graph.name(id));
        let mut links = 0;
        graph.successors(id, |_| links += 1);
        assert!((2..=8).contains(&links), "{:?} has {links} links", graph.name(id));
    }
    assert!(world.link_counts.blocked > 30, "the obstacles are in the way");
    assert_eq!(world.routes.len(), 3);
    for asked in &world.routes {
        let query = || Query::new(asked.start, asked.goal);
        let path = solve(graph, &AStar::new(), query()).outcome.into_path();
        validate(graph, &path, asked.start, asked.goal).expect("a sound path");
        assert_eq!(path.cost(), solve(graph, &Dijkstra, query()).outcome.into_path().cost());
        assert!(path.len() >= 5, "{:?} is too easy", asked.name);
        assert!(policies(graph, asked, false).iter().all(|answer| answer.outcome.is_found()));
    }
}

#[test]
fn scenarios_name_the_lengths_of_the_best_routes() {
    for file in ["cave.map.scen", "city.map.scen"] {
        let path = shipped(file);
        let Ok(World::Scenario(scenario)) = read_path(&path) else { panic!("{file}") };
        assert!((150..=250).contains(&scenario.entries.len()), "{file}");
        let map = movingai_scen::find_map(&path, &scenario).expect("beside it");
        let world = grid(&map.file_name().expect("a file").to_string_lossy());
        let space = world.grid.space();
        let longest = scenario.entries.last().expect("not empty").optimal_length;
        assert!(scenario.entries[0].optimal_length < longest / 10.0, "{file} has short queries");
        let mut solver = Solver::new();
        // All are checked where they are made.
        for entry in scenario.entries.iter().step_by(10) {
            let cell = |at: TilePosition| world.grid.cell(at.x, at.y).expect("on the map");
            let query = Query::new(cell(entry.start), cell(entry.goal));
            let path = solver.solve(&space, &AStar::new(), query).outcome.into_path();
            let length = space.length(path.states());
            assert!((length - entry.optimal_length).abs() < 1e-9, "{file}: {entry:?}");
            assert_eq!(entry.bucket, (length / 4.0) as u32);
        }
    }
}

/// The share of a route that runs on the road.
fn share_on_road(world: &GridWorld, name: &str) -> f64 {
    let space = world.grid.space();
    let asked = route(&world.routes, name);
    let query = || Query::new(asked.start, asked.goal);
    let path = solve(&space, &AStar::new(), query()).outcome.into_path();
    validate(&space, &path, asked.start, asked.goal).expect("a sound path");
    assert_eq!(path.cost(), solve(&space, &Dijkstra, query()).outcome.into_path().cost());
    let road = world.terrains.iter().position(|terrain| terrain.name == "road");
    let on_road = |cell| Some(usize::from(world.grid.terrain(cell).0)) == road;
    path.states().filter(|cell| on_road(*cell)).count() as f64 / path.states().len() as f64
}

#[test]
fn hills_have_a_road_that_agents_prefer() {
    let world = grid("hills.toml");
    assert_eq!((world.grid.width(), world.grid.height()), (64, 64));
    let heights = world.grid.cells().map(|cell| world.grid.centre(cell).y);
    let (low, high) = heights.fold((f32::MAX, f32::MIN), |(a, b), y| (a.min(y), b.max(y)));
    assert!(high - low > 5.0, "hills from {low} to {high}");
    // Both ends lie off the road, and yet most of the way is on it, unless the road is too far
    // away.
    let share = share_on_road(&world, "west to east");
    assert!(share > 0.55, "only {share} of the way is on the road");
    assert!(share_on_road(&world, "along the north") < 0.1);
    // The blur keeps agents off the verge: its middle is free, its edge is not.
    let space = world.grid.space();
    let asked = route(&world.routes, "west to east");
    let path =
        solve(&space, &AStar::new(), Query::new(asked.start, asked.goal)).outcome.into_path();
    let profile = world.grid.profiles().next().expect("one profile");
    let is_road = |cell| world.grid.terrain(cell).0 == 1;
    let mean = |cells: &[wayfare_grid::grid::Cell]| {
        let sum: f32 = cells.iter().map(|cell| world.grid.penalty(*cell, profile)).sum();
        sum / cells.len() as f32
    };
    let walked: Vec<_> = path.states().filter(|cell| is_road(*cell)).collect();
    let road: Vec<_> = world.grid.cells().filter(|cell| is_road(*cell)).collect();
    assert!(mean(&walked) < mean(&road), "{} against {}", mean(&walked), mean(&road));
}
