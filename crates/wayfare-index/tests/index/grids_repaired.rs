//! Indexes repaired after edits, against Dijkstra's algorithm and against indexes built anew.

use proptest::prelude::*;
use wayfare_core::space::{CostTable, TerrainCost, TerrainId};
use wayfare_grid::grid::{Cell, Grid, GridProfile, Neighbours};
use wayfare_index::index::{
    GridIndex, IndexError, IndexRepairError, IndexScratch, OtherGrid, SightOutcome,
};
use wayfare_index::inside::tested::repair::{Limits, repair_within};

use crate::grids_indexed::{check_all_pairs, check_from, free_cells, grid, large_grid};

/// An edit of cells: a wall or an opening along a line, a block, or scattered cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edit {
    kind: u8,
    at: (u32, u32),
    length: u32,
    is_undone: bool,
    seed: u32,
}

pub(crate) fn edit() -> impl Strategy<Value = Edit> {
    (0u8..8, any::<(u16, u16)>(), 1u32..20, any::<bool>(), any::<u32>()).prop_map(
        |(kind, at, length, is_undone, seed)| {
            let at = (at.0.into(), at.1.into());
            Edit { kind, at, length, is_undone, seed }
        },
    )
}

impl Edit {
    fn changes(self, grid: &Grid) -> Vec<(Cell, TerrainId)> {
        let (x, y) = (self.at.0 % grid.width(), self.at.1 % grid.height());
        let terrain = match self.kind {
            0..4 => TerrainId::BLOCKED,
            4 => TerrainId(7),
            _ => TerrainId::GROUND,
        };
        (0..self.length)
            .filter_map(|step| {
                let (dx, dy) = match self.seed % 5 {
                    0 => (step, 0),
                    1 => (0, step),
                    2 => (step, step),
                    3 => (step % 3, step / 3),
                    _ => {
                        let noise = step.wrapping_mul(self.seed);
                        ((noise >> 8) % 31, (noise >> 16) % 29)
                    }
                };
                Some((grid.cell(x + dx, y + dy)?, terrain))
            })
            .collect()
    }

