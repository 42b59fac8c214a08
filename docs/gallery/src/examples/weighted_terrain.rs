//! # Weighted terrain
//!
//! A step through the bog costs three. The path takes the dry way where that is shorter than three
//! times the wet one.

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare_draw::{Colour, GridScenery, Panel, Terrain, Theme};

use crate::shared::{Drawn, Result, cell, steps};

pub(super) fn draw() -> Result {
    let bog = TerrainId(1);
    let rows = include_str!("../../worlds/bog.txt").lines();
    let terrain: Vec<TerrainId> = rows
        .flat_map(str::bytes)
        .map(|glyph| if glyph == b'~' { bog } else { TerrainId::GROUND })
        .collect();
    let costs = CostTable::new().with(bog, TerrainCost::multiplied(3.0));
    let grid = Grid::new(32, 16, &terrain, GridProfile { costs, ..GridProfile::default() })?;

    let query = Query::new(cell(&grid, 2, 7)?, cell(&grid, 29, 8)?);
    let path = solve(&grid.space(), &Auto, query).outcome.into_path();

    let scenery = GridScenery::of_grid(&grid, |terrain| match terrain {
        TerrainId::GROUND => Terrain::floor(&Theme::DARK),
        _ => Terrain::themed("bog", Colour::hex(0x4f_7f_6a), false, &Theme::DARK),
    });
    let panel = Panel::new(&scenery).title("A bog").path(&grid.space(), &path);
    Ok(Drawn::new(panel.draw()?, format!("cost {:.2}", steps(path.cost()))))
}
