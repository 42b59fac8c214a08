//! The loop of a strategy game: 200 orders in one frame, a budget of work a frame, and a
//! bridge that burns meanwhile.
//!
//! ```text
//! cargo run -p wayfare --example strategy
//! ```
#![expect(clippy::print_stdout, reason = "an example that prints a table")]

use std::collections::BTreeMap;

use wayfare::prelude::*;
use wayfare::search::Query;

const SIDE: u32 = 96;
const BUDGET: u64 = 3_000;
const SOLDIERS: ClassId = ClassId(0);
const FIRE: u32 = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A river along x = 48, with three bridges.
    let terrain: Vec<TerrainId> = (0..SIDE * SIDE)
        .map(|at| match (at % SIDE, at / SIDE) {
            (48, y) if ![10, 50, 90].contains(&y) => TerrainId::BLOCKED,
            _ => TerrainId::GROUND,
        })
        .collect();
    let mut grid = Grid::new(SIDE, SIDE, &terrain, GridProfile::default())?;
    let at = |grid: &Grid, x, y| grid.cell(x, y).ok_or("off the map");
    let bridge = at(&grid, 48, 50)?;

    // Orders to 200 soldiers: most go to one fort, every fifth to a place of its own.
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let mut orders = BTreeMap::new();
    for soldier in 0..200 {
        let (x, y) = if soldier % 5 == 0 { (60 + soldier % 30, 5) } else { (90, 48) };
        let order = (at(&grid, soldier % 40, 20 + soldier / 2 % 60)?, at(&grid, x, y)?);
        let request = Request::new(SOLDIERS, Query::new(order.0, order.1));
        orders.insert(planner.request(request), order);
    }

    println!("frame  expansions  paths  waiting");
    let mut paths: BTreeMap<Ticket, Path<Cell, u32>> = BTreeMap::new();
    for frame in 1.. {
        if frame == FIRE {
            // The planner is told the states whose moves have changed.
            // Searches that reached none of them go on.
            grid.set_terrain(bridge, TerrainId::BLOCKED);
            let around = (47..=49).flat_map(|x| (49..=51).map(move |y| (x, y)));
            let changed: Vec<Cell> = around.filter_map(|(x, y)| grid.cell(x, y)).collect();
            planner.world_changed(|_| grid.space(), &changed);
            // Paths over the bridge are requested again.
            let is_lost = |path: &Path<Cell, u32>| path.states().any(|state| state == bridge);
            let lost: Vec<Ticket> =
                paths.iter().filter(|(_, path)| is_lost(path)).map(|(&ticket, _)| ticket).collect();
            println!("       the bridge burns: {} paths are requested again", lost.len());
            paths.retain(|ticket, _| !lost.contains(ticket));
            for ticket in lost {
                let order = orders[&ticket];
                let request = Request::new(SOLDIERS, Query::new(order.0, order.1));
                orders.insert(planner.request(request), order);
            }
        }
        let report = planner.tick(|_| grid.space(), BUDGET);
        assert!(report.expansions <= BUDGET, "no frame takes more than its budget");
        let answers = planner.finished();
        paths.extend(answers.map(|done| (done.ticket, done.answer.outcome.into_path())));
        let waiting = report.queued + report.running;
        println!("{frame:5}  {:10}  {:5}  {waiting:7}", report.expansions, paths.len());
        if waiting == 0 && frame > FIRE {
            break;
        }
    }
    assert_eq!(paths.len(), 200);
    for (ticket, path) in &paths {
        wayfare::path::validate(&grid.space(), path, orders[ticket].0, orders[ticket].1)?;
    }
    Ok(())
}
