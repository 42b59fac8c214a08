//! A crowd that asks for paths: how many answers come, and how soon, at default settings.

use cpu_time::ThreadTime;

use wayfare::agent::{AgentId, Order};
use wayfare::link::{Keys, NavLinks};
use wayfare::simulation::{AgentSpec, Command, Event, GridEdit, Simulation, SimulationSettings};
use wayfare::space::{Cell, Grid, GridProfile, TerrainId};

const SIDE: u32 = 512;
/// The side of a room with one of its walls, in cells.
const ROOM: u32 = 8;
const AGENTS: u32 = 1_000;
/// The ticks between two orders for one agent: 5 s.
const ORDER_EVERY: u64 = 100;
/// 15 s.
const TICKS: u64 = 300;
/// The latest tick at which an answer is in time, counted from its order: 1 s.
const IN_TIME: u64 = 20;

/// Draws that are the same on every target.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// Rooms of 7 by 7 cells; each wall between two rooms has a door with probability 3 in 4.
struct Rooms {
    grid: Grid,
    /// The cells of all doors.
    doors: Vec<Cell>,
}

fn rooms() -> Result<Rooms, String> {
    let mut dice = Dice(8);
    let is_wall = |at: u32| at.is_multiple_of(ROOM) || at == SIDE - 1;
    let mut terrain: Vec<TerrainId> = (0..SIDE * SIDE)
        .map(|at| {
            if is_wall(at % SIDE) || is_wall(at / SIDE) {
                TerrainId::BLOCKED
            } else {
                TerrainId::GROUND
            }
        })
        .collect();
    let mut doors = Vec::new();
    let count = SIDE / ROOM;
    for row in 0..count {
        for column in 0..count {
            for (right, down) in [(true, false), (false, true)] {
                let (next_column, next_row) = (column + u32::from(right), row + u32::from(down));
                let place = 1 + dice.roll(ROOM - 1);
                let is_open = dice.roll(4) > 0;
                if next_column == count || next_row == count || !is_open {
                    continue;
                }
                let (x, y) = if right {
                    (next_column * ROOM, row * ROOM + place)
                } else {
                    (column * ROOM + place, next_row * ROOM)
                };
                if x < SIDE - 1 && y < SIDE - 1 {
                    terrain[(y * SIDE + x) as usize] = TerrainId::GROUND;
                    doors.push((x, y));
                }
            }
        }
    }
    let grid = Grid::new(SIDE, SIDE, &terrain, GridProfile::default())
        .map_err(|fault| fault.to_string())?;
    let doors = doors.into_iter().filter_map(|(x, y)| grid.cell(x, y)).collect();
    Ok(Rooms { grid, doors })
}

/// A free cell from which most of the map can be reached.
fn cell(grid: &Grid, dice: &mut Dice) -> Cell {
    let space = grid.space();
    loop {
        let cell = grid.cell(dice.roll(SIDE), dice.roll(SIDE));
        if let Some(cell) = cell.filter(|&cell| space.is_free(cell)) {
            return cell;
        }
    }
}

/// The figures of one run.
#[derive(Default)]
struct Figures {
    orders: u64,
    answers: u64,
    in_time: u64,
    latest: u64,
    waits: u64,
    /// Microseconds of the thread.
    total: f64,
    longest: f64,
    /// Units of work.
    work: u64,
    most_work: u64,
}

fn measure(edits: bool) -> Result<Figures, String> {
    let Rooms { grid, doors } = rooms()?;
    let mut dice = Dice(15);
    let mut simulation =
        Simulation::new(grid.clone(), NavLinks::new(3.0), SimulationSettings::default())
            .map_err(|fault| fault.to_string())?;
    let class =
        simulation.add_class(Default::default(), Keys::NONE).map_err(|fault| fault.to_string())?;
    for number in 0..AGENTS {
        let place = grid.centre(cell(&grid, &mut dice));
        simulation
            .add_agent(AgentSpec::new(format!("agent {number}"), class, place))
            .map_err(|fault| fault.to_string())?;
    }
    let mut figures = Figures::default();
    let mut asked: Vec<Option<u64>> = vec![None; AGENTS as usize];
    let mut shut: Option<Cell> = None;
    for tick in 0..TICKS + IN_TIME {
        for number in (0..AGENTS).filter(|&number| {
            tick < TICKS && (u64::from(number) + tick).is_multiple_of(ORDER_EVERY)
        }) {
            let to = grid.centre(cell(&grid, &mut dice));
            simulation.order(AgentId(number), Order::GoTo(to));
            asked[number as usize] = Some(tick);
            figures.orders += 1;
        }
        if edits && tick.is_multiple_of(20) {
            let mut fill = |cell, terrain| {
                let edit = GridEdit::Terrain { cells: vec![cell], terrain };
                simulation.schedule(tick, Command::Edit(edit));
            };
            if let Some(cell) = shut.take() {
                fill(cell, TerrainId::GROUND);
            }
            let door = doors[dice.roll(doors.len() as u32) as usize];
            fill(door, TerrainId::BLOCKED);
            shut = Some(door);
        }
        let begun = ThreadTime::now();
        simulation.tick();
        let micros = crate::clock::micros(begun);
        figures.total += micros;
        figures.longest = figures.longest.max(micros);
        let work = simulation.planner().stats().last_tick.work;
        figures.work += work;
        figures.most_work = figures.most_work.max(work);
        for event in &simulation.events().events {
            let (Event::Departed(agent) | Event::NoPath { agent, .. }) = event else { continue };
            if let Some(since) = asked[agent.0 as usize].take() {
                let latency = tick - since + 1;
                figures.answers += 1;
                figures.in_time += u64::from(latency <= IN_TIME);
                figures.latest = figures.latest.max(latency);
            }
        }
        figures.waits += asked.iter().flatten().count() as u64;
    }
    Ok(figures)
}

/// Measures and prints the table; says whether every order was answered within a second of ticks.
pub(crate) fn run() -> Result<bool, String> {
    println!(
        "{AGENTS} agents, an order every 5 s each, rooms of {SIDE} x {SIDE} cells, {TICKS} ticks, default settings"
    );
    println!(
        "{:<18} {:>8} {:>9} {:>12} {:>8} {:>10} {:>12} {:>13} {:>13} {:>11}",
        "",
        "orders",
        "answers",
        "within 1 s",
        "latest",
        "waiting",
        "ms a tick",
        "longest tick",
        "units a tick",
        "at most"
    );
    let mut is_met = true;
    for (name, edits) in [("no edits", false), ("an edit a second", true)] {
        let figures = measure(edits)?;
        let ticks = (TICKS + IN_TIME) as f64;
        println!(
            "{name:<18} {:>8} {:>9} {:>12} {:>8} {:>9.1}% {:>12.2} {:>13.2} {:>13.0} {:>11}",
            figures.orders,
            figures.answers,
            figures.in_time,
            figures.latest,
            figures.waits as f64 / ticks / f64::from(AGENTS) * 100.0,
            figures.total / ticks / 1e3,
            figures.longest / 1e3,
            figures.work as f64 / ticks,
            figures.most_work,
        );
        is_met &= figures.in_time == figures.orders;
    }
    Ok(is_met)
}
