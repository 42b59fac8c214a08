//! Indexes of grids under edits: walls put up at random places and taken away, with queries after
//! each edit, beside jumps and beside building anew.

use std::ops::ControlFlow;
use std::time::Instant;

use cpu_time::ThreadTime;

use wayfare::index::{GridIndex, IndexOptions, IndexScratch, IndexedGrid};
use wayfare::search::{Jps, Query, Solver};
use wayfare::space::{Cell, Grid, GridProfile, TerrainId};

use crate::clock;
use crate::dice::Dice;
use crate::generated;
use crate::maps::{self, BenchQuery};
use crate::report::{mean, percentile};

/// Walls of each length.
const WALLS: usize = 40;
/// Cells of a wall.
const LENGTHS: [u32; 2] = [1, 100];
/// Of each query's times the least counts.
const ROUNDS: usize = 3;
/// What the corners in sight of every cell may take.
const SIGHT_BYTES: usize = 64 << 20;

/// What was measured of walls of one length.
#[derive(Default)]
struct Measured {
    /// Milliseconds of repairs: after a wall went up, after it went down.
    repairs: [Vec<f64>; 2],
    /// Milliseconds of the repairs without an edit until all lists were renewed.
    renewals: Vec<f64>,
    /// Microseconds of queries: before the wall, after the repair, after renewals, by jumps.
    queries: [Vec<f64>; 4],
    reordered: usize,
}

/// Says whether all costs were those of jumps.
pub(crate) fn run(filter: &str, most: usize) -> Result<bool, String> {
    println!(
        "{:<18} {:>6} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "map",
        "cells",
        "build ms",
        "prepare",
        "wall ms",
        "worst",
        "open ms",
        "worst",
        "renewals",
        "worst",
        "before",
        "after",
        "renewed",
        "jumps µs"
    );
    let mut is_right = true;
    if filter != "caves" {
        for path in maps::find(filter)? {
            let map = maps::load(&path, most)?;
            is_right &= measure(&map.name, map.grid, &map.queries)?;
        }
    }
    if filter.is_empty() || filter == "caves" {
        let map = generated::tiles("caves", 1024, 1)?;
        let profile = GridProfile { costs: map.cost_table(), ..GridProfile::default() };
        let grid = map.to_grid(profile).map_err(|error| error.to_string())?;
        let (free, mut dice) = (free_cells(&grid), Dice(3));
        let queries = (0..most).map(|_| {
            let [start, goal] = [0; 2].map(|_| free[dice.roll(free.len() as u32) as usize]);
            BenchQuery { start, goal, optimal: 0.0 }
        });
        let queries: Vec<BenchQuery> = queries.collect();
        is_right &= measure("caves 1024", grid, &queries)?;
    }
    Ok(is_right)
}

fn free_cells(grid: &Grid) -> Vec<Cell> {
    grid.cells().filter(|&cell| grid.space().is_free(cell)).collect()
}

