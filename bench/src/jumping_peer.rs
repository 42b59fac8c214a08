//! The `grid_pathfinding` crate's side: its jump point search.
//!
//! It knows no rule against cutting corners, so that it cannot be held to the moves of the
//! benchmark files. It is measured under those that both know: four neighbours, and eight with
//! diagonals between any two walls; beside ours under the same, with our A* to say what is optimal.
//! Its diagonal costs 99/70 of a straight step, so that it may prefer paths that are longer by a
//! hair.

use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid;
use grid_util::point::Point;
use wayfare::search::{AStar, Jps, Query, Solver};
use wayfare::space::{CornerRule, CostTable, Grid, GridProfile, Neighbours, TerrainId};

use crate::clock;
use crate::cold;
use crate::maps::{BenchMap, BenchQuery};
use crate::ours::{Measured, Timed, is_optimal, measure_once};

/// The moves of a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moves {
    Four,
    EightThroughCorners,
}

/// The benchmark's ground under those moves: one medium, so that queries off it are left out.
fn grid(map: &BenchMap, moves: Moves) -> Option<Grid> {
    let costs = &map.grid.space().profile().costs.clone();
    let is_ground = |terrain| costs.get(terrain).is_some_and(|cost| cost.medium.0 == 0);
    let terrain: Vec<TerrainId> =
        map.grid
            .cells()
            .map(|cell| {
                if is_ground(map.grid.terrain(cell)) {
                    TerrainId::GROUND
                } else {
                    TerrainId::BLOCKED
                }
            })
            .collect();
    let neighbours = if moves == Moves::Four { Neighbours::Four } else { Neighbours::Eight };
    let profile = GridProfile {
        neighbours,
        corners: CornerRule::Always,
        costs: CostTable::new(),
        ..GridProfile::default()
    };
    Grid::new(map.grid.width(), map.grid.height(), &terrain, profile).ok()
}

/// The lengths of the shortest paths under those moves, by A*; infinite where there is none.
fn optima(grid: &Grid, queries: &[BenchQuery]) -> Vec<f64> {
    let (space, mut solver) = (grid.space(), Solver::new());
    let length = |query: &BenchQuery| {
        let answer = solver.solve(&space, &AStar::new(), Query::new(query.start, query.goal));
        answer.outcome.path().map_or(f64::INFINITY, |path| space.length(path.states()))
    };
    queries.iter().map(length).collect()
}

fn agrees(length: f64, optimal: f64) -> bool {
    length == optimal || is_optimal(length, optimal)
}

/// Nothing, for maps without ground under those moves.
fn nothing() -> Measured {
    measure_once(&[], |_| Timed { micros: 0.0, is_optimal: true })
}

/// Our jump point search, with the cell-by-cell path.
pub(crate) fn ours(map: &BenchMap, moves: Moves) -> Measured {
    let Some(grid) = grid(map, moves) else { return nothing() };
    let (space, mut solver) = (grid.space(), Solver::new());
    let optima = optima(&grid, &map.queries);
    let mut run = |query: usize| {
        let (query, optimal) = (&map.queries[query], optima[query]);
        let begun = clock::begin();
        let answer = solver.solve(&space, &Jps, Query::new(query.start, query.goal));
        let micros = clock::micros(begun);
        let length =
            answer.outcome.path().map_or(f64::INFINITY, |path| space.length(path.states()));
        solver.recycle(answer.outcome.into_path());
        Timed { micros, is_optimal: agrees(length, optimal) }
    };
    let (mut times, mut optimal) = (Vec::new(), 0);
    for query in 0..map.queries.len() {
        let timed = [(); crate::ROUNDS].map(|()| run(query));
        times.push(timed.iter().map(|timed| timed.micros).fold(f64::INFINITY, f64::min));
        optimal += usize::from(timed.iter().all(|timed| timed.is_optimal));
    }
    let cold = cold::measure(map.queries.len(), crate::ROUNDS, |query| run(query).micros);
    Measured { times, cold, optimal, counts: None, index: None }
}

/// The crate's, with the cell-by-cell path.
pub(crate) fn theirs(map: &BenchMap, moves: Moves) -> Measured {
    let Some(grid) = grid(map, moves) else { return nothing() };
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let mut crate_grid = PathingGrid::new(width, height, false);
    crate_grid.allow_diagonal_move = moves == Moves::EightThroughCorners;
    let at = |cell| {
        let (x, y) = grid.coordinates(cell).into();
        Point::new(x as i32, y as i32)
    };
    let space = grid.space();
    for cell in grid.cells() {
        if !space.is_free(cell) {
            let Point { x, y } = at(cell);
            crate_grid.set(x, y, true);
        }
    }
    crate_grid.generate_components();
    let optima = optima(&grid, &map.queries);
    let run = |query: usize| {
        let (query, optimal) = (&map.queries[query], optima[query]);
        let begun = clock::begin();
        let path = crate_grid.get_path_single_goal(at(query.start), at(query.goal), false);
        let micros = clock::micros(begun);
        let length = path.map_or(f64::INFINITY, |path| path.windows(2).map(step).sum());
        Timed { micros, is_optimal: agrees(length, optimal) }
    };
    let timed: Vec<Timed> = (0..map.queries.len()).map(&run).collect();
    let cold = cold::measure(map.queries.len(), 1, |query| run(query).micros);
    Measured {
        times: timed.iter().map(|timed| timed.micros).collect(),
        cold,
        optimal: timed.iter().filter(|timed| timed.is_optimal).count(),
        counts: None,
        index: None,
    }
}

fn step(pair: &[Point]) -> f64 {
    if pair[0].x == pair[1].x || pair[0].y == pair[1].y { 1.0 } else { std::f64::consts::SQRT_2 }
}
