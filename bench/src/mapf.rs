//! Many agents at once: how long a first plan takes, what it costs, and how much better it gets.
//!
//! The maps are drawn as those of the multi-agent benchmark (Stern et al. 2019) are said to be:
//! 32 × 32 cells with a fifth of them blocked, and a warehouse of shelves of 10 × 2 cells.

use cpu_time::ThreadTime;
use wayfare::space::{Cell, Grid, GridProfile, TerrainId};
use wayfare_mapf::{Instance, Lacam, Lifelong, Limits, PlanCost, Refiner, Roadmap, validate};

use crate::clock;
use crate::dice::Dice;

/// Instances of each row; the table has their mean.
const INSTANCES: u64 = 5;

/// Draws different cells of a list.
fn draw(dice: &mut Dice, cells: &[Cell], count: usize) -> Vec<Cell> {
    let mut left = cells.to_vec();
    (0..count).map(|_| left.swap_remove(dice.roll(left.len() as u32) as usize)).collect()
}

fn random_map(dice: &mut Dice) -> Result<Grid, String> {
    let terrain: Vec<TerrainId> = (0..32 * 32)
        .map(|_| if dice.roll(5) == 0 { TerrainId::BLOCKED } else { TerrainId::GROUND })
        .collect();
    Grid::new(32, 32, &terrain, GridProfile::default()).map_err(|error| error.to_string())
}

/// Shelves of 10 × 2 in rows of `across` and columns of `down`, aisles of 2, and room around.
fn warehouse(across: u32, down: u32) -> Result<Grid, String> {
    let (width, height) = (across * 12 + 18, down * 4 + 4);
    let terrain: Vec<TerrainId> = (0..width * height)
        .map(|at| {
            let (x, y) = (at % width, at / width);
            let in_shelves = (9..width - 9).contains(&x) && (2..height - 2).contains(&y);
            let is_shelf = in_shelves && (x - 9) % 12 < 10 && (y - 2) % 4 >= 2;
            if is_shelf { TerrainId::BLOCKED } else { TerrainId::GROUND }
        })
        .collect();
    Grid::new(width, height, &terrain, GridProfile::default()).map_err(|error| error.to_string())
}

/// The cells of the largest island.
fn largest_island(grid: &Grid) -> Vec<Cell> {
    let space = grid.space();
    let free: Vec<Cell> = grid.cells().filter(|&cell| space.is_free(cell)).collect();
    let mut sizes = std::collections::BTreeMap::new();
    for &cell in &free {
        *sizes.entry(space.component(cell)).or_insert(0_u32) += 1;
    }
    let largest = sizes.iter().max_by_key(|(_, size)| **size).map(|(island, _)| *island);
    free.into_iter().filter(|&cell| Some(space.component(cell)) == largest).collect()
}

/// Prints the table. Says whether every plan is without a conflict.
pub(crate) fn run(only: &str) -> Result<bool, String> {
    println!(
        "map                  agents  planned  first plan ms  steps  makespan  cost ratio  after 1 s  after 10 s"
    );
    let mut all_valid = true;
    let small = [50_usize, 100, 200, 300, 400].map(|agents| ("random 32 x 32", agents));
    let large = [("warehouse 10 x 21", 1_000_usize), ("warehouse 20 x 40", 10_000)];
    for (name, agents) in small.into_iter().chain(large) {
        if !name.contains(only) {
            continue;
        }
        let instances = if agents > 1_000 { 1 } else { INSTANCES };
        let (mut planned, mut first, mut steps, mut makespan) = (0_u32, 0.0, 0, 0);
        let mut ratios = [0.0; 3];
        for seed in 0..instances {
            let mut dice = Dice(seed * 7 + agents as u64);
            let grid = match name {
                "warehouse 10 x 21" => warehouse(10, 21)?,
                "warehouse 20 x 40" => warehouse(20, 40)?,
                _ => random_map(&mut dice)?,
            };
            let cells = largest_island(&grid);
            let (starts, goals) =
                (draw(&mut dice, &cells, agents), draw(&mut dice, &cells, agents));
            let begun = ThreadTime::now();
            let instance = Instance::new(Roadmap::of(&grid.space()), &starts, &goals)
                .map_err(|error| error.to_string())?;
            let limits = Limits { steps: 100_000, ..Limits::default() };
            let mut search = Lacam::new(&instance, seed, limits);
            let _ = search.step(u64::MAX);
            let Ok(plan) = search.answer() else { continue };
            first += clock::micros(begun) / 1e3;
            planned += 1;
            steps += search.steps();
            let PlanCost { makespan: last, .. } = plan.cost(&instance);
            makespan += last;
            ratios[0] += plan.cost(&instance).ratio();
            let mut refiner = Refiner::new(&instance, &plan, seed);
            let begun = ThreadTime::now();
            for (ratio, seconds) in ratios[1..].iter_mut().zip([1.0, 10.0]) {
                while clock::micros(begun) < seconds * 1e6 {
                    refiner.work(10_000);
                }
                *ratio += refiner.plan().cost(&instance).ratio();
            }
            for plan in [&plan, &refiner.plan()] {
                if let Err(conflict) = validate(&grid.space(), &instance, plan) {
                    println!("{name}, seed {seed}: {conflict}");
                    all_valid = false;
                }
            }
        }
        let mean = |sum: f64| sum / f64::from(planned.max(1));
        println!(
            "{name:<20} {agents:>6}  {planned:>3} / {instances}  {:>13.1}  {:>5.0}  {:>8.0}  {:>10.3}  {:>9.3}  {:>10.3}",
            mean(first),
            mean(steps as f64),
            mean(makespan as f64),
            mean(ratios[0]),
            mean(ratios[1]),
            mean(ratios[2]),
        );
    }
    if "lifelong".contains(only) {
        lifelong()?;
    }
    Ok(all_valid)
}

/// Robots of a warehouse with a task each, for 1,000 steps.
fn lifelong() -> Result<(), String> {
    println!("lifelong             agents  tasks a step  ms a step");
    for agents in [100, 1_000, 4_000] {
        let grid = warehouse(10, 21)?;
        let cells = largest_island(&grid);
        let mut dice = Dice(agents as u64);
        let starts = draw(&mut dice, &cells, agents);
        let mut robots = Lifelong::new(Roadmap::of(&grid.space()), &starts, 7)
            .map_err(|error| error.to_string())?;
        let mut tasks = 0_u64;
        let begun = ThreadTime::now();
        for _ in 0..1_000 {
            let step = robots.step(|_, _| {
                tasks += 1;
                cells[dice.roll(cells.len() as u32) as usize]
            });
            step.map_err(|error| error.to_string())?;
        }
        let (rate, took) = (tasks as f64 / 1e3, clock::micros(begun) / 1e6);
        println!("warehouse 10 x 21    {agents:>6}  {rate:>12.1}  {took:>9.2}");
    }
    Ok(())
}
