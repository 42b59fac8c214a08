//! Saved and restored, and on any number of threads, a planner does the same.

use crate::grids::any_grid;
use crate::support::*;
use proptest::prelude::*;
use wayfare_core::search::AStar;
#[cfg(feature = "serde")]
use wayfare_core::search::Query;
use wayfare_grid::grid::Cell;
use wayfare_sim::plan::{Planner, PlannerSettings, Request};

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn saved_and_restored_at_any_tick_it_goes_on_the_same(
        grid in any_grid(),
        drafts in any_drafts(),
        settings in any_settings(),
        budgets in prop::collection::vec(0u64..40, 12),
        save_at in 0usize..10,
        edits in prop::collection::vec(prop::option::of(any::<u32>()), 12),
    ) {
        let mut grid = grid;
        let mut planner = Planner::new(AStar::new(), settings);
        let mut restored: Option<Planner<Cell, u32, AStar>> = None;
        for (tick, &budget) in budgets.iter().enumerate() {
            if tick == save_at {
                let again = Planner::restore(AStar::new(), planner.save(), |_| grid.space());
                prop_assert!(again.is_ok());
                restored = again.ok();
            }
            let both = [Some(&mut planner), restored.as_mut()];
            let affected = edits[tick].map(|edited| flip(&mut grid, edited));
            for planner in both.into_iter().flatten() {
                if let Some(affected) = &affected {
                    planner.world_changed(|_| grid.space(), affected);
                }
                for &draft in drafts.iter().skip(tick * 4).take(4) {
                    planner.request(request(&grid, draft));
                }
                planner.tick(|_| grid.space(), budget);
                if tick % 3 == 2 {
                    planner.finished().take(2).for_each(drop);
                }
            }
            if let Some(restored) = &restored {
                prop_assert_eq!(print_of(restored), print_of(&planner));
            }
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn one_thread_and_two_do_the_same_in_every_tick() {
    let grid = rooms(128);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
            let mut told = Vec::new();
            for tick in 0..40 {
                for seed in tick * 3..tick * 3 + 3 {
                    planner.request(Request::new(ONLY, far_query(&grid, seed)));
                }
                planner.tick(|_| grid.space(), 4_000);
                told.extend(planner.finished().map(|done| (tick, done.ticket, done.answer)));
            }
            (told, print_of(&planner))
        })
    };
    assert_eq!(run(1), run(2));
}

#[cfg(feature = "serde")]
#[test]
fn a_snapshot_is_data_and_one_that_contradicts_itself_is_refused() {
    let mut grid = rooms(64);
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    for seed in 0..30 {
        let query = far_query(&grid, seed);
        let goal = if seed % 2 == 0 { grid.cell(40, 40).unwrap() } else { query.goal.states()[0] };
        planner.request(Request::new(ONLY, Query::new(query.start, goal)));
        planner.tick(|_| grid.space(), 60);
    }
    let written = serde_json::to_string(&planner.save()).unwrap();
    let read = serde_json::from_str(&written).unwrap();
    let mut again = Planner::restore(AStar::new(), read, |_| grid.space()).unwrap();
    let affected = flip(&mut grid, 1234);
    for planner in [&mut planner, &mut again] {
        planner.world_changed(|_| grid.space(), &affected);
    }
    assert_eq!(run_dry(&mut again, &grid, 77), run_dry(&mut planner, &grid, 77));

    let mut value: serde_json::Value = serde_json::from_str(&written).unwrap();
    let change = |value: &mut serde_json::Value, path: &str, to: u32| {
        *value.pointer_mut(path).unwrap() = to.into();
        let read = serde_json::from_value(value.clone()).unwrap();
        Planner::<Cell, u32, AStar>::restore(AStar::new(), read, |_| grid.space()).map(drop)
    };
    let fault = change(&mut value, "/settings/slots", 4_000_000_000).unwrap_err();
    assert_eq!(fault, wayfare_sim::plan::SnapshotError::Slots);
    let mut value: serde_json::Value = serde_json::from_str(&written).unwrap();
    let fault = change(&mut value, "/requests/untaken", 77).unwrap_err();
    assert_eq!(fault, wayfare_sim::plan::SnapshotError::Tickets);
    let goal = wayfare_core::search::Goal::<Cell>::when(|_| true);
    assert!(serde_json::to_string(&goal).unwrap_err().to_string().contains("predicate"));
}
