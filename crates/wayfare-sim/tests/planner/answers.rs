//! Every request is answered as a separate search would answer it, within the budget of each tick.

use std::collections::BTreeMap;

use crate::grids::any_grid;
use crate::support::*;
use proptest::prelude::*;
use wayfare_core::navigate::{EngineId, LandmarksEngine, Navigator};
use wayfare_core::path::Path;
use wayfare_core::search::{AStar, AlgorithmId, NamedAlgorithm, NoPath, Outcome, Query, solve};
use wayfare_core::space::{Space, StateId};
use wayfare_grid::grid::{Cell, Grid};
use wayfare_sim::plan::{Finished, Planner, PlannerSettings, Request, Standing};
use wayfare_voxel::{Block, BlockId, BlockKind, VoxelGrid, VoxelProfile, VoxelSize};

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_is_answered_as_it_would_be_alone_and_no_tick_exceeds_its_budget(
        grid in any_grid(),
        drafts in any_drafts(),
        settings in any_settings(),
        budget in 1u64..60,
        a_tick in 1usize..9,
    ) {
        let mut planner = Planner::new(AStar::new(), settings);
        let mut asked = BTreeMap::new();
        let mut answers = Vec::new();
        for some in drafts.chunks(a_tick) {
            for &draft in some {
                let request = request(&grid, draft);
                asked.insert(planner.request(request.clone()), request.query);
            }
            let report = planner.tick(|_| grid.space(), budget);
            prop_assert!(report.expansions <= budget);
            answers.extend(planner.finished().map(|done| (done.ticket, done.answer)));
        }
        answers.extend(run_dry(&mut planner, &grid, budget));
        prop_assert_eq!(answers.len(), drafts.len());
        for (ticket, answer) in answers {
            let query = asked.remove(&ticket).unwrap();
            prop_assert!(is_right(&grid, &query, &answer), "{query:?} {answer:?}");
        }
        prop_assert_eq!(planner.stats().done, drafts.len() as u64);
        prop_assert_eq!(planner.stats().latency.count(), drafts.len() as u64);
    }
}

/// Requests that name algorithms are answered by exactly these, neither by a shared field nor by an
/// engine, also after a save and an edit that restarts them.
#[test]
fn a_request_is_searched_for_by_the_algorithm_that_it_names() {
    let mut grid = rooms(48);
    let goal = grid.cell(45, 43).unwrap();
    let landmarks = LandmarksEngine::new(&grid.space(), goal, 4).unwrap();
    let settings = PlannerSettings { coalesce_from: 2, ..PlannerSettings::default() };
    let auto = NamedAlgorithm::from(AlgorithmId::Auto);
    let mut planner = Planner::new(auto, settings);
    let mut asked = BTreeMap::new();
    // IDA* would not end on a map of rooms.
    let named = AlgorithmId::ALL.iter().filter(|id| **id != AlgorithmId::IdaStar);
    for (number, &id) in named.enumerate() {
        let (x, y) = (1 + number as u32 % 15, 3 + number as u32 / 15);
        let query = Query::new(grid.cell(x, y).unwrap(), goal);
        asked.insert(planner.request(Request::new(ONLY, query.clone()).by(id.into())), (id, query));
    }
    planner.tick(|_| Navigator::new(grid.space()).with(&landmarks), 700);
    let mut planner = Planner::restore(auto, planner.save(), |_| grid.space()).unwrap();
    let affected = flip(&mut grid, 3 * 48 + 30);
    planner.world_changed(|_| grid.space(), &affected);
    while planner.stats().done < asked.len() as u64 {
        planner.tick(|_| Navigator::new(grid.space()).with(&landmarks), 700);
    }
    assert_eq!((planner.stats().coalesced, planner.stats().prepared), (0, 0));
    for Finished { ticket, answer } in planner.finished() {
        let (id, query) = asked.remove(&ticket).unwrap();
        assert_eq!(answer.took.engine, EngineId::Search, "{id}");
        assert_eq!(answer.took.guarantee, id.info().guarantee, "{id}");
        let alone = solve(&grid.space(), &NamedAlgorithm::from(id), query);
        let path = answer.outcome.into_path();
        assert_eq!(path.steps, alone.outcome.into_path().steps, "{id}");
    }
    assert!(asked.is_empty());
}

#[test]
fn a_crowd_with_one_goal_shares_one_field_and_latecomers_use_it_too() {
    let grid = rooms(128);
    let goal = grid.cell(100, 90).unwrap();
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let mut alone = 0;
    let mut ask = |planner: &mut Planner<Cell, u32, AStar>, seeds: std::ops::Range<u32>| {
        for seed in seeds {
            let start = grid.cell(seed * 37 % 128, seed * 101 % 128).unwrap();
            let query = Query::new(start, goal);
            alone += solve(&grid.space(), &AStar::new(), query.clone()).stats.expanded;
            planner.request(Request::new(ONLY, query));
        }
    };
    ask(&mut planner, 0..200);
    let answers = run_dry(&mut planner, &grid, 3_000);
    assert_eq!(answers.len(), 200);
    let together = planner.stats().expansions;
    assert!(together <= u64::from(128u32 * 128), "{together} expansions");
    ask(&mut planner, 200..260);
    run_dry(&mut planner, &grid, 3_000);
    assert!(planner.stats().expansions <= u64::from(128u32 * 128));
    assert!(planner.stats().coalesced > 220);
    assert!(alone > 10 * planner.stats().expansions, "{alone} alone");
}