fn measure(name: &str, mut grid: Grid, queries: &[BenchQuery]) -> Result<bool, String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let begun = Instant::now();
    let options = IndexOptions { max_bytes: 256 << 20 };
    let mut index = GridIndex::build(&grid.space(), options, &mut |_| ControlFlow::Continue(()))
        .map_err(|error| told(&error))?;
    let build = begun.elapsed().as_secs_f64() * 1e3;
    index.note_sight(&grid.space(), SIGHT_BYTES).map_err(|error| told(&error))?;
    let begun = Instant::now();
    index.prepare_repair(&grid.space()).map_err(|error| told(&error))?;
    let prepare = begun.elapsed().as_secs_f64() * 1e3;
    let (free, mut dice, mut scratch) = (free_cells(&grid), Dice(7), IndexScratch::new());
    let mut is_right = true;
    for length in LENGTHS {
        let mut measured = Measured::default();
        for _ in 0..WALLS {
            let at = grid.coordinates(free[dice.roll(free.len() as u32) as usize]);
            let is_row = dice.roll(2) == 0;
            let wall: Vec<Cell> = (0..length)
                .filter_map(|step| match is_row {
                    true => grid.cell(at.x + step, at.y),
                    false => grid.cell(at.x, at.y + step),
                })
                .collect();
            let before: Vec<(Cell, TerrainId)> =
                wall.iter().map(|&cell| (cell, grid.terrain(cell))).collect();
            let asked = |grid: &Grid, index: &GridIndex, scratch: &mut IndexScratch| {
                let space = grid.space();
                index.of(&space).map(|indexed| ask(&indexed, queries, scratch))
            };
            let known = asked(&grid, &index, &mut scratch).map_err(|error| told(&error))?;
            for (way, ground) in [Some(TerrainId::BLOCKED), None].into_iter().enumerate() {
                grid.set_terrains(
                    before.iter().map(|&(cell, terrain)| (cell, ground.unwrap_or(terrain))),
                );
                let begun = ThreadTime::now();
                let mut repair = index.repair(&grid.space()).map_err(|error| told(&error))?;
                measured.repairs[way].push(clock::micros(begun) / 1e3);
                measured.reordered += usize::from(repair.is_reordered);
                let after = asked(&grid, &index, &mut scratch).map_err(|error| told(&error))?;
                while !repair.is_complete {
                    let begun = ThreadTime::now();
                    repair = index.repair(&grid.space()).map_err(|error| told(&error))?;
                    measured.renewals.push(clock::micros(begun) / 1e3);
                }
                if way == 1 {
                    continue;
                }
                let renewed = asked(&grid, &index, &mut scratch).map_err(|error| told(&error))?;
                let jumps = jumps(&grid, queries);
                for ((known, after), (renewed, jumps)) in
                    known.iter().zip(&after).zip(renewed.iter().zip(&jumps))
                {
                    is_right &= after.1 == jumps.1 && renewed.1 == jumps.1;
                    if jumps.1.is_some() {
                        for (times, time) in
                            measured.queries.iter_mut().zip([known.0, after.0, renewed.0, jumps.0])
                        {
                            times.push(time);
                        }
                    }
                }
            }
        }
        let Measured { repairs: [walls, opened], renewals, queries, reordered } = &measured;
        let worst = |times: &[f64]| percentile(times, 1.0);
        print!("{name:<18} {length:>6} {build:>8.1} {prepare:>8.1}");
        for times in [walls, opened] {
            print!(" {:>7.2} {:>7.2}", mean(times), worst(times));
        }
        let each = renewals.len() as f64 / (2 * WALLS) as f64;
        print!(" {each:>8.1} {:>7.2}", worst(renewals));
        for times in queries {
            print!(" {:>7.2}", mean(times));
        }
        println!(
            "{}",
            if *reordered > 0 { format!("  ordered anew {reordered}") } else { String::new() }
        );
    }
    if !is_right {
        println!("{name}: a cost is not that of jumps");
    }
    Ok(is_right)
}

/// Returns the time and the cost of each query.
fn ask(
    indexed: &IndexedGrid<'_>,
    queries: &[BenchQuery],
    scratch: &mut IndexScratch,
) -> Vec<(f64, Option<u32>)> {
    let mut one = |query: &BenchQuery| {
        let begun = clock::begin();
        let outcome = indexed.turns(query.start, query.goal, scratch);
        let time = clock::micros(begun);
        let cost = outcome.path().map(wayfare::path::Path::cost);
        scratch.recycle(outcome.into_path());
        (time, cost)
    };
    least(queries, &mut one)
}

fn jumps(grid: &Grid, queries: &[BenchQuery]) -> Vec<(f64, Option<u32>)> {
    let (space, mut solver) = (grid.space(), Solver::new());
    let mut one = |query: &BenchQuery| {
        let begun = clock::begin();
        let solved = solver.solve(&space, &Jps, Query::new(query.start, query.goal));
        (clock::micros(begun), solved.outcome.path().map(wayfare::path::Path::cost))
    };
    least(queries, &mut one)
}

fn least(
    queries: &[BenchQuery],
    one: &mut dyn FnMut(&BenchQuery) -> (f64, Option<u32>),
) -> Vec<(f64, Option<u32>)> {
    let mut all: Vec<(f64, Option<u32>)> = queries.iter().map(&mut *one).collect();
    for _ in 1..ROUNDS {
        for (known, query) in all.iter_mut().zip(queries) {
            known.0 = known.0.min(one(query).0);
        }
    }
    all
}
