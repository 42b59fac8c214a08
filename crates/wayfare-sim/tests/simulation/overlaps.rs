//! Bodies that have come into each other part where there is room.

use glam::Vec3;
use wayfare_core::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare_grid::grid::Grid;
use wayfare_sim::agent::{AgentLimits, Order};
use wayfare_sim::simulation::{AgentSpec, Simulation, SimulationSettings};

use crate::support::{POLITE, agent, at};

/// Bodies of a radius that leaves little room in a cell.
fn stout(name: &str, class: wayfare_sim::plan::ClassId, place: Vec3) -> AgentSpec {
    let spec = agent(name, class, place).avoidance(POLITE);
    let limits = AgentLimits { radius: 0.4, ..spec.limits };
    spec.limits(limits)
}

/// The longest time in seconds that two bodies were in each other without a pause.
fn longest_overlap(simulation: &mut Simulation<Grid>, ticks: u32) -> f32 {
    let (mut since, mut longest) = (std::collections::BTreeMap::new(), 0u32);
    for tick in 0..ticks {
        simulation.tick();
        let bodies: Vec<_> = simulation.agents().filter(|agent| agent.inside().is_none()).collect();
        for (place, one) in bodies.iter().enumerate() {
            for other in &bodies[place + 1..] {
                let pair = (one.id(), other.id());
                let sum = one.limits().radius + other.limits().radius;
                if one.position().distance(other.position()) < 0.98 * sum {
                    longest = longest.max(tick - *since.entry(pair).or_insert(tick));
                } else {
                    since.remove(&pair);
                }
            }
        }
    }
    longest as f32 * simulation.settings().tick_seconds
}

#[test]
fn those_who_come_out_of_a_door_into_each_other_part() {
    let grid = Grid::from_rows(&["...#........."; 7]).unwrap();
    let cells = [(2, 3), (4, 3)].map(|(x, y)| grid.cell(x, y).unwrap());
    let mut links = NavLinks::new(3.0);
    let door = NavLink::new(cells[0], cells[1], Crossing::Seconds(0.5));
    links.add(&grid.space(), door).unwrap();
    let mut simulation = Simulation::new(grid, links, SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    for z in 0..4 {
        let id = simulation.add_agent(stout("walker", class, at(0, z))).unwrap();
        simulation.order(id, Order::GoTo(at(4, 3)));
    }
    let longest = longest_overlap(&mut simulation, 400);
    assert!(longest < 2.0, "{longest} s");
    assert!(simulation.agents().all(|agent| agent.position().distance(at(4, 3)) < 2.5));
}

#[test]
fn crowds_that_begin_at_one_place_part() {
    let grid = Grid::from_rows(&["........"; 4]).unwrap();
    let settings = SimulationSettings::default();
    let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    for x in [1, 1, 2, 2, 2, 3] {
        simulation.add_agent(stout("idler", class, at(x, 1))).unwrap();
    }
    let longest = longest_overlap(&mut simulation, 400);
    assert!(longest < 2.0, "{longest} s");
}
