//! Danger: taught by agents that are hurt, forgotten with time. Arcs of jumps and falls.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::space::{
    CostTable, InfluenceRule, NegativeCosts, Space, StateId, TerrainCost, TerrainId,
};
use wayfare_grid::grid::{Grid, GridProfile};
use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
use wayfare_sim::agent::Order;
use wayfare_sim::simulation::{
    Command, Environment, Event, GridEdit, Shape, Simulation, SimulationSettings, Spread,
};
use wayfare_voxel::{BlockId, VoxelGrid, VoxelProfile, VoxelSize};

use crate::support::{agent, at, on_grid, run};

/// Two ways round a wall, 11 by 6: the upper one is shorter.
const TWO_WAYS: [&str; 6] =
    ["...........", ".#########.", ".#########.", ".#########.", "...........", "..........."];

fn settings() -> SimulationSettings {
    let danger = InfluenceRule { kept_per_second: 0.7, ..InfluenceRule::default() };
    SimulationSettings { danger, ..SimulationSettings::default() }
}

fn two_ways() -> Simulation<Grid> {
    Simulation::new(Grid::from_rows(&TWO_WAYS).unwrap(), NavLinks::new(3.0), settings()).unwrap()
}

/// The same as a graph: a waypoint in the middle of each free cell.
fn two_ways_of_waypoints() -> Simulation<WaypointGraph> {
    let grid = Grid::from_rows(&TWO_WAYS).unwrap();
    let space = grid.space();
    let cells: Vec<_> = (0..6).flat_map(|y| (0..11).map(move |x| (x, y))).collect();
    let cells: Vec<_> = cells.into_iter().filter_map(|(x, y)| grid.cell(x, y)).collect();
    let free: Vec<_> = cells.into_iter().filter(|&cell| space.is_free(cell)).collect();
    let number =
        |cell| WaypointId::from_index(free.iter().position(|&one| one == cell).unwrap() as u32);
    let mut links = Vec::new();
    for &cell in &free {
        space.successors(cell, |edge| {
            links.push(WaypointLink::one_way(number(cell), number(edge.target)));
        });
    }
    let points = free.iter().map(|&cell| Waypoint::at(grid.centre(cell)));
    let graph = WaypointGraph::new(points, links, NegativeCosts::Reject).unwrap();
    Simulation::new(graph, NavLinks::new(3.0), settings()).unwrap()
}

/// The same in blocks: walls of two blocks on a floor.
fn two_ways_of_blocks() -> Simulation<VoxelGrid> {
    let size = VoxelSize { width: 11, height: 4, depth: 6 };
    let world = VoxelGrid::from_fn(size, &[], VoxelProfile::default(), |place| {
        let is_wall = TWO_WAYS[place.z as usize].as_bytes()[place.x as usize] == b'#';
        if place.y == 0 || is_wall && place.y < 3 { BlockId::SOLID } else { BlockId::AIR }
    });
    Simulation::new(world.unwrap(), NavLinks::new(3.0), settings()).unwrap()
}

/// Whether a walker takes the lower way: before anyone was hurt on the upper one, at once after it,
/// and long after it.
fn lower_ways<W: Environment + Clone>(mut simulation: Simulation<W>, floor: f32) -> [bool; 3] {
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let at = |x: u32, z: u32| at(x, z).with_y(floor);
    let victim = simulation.add_agent(agent("victim", class, at(5, 0))).unwrap();
    let untouched = simulation.links().danger().clone();
    let ways = [false, true, false].map(|hurts| {
        if hurts {
            simulation.schedule(0, Command::Harm { agent: victim, amount: 50.0 });
            let happened = run(&mut simulation, 1);
            assert!(happened.iter().any(|one| one.1 == Event::Hurt(victim)));
        }
        let walker = simulation.add_agent(agent("walker", class, at(0, 1))).unwrap();
        simulation.order(walker, Order::GoTo(at(10, 1)));
        run(&mut simulation, 4);
        let walker_now = simulation.agent(walker).unwrap();
        let lowest = walker_now.way_ahead().map(|point| point.z).fold(0.0f32, f32::max);
        simulation.schedule(0, Command::Remove(walker));
        run(&mut simulation, 900);
        lowest > 3.0
    });
    assert_eq!(*simulation.links().danger(), untouched, "nothing is left of it");
    simulation.schedule(0, Command::Harm { agent: victim, amount: f32::NAN });
    let happened = run(&mut simulation, 1);
    assert!(matches!(happened[0].1, Event::Failed(_)));
    ways
}

