//! Two groups that meet in a hall with a pillar, and settle round two goals.
//!
//! ```text
//! cargo run -p wayfare --example crowd
//! ```
#![expect(clippy::print_stdout, reason = "an example that prints a table")]

use glam::Vec3;
use wayfare::crowd::{Crowd, CrowdAgent, CrowdMember, CrowdSettings};
use wayfare::prelude::*;

const DT: f32 = 0.1;
const SPEED: f32 = 1.4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rows = vec![".".repeat(30); 12];
    for row in &mut rows[5..7] {
        row.replace_range(14..16, "##");
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows)?;
    let space = grid.space();

    let mut crowd = Crowd::new(CrowdSettings::default())?;
    for number in 0..40u8 {
        let (row, column) = (f32::from(number / 10), f32::from(number % 10));
        for (x, goal) in [(1.0 + row, 27.0), (29.0 - row, 3.0)] {
            let goal = Some(Vec3::new(goal, 0.0, 6.0));
            crowd.add(CrowdAgent { goal, ..CrowdAgent::at(Vec3::new(x, 0.0, 1.5 + column)) })?;
        }
    }

    println!("seconds  settled  held by others");
    for step in 0..1_200 {
        // A game would prefer the velocity along a path here; these go straight to their goals.
        let members: Vec<_> = crowd.agents().map(|one| (one.id, one.agent)).collect();
        for (id, agent) in members {
            let to_goal = agent.goal.unwrap_or_default() - agent.position;
            crowd.prefer(id, to_goal.clamp_length_max(SPEED))?;
        }
        let before: Vec<Vec3> = crowd.agents().map(|one| one.agent.position).collect();
        let report = crowd.step(&space, DT)?;
        for (CrowdMember { agent, .. }, from) in crowd.agents().zip(before) {
            use wayfare::space::LineOfSight;
            assert!(space.sweep_is_clear(from, agent.position, agent.radius));
        }
        if step % 100 == 0 {
            let seconds = step as f32 * DT;
            println!("{seconds:7.0}  {:7}  {:14}", report.settled, report.held_by_others);
        }
        if report.settled == 80 {
            println!("all have settled after {:.0} seconds", step as f32 * DT);
            return Ok(());
        }
    }
    Err("somebody has not settled".into())
}
