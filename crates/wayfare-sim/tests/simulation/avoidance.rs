//! Agents that avoid each other, under the audit: it finds walls crossed and bodies that overlap.

use std::f32::consts::TAU;

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::ops::{SinCos, sin_cos};
use wayfare_core::space::{CostTable, TerrainId};
use wayfare_crowd::{AvoidanceModel, AvoidanceQuality, CollisionFreeSpeed};
use wayfare_grid::grid::{Cell, Frame, Grid};
use wayfare_mesh::navmesh::{MeshDraft, NavMesh};
use wayfare_sim::agent::{
    Activity, AgentId, AgentLimits, Behaviour, Order, PatrolOrder, TeamId, Who,
};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    AgentChange, Avoidance, AvoidanceFault, Command, Event, GridEdit, MeshWorld, Simulation,
    SimulationSettings, SpecError,
};

use crate::support::{POLITE, agent, at, on_grid, patrol, run};

/// An agent that avoids others and is on its way to a point.
fn walker(simulation: &mut Simulation<Grid>, class: ClassId, from: Vec3, to: Vec3) -> AgentId {
    let id = simulation.add_agent(agent("walker", class, from).avoidance(POLITE)).unwrap();
    simulation.order(id, Order::GoTo(to));
    id
}

/// All agents have nothing left to do.
fn assert_done(simulation: &Simulation<Grid>) {
    let busy: Vec<_> = simulation
        .agents()
        .filter(|agent| agent.orders().len() > 0)
        .map(|agent| (agent.id(), agent.text(), agent.position(), agent.is_loose()))
        .collect();
    assert!(busy.is_empty(), "{busy:?}");
}

/// A ring of agents on open ground, each on its way to the opposite place.
pub(crate) fn ring(count: u32, radius: f32) -> (Simulation<Grid>, ClassId) {
    let side = (2.0 * radius).ceil() as u32 + 8;
    let grid = {
        let row = ".".repeat(side as usize);
        Grid::from_rows(&vec![row.as_str(); side as usize]).unwrap()
    };
    let mut simulation =
        Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let middle = Vec3::new(side as f32 / 2.0, 0.0, side as f32 / 2.0);
    for number in 0..count {
        let SinCos { sin, cos } = sin_cos(TAU * number as f32 / count as f32);
        let away = Vec3::new(cos, 0.0, sin) * radius;
        walker(&mut simulation, class, middle + away, middle - away);
    }
    (simulation, class)
}

#[test]
fn two_who_meet_head_on_pass_each_other() {
    let (mut simulation, class) = on_grid(&["................"; 3]);
    let east = walker(&mut simulation, class, at(0, 1), at(15, 1));
    let west = walker(&mut simulation, class, at(15, 1), at(0, 1));
    let mut aside: f32 = 0.0;
    for _ in 0..20 {
        run(&mut simulation, 10);
        let places = [east, west].map(|id| simulation.agent(id).unwrap().position());
        aside = places.iter().fold(aside, |aside, place| aside.max((place.z - 1.5).abs()));
    }
    assert_done(&simulation);
    assert!(aside > 0.2, "{aside}");
    let place = |id| simulation.agent(id).unwrap().position();
    assert!(place(east).distance(at(15, 1)) < 0.2 && place(west).distance(at(0, 1)) < 0.2);
}

#[test]
fn alone_an_agent_moves_as_it_does_without_avoidance() {
    let rows = ["............", ".####..####.", ".#........#.", ".####..####.", "............"];
    let places = |avoidance: Avoidance| {
        let (mut simulation, class) = on_grid(&rows);
        let points = [at(2, 2), at(11, 0), at(0, 4), at(9, 2)];
        let round = patrol(&points, PatrolOrder::Loop, 0.3);
        let limits = AgentLimits { acceleration: 3.0, angular_speed: 4.0, ..Default::default() };
        let spec = agent("guard", class, at(0, 0)).avoidance(avoidance).limits(limits);
        let id = simulation.add_agent(spec.behaviour(round)).unwrap();
        (0..900)
            .map(|_| {
                simulation.tick();
                let view = simulation.agent(id).unwrap();
                (view.position(), view.heading(), view.speed())
            })
            .collect::<Vec<_>>()
    };
    let (polite, off) = (places(POLITE), places(Avoidance::default()));
    let tick = polite.iter().zip(&off).position(|(polite, off)| polite != off);
    assert_eq!(tick, None, "they differ there first");
}

