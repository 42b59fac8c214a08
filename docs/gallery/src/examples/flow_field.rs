//! # A flow field
//!
//! Many units, one goal: each asks the field for its direction at the point where it is. The field
//! grows only as far as it is asked.

use wayfare::search::FlowField;
use wayfare_draw::{Panel, Sheet};

use crate::shared::{Drawn, Result, cell, scenery, steps, yard};

pub(super) fn draw() -> Result {
    let grid = yard()?;
    let (space, scenery) = (grid.space(), scenery(&grid));
    let mut field = FlowField::new([cell(&grid, 25, 3)?]);

    let mut paths = Vec::new();
    for (x, y) in [(4, 3), (1, 15), (16, 11)] {
        let unit = cell(&grid, x, y)?;
        let flow = field.ask(&space, unit, grid.centre(unit))?;
        assert!(flow.direction.is_normalized());
        paths.push(field.path(&space, unit).ok_or("no path")?);
    }
    let panels = paths.iter().map(|path| Panel::new(&scenery).path(&space, path)).collect();
    let costs: Vec<String> =
        paths.iter().map(|path| format!("{:.2}", steps(path.cost()))).collect();
    Ok(Drawn::new(
        Sheet::new(panels).title("One field, three units").columns(1).draw()?,
        costs.join(", "),
    ))
}
