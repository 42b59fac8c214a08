//! The hierarchy beside jump point search and A*: what it costs to build and to repair, what routes
//! take, and what they lose.

use std::time::Instant;

use cpu_time::ThreadTime;

use wayfare::hierarchy::{Hierarchy, HierarchyScratch, HierarchySettings};
use wayfare::path::{Path, validate};
use wayfare::search::{AStar, Algorithm, Jps, Query, Scratch, ScratchOf, Search};
use wayfare::space::{Cell, Grid, GridError, GridProfile, GridSpace, TerrainId};

use crate::clock::micros;
use crate::dice::Dice;
use crate::maps::{BenchMap, BenchQuery};
use crate::report::{mean, percentile};
use crate::{edits, maps, terrain};

/// Cells that are blocked and opened again, one at a time, spread over the map.
const EDITS: u32 = 200;
/// Rounds that count; of each query's times the least does. A* and every repair are timed once.
const ROUNDS: usize = 2;
/// Rounds of an edit of many cells.
const BATCH_ROUNDS: usize = 3;

/// Measures repairs after edits of many cells on made-up maps, beside building anew.
///
/// Returns whether every repaired hierarchy equals one built anew.
pub(crate) fn run_batches(settings: HierarchySettings) -> Result<bool, String> {
    println!(
        "{:<10} {:<24} {:<8} {:>8} {:>10} {:>10} {:>6} {:>12}",
        "1024 x 1024", "cells", "", "sectors", "repair ms", "build ms", "ratio", "transitions"
    );
    let mut grids = edits::made_up().map_err(|error| error.to_string())?;
    let swamp = &mut grids[2];
    let blocks: Vec<Cell> = swamp.cells().filter(|&cell| !swamp.space().is_free(cell)).collect();
    swamp.set_terrains(blocks.into_iter().map(|cell| (cell, edits::SWAMP)));
    let mut is_right = true;
    for (name, mut grid) in ["empty", "blocks", "swamp"].into_iter().zip(grids) {
        let scattered =
            [1, 100, 1_000, 10_000].map(|n| (format!("{n} anywhere"), edits::scattered(n)));
        let square = ("a square of 10,000".to_owned(), edits::square());
        for (kind, places) in scattered.into_iter().chain([square]) {
            let cells: Vec<Cell> = places.iter().filter_map(|&(x, y)| grid.cell(x, y)).collect();
            is_right &= batch(&mut grid, (name, &kind), &cells, settings)?;
        }
    }
    Ok(is_right)
}

/// Blocks the cells and opens them again; the least time of all rounds counts.
fn batch(
    grid: &mut Grid,
    (name, kind): (&str, &str),
    cells: &[Cell],
    settings: HierarchySettings,
) -> Result<bool, String> {
    let before: Vec<(Cell, TerrainId)> =
        cells.iter().map(|&cell| (cell, grid.terrain(cell))).collect();
    let mut hierarchy = Hierarchy::build(&grid.space(), settings);
    let (mut times, mut counts, mut is_right) = ([[f64::INFINITY; 2]; 2], [[0; 2]; 2], true);
    for _ in 0..BATCH_ROUNDS {
        for way in 0..2 {
            match way {
                0 => grid.set_terrains(cells.iter().map(|&cell| (cell, TerrainId::BLOCKED))),
                _ => grid.set_terrains(before.iter().copied()),
            };
            let begun = Instant::now();
            let derived = hierarchy.repair(&grid.space(), cells.iter().copied());
            times[way][0] = elapsed(begun).min(times[way][0]);
            let begun = Instant::now();
            let built = Hierarchy::build(&grid.space(), settings);
            times[way][1] = elapsed(begun).min(times[way][1]);
            is_right &= built == hierarchy;
            counts[way] = [derived.map_err(|error| error.to_string())?, built.transitions()];
        }
    }
    for (way, (times, counts)) in ["blocked", "opened"].into_iter().zip(times.iter().zip(counts)) {
        println!(
            "{name:<11} {kind:<24} {way:<8} {:>8} {:>10.2} {:>10.2} {:>6.2} {:>12}{}",
            counts[0],
            times[0] / 1e3,
            times[1] / 1e3,
            times[0] / times[1],
            counts[1],
            if is_right { "" } else { "  WRONG" }
        );
    }
    Ok(is_right)
}

/// Answers the queries of every map found; says whether every exact refinement was optimal and
/// every path valid.
pub(crate) fn run(filter: &str, most: usize, settings: HierarchySettings) -> Result<bool, String> {
    print_head();
    let mut is_right = true;
    for path in maps::find(filter)? {
        let map = maps::load(&path, most)?;
        is_right &= row(&map.name, &mut map.grid.clone(), &map.queries, settings)?;
        for (kind, grid) in [("terrain", terrain::weighted(&map)), ("heat", heated(&map))] {
            if let Some(mut grid) = grid {
                is_right &=
                    row(&format!("{} {kind}", map.name), &mut grid, &map.queries, settings)?;
            }
        }
    }
    print_foot();
    Ok(is_right)
}