/// A voxel world with a walled-in hut in it. Voxel worlds have no component labels.
fn hut() -> VoxelGrid {
    let size = VoxelSize { width: 48, height: 4, depth: 48 };
    let palette = [BlockKind::Air, BlockKind::Solid].map(Block::from);
    VoxelGrid::from_fn(size, &palette, VoxelProfile::default(), |at| {
        let is_in =
            |low: u32, high: u32| (low..=high).contains(&at.x) && (low..=high).contains(&at.z);
        BlockId(u16::from(at.y == 0 || is_in(20, 28) && !is_in(21, 27)))
    })
    .unwrap()
}

#[test]
fn a_walled_in_goal_is_searched_for_once() {
    let world = hut();
    let space = world.space();
    let at = |x: u32, z: u32| {
        let states = (0..space.state_bound() as u32).map(StateId::from_index);
        let mut here = states.filter(|&state| {
            let point = space.position(state);
            space.check(state).is_ok() && point.x as u32 == x && point.z as u32 == z
        });
        here.find(|&state| space.position(state).y as u32 == 1).unwrap()
    };
    let settings = PlannerSettings { coalesce_from: 0, ..PlannerSettings::default() };
    let mut planner = Planner::new(AStar::new(), settings);
    let one = solve(&space, &AStar::new(), Query::new(at(2, 2), at(24, 24)));
    assert!(matches!(one.outcome, Outcome::Unreachable { reason: NoPath::Enclosed, .. }));
    for n in 0..300 {
        let query = Query::new(at(2 + n % 10, 3 + n / 30), at(22 + n % 5, 23));
        planner.request(Request::new(ONLY, query));
    }
    for _ in 0..200 {
        planner.tick(|_| world.space(), 700);
    }
    assert_eq!((planner.stats().done, planner.stats().failed), (300, 300));
    assert!(planner.negative(ONLY, at(24, 24)) && !planner.negative(ONLY, at(2, 2)));
    let spent = planner.stats().expansions;
    assert!(spent < 5 * one.stats.expanded, "{spent}, and {} for one", one.stats.expanded);
    // Within the hut there is a way.
    let inside = planner.request(Request::new(ONLY, Query::new(at(22, 22), at(26, 26))));
    planner.tick(|_| world.space(), 700);
    assert!(planner.take(inside).unwrap().outcome.is_found());
}

/// A search led by landmarks is sliced, saved and restored like any other, and goes on without
/// them after an edit.
#[test]
fn an_engine_that_leads_is_used_in_every_slice() {
    let mut grid = rooms(128);
    let query = far_query(&grid, 3);
    let engine = LandmarksEngine::new(&grid.space(), query.start, 8).unwrap();
    let settings = PlannerSettings::default();
    let mut alone = Planner::new(AStar::new(), settings);
    alone.request(Request::new(ONLY, query.clone()));
    let plain = run_dry(&mut alone, &grid, 50).remove(0).1;

    let new = || {
        let mut planner = Planner::<Cell, u32, AStar>::new(AStar::new(), settings);
        let ticket = planner.request(Request::new(ONLY, query.clone()));
        (planner, ticket)
    };
    let finish = |mut planner: Planner<Cell, u32, AStar>, grid: &Grid, ticket| {
        while planner.standing(ticket) != Standing::Done {
            let report = planner.tick(|_| Navigator::new(grid.space()).with(&engine), 50);
            assert!(report.expansions <= 50);
        }
        planner.take(ticket).unwrap()
    };
    let (planner, ticket) = new();
    let led = finish(planner, &grid, ticket);
    assert_eq!(led.took.engine, EngineId::Landmarks);
    assert_eq!(led.outcome.path().map(Path::cost), plain.outcome.path().map(Path::cost));
    assert!(led.stats.expanded > 60, "more than one slice: {:?}", led.stats);
    assert!(led.stats.expanded < plain.stats.expanded, "{:?} {:?}", led.stats, plain.stats);

    let (mut planner, ticket) = new();
    planner.tick(|_| Navigator::new(grid.space()).with(&engine), 50);
    let views = |_| Navigator::new(grid.space()).with(&engine);
    let restored = Planner::restore(AStar::new(), planner.save(), views).unwrap();
    assert_eq!(finish(restored, &grid, ticket), led);

    let affected = flip(&mut grid, 5 * 128 + 100);
    planner.world_changed(|_| grid.space(), &affected);
    let after = finish(planner, &grid, ticket);
    assert_eq!(after.took.engine, EngineId::Search, "the landmarks are of the world before");
    assert!(is_right(&grid, &query, &after));
}

#[test]
fn a_warm_planner_allocates_nothing() {
    let grid = rooms(64);
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let mut round = |seeds: std::ops::Range<u32>| {
        for seed in seeds {
            let request = Request::new(ONLY, far_query(&grid, seed % 40));
            let request = if seed % 3 == 0 { request.local() } else { request };
            planner.request(request);
            planner.tick(|_| grid.space(), 300);
            while let Some(Finished { answer, .. }) = { planner.finished().next() } {
                planner.recycle(answer.outcome.into_path());
            }
        }
    };
    // The parts of the planner trade their memory: it takes a while until each has had the longest
    // path.
    (0..12).for_each(|_| round(0..40));
    let allocations = allocation_counter::measure(|| round(0..40));
    assert_eq!(allocations.count_total, 0);
}
