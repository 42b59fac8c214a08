//! What agents do: orders, patrols, chases, flight, walks, following.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_grid::grid::Grid;
use wayfare_sim::agent::{Activity, AgentLimits, Behaviour, Order, PatrolOrder, TeamId, Who};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{Command, Event, Simulation, SimulationSettings, TooManyClasses};

use crate::support::{agent, arrivals, at, on_grid, patrol, run};

const YARD: [&str; 6] = [
    "..............",
    ".####.####.##.",
    ".#..........#.",
    ".#..######..#.",
    ".##.#....#.##.",
    "..............",
];

#[test]
fn a_class_beyond_the_last_number_is_refused() {
    let (mut simulation, first) = on_grid(&["."]);
    let last = (1..=u16::MAX).map(|_| simulation.add_class(Default::default(), Keys::NONE)).last();
    assert_eq!((first, last), (ClassId(0), Some(Ok(ClassId(u16::MAX)))));
    assert_eq!(simulation.add_class(Default::default(), Keys::NONE), Err(TooManyClasses));
}

#[test]
fn orders_are_obeyed_one_after_the_other_and_behaviours_resume() {
    let (mut simulation, class) = on_grid(&YARD);
    let rounds = patrol(&[at(0, 0), at(3, 0)], PatrolOrder::Loop, 0.5);
    let guard = simulation.add_agent(agent("guard", class, at(0, 0)).behaviour(rounds)).unwrap();
    run(&mut simulation, 30);
    simulation.order(guard, Order::GoTo(at(13, 5)));
    simulation.order(guard, Order::Then(at(13, 0)));
    let happened = run(&mut simulation, 1);
    assert!(happened.contains(&(30, Event::Decided(guard, Activity::Ordered { left: 2 }))));
    let happened = run(&mut simulation, 600);
    let reached = |place: Vec3| simulation.agent(guard).unwrap().position().distance(place);
    assert!(arrivals(&happened, guard).len() > 3, "two orders and a patrol: {happened:?}");
    assert!(reached(at(0, 0)) < 4.0, "it patrols again");
    assert!(simulation.agent(guard).unwrap().orders().len() == 0);
}

#[test]
fn an_order_ends_exactly_where_it_was_given() {
    let (mut simulation, class) = on_grid(&YARD);
    let runner = simulation.add_agent(agent("runner", class, at(0, 0))).unwrap();
    let goal = Vec3::new(5.2, 0.0, 2.7);
    simulation.order(runner, Order::GoTo(goal));
    run(&mut simulation, 200);
    let view = simulation.agent(runner).unwrap();
    assert!(view.position().distance(goal) < 1e-3, "{}", view.position());
    assert_eq!((view.speed(), view.text().as_str()), (0.0, "idle"));
}

#[test]
fn a_patrol_stays_its_time_and_turns_round() {
    let (mut simulation, class) = on_grid(&["......"]);
    let points = [at(0, 0), at(2, 0), at(5, 0)];
    let rounds = patrol(&points, PatrolOrder::PingPong, 1.0);
    let guard = simulation.add_agent(agent("guard", class, at(0, 0)).behaviour(rounds)).unwrap();
    let mut visited = Vec::new();
    for _ in 0..800 {
        let arrived = simulation.tick().events.contains(&Event::Arrived(guard));
        if arrived {
            let here = simulation.agent(guard).unwrap().position();
            visited.push(points.iter().position(|point| point.distance(here) < 0.01).unwrap());
        }
    }
    assert!(visited.starts_with(&[0, 1, 2, 1, 0, 1, 2]), "{visited:?}");
}

#[test]
fn agents_patrol_out_of_phase() {
    let (mut simulation, class) = on_grid(&["............"]);
    let points: Vec<Vec3> = (0..4).map(|place| at(place * 3, 0)).collect();
    for start in 0..4u16 {
        let rounds = Behaviour::Patrol {
            points: points.clone(),
            order: PatrolOrder::Loop,
            dwell: 0.2,
            start,
        };
        simulation
            .add_agent(agent("guard", class, points[usize::from(start)]).behaviour(rounds))
            .unwrap();
    }
    run(&mut simulation, 40);
    let mut texts: Vec<String> = simulation.agents().map(|agent| agent.text()).collect();
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 2, "{texts:?}");
}