fn print_head() {
    println!(
        "{:<22} {:>8} {:>6} {:>9} {:>8} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7} {:>9} {:>9} {:>9}",
        "map",
        "build ms",
        "B/cell",
        "repair µs",
        "p99",
        "1st leg",
        "p99",
        "cells µs",
        "plan %",
        "loss %",
        "max %",
        "exact µs",
        "jps µs",
        "A* µs"
    );
}

fn print_foot() {
    println!();
    println!(
        "1st leg: the plan over all sectors and the first cells. cells: the whole path. plan: what the plan costs above the optimum, before"
    );
    println!(
        "refinement; loss, max: what the path does, mean and worst. exact: plan and cheapest path. repair: a cell blocked or opened, derivations of"
    );
    println!(
        "the grid itself not counted. heat: influence on a tenth of the cells, as after a battle."
    );
}

/// Answers queries on caves of 1024² to 4096² cells.
///
/// Returns as [`run`] does.
pub(crate) fn run_caves(most: usize, settings: HierarchySettings) -> Result<bool, String> {
    print_head();
    let mut is_right = true;
    for side in [1024, 2048, 4096] {
        let (mut grid, queries) = caves(side, most).map_err(|error| error.to_string())?;
        is_right &= row(&format!("caves {side}"), &mut grid, &queries, settings)?;
    }
    print_foot();
    Ok(is_right)
}

/// Caves by a cellular automaton.
///
/// 45 of 100 cells are blocked at random. In 4 rounds a cell is then blocked if 5 of the 9 around
/// it are.
pub(crate) fn cave(side: u32, dice: &mut Dice) -> Vec<TerrainId> {
    let width = side as usize;
    let mut free: Vec<bool> = (0..width * width).map(|_| dice.roll(100) >= 45).collect();
    for _ in 0..4 {
        let before = free.clone();
        let is_blocked = |x: usize, y: usize| x >= width || y >= width || !before[y * width + x];
        for (place, free) in free.iter_mut().enumerate() {
            let (x, y) = (place % width, place / width);
            let around = (0..9)
                .filter(|n| is_blocked((x + n % 3).wrapping_sub(1), (y + n / 3).wrapping_sub(1)));
            *free = around.count() < 5;
        }
    }
    let terrain = |free: bool| if free { TerrainId::GROUND } else { TerrainId::BLOCKED };
    free.into_iter().map(terrain).collect()
}

/// A [`cave`], and ends anywhere in the largest region of it.
fn caves(side: u32, queries: usize) -> Result<(Grid, Vec<BenchQuery>), GridError> {
    let mut dice = Dice(7);
    let terrains = cave(side, &mut dice);
    let grid = Grid::new(side, side, &terrains, GridProfile::default())?;
    let space = grid.space();
    let cells: Vec<Cell> = grid.cells().filter(|&cell| space.is_free(cell)).collect();
    let mut sizes = std::collections::BTreeMap::<_, u32>::new();
    for &cell in &cells {
        *sizes.entry(space.component(cell)).or_default() += 1;
    }
    let largest = sizes.iter().max_by_key(|&(_, &size)| size).and_then(|(&name, _)| name);
    let cells: Vec<Cell> =
        cells.into_iter().filter(|&cell| space.component(cell) == largest).collect();
    let mut any = || cells[dice.roll(cells.len() as u32) as usize];
    let queries = (0..queries).map(|_| BenchQuery { start: any(), goal: any(), optimal: 0.0 });
    let queries = queries.collect();
    Ok((grid, queries))
}

/// The map with influence on it, so that every cell may cost something else and nothing can be
/// jumped over.
fn heated(map: &BenchMap) -> Option<Grid> {
    use wayfare::space::InfluenceRule;
    let profile = GridProfile { influence: vec![1.0], ..map.grid.space().profile().clone() };
    let terrain: Vec<TerrainId> = map.grid.cells().map(|cell| map.grid.terrain(cell)).collect();
    let mut grid = Grid::new(map.grid.width(), map.grid.height(), &terrain, profile).ok()?;
    let layer = grid.add_influence(InfluenceRule::default()).ok()?;
    let hot: Vec<Cell> = grid
        .cells()
        .filter(|&cell| {
            let (x, y) = grid.coordinates(cell).into();
            (x / 16 * 7 + y / 16 * 13) % 10 == 0
        })
        .collect();
    for (n, cell) in (0u32..).zip(hot) {
        grid.add_influence_at(layer, cell, 0.5 + (n % 5) as f32);
    }
    Some(grid)
}

