//! Danger: taught by agents that are hurt, forgotten with time. Arcs of jumps and falls.

use wayfare::agent::Order;
use wayfare::link::{Keys, NavLinks};
use wayfare::prelude::*;
use wayfare::simulation::{Command, Environment, Event, Simulation, SimulationSettings};
use wayfare::space::InfluenceRule;
use wayfare::space::voxel::{BlockId, VoxelGrid, VoxelProfile, VoxelSize};

use crate::support::{agent, at, on_grid, run};

/// Two ways round a wall: the upper one is shorter.
fn two_ways() -> Simulation<Grid> {
    let rows =
        ["...........", ".#########.", ".#########.", ".#########.", "...........", "..........."];
    let profile = GridProfile { influence: vec![1.0], ..GridProfile::default() };
    let terrain: Vec<TerrainId> = rows
        .iter()
        .flat_map(|row| row.bytes())
        .map(|cell| if cell == b'#' { TerrainId::BLOCKED } else { TerrainId::GROUND })
        .collect();
    let mut grid = Grid::new(11, 6, &terrain, profile).unwrap();
    grid.add_influence(InfluenceRule { kept_per_second: 0.7, ..InfluenceRule::default() }).unwrap();
    Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default()).unwrap()
}

#[test]
fn agents_avoid_where_one_was_hurt_until_the_danger_is_forgotten() {
    let mut simulation = two_ways();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let victim = simulation.add_agent(agent("victim", class, at(5, 0))).unwrap();
    let mut ways = Vec::new();
    // Before anyone was hurt, at once after it, and long after it.
    for hurts in [false, true, false] {
        if hurts {
            simulation.schedule(0, Command::Harm { agent: victim, amount: 50.0 });
            run(&mut simulation, 1);
        }
        let walker = simulation.add_agent(agent("walker", class, at(0, 1))).unwrap();
        simulation.order(walker, Order::GoTo(at(10, 1)));
        run(&mut simulation, 4);
        let lowest = simulation
            .agent(walker)
            .unwrap()
            .way_ahead()
            .map(|point| point.z)
            .fold(0.0f32, f32::max);
        ways.push(lowest > 3.0);
        simulation.schedule(0, Command::Remove(walker));
        run(&mut simulation, 900);
    }
    assert_eq!(ways, [false, true, false]);
    let layers = simulation.world().digest();
    assert_eq!(layers, two_ways().world().digest(), "nothing is left of it");
    simulation.schedule(0, Command::Harm { agent: victim, amount: f32::NAN });
    let happened = run(&mut simulation, 1);
    assert!(matches!(happened[0].1, Event::Failed(_)));
}

#[test]
fn danger_ages_alike_after_a_snapshot_and_an_untouched_world_does_not_age() {
    let mut simulation = two_ways();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let victim = simulation.add_agent(agent("victim", class, at(5, 0))).unwrap();
    let before = simulation.world().revision();
    run(&mut simulation, 100);
    assert_eq!(simulation.world().revision(), before);
    simulation.schedule(0, Command::Harm { agent: victim, amount: 9.0 });
    run(&mut simulation, 30);
    #[cfg(feature = "serde")]
    {
        let links = simulation.links().clone();
        let mut twin =
            Simulation::restore(two_ways().world().clone(), links, simulation.save()).unwrap();
        for _ in 0..100 {
            simulation.tick();
            twin.tick();
            assert_eq!(simulation.hash(), twin.hash());
        }
    }
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
        let mut places = simulation.places(class, at(0, 0), count, |_| true);
        assert_eq!(places.len(), count);
        places.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z)));
        for (place, &one) in places.iter().enumerate() {
            let least = if count <= 28 { 0.99 } else { 0.13 };
            assert!(places[place + 1..].iter().all(|other| other.distance(one) > least));
            let cell = simulation.world().cell_at(one).unwrap();
            assert!(simulation.world().space().is_free(cell));
        }
    }
    assert!(simulation.places(class, at(4, 1), 3, |_| true).is_empty(), "in the wall");
    let near = simulation.places(class, at(0, 0), 40, |place| place.x < 2.0);
    assert!(near.len() == 40 && near.iter().all(|place| place.x < 2.0));
}
