//! The world changes under everybody's feet.

use glam::Vec3;
use wayfare_core::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare_core::space::{NegativeCosts, StateId, TerrainId};
use wayfare_grid::grid::Grid;
use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
use wayfare_sim::agent::{AgentId, Order};
use wayfare_sim::simulation::{
    AgentSpec, Avoidance, BlockEdit, CarveId, Command, Event, GridEdit, Shape, Simulation,
    SimulationSettings, WaypointEdit,
};
use wayfare_voxel::{Block, BlockId, BlockKind, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};

use crate::support::{POLITE, agent, arrivals, at, on_grid, run};

fn wall(x: f32, from: f32, to: f32) -> Shape {
    Shape::Box { min: Vec3::new(x, 0.0, from), max: Vec3::new(x + 0.99, 3.0, to) }
}

#[test]
fn a_wall_that_appears_ahead_is_gone_round() {
    let (mut simulation, class) = on_grid(&[".............."; 7]);
    let walker = simulation.add_agent(agent("walker", class, at(0, 3))).unwrap();
    simulation.order(walker, Order::GoTo(at(13, 3)));
    simulation.schedule(20, Command::Carve { id: CarveId(1), shape: wall(5.0, 0.0, 6.0) });
    let happened = run(&mut simulation, 300);
    assert_eq!(arrivals(&happened, walker).len(), 1);
    assert!(simulation.agent(walker).unwrap().position().distance(at(13, 3)) < 1e-3);
}

#[test]
fn a_wall_right_before_the_nose_stops_even_who_runs() {
    let (mut simulation, class) = on_grid(&["................"]);
    let limits =
        wayfare_sim::agent::AgentLimits { max_speed: 9.0, acceleration: 4.0, ..Default::default() };
    let runner = simulation.add_agent(agent("runner", class, at(0, 0)).limits(limits)).unwrap();
    simulation.order(runner, Order::GoTo(at(15, 0)));
    let mut tick = 0;
    while simulation.agent(runner).unwrap().position().x < 7.7 {
        run(&mut simulation, 1);
        tick += 1;
        assert!(tick < 200);
    }
    simulation.schedule(0, Command::Carve { id: CarveId(1), shape: wall(8.0, 0.0, 1.0) });
    let happened = run(&mut simulation, 40);
    assert!(happened.iter().any(|(_, what)| matches!(what, Event::Halted { .. })));
    let view = simulation.agent(runner).unwrap();
    assert!(view.position().x < 8.0 && view.speed() == 0.0);
    assert!(view.text().starts_with("no path: "), "{}", view.text());
    simulation.schedule(0, Command::Restore { id: CarveId(1) });
    run(&mut simulation, 200);
    assert!(simulation.agent(runner).unwrap().position().distance(at(15, 0)) < 1e-3);
}

#[test]
fn who_is_built_in_gets_out_and_goes_on() {
    let (mut simulation, class) = on_grid(&["............."; 5]);
    let walker = simulation.add_agent(agent("walker", class, at(0, 2))).unwrap();
    simulation.order(walker, Order::GoTo(at(12, 2)));
    while simulation.agent(walker).unwrap().position().x < 5.3 {
        run(&mut simulation, 1);
    }
    simulation.schedule(0, Command::Carve { id: CarveId(3), shape: wall(5.0, 1.0, 4.0) });
    run(&mut simulation, 200);
    assert!(simulation.agent(walker).unwrap().position().distance(at(12, 2)) < 1e-3);
}

