//! Indexes of a grid as it was before edits, against Dijkstra's algorithm on the grid as it is.

use proptest::prelude::*;
use wayfare_core::navigate::{Engine, EngineId, Navigator};
use wayfare_core::path::{Path, validate};
use wayfare_core::search::{
    DistanceField, FieldQuery, NoPath, Outcome, Query, Scratch, distance_field,
};
use wayfare_core::space::{StateId, TerrainId};
use wayfare_grid::grid::{Cell, Grid, GridProfile, GridSpace, Neighbours};
use wayfare_index::IndexEngine;
use wayfare_index::index::{EditedGrid, GridIndex, IndexScratch, OtherGrid};

use crate::grids_indexed::{free_cells, grid, large_grid};
use crate::grids_repaired::edit;

/// Asks for the ways from a cell to all free ones; returns how many a search had to find.
fn check_from(
    edited: &EditedGrid<'_>,
    start: Cell,
    scratch: &mut IndexScratch,
) -> Result<u64, TestCaseError> {
    let (space, before) = (*edited.space(), scratch.searched());
    let field: DistanceField<Cell, u32> =
        distance_field(&space, FieldQuery::outward([start])).unwrap();
    for goal in free_cells(space.grid()) {
        match edited.path(start, goal, scratch) {
            Outcome::Found(path) => {
                prop_assert_eq!(Some(path.cost()), field.cost(goal));
                prop_assert_eq!(validate(&space, &path, start, goal), Ok(()));
                scratch.recycle(path);
            }
            Outcome::Unreachable { reason: NoPath::DifferentIslands { .. }, .. } => {
                prop_assert_eq!(field.cost(goal), None);
            }
            other => prop_assert!(false, "{:?}", other),
        }
        let turns = edited.turns(start, goal, scratch).into_path();
        prop_assert!(field.cost(goal).is_none_or(|cost| cost == turns.cost()));
        check_turns(&space, &turns)?;
        scratch.recycle(turns);
    }
    Ok(scratch.searched() - before)
}

