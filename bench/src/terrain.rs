//! Terrain of different costs: swamp twice and water four times as dear as ground, all three in one
//! medium. Ours beside the `pathfinding` crate, against costs by Dijkstra's algorithm.

use pathfinding::directed::astar::astar;
use wayfare::search::{AStar, Algorithm, Dijkstra, Jps, Query, Scratch, ScratchOf, Search, Solver};
use wayfare::space::{
    Cell, CostTable, DIAGONAL, Grid, GridProfile, GridSpace, Medium, STRAIGHT, TerrainCost,
    TerrainId,
};

use crate::clock::{begin, micros};
use crate::cold;
use crate::maps::BenchMap;
use crate::ours::{Counts, Measured};

/// What the kinds of terrain of a Moving AI map cost here.
const SWAMP: u32 = 2;
const WATER: u32 = 4;

/// The rows of a map that has such terrain; none for others.
pub(crate) fn measured(map: &BenchMap) -> Vec<(&'static str, Measured)> {
    let Some(grid) = weighted(map) else { return Vec::new() };
    let space = grid.space();
    let mut solver = Solver::new();
    let optima: Vec<u32> = map
        .queries
        .iter()
        .map(|query| {
            let answer = solver.solve(&space, &Dijkstra, Query::new(query.start, query.goal));
            answer.outcome.path().map_or(u32::MAX, wayfare::path::Path::cost)
        })
        .collect();
    vec![
        ("terrain: pathfinding astar", peer(&grid, map, &optima)),
        ("terrain: A*, cells", ours(&AStar::new(), &space, map, &optima)),
        ("terrain: jps, cells", ours(&Jps, &space, map, &optima)),
    ]
}

/// The map with all of its open terrain in one medium.
pub(crate) fn weighted(map: &BenchMap) -> Option<Grid> {
    let costs = &map.grid.space().profile().costs.clone();
    let terrains = map.terrains.iter().zip(0..=u8::MAX);
    let mut table = CostTable::new();
    let mut has_any = false;
    for (terrain, id) in terrains {
        let id = TerrainId(id);
        let factor = match terrain.glyph {
            'S' => SWAMP,
            'W' => WATER,
            _ if costs.get(id).is_some_and(|cost| cost.medium == Medium::GROUND) => 1,
            _ => {
                table = table.without(id);
                continue;
            }
        };
        table = table.with(id, TerrainCost::multiplied(factor as f32));
        has_any |= factor > 1 && map.grid.cells().any(|cell| map.grid.terrain(cell) == id);
    }
    let terrain: Vec<TerrainId> = map.grid.cells().map(|cell| map.grid.terrain(cell)).collect();
    let profile = GridProfile { costs: table, ..GridProfile::default() };
    has_any.then(|| Grid::new(map.grid.width(), map.grid.height(), &terrain, profile).ok())?
}

fn ours<'g, A: Algorithm>(
    algorithm: &A,
    space: &GridSpace<'g>,
    map: &BenchMap,
    optima: &[u32],
) -> Measured
where
    A::Search<Cell, u32>: Search<GridSpace<'g>>,
{
    let mut scratch: ScratchOf<GridSpace<'_>> = Scratch::new();
    let (mut optimal, mut expanded) = (0, 0);
    let run = |query: usize, scratch: &mut ScratchOf<GridSpace<'_>>| {
        let query = &map.queries[query];
        let begun = begin();
        let search = &mut algorithm.search(Query::new(query.start, query.goal));
        let answer = search.finish(space, scratch, &mut ());
        let took = micros(begun);
        let cost = answer.outcome.path().map_or(u32::MAX, wayfare::path::Path::cost);
        scratch.recycle(answer.outcome.into_path());
        (took, cost, answer.stats.expanded)
    };
    for (query, &optimum) in optima.iter().enumerate() {
        let (_, cost, expansions) = run(query, &mut scratch);
        optimal += usize::from(cost == optimum);
        expanded += expansions;
    }
    let mut times = vec![f64::INFINITY; map.queries.len()];
    let allocations = allocation_counter::measure(|| {
        for _ in 0..crate::ROUNDS {
            for (query, time) in times.iter_mut().enumerate() {
                *time = time.min(run(query, &mut scratch).0);
            }
        }
    });
    let cold = cold::measure(times.len(), crate::ROUNDS, |query| run(query, &mut scratch).0);
    let queries = map.queries.len() as f64;
    let counts = Counts {
        expanded: expanded as f64 / queries,
        allocations: allocations.count_total as f64 / queries,
        scratch_per_cell: scratch.bytes() as f64 / f64::from(map.grid.width() * map.grid.height()),
    };
    Measured { times, cold, optimal, counts: Some(counts), index: None }
}

/// The crate's A* over the same moves and costs, once.
fn peer(grid: &Grid, map: &BenchMap, optima: &[u32]) -> Measured {
    const STEPS: [(i32, i32); 8] =
        [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    let space = grid.space();
    let factors: Vec<Option<u32>> = grid
        .cells()
        .map(|cell| {
            let cost =
                space.profile().costs.get(grid.terrain(cell)).filter(|_| space.is_free(cell));
            cost.map(|cost| cost.multiplier as u32)
        })
        .collect();
    let factor = |x: i32, y: i32| {
        let inside = x >= 0 && y >= 0 && x < width && y < height;
        inside.then(|| factors[(y * width + x) as usize])?
    };
    let successors = |&(x, y): &(i32, i32)| {
        STEPS.into_iter().filter_map(move |(dx, dy)| {
            let into = factor(x + dx, y + dy)?;
            let is_straight = dx == 0 || dy == 0;
            let allowed = is_straight || factor(x + dx, y).and(factor(x, y + dy)).is_some();
            allowed
                .then_some(((x + dx, y + dy), into * if is_straight { STRAIGHT } else { DIAGONAL }))
        })
    };
    let at = |cell| {
        let (x, y) = grid.coordinates(cell).into();
        (x as i32, y as i32)
    };
    let run = |query: usize| {
        let query = &map.queries[query];
        let (start, goal) = (at(query.start), at(query.goal));
        let octile = |&(x, y): &(i32, i32)| {
            let (dx, dy) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
            (dx.max(dy) - dx.min(dy)) * STRAIGHT + dx.min(dy) * DIAGONAL
        };
        let begun = begin();
        let found = astar(&start, successors, octile, |&at| at == goal);
        (micros(begun), found.map_or(u32::MAX, |(_, cost)| cost))
    };
    let answers: Vec<(f64, u32)> = (0..optima.len()).map(run).collect();
    let cold = cold::measure(optima.len(), 1, |query| run(query).0);
    Measured {
        times: answers.iter().map(|&(micros, _)| micros).collect(),
        cold,
        optimal: answers.iter().zip(optima).filter(|((_, cost), optimum)| cost == *optimum).count(),
        counts: None,
        index: None,
    }
}