#[test]
fn overlapping_obstacles_open_when_the_last_one_goes() {
    let (mut simulation, _) = on_grid(&["......"]);
    let free = |simulation: &Simulation<Grid>| -> Vec<bool> {
        (0..6)
            .map(|x| simulation.world().space().is_free(simulation.world().cell(x, 0).unwrap()))
            .collect()
    };
    let block = |from: f32, to: f32| Shape::Box {
        min: Vec3::new(from, 0.0, 0.0),
        max: Vec3::new(to, 1.0, 1.0),
    };
    simulation.schedule(0, Command::Carve { id: CarveId(1), shape: block(0.0, 3.0) });
    simulation.schedule(0, Command::Carve { id: CarveId(2), shape: block(2.0, 5.0) });
    run(&mut simulation, 1);
    assert_eq!(free(&simulation), [false, false, false, false, false, true]);
    simulation.schedule(0, Command::Restore { id: CarveId(1) });
    run(&mut simulation, 1);
    assert_eq!(free(&simulation), [true, true, false, false, false, true]);
    // It moves.
    simulation.schedule(0, Command::Carve { id: CarveId(2), shape: block(4.0, 6.0) });
    run(&mut simulation, 1);
    assert_eq!(free(&simulation), [true, true, true, true, false, false]);
    simulation.schedule(0, Command::Restore { id: CarveId(2) });
    simulation.schedule(0, Command::Restore { id: CarveId(2) });
    let happened = run(&mut simulation, 1);
    assert_eq!(free(&simulation), [true; 6]);
    assert!(matches!(happened.last(), Some((_, Event::Failed(_)))));
}

/// A row of waypoints 4 m apart, and a way round.
fn row() -> WaypointGraph {
    let id = WaypointId::from_index;
    let mut waypoints: Vec<Waypoint> =
        (0..5).map(|x| Waypoint::at(Vec3::new(x as f32 * 4.0, 0.0, 0.0))).collect();
    waypoints.push(Waypoint::at(Vec3::new(8.0, 0.0, 6.0)));
    let links = [(0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (5, 3)]
        .map(|(a, b)| WaypointLink::new(id(a), id(b)));
    WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap()
}

fn on_row() -> (Simulation<WaypointGraph>, AgentId) {
    let mut simulation =
        Simulation::new(row(), NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, Vec3::ZERO)).unwrap();
    simulation.order(walker, Order::GoTo(Vec3::new(16.0, 0.0, 0.0)));
    (simulation, walker)
}

#[test]
fn a_waypoint_removed_under_an_agent_sends_it_back_and_round() {
    for edit in [
        WaypointEdit::Remove(WaypointId::from_index(2)),
        WaypointEdit::Block { id: WaypointId::from_index(2), blocked: true },
        WaypointEdit::Unlink { from: WaypointId::from_index(1), to: WaypointId::from_index(2) },
    ] {
        let (mut simulation, walker) = on_row();
        while simulation.agent(walker).unwrap().position().x < 5.5 {
            run(&mut simulation, 1);
        }
        simulation.schedule(0, Command::Edit(edit));
        let happened = run(&mut simulation, 300);
        assert!(happened.iter().any(|(_, what)| matches!(what, Event::Halted { .. })));
        assert!(
            simulation.agent(walker).unwrap().position().distance(Vec3::new(16.0, 0.0, 0.0)) < 1e-3
        );
    }
}

#[test]
fn a_waypoint_removed_behind_an_agent_does_not_concern_it() {
    let (mut simulation, walker) = on_row();
    while simulation.agent(walker).unwrap().position().x < 5.5 {
        run(&mut simulation, 1);
    }
    simulation.schedule(0, Command::Edit(WaypointEdit::Remove(WaypointId::from_index(1))));
    let happened = run(&mut simulation, 200);
    assert!(!happened.iter().any(|(_, what)| matches!(what, Event::Halted { .. })));
    assert_eq!(arrivals(&happened, walker).len(), 1);
}

#[test]
fn an_obstacle_cuts_links_and_gives_them_back() {
    let (mut simulation, walker) = on_row();
    let shape = Shape::Ball { centre: Vec3::new(10.0, 0.0, 0.0), radius: 0.5 };
    simulation.schedule(5, Command::Carve { id: CarveId(1), shape });
    let mut farthest = 0.0f32;
    for _ in 0..150 {
        run(&mut simulation, 1);
        farthest = farthest.max(simulation.agent(walker).unwrap().position().z);
    }
    assert!(farthest > 5.0, "it went round");
    let links = simulation.world().links().count();
    simulation.schedule(0, Command::Restore { id: CarveId(1) });
    run(&mut simulation, 1);
    assert_eq!(simulation.world().links().count(), links + 2);
}

