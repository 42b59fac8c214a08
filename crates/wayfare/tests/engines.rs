//! Prepared engines in simulations: crowds that set out on first legs, edits, links, snapshots.

#[expect(dead_code, reason = "shares are rolled elsewhere")]
#[path = "../../wayfare-sim/tests/simulation/dice.rs"]
mod dice;
#[expect(dead_code, reason = "not all of it is needed here")]
#[path = "../../wayfare-sim/tests/simulation/support.rs"]
mod support;

use wayfare_core::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare_core::navigate::{LandmarksEngine, Policy};
use wayfare_core::space::TerrainId;
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_index::hierarchy::HierarchySettings;
use wayfare_index::index::GridIndex;
use wayfare_index::{HierarchyEngine, IndexEngine};
use wayfare_sim::agent::{AgentId, Order};
use wayfare_sim::simulation::{
    Audit, Command, Engines, Event, GridEdit, Simulation, SimulationSettings,
};

use dice::Dice;
use support::{agent, at, run};

/// Rooms of 7 by 7 cells, three walls in four with a door, and the cells of the doors.
fn rooms(side: u32) -> (Grid, Vec<Cell>) {
    let mut dice = Dice(8);
    let is_wall = |at: u32| at.is_multiple_of(8) || at + 1 == side;
    let mut doors = Vec::new();
    let mut terrain = vec![TerrainId::GROUND; (side * side) as usize];
    for cell in 0..side * side {
        let (x, y) = (cell % side, cell / side);
        if is_wall(x) || is_wall(y) {
            terrain[cell as usize] = TerrainId::BLOCKED;
        }
    }
    for room in 0..(side / 8) * (side / 8) {
        let (left, top) = (room % (side / 8) * 8, room / (side / 8) * 8);
        for (dx, dy) in [(8, 1 + dice.roll(7)), (1 + dice.roll(7), 8)] {
            let (x, y) = (left + dx, top + dy);
            if dice.roll(4) > 0 && x + 1 < side && y + 1 < side {
                terrain[(y * side + x) as usize] = TerrainId::GROUND;
                doors.push((x, y));
            }
        }
    }
    let grid = Grid::new(side, side, &terrain, GridProfile::default()).unwrap();
    let doors = doors.into_iter().filter_map(|(x, y)| grid.cell(x, y)).collect();
    (grid, doors)
}

fn any_place(grid: &Grid, dice: &mut Dice) -> glam::Vec3 {
    loop {
        let cell = grid.cell(dice.roll(grid.width()), dice.roll(grid.height())).unwrap();
        if grid.space().is_free(cell) {
            return grid.centre(cell);
        }
    }
}

fn first_legs() -> SimulationSettings {
    SimulationSettings { policy: Policy::FirstLeg, ..SimulationSettings::default() }
}

fn hierarchy(grid: &Grid) -> Engines<Grid> {
    let settings = HierarchySettings::default();
    Engines::<Grid>::none().with(Default::default(), HierarchyEngine::new(&grid.space(), settings))
}

/// A thousand agents with an order every 5 s, default budget: every order is answered within a
/// second of ticks, and the audit is content.
#[test]
fn a_crowd_is_answered_in_full_also_with_an_edit_a_second() {
    let (grid, doors) = rooms(512);
    for (edits, settings) in [
        (false, SimulationSettings::default()),
        (true, SimulationSettings::default()),
        (true, first_legs()),
    ] {
        let mut dice = Dice(15);
        let legs = settings.policy == Policy::FirstLeg;
        let engines = if legs { hierarchy(&grid) } else { Engines::none() };
        let mut simulation = Simulation::new(grid.clone(), NavLinks::new(3.0), settings)
            .unwrap()
            .with_engines(engines);
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        for _ in 0..1000 {
            simulation.add_agent(agent("agent", class, any_place(&grid, &mut dice))).unwrap();
        }
        let mut audit = Audit::new();
        let mut asked = vec![None; 1000];
        let mut shut = None;
        for tick in 0..220u64 {
            for number in (0..1000u32)
                .filter(|&number| tick < 200 && (u64::from(number) + tick).is_multiple_of(100))
            {
                simulation.order(AgentId(number), Order::GoTo(any_place(&grid, &mut dice)));
                asked[number as usize] = Some(tick);
            }
            if edits && tick.is_multiple_of(20) {
                let mut fill = |cell, terrain| {
                    simulation.schedule(
                        tick,
                        Command::Edit(GridEdit::Terrain { cells: vec![cell], terrain }),
                    );
                };
                if let Some(cell) = shut.replace(doors[dice.roll(doors.len() as u32) as usize]) {
                    fill(cell, TerrainId::GROUND);
                }
                fill(shut.unwrap(), TerrainId::BLOCKED);
            }
            simulation.tick();
            for event in &simulation.events().events {
                if let Event::Departed(agent) | Event::NoPath { agent, .. } = event {
                    asked[agent.0 as usize] = None;
                }
            }
            let latest = asked.iter().flatten().min();
            assert!(
                latest.is_none_or(|since| tick - since < 20),
                "an order of tick {latest:?} at {tick}"
            );
            audit.check(&simulation).unwrap_or_else(|fault| panic!("{fault}"));
        }
        let stats = simulation.planner().stats();
        assert_eq!(asked.iter().flatten().count(), 0);
        assert_eq!(stats.prepared > 1000, legs, "{stats:?}");
    }
}

