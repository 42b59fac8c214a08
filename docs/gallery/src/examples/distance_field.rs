//! # Distances from everywhere
//!
//! One flood from the goal answers "how far, and which way?" for each cell. The path shown is that
//! from the farthest cell.

use wayfare::search::{FieldQuery, distance_field};
use wayfare_draw::Panel;

use crate::shared::{Drawn, Flood, Result, cell, scenery, steps, yard};

pub(super) fn draw() -> Result {
    let grid = yard()?;
    let space = grid.space();
    let goal = FieldQuery::inward([cell(&grid, 4, 3)?]);
    let field = distance_field(&space, goal)?;

    let flood = Flood::new(field.iter().map(|there| (there.state, there.cost)));
    let farthest = grid.cells().max_by_key(|cell| field.cost(*cell)).ok_or("no cells")?;
    let path = field.path(&space, farthest).ok_or("no path")?;

    let scenery = scenery(&grid);
    let panel = Panel::new(&scenery).title("A distance field").search(&flood).path(&space, &path);
    let (x, y) = grid.coordinates(farthest).into();
    Ok(Drawn::new(panel.draw()?, format!("{x},{y} is {:.2} away", steps(path.cost()))))
}