fn terrace() -> VoxelGrid {
    let size = VoxelSize { width: 16, height: 8, depth: 16 };
    let mut profile =
        VoxelProfile { max_fall_distance: 3, jump_distance: 1, ..VoxelProfile::default() };
    profile.abilities.climb = true;
    VoxelGrid::from_fn(size, &[], profile, |at| {
        let height = if at.x < 6 {
            0
        } else if at.x < 10 {
            1
        } else {
            2
        };
        if at.y <= height { BlockId::SOLID } else { BlockId::AIR }
    })
    .unwrap()
}

#[test]
fn voxel_walkers_jump_up_terraces_and_round_what_is_built() {
    let mut simulation =
        Simulation::new(terrace(), NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, Vec3::new(1.5, 1.5, 8.5))).unwrap();
    let goal = Vec3::new(14.5, 3.5, 8.5);
    simulation.order(walker, Order::GoTo(goal));
    // A wall across the lower terrace with a gap at its end.
    let shape = Shape::Box { min: Vec3::new(4.0, 1.0, 0.0), max: Vec3::new(4.9, 6.0, 13.9) };
    simulation.schedule(10, Command::Carve { id: CarveId(1), shape });
    run(&mut simulation, 400);
    let view = simulation.agent(walker).unwrap();
    assert!(view.position().distance(goal) < 1e-3, "{} {}", view.position(), view.text());
}

#[test]
fn a_block_set_where_a_jump_leads_sends_the_jumper_back() {
    let mut simulation =
        Simulation::new(terrace(), NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, Vec3::new(1.5, 1.5, 8.5))).unwrap();
    simulation.order(walker, Order::GoTo(Vec3::new(14.5, 3.5, 8.5)));
    while simulation.agent(walker).unwrap().position().y < 1.8 {
        run(&mut simulation, 1);
    }
    let view = simulation.agent(walker).unwrap();
    let over = BlockPosition::new(view.position().x as u32 + 1, 2, view.position().z as u32);
    let blocks = BlockEdit::Set {
        places: vec![over, BlockPosition { y: 3, ..over }],
        block: BlockId::SOLID,
    };
    simulation.schedule(0, Command::Edit(blocks));
    run(&mut simulation, 400);
    assert!(simulation.agent(walker).unwrap().position().x > 14.0);
}

/// A slab is laid and taken away beneath a body that stands, one that sets out at once, and one
/// that sets out beside others: each follows the ground at its own speed, under the audit.
#[test]
fn who_stands_follows_ground_that_changes_its_height() {
    let size = VoxelSize { width: 12, height: 5, depth: 5 };
    let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Half].map(Block::from);
    let level = |at: BlockPosition| if at.y == 0 { BlockId::SOLID } else { BlockId::AIR };
    for avoidance in [Avoidance::default(), POLITE] {
        let world = VoxelGrid::from_fn(size, &palette, VoxelProfile::default(), level).unwrap();
        let settings = SimulationSettings::default();
        let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings).unwrap();
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        let mut add = |name: &str, x: f32, z: f32| {
            let spec = agent(name, class, Vec3::new(x, 1.5, z));
            simulation.add_agent(AgentSpec { avoidance, ..spec }).unwrap()
        };
        let (idle, walker) = (add("idle", 1.5, 1.5), add("walker", 1.5, 3.5));
        let places = [1, 3].map(|z| BlockPosition::new(1, 1, z)).to_vec();
        let set = |block| BlockEdit::Set { places: places.clone(), block };
        let goal = Vec3::new(10.5, 1.5, 3.5);
        for (block, height) in [(BlockId(2), 1.984_375), (BlockId::AIR, 1.5)] {
            simulation.schedule(0, Command::Edit(set(block)));
            simulation.schedule(0, Command::Order { agent: walker, order: Order::GoTo(goal) });
            run(&mut simulation, 2);
            let halfway = simulation.agent(idle).unwrap().position().y;
            assert!((1.5..1.984_375).contains(&halfway) && halfway != height, "{halfway}");
            run(&mut simulation, 150);
            assert_eq!(simulation.agent(idle).unwrap().position(), Vec3::new(1.5, height, 1.5));
            assert_eq!(simulation.agent(walker).unwrap().position(), goal);
            // Back to where the ground changes.
            simulation.order(walker, Order::GoTo(Vec3::new(1.5, height, 3.5)));
            run(&mut simulation, 150);
        }
    }
}

