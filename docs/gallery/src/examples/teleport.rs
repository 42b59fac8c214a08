//! # A teleport
//!
//! A jump of three seconds across the map, where walking takes longer. Searches keep their estimate
//! right: paths stay the cheapest.

use wayfare::link::LinkKind;
use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare_draw::Panel;

use crate::shared::{Drawn, Result, cell, scenery, steps, yard};

pub(super) fn draw() -> Result {
    let grid = yard()?;
    let mut links = NavLinks::new(1.0);
    let portal = NavLink::new(cell(&grid, 2, 8)?, cell(&grid, 24, 13)?, Crossing::Seconds(3.0));
    links.add(&grid.space(), portal.kind(LinkKind::Teleport))?;
    let space = links.over(grid.space(), Keys::NONE);

    let query = Query::new(cell(&grid, 4, 3)?, cell(&grid, 29, 15)?);
    let path = solve(&space, &AStar::new(), query).outcome.into_path();

    let scenery = scenery(&grid);
    let panel = Panel::new(&scenery).title("A teleport").path(&space, &path);
    Ok(Drawn::new(panel.draw()?, format!("{} moves, cost {:.2}", path.len(), steps(path.cost()))))
}