#[test]
fn who_sets_out_on_a_first_leg_goes_on_without_a_stop_and_takes_the_cheapest_rest() {
    let (grid, _) = rooms(256);
    let mut simulation = Simulation::new(grid.clone(), NavLinks::new(3.0), first_legs())
        .unwrap()
        .with_engines(hierarchy(&grid));
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(3, 3))).unwrap();
    simulation.order(walker, Order::GoTo(at(252, 251)));
    run(&mut simulation, 20);
    let stats = simulation.planner().stats();
    assert_eq!((stats.requested, stats.prepared), (2, 1), "the first leg, and the rest");
    let mut ticks = 20;
    while !simulation.agent(walker).unwrap().has_arrived()
        && simulation.agent(walker).unwrap().destination().is_some()
    {
        run(&mut simulation, 1);
        ticks += 1;
        let view = simulation.agent(walker).unwrap();
        assert!(
            view.speed() > 0.1 || view.distance_left() < 1.0,
            "it stands at {}",
            view.position()
        );
        assert!(ticks < 4000);
    }
    assert!(simulation.agent(walker).unwrap().position().distance(at(252, 251)) < 1e-3);
    assert_eq!(simulation.planner().stats().requested, 2);
}

#[test]
fn an_index_answers_before_an_edit_and_after_it() {
    let (grid, doors) = rooms(64);
    let index = IndexEngine::new(&grid.space(), GridIndex::new(&grid.space()).unwrap()).unwrap();
    let mut simulation =
        Simulation::new(grid.clone(), NavLinks::new(3.0), SimulationSettings::default())
            .unwrap()
            .with_engines(Engines::<Grid>::none().with(Default::default(), index));
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(3, 3))).unwrap();
    simulation.order(walker, Order::GoTo(at(60, 60)));
    run(&mut simulation, 10);
    assert_eq!(simulation.planner().stats().prepared, 1);
    let edit = GridEdit::Terrain { cells: vec![doors[7]], terrain: TerrainId::BLOCKED };
    simulation.schedule(10, Command::Edit(edit));
    simulation.order(walker, Order::GoTo(at(3, 60)));
    run(&mut simulation, 10);
    let stats = simulation.planner().stats();
    assert!(stats.requested > 1 && stats.prepared == stats.requested, "{stats:?}");
    assert_eq!(simulation.agent(walker).unwrap().destination(), Some(at(3, 60)));
}

/// An order far from a door is answered by the index; one that the door may serve is searched for.
#[test]
fn an_index_answers_where_no_link_can_help() {
    let (grid, _) = rooms(64);
    let cell = |x, y| grid.cell(x, y).unwrap();
    let mut links = NavLinks::new(3.0);
    let door = NavLink::new(cell(60, 60), cell(60, 50), Crossing::Seconds(0.1));
    links.add(&grid.space(), door).unwrap();
    let index = IndexEngine::new(&grid.space(), GridIndex::new(&grid.space()).unwrap()).unwrap();
    let mut simulation = Simulation::new(grid, links, SimulationSettings::default())
        .unwrap()
        .with_engines(Engines::<Grid>::none().with(Default::default(), index));
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(3, 3))).unwrap();
    simulation.order(walker, Order::GoTo(at(6, 6)));
    run(&mut simulation, 3);
    assert_eq!(simulation.planner().stats().prepared, 1);
    simulation.order(walker, Order::GoTo(at(60, 49)));
    run(&mut simulation, 3);
    assert_eq!(simulation.planner().stats().prepared, 1);
}

