//! A guard patrols a courtyard, sees a thief, gives chase, loses the thief through a locked door,
//! and goes back to its patrol.
//!
//! ```text
//! cargo run -p wayfare --example guards
//! ```
#![expect(clippy::print_stdout, reason = "an example that tells a story")]

use wayfare::agent::{PatrolOrder, TeamId, Who};
use wayfare::link::LinkKind;
use wayfare::prelude::*;

const COURTYARD: [&str; 9] = [
    "....................#........",
    "....................#........",
    "...#####....#####...#........",
    "...#...........#....#........",
    "...............#....#........",
    "...#...........#....#........",
    "...#####....####....#........",
    "....................#........",
    "....................#........",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_rows(&COURTYARD)?;
    let cell = |x, y| grid.cell(x, y).ok_or("off the map");
    let at = |x, y| cell(x, y).map(|cell| grid.centre(cell));

    let mut links = NavLinks::new(3.0);
    let thieves_only = Keys(1);
    let door = NavLink::new(cell(19, 4)?, cell(21, 4)?, Crossing::Seconds(1.0));
    links.add(&grid.space(), door.kind(LinkKind::Door).locked(thieves_only))?;

    let points = vec![at(0, 0)?, at(18, 0)?, at(18, 8)?, at(0, 8)?];
    let patrol = Behaviour::Patrol { points, order: PatrolOrder::Loop, dwell: 1.0, start: 1 };
    let chase = Behaviour::Pursue {
        target: Who::Team(TeamId(1)),
        aggro: 6.0,
        give_up: 9.0,
        predict: 1.0,
        speed: None,
    };
    let (post, lair, loot) = (at(0, 0)?, at(28, 4)?, at(8, 4)?);

    let mut simulation = Simulation::new(grid.clone(), links, SimulationSettings::default())?;
    let guards = simulation.add_class(Default::default(), Keys::NONE)?;
    let thieves = simulation.add_class(Default::default(), thieves_only)?;
    let guard = AgentSpec::new("guard", guards, post).behaviour(chase).behaviour(patrol);
    simulation.add_agent(guard)?;
    let swift = AgentLimits { max_speed: 3.6, ..AgentLimits::default() };
    let thief = AgentSpec::new("thief", thieves, lair).team(TeamId(1)).limits(swift);
    let thief = simulation.add_agent(thief)?;
    simulation.order(thief, Order::GoTo(loot));
    simulation.order(thief, Order::Then(lair));

    let mut told = Vec::new();
    for _ in 0..800 {
        simulation.tick();
        let doing: Vec<String> = simulation
            .agents()
            .map(|agent| format!("{:<6} {:<28}", agent.name(), agent.text()))
            .collect();
        if doing != told {
            println!("{:5.1} s  {}", simulation.seconds(), doing.join("  "));
            told = doing;
        }
    }
    let thief = simulation.agent(thief).ok_or("no such agent")?;
    assert!(thief.position().distance(lair) < 0.1, "the thief is home again");
    Ok(())
}
