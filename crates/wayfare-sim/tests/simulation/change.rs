//! Agents that are changed while they run.

use std::num::NonZeroU16;

use glam::Vec3;
use wayfare_core::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare_grid::grid::{Grid, GridProfile};
use wayfare_sim::agent::{AgentLimits, Behaviour, Order, PatrolOrder, TeamId, Who};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    AgentChange, AgentSpec, Command, Event, Simulation, SimulationSettings,
};

use crate::support::{agent, at, on_grid, patrol, run};

#[test]
fn limits_change_on_the_way_and_the_body_slows_down_as_fast_as_it_can() {
    let (mut simulation, class) = on_grid(&["........................................"]);
    let walker = simulation.add_agent(agent("walker", class, at(0, 0))).unwrap();
    simulation.order(walker, Order::GoTo(at(39, 0)));
    run(&mut simulation, 40);
    assert_eq!(simulation.agent(walker).unwrap().speed(), 3.0);
    for (max_speed, ticks) in [(1.0, 6), (5.0, 12), (2.0, 9)] {
        let limits = AgentLimits { max_speed, ..AgentLimits::default() };
        simulation
            .schedule(0, Command::Change { agent: walker, change: AgentChange::Limits(limits) });
        let happened = run(&mut simulation, ticks);
        assert!(happened.contains(&(happened[0].0, Event::Changed(walker))));
        assert!(!happened.iter().any(|(_, event)| matches!(event, Event::Halted { .. })));
        assert!((simulation.agent(walker).unwrap().speed() - max_speed).abs() < 1e-4);
    }
    let impossible = AgentLimits { max_speed: 0.0, ..AgentLimits::default() };
    simulation
        .schedule(0, Command::Change { agent: walker, change: AgentChange::Limits(impossible) });
    let happened = run(&mut simulation, 400);
    assert!(happened.iter().any(|(_, event)| matches!(event, Event::Failed(_))));
    assert!(simulation.agent(walker).unwrap().position().distance(at(39, 0)) < 1e-3);
}

#[test]
fn new_behaviours_begin_at_once_and_orders_stay() {
    let (mut simulation, class) = on_grid(&["...................."; 4]);
    let rounds = patrol(&[at(0, 0), at(10, 0)], PatrolOrder::Loop, 0.2);
    let guard = simulation.add_agent(agent("guard", class, at(0, 0)).behaviour(rounds)).unwrap();
    run(&mut simulation, 40);
    let watch = patrol(&[at(19, 3)], PatrolOrder::Loop, 1.0);
    let change = AgentChange::Behaviours(vec![watch.clone()]);
    simulation.schedule(0, Command::Change { agent: guard, change });
    run(&mut simulation, 2);
    assert_eq!(simulation.agent(guard).unwrap().destination(), Some(at(19, 3)));
    simulation.order(guard, Order::GoTo(at(0, 3)));
    run(&mut simulation, 5);
    simulation
        .schedule(0, Command::Change { agent: guard, change: AgentChange::Behaviours(vec![]) });
    run(&mut simulation, 300);
    let view = simulation.agent(guard).unwrap();
    assert!(view.position().distance(at(0, 3)) < 1e-3 && view.text() == "idle", "{}", view.text());
    let broken = AgentChange::Behaviours(vec![watch, patrol(&[], PatrolOrder::Loop, 1.0)]);
    simulation.schedule(0, Command::Change { agent: guard, change: broken });
    let happened = run(&mut simulation, 1);
    assert!(
        matches!(&happened[0].1, Event::Failed(fault) if fault.to_string().contains("no points"))
    );
}

