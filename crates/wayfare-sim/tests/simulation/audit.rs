//! The audit is audited: recorded ticks broken in many ways, and the fault that each must raise.

use std::num::NonZeroU16;

use glam::Vec3;
use wayfare_core::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare_core::space::{NegativeCosts, StateId, TerrainId};
use wayfare_grid::grid::{Cell, Grid};
use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
use wayfare_sim::agent::{AgentId, Order, PatrolOrder};
use wayfare_sim::simulation::{
    AgentRecord, Audit, AuditFault, CarveId, Command, Event, GridEdit, Shape, Simulation,
    SimulationSettings, Stretch, TickRecord,
};

use crate::support::{agent, at, on_grid, patrol, run};

type Tick = TickRecord<Cell>;

/// Two ticks of a body that walks along a wall, the world, and the body's number in the records.
fn walk() -> (Grid, [Tick; 2]) {
    let (mut simulation, class) =
        on_grid(&["............", "............", "####.#######", "............"]);
    let walker = simulation.add_agent(agent("walker", class, at(0, 1))).unwrap();
    simulation.order(walker, Order::GoTo(at(11, 1)));
    run(&mut simulation, 30);
    let first = TickRecord::of(&simulation);
    run(&mut simulation, 1);
    let second = TickRecord::of(&simulation);
    (simulation.world().clone(), [first, second])
}

fn verdict(world: &Grid, ticks: &[Tick]) -> Result<(), AuditFault> {
    let mut audit = Audit::new();
    ticks.iter().try_for_each(|tick| audit.check_record(tick, world))
}

/// The name of a fault, or of the quantity that is too large.
fn name(verdict: &Result<(), AuditFault>) -> String {
    let name = match verdict {
        Ok(()) => "sound",
        Err(AuditFault::CrossedWall { .. }) => "wall",
        Err(AuditFault::TooMuch { quantity, .. }) => return quantity.to_string(),
        Err(AuditFault::OverCapacity { .. }) => "capacity",
        Err(AuditFault::LeftEarly { .. }) => "dwell",
        Err(AuditFault::Overshot { .. }) => "overshot",
        Err(_) => "another fault",
    };
    name.to_owned()
}

#[test]
fn a_broken_tick_is_refused_for_its_fault() {
    let (world, sound) = walk();
    assert_eq!(verdict(&world, &sound), Ok(()));
    let (tick, limits) = (sound[0].tick_seconds, sound[0].agents[0].limits);
    let moves =
        |dx: f32, dz: f32| move |body: &mut AgentRecord<Cell>| body.at += Vec3::new(dx, 0.0, dz);
    let top = limits.max_speed * tick;
    type Change<'a> = Box<dyn Fn(&mut AgentRecord<Cell>) + 'a>;
    let table: Vec<(&str, Change<'_>, &str)> = vec![
        ("nothing", Box::new(|_| ()), "sound"),
        ("a teleport over free ground", Box::new(moves(3.0, 0.0)), "speed"),
        ("a teleport through a wall", Box::new(moves(0.0, 2.0)), "speed"),
        ("twice the speed", Box::new(moves(top, 0.0)), "speed"),
        ("a tenth too fast", Box::new(moves(top * 0.1 + 5e-3, 0.0)), "speed"),
        (
            "faster by more than it accelerates",
            Box::new(|body| body.speed += 1.2 * limits.acceleration * tick),
            "acceleration",
        ),
        (
            "slower by more than it brakes",
            Box::new(|body| body.speed -= 1.3 * limits.acceleration * tick),
            "braking",
        ),
        (
            "slower, having been halted",
            Box::new(|body| {
                body.speed = 0.0;
                body.was_halted = true;
            }),
            "sound",
        ),
        (
            "slower without automatic braking",
            Box::new(|body| {
                body.speed = 0.0;
                body.limits.auto_braking = false;
            }),
            "sound",
        ),
        (
            "a turn to the right",
            Box::new(|body| body.heading += 1.1 * limits.angular_speed * tick),
            "turn rate",
        ),
        (
            "a turn to the left",
            Box::new(|body| body.heading -= 1.1 * limits.angular_speed * tick),
            "turn rate",
        ),
        (
            "a turn as fast as may be",
            Box::new(|body| body.heading += limits.angular_speed * tick),
            "sound",
        ),
        ("a turn all round", Box::new(|body| body.heading += std::f32::consts::TAU), "sound"),
        (
            "a slower body is judged by its own limits",
            Box::new(|body| body.limits.max_speed = 1.0),
            "speed",
        ),
    ];
    for (what, change, fault) in table {
        let mut ticks = sound.clone();
        change(&mut ticks[1].agents[0]);
        let verdict = verdict(&world, &ticks);
        assert_eq!(name(&verdict), fault, "{what}: {verdict:?}");
        let faulty = match verdict {
            Err(AuditFault::TooMuch { tick, agent, value, most, .. }) => {
                value > most && (tick, agent) == (ticks[1].tick, AgentId(0))
            }
            _ => true,
        };
        assert!(faulty, "{what}");
    }
}

