//! # The nearest of several
//!
//! One search for three doors. The second is nearer as the crow flies.

use wayfare::search::{NearestGoal, nearest_goal};
use wayfare_draw::Panel;

use crate::shared::{Drawn, Result, cell, scenery, steps, yard};

pub(super) fn draw() -> Result {
    let grid = yard()?;
    let start = cell(&grid, 15, 11)?;
    let doors = [cell(&grid, 4, 5)?, cell(&grid, 15, 4)?, cell(&grid, 23, 4)?];

    let NearestGoal { goal, answer } = nearest_goal(&grid.space(), start, &doors);
    let (door, path) = (goal.ok_or("no door")?, answer.outcome.into_path());

    let scenery = scenery(&grid);
    let panel = Panel::new(&scenery).title("The nearest door").path(&grid.space(), &path);
    Ok(Drawn::new(panel.draw()?, format!("door {door}, cost {:.2}", steps(path.cost()))))
}
