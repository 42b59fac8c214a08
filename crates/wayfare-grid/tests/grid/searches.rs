//! Every algorithm of the catalog on random grids, against an independent oracle and an independent
//! validator.

use crate::grids::{any_grid, pick};
use crate::oracle::oracle;
use proptest::prelude::*;
use wayfare_core::path::{validate, validate_any_angle};
use wayfare_core::search::{
    AlgorithmId, Guarantee, NoPath, Options, Outcome, Progress, Query, Scratch, Search,
};
use wayfare_core::space::{Space, StateId, TerrainId};
use wayfare_core::trace::Trace;
use wayfare_grid::grid::{Cell, Grid};

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_algorithm_keeps_its_promise(grid in any_grid(), start: u32, goal: u32) {
        let (start, goal) = (pick(&grid, start % 997), pick(&grid, goal % 991));
        let space = grid.space();
        let free: Vec<Cell> = grid.cells().filter(|&cell| space.is_free(cell)).collect();
        let costs = if space.is_free(start) { oracle(&space, &free, start) } else { Default::default() };
        let optimal = costs.get(&goal.index()).copied();
        let options = Options::default();
        let mut scratch = Scratch::new();
        for &algorithm in AlgorithmId::ALL {
            let answer = algorithm.search(&options, Query::new(start, goal)).finish(&space, &mut scratch, &mut ());
            match (&answer.outcome, optimal) {
                (Outcome::Found(path), Some(optimal)) => {
                    let cost = u64::from(path.cost());
                    match algorithm.info().guarantee {
                        Guarantee::AnyAngle => prop_assert_eq!(validate_any_angle(&space, path, start, goal), Ok(())),
                        _ => prop_assert_eq!(validate(&space, path, start, goal), Ok(()), "{}", algorithm),
                    }
                    match algorithm.info().guarantee {
                        Guarantee::Optimal => prop_assert_eq!(cost, optimal, "{}", algorithm),
                        Guarantee::Bounded => {
                            prop_assert!(cost as f64 <= optimal as f64 * f64::from(options.weight.get()), "{}", algorithm);
                        }
                        _ => {}
                    }
                }
                (Outcome::Unreachable { reason, nearest }, None) => {
                    let blocked = !space.is_free(start) || !space.is_free(goal);
                    match reason {
                        NoPath::Start(_) | NoPath::Goal(_) => prop_assert!(blocked),
                        NoPath::DifferentIslands { .. } => prop_assert!(!blocked && answer.stats.expanded == 0),
                        other => prop_assert!(false, "{algorithm}: {other}: the labels should have known"),
                    }
                    prop_assert_eq!(nearest.steps.is_empty(), !space.is_free(start));
                }
                (other, _) => prop_assert!(false, "{algorithm}: {other}, but the oracle says {optimal:?}"),
            }
        }
    }

    #[test]
    fn sliced_is_whole_and_traces_repeat(grid in any_grid(), start: u32, goal: u32, slice in 1u64..20) {
        let (start, goal) = (pick(&grid, start % 997), pick(&grid, goal % 991));
        let space = grid.space();
        for &algorithm in AlgorithmId::ALL {
            let query = || Query::new(start, goal).approach();
            let (mut scratch, mut whole_trace) = (Scratch::new(), Trace::new());
            let whole = algorithm.search(&Options::default(), query()).finish(&space, &mut scratch, &mut whole_trace);
            let mut sliced_trace = Trace::new();
            let mut search = algorithm.search(&Options::default(), query());
            let mut expanded = 0;
            while search.step(&space, &mut scratch, &mut sliced_trace, slice) == Progress::Working {
                let so_far = search.answer(&space, &mut scratch).stats.expanded;
                prop_assert!(so_far <= expanded + slice, "{algorithm} overshoots its budget");
                expanded = so_far;
            }
            prop_assert_eq!(&whole, &search.answer(&space, &mut scratch), "{}", algorithm);
            prop_assert_eq!(whole_trace.hash(), sliced_trace.hash(), "{}", algorithm);
        }
    }

    #[test]
    fn the_nearest_state_is_the_one_with_the_lowest_estimate_cost_and_id(grid in any_grid(), start: u32, goal: u32) {
        let (start, goal) = (pick(&grid, start % 997), pick(&grid, goal % 991));
        let space = grid.space();
        if !space.is_free(start) {
            return Ok(());
        }
        let free: Vec<Cell> = grid.cells().filter(|&cell| space.is_free(cell)).collect();
        let costs = oracle(&space, &free, start);
        if costs.contains_key(&goal.index()) {
            return Ok(());
        }
        let nearest = costs.iter().map(|(&id, &g)| (space.estimate(Cell::from_index(id), goal), g, id)).min();
        for algorithm in [AlgorithmId::AStar, AlgorithmId::Dijkstra, AlgorithmId::Bidirectional, AlgorithmId::IdaStar, AlgorithmId::Jps] {
            let query = Query::new(start, goal).approach();
            let answer = algorithm.search(&Options::default(), query).finish(&space, &mut Scratch::new(), &mut ());
            let path = answer.outcome.best_effort().unwrap();
            let found = path.end().map(|end| (space.estimate(end, goal), u64::from(path.cost()), end.index()));
            prop_assert_eq!(found, nearest, "{}", algorithm);
        }
    }

    #[test]
    fn edits_leave_what_building_anew_would(
        grid in any_grid(),
        edits in prop::collection::vec((any::<u32>(), prop::sample::select(vec![0u8, 1, 2, 3, 255])), 1..12),
    ) {
        let mut edited = grid.clone();
        for chunk in edits.chunks(3) {
            edited.set_terrains(chunk.iter().map(|&(at, terrain)| (pick(&grid, at % 1009), TerrainId(terrain))));
        }
        let terrain: Vec<TerrainId> = edited.cells().map(|cell| edited.terrain(cell)).collect();
        let profile = grid.profiles().next().unwrap();
        let rebuilt = Grid::new(grid.width(), grid.height(), &terrain, grid.profile(profile).unwrap().clone()).unwrap();
        let (a, b) = (edited.space(), rebuilt.space());
        let mut islands = std::collections::BTreeMap::new();
        for cell in edited.cells() {
            prop_assert_eq!(a.is_free(cell), b.is_free(cell));
            prop_assert_eq!(edited.penalty(cell, profile), rebuilt.penalty(cell, profile));
            if let Some(label) = a.component(cell) {
                let other = b.component(cell).unwrap();
                prop_assert_eq!(*islands.entry(label).or_insert(other), other);
            }
            if a.is_free(cell) {
                let moves = |space: &wayfare_grid::grid::GridSpace<'_>| {
                    let mut moves = Vec::new();
                    space.successors(cell, |edge| moves.push(edge));
                    moves
                };
                prop_assert_eq!(moves(&a), moves(&b));
            }
        }
        let distinct: std::collections::BTreeSet<_> = islands.values().collect();
        prop_assert_eq!(distinct.len(), islands.len());
        prop_assert_eq!(a.estimate(pick(&grid, 0), pick(&grid, 77)), b.estimate(pick(&grid, 0), pick(&grid, 77)));
    }
}
