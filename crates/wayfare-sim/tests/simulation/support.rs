//! What the tests share.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_crowd::{AvoidanceModel, AvoidanceQuality};
use wayfare_grid::grid::Grid;
use wayfare_sim::agent::{AgentId, Behaviour, PatrolOrder};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    AgentSpec, Audit, Avoidance, Environment, Event, Simulation, SimulationSettings,
};

/// Bodies that avoid all others.
pub(crate) const POLITE: Avoidance = Avoidance {
    quality: AvoidanceQuality::Medium,
    priority: 0,
    layers: 1,
    mask: u32::MAX,
    model: AvoidanceModel::Reciprocal,
};

/// A simulation on a grid with one class.
pub(crate) fn on_grid(rows: &[&str]) -> (Simulation<Grid>, ClassId) {
    let grid = Grid::from_rows(rows).unwrap();
    let mut simulation =
        Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    (simulation, class)
}

/// The middle of a cell.
pub(crate) fn at(x: u32, y: u32) -> Vec3 {
    Vec3::new(x as f32 + 0.5, 0.0, y as f32 + 0.5)
}

/// Runs so many ticks under the audit; says what happened.
pub(crate) fn run<W: Environment + Clone>(
    simulation: &mut Simulation<W>,
    ticks: u64,
) -> Vec<(u64, Event)> {
    let mut audit = Audit::new();
    let mut happened = Vec::new();
    audit.check(simulation).unwrap();
    for _ in 0..ticks {
        let events = simulation.tick().clone();
        happened.extend(events.events.into_iter().map(|event| (events.tick, event)));
        audit.check(simulation).unwrap_or_else(|fault| panic!("{fault}"));
    }
    happened
}

/// When an agent arrived.
pub(crate) fn arrivals(happened: &[(u64, Event)], who: AgentId) -> Vec<u64> {
    let arrived = |event: &Event| *event == Event::Arrived(who);
    happened.iter().filter(|(_, event)| arrived(event)).map(|(tick, _)| *tick).collect()
}

pub(crate) fn patrol(points: &[Vec3], order: PatrolOrder, dwell: f32) -> Behaviour {
    Behaviour::Patrol { points: points.to_vec(), order, dwell, start: 0 }
}

pub(crate) fn agent(name: &str, class: ClassId, place: Vec3) -> AgentSpec {
    AgentSpec::new(name, class, place)
}
