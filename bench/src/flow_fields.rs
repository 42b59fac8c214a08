//! Flow fields on grids: growing one, asking it, and repairing it after edits, beside a fresh one.

use cpu_time::ThreadTime;
use wayfare::search::{FieldRepair, FlowField};
use wayfare::space::{Cell, CellPosition, Grid, TerrainId};

use crate::clock::micros;
use crate::maps;
use crate::maps::BenchMap;
use crate::report::{mean, percentile};

/// Agents that go to one goal.
const AGENTS: usize = 1000;
/// Edits of each size, spread over the map; each is taken back.
const EDITS: usize = 50;
/// Sides of the squares of cells that are blocked and opened again.
const SIDES: [u32; 3] = [1, 3, 10];
/// Work within which the planner repairs a field, by default.
const BOUND: u64 = 20_000;

/// Measures every map found. Returns whether every repaired field equalled a fresh one.
pub(crate) fn run(filter: &str) -> Result<bool, String> {
    println!("microseconds of one thread");
    println!(
        "{:<16} {:>9} {:>10} {:>9} {:>9} | {:<6} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "map",
        "states",
        "field",
        "first ask",
        "again",
        "cells",
        "mean",
        "p50",
        "p99",
        "work",
        "within"
    );
    let mut is_right = true;
    for path in maps::find(filter)? {
        is_right &= measure(&maps::load(&path, AGENTS)?);
    }
    println!();
    println!("field: all states; ask: one of {AGENTS} agents, then the same again.");
    println!(
        "cells: blocked or opened at once, then what the repair took, in microseconds and units of work;"
    );
    println!("within: repairs of at most {BOUND} units.");
    Ok(is_right)
}

fn measure(map: &BenchMap) -> bool {
    let mut grid = map.grid.clone();
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.space().is_free(cell)).collect();
    let spread = |n: usize, of: usize| free[(n * (free.len() / of) + 7919) % free.len()];
    let goal = spread(AGENTS / 3, AGENTS);
    let agents: Vec<Cell> = (0..AGENTS).map(|n| spread(n, AGENTS)).collect();
    let mut field = FlowField::new([goal]);
    let begun = ThreadTime::now();
    grow(&mut field, &grid);
    let grown = micros(begun);
    let mut ask = || {
        let begun = ThreadTime::now();
        let known =
            agents.iter().filter(|&&at| field.ask(&grid.space(), at, grid.centre(at)).is_ok());
        let known = known.count();
        (micros(begun) / AGENTS as f64, known)
    };
    let (first, again) = (ask(), ask());
    let states = field.settled_states();
    let mut is_right = first.1 == again.1;
    for side in SIDES {
        let (mut times, mut work, mut within) = (Vec::new(), Vec::new(), 0);
        for n in 0..EDITS {
            let corner = spread(n, EDITS);
            let cells = square(&grid, corner, side, goal);
            let was: Vec<(Cell, TerrainId)> =
                cells.iter().map(|&cell| (cell, grid.terrain(cell))).collect();
            let shut = cells.iter().map(|&cell| (cell, TerrainId::BLOCKED)).collect();
            for terrains in [shut, was] {
                let edit = grid.set_terrains(terrains);
                let affected = grid.affected_by(&edit.cells);
                let begun = ThreadTime::now();
                let repair = field.world_changed(&grid.space(), &affected, u64::MAX);
                times.push(micros(begun));
                match repair {
                    FieldRepair::Done { work: took } => {
                        within += usize::from(took <= BOUND);
                        work.push(took as f64);
                    }
                    FieldRepair::GivenUp { .. } => is_right = false,
                }
            }
            if n % 10 == 0 {
                is_right &= is_fresh(&mut field, &grid, goal, &agents);
            }
        }
        let name = if side == SIDES[0] { map.name.as_str() } else { "" };
        let share = within as f64 / times.len() as f64 * 100.0;
        println!(
            "{name:<16} {states:>9} {grown:>10.0} {:>9.2} {:>9.3} | {:<6} {:>9.1} {:>9.1} {:>9.1} {:>9.0} {share:>8.0}%",
            first.0,
            again.0,
            side * side,
            mean(&times),
            percentile(&times, 0.5),
            percentile(&times, 0.99),
            mean(&work),
        );
    }
    if !is_right {
        eprintln!("{}: a repaired field differs from a fresh one", map.name);
    }
    is_right
}

/// Grows a field over everything that can reach its goals.
fn grow(field: &mut FlowField<Cell, u32>, grid: &Grid) {
    let goals = field.goals().to_vec();
    let island = |cell: Cell| grid.space().is_free(cell) && !goals.contains(&cell);
    for cell in grid.cells().filter(|&cell| island(cell)) {
        let _ = field.grow(&grid.space(), cell, u64::MAX);
    }
}

/// Whether a field has the costs of a fresh one.
fn is_fresh(field: &mut FlowField<Cell, u32>, grid: &Grid, goal: Cell, agents: &[Cell]) -> bool {
    let mut fresh = FlowField::new([goal]);
    agents.iter().all(|&at| {
        for field in [&mut *field, &mut fresh] {
            let _ = field.grow(&grid.space(), at, u64::MAX);
        }
        field.cost(&grid.space(), at) == fresh.cost(&grid.space(), at)
    })
}

/// The free cells of a square, without the goal.
fn square(grid: &Grid, corner: Cell, side: u32, goal: Cell) -> Vec<Cell> {
    let CellPosition { x, y } = grid.coordinates(corner);
    let cells = (y..y + side).flat_map(|y| (x..x + side).map(move |x| (x, y)));
    let cells = cells.filter_map(|(x, y)| grid.cell(x, y));
    cells.filter(|&cell| cell != goal && grid.space().is_free(cell)).collect()
}