#[test]
fn no_stretch_excuses_a_step_through_a_wall() {
    let (world, sound) = walk();
    let cell = |x, y| world.cell(x, y).unwrap();
    let beside = Vec3::new(6.5, 0.0, 1.97);
    let (in_wall, beyond) = (beside.with_z(2.05), beside.with_z(3.02));
    let wall = Stretch::Move { from: cell(6, 1), to: cell(6, 2) };
    let through = Stretch::Move { from: cell(6, 1), to: cell(6, 3) };
    let along = Stretch::Move { from: cell(6, 1), to: cell(7, 1) };
    let back = Stretch::Back { to: cell(6, 1) };
    let stretches =
        [Stretch::Standing, Stretch::Clear, Stretch::Escape, wall, through, along, back];
    for before in stretches {
        for now in stretches {
            let within = Vec3::new(6.97, 0.0, 2.5);
            for (from, to) in [
                (beside, in_wall),
                (within, within.with_x(7.02)),
                (beyond.with_z(2.97), beyond),
                (in_wall, in_wall.with_z(2.1)),
            ] {
                let mut ticks = [&sound[0], &sound[0], &sound[1]].map(Tick::clone);
                let bodies = [(from, Stretch::Standing), (from, before), (to, now)];
                for (tick, (at, stretch)) in ticks.iter_mut().zip(bodies) {
                    let body = &mut tick.agents[0];
                    (body.at, body.stretch, body.ahead) = (at, stretch, [beyond; 24]);
                    body.room = 0.0;
                }
                // The edit of some other place does not excuse it.
                for is_edited in [false, true] {
                    ticks[2].events = if is_edited { vec![Event::Edited(1)] } else { Vec::new() };
                    let verdict = verdict(&world, &ticks);
                    let what =
                        format!("{before:?}, then {now:?}: {from} to {to}, edited {is_edited}");
                    assert_eq!(name(&verdict), "wall", "{what}");
                }
            }
        }
    }
    // The same step beside the wall is legal.
    let mut ticks = sound;
    for (tick, at) in [(0, beside), (1, beside + Vec3::new(0.08, 0.0, -0.02))] {
        let body = &mut ticks[tick].agents[0];
        (body.at, body.stretch, body.ahead) = (at, Stretch::Clear, [beside; 24]);
        body.room = 0.0;
    }
    assert_eq!(verdict(&world, &ticks), Ok(()));
}

#[test]
fn a_corner_is_no_short_cut() {
    let (world, sound) = walk();
    let (tick, limits) = (sound[0].tick_seconds, sound[0].agents[0].limits);
    // The end of the wall, and the way round it: by two legs of a length.
    let corner = Vec3::new(4.0, 0.0, 2.0) + Vec3::new(0.001, 0.0, -0.001);
    let verdict_on = |leg: f32| {
        let mut ticks = sound.clone();
        let (before, now) = (corner - Vec3::X * leg, corner + Vec3::Z * leg);
        for (tick, at) in ticks.iter_mut().zip([before, now]) {
            let body = &mut tick.agents[0];
            (body.at, body.stretch, body.room) = (at, Stretch::Clear, 0.0);
            body.begin = corner;
            body.ahead.fill(corner);
        }
        name(&verdict(&world, &ticks))
    };
    let reach = limits.max_speed * tick;
    assert_eq!(verdict_on(0.45 * reach), "sound");
    assert_eq!(
        verdict_on(0.65 * reach),
        "wall",
        "near as the crow flies, too far round the corner"
    );
}