#[test]
fn agents_without_avoidance_move_as_if_the_others_were_not_there() {
    let places = |with_others: bool| {
        let (mut simulation, class) = on_grid(&["................"; 8]);
        let id = simulation.add_agent(agent("ghost", class, at(0, 4))).unwrap();
        simulation.order(id, Order::GoTo(at(15, 4)));
        for number in (0..8).filter(|_| with_others) {
            walker(&mut simulation, class, at(15, number), at(0, 7 - number));
        }
        let mut seen = Vec::new();
        for _ in 0..120 {
            simulation.tick();
            let view = simulation.agent(id).unwrap();
            seen.push((view.position(), view.heading(), view.speed()));
        }
        seen
    };
    assert_eq!(places(true), places(false));
}

/// Two pedestrians walk side by side towards a stretch of their paths that is too near to a wall
/// for their bodies. Each pushes the other a little aside, so that neither comes to the corner
/// before that stretch by chance: they circled round the two corners for ever.
#[test]
fn two_who_push_each_other_aside_come_past_the_corners_of_their_ways() {
    let row = |y: usize| {
        let is_free = |x: usize| (2..10).contains(&y) || (42..50).contains(&x);
        let is_inside = |x: usize| (2..50).contains(&x) && (2..50).contains(&y);
        let glyph = |x: usize| if is_inside(x) && is_free(x) { '.' } else { '#' };
        (0..52).map(glyph).collect::<String>()
    };
    let rows: Vec<String> = (0..52).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let frame = Frame { origin: Vec3::ZERO, cell_size: 0.25 };
    let grid = Grid::from_rows(&rows).unwrap().with_frame(frame).unwrap();
    let mut simulation =
        Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let model = AvoidanceModel::FreeSpeed(CollisionFreeSpeed::default());
    for (x, to) in [(0.835, 11.0), (1.585, 11.5)] {
        let limits = AgentLimits {
            max_speed: 1.34,
            acceleration: 6.0,
            radius: 0.2,
            turn_radius: 0.2,
            ..AgentLimits::default()
        };
        let place = Vec3::new(x, 0.0, 0.8333);
        let spec = agent("walker", class, place).avoidance(Avoidance { model, ..POLITE });
        let id = simulation.add_agent(spec.limits(limits)).unwrap();
        simulation.order(id, Order::GoTo(Vec3::new(to, 0.0, 12.1)));
    }
    // 20 m at 1.34 m/s are 15 s.
    run(&mut simulation, 400);
    assert_done(&simulation);
}