/// A gap of four cells that only a link of a second leads over, from x = 3 to x = 8, and a walker
/// inside of it, who is on its way to a place at `x`.
fn inside_a_link(x: f32) -> (Simulation<VoxelGrid>, AgentId) {
    let size = VoxelSize { width: 12, height: 5, depth: 3 };
    let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Half].map(Block::from);
    let level = |at: BlockPosition| match (at.y, at.x) {
        (0, 4..8) => BlockId::AIR,
        (0, _) => BlockId::SOLID,
        _ => BlockId::AIR,
    };
    let world = VoxelGrid::from_fn(size, &palette, VoxelProfile::default(), level).unwrap();
    let [from, to] = [3, 8].map(|x| world.voxel(BlockPosition::new(x, 1, 1)).unwrap());
    let mut links = NavLinks::new(3.0);
    let link = NavLink::new(from, to, Crossing::Seconds(1.0));
    links.add(&world.space(), link).unwrap();
    let settings = SimulationSettings::default();
    let mut simulation = Simulation::new(world, links, settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, Vec3::new(1.5, 1.5, 1.5))).unwrap();
    simulation.order(walker, Order::GoTo(Vec3::new(x, 1.5, 1.5)));
    while simulation.agent(walker).unwrap().inside().is_none() {
        run(&mut simulation, 1);
        assert!(simulation.now() < 100);
    }
    (simulation, walker)
}

/// Lays a slab at a cell, five ticks from now on.
fn lay_slab(simulation: &mut Simulation<VoxelGrid>, x: u32) {
    let places = vec![BlockPosition::new(x, 1, 1)];
    let tick = simulation.now() + 5;
    simulation.schedule(tick, Command::Edit(BlockEdit::Set { places, block: BlockId(2) }));
}

/// A slab is laid at the exit of a link while a body is inside: it goes on over the slab.
#[test]
fn who_leaves_a_link_goes_up_to_ground_that_rose_meanwhile() {
    let (mut simulation, walker) = inside_a_link(10.5);
    lay_slab(&mut simulation, 8);
    let rises = (0..200).any(|_| {
        run(&mut simulation, 1);
        let at = simulation.agent(walker).unwrap().position();
        (at.x - 8.5).abs() < 1e-3 && at.y > 1.6
    });
    assert!(rises);
    run(&mut simulation, 100);
    assert_eq!(simulation.agent(walker).unwrap().position(), Vec3::new(10.5, 1.5, 1.5));
}

/// Who stays at the exit of a link has no leg ahead that would be reviewed.
#[test]
fn who_stays_at_the_exit_of_a_link_goes_up_to_ground_that_rose_meanwhile() {
    let (mut simulation, walker) = inside_a_link(8.5);
    lay_slab(&mut simulation, 8);
    run(&mut simulation, 200);
    let agent = simulation.agent(walker).unwrap();
    // The top of a slab lies at 1.484375, and half a block above it the place of who stands there.
    assert_eq!((agent.inside(), agent.position()), (None, Vec3::new(8.5, 1.984_375, 1.5)));
}

