//! A squad crosses a yard as a wedge, passes a gate one cell wide in file, and forms again.
//!
//! ```text
//! cargo run -p wayfare --example squad
//! ```
#![expect(clippy::print_stdout, reason = "an example that prints pictures")]

use wayfare::agent::{AgentLimits, Formation, GroupId, Order};
use wayfare::crowd::AvoidanceQuality;
use wayfare::link::{Keys, NavLinks};
use wayfare::prelude::*;
use wayfare::simulation::{
    AgentSpec, Audit, Avoidance, Event, GroupSpec, Simulation, SimulationSettings,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rows = vec![".".repeat(44); 13];
    for (number, row) in rows.iter_mut().enumerate() {
        if number != 6 {
            row.replace_range(20..21, "#");
        }
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows)?;
    let at = |x, y| grid.cell(x, y).map(|cell| grid.centre(cell)).ok_or("not on the map");
    let (goal, places) = (at(36, 6)?, (0..7).map(|n| at(3 + n % 2, 3 + n)));
    let places = places.collect::<Result<Vec<_>, _>>()?;

    let links = NavLinks::new(3.0);
    let mut simulation = Simulation::new(grid.clone(), links, SimulationSettings::default())?;
    let class = simulation.add_class(Default::default(), Keys::NONE)?;
    let avoidance = Avoidance { quality: AvoidanceQuality::Medium, ..Avoidance::default() };
    let limits = AgentLimits { max_speed: 2.0, ..AgentLimits::default() };
    let members = places.iter().enumerate().map(|(number, &place)| {
        let name = if number == 0 { "sergeant".into() } else { format!("soldier {number}") };
        simulation.add_agent(AgentSpec::new(name, class, place).limits(limits).avoidance(avoidance))
    });
    // Who is first leads the others.
    let members = members.collect::<Result<Vec<_>, _>>()?;
    let formation = Formation::Wedge;
    let squad =
        simulation.add_group(GroupSpec { formation, ..GroupSpec::new("squad", members) })?;
    simulation.order_group(squad, Order::GoTo(goal));

    let mut audit = Audit::new();
    for tick in 0..1_200 {
        simulation.tick();
        audit.check(&simulation)?; // nobody in a wall, nobody in somebody else
        let has_formed = simulation.events().events.contains(&Event::Formed(squad));
        if tick % 120 == 60 || has_formed {
            draw(&simulation, &rows, squad);
        }
        if has_formed {
            return Ok(());
        }
    }
    Err("the squad has not formed in a minute".into())
}

/// The yard with the leader as `@` and its followers as `o`.
fn draw(simulation: &Simulation<Grid>, rows: &[&str], squad: GroupId) {
    let Some(group) = simulation.group(squad) else { return };
    let mut picture: Vec<String> = rows.iter().map(|&row| row.into()).collect();
    for agent in simulation.agents() {
        let grid = simulation.world();
        let (x, y) = grid.coordinates(grid.nearest_cell(agent.position())).into();
        let sign = if Some(agent.id()) == group.leader() { "@" } else { "o" };
        picture[y as usize].replace_range(x as usize..=x as usize, sign);
    }
    let seconds = simulation.seconds();
    let shape = if group.is_in_file() { "in file" } else { "in a wedge" };
    println!(
        "after {seconds:.0} s, {shape}, {:.1} m behind\n{}\n",
        group.lag(),
        picture.join("\n")
    );
}