/// Two links that cross between four waypoints, in the order west, east, north, south.
fn crossing() -> WaypointGraph {
    let id = WaypointId::from_index;
    let waypoints = [(0.0, 2.0), (4.0, 2.0), (2.0, 0.0), (2.0, 4.0)];
    let waypoints = waypoints.map(|(x, z)| Waypoint::at(Vec3::new(x, 0.0, z)));
    // From the west two links lead away.
    let links = [(0, 1), (2, 3), (0, 2)].map(|(a, b)| WaypointLink::one_way(id(a), id(b)));
    WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap()
}

#[test]
fn links_are_not_left_where_they_cross_or_near_their_ends() {
    let links = NavLinks::new(3.0);
    let mut simulation = Simulation::new(crossing(), links, SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, Vec3::new(0.0, 0.0, 2.0))).unwrap();
    simulation.order(walker, Order::GoTo(Vec3::new(4.0, 0.0, 2.0)));
    run(&mut simulation, 20);
    let first = TickRecord::of(&simulation);
    run(&mut simulation, 1);
    let world = simulation.world();
    let sound = [first, TickRecord::of(&simulation)];
    let id = WaypointId::from_index;
    let along = |from, to| Stretch::Move { from: id(from), to: id(to) };
    let verdict_on = |bodies: [(Vec3, Stretch<WaypointId>); 2], is_edited: bool| {
        let mut ticks = sound.clone();
        for (tick, (at, stretch)) in ticks.iter_mut().zip(bodies) {
            let body = &mut tick.agents[0];
            (body.at, body.stretch, body.begin) = (at, stretch, at);
            body.ahead.fill(at);
        }
        ticks[1].events = if is_edited { vec![Event::Edited(1)] } else { Vec::new() };
        let mut audit = Audit::new();
        name(&ticks.iter().try_for_each(|tick| audit.check_record(tick, world)))
    };
    let point = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let (east, south, north) = (along(0, 1), along(2, 3), along(0, 2));
    let on = (point(1.97, 2.0), east);
    assert_eq!(verdict_on([on, (point(2.03, 2.0), east)], false), "sound");
    assert_eq!(verdict_on([on, (point(2.0, 2.03), south)], false), "wall", "where they cross");
    // From a link that is gone, by way of its beginning, only in the tick in which it went.
    let begun = (point(0.05, 2.05), along(0, 3));
    let elsewhere = (point(0.05, 1.95), north);
    assert_eq!(verdict_on([begun, elsewhere], false), "wall");
    assert_eq!(verdict_on([begun, elsewhere], true), "sound");
}

