//! # A first path
//!
//! A* from a room to the far corner. Yellow to red: the cost of the cells it looked at.

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare_draw::Panel;

use crate::shared::{Drawn, Result, cell, scenery, steps, yard};

pub(super) fn draw() -> Result {
    let grid = yard()?;
    let (space, mut trace) = (grid.space(), Trace::new());
    let query = Query::new(cell(&grid, 4, 3)?, cell(&grid, 29, 14)?);

    let mut search = AStar::new().search(query);
    let path = search.finish(&space, &mut Scratch::new(), &mut trace).outcome.into_path();

    let scenery = scenery(&grid);
    let panel = Panel::new(&scenery).title("A*").search(&trace).path(&space, &path);
    let says = format!("{} moves, cost {:.2}", path.len(), steps(path.cost()));
    Ok(Drawn::new(panel.draw()?, says))
}
