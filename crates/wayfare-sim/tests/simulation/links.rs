//! Links in use: capacity, gates, queues, commitment.

use std::num::NonZeroU16;

use wayfare_core::link::{Crossing, Gate, Keys, LinkId, LinkKind, NavLink, NavLinks};
use wayfare_core::space::TerrainId;
use wayfare_grid::grid::{Cell, Grid};
use wayfare_sim::agent::{AgentId, Order};
use wayfare_sim::simulation::{Command, Event, LinkWait, Simulation, SimulationSettings};

use crate::support::{agent, arrivals, at, run};

const RIVER: [&str; 3] = [".....##.....", ".....##.....", ".....##....."];

fn bridge(link: impl Fn(NavLink<Cell>) -> NavLink<Cell>) -> Simulation<Grid> {
    let grid = Grid::from_rows(&RIVER).unwrap();
    let mut links = NavLinks::new(3.0);
    let (from, to) = (grid.cell(4, 1).unwrap(), grid.cell(7, 1).unwrap());
    links.add(&grid.space(), link(NavLink::new(from, to, Crossing::Seconds(2.0)))).unwrap();
    Simulation::new(grid, links, SimulationSettings::default()).unwrap()
}

#[test]
fn a_narrow_bridge_is_crossed_one_by_one_in_the_order_of_arrival() {
    let mut simulation = bridge(|link| link.capacity(NonZeroU16::MIN));
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walkers: Vec<AgentId> = (0..4)
        .map(|number| {
            let id = simulation.add_agent(agent("walker", class, at(number, 0))).unwrap();
            simulation.order(id, Order::GoTo(at(11, 2)));
            id
        })
        .collect();
    let happened = run(&mut simulation, 500);
    let order = |wanted: fn(&Event) -> Option<AgentId>| -> Vec<AgentId> {
        happened.iter().filter_map(|(_, event)| wanted(event)).collect()
    };
    let waits = order(|event| if let Event::Waits(who, _) = event { Some(*who) } else { None });
    let entered = order(|event| if let Event::Entered(who, _) = event { Some(*who) } else { None });
    assert_eq!(waits, entered);
    assert_eq!(entered.len(), 4);
    for walker in walkers {
        assert_eq!(arrivals(&happened, walker).len(), 1);
    }
}

#[test]
fn who_waits_says_why() {
    let mut simulation = bridge(|link| link.capacity(NonZeroU16::MIN).locked(Keys(2)));
    let with = simulation.add_class(Default::default(), Keys(2)).unwrap();
    let walkers = [0, 1, 2].map(|number| {
        let id = simulation.add_agent(agent("walker", with, at(2, number))).unwrap();
        simulation.order(id, Order::GoTo(at(11, 2)));
        id
    });
    let reasons = |simulation: &Simulation<Grid>| {
        let mut found: Vec<_> = walkers
            .iter()
            .filter_map(|&id| {
                let view = simulation.agent(id).unwrap();
                assert_eq!(view.link_wait().is_some(), view.waiting().is_some());
                view.link_wait().map(|wait| (wait, view.text()))
            })
            .collect();
        found.dedup();
        found
    };
    // One is on the bridge, and the others stand before it.
    while simulation.link_views().all(|link| link.inside().is_empty() || link.waiting().len() < 2) {
        run(&mut simulation, 1);
    }
    let text = "waiting in line: the link carries 1 and is full".to_owned();
    let full = LinkWait::Full { capacity: NonZeroU16::MIN };
    assert_eq!(reasons(&simulation), [(full, text)]);
    simulation.schedule(0, Command::Gate { link: LinkId(0), gate: Gate::Closed });
    run(&mut simulation, 1);
    let text = "waiting at the gate, which is closed".to_owned();
    assert_eq!(reasons(&simulation), [(LinkWait::Closed, text)]);
}

#[test]
fn who_comes_to_a_shut_gate_waits_there_and_crosses_when_it_opens() {
    let mut simulation = bridge(|link| link);
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(0, 1))).unwrap();
    simulation.order(walker, Order::GoTo(at(11, 1)));
    // Shut under way: there is no other way, so that it goes to the gate.
    simulation.schedule(10, Command::Gate { link: LinkId(0), gate: Gate::Closed });
    simulation.schedule(200, Command::Gate { link: LinkId(0), gate: Gate::Open });
    run(&mut simulation, 150);
    assert_eq!(simulation.agent(walker).unwrap().text(), "waiting at the gate, which is closed");
    assert_eq!(simulation.agent(walker).unwrap().waiting(), Some(LinkId(0)));
    run(&mut simulation, 250);
    assert!(simulation.agent(walker).unwrap().position().distance(at(11, 1)) < 1e-3);
}

#[test]
fn locks_let_pass_who_holds_the_key() {
    let mut simulation = bridge(|link| link.locked(Keys(2)).kind(LinkKind::Door));
    let with = simulation.add_class(Default::default(), Keys(2)).unwrap();
    let without = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let lord = simulation.add_agent(agent("lord", with, at(0, 1))).unwrap();
    let thief = simulation.add_agent(agent("thief", without, at(0, 0))).unwrap();
    for who in [lord, thief] {
        simulation.order(who, Order::GoTo(at(11, 1)));
    }
    run(&mut simulation, 300);
    assert!(simulation.agent(lord).unwrap().position().x > 11.0);
    assert!(simulation.agent(thief).unwrap().position().x < 5.0);
}

