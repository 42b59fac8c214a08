//! # A door and a key
//!
//! A locked door is a link: who has the key goes through it in two seconds, all others walk round.

use wayfare::link::LinkKind;
use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare_draw::{Panel, Sheet};

use crate::shared::{Drawn, Result, cell, scenery, steps, yard};

pub(super) fn draw() -> Result {
    let grid = yard()?;
    let brass = Keys(1);
    let mut links = NavLinks::new(1.0); // a second counts as much as a step
    let door = NavLink::new(cell(&grid, 11, 3)?, cell(&grid, 13, 3)?, Crossing::Seconds(2.0));
    links.add(&grid.space(), door.kind(LinkKind::Door).locked(brass))?;

    let query = Query::new(cell(&grid, 8, 3)?, cell(&grid, 15, 2)?);
    let path = |keys| {
        solve(&links.over(grid.space(), keys), &AStar::new(), query.clone()).outcome.into_path()
    };
    let (with, without) = (path(brass), path(Keys::NONE));

    let scenery = scenery(&grid);
    let panels = vec![
        Panel::new(&scenery).title("With the key").path(&links.over(grid.space(), brass), &with),
        Panel::new(&scenery).title("Without").path(&grid.space(), &without),
    ];
    let says =
        format!("{:.2} with the key, {:.2} without", steps(with.cost()), steps(without.cost()));
    Ok(Drawn::new(Sheet::new(panels).columns(1).draw()?, says))
}