#[test]
fn a_key_that_is_handed_over_opens_the_way() {
    let grid = Grid::from_rows(&[".....##.....", ".....##.....", ".....##....."]).unwrap();
    let mut links = NavLinks::new(3.0);
    let (from, to) = (grid.cell(4, 1).unwrap(), grid.cell(7, 1).unwrap());
    let door = NavLink::new(from, to, Crossing::Seconds(1.0)).locked(Keys(2));
    links.add(&grid.space(), door.capacity(NonZeroU16::MIN)).unwrap();
    let mut simulation = Simulation::new(grid, links, SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let thief = simulation.add_agent(agent("thief", class, at(0, 1))).unwrap();
    simulation.order(thief, Order::GoTo(at(11, 1)));
    run(&mut simulation, 40);
    assert!(simulation.agent(thief).unwrap().text().starts_with("no path"));
    simulation.schedule(0, Command::Change { agent: thief, change: AgentChange::Keys(Keys(2)) });
    run(&mut simulation, 200);
    assert!(simulation.agent(thief).unwrap().position().distance(at(11, 1)) < 1e-3);
    // Without the key it does not get back; the class without keys is known already.
    simulation.schedule(0, Command::Change { agent: thief, change: AgentChange::Keys(Keys::NONE) });
    simulation.order(thief, Order::GoTo(at(0, 1)));
    run(&mut simulation, 60);
    let view = simulation.agent(thief).unwrap();
    assert_eq!(view.class(), class);
    assert!(view.position().x > 7.0 && view.text().starts_with("no path"), "{}", view.text());
}

#[test]
fn a_wider_class_stops_before_the_gap_it_does_not_fit_through() {
    let open = "............";
    let rows = [open, open, open, open, "######.#####", open, open, open, open];
    let wide = GridProfile { width: 2, ..GridProfile::default() };
    let mut grid = Grid::from_rows(&rows).unwrap();
    let wide = grid.add_profile(wide).unwrap();
    let mut simulation =
        Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let slim = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let broad = simulation.add_class(wide, Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", slim, at(1, 0))).unwrap();
    simulation.order(walker, Order::GoTo(at(1, 7)));
    run(&mut simulation, 10);
    simulation.schedule(0, Command::Change { agent: walker, change: AgentChange::Class(broad) });
    run(&mut simulation, 200);
    let view = simulation.agent(walker).unwrap();
    assert!(view.position().z < 4.0 && view.class() == broad, "{}", view.position());
    for (class, word) in [(ClassId(7), "no class 7"), (slim, "")] {
        simulation
            .schedule(0, Command::Change { agent: walker, change: AgentChange::Class(class) });
        let happened = run(&mut simulation, 1);
        let failed = happened.iter().find_map(|(_, event)| match event {
            Event::Failed(fault) => Some(fault.to_string()),
            _ => None,
        });
        assert_eq!(failed.is_some(), !word.is_empty());
        assert!(failed.unwrap_or_default().contains(word));
    }
    simulation.order(walker, Order::GoTo(at(1, 7)));
    run(&mut simulation, 300);
    assert!(simulation.agent(walker).unwrap().position().distance(at(1, 7)) < 1e-3);
    // In the gap there is no room for the wider class.
    simulation.order(walker, Order::GoTo(at(6, 4)));
    run(&mut simulation, 200);
    simulation.schedule(0, Command::Change { agent: walker, change: AgentChange::Class(broad) });
    let happened = run(&mut simulation, 1);
    assert!(happened.iter().any(|(_, event)| matches!(event, Event::Failed(_))));
    assert_eq!(simulation.agent(walker).unwrap().class(), slim);
}

#[test]
fn pursuit_and_flight_have_speeds_of_their_own() {
    let (mut simulation, class) =
        on_grid(&["............................................................"; 3]);
    let calm = AgentLimits { max_speed: 1.5, ..AgentLimits::default() };
    let chase = Behaviour::Pursue {
        target: Who::Team(TeamId(1)),
        aggro: 12.0,
        give_up: 30.0,
        predict: 0.0,
        speed: Some(4.0),
    };
    let rounds = patrol(&[at(0, 1), at(3, 1)], PatrolOrder::Loop, 0.2);
    let guard = agent("guard", class, at(0, 1)).limits(calm).behaviour(chase).behaviour(rounds);
    let guard = simulation.add_agent(guard).unwrap();
    let flee =
        Behaviour::Flee { from: Who::Agent(guard), radius: 6.0, distance: 20.0, speed: Some(3.0) };
    let thief = agent("thief", class, at(40, 1)).team(TeamId(1)).limits(calm).behaviour(flee);
    let thief = simulation.add_agent(thief).unwrap();
    let mut fastest = [0.0f32; 4];
    simulation.order(thief, Order::GoTo(at(8, 1)));
    for _ in 0..900 {
        run(&mut simulation, 1);
        let speeds = [guard, thief].map(|id| simulation.agent(id).unwrap().speed());
        let texts = [guard, thief].map(|id| simulation.agent(id).unwrap().text());
        let runs = [texts[0] == "chasing thief", texts[1] == "fleeing from guard"];
        for number in 0..2 {
            let place = number * 2 + usize::from(runs[number]);
            fastest[place] = fastest[place].max(speeds[number]);
        }
    }
    assert!((fastest[1] - 4.0).abs() < 1e-3 && (fastest[3] - 3.0).abs() < 1e-3, "{fastest:?}");
    assert!(fastest[2] <= 3.0);
    let mut patrols = 0.0f32;
    simulation.schedule(0, Command::Remove(thief));
    run(&mut simulation, 40);
    for _ in 0..60 {
        run(&mut simulation, 1);
        patrols = patrols.max(simulation.agent(guard).unwrap().speed());
    }
    assert!((patrols - 1.5).abs() < 1e-3, "back to its pace: {patrols}");
}

#[test]
fn who_is_inside_a_link_is_met_at_its_end() {
    let grid =
        Grid::from_rows(&["......####......", "......####......", "......####......"]).unwrap();
    let mut links = NavLinks::new(3.0);
    let (from, to) = (grid.cell(5, 1).unwrap(), grid.cell(10, 1).unwrap());
    let lift = NavLink::new(from, to, Crossing::Seconds(8.0)).locked(Keys(1)).one_way();
    links.add(&grid.space(), lift).unwrap();
    for (keys, exit, meets) in [(Keys::NONE, at(12, 1), true), (Keys::NONE, at(1, 1), false)] {
        let mut simulation =
            Simulation::new(grid.clone(), links.clone(), SimulationSettings::default()).unwrap();
        let owner = simulation.add_class(Default::default(), Keys(1)).unwrap();
        let other = simulation.add_class(Default::default(), keys).unwrap();
        let thief = agent("thief", owner, at(4, 1)).team(TeamId(1));
        let thief = simulation.add_agent(thief).unwrap();
        simulation.order(thief, Order::GoTo(at(14, 1)));
        let chase = Behaviour::Pursue {
            target: Who::Team(TeamId(1)),
            aggro: 30.0,
            give_up: 30.0,
            predict: 0.0,
            speed: None,
        };
        while simulation.agent(thief).unwrap().inside().is_none() {
            run(&mut simulation, 1);
        }
        let guard = simulation.add_agent(agent("guard", other, exit).behaviour(chase)).unwrap();
        run(&mut simulation, 80);
        assert!(simulation.agent(thief).unwrap().inside().is_some());
        let there = simulation.agent(guard).unwrap().position();
        let wanted = if meets { at(10, 1) } else { at(5, 1) };
        assert!(there.distance(wanted) < 1e-3, "{there}");
    }
}

#[test]
fn a_body_turns_before_it_sets_out_and_takes_a_second_for_half_a_turn() {
    let (mut simulation, class) = on_grid(&["...................."]);
    let mut west = agent("walker", class, at(2, 0));
    west.facing = std::f32::consts::PI;
    let walker = simulation.add_agent(west).unwrap();
    simulation.order(walker, Order::GoTo(at(18, 0)));
    let (mut ticks, mut begun) = (0, None);
    while begun.is_none() {
        run(&mut simulation, 1);
        ticks += 1;
        let view = simulation.agent(walker).unwrap();
        if view.position() != at(2, 0) {
            begun = Some(view.heading().abs());
        }
        assert!(ticks < 40);
    }
    assert!((16..=20).contains(&ticks), "{ticks} ticks, some 0.9 s");
    assert!(begun.unwrap() < 0.36, "it looks {begun:?} aside as it sets out");
}

#[test]
fn a_stay_lasts_as_long_as_it_says() {
    for dwell in [0.2f32, 0.75, 1.5] {
        let (mut simulation, class) = on_grid(&["......"]);
        let rounds = patrol(&[at(0, 0), at(5, 0)], PatrolOrder::Loop, dwell);
        let guard = agent("guard", class, at(0, 0)).behaviour(rounds);
        let guard = simulation.add_agent(guard).unwrap();
        let (mut arrived, mut stays) = (None, Vec::new());
        for tick in 0..400 {
            run(&mut simulation, 1);
            for event in &simulation.events().events {
                match event {
                    Event::Arrived(_) => arrived = Some(tick),
                    Event::Departed(_) => stays.extend(arrived.take().map(|since| tick - since)),
                    _ => {}
                }
            }
        }
        let wanted = (dwell / 0.05).round() as i32;
        assert!(
            stays.len() > 3 && stays.iter().all(|&stay| stay == wanted),
            "{stays:?}, not {wanted}"
        );
        assert!(simulation.agent(guard).is_some());
    }
}

/// A guard on an island of its own is told so once, before it sets out.
#[test]
fn points_that_no_path_leads_to_are_warned_of_once() {
    let (mut simulation, class) = on_grid(&["...#...", "...#..."]);
    let looped = |xs: &[u32]| {
        let points: Vec<Vec3> = xs.iter().map(|&x| at(x, 0)).collect();
        patrol(&points, PatrolOrder::Loop, 0.0)
    };
    let guard = AgentSpec::unnamed(class, at(0, 0));
    let guard = guard.behaviour(looped(&[2, 5])).behaviour(Behaviour::GoTo { to: at(3, 0) });
    let guard = simulation.add_agent(guard).unwrap();
    let warnings = |happened: Vec<(u64, Event)>| -> Vec<_> {
        let warning = |event| match event {
            Event::OutOfReach { agent, behaviour, point, reason } if agent == guard => {
                Some((behaviour, point, reason))
            }
            _ => None,
        };
        happened.into_iter().filter_map(|(_, event)| warning(event)).collect()
    };
    let seen = warnings(run(&mut simulation, 60));
    let expected = |number: usize, behaviour: u16, x: u32, reason: &str| {
        let (of, point, why) = seen[number];
        (of, point) == (behaviour, at(x, 0)) && why.to_string().contains(reason)
    };
    assert!(seen.len() == 2, "{seen:?}");
    assert!(expected(0, 0, 5, "island") && expected(1, 1, 3, "goal"), "{seen:?}");

    // Behaviours within reach say nothing; new ones are looked at again.
    for (points, count) in [(&[0, 2][..], 0), (&[4, 5, 99], 3)] {
        let change = AgentChange::Behaviours(vec![looped(points)]);
        simulation.schedule(simulation.now(), Command::Change { agent: guard, change });
        assert_eq!(warnings(run(&mut simulation, 60)).len(), count, "{points:?}");
    }
}
