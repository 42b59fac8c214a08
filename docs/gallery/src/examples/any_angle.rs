//! # Any angle
//!
//! Lazy Theta* turns at corners only, not at every cell: a shorter line than any path along the
//! grid.

use wayfare::prelude::*;
use wayfare::search::{LazyThetaStar, Query};
use wayfare_draw::{Panel, Sheet};

use crate::shared::{Drawn, Result, cell, scenery, steps, yard};

pub(super) fn draw() -> Result {
    let grid = yard()?;
    let space = grid.space();
    let query = Query::new(cell(&grid, 0, 15)?, cell(&grid, 31, 6)?);

    let along = solve(&space, &AStar::new(), query.clone()).outcome.into_path();
    let across = solve(&space, &LazyThetaStar, query).outcome.into_path();

    let scenery = scenery(&grid);
    let panels = vec![
        Panel::new(&scenery).title("A*").path(&space, &along),
        Panel::new(&scenery).title("Lazy Theta*").path(&space, &across),
    ];
    let says =
        format!("{:.2} along the grid, {:.2} across", steps(along.cost()), steps(across.cost()));
    Ok(Drawn::new(Sheet::new(panels).columns(1).draw()?, says))
}
