//! Fields that follow edits, beside fields begun after them.

use crate::grids::{any_grid, pick};
use proptest::prelude::*;
use wayfare_core::search::{DistanceFieldSearch, FieldQuery, FieldRepair, Progress, Scratch};
use wayfare_core::space::TerrainId;
use wayfare_grid::grid::{Cell, Grid};

type Field = (DistanceFieldSearch<Cell, u32>, Scratch<Cell, u32>);

fn begun(sources: &[Cell]) -> Field {
    (DistanceFieldSearch::new(FieldQuery::inward(sources.to_vec())), Scratch::new())
}

/// Whether both fields have settled the same states at the same costs, by the same paths.
fn assert_alike(grid: &Grid, repaired: &mut Field, fresh: &mut Field) -> Result<(), TestCaseError> {
    let space = grid.space();
    prop_assert_eq!(repaired.0.settled_states(), fresh.0.settled_states());
    for cell in grid.cells() {
        let costs = [&*repaired, &*fresh].map(|field| field.0.settled(&space, &field.1, cell));
        prop_assert_eq!(costs[0], costs[1], "cost of {:?}", cell);
        let paths = [
            repaired.0.path(&space, &mut repaired.1, cell),
            fresh.0.path(&space, &mut fresh.1, cell),
        ];
        prop_assert_eq!(&paths[0], &paths[1], "path of {:?}", cell);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn repaired_fields_equal_those_begun_after_the_edits(
        grid in any_grid(),
        seeds in prop::collection::vec(any::<u32>(), 1..3),
        rounds in prop::collection::vec(
            (0u64..60, prop::collection::vec((any::<u32>(), prop::sample::select(vec![0u8, 0, 1, 2, 255, 255])), 1..5)),
            1..6,
        ),
    ) {
        let mut grid = grid;
        let sources: Vec<Cell> = seeds.iter().map(|seed| pick(&grid, seed % 997)).collect();
        let mut field = begun(&sources);
        for (growth, edits) in rounds {
            let _ = field.0.step(&grid.space(), &mut field.1, &mut (), growth);
            let edits = edits.into_iter().map(|(seed, terrain)| (pick(&grid, seed), TerrainId(terrain)));
            let edits: Vec<_> = edits.filter(|(cell, _)| !sources.contains(cell)).collect();
            let is_barred = |grid: &Grid| sources.iter().any(|&source| !grid.space().is_free(source));
            let was_barred = is_barred(&grid);
            let changed = grid.set_terrains(edits).cells;
            let affected = grid.affected_by(&changed);
            let repair = field.0.repair(&grid.space(), &mut field.1, &affected, u64::MAX);
            if matches!(repair, FieldRepair::GivenUp { .. }) {
                // Only where a source cannot be stood on, before or after, or ground costs nothing.
                let costs = &grid.space().profile().costs;
                let is_free = costs.get(TerrainId(1)).is_some_and(|cost| cost.multiplier == 0.0);
                prop_assert!(is_free || was_barred || is_barred(&grid));
                return Ok(());
            }
            let mut fresh = begun(&sources);
            let settled = field.0.settled_states();
            let budget = if field.0.is_whole() { u64::MAX } else { settled };
            if settled > 0 || field.0.is_whole() {
                let _ = fresh.0.step(&grid.space(), &mut fresh.1, &mut (), budget);
            }
            prop_assert_eq!(field.0.is_whole(), fresh.0.is_whole());
            assert_alike(&grid, &mut field, &mut fresh)?;
        }
        // What is left grows as it does in a fresh field.
        let mut fresh = begun(&sources);
        for field in [&mut field, &mut fresh] {
            while field.0.step(&grid.space(), &mut field.1, &mut (), 7) == Progress::Working {}
        }
        assert_alike(&grid, &mut field, &mut fresh)?;
    }
}