/// Landmarks lead the searches of a class that can use a link.
#[test]
fn a_bound_leads_past_links() {
    let (grid, _) = rooms(128);
    let cell = |x, y| grid.cell(x, y).unwrap();
    let mut expansions = Vec::new();
    for is_led in [false, true] {
        let mut links = NavLinks::new(3.0);
        let door = NavLink::new(cell(60, 60), cell(60, 70), Crossing::Seconds(1.0));
        links.add(&grid.space(), door).unwrap();
        let landmarks = LandmarksEngine::new(&grid.space(), cell(3, 3), 8).unwrap();
        let engines = Engines::<Grid>::none().with(Default::default(), landmarks);
        let settings = SimulationSettings::default();
        let simulation = Simulation::new(grid.clone(), links, settings).unwrap();
        let mut simulation = if is_led { simulation.with_engines(engines) } else { simulation };
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        let walker = simulation.add_agent(agent("walker", class, at(3, 3))).unwrap();
        simulation.order(walker, Order::GoTo(at(124, 125)));
        run(&mut simulation, 3);
        assert!(simulation.agent(walker).unwrap().destination().is_some());
        expansions.push(simulation.planner().stats().expansions);
    }
    assert!(expansions[1] < expansions[0], "{expansions:?}");
}

#[test]
fn an_index_does_not_answer_where_a_link_helps() {
    let grid = Grid::from_rows(&["....#....", "....#....", "........."]).unwrap();
    let mut links = NavLinks::new(3.0);
    let (from, to) = (grid.cell(3, 0).unwrap(), grid.cell(5, 0).unwrap());
    let door = NavLink::new(from, to, Crossing::Seconds(0.1)).locked(Keys(1));
    links.add(&grid.space(), door).unwrap();
    let index = IndexEngine::new(&grid.space(), GridIndex::new(&grid.space()).unwrap()).unwrap();
    let mut simulation = Simulation::new(grid, links, SimulationSettings::default())
        .unwrap()
        .with_engines(Engines::<Grid>::none().with(Default::default(), index));
    let [with, without] =
        [Keys(1), Keys::NONE].map(|keys| simulation.add_class(Default::default(), keys).unwrap());
    let lord = simulation.add_agent(agent("lord", with, at(0, 0))).unwrap();
    simulation.order(lord, Order::GoTo(at(8, 0)));
    run(&mut simulation, 3);
    assert_eq!(simulation.planner().stats().prepared, 0);
    let servant = simulation.add_agent(agent("servant", without, at(0, 1))).unwrap();
    simulation.order(servant, Order::GoTo(at(8, 0)));
    run(&mut simulation, 3);
    assert_eq!(simulation.planner().stats().prepared, 1);
    let ways = [lord, servant].map(|id| simulation.agent(id).unwrap().distance_left());
    assert!(ways[0] < ways[1], "{ways:?}");
}

#[cfg(feature = "serde")]
#[test]
fn a_snapshot_goes_on_with_engines_of_the_first_world() {
    let (grid, doors) = rooms(128);
    let mut simulation = Simulation::new(grid.clone(), NavLinks::new(3.0), first_legs())
        .unwrap()
        .with_engines(hierarchy(&grid));
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let mut dice = Dice(3);
    for number in 0..20 {
        let walker =
            simulation.add_agent(agent("walker", class, any_place(&grid, &mut dice))).unwrap();
        for place in 0..4 {
            let order = Order::Then(any_place(&grid, &mut dice));
            simulation.schedule(number * 7 + place * 90, Command::Order { agent: walker, order });
        }
    }
    for (place, &door) in doors.iter().step_by(5).enumerate() {
        let edit = GridEdit::Terrain { cells: vec![door], terrain: TerrainId::BLOCKED };
        simulation.schedule(place as u64 * 11, Command::Edit(edit));
    }
    run(&mut simulation, 150);
    let saved = simulation.save();
    let links = simulation.links().clone();
    let mut twin = Simulation::restore_with(grid.clone(), links, hierarchy(&grid), saved).unwrap();
    for _ in 0..250 {
        simulation.tick();
        twin.tick();
        assert_eq!(simulation.hash(), twin.hash(), "tick {}", simulation.now());
    }
    assert!(simulation.planner().stats().prepared > 20);
}
