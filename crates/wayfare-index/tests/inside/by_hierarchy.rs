//! The engine repairs its hierarchy after edits.

use wayfare_core::navigate::Engine;
use wayfare_core::space::TerrainId;
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_index::HierarchyEngine;
use wayfare_index::hierarchy::{Hierarchy, HierarchySettings};

#[test]
fn edits_that_nobody_told_of_are_repaired() {
    let ground = [TerrainId::GROUND; 200 * 100];
    let mut grid = Grid::new(200, 100, &ground, GridProfile::default()).unwrap();
    let settings = HierarchySettings::default();
    let mut engine = HierarchyEngine::<u32>::new(&grid.space(), settings);
    let walls = [10, 100, 170].map(|x| (0..90).map(move |y| (x, y)));
    let mut told = Vec::new();
    for (wall, is_told) in walls.into_iter().zip([false, true, false]) {
        let cells: Vec<Cell> = wall.filter_map(|(x, y)| grid.cell(x, y)).collect();
        grid.set_terrains(cells.iter().map(|&cell| (cell, TerrainId::BLOCKED)));
        told.extend(cells.into_iter().filter(|_| is_told));
    }
    engine.world_changed(&grid.space(), &told);
    assert!(*engine.hierarchy() == Hierarchy::build(&grid.space(), settings));

    // Where all cells are named, nothing else is repaired.
    let since = engine.hierarchy().revision();
    let edit = grid.set_terrain(grid.cell(63, 63).unwrap(), TerrainId::BLOCKED);
    assert_eq!(grid.edited_tiles_without(&edit.cells, since), []);
    assert_eq!(grid.edited_tiles_without(&[], since).len(), 4 * 32 * 32);
}