#[test]
fn agents_avoid_where_one_was_hurt_until_the_danger_is_forgotten() {
    assert_eq!(lower_ways(two_ways(), 0.0), [false, true, false]);
}

#[test]
fn so_they_do_among_waypoints_and_in_blocks() {
    assert_eq!(lower_ways(two_ways_of_waypoints(), 0.0), [false, true, false]);
    assert_eq!(lower_ways(two_ways_of_blocks(), 1.5), [false, true, false]);
}

/// Open ground of 20 by 11, with nothing that would keep a line from being straight.
fn open_grid() -> Simulation<Grid> {
    let grid = Grid::from_rows(&["...................."; 11]).unwrap();
    Simulation::new(grid, NavLinks::new(3.0), lasting()).unwrap()
}

/// The same on a floor of blocks.
fn open_blocks() -> Simulation<VoxelGrid> {
    let size = VoxelSize { width: 20, height: 4, depth: 11 };
    let world = VoxelGrid::from_fn(size, &[], VoxelProfile::default(), |place| {
        if place.y == 0 { BlockId::SOLID } else { BlockId::AIR }
    });
    Simulation::new(world.unwrap(), NavLinks::new(3.0), lasting()).unwrap()
}

/// Danger that stays where it is for as long as a walk takes.
fn lasting() -> SimulationSettings {
    let danger =
        InfluenceRule { kept_per_second: 1.0, spread_per_second: 0.0, ..settings().danger };
    SimulationSettings { danger, ..settings() }
}

/// How agents come to know of danger in the middle of open ground.
#[derive(Clone, Copy, Debug)]
enum Known {
    Before,
    UnderWay,
    LearntFromOneThatWasHurt,
}

/// Whether a walker across open ground keeps out of all states in danger, and arrives.
fn keeps_out<W: Environment + Clone>(
    mut simulation: Simulation<W>,
    known: Known,
    floor: f32,
) -> bool {
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let at = |x: u32, z: u32| at(x, z).with_y(floor);
    let (min, max) = (at(8, 4) - 0.4, at(11, 6) + 0.4);
    let danger = Command::Danger { shape: Shape::Box { min, max }, amount: 50.0 };
    match known {
        Known::Before => simulation.schedule(0, danger),
        Known::UnderWay => simulation.schedule(30, danger),
        Known::LearntFromOneThatWasHurt => {
            let victim = simulation.add_agent(agent("victim", class, at(9, 5))).unwrap();
            simulation.schedule(0, Command::Harm { agent: victim, amount: 50.0 });
        }
    }
    run(&mut simulation, 1);
    let walker = simulation.add_agent(agent("walker", class, at(1, 5))).unwrap();
    simulation.order(walker, Order::GoTo(at(18, 5)));
    let mut keeps_out = true;
    for _ in 0..400 {
        run(&mut simulation, 1);
        let here = simulation.agent(walker).unwrap().position();
        let space = simulation.world().space(Default::default());
        keeps_out &= simulation.links().danger().iter().all(|one| {
            let away = (space.position(one.state) - here).with_y(0.0).abs();
            away.max_element() >= 0.5
        });
    }
    assert!(simulation.links().danger().iter().len() > 0);
    assert!(simulation.agent(walker).unwrap().position().distance(at(18, 5)) < 0.1, "{known:?}");
    keeps_out
}