#[test]
fn an_order_given_inside_is_obeyed_at_the_far_end() {
    let mut simulation = bridge(|link| link);
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(3, 1))).unwrap();
    simulation.order(walker, Order::GoTo(at(11, 1)));
    let mut entered = None;
    for _ in 0..200 {
        run(&mut simulation, 1);
        if simulation.agent(walker).unwrap().inside().is_some() && entered.is_none() {
            entered = Some(simulation.now());
            simulation.order(walker, Order::GoTo(at(0, 0)));
            let happened = run(&mut simulation, 35);
            assert!(!happened.iter().any(|(_, event)| matches!(event, Event::Left(..))));
            let happened = run(&mut simulation, 10);
            assert!(happened.iter().any(|(_, event)| *event == Event::Left(walker, LinkId(0))));
            assert!(simulation.agent(walker).unwrap().position().x > 7.0);
        }
    }
    run(&mut simulation, 200);
    assert!(entered.is_some());
    assert!(simulation.agent(walker).unwrap().position().distance(at(0, 0)) < 1e-3);
}

#[test]
fn a_teleport_takes_its_time_and_no_way() {
    let mut simulation = bridge(|link| {
        NavLink { crossing: Crossing::Seconds(0.5), ..link }.kind(LinkKind::Teleport).one_way()
    });
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(4, 1))).unwrap();
    simulation.order(walker, Order::GoTo(at(7, 1)));
    let mut places = Vec::new();
    for _ in 0..40 {
        run(&mut simulation, 1);
        places.push(simulation.agent(walker).unwrap().position().x);
    }
    assert!(
        places.iter().all(|&x| x == 4.5 || x == 7.5) && places.last() == Some(&7.5),
        "{places:?}"
    );
}

#[test]
fn a_link_that_is_walled_up_at_the_far_end_is_left_at_the_near_one() {
    let mut simulation = bridge(|link| link);
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(4, 1))).unwrap();
    simulation.order(walker, Order::GoTo(at(11, 1)));
    while simulation.agent(walker).unwrap().inside().is_none() {
        run(&mut simulation, 1);
    }
    let cells = vec![simulation.world().cell(7, 1).unwrap()];
    let wall = wayfare_sim::simulation::GridEdit::Terrain { cells, terrain: TerrainId::BLOCKED };
    simulation.schedule(0, Command::Edit(wall));
    run(&mut simulation, 60);
    let view = simulation.agent(walker).unwrap();
    assert!(view.inside().is_none() && view.position().x < 5.0, "{}", view.position());
    assert!(view.trouble().is_some());
}

#[test]
fn a_space_may_have_moves_of_a_links_action_of_its_own() {
    use wayfare_core::space::{Action, NegativeCosts, StateId};
    use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
    let id = WaypointId::from_index;
    let waypoints = [0.0, 3.0, 6.0].map(|x| Waypoint::at(glam::Vec3::new(x, 0.0, 0.0)));
    let links = [
        WaypointLink::new(id(0), id(1)),
        WaypointLink::new(id(1), id(2)).with_action(Action::Link(7)),
    ];
    let graph = WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap();
    let mut simulation =
        Simulation::new(graph, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, glam::Vec3::ZERO)).unwrap();
    simulation.order(walker, Order::GoTo(glam::Vec3::new(6.0, 0.0, 0.0)));
    run(&mut simulation, 100);
    assert_eq!(simulation.agent(walker).unwrap().position().x, 6.0);
}

/// In a link a body is as fast as the link carries it, in the same direction; in a teleport it
/// stands.
#[test]
fn a_body_has_the_speed_of_its_link() {
    let crossings = [
        (Crossing::Speed(3.0), LinkKind::Door, 3.0),
        (Crossing::Seconds(2.0), LinkKind::Door, 1.5),
        (Crossing::Seconds(2.0), LinkKind::Teleport, 0.0),
    ];
    for (crossing, kind, speed) in crossings {
        let mut simulation = bridge(|link| NavLink { crossing, ..link.kind(kind) });
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        let walker = simulation.add_agent(agent("walker", class, at(2, 1))).unwrap();
        simulation.order(walker, Order::GoTo(at(11, 1)));
        let mut inside = 0;
        for _ in 0..300 {
            let before = simulation.agent(walker).unwrap().position();
            run(&mut simulation, 1);
            let view = simulation.agent(walker).unwrap();
            if view.inside().is_some() && view.position() != before {
                let moved = (view.position() - before) / simulation.settings().tick_seconds;
                assert!((view.speed() - speed).abs() < 0.1, "{} of {speed}", view.speed());
                assert!((view.velocity() - moved).length() < 0.1, "{} {moved}", view.velocity());
            }
            inside += usize::from(view.inside().is_some() && (view.speed() - speed).abs() < 0.1);
        }
        assert!(inside > 15, "{inside} ticks");
    }
}
