//! Random grids for the integration tests.

use proptest::prelude::*;
use wayfare_core::space::{CostTable, Medium, TerrainCost, TerrainId};
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridProfile, Neighbours};

/// A random small grid with terrains 0 to 3 and walls, under a random profile.
pub(crate) fn any_grid() -> impl Strategy<Value = Grid> {
    (1u32..12, 1u32..10).prop_flat_map(|(width, height)| {
        let terrain = prop::sample::select(vec![0u8, 0, 0, 0, 1, 2, 3, 255, 255]);
        (prop::collection::vec(terrain, (width * height) as usize), any_profile()).prop_map(
            move |(terrain, profile)| {
                let terrain: Vec<TerrainId> = terrain.into_iter().map(TerrainId).collect();
                Grid::new(width, height, &terrain, profile).unwrap()
            },
        )
    })
}

pub(crate) fn any_profile() -> impl Strategy<Value = GridProfile> {
    let neighbours =
        prop::sample::select(vec![Neighbours::Four, Neighbours::Eight, Neighbours::Eight]);
    let corners =
        prop::sample::select(vec![CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always]);
    let costs = prop::sample::select(vec![
        CostTable::new(),
        CostTable::new()
            .with(TerrainId(1), TerrainCost::multiplied(2.0))
            .with(TerrainId(2), TerrainCost::penalised(1.5)),
        CostTable::new()
            .with(TerrainId(0), TerrainCost::multiplied(0.5))
            .with(TerrainId(1), TerrainCost::multiplied(0.0))
            .without(TerrainId(3)),
        CostTable::new().with(TerrainId(2), TerrainCost::default().in_medium(Medium(1))),
        CostTable::new().with(TerrainId(2), TerrainCost::penalised(-0.5)).shifting_negative_costs(),
    ]);
    (neighbours, corners, 1u8..3, costs, 0u8..3).prop_map(
        |(neighbours, corners, width, costs, blur)| GridProfile {
            neighbours,
            corners,
            width,
            costs,
            blur,
            ..GridProfile::default()
        },
    )
}

/// One of the grid's cells.
pub(crate) fn pick(grid: &Grid, seed: u32) -> Cell {
    grid.cell(seed % grid.width(), seed / grid.width() % grid.height()).unwrap()
}