#[test]
fn two_streams_pass_in_a_corridor() {
    let mut rows = vec!["#".repeat(60)];
    rows.extend((0..5).map(|_| ".".repeat(60)));
    rows.push("#".repeat(60));
    let (mut simulation, class) = on_grid(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    for number in 0..20u32 {
        let (x, y) = (number / 5, 1 + number % 5);
        walker(&mut simulation, class, at(x, y), at(59 - x, y));
        walker(&mut simulation, class, at(59 - x, y), at(x, y));
    }
    // They pass in 25 seconds. The last one then has to make its way through those who stand close
    // together where they wanted to.
    run(&mut simulation, 3000);
    assert_done(&simulation);
}

#[test]
fn fifty_pass_a_door() {
    let mut rows: Vec<String> = Vec::new();
    for row in 0..12 {
        let wall = if (5..7).contains(&row) { "." } else { "#" };
        rows.push(format!("{}{wall}{}", ".".repeat(12), ".".repeat(12)));
    }
    let (mut simulation, class) = on_grid(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    for number in 0..50u32 {
        let (x, y) = (number / 10, 1 + number % 10);
        walker(&mut simulation, class, at(x, y), at(18 + x, y));
    }
    run(&mut simulation, 4000);
    assert_done(&simulation);
}

/// Agents of both models among each other, under the audit.
#[test]
fn pedestrians_and_others_pass_a_door() {
    let mut rows: Vec<String> = Vec::new();
    for row in 0..12 {
        let wall = if (5..7).contains(&row) { "." } else { "#" };
        rows.push(format!("{}{wall}{}", ".".repeat(12), ".".repeat(12)));
    }
    let (mut simulation, class) = on_grid(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let model = AvoidanceModel::FreeSpeed(CollisionFreeSpeed::default());
    for number in 0..30u32 {
        let (x, y) = (number / 10, 1 + number % 10);
        let model = if number % 2 == 0 { model } else { POLITE.model };
        let spec = agent("walker", class, at(x, y)).avoidance(Avoidance { model, ..POLITE });
        let id = simulation.add_agent(spec).unwrap();
        // Far enough apart that nobody has to come through a pack of those who stand there.
        simulation.order(id, Order::GoTo(at(15 + 4 * x, y)));
    }
    run(&mut simulation, 3000);
    assert_done(&simulation);

    let model =
        AvoidanceModel::FreeSpeed(CollisionFreeSpeed { time_gap: 0.0, ..Default::default() });
    let spec = agent("hasty", class, at(0, 0)).avoidance(Avoidance { model, ..POLITE });
    let said = simulation.add_agent(spec).unwrap_err().to_string();
    assert!(said.contains("time gap"), "{said}");
}

/// Forty persons leave a room by a corridor that is hardly wider than one of them. Those who come
/// along the wall from both sides meet before its mouth, and the nearer one goes first.
#[test]
fn pedestrians_take_turns_before_a_passage_for_one() {
    let mut rows = vec![format!("{}########{}", ".".repeat(16), ".".repeat(12)); 16];
    rows[8] = ".".repeat(36);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let frame = Frame { origin: Vec3::ZERO, cell_size: 0.5 };
    let grid = Grid::from_rows(&rows).unwrap().with_frame(frame).unwrap();
    let mut simulation =
        Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let model = AvoidanceModel::FreeSpeed(CollisionFreeSpeed::default());
    let avoidance = Avoidance { model, quality: AvoidanceQuality::High, ..POLITE };
    for number in 0..40u8 {
        let (column, row) = (f32::from(number / 10), f32::from(number % 10));
        let askew = if number / 10 % 2 == 0 { 0.03 } else { -0.03 };
        let place = Vec3::new(4.5 + column * 0.7, 0.0, 0.6 + row * 0.72 + askew);
        let limits = AgentLimits {
            max_speed: 1.34,
            acceleration: 6.0,
            radius: 0.2,
            turn_radius: 0.2,
            ..AgentLimits::default()
        };
        let spec = agent("person", class, place).limits(limits).avoidance(avoidance);
        let id = simulation.add_agent(spec).unwrap();
        let goal = Vec3::new(13.5 + column, 0.0, place.z);
        simulation.order(id, Order::GoTo(goal));
    }
    // 50 s; at 1.15 persons a second, as of 75 people before such a passage, 35 would do.
    run(&mut simulation, 1000);
    let through = simulation.agents().filter(|agent| agent.position().x > 11.0).count();
    assert!(through >= 30, "{through} of 40");
}

/// On a mesh of rooms, level and on a slope: forty pass a door both ways, under the audit.
#[test]
fn two_groups_pass_a_door_on_a_mesh() {
    let mut rows = vec!["..........#.........."; 4];
    rows.extend(["....................."; 3]);
    rows.extend(["..........#.........."; 4]);
    for slope in [0.0, 0.4] {
        let mut draft = MeshDraft::of_grid(&Grid::from_rows(&rows).unwrap(), &CostTable::default());
        draft.vertices.iter_mut().for_each(|vertex| vertex.y = slope * vertex.x);
        let world = MeshWorld::new(NavMesh::new(draft).unwrap());
        let settings = SimulationSettings::default();
        let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings).unwrap();
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        let on_slope = |x: u32, y: u32| {
            let place = at(x, y);
            place.with_y(slope * place.x)
        };
        for number in 0..20u32 {
            let (x, y) = (2 * (number / 5), 1 + 2 * (number % 5));
            for (from, to) in [(x, 20 - x), (20 - x, x)] {
                let spec = agent("walker", class, on_slope(from, y)).avoidance(POLITE);
                let id = simulation.add_agent(spec).unwrap();
                simulation.order(id, Order::GoTo(on_slope(to, y)));
            }
        }
        run(&mut simulation, 2400);
        let busy = simulation.agents().filter(|agent| agent.orders().len() > 0);
        let busy: Vec<_> = busy.map(|agent| (agent.id(), agent.position())).collect();
        assert!(busy.is_empty(), "slope {slope}: {busy:?}");
    }
}

#[test]
fn a_ring_of_a_hundred_changes_sides() {
    let (mut simulation, _) = ring(100, 20.0);
    run(&mut simulation, 3000);
    assert_done(&simulation);
}

#[test]
fn thirty_with_one_goal_settle_round_it() {
    let (mut simulation, class) = on_grid(&["................"; 16]);
    for number in 0..30 {
        walker(&mut simulation, class, at(number % 16, 15 * (number / 16)), at(8, 8));
    }
    run(&mut simulation, 1200);
    assert_done(&simulation);
    let away = simulation.agents().map(|agent| agent.position().distance(at(8, 8)));
    // Packed as closely as discs can be they would be within 2.1 m. They stop where they touch
    // others who are nearer, so that the heap has gaps.
    assert!(away.fold(0.0, f32::max) < 4.2);
}

#[test]
fn those_who_are_idle_step_aside_and_walls_appear_under_way() {
    let (mut simulation, class) = on_grid(&["................"; 7]);
    for number in 0..7 {
        simulation.add_agent(agent("idle", class, at(8, number)).avoidance(POLITE)).unwrap();
    }
    for number in 0..4 {
        walker(&mut simulation, class, at(0, number), at(15, number));
        walker(&mut simulation, class, at(15, number), at(0, number));
    }
    let cells: Vec<Cell> = (0..4).map(|y| simulation.world().cell(5, y).unwrap()).collect();
    let edit = |terrain| Command::Edit(GridEdit::Terrain { cells: cells.clone(), terrain });
    simulation.schedule(30, edit(TerrainId::BLOCKED));
    simulation.schedule(90, edit(TerrainId::GROUND));
    run(&mut simulation, 1500);
    assert_done(&simulation);
}

#[test]
fn a_pursuer_catches_somebody_whom_it_avoids() {
    let (mut simulation, class) = on_grid(&["................"; 16]);
    let prey = agent("prey", class, at(12, 12)).avoidance(POLITE).team(TeamId(1));
    simulation.add_agent(prey).unwrap();
    let chase = Behaviour::Pursue {
        target: Who::Team(TeamId(1)),
        aggro: 30.0,
        give_up: 30.0,
        predict: 0.5,
        speed: None,
    };
    let hunter = agent("hunter", class, at(1, 1)).avoidance(POLITE).behaviour(chase);
    let hunter = simulation.add_agent(hunter).unwrap();
    let happened = run(&mut simulation, 400);
    let caught =
        |event: &Event| matches!(event, Event::Decided(id, Activity::Caught(_)) if *id == hunter);
    assert!(happened.iter().any(|(_, event)| caught(event)));
}

#[test]
fn avoidance_can_be_changed_and_is_refused_where_it_cannot_be() {
    let (mut simulation, class) = on_grid(&["........"; 3]);
    let id = walker(&mut simulation, class, at(0, 1), at(7, 1));
    let still = AgentLimits { radius: 0.0, ..AgentLimits::default() };
    let spec = agent("point", class, at(3, 1)).avoidance(POLITE).limits(still);
    let fault = SpecError::Avoidance(AvoidanceFault::NoRadius);
    assert_eq!(simulation.add_agent(spec).unwrap_err(), fault);
    let off = AgentChange::Avoidance(Avoidance::default());
    simulation.schedule(5, Command::Change { agent: id, change: off });
    let happened = run(&mut simulation, 10);
    assert!(happened.contains(&(5, Event::Changed(id))));
    assert_eq!(simulation.agent(id).unwrap().avoidance(), Avoidance::default());
}