#[test]
fn a_change_at_both_ends_of_the_world_does_not_concern_who_walks_between() {
    let row = ".".repeat(64);
    let (mut simulation, class) = on_grid(&[row.as_str(); 64]);
    let cells = [(3, 3), (61, 61)].map(|(x, y)| simulation.world().cell(x, y).unwrap()).to_vec();
    let walker = simulation.add_agent(agent("walker", class, at(2, 32))).unwrap();
    simulation.order(walker, Order::GoTo(at(60, 32)));
    let edit = GridEdit::Terrain { cells, terrain: TerrainId::BLOCKED };
    simulation.schedule(40, Command::Edit(edit));
    run(&mut simulation, 80);
    assert_eq!(simulation.planner().stats().requested, 1);
}

/// A region of walls and free cells for columns 10 to 30 of 40 × 20, another one for each seed.
fn region(grid: &Grid, seed: u64) -> GridEdit {
    let mut dice = crate::dice::Dice(seed);
    let cells = grid.cells().filter(|cell| (10..30).contains(&grid.coordinates(*cell).x));
    let terrain = |wall: bool| if wall { TerrainId::BLOCKED } else { TerrainId(0) };
    GridEdit::Terrains { cells: cells.map(|cell| (cell, terrain(dice.roll(100) < 35))).collect() }
}

#[test]
fn nobody_ends_up_in_the_walls_of_a_region_that_is_replaced() {
    let mut displaced = 0;
    for seed in 0..20 {
        let row = ".".repeat(40);
        let (mut simulation, class) = on_grid(&[row.as_str(); 20]);
        let mut walkers = Vec::new();
        for number in 0..20 {
            let walker = agent(&format!("walker {number}"), class, at(number % 5, number));
            let id = simulation.add_agent(walker).unwrap();
            simulation.order(id, Order::GoTo(at(39 - number % 5, 19 - number)));
            walkers.push(id);
        }
        let mut audit = wayfare_sim::simulation::Audit::new();
        let entry = at(2, 10);
        for tick in 0..400 {
            if tick % 50 == 49 {
                let edit = region(simulation.world(), 1000 * seed + tick);
                simulation.schedule(0, Command::Replace { edit, entry });
            }
            let before: Vec<Vec3> =
                walkers.iter().map(|id| simulation.agent(*id).unwrap().position()).collect();
            let events = simulation.tick().events.clone();
            audit.check(&simulation).unwrap();
            let space = simulation.world().space();
            for (walker, before) in walkers.iter().zip(before) {
                let view = simulation.agent(*walker).unwrap();
                let moved = events.contains(&Event::Displaced(*walker));
                displaced += u32::from(moved);
                if moved {
                    // At the entry, or as near to it as others leave room.
                    assert!(view.position().distance(entry) < 6.0);
                } else {
                    assert!(view.position().distance(before) < 1.0, "untouched by the rest");
                }
                let cell = simulation.world().cell_at(view.position()).unwrap();
                assert!(space.is_free(cell), "seed {seed}, tick {tick}: {}", view.text());
            }
        }
    }
    assert!(displaced > 20, "{displaced}");
}

#[test]
fn an_entry_in_a_wall_leaves_bodies_built_in() {
    let (mut simulation, class) = on_grid(&["......"]);
    let walker = simulation.add_agent(agent("walker", class, at(4, 0))).unwrap();
    let cell = |x| simulation.world().cell(x, 0).unwrap();
    let cells = vec![(cell(0), TerrainId::BLOCKED), (cell(4), TerrainId::BLOCKED)];
    let edit = GridEdit::Terrains { cells };
    simulation.schedule(0, Command::Replace { edit, entry: at(0, 0) });
    let happened = run(&mut simulation, 3);
    assert!(!happened.iter().any(|(_, what)| matches!(what, Event::Displaced(_))));
    assert_eq!(simulation.agent(walker).unwrap().position(), at(4, 0));
}