#[test]
fn a_link_holds_no_more_than_it_has_room_for() {
    let grid = Grid::from_rows(&[".....##.....", ".....##.....", ".....##....."]).unwrap();
    let mut links = NavLinks::new(3.0);
    let (from, to) = (grid.cell(4, 1).unwrap(), grid.cell(7, 1).unwrap());
    let link = NavLink::new(from, to, Crossing::Seconds(2.0)).capacity(NonZeroU16::MIN);
    links.add(&grid.space(), link).unwrap();
    let mut simulation = Simulation::new(grid, links, SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    for number in 0..2 {
        let id = simulation.add_agent(agent("walker", class, at(3, number))).unwrap();
        simulation.order(id, Order::GoTo(at(11, 2)));
    }
    while simulation.agents().all(|agent| agent.inside().is_none()) {
        run(&mut simulation, 1);
    }
    let world = simulation.world();
    let sound = TickRecord::of(&simulation);
    assert_eq!(verdict(world, std::slice::from_ref(&sound)), Ok(()));
    let inside = sound.links[0].inside[0];
    let outside = AgentId(1 - inside.0);
    let id = sound.links[0].id;
    let mut crowded = sound.clone();
    crowded.agents[outside.0 as usize].inside = Some(id);
    crowded.links[0].inside.push(outside);
    let fault = AuditFault::OverCapacity { tick: sound.tick, link: id, inside: 2, room: 1 };
    assert_eq!(verdict(world, &[crowded.clone()]), Err(fault));
    crowded.links[0].capacity = NonZeroU16::new(2);
    assert_eq!(verdict(world, &[crowded]), Ok(()), "room for two");
    let mut stowaway = sound.clone();
    stowaway.agents[outside.0 as usize].inside = Some(id);
    stowaway.links[0].capacity = None;
    assert_eq!(
        name(&verdict(world, &[stowaway])),
        "capacity",
        "a body that the link does not know of"
    );
    let mut ghost = sound;
    ghost.links[0].inside.clear();
    assert_eq!(name(&verdict(world, &[ghost])), "capacity", "a body that the link has forgotten");
}

#[test]
fn a_patrol_dwells_and_an_arrival_is_one() {
    let (mut simulation, class) = on_grid(&["........"]);
    let points = [at(1, 0), at(4, 0)];
    let spec = agent("guard", class, at(1, 0)).behaviour(patrol(&points, PatrolOrder::Loop, 0.5));
    let guard = simulation.add_agent(spec).unwrap();
    let mut ticks = vec![TickRecord::of(&simulation)];
    let mut audit = Audit::new();
    for _ in 0..200 {
        simulation.tick();
        audit.check(&simulation).unwrap();
        ticks.push(TickRecord::of(&simulation));
    }
    let world = simulation.world();
    assert_eq!(verdict(world, &ticks), Ok(()));
    let is = |tick: &&Tick, event: Event| tick.events.contains(&event);
    let arrived = ticks.iter().filter(|tick| is(tick, Event::Arrived(guard))).map(|tick| tick.tick);
    let arrived: Vec<u64> = arrived.collect();
    // A longer dwell time than was kept.
    let mut longer = ticks.clone();
    longer.iter_mut().for_each(|tick| tick.agents[0].dwell = Some(0.56));
    assert_eq!(name(&verdict(world, &longer)), "dwell");
    longer.iter_mut().for_each(|tick| tick.agents[0].dwell = Some(0.49));
    assert_eq!(verdict(world, &longer), Ok(()));
    // It drifts on after it has arrived.
    let first = ticks.iter().position(|tick| tick.tick == arrived[1]).unwrap();
    let mut drifts = ticks[..first + 4].to_vec();
    for (number, tick) in (0u8..).zip(&mut drifts[first + 1..]) {
        tick.agents[0].at.x -= 0.03 * f32::from(number + 1);
    }
    assert_eq!(name(&verdict(world, &drifts)), "overshot");
    drifts.iter_mut().for_each(|tick| tick.agents[0].limits.stopping_distance = 0.2);
    assert_eq!(verdict(world, &drifts), Ok(()));
}

/// A dead end, its mouth to the north, with walls all round and open ground beyond them.
const DEAD_END: [&str; 7] =
    [".........", "###.#####", "###.#####", "###.#####", "###.#####", "#########", "........."];

fn cart(from: (f32, f32), to: (f32, f32)) -> Shape {
    Shape::Box { min: Vec3::new(from.0, 0.0, from.1), max: Vec3::new(to.0, 2.0, to.1) }
}

#[test]
fn a_body_that_is_built_in_does_not_go_through_walls_that_were_there_before() {
    // The cart covers her cell and cells of the walls round it.
    let shape = cart((3.0, 1.0), (5.0, 6.0));
    let (mut simulation, class) = on_grid(&DEAD_END);
    let ann = simulation.add_agent(agent("Ann", class, at(3, 4))).unwrap();
    simulation.schedule(20, Command::Carve { id: CarveId(1), shape });
    run(&mut simulation, 200);
    let view = simulation.agent(ann).unwrap();
    assert!(view.position().z < 5.0, "{}", view.position());
    assert_eq!(view.position(), at(3, 4).lerp(view.position(), 1.0));
    // Once the cart is gone, she is free.
    simulation.schedule(0, Command::Restore { id: CarveId(1) });
    simulation.order(ann, Order::GoTo(at(8, 0)));
    run(&mut simulation, 200);
    assert!(simulation.agent(ann).unwrap().position().distance(at(8, 0)) < 1e-3);
}

#[test]
fn a_body_that_is_built_in_gets_out_over_ground_that_was_free() {
    for is_edit in [false, true] {
        let (mut simulation, class) = on_grid(&DEAD_END);
        let ann = simulation.add_agent(agent("Ann", class, at(3, 3))).unwrap();
        // Two cells of the dead end; the one before them stays free, and the open ground beyond the
        // wall is nearer.
        let world = simulation.world();
        let cells = vec![world.cell(3, 3).unwrap(), world.cell(3, 4).unwrap()];
        simulation.schedule(
            20,
            if is_edit {
                Command::Edit(GridEdit::Terrain { cells, terrain: TerrainId::BLOCKED })
            } else {
                Command::Carve { id: CarveId(1), shape: cart((3.0, 3.0), (4.0, 5.0)) }
            },
        );
        run(&mut simulation, 200);
        assert!(simulation.agent(ann).unwrap().position().distance(at(3, 2)) < 1e-3);
    }
}

#[test]
fn a_way_out_that_is_shut_is_waited_for() {
    let (mut simulation, class) = on_grid(&DEAD_END);
    let ann = simulation.add_agent(agent("Ann", class, at(3, 4))).unwrap();
    simulation.schedule(5, Command::Carve { id: CarveId(1), shape: cart((3.0, 3.0), (4.0, 5.0)) });
    // She is on her way to the cell before the cart when that is covered too.
    simulation.schedule(15, Command::Carve { id: CarveId(2), shape: cart((3.0, 1.0), (4.0, 3.0)) });
    run(&mut simulation, 60);
    let stands = simulation.agent(ann).unwrap().position();
    run(&mut simulation, 60);
    assert_eq!(simulation.agent(ann).unwrap().position(), stands);
    simulation.schedule(0, Command::Restore { id: CarveId(2) });
    run(&mut simulation, 60);
    assert!(simulation.agent(ann).unwrap().position().distance(at(3, 2)) < 1e-3);
}

#[test]
fn ground_that_opens_in_the_tick_in_which_a_body_is_built_in_is_no_way_out() {
    for opens_first in [false, true] {
        let (mut simulation, class) = on_grid(&["####", "#.##", "####"]);
        let ann = simulation.add_agent(agent("Ann", class, at(1, 1))).unwrap();
        let cells = vec![simulation.world().cell(2, 1).unwrap()];
        let mut commands = [
            Command::Edit(GridEdit::Terrain { cells, terrain: TerrainId(0) }),
            Command::Carve { id: CarveId(1), shape: cart((1.0, 1.0), (2.0, 2.0)) },
        ];
        if !opens_first {
            commands.reverse();
        }
        commands.into_iter().for_each(|command| simulation.schedule(5, command));
        run(&mut simulation, 40);
        assert_eq!(simulation.agent(ann).unwrap().position(), at(1, 1));
        simulation.schedule(0, Command::Restore { id: CarveId(1) });
        simulation.order(ann, Order::GoTo(at(2, 1)));
        run(&mut simulation, 100);
        assert!(simulation.agent(ann).unwrap().position().distance(at(2, 1)) < 1e-3);
    }
}

#[test]
fn a_body_whose_place_opens_again_forgets_the_exit_that_was_shut() {
    let (mut simulation, class) = on_grid(&DEAD_END);
    let ann = simulation.add_agent(agent("Ann", class, at(3, 4))).unwrap();
    simulation.schedule(5, Command::Carve { id: CarveId(1), shape: cart((3.0, 3.0), (4.0, 5.0)) });
    simulation.schedule(9, Command::Carve { id: CarveId(2), shape: cart((3.0, 1.0), (4.0, 3.0)) });
    run(&mut simulation, 20);
    let stands = simulation.agent(ann).unwrap().position();
    assert!(stands.z > 4.0, "still in her cell: {stands}");
    // Her own cell opens, her exit stays shut.
    simulation.schedule(0, Command::Restore { id: CarveId(1) });
    run(&mut simulation, 100);
    assert_eq!(simulation.agent(ann).unwrap().position(), stands);
    simulation.schedule(0, Command::Restore { id: CarveId(2) });
    simulation.order(ann, Order::GoTo(at(8, 0)));
    run(&mut simulation, 200);
    assert!(simulation.agent(ann).unwrap().position().distance(at(8, 0)) < 1e-3);
}

#[test]
fn the_point_where_a_body_waits_for_another_path_is_recorded() {
    let (mut simulation, class) = on_grid(&["............"; 3]);
    let ann = simulation.add_agent(agent("Ann", class, at(0, 1))).unwrap();
    simulation.order(ann, Order::GoTo(at(11, 1)));
    run(&mut simulation, 20);
    simulation.set_work_per_tick(0);
    simulation.order(ann, Order::GoTo(at(11, 2)));
    run(&mut simulation, 1);
    let ahead = TickRecord::of(&simulation).agents[0].ahead;
    run(&mut simulation, 60);
    let stands = simulation.agent(ann).unwrap().position();
    assert!(ahead[0].distance(stands) < 1e-3, "{ahead:?}, {stands}");
    assert_eq!(ahead[1], at(11, 1));
}
