//! # A generated dungeon
//!
//! Rooms and corridors for a seed, the same on every machine.

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare_draw::Panel;

use crate::shared::{Drawn, Result, generated, scenery, steps};

pub(super) fn draw() -> Result {
    let (grid, start, goal) = generated("rooms", "[rooms]\nwidth = 80\nheight = 48\n", 11)?;
    let path = solve(&grid.space(), &Auto, Query::new(start, goal)).outcome.into_path();

    let scenery = scenery(&grid);
    let panel = Panel::new(&scenery).title("Rooms, seed 11").path(&grid.space(), &path);
    Ok(Drawn::new(panel.draw()?, format!("cost {:.2}", steps(path.cost()))))
}
