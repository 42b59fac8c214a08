//! What holds for every algorithm whatever it finds: no allocation once warm, the same answer on
//! any thread, small scratch.

use std::sync::Arc;

use wayfare_core::search::{
    AlgorithmId, Answer, DistanceField, DistanceFieldSearch, FieldQuery, FleeQuery, FleeSearch,
    Options, Progress, Query, Reachable, ReachableQuery, ReachableSearch, Scratch, Search,
};
use wayfare_core::space::{CostTable, STRAIGHT, TerrainId};
use wayfare_core::trace::{Trace, TraceHash};
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_index::index::{MeshIndex, MeshIndexScratch};
use wayfare_mesh::navmesh::{MeshDraft, NavMesh};
use wayfare_mesh::search::{Corridor, MeshQuery, MeshScratch, MeshSearch, Polyanya};

/// A map of rooms with doors, large enough to keep an open list busy.
fn rooms(side: u32) -> Grid {
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(|at| {
            let (x, y) = (at % side, at / side);
            let wall =
                (x % 16 == 0 && (y * 7 + x) % 11 != 3) || (y % 16 == 0 && (x * 5 + y) % 13 != 4);
            if wall { TerrainId::BLOCKED } else { TerrainId::GROUND }
        })
        .collect();
    Grid::new(side, side, &terrain, GridProfile::default()).unwrap()
}

fn queries(grid: &Grid, count: u32) -> Vec<Query<Cell, u32>> {
    let side = grid.width();
    let cell = |seed: u32| grid.cell(seed * 37 % side, seed * 101 % side).unwrap();
    (0..count).map(|n| Query::new(cell(n + 1), cell(5 * n + 19))).collect()
}

#[test]
fn no_algorithm_allocates_once_warm() {
    let grid = rooms(48);
    let space = grid.space();
    for &algorithm in AlgorithmId::ALL {
        let mut scratch = Scratch::new();
        let queries = queries(&grid, 12);
        let round = |scratch: &mut Scratch<Cell, u32>| {
            for query in &queries {
                let search = &mut algorithm.search(&Options::default(), query.clone());
                let answer = search.finish(&space, scratch, &mut ());
                scratch.recycle(answer.outcome.into_path());
            }
        };
        round(&mut scratch);
        let allocations = allocation_counter::measure(|| round(&mut scratch));
        assert_eq!(allocations.count_total, 0, "{algorithm}");
    }
}

#[test]
fn searches_on_meshes_allocate_nothing_once_warm() {
    let grid = rooms(48);
    let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    let space = mesh.space();
    let at = |cell: Cell| space.nearest_point(grid.centre(cell), 50.0).unwrap();
    let queries: Vec<MeshQuery> = queries(&grid, 12)
        .into_iter()
        .map(|query| MeshQuery::new(at(query.start), at(query.goal.states()[0])))
        .collect();
    let mut scratch = MeshScratch::new();
    let round = |scratch: &mut MeshScratch| {
        for &query in &queries {
            let by_polyanya = Polyanya.search(query).finish(&space, scratch, &mut ());
            scratch.recycle(by_polyanya.outcome.into_path());
            let by_corridor = Corridor.search(query).finish(&space, scratch, &mut ());
            scratch.recycle(by_corridor.outcome.into_path());
        }
    };
    // Twice, as the memory of one path serves them all and may grow in the second round.
    round(&mut scratch);
    round(&mut scratch);
    assert_eq!(allocation_counter::measure(|| round(&mut scratch)).count_total, 0);
    let index = MeshIndex::new(&space).unwrap();
    let indexed = index.of(&space).unwrap();
    let mut scratch = MeshIndexScratch::new();
    let mut round = || {
        for query in &queries {
            let outcome = indexed.path(query.start, query.goal, &mut scratch);
            scratch.recycle(outcome.into_path());
        }
        scratch.searched()
    };
    assert_eq!(round(), 0);
    assert_eq!(allocation_counter::measure(|| assert_eq!(round(), 0)).count_total, 0);
}

#[test]
fn fields_areas_and_flight_allocate_nothing_once_warm() {
    let grid = rooms(48);
    let space = grid.space();
    let queries: Vec<(Cell, Arc<[Cell]>)> = queries(&grid, 12)
        .into_iter()
        .map(|query| (query.start, query.goal.states().into()))
        .collect();
    let mut scratch = Scratch::new();
    let (mut field, mut area) = (DistanceField::default(), Reachable::default());
    let mut round = || {
        for (start, others) in &queries {
            for query in [FieldQuery::outward(others.clone()), FieldQuery::inward(others.clone())] {
                let mut search = DistanceFieldSearch::new(query);
                while search.step(&space, &mut scratch, &mut (), 100) == Progress::Working {}
                let _ = search.into_field(&space, &mut scratch, &mut field);
            }
            let query = ReachableQuery::new(*start).max_cost(20 * STRAIGHT);
            for query in [query, query.max_moves(12)] {
                let mut search = ReachableSearch::new(query);
                while search.step(&space, &mut scratch, &mut (), 100) == Progress::Working {}
                let _ = search.into_area(&space, &mut scratch, &mut area);
            }
            let mut search = FleeSearch::new(FleeQuery::new(*start, others.clone(), 20 * STRAIGHT));
            while search.step(&space, &mut scratch, &mut (), 100) == Progress::Working {}
            if let Ok(flight) = search.answer(&space, &mut scratch) {
                scratch.recycle(flight.path);
            }
        }
    };
    // Tables and labels go back and forth between scratch and results: a few rounds warm up both
    // sides.
    (0..3).for_each(|_| round());
    assert_eq!(allocation_counter::measure(round).count_total, 0);
}

