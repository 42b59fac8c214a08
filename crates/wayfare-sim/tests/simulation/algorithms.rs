//! Agents whose paths are by an algorithm that they, or their orders, name.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::search::{AlgorithmId, NamedAlgorithm};
use wayfare_core::space::{CostTable, TerrainCost, TerrainId};
use wayfare_grid::grid::{Grid, GridProfile, Neighbours};
use wayfare_sim::agent::Order;
use wayfare_sim::simulation::{
    AgentChange, Command, CommandFault, Event, Simulation, SimulationSettings, SpecError,
};

use super::support::{agent, at, on_grid, run};

/// The only way of 8 moves is straight and expensive, through a swamp. Around it: 12 moves, cheap.
fn swamp() -> Simulation<Grid> {
    let swamp = TerrainId(2);
    let mut terrain = vec![TerrainId::GROUND; 45];
    (11..16).chain(20..25).chain(29..34).for_each(|cell| terrain[cell] = swamp);
    let cost = TerrainCost { multiplier: 9.0, ..TerrainCost::default() };
    let costs = CostTable::default().with(swamp, cost);
    let neighbours = Neighbours::Four;
    let profile = GridProfile { costs, neighbours, ..GridProfile::default() };
    let grid = Grid::new(9, 5, &terrain, profile).unwrap();
    Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default()).unwrap()
}

/// Whether the agent keeps to the straight line to the other side of the swamp.
fn goes_straight(simulation: &mut Simulation<Grid>, agent: wayfare_sim::agent::AgentId) -> bool {
    let mut strayed: f32 = 0.0;
    for _ in 0..400 {
        run(simulation, 1);
        let z = simulation.agent(agent).unwrap().position().z;
        strayed = strayed.max((z - 2.5).abs());
    }
    assert!(simulation.agent(agent).unwrap().has_arrived());
    strayed < 0.4
}

#[test]
fn an_agent_an_order_or_a_change_names_the_algorithm() {
    let breadth = NamedAlgorithm::from(AlgorithmId::Bfs);
    let mut simulation = swamp();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let wise = simulation.add_agent(agent("wise", class, at(0, 2))).unwrap();
    let hasty = agent("hasty", class, at(0, 2)).algorithm(AlgorithmId::Bfs);
    let hasty = simulation.add_agent(hasty).unwrap();

    simulation.order(wise, Order::GoTo(at(8, 2)));
    assert!(!goes_straight(&mut simulation, wise), "the cheapest way leads around the swamp");
    simulation.order(hasty, Order::GoTo(at(8, 2)));
    assert!(goes_straight(&mut simulation, hasty), "the fewest moves lead through it");

    // An order's own algorithm counts, and for this order alone.
    simulation.order(wise, Order::GoToBy { to: at(0, 2), algorithm: breadth });
    assert!(goes_straight(&mut simulation, wise));
    simulation.order(wise, Order::GoTo(at(8, 2)));
    assert!(!goes_straight(&mut simulation, wise));

    let change = AgentChange::Algorithm(None);
    simulation.schedule(0, Command::Change { agent: hasty, change });
    simulation.order(hasty, Order::GoTo(at(0, 2)));
    assert!(!goes_straight(&mut simulation, hasty));
}

#[test]
fn an_algorithm_that_does_not_suit_the_world_is_refused_with_the_names_of_those_that_do() {
    let row = ".".repeat(128);
    let (mut simulation, class) = on_grid(&[row.as_str(); 128]);
    let slow = agent("slow", class, at(0, 0)).algorithm(AlgorithmId::IdaStar);
    let fault = simulation.add_agent(slow).unwrap_err();
    assert!(matches!(fault, SpecError::Algorithm(_)));
    let text = fault.to_string();
    assert!(text.contains("idastar") && text.contains("10000") && text.contains("jps"), "{text}");

    let walker = simulation.add_agent(agent("walker", class, at(0, 0))).unwrap();
    let algorithm = NamedAlgorithm::from(AlgorithmId::IdaStar);
    simulation.order(walker, Order::GoToBy { to: at(9, 9), algorithm });
    let change = AgentChange::Algorithm(Some(algorithm));
    simulation.schedule(0, Command::Change { agent: walker, change });
    let happened = run(&mut simulation, 1);
    let refused = Event::Failed(CommandFault::Agent(fault));
    assert_eq!(happened.iter().filter(|(_, event)| *event == refused).count(), 2);
    assert_eq!(simulation.agent(walker).unwrap().orders().len(), 0);
}

#[test]
fn two_runs_that_differ_in_an_algorithm_hash_apart() {
    let hash = |algorithm: Option<AlgorithmId>| {
        let (mut simulation, class) = on_grid(&["....."]);
        let mut spec = agent("one", class, at(0, 0));
        spec.algorithm = algorithm.map(NamedAlgorithm::from);
        simulation.add_agent(spec).unwrap();
        simulation.hash()
    };
    let hashes = [hash(None), hash(Some(AlgorithmId::Bfs)), hash(Some(AlgorithmId::Jps))];
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[0] != hashes[2]);
    let point = Vec3::new(4.5, 0.0, 0.5);
    let (mut simulation, class) = on_grid(&["....."]);
    let walker = simulation.add_agent(agent("one", class, at(0, 0))).unwrap();
    simulation.order(walker, Order::ThenBy { to: point, algorithm: AlgorithmId::Bfs.into() });
    simulation.order(walker, Order::Then(at(0, 0)));
    run(&mut simulation, 100);
    assert_eq!(simulation.agent(walker).unwrap().orders().len(), 0);
}
