//! # A big unit
//!
//! The same query for a body of one cell and for one of two, which does not fit through the gap at
//! the bottom.

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare_draw::{Panel, Sheet};

use crate::shared::{Drawn, Result, cell, scenery, steps, yard};

pub(super) fn draw() -> Result {
    let mut grid = yard()?;
    let big = grid.add_profile(GridProfile { width: 2, ..GridProfile::default() })?;
    let query = Query::new(cell(&grid, 3, 13)?, cell(&grid, 14, 14)?);

    let small = solve(&grid.space(), &Auto, query.clone()).outcome.into_path();
    let large = solve(&grid.space_of(big), &Auto, query).outcome.into_path();

    let scenery = scenery(&grid);
    let panels = vec![
        Panel::new(&scenery).title("One cell wide").path(&grid.space(), &small),
        Panel::new(&scenery).title("Two cells wide").path(&grid.space_of(big), &large),
    ];
    let says = format!("{:.2} and {:.2}", steps(small.cost()), steps(large.cost()));
    Ok(Drawn::new(Sheet::new(panels).columns(1).draw()?, says))
}