fn row(
    name: &str,
    grid: &mut Grid,
    queries: &[BenchQuery],
    settings: HierarchySettings,
) -> Result<bool, String> {
    let at = |error: &dyn std::fmt::Display| format!("{name}: {error}");
    let begun = Instant::now();
    let mut hierarchy = Hierarchy::build(&grid.space(), settings);
    let build = elapsed(begun) / 1e3;
    let per_cell =
        hierarchy.size_in_bytes() as f64 / (f64::from(grid.width()) * f64::from(grid.height()));

    let mut repairs = Vec::new();
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.space().is_free(cell)).collect();
    for n in 0..EDITS {
        let cell = free[(n as usize * 7919 * 101) % free.len()];
        let before = grid.terrain(cell);
        for terrain in [TerrainId::BLOCKED, before] {
            grid.set_terrain(cell, terrain);
            let begun = Instant::now();
            hierarchy.repair(&grid.space(), [cell]).map_err(|error| at(&error))?;
            repairs.push(elapsed(begun));
        }
    }

    let space = grid.space();
    let mut scratch = HierarchyScratch::new();
    let mut search: ScratchOf<GridSpace<'_>> = Scratch::new();
    let count = queries.len();
    let mut times = [const { Vec::new() }; 5].map(|_: Vec<f64>| vec![f64::INFINITY; count]);
    let (mut plans, mut losses, mut is_right) = (Vec::new(), Vec::new(), true);
    for round in 0..=ROUNDS {
        for (number, query) in queries.iter().enumerate() {
            let (start, goal) = (query.start, query.goal);
            let mut note = |kind: usize, took: f64| {
                if round > 0 {
                    let least: &mut f64 = &mut times[kind][number];
                    *least = least.min(took);
                }
            };
            let begun = ThreadTime::now();
            let routed = hierarchy.route(&space, &mut scratch, start, goal);
            let first = micros(begun);
            let Some(route) = routed.map_err(|error| at(&error))?.found() else {
                let (star, _) = timed(&AStar::new(), &space, &mut search, (start, goal));
                is_right &= star == u32::MAX;
                continue;
            };
            note(0, first);
            let begun = ThreadTime::now();
            let path = route.refine_all(&hierarchy, &space, &mut scratch);
            note(1, first + micros(begun));
            let path = path.map_err(|error| at(&error))?;
            let begun = ThreadTime::now();
            let exact = route.exact(&hierarchy, &space, &mut scratch);
            note(2, first + micros(begun));
            let exact = exact.map_err(|error| at(&error))?;
            let (jps, took) = timed(&Jps, &space, &mut search, (start, goal));
            note(3, took);
            if round == 1 {
                let (star, took) = timed(&AStar::new(), &space, &mut search, (start, goal));
                note(4, took);
                is_right &= star == exact.cost() && star == jps;
                is_right &= validate(&space, &path, start, goal).is_ok();
                let loss =
                    |cost: u32| (f64::from(cost) / f64::from(star).max(1.0) - 1.0).max(0.0) * 100.0;
                plans.push(loss(route.cost()));
                losses.push(loss(path.cost()));
            }
            scratch.recycle_path(path);
            scratch.recycle_path(exact);
            scratch.recycle(route);
        }
    }
    // Queries without a route have no times.
    times.iter_mut().for_each(|times| times.retain(|time| time.is_finite()));
    let [first, cells, exact, jps, star] = &times;
    println!(
        "{name:<22} {build:>8.1} {per_cell:>6.2} {:>9.1} {:>8.1} {:>9.1} {:>9.1} {:>9.1} {:>7.2} {:>7.2} {:>7.2} {:>9.1} {:>9.1} {:>9.1}{}",
        mean(&repairs),
        percentile(&repairs, 0.99),
        mean(first),
        percentile(first, 0.99),
        mean(cells),
        mean(&plans),
        mean(&losses),
        losses.iter().copied().fold(0.0, f64::max),
        mean(exact),
        mean(jps),
        mean(star),
        if is_right { "" } else { "  WRONG" }
    );
    Ok(is_right)
}

/// The time since then in microseconds: sectors are derived on all cores.
fn elapsed(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e6
}

fn timed<'g, A: Algorithm>(
    algorithm: &A,
    space: &GridSpace<'g>,
    scratch: &mut ScratchOf<GridSpace<'g>>,
    (start, goal): (Cell, Cell),
) -> (u32, f64)
where
    A::Search<Cell, u32>: Search<GridSpace<'g>>,
{
    let begun = ThreadTime::now();
    let search = &mut algorithm.search(Query::new(start, goal));
    let answer = search.finish(space, scratch, &mut ());
    let took = micros(begun);
    let cost = answer.outcome.path().map_or(u32::MAX, Path::cost);
    scratch.recycle(answer.outcome.into_path());
    (cost, took)
}
