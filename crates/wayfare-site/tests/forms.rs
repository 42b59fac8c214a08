//! One scene as a grid and as a graph of waypoints.

use wayfare::search::AlgorithmId;
use wayfare_scene::scene::{self, Scene};
use wayfare_scene::{World, read_path};
use wayfare_site::{
    EndpointTexts, Endpoints, GroundCost, Layout, NoFiles, OpenOptions, OtherForm, Population,
    SearchRequest, Site, SiteError, choose_ends, open, open_bytes, other_form, populate,
};

fn path(name: &str) -> String {
    format!("{}/../../worlds/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn shipped(name: &str) -> Box<dyn Site> {
    open(path(name), &OpenOptions::default()).expect("a shipped world")
}

fn scene_of(name: &str) -> Option<Scene> {
    match read_path(path(name)).expect("a shipped world") {
        World::Scene(scene) => Some(scene),
        _ => None,
    }
}

/// The site of a scene that was written and read again.
fn built(form: &OtherForm) -> Box<dyn Site> {
    let text = scene::write(&form.scene).expect("a sound scene");
    open_bytes("form.toml", text.as_bytes(), &NoFiles, &OpenOptions::default()).expect("it opens")
}

/// The cost of a cheapest path in units of length.
fn cost(site: &dyn Site, ends: Endpoints) -> Option<f64> {
    let request = SearchRequest::new(AlgorithmId::AStar, ends);
    let report = site.searcher().run(&request, &mut |_| ());
    report.is_found().then(|| report.cost() as f64 / site.about().unit_cost)
}

fn free(site: &dyn Site) -> Vec<u32> {
    let mut states = Vec::new();
    site.for_each_free(&mut |free| states.push(free.state));
    states
}

#[test]
fn paths_cost_the_same_on_a_grid_and_on_its_waypoints() {
    let mut worlds: Vec<(String, Box<dyn Site>)> = ["village.tmj", "maze.txt", "hills.toml"]
        .map(|name| (name.to_owned(), shipped(name)))
        .into();
    // Costs that were changed, and a blur.
    let mut dear = shipped("village.tmj");
    let cost_of = GroundCost { is_open: true, multiplier: 2.5, penalty: 1.5 };
    dear.set_ground_cost("grass", cost_of).expect("a grid");
    dear.set_blur(2).expect("a grid");
    worlds.push(("village.tmj with other costs".to_owned(), dear));
    for (name, grid) in &worlds {
        let own = choose_ends(grid.as_ref(), EndpointTexts::default()).expect("ends").ends;
        let form = other_form(grid.as_ref(), None, own).expect("a grid");
        let graph = built(&form);
        let states = free(grid.as_ref());
        assert_eq!(graph.about().states, states.len() as u64, "{name}");
        assert_eq!(
            graph.find(&form.start).ok(),
            graph.find(&waypoint(grid.as_ref(), own.start)).ok()
        );
        let mut compared = 0;
        for at in 0..60usize {
            let pick = |seed: usize| states[seed * 7919 % states.len()];
            let ends = Endpoints { start: pick(at), goal: pick(at * 31 + 11) };
            let there = [ends.start, ends.goal]
                .map(|state| graph.find(&waypoint(grid.as_ref(), state)).expect("a waypoint"));
            let there = Endpoints { start: there[0], goal: there[1] };
            match (cost(grid.as_ref(), ends), cost(graph.as_ref(), there)) {
                (Some(a), Some(b)) => {
                    // Costs of links and waypoints are rounded one by one.
                    assert!((a - b).abs() <= 2e-3 * a.max(1.0), "{name}: {a} and {b}");
                    compared += 1;
                }
                (None, None) => (),
                other => panic!("{name}, {ends:?}: {other:?}"),
            }
        }
        assert!(compared > 20, "{name}: {compared} pairs with a path");
    }
}

/// The name of the waypoint of a cell.
fn waypoint(grid: &dyn Site, state: u32) -> String {
    let Layout::Cells(cells) = grid.layout() else { panic!("a grid") };
    let offset = state - cells.first;
    format!("{},{}", offset % cells.stride, offset / cells.stride)
}

#[test]
fn waypoints_on_a_lattice_become_the_tiles_that_they_came_from() {
    let graph = shipped("village.toml");
    let own = scene_of("village.toml");
    let ends = choose_ends(graph.as_ref(), EndpointTexts::default()).expect("ends").ends;
    let form = other_form(graph.as_ref(), own.as_ref(), ends).expect("a graph");
    let tiles = built(&form);
    let (Layout::Cells(made), Layout::Cells(drawn)) =
        (tiles.layout(), shipped("village.tmj").layout())
    else {
        panic!("grids")
    };
    assert_eq!((made.width, made.height), (drawn.width, drawn.height));
    let name = |cells: &wayfare_site::CellLayout, at: usize| {
        cells.grounds[usize::from(cells.ground[at])].name.clone()
    };
    for at in 0..made.ground.len() {
        assert_eq!(name(&made, at), name(&drawn, at), "tile {at}");
    }
    // And there and back again.
    let grid = shipped("maze.txt");
    let ends = choose_ends(grid.as_ref(), EndpointTexts::default()).expect("ends").ends;
    let form = other_form(grid.as_ref(), None, ends).expect("a grid");
    let there = built(&form);
    let find = |text: &str| there.find(text).expect("a waypoint");
    let ends_there = Endpoints { start: find(&form.start), goal: find(&form.goal) };
    let back = built(&other_form(there.as_ref(), Some(&form.scene), ends_there).expect("a graph"));
    assert_eq!(free(back.as_ref()).len(), free(grid.as_ref()).len());
}

#[test]
fn agents_walk_on_grids_whose_cells_were_blocked() {
    let mut grid = shipped("maze.txt");
    let state = free(grid.as_ref())[5];
    grid.set_ground(&[(state, "blocked")]).expect("a grid");
    let three = Population { count: 3, seed: 1, avoidance: wayfare::crowd::AvoidanceQuality::Off };
    let text =
        scene::write(&populate(grid.as_ref(), None, None, three).expect("a grid")).expect("sound");
    let copy = open_bytes("copy.toml", text.as_bytes(), &NoFiles, &OpenOptions::default());
    assert_eq!(free(copy.expect("it opens").as_ref()), free(grid.as_ref()));
}

#[test]
fn a_yard_of_waypoints_is_sampled_over_its_ground() {
    let graph = shipped("obstacles.toml");
    let own = scene_of("obstacles.toml");
    let ends = choose_ends(graph.as_ref(), EndpointTexts::default()).expect("ends").ends;
    let form = other_form(graph.as_ref(), own.as_ref(), ends).expect("a scene");
    let grid = built(&form);
    let Layout::Cells(cells) = grid.layout() else { panic!("a grid") };
    assert!(cells.width >= 90 && cells.height >= 90, "{} by {}", cells.width, cells.height);
    let there = [&form.start, &form.goal].map(|text| grid.find(text).expect("a place"));
    let (sampled, linked) = (
        cost(grid.as_ref(), Endpoints { start: there[0], goal: there[1] }).expect("a path"),
        cost(graph.as_ref(), ends).expect("a path"),
    );
    // Cells lead straighter than few waypoints, though in eight directions alone.
    assert!(sampled < linked * 1.1, "{sampled} and {linked}");
    let far = grid.position(there[0]).distance(graph.position(ends.start));
    assert!(far < 0.5, "the start is {far} m away");
    assert!(other_form(graph.as_ref(), None, ends).is_err(), "no scene, no ground");
}

#[test]
fn other_worlds_and_too_large_ones_say_so() {
    let house = shipped("house.obj");
    let ends = Endpoints { start: 0, goal: 1 };
    let refused = other_form(house.as_ref(), None, ends).expect_err("a mesh");
    assert!(matches!(refused, SiteError::Unsearchable { .. }), "{refused}");
    let wide = ".".repeat(300) + "\n";
    let map = wide.repeat(300);
    let site = open_bytes("wide.txt", map.as_bytes(), &NoFiles, &OpenOptions::default());
    let refused = other_form(site.expect("a map").as_ref(), None, ends).expect_err("too many");
    assert!(refused.to_string().contains("90000 free cells"), "{refused}");
}