/// Between two turning points the path has its diagonal steps first.
fn check_turns(space: &GridSpace<'_>, turns: &Path<Cell, u32>) -> Result<(), TestCaseError> {
    for ends in turns.steps.windows(2) {
        let mut at = ends[0].state.index();
        for (step, count, _) in space.legs_of_jump(ends[0].state, ends[1].state) {
            for _ in 0..count {
                at = at.wrapping_add_signed(step);
                prop_assert!(space.is_free(Cell::from_index(at)));
            }
        }
        prop_assert_eq!(at, ends[1].state.index());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn after_edits_all_pairs_cost_what_dijkstra_says(
        mut grid in grid(),
        edits in prop::collection::vec(edit(), 1..5),
        has_sight in any::<bool>(),
    ) {
        let mut index = GridIndex::new(&grid.space()).unwrap();
        if has_sight {
            index.note_sight(&grid.space(), 1 << 20).unwrap();
        }
        let mut scratch = IndexScratch::new();
        for edit in edits {
            edit.make(&mut grid);
            let (space, free) = (grid.space(), free_cells(&grid));
            let edited = index.edited(&space).unwrap();
            for start in free {
                check_from(&edited, start, &mut scratch)?;
            }
        }
    }

    #[test]
    fn after_edits_of_a_large_grid_paths_cost_what_dijkstra_says(
        mut grid in large_grid(),
        edits in prop::collection::vec((edit(), any::<bool>(), any::<prop::sample::Index>()), 1..8),
        has_sight in any::<bool>(),
    ) {
        let mut index = GridIndex::new(&grid.space()).unwrap();
        if has_sight {
            index.note_sight(&grid.space(), 1 << 20).unwrap();
        }
        let mut scratch = IndexScratch::new();
        let mut engine = IndexEngine::new(&grid.space(), index.clone()).unwrap();
        for (edit, is_told, at) in edits {
            edit.make(&mut grid);
            let (space, free) = (grid.space(), free_cells(&grid));
            let edited = index.edited(&space).unwrap();
            if is_told {
                engine.world_changed(&space, &[]);
            }
            if !free.is_empty() {
                let start = free[at.index(free.len())];
                check_from(&edited, start, &mut scratch)?;
                for &goal in &free {
                    let answer = engine.turns(&space, start, goal);
                    if let Some(answer) = answer {
                        let path = edited.path(start, goal, &mut scratch).into_path();
                        prop_assert_eq!(answer.into_path().cost(), path.cost());
                    }
                }
            }
        }
    }
}

/// A yard with a wall across that has two gaps.
fn yard() -> Grid {
    Grid::from_rows(&[
        "............",
        "............",
        ".##.####.###",
        "............",
        "............",
    ])
    .unwrap()
}

#[test]
fn what_stands_aside_leaves_the_index_in_use_and_what_bars_does_not() {
    let mut grid = yard();
    let index = GridIndex::new(&grid.space()).unwrap();
    let at = |grid: &Grid, x, y| grid.cell(x, y).unwrap();
    let (start, goal) = (at(&grid, 2, 0), at(&grid, 4, 4));
    let ask = |grid: &Grid| {
        let mut scratch = IndexScratch::new();
        let outcome = index.edited(&grid.space()).unwrap().path(start, goal, &mut scratch);
        (outcome.path().map(Path::cost), scratch.searched())
    };
    let (free, searched) = ask(&grid);
    assert_eq!(searched, 0);
    grid.set_terrain(at(&grid, 9, 1), TerrainId::BLOCKED);
    assert_eq!(ask(&grid), (free, 0));
    // A gap far away opens: a way by it is longer than the known one, whatever lies between.
    grid.set_terrain(at(&grid, 11, 2), TerrainId::GROUND);
    assert_eq!(ask(&grid), (free, 0));
    grid.set_terrain(at(&grid, 3, 2), TerrainId::BLOCKED);
    let (barred, searched) = ask(&grid);
    assert!(barred > free && searched == 1);
    grid.set_terrain(at(&grid, 3, 2), TerrainId::GROUND);
    assert_eq!(ask(&grid), (free, 0));
    grid.set_terrain(at(&grid, 2, 2), TerrainId::GROUND);
    assert_eq!(ask(&grid).1, 1);
}

#[test]
fn grids_of_other_sizes_and_rules_are_refused() {
    let index = GridIndex::new(&yard().space()).unwrap();
    let refused = |grid: &Grid| index.edited(&grid.space()).err();
    assert_eq!(refused(&yard()), None);
    assert_eq!(refused(&Grid::from_rows(&["....", "...."]).unwrap()), Some(OtherGrid));
    let mut tower = yard();
    let walker = tower.profiles().next().unwrap();
    let profile = GridProfile { neighbours: Neighbours::Four, ..GridProfile::default() };
    tower.set_profile(walker, profile).unwrap();
    assert_eq!(refused(&tower), Some(OtherGrid));
}

#[test]
fn an_engine_repairs_its_index_once_many_questions_were_barred() {
    let mut grid = yard();
    let index = GridIndex::new(&grid.space()).unwrap();
    let mut engine = IndexEngine::new(&grid.space(), index).unwrap();
    let at = |grid: &Grid, x, y| grid.cell(x, y).unwrap();
    let query = Query::new(at(&grid, 2, 0), at(&grid, 4, 4));
    let mut scratch = Scratch::new();
    let mut ask = |engine: &IndexEngine, grid: &Grid| {
        let navigator = Navigator::new(grid.space()).with(engine);
        let answered = navigator.ask(query.clone(), &mut scratch);
        (answered.took.engine, answered.outcome.path().unwrap().cost())
    };
    assert_eq!(ask(&engine, &grid).0, EngineId::Index);
    grid.set_terrain(at(&grid, 3, 2), TerrainId::BLOCKED);
    assert_eq!(ask(&engine, &grid).0, EngineId::Search, "it was not told");
    engine.world_changed(&grid.space(), &[]);
    let (_, cost) = ask(&engine, &grid);
    for _ in 0..2_000 {
        assert_eq!(ask(&engine, &grid), (EngineId::Search, cost));
    }
    grid.set_terrain(at(&grid, 0, 4), TerrainId::BLOCKED);
    engine.world_changed(&grid.space(), &[]);
    assert_eq!(ask(&engine, &grid), (EngineId::Index, cost));
    assert_eq!(engine.index().of(&grid.space()).err(), None);
    // Whoever does not want to wait for that says so.
    grid.set_terrain(at(&grid, 8, 2), TerrainId::BLOCKED);
    engine.world_changed(&grid.space(), &[]);
    assert_eq!(engine.index().of(&grid.space()).err(), Some(OtherGrid));
    assert!(engine.repair(&grid.space()).unwrap().is_complete);
    assert_eq!(engine.index().of(&grid.space()).err(), None);
}

#[test]
fn questions_on_an_edited_grid_allocate_nothing_once_warm() {
    let mut grid = yard();
    let index = GridIndex::new(&grid.space()).unwrap();
    grid.set_terrain(grid.cell(3, 2).unwrap(), TerrainId::BLOCKED);
    let (space, free) = (grid.space(), free_cells(&grid));
    let (edited, mut scratch) = (index.edited(&space).unwrap(), IndexScratch::new());
    let mut round = || {
        for ends in free.windows(7) {
            let path = edited.path(ends[0], ends[6], &mut scratch).into_path();
            scratch.recycle(path);
            let path = edited.turns(ends[0], ends[6], &mut scratch).into_path();
            scratch.recycle(path);
        }
    };
    round();
    round();
    assert_eq!(allocation_counter::measure(round).count_total, 0);
}