    /// Makes the edit; returns what undoes it.
    pub(crate) fn make(self, grid: &mut Grid) -> Vec<(Cell, TerrainId)> {
        let changes = self.changes(grid);
        let before = changes.iter().map(|&(cell, _)| (cell, grid.terrain(cell))).collect();
        grid.set_terrains(changes);
        before
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn after_each_edit_all_pairs_cost_what_dijkstra_says(
        mut grid in grid(),
        edits in prop::collection::vec(edit(), 1..6),
        is_prepared in any::<bool>(),
        has_sight in any::<bool>(),
    ) {
        let mut index = GridIndex::new(&grid.space()).unwrap();
        if has_sight {
            index.note_sight(&grid.space(), 1 << 20).unwrap();
        }
        if is_prepared {
            index.prepare_repair(&grid.space()).unwrap();
        }
        for edit in edits {
            let before = edit.make(&mut grid);
            let repair = index.repair(&grid.space()).unwrap();
            prop_assert!(repair.is_complete);
            prop_assert_eq!(index.corners(), GridIndex::new(&grid.space()).unwrap().corners());
            check_all_pairs(&grid.space(), &index)?;
            let again = GridIndex::decode(&grid.space(), &index.encode()).unwrap();
            check_all_pairs(&grid.space(), &again)?;
            prop_assert_eq!(again.encode(), index.encode());
            if edit.is_undone {
                grid.set_terrains(before);
                index.repair(&grid.space()).unwrap();
                check_all_pairs(&grid.space(), &index)?;
            }
        }
    }

    #[test]
    fn after_each_edit_of_a_large_grid_paths_cost_what_dijkstra_says(
        mut grid in large_grid(),
        edits in prop::collection::vec((edit(), any::<prop::sample::Index>()), 1..12),
        has_sight in any::<bool>(),
    ) {
        let mut index = GridIndex::new(&grid.space()).unwrap();
        if has_sight {
            prop_assert_eq!(index.note_sight(&grid.space(), 1 << 20), Ok(SightOutcome::Stored));
        }
        for (edit, at) in edits {
            let before = edit.make(&mut grid);
            index.repair(&grid.space()).unwrap();
            let free = free_cells(&grid);
            if !free.is_empty() {
                check_from(&grid.space(), &index, free[at.index(free.len())])?;
            }
            if edit.is_undone {
                grid.set_terrains(before);
                index.repair(&grid.space()).unwrap();
                let free = free_cells(&grid);
                if !free.is_empty() {
                    check_from(&grid.space(), &index, free[at.index(free.len())])?;
                }
            }
        }
        index.note_sight(&grid.space(), 1 << 20).unwrap();
        let again = GridIndex::decode(&grid.space(), &index.encode()).unwrap();
        if let Some(&start) = free_cells(&grid).first() {
            check_from(&grid.space(), &index, start)?;
            check_from(&grid.space(), &again, start)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn answers_are_right_before_all_lists_are_renewed(
        mut grid in large_grid(),
        edits in prop::collection::vec((edit(), 0usize..3, any::<prop::sample::Index>()), 1..8),
        hubs in 0usize..2000,
        cells in 1usize..40,
    ) {
        let mut index = GridIndex::new(&grid.space()).unwrap();
        index.note_sight(&grid.space(), 1 << 20).unwrap();
        let limits = Limits { hubs, cells };
        for (edit, further, at) in edits {
            edit.make(&mut grid);
            for _ in 0..=further {
                repair_within(&mut index, &grid.space(), limits).unwrap();
            }
            let free = free_cells(&grid);
            if !free.is_empty() {
                check_from(&grid.space(), &index, free[at.index(free.len())])?;
            }
            if let Some(&start) = free.first() {
                let again = GridIndex::decode(&grid.space(), &index.encode()).unwrap();
                check_from(&grid.space(), &again, start)?;
            }
        }
        let mut calls = 0;
        while !repair_within(&mut index, &grid.space(), limits).unwrap().is_complete {
            calls += 1;
            prop_assert!(calls < 10_000);
        }
        if let Some(&start) = free_cells(&grid).first() {
            check_from(&grid.space(), &index, start)?;
        }
    }
}

#[test]
fn hundreds_of_edits_keep_an_index_exact_and_small() {
    let side = 96;
    let is_wall = |x: u32, y: u32| x % 12 == 1 && y % 12 != 5 || y % 12 == 1 && x % 12 != 7;
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(
            |at| if is_wall(at % side, at / side) { TerrainId::BLOCKED } else { TerrainId::GROUND },
        )
        .collect();
    let mut grid = Grid::new(side, side, &terrain, GridProfile::default()).unwrap();
    let mut index = GridIndex::new(&grid.space()).unwrap();
    index.note_sight(&grid.space(), 1 << 24).unwrap();
    index.prepare_repair(&grid.space()).unwrap();
    let (mut seed, mut reordered) = (1u32, 0);
    for number in 0..400 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let kind = (seed >> 28) as u8 % 8;
        let at = (seed >> 8 & 0xff, seed >> 16 & 0xff);
        let length = 1 + (seed >> 4) % 20;
        Edit { kind, at, length, is_undone: false, seed: seed >> 3 }.make(&mut grid);
        let repair = index.repair(&grid.space()).unwrap();
        reordered += usize::from(repair.is_reordered);
        if number % 8 == 0 {
            let free = free_cells(&grid);
            check_from(&grid.space(), &index, free[seed as usize % free.len()]).unwrap();
        }
    }
    let anew = GridIndex::new(&grid.space()).unwrap();
    assert!(index.hubs() < 2 * anew.hubs(), "{} of {}", index.hubs(), anew.hubs());
    assert!(reordered < 20, "{reordered}");
}

#[test]
fn a_repair_without_an_edit_changes_nothing() {
    let grid = Grid::from_rows(&["..#..", "..#..", "....."]).unwrap();
    let mut index = GridIndex::new(&grid.space()).unwrap();
    let bytes = index.encode();
    let repair = index.repair(&grid.space()).unwrap();
    assert_eq!((repair.scanned, repair.changed, repair.is_complete), (0, 0, true));
    assert_eq!(index.encode(), bytes);
    index.prepare_repair(&grid.space()).unwrap();
    assert_eq!(index.encode(), bytes);
}

#[test]
fn grids_that_no_repair_leads_to_are_refused_and_the_index_remains() {
    let mut grid = Grid::from_rows(&["..#..", "..#..", "....."]).unwrap();
    let mut index = GridIndex::new(&grid.space()).unwrap();
    let other = Grid::from_rows(&["..#..", "..#.."]).unwrap();
    assert_eq!(index.repair(&other.space()), Err(IndexRepairError::OtherGrid(OtherGrid)));
    let four = GridProfile { neighbours: Neighbours::Four, ..GridProfile::default() };
    let four = grid.add_profile(four).unwrap();
    let space = grid.space_for::<u32>(four);
    assert_eq!(index.repair(&space), Err(IndexRepairError::OtherGrid(OtherGrid)));
    let costs = CostTable::new().with(TerrainId(3), TerrainCost::multiplied(2.0));
    let uneven = grid.add_profile(GridProfile { costs, ..GridProfile::default() }).unwrap();
    grid.set_terrain(grid.cell(0, 0).unwrap(), TerrainId(3));
    let space = grid.space_for::<u32>(uneven);
    let refused = Err(IndexRepairError::Index(IndexError::NotUniform));
    assert_eq!(index.repair(&space), refused);
    grid.set_terrain(grid.cell(0, 0).unwrap(), TerrainId::GROUND);
    assert!(index.of(&grid.space()).is_ok());
    let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
    let indexed = index.of(&grid.space()).unwrap();
    assert!(indexed.path(a, b, &mut IndexScratch::new()).is_found());
}