#[test]
fn agents_go_round_danger_on_open_ground_however_they_learnt_of_it() {
    for known in [Known::Before, Known::UnderWay, Known::LearntFromOneThatWasHurt] {
        assert!(keeps_out(open_grid(), known, 0.0), "grid, {known:?}");
        assert!(keeps_out(open_blocks(), known, 1.5), "blocks, {known:?}");
    }
}

#[test]
fn a_walker_under_way_turns_back_from_danger_that_is_painted_ahead() {
    let mut simulation = two_ways();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(0, 1))).unwrap();
    simulation.order(walker, Order::GoTo(at(10, 1)));
    let (min, max) = (Vec3::new(6.0, 0.0, 0.0), Vec3::new(9.0, 1.0, 1.0));
    simulation.schedule(15, Command::Danger { shape: Shape::Box { min, max }, amount: 100.0 });
    run(&mut simulation, 15);
    let lowest = |simulation: &Simulation<Grid>| {
        let ahead = simulation.agent(walker).unwrap();
        ahead.way_ahead().map(|point| point.z).fold(0.0f32, f32::max)
    };
    assert!(lowest(&simulation) < 2.0);
    run(&mut simulation, 5);
    assert_eq!(simulation.links().danger().iter().len(), 3);
    assert!(lowest(&simulation) > 3.0);
}

#[test]
fn danger_ages_alike_after_a_snapshot_and_an_untouched_world_does_not_age() {
    let mut simulation = two_ways();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let victim = simulation.add_agent(agent("victim", class, at(5, 0))).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(0, 1))).unwrap();
    simulation.order(walker, Order::GoTo(at(10, 1)));
    let before = (simulation.world().revision(), simulation.links().revision());
    run(&mut simulation, 10);
    assert_eq!((simulation.world().revision(), simulation.links().revision()), before);
    simulation.schedule(0, Command::Harm { agent: victim, amount: 9.0 });
    run(&mut simulation, 30);
    assert!(!simulation.links().danger().is_empty());
    #[cfg(feature = "serde")]
    {
        let mut twin =
            Simulation::restore(two_ways().world().clone(), NavLinks::new(3.0), simulation.save())
                .unwrap();
        for _ in 0..100 {
            simulation.tick();
            twin.tick();
            assert_eq!(simulation.hash(), twin.hash());
        }
    }
}

#[test]
fn a_terrain_that_costs_a_profile_more_turns_its_agents_and_no_others() {
    let mut simulation = two_ways();
    let world = simulation.world().clone();
    let profile = world.profiles().next().unwrap();
    let road = TerrainId(9);
    let class = simulation.add_class(profile, Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(0, 1))).unwrap();
    let lowest = |simulation: &Simulation<Grid>| {
        let ahead = simulation.agent(walker).unwrap();
        ahead.way_ahead().map(|point| point.z).fold(0.0f32, f32::max)
    };
    let cells = (4..7).map(|x| world.cell(x, 0).unwrap()).collect();
    simulation.schedule(0, Command::Edit(GridEdit::Terrain { cells, terrain: road }));
    simulation.order(walker, Order::GoTo(at(10, 1)));
    run(&mut simulation, 4);
    assert!(lowest(&simulation) < 2.0);
    let before = simulation.hash();
    let cost = |cost| Command::Edit(GridEdit::Cost { profile, terrain: road, cost });
    simulation.schedule(0, cost(Some(TerrainCost { penalty: 50.0, ..TerrainCost::default() })));
    run(&mut simulation, 4);
    assert!(lowest(&simulation) > 3.0);
    assert_ne!(simulation.hash(), before);
    simulation.schedule(0, cost(None));
    run(&mut simulation, 40);
    // Each edited world equals one that was built so.
    let built = GridProfile { costs: CostTable::new().without(road), ..GridProfile::default() };
    let mut fresh = Grid::from_rows(&TWO_WAYS).unwrap();
    (4..7).for_each(|x| drop(fresh.set_terrain(fresh.cell(x, 0).unwrap(), road)));
    let other = fresh.add_profile(built).unwrap();
    let edited = simulation.world();
    for cell in edited.cells() {
        let mut moves = [Vec::new(), Vec::new()];
        edited.space_for::<u32>(profile).successors(cell, |edge| moves[0].push(edge));
        fresh.space_for::<u32>(other).successors(cell, |edge| moves[1].push(edge));
        assert_eq!(moves[0], moves[1]);
        assert_eq!(
            edited.space_for::<u32>(profile).check(cell),
            fresh.space_for::<u32>(other).check(cell)
        );
    }
    // It is a change of the world: a twin that makes it again goes on alike.
    #[cfg(feature = "serde")]
    {
        let saved = simulation.save();
        let mut twin = Simulation::restore(world, NavLinks::new(3.0), saved).unwrap();
        simulation.tick();
        twin.tick();
        assert_eq!(simulation.hash(), twin.hash());
    }
    let wrong = TerrainCost { penalty: f32::NAN, ..TerrainCost::default() };
    simulation.schedule(0, cost(Some(wrong)));
    assert!(matches!(run(&mut simulation, 1)[0].1, Event::Failed(_)));
}

