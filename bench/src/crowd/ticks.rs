//! What a tick of a simulation on a grid costs an agent, with avoidance and without.
//!
//! The squares of the other tables at a fifth of their size: bodies of 0.3 m on cells of 1 m, all
//! on their way to the opposite place at 1.5 m/s at most. Searches for paths are over when the
//! measuring begins.

use cpu_time::ProcessTime;
use glam::Vec3;
use wayfare::agent::{AgentLimits, Order};
use wayfare::crowd::AvoidanceQuality;
use wayfare::link::{Keys, NavLinks};
use wayfare::simulation::{
    AgentSpec, Avoidance, Command, Event, JamSettings, Simulation, SimulationSettings,
};
use wayfare::space::{Frame, Grid, GridProfile, TerrainId};

use super::scenes::{Ways, dense, is_meant, least_distance, sparse};

/// World units of the other tables to a metre.
const SCALE: f32 = 5.0;
const RADIUS: f32 = 0.3;
const WARM_UP: u32 = 100;
const TICKS: u32 = 40;

/// A scene: its name and its ways.
type Scene = (&'static str, fn(u32) -> Ways);

fn simulation(
    ways: &Ways,
    (quality, jams): (AvoidanceQuality, Option<JamSettings>),
) -> Result<Simulation<Grid>, String> {
    let place = |at: Vec3| at / SCALE;
    let half = ways.iter().map(|way| place(way.0).x.abs()).fold(0.0, f32::max).ceil() + 8.0;
    let side = 2 * half as u32;
    let terrain = vec![TerrainId::GROUND; (side * side) as usize];
    let frame = Frame { origin: Vec3::new(-half, 0.0, -half), cell_size: 1.0 };
    let grid = Grid::new(side, side, &terrain, GridProfile::default())
        .and_then(|grid| grid.with_frame(frame))
        .map_err(|fault| fault.to_string())?;
    let settings =
        SimulationSettings { work_per_tick: 100_000_000, jams, ..SimulationSettings::default() };
    let mut simulation =
        Simulation::new(grid, NavLinks::new(3.0), settings).map_err(|fault| fault.to_string())?;
    let class =
        simulation.add_class(Default::default(), Keys::NONE).map_err(|fault| fault.to_string())?;
    let avoidance = Avoidance { quality, ..Avoidance::default() };
    let limits = AgentLimits { max_speed: 1.5, radius: RADIUS, ..AgentLimits::default() };
    for (number, &(from, to)) in ways.iter().enumerate() {
        let name = format!("agent {number}");
        let spec = AgentSpec { limits, ..AgentSpec::new(name, class, place(from)) };
        let agent =
            simulation.add_agent(spec.avoidance(avoidance)).map_err(|fault| fault.to_string())?;
        simulation.schedule(0, Command::Order { agent, order: Order::GoTo(place(to)) });
    }
    Ok(simulation)
}

/// Prints the table.
pub(super) fn run(only: &str) -> Result<(), String> {
    println!(
        "{:<8} {:>7} {:<9} {:>12} {:>13} {:>10} {:>14}",
        "scene",
        "agents",
        "avoidance",
        "ns agent-tick",
        "allocs a tick",
        "new paths",
        "least distance"
    );
    let scenes: [Scene; 2] = [("sparse", sparse), ("dense", dense)];
    for (name, scene) in scenes {
        let meant = |count: &u32| is_meant(only, name, *count);
        for count in [1_000, 10_000].into_iter().filter(meant) {
            let usual = JamSettings::default();
            // Nobody asks within the time that is measured: the measuring of jams alone.
            let silent = JamSettings { asks_every: 3600.0, ..usual };
            for (word, quality, jams) in [
                ("off", AvoidanceQuality::Off, None),
                ("medium", AvoidanceQuality::Medium, None),
                ("+ jams", AvoidanceQuality::Medium, Some(silent)),
                ("+ asking", AvoidanceQuality::Medium, Some(usual)),
            ] {
                let ways = scene(count);
                let mut simulation = simulation(&ways, (quality, jams))?;
                for _ in 0..WARM_UP {
                    simulation.tick();
                }
                let (mut nanos, mut allocations, mut departed) = (0.0, 0, 0);
                let mut least = 9.0f32;
                for _ in 0..TICKS {
                    let counted = allocation_counter::measure(|| {
                        let begun = ProcessTime::now();
                        simulation.tick();
                        nanos += begun.elapsed().as_secs_f64() * 1e9;
                    });
                    allocations += counted.count_total;
                    let is_path = |event: &&Event| matches!(event, Event::Departed(_));
                    departed += simulation.events().events.iter().filter(is_path).count();
                    let places = simulation.agents().map(|agent| agent.position());
                    least = least.min(least_distance(places, RADIUS));
                }
                let nanos = nanos / f64::from(TICKS) / f64::from(count);
                let allocations = allocations as f64 / f64::from(TICKS);
                println!(
                    "{name:<8} {count:>7} {word:<9} {nanos:>12.0} {allocations:>13.1} {departed:>10} {least:>14.4}"
                );
            }
        }
    }
    Ok(())
}
