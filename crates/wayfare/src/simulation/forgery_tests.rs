//! Forged snapshots: parts are changed and both hashes mended. Whatever is accepted runs on, and
//! the audit is content.

use std::num::NonZeroU16;

use glam::Vec3;
use serde_json::Value;

use super::snapshot::{RestoreError, SnapshotOf};
use super::{AgentSpec, Audit, CarveId, Command, GridEdit, Shape, Simulation, SimulationSettings};
use crate::agent::{AgentId, Behaviour, Order, PatrolOrder, TeamId, Who};
use crate::link::{Crossing, Keys, NavLink, NavLinks};
use crate::space::{Grid, TerrainId};

const ROWS: [&str; 9] = [
    "......#.........",
    "......#.........",
    "......#....##...",
    "...........##...",
    "......#.........",
    "#######.........",
    ".....#..........",
    ".....#.......###",
    ".....#.......#..",
];

fn draw(state: &mut u64, sides: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % sides.max(1)
}

fn world() -> (Grid, NavLinks<crate::space::Cell>) {
    let grid = Grid::from_rows(&ROWS).unwrap();
    let mut links = NavLinks::new(3.0);
    let ends = [(2, 4), (2, 6)].map(|(x, y)| grid.cell(x, y).unwrap());
    let ladder = NavLink::new(ends[0], ends[1], Crossing::Seconds(1.0));
    links.add(&grid.space(), ladder.capacity(NonZeroU16::MIN)).unwrap();
    (grid, links)
}

/// A simulation with patrols, a chase, a flight, queues, an obstacle and an edit, after some ticks
/// and with a small budget.
fn busy(ticks: u64) -> Simulation<Grid> {
    let (grid, links) = world();
    let at = |x: u32, y: u32| Vec3::new(x as f32 + 0.5, 0.0, y as f32 + 0.5);
    let settings = SimulationSettings { work_per_tick: 12, ..SimulationSettings::default() };
    let mut simulation = Simulation::new(grid, links, settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys(1)).unwrap();
    let points = vec![at(0, 0), at(3, 7), at(12, 0)];
    let patrol = Behaviour::Patrol { points, order: PatrolOrder::PingPong, dwell: 0.3, start: 1 };
    let chase = Behaviour::Pursue {
        target: Who::Team(TeamId(1)),
        aggro: 9.0,
        give_up: 12.0,
        predict: 0.5,
        speed: Some(4.0),
    };
    let flee =
        Behaviour::Flee { from: Who::Team(TeamId(0)), radius: 3.0, distance: 6.0, speed: None };
    let wander = Behaviour::Wander { radius: 5.0, dwell: 0.2 };
    for number in 0..6u32 {
        let spec = AgentSpec::new(format!("agent {number}"), class, at(number % 3, number / 3));
        let spec = spec.team(TeamId((number % 2) as u16));
        let spec = match number % 3 {
            0 => spec.behaviour(patrol.clone()),
            1 => spec.behaviour(chase.clone()).behaviour(wander.clone()),
            _ => spec.behaviour(flee.clone()).behaviour(wander.clone()),
        };
        let id = simulation.add_agent(spec).unwrap();
        simulation.order(id, Order::Then(at(4, 7)));
    }
    let shape = Shape::Ball { centre: at(9, 3), radius: 1.0 };
    simulation.schedule(10, Command::Carve { id: CarveId(1), shape });
    let cells = vec![simulation.world().cell(8, 6).unwrap()];
    simulation
        .schedule(12, Command::Edit(GridEdit::Terrain { cells, terrain: TerrainId::BLOCKED }));
    simulation
        .schedule(ticks + 20, Command::Order { agent: AgentId(3), order: Order::GoTo(at(15, 0)) });
    (0..ticks).for_each(|_| {
        simulation.tick();
    });
    simulation
}

/// Changes one leaf of the data.
fn forge(value: &mut Value, dice: &mut u64) {
    match value {
        Value::Array(list) if !list.is_empty() => {
            let place = draw(dice, list.len());
            match draw(dice, 12) {
                0 => {
                    list.remove(place);
                }
                1 => list.push(list[place].clone()),
                _ => forge(&mut list[place], dice),
            }
        }
        Value::Object(map) if !map.is_empty() => {
            let place = draw(dice, map.len());
            if let Some((_, value)) = map.iter_mut().nth(place) {
                forge(value, dice);
            }
        }
        Value::Number(number) => {
            let whole = number.as_u64().unwrap_or(0);
            let part = number.as_f64().unwrap_or(0.0);
            *value = match draw(dice, 8) {
                0 => (whole ^ 1).into(),
                1 => whole.wrapping_add(7).into(),
                2 => u64::from(u32::MAX).into(),
                3 => u64::MAX.into(),
                4 => (-part).into(),
                5 => (part * 1.5).into(),
                6 => 0.into(),
                _ => (part + 3.0).into(),
            };
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::Null => *value = 1.into(),
        _ => {}
    }
}

#[test]
fn a_forged_snapshot_that_is_accepted_runs_on_under_the_audit() {
    let (grid, links) = world();
    let (mut dice, mut tried, mut accepted) = (11, 0, 0);
    for ticks in [3u64, 9, 14, 33, 60, 95, 140] {
        let saved = serde_json::to_value(busy(ticks).save()).unwrap();
        for _ in 0..220 {
            let mut value = saved.clone();
            forge(&mut value, &mut dice);
            let Ok(mut snapshot) = serde_json::from_value::<SnapshotOf<Grid>>(value) else {
                continue;
            };
            tried += 1;
            snapshot.mend(None);
            let restore = |snapshot| Simulation::restore(grid.clone(), links.clone(), snapshot);
            let restored = match restore(snapshot.clone()) {
                Err(RestoreError::Hash { found, .. }) => {
                    snapshot.mend(Some(found));
                    restore(snapshot.clone())
                }
                restored => restored,
            };
            let Ok(mut simulation) = restored else { continue };
            accepted += 1;
            let mut audit = Audit::new();
            for _ in 0..60 {
                if let Err(fault) = audit.check(&simulation) {
                    panic!("{fault}");
                }
                simulation.tick();
            }
        }
    }
    assert!(tried > 500 && accepted > 100, "{accepted} of {tried}");
}