#[test]
fn jumps_and_falls_are_arcs_over_the_edge_between_their_ends() {
    let size = VoxelSize { width: 12, height: 8, depth: 3 };
    let profile =
        VoxelProfile { max_fall_distance: 4, jump_distance: 1, ..VoxelProfile::default() };
    // Up a step of one block, and down a drop of three.
    let world = VoxelGrid::from_fn(size, &[], profile, |place| {
        let height = [2, 2, 2, 3, 3, 3, 0, 0, 0, 0, 0, 0][place.x as usize];
        if place.y <= height { BlockId::SOLID } else { BlockId::AIR }
    })
    .unwrap();
    let mut simulation =
        Simulation::new(world, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let start = glam::Vec3::new(0.5, 3.5, 1.5);
    let walker = simulation.add_agent(agent("walker", class, start)).unwrap();
    simulation.order(walker, Order::GoTo(glam::Vec3::new(10.5, 1.5, 1.5)));
    let (mut highest, mut over_step, mut over_drop) = (0.0f32, false, false);
    let ground = simulation.agent(walker).unwrap().position().y;
    for _ in 0..200 {
        run(&mut simulation, 1);
        let at = simulation.agent(walker).unwrap().position();
        highest = highest.max(at.y);
        // In the column of the edge the body is above the higher end.
        if (2.95..3.15).contains(&at.x) {
            over_step = at.y >= ground + 0.9;
        }
        if (5.8..6.0).contains(&at.x) {
            over_drop = at.y >= ground + 0.9;
        }
    }
    let end = simulation.agent(walker).unwrap().position();
    assert!(end.x > 10.0 && end.y < ground - 1.5, "{end}");
    assert!(over_step && over_drop, "step {over_step}, drop {over_drop}");
    assert!(highest > ground + 1.0 && highest < ground + 2.0, "{highest}");
}

#[test]
fn a_crowd_begins_at_different_places() {
    let (simulation, class) = on_grid(&["..........", "....##....", ".........."]);
    for count in [5, 28, 200, 700] {
        let mut places = simulation.places(class, at(0, 0), count, Spread::Near, |_| true);
        assert_eq!(places.len(), count);
        places.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z)));
        for (place, &one) in places.iter().enumerate() {
            let least = if count <= 28 { 0.99 } else { 0.13 };
            assert!(places[place + 1..].iter().all(|other| other.distance(one) > least));
            let cell = simulation.world().cell_at(one).unwrap();
            assert!(simulation.world().space().is_free(cell));
        }
    }
    assert!(
        simulation.places(class, at(4, 1), 3, Spread::Near, |_| true).is_empty(),
        "in the wall"
    );
    let near = simulation.places(class, at(0, 0), 40, Spread::Near, |place| place.x < 2.0);
    assert!(near.len() == 40 && near.iter().all(|place| place.x < 2.0));
    let drawn = |seed| simulation.places(class, at(0, 0), 9, Spread::Drawn(seed), |_| true);
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
    assert!(drawn(1).iter().any(|place| place.distance(at(0, 0)) > 5.0));
}