#[test]
fn a_guard_chases_who_comes_near_lets_go_and_returns() {
    let (mut simulation, class) =
        on_grid(&["..............................", ".............................."]);
    let rounds = patrol(&[at(0, 0), at(4, 0)], PatrolOrder::PingPong, 0.3);
    let chase = Behaviour::Pursue {
        target: Who::Team(TeamId(1)),
        aggro: 5.0,
        give_up: 8.0,
        predict: 0.5,
        speed: None,
    };
    let guard = agent("guard", class, at(0, 0)).behaviour(chase).behaviour(rounds);
    let guard = simulation.add_agent(guard).unwrap();
    let fast = AgentLimits { max_speed: 6.0, ..AgentLimits::default() };
    let thief = agent("thief", class, at(20, 1)).team(TeamId(1)).limits(fast);
    let thief = simulation.add_agent(thief).unwrap();
    simulation.order(thief, Order::GoTo(at(7, 1)));
    simulation.schedule(90, Command::Order { agent: thief, order: Order::GoTo(at(29, 1)) });
    let mut texts = Vec::new();
    for _ in 0..500 {
        run(&mut simulation, 1);
        let text = simulation.agent(guard).unwrap().text();
        if texts.last() != Some(&text) {
            texts.push(text);
        }
    }
    let place = |wanted: &str| texts.iter().position(|text| text == wanted);
    let (chasing, lost) = (place("chasing thief"), place("lost thief, returning"));
    assert!(chasing.is_some() && lost > chasing, "{texts:?}");
    assert!(texts[lost.unwrap()..].iter().any(|text| text.starts_with("patrol")), "{texts:?}");
}

#[test]
fn a_guard_catches_who_stands_still() {
    let (mut simulation, class) = on_grid(&YARD);
    let chase = Behaviour::Pursue {
        target: Who::Team(TeamId(1)),
        aggro: 50.0,
        give_up: 60.0,
        predict: 1.0,
        speed: None,
    };
    let guard = simulation.add_agent(agent("guard", class, at(0, 0)).behaviour(chase)).unwrap();
    let hidden = Vec3::new(13.9, 0.0, 5.9);
    simulation.add_agent(agent("thief", class, hidden).team(TeamId(1))).unwrap();
    run(&mut simulation, 400);
    let guard = simulation.agent(guard).unwrap();
    assert_eq!(guard.text(), "caught thief");
    assert!(guard.position().distance(hidden) <= 0.6 && guard.speed() == 0.0);
}

#[test]
fn who_flees_keeps_away_and_rests_when_alone() {
    let (mut simulation, class) = on_grid(&[".........................."; 12]);
    let flee =
        Behaviour::Flee { from: Who::Team(TeamId(1)), radius: 4.0, distance: 8.0, speed: None };
    let swift = AgentLimits { max_speed: 5.0, spot_turn_speed: 8.0, ..AgentLimits::default() };
    let hare =
        simulation.add_agent(agent("hare", class, at(8, 5)).behaviour(flee).limits(swift)).unwrap();
    let chase = Behaviour::Pursue {
        target: Who::Agent(hare),
        aggro: 40.0,
        give_up: 40.0,
        predict: 0.0,
        speed: None,
    };
    let fox = simulation
        .add_agent(agent("fox", class, at(2, 5)).team(TeamId(1)).behaviour(chase))
        .unwrap();
    let mut nearest = f32::INFINITY;
    let mut fled = false;
    for _ in 0..300 {
        run(&mut simulation, 1);
        let hare = simulation.agent(hare).unwrap();
        nearest = nearest.min(hare.position().distance(simulation.agent(fox).unwrap().position()));
        fled |= hare.text() == "fleeing from fox";
    }
    assert!(fled && nearest > 1.0, "{nearest}");
    simulation.schedule(0, Command::Remove(fox));
    run(&mut simulation, 100);
    assert_eq!(simulation.agent(hare).unwrap().text(), "idle");
    assert_eq!(simulation.agent(hare).unwrap().speed(), 0.0);
}

#[test]
fn flights_take_turns_at_a_small_budget() {
    let grid = Grid::from_rows(&["..##########", "############", "............"]).unwrap();
    let settings = SimulationSettings { work_per_tick: 64, ..SimulationSettings::default() };
    let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let flee =
        Behaviour::Flee { from: Who::Team(TeamId(1)), radius: 4.0, distance: 8.0, speed: None };
    let hare = |name, place| agent(name, class, place).behaviour(flee.clone());
    // One has nowhere to run to, and looks for a place in each tick.
    simulation.add_agent(hare("cornered", at(0, 0))).unwrap();
    let free = simulation.add_agent(hare("free", at(3, 2))).unwrap();
    for place in [at(1, 0), at(2, 2)] {
        simulation.add_agent(agent("fox", class, place).team(TeamId(1))).unwrap();
    }
    run(&mut simulation, 200);
    assert!(simulation.agent(free).unwrap().position().distance(at(2, 2)) > 4.0);
}

#[test]
fn walks_stay_near_home_and_followers_near_their_leader() {
    let (mut simulation, class) = on_grid(&[".........................."; 20]);
    let home = at(12, 10);
    let wander = Behaviour::Wander { radius: 6.0, dwell: 0.4 };
    let leader = simulation.add_agent(agent("cow", class, home).behaviour(wander)).unwrap();
    let follow = Behaviour::Follow { who: Who::Agent(leader), distance: 2.0 };
    let calf = simulation.add_agent(agent("calf", class, at(1, 1)).behaviour(follow)).unwrap();
    let happened = run(&mut simulation, 150);
    assert!(!arrivals(&happened, leader).is_empty());
    let mut gone = 0.0f32;
    for _ in 0..400 {
        run(&mut simulation, 1);
        let leader = simulation.agent(leader).unwrap().position();
        assert!(leader.distance(home) <= 6.8, "{leader}");
        gone = gone.max(leader.distance(home));
        assert!(simulation.agent(calf).unwrap().position().distance(leader) < 6.0);
    }
    assert!(gone > 2.0);
}