#[test]
fn scratch_stays_within_sixteen_bytes_a_cell() {
    let grid = rooms(512);
    let space = grid.space();
    let mut scratch = Scratch::new();
    for query in queries(&grid, 20) {
        let answer = AlgorithmId::AStar.search(&Options::default(), query).finish(
            &space,
            &mut scratch,
            &mut (),
        );
        scratch.recycle(answer.outcome.into_path());
    }
    let per_cell = scratch.bytes() as f64 / f64::from(grid.width() * grid.height());
    assert!(per_cell <= 16.0, "{per_cell} bytes a cell");
}

#[test]
fn many_threads_search_one_space_and_find_the_same() {
    let grid = rooms(64);
    let space = grid.space();
    let work = || -> Vec<(Answer<Cell, u32>, u64)> {
        let mut scratch = Scratch::new();
        let mut answers = Vec::new();
        for &algorithm in AlgorithmId::ALL {
            for query in queries(&grid, 4) {
                let mut hash = TraceHash::default();
                let answer = algorithm.search(&Options::default(), query).finish(
                    &space,
                    &mut scratch,
                    &mut hash,
                );
                answers.push((answer, hash.value()));
            }
        }
        answers
    };
    let alone = work();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}

#[test]
fn a_path_that_the_narrow_cost_cannot_hold_is_said_to_be_so_and_the_wide_one_finds_it() {
    use wayfare_core::search::{Limit, Outcome};
    use wayfare_core::space::{CostTable, TerrainCost};
    let costs = CostTable::new().with(TerrainId::GROUND, TerrainCost::penalised(20_000.0));
    let profile = GridProfile { costs, ..GridProfile::default() };
    let grid = Grid::new(64, 1, &[TerrainId::GROUND; 64], profile).unwrap();
    let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(63, 0).unwrap());
    let narrow = wayfare_core::search::solve(
        &grid.space(),
        &wayfare_core::search::AStar::new(),
        Query::new(start, goal),
    );
    assert!(
        matches!(narrow.outcome, Outcome::LimitReached { limit: Limit::CostRange, .. }),
        "{:?}",
        narrow.outcome
    );
    let profile = grid.profiles().next().unwrap();
    let wide = grid.space_for::<u64>(profile);
    let answer = wayfare_core::search::solve(
        &wide,
        &wayfare_core::search::AStar::new(),
        Query::new(start, goal),
    );
    assert_eq!(answer.outcome.path().map(wayfare_core::path::Path::cost), Some(63 * 5741 * 20_001));
}

#[test]
fn an_interrupted_search_says_so() {
    use wayfare_core::search::{Interruption, Outcome, Progress};
    let mut grid = rooms(48);
    let query = || queries(&grid, 9).pop().unwrap();
    let (query, other) = (query(), query());
    let mut scratch = Scratch::new();
    let begin = |grid: &Grid, scratch: &mut Scratch<Cell, u32>| {
        let mut search = AlgorithmId::AStar.search(&Options::default(), query.clone());
        assert_eq!(search.step(&grid.space(), scratch, &mut (), 3), Progress::Working);
        search
    };
    let mut search = begin(&grid, &mut scratch);
    AlgorithmId::Bfs.search(&Options::default(), other).finish(
        &grid.space(),
        &mut scratch,
        &mut Trace::new(),
    );
    assert_eq!(
        search.finish(&grid.space(), &mut scratch, &mut ()).outcome,
        Outcome::Interrupted(Interruption::ScratchReused)
    );
    let mut search = begin(&grid, &mut scratch);
    grid.set_terrain(grid.cell(1, 1).unwrap(), TerrainId::BLOCKED);
    assert_eq!(
        search.finish(&grid.space(), &mut scratch, &mut ()).outcome,
        Outcome::Interrupted(Interruption::SpaceEdited)
    );
}

#[test]
fn between_two_islands_there_is_an_answer_without_a_search_or_any_memory() {
    use wayfare_core::search::{NoPath, Outcome};
    let mut grid = rooms(256);
    let side = grid.width();
    for y in 0..side {
        grid.set_terrain(grid.cell(100, y).unwrap(), TerrainId::BLOCKED);
    }
    let (start, goal) = (grid.cell(50, 51).unwrap(), grid.cell(150, 151).unwrap());
    for &algorithm in AlgorithmId::ALL {
        let mut scratch = Scratch::new();
        let empty = scratch.bytes();
        let mut search = algorithm.search(&Options::default(), Query::new(start, goal));
        let answer = search.finish(&grid.space(), &mut scratch, &mut ());
        let Outcome::Unreachable { reason: NoPath::DifferentIslands { .. }, nearest } =
            answer.outcome
        else {
            panic!("{algorithm}: {}", answer.outcome);
        };
        assert_eq!((answer.stats.expanded, nearest.states().len()), (0, 1), "{algorithm}");
        assert!(scratch.bytes() <= empty + 256, "{algorithm} took {} bytes", scratch.bytes());
    }
}
