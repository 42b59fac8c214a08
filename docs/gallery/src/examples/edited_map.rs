//! # An edited map
//!
//! A door is walled up. The path in hand is stale, and the next search goes another way; nothing is
//! built anew.

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare_draw::{Panel, Sheet};

use crate::shared::{Drawn, Result, cell, scenery, steps, yard};

pub(super) fn draw() -> Result {
    let mut grid = yard()?;
    let query = Query::new(cell(&grid, 9, 3)?, cell(&grid, 15, 2)?);
    let before = solve(&grid.space(), &Auto, query.clone()).outcome.into_path();
    let old = grid.clone();

    grid.set_terrain(cell(&grid, 12, 4)?, TerrainId::BLOCKED);
    assert!(before.is_stale(&grid.space()));
    let after = solve(&grid.space(), &Auto, query).outcome.into_path();

    let (old_scenery, scenery) = (scenery(&old), scenery(&grid));
    let panels = vec![
        Panel::new(&old_scenery).title("Before").path(&old.space(), &before),
        Panel::new(&scenery).title("After").path(&grid.space(), &after),
    ];
    let says = format!("{:.2} before, {:.2} after", steps(before.cost()), steps(after.cost()));
    Ok(Drawn::new(Sheet::new(panels).columns(1).draw()?, says))
}