#[test]
fn followers_of_each_other_come_to_rest() {
    let (mut simulation, class) = on_grid(&["...................."]);
    let ids = [wayfare_sim::agent::AgentId(0), wayfare_sim::agent::AgentId(1)];
    for (mine, other) in [(0, 1), (1, 0)] {
        let follow = Behaviour::Follow { who: Who::Agent(ids[other]), distance: 1.0 };
        simulation
            .add_agent(agent("twin", class, at(mine as u32 * 15, 0)).behaviour(follow))
            .unwrap();
    }
    run(&mut simulation, 400);
    assert!(simulation.agents().all(|agent| agent.speed() == 0.0));
}

#[test]
fn who_cannot_get_there_says_why_and_asks_less_and_less() {
    let (mut simulation, class) = on_grid(&["....#.", "....##", "......"]);
    let rounds = patrol(&[at(5, 0)], PatrolOrder::Loop, 0.0);
    let guard = simulation.add_agent(agent("guard", class, at(0, 0)).behaviour(rounds)).unwrap();
    let happened = run(&mut simulation, 1200);
    let refused = happened.iter().filter(|(_, what)| matches!(what, Event::NoPath { .. })).count();
    assert!((3..12).contains(&refused), "{refused} refusals in a minute");
    assert!(simulation.agent(guard).unwrap().text().starts_with("no path: "));
    simulation.order(guard, Order::GoTo(at(5, 0)));
    simulation.order(guard, Order::Then(at(5, 2)));
    run(&mut simulation, 400);
    assert!(
        simulation.agent(guard).unwrap().position().distance(at(5, 2)) < 3.0,
        "the first order was dropped"
    );
}

#[test]
fn impossible_agents_are_refused() {
    let (mut simulation, class) = on_grid(&["..#"]);
    let empty = patrol(&[], PatrolOrder::Loop, 1.0);
    for (spec, word) in [
        (agent("a", class, at(2, 0)), "blocked ground"),
        (agent("a", class, at(9, 0)), "off the map"),
        (agent("a", class, at(0, 0)).behaviour(empty), "no points"),
        (
            agent("a", class, at(0, 0))
                .limits(AgentLimits { max_speed: f32::NAN, ..AgentLimits::default() }),
            "speed",
        ),
        (agent("a", wayfare_sim::plan::ClassId(7), at(0, 0)), "class"),
    ] {
        let fault = simulation.add_agent(spec).unwrap_err().to_string();
        assert!(fault.contains(word), "{fault}");
    }
    assert_eq!(simulation.agents().count(), 0);
}

#[test]
fn a_guard_forgets_whom_it_cannot_reach_and_patrols_on() {
    let (mut simulation, class) = on_grid(&["......#.", "......##", "........"]);
    let rounds = patrol(&[at(0, 0), at(0, 2)], PatrolOrder::Loop, 0.2);
    let chase = Behaviour::Pursue {
        target: Who::Team(TeamId(1)),
        aggro: 20.0,
        give_up: 30.0,
        predict: 0.0,
        speed: None,
    };
    let guard = agent("guard", class, at(5, 0)).behaviour(chase).behaviour(rounds);
    let guard = simulation.add_agent(guard).unwrap();
    simulation.add_agent(agent("thief", class, at(7, 0)).team(TeamId(1))).unwrap();
    let mut texts = Vec::new();
    for _ in 0..160 {
        run(&mut simulation, 1);
        texts.push(simulation.agent(guard).unwrap().text());
    }
    assert!(texts.iter().any(|text| text.starts_with("no path: ")), "{texts:?}");
    assert!(texts.iter().any(|text| text == "lost thief, returning"), "{texts:?}");
    assert!(texts.iter().any(|text| text == "patrol 2/2"), "{texts:?}");
}

#[test]
fn a_chase_begins_within_the_aggro_range_and_not_within_the_larger_one_of_giving_up() {
    let (mut simulation, class) = on_grid(&["...................."]);
    let chase = Behaviour::Pursue {
        target: Who::Team(TeamId(1)),
        aggro: 5.0,
        give_up: 12.0,
        predict: 0.0,
        speed: None,
    };
    let guard = agent("guard", class, at(0, 0)).behaviour(chase);
    let guard = simulation.add_agent(guard).unwrap();
    simulation.add_agent(agent("thief", class, at(8, 0)).team(TeamId(1))).unwrap();
    run(&mut simulation, 60);
    assert_eq!(simulation.agent(guard).unwrap().text(), "idle");
}
