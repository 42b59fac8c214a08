//! # Within ten steps
//!
//! Everywhere that a unit can go with ten steps of its turn left; the warmer, the farther.

use wayfare::search::{ReachableQuery, reachable};
use wayfare::space::STRAIGHT;
use wayfare_draw::Panel;

use crate::shared::{Drawn, Flood, Result, cell, scenery, yard};

pub(super) fn draw() -> Result {
    let grid = yard()?;
    let start = cell(&grid, 11, 9)?;
    let turn = ReachableQuery::new(start).max_cost(10 * STRAIGHT);
    let area = reachable(&grid.space(), turn)?;

    let flood = Flood::new(area.reached().iter().map(|there| (there.state, there.cost)));
    let scenery = scenery(&grid);
    let panel = Panel::new(&scenery).title("Ten steps").search(&flood);
    Ok(Drawn::new(panel.draw()?, format!("{} cells", area.reached().len())))
}
