//! Agents that live in a simulation: what a tick costs, with the searches and without.

use cpu_time::ThreadTime;

use wayfare::agent::{Behaviour, Order, PatrolOrder, TeamId, Who};
use wayfare::link::{Keys, NavLinks};
use wayfare::simulation::{AgentSpec, Simulation, SimulationSettings};
use wayfare::space::{Cell, Grid, GridProfile, TerrainId};

const SIDE: u32 = 256;
const AGENTS: u32 = 1_000;
const WARM_UP: u64 = 200;
const TICKS: u64 = 1_000;

/// A map of rooms with doors.
fn rooms() -> Result<Grid, String> {
    let terrain: Vec<TerrainId> = (0..SIDE * SIDE)
        .map(|at| {
            let (x, y) = (at % SIDE, at / SIDE);
            let is_wall =
                (x % 16 == 0 && (y * 7 + x) % 11 > 2) || (y % 16 == 0 && (x * 5 + y) % 13 > 3);
            if is_wall { TerrainId::BLOCKED } else { TerrainId::GROUND }
        })
        .collect();
    Grid::new(SIDE, SIDE, &terrain, GridProfile::default()).map_err(|fault| fault.to_string())
}

/// The free cell for a number; far apart for numbers next to each other.
fn cell(grid: &Grid, number: u32) -> Cell {
    let space = grid.space();
    let at =
        (0..).map(|step| number.wrapping_mul(2_654_435_761).wrapping_add(step) % (SIDE * SIDE));
    let mut cells = at.filter_map(|at| grid.cell(at % SIDE, at / SIDE));
    cells.find(|&cell| space.is_free(cell)).unwrap_or_else(|| grid.nearest_cell(Default::default()))
}

fn population(word: &str, grid: &Grid, number: u32) -> Vec<Behaviour> {
    let point = |number: u32| grid.centre(cell(grid, number));
    let patrol = Behaviour::Patrol {
        points: (0..4).map(|leg| point(number * 4 + leg)).collect(),
        order: PatrolOrder::Loop,
        dwell: 2.0,
        start: 0,
    };
    let near = Behaviour::Wander { radius: 12.0, dwell: 1.0 };
    match (word, number % 8) {
        ("walking", _) => Vec::new(),
        ("patrols", _) => vec![patrol],
        (_, 0) => {
            vec![
                Behaviour::Flee {
                    from: Who::Team(TeamId(1)),
                    radius: 4.0,
                    distance: 8.0,
                    speed: None,
                },
                near,
            ]
        }
        (_, 1) => vec![Behaviour::Follow {
            who: Who::Agent(wayfare::agent::AgentId(number - 1)),
            distance: 2.0,
        }],
        (_, 2 | 3) => {
            let chase = Behaviour::Pursue {
                target: Who::Team(TeamId(2)),
                aggro: 6.0,
                give_up: 9.0,
                predict: 1.0,
                speed: None,
            };
            vec![chase, patrol]
        }
        (_, 4 | 5) => vec![patrol],
        _ => vec![near],
    }
}

fn simulation(word: &str) -> Result<Simulation<Grid>, String> {
    let grid = rooms()?;
    let settings = SimulationSettings { work_per_tick: 50_000, ..SimulationSettings::default() };
    let mut simulation = Simulation::new(grid.clone(), NavLinks::new(3.0), settings)
        .map_err(|fault| fault.to_string())?;
    let class =
        simulation.add_class(Default::default(), Keys::NONE).map_err(|fault| fault.to_string())?;
    for number in 0..AGENTS {
        let place = grid.centre(cell(&grid, number * 31 + 7));
        let team = match number % 8 {
            2 | 3 => TeamId(1),
            0 | 6 => TeamId(2),
            _ => TeamId(0),
        };
        let spec = AgentSpec {
            team,
            behaviours: population(word, &grid, number),
            phase: (number % 64) as f32 * 0.1,
            ..AgentSpec::new(format!("agent {number}"), class, place)
        };
        let id = simulation.add_agent(spec).map_err(|fault| fault.to_string())?;
        if word == "walking" {
            // Long ways, one after the other.
            for leg in 0..6 {
                let to = grid.centre(cell(&grid, number * 17 + leg * 5 + 1));
                simulation.schedule(
                    0,
                    wayfare::simulation::Command::Order { agent: id, order: Order::Then(to) },
                );
            }
        }
    }
    Ok(simulation)
}

/// Measures and prints the table; says whether an agent-tick took at most 2 µs, searches included.
pub(crate) fn run() -> Result<bool, String> {
    println!("{AGENTS} agents on {SIDE} x {SIDE} cells, {TICKS} ticks after {WARM_UP}");
    println!(
        "{:<10} {:>11} {:>9} {:>9} {:>9} {:>12} {:>12} {:>12}",
        "agents",
        "µs/ag-tick",
        "quiet",
        "exp/tick",
        "paths",
        "allocs/tick",
        "quiet ticks",
        "allocs/quiet"
    );
    let mut is_met = true;
    for word in ["walking", "patrols", "mixed"] {
        let mut simulation = simulation(word)?;
        for _ in 0..WARM_UP {
            simulation.tick();
        }
        let (mut all, mut quiet, mut quiet_ticks) = (0.0, 0.0, 0u64);
        let (mut expansions, mut paths) = (0, 0);
        let (mut allocations, mut quiet_allocations) = (0, 0);
        for _ in 0..TICKS {
            let mut micros = 0.0;
            let counted = allocation_counter::measure(|| {
                let begun = ThreadTime::now();
                simulation.tick();
                micros = crate::clock::micros(begun);
            });
            let departed = |event: &&wayfare::simulation::Event| {
                matches!(event, wayfare::simulation::Event::Departed(_))
            };
            let set_out = simulation.events().events.iter().filter(departed).count();
            let expanded = simulation.planner().stats().last_tick.expansions;
            all += micros;
            allocations += counted.count_total;
            expansions += expanded;
            paths += set_out;
            if expanded == 0 && set_out == 0 {
                quiet += micros;
                quiet_ticks += 1;
                quiet_allocations += counted.count_total;
            }
        }
        let agent_ticks = f64::from(AGENTS) * TICKS as f64;
        is_met &= all / agent_ticks <= 2.0;
        println!(
            "{word:<10} {:>11.3} {:>9.3} {:>9.0} {paths:>9} {:>12.1} {quiet_ticks:>12} {:>12.1}",
            all / agent_ticks,
            quiet / (f64::from(AGENTS) * quiet_ticks.max(1) as f64),
            expansions as f64 / TICKS as f64,
            allocations as f64 / TICKS as f64,
            quiet_allocations as f64 / quiet_ticks.max(1) as f64,
        );
    }
    Ok(is_met)
}
