//! What edits of a grid cost, and whether an edited grid searches as one built from its terrain.

use cpu_time::ThreadTime;

use wayfare::search::{Jps, Query, Solver};
use wayfare::space::{Cell, CostTable, Grid, GridError, GridProfile, TerrainCost, TerrainId};

use crate::clock::micros;
use crate::maps;
use crate::maps::BenchMap;
use crate::report::{mean, percentile};

/// Single cells that are blocked and opened again, spread over the map.
const DOORS: usize = 200;
/// Queries that are asked before and after the doors.
const QUERIES: usize = 200;
/// Side of the made-up maps.
pub(crate) const SIDE: u32 = 1024;
/// A terrain at twice the cost.
pub(crate) const SWAMP: TerrainId = TerrainId(1);
/// Rounds of a batch; the least time counts.
const ROUNDS: usize = 3;

/// Measures every map found, then batches and swamp on maps of 1024 x 1024 cells.
///
/// Returns whether every edited grid searched as many states as one built from its terrain.
pub(crate) fn run(filter: &str) -> Result<bool, String> {
    println!(
        "{:<22} {:>8} {:>8} {:>8} {:>9} {:>9} {:>11} {:>11}",
        "map", "build ms", "door µs", "p99", "first µs", "again µs", "popped", "after edits"
    );
    let mut is_right = true;
    for path in maps::find(filter)? {
        is_right &= doors(&maps::load(&path, QUERIES)?);
    }
    println!();
    println!("{:<34} {:>10} {:>10} {:>10}", "1024 x 1024 cells", "empty", "blocks", "swamp");
    batches(&mut made_up().map_err(|error| error.to_string())?);
    println!();
    println!(
        "door: one cell blocked or opened. first: the first search by jumps after that, less the same search again."
    );
    println!(
        "popped: states that all searches expand, on a new grid and after the doors were shut and opened."
    );
    Ok(is_right)
}

/// Opens and shuts doors on a map, with searches between.
fn doors(map: &BenchMap) -> bool {
    let terrain: Vec<TerrainId> = map.grid.cells().map(|cell| map.grid.terrain(cell)).collect();
    let profile = map.grid.space().profile().clone();
    let begun = ThreadTime::now();
    let Ok(mut grid) = Grid::new(map.grid.width(), map.grid.height(), &terrain, profile) else {
        return false;
    };
    let build = micros(begun) / 1e3;
    let before = expansions(&grid, map);
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.space().is_free(cell)).collect();
    let (mut times, mut firsts, mut again) = (Vec::new(), Vec::new(), Vec::new());
    let mut solver = Solver::new();
    for n in 0..DOORS {
        let cell = free[(n * 7919 * 101) % free.len()];
        let (Some(query), was) = (map.queries.get(n % map.queries.len()), grid.terrain(cell))
        else {
            continue;
        };
        for terrain in [TerrainId::BLOCKED, was] {
            let begun = ThreadTime::now();
            grid.set_terrain(cell, terrain);
            times.push(micros(begun));
            let mut ask = || {
                let begun = ThreadTime::now();
                let query = Query::new(query.start, query.goal);
                std::hint::black_box(solver.solve(&grid.space(), &Jps, query));
                micros(begun)
            };
            let (first, second) = (ask(), ask());
            firsts.push(first - second);
            again.push(second);
        }
    }
    let after = expansions(&grid, map);
    println!(
        "{:<22} {build:>8.2} {:>8.2} {:>8.2} {:>9.1} {:>9.1} {before:>11} {after:>11}",
        map.name,
        mean(&times),
        percentile(&times, 0.99),
        mean(&firsts),
        mean(&again),
    );
    before == after
}

fn expansions(grid: &Grid, map: &BenchMap) -> u64 {
    let mut solver = Solver::new();
    let expanded = |query: &maps::BenchQuery| {
        solver.solve(&grid.space(), &Jps, Query::new(query.start, query.goal)).stats.expanded
    };
    map.queries.iter().map(expanded).sum()
}

/// Maps of [`SIDE`] x [`SIDE`] cells: empty, with blocks, and with blocks where swamp is known.
pub(crate) fn made_up() -> Result<[Grid; 3], GridError> {
    let mut grids = [made(false)?, made(false)?, made(true)?];
    for grid in &mut grids[1..] {
        let posts = grid.cells().filter(|&cell| is_post(grid, cell)).collect::<Vec<_>>();
        grid.set_terrains(posts.into_iter().map(|cell| (cell, TerrainId::BLOCKED)));
    }
    Ok(grids)
}

/// Coordinates below [`SIDE`], anywhere. The same ones at every call.
pub(crate) fn scattered(count: usize) -> Vec<(u32, u32)> {
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u32 % SIDE
    };
    (0..count).map(|_| (random(), random())).collect()
}

/// Coordinates of a square of 10,000 cells.
pub(crate) fn square() -> Vec<(u32, u32)> {
    (0..100).flat_map(|y| (0..100).map(move |x| (400 + x, 400 + y))).collect()
}

/// A grid of ground, to a profile that may tell swamp from it.
fn made(knows_swamp: bool) -> Result<Grid, GridError> {
    let mut profile = GridProfile::default();
    if knows_swamp {
        profile.costs = CostTable::new().with(SWAMP, TerrainCost::multiplied(2.0));
    }
    Grid::new(SIDE, SIDE, &vec![TerrainId::GROUND; (SIDE * SIDE) as usize], profile)
}

/// Whether a block of 6 x 6 cells stands there, one in 16 x 16 cells.
fn is_post(grid: &Grid, cell: Cell) -> bool {
    let (x, y) = grid.coordinates(cell).into();
    (5..11).contains(&(x % 16)) && (5..11).contains(&(y % 16))
}

/// Edits of many cells, and of one, on each of the grids.
fn batches(grids: &mut [Grid]) {
    let cell = |x: u32, y: u32| move |grid: &Grid| grid.cell(x, y);
    let single = vec![(700, 700)];
    let wall: Vec<(u32, u32)> = (12..1012).map(|x| (x, 300)).collect();
    let walls: Vec<(u32, u32)> =
        (0..10).flat_map(|n| (12..1012).map(move |y| (100 * n + 12, y))).collect();
    let kinds = [
        ("1 cell blocked, µs", single.clone(), TerrainId::BLOCKED, 1.0),
        ("1 cell of swamp, µs", single, SWAMP, 1.0),
        ("a wall of 1,000 cells, ms", wall, TerrainId::BLOCKED, 1e3),
        ("10 walls of 1,000 cells, ms", walls, TerrainId::BLOCKED, 1e3),
        ("a square of 10,000 cells, ms", square(), TerrainId::BLOCKED, 1e3),
        ("10,000 cells anywhere, ms", scattered(10_000), TerrainId::BLOCKED, 1e3),
    ];
    for (name, places, terrain, unit) in kinds {
        for is_undone in [false, true] {
            let name = if is_undone { format!("  undone: {name}") } else { name.to_owned() };
            print!("{name:<34}");
            for grid in &mut *grids {
                let cells: Vec<Cell> =
                    places.iter().filter_map(|&(x, y)| cell(x, y)(grid)).collect();
                let before: Vec<(Cell, TerrainId)> =
                    cells.iter().map(|&cell| (cell, grid.terrain(cell))).collect();
                let mut least = f64::INFINITY;
                for _ in 0..ROUNDS {
                    let begun = ThreadTime::now();
                    if !is_undone {
                        grid.set_terrains(cells.iter().map(|&cell| (cell, terrain)));
                        least = least.min(micros(begun));
                        grid.set_terrains(before.iter().copied());
                    } else {
                        grid.set_terrains(cells.iter().map(|&cell| (cell, terrain)));
                        let begun = ThreadTime::now();
                        grid.set_terrains(before.iter().copied());
                        least = least.min(micros(begun));
                    }
                }
                print!(" {:>10.2}", least / unit);
            }
            println!();
        }
    }
}
