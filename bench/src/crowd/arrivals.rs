//! Who arrives: places where bodies stand in each other's way, and how many of them end there.
//!
//! Each scene runs from several beginnings, since what becomes of a single crowd is chance.

use glam::Vec3;
use wayfare::agent::{AgentId, AgentLimits, Order};
use wayfare::crowd::{
    AvoidanceModel, AvoidanceQuality, CollisionFreeSpeed, Crowd, CrowdAgent, CrowdSettings, NoWalls,
};
use wayfare::link::{Keys, NavLinks};
use wayfare::simulation::{AgentSpec, Avoidance, Simulation, SimulationSettings};
use wayfare::space::{Grid, GridProfile, TerrainId};

use super::peer::Peer;
use super::scenes::{DT, RADIUS, SPEED, Ways, body, crowd, prefer, sparse, square};
use crate::dice::Dice;
use crate::hierarchy::cave;

/// Beginnings of a scene.
const BEGINNINGS: u64 = 5;

/// The end of a run.
#[derive(Clone, Copy)]
struct Ended {
    /// The number of bodies that have not arrived.
    late: usize,
    /// The number of all bodies.
    all: usize,
    /// The time of the last arrival; of a door the longest time between two.
    seconds: Option<f64>,
}

/// Bodies from a wide square go to a square of goals, `spacing` radii apart and drawn by lot. Those
/// that arrive first stand in the way of the others.
fn packed(count: u32, spacing: f32, theirs: bool) -> Result<Ended, String> {
    let mut goals: Vec<Vec3> =
        square(count, spacing * RADIUS).into_iter().map(|(at, _)| at).collect();
    let mut dice = Dice(1);
    for place in (1..goals.len()).rev() {
        goals.swap(place, dice.roll(place as u32 + 1) as usize);
    }
    let ways: Ways = sparse(count).into_iter().zip(goals).map(|((at, _), to)| (at, to)).collect();
    let mut crowd = crowd(&ways, body())?;
    let mut peer = theirs.then(|| Peer::of(&crowd, 4.0 * RADIUS));
    let (mut last, mut late) = (0, ways.len());
    for step in 0..8_000 {
        let places: Vec<Vec3> = match &mut peer {
            Some(peer) => {
                peer.prefer(&ways, SPEED);
                peer.step();
                peer.places().collect()
            }
            None => {
                prefer(&mut crowd, &ways, SPEED)?;
                crowd.step(&NoWalls, DT).map_err(|fault| fault.to_string())?;
                crowd.agents().map(|one| one.agent.position).collect()
            }
        };
        let before = late;
        let is_late = |(at, (_, to)): &(&Vec3, &(Vec3, Vec3))| at.distance(*to) > RADIUS;
        late = places.iter().zip(&ways).filter(is_late).count();
        if late < before {
            last = step;
        }
        if late == 0 {
            break;
        }
    }
    Ok(Ended { late, all: ways.len(), seconds: Some(f64::from(last) * f64::from(DT)) })
}

/// Two groups of 40 that come towards each other in a corridor four wide, for five minutes.
fn corridor(beginning: u64) -> Result<Ended, String> {
    let grid = Grid::from_rows(&[&".".repeat(40) as &str; 4]).map_err(|fault| fault.to_string())?;
    let group = |x: f32, to: f32| {
        (0..40).map(move |number| {
            let (column, row) = ((number / 4) as f32, (number % 4) as f32);
            let place = Vec3::new(x + column, 0.0, 0.5 + row);
            (place, place + Vec3::X * to)
        })
    };
    let ways: Vec<(Vec3, Vec3)> =
        group(1.0 + beginning as f32 * 0.01, 28.0).chain(group(29.0, -28.0)).collect();
    let mut crowd = Crowd::new(CrowdSettings::default()).map_err(|fault| fault.to_string())?;
    for &(from, _) in &ways {
        crowd.add(CrowdAgent::at(from)).map_err(|fault| fault.to_string())?;
    }
    let mut late = ways.len();
    for step in 0..3_000 {
        prefer(&mut crowd, &ways, 1.3)?;
        crowd.step(&grid.space(), 0.1).map_err(|fault| fault.to_string())?;
        let places = crowd.agents().map(|one| one.agent.position);
        late = places.zip(&ways).filter(|(at, way)| at.distance(way.1) > 0.5).count();
        if late == 0 {
            return Ok(Ended { late, all: ways.len(), seconds: Some(f64::from(step) * 0.1) });
        }
    }
    Ok(Ended { late, all: ways.len(), seconds: None })
}

/// Rooms of 15 by 15 cells, with a door 3 wide in each wall between two of them.
fn rooms(side: u32, dice: &mut Dice) -> Vec<TerrainId> {
    let count = side / 16;
    let mut terrain: Vec<TerrainId> = (0..side * side)
        .map(|at| match at % side % 16 == 15 || at / side % 16 == 15 {
            true => TerrainId::BLOCKED,
            false => TerrainId::GROUND,
        })
        .collect();
    for room in 0..count * count {
        let (column, row) = (room % count, room / count);
        let doors = [dice.roll(12), dice.roll(12)];
        for cell in 0..3 {
            let east = (column * 16 + 15, row * 16 + doors[0] + cell);
            let south = (column * 16 + doors[1] + cell, row * 16 + 15);
            let inner = [(column + 1 < count, east), (row + 1 < count, south)];
            for (x, y) in inner.into_iter().filter(|inner| inner.0).map(|inner| inner.1) {
                terrain[(y * side + x) as usize] = TerrainId::GROUND;
            }
        }
    }
    terrain
}

/// A thousand units that are ordered about for a minute, each every ten seconds or so. Counts who
/// is not there a minute after the last order.
fn ordered(
    land: fn(u32, &mut Dice) -> Vec<TerrainId>,
    quality: AvoidanceQuality,
    seed: u64,
) -> Result<Ended, String> {
    const SIDE: u32 = 128;
    let mut dice = Dice(seed);
    let grid = Grid::new(SIDE, SIDE, &land(SIDE, &mut dice), GridProfile::default());
    let grid = grid.map_err(|fault| fault.to_string())?;
    let settings = SimulationSettings { work_per_tick: 10_000_000, ..Default::default() };
    let mut simulation = Simulation::new(grid.clone(), NavLinks::new(3.0), settings)
        .map_err(|fault| fault.to_string())?;
    let class = simulation.add_class(Default::default(), Keys::NONE);
    let class = class.map_err(|fault| fault.to_string())?;
    let space = grid.space();
    let island = space.largest_island().ok_or("no free cell")?.component;
    let place = |dice: &mut Dice| {
        let cell = space.random_cell(island, u64::from(dice.roll(1 << 30)) << 34);
        cell.map_or(Vec3::ZERO, |cell| grid.centre(cell))
    };
    let avoidance = Avoidance { quality, ..Avoidance::default() };
    let limits = AgentLimits { radius: 0.3, ..AgentLimits::default() };
    let mut places: Vec<Vec3> = Vec::new();
    while places.len() < 1_000 {
        let from = place(&mut dice);
        if places.iter().all(|at| at.distance(from) > 0.9) {
            let spec = AgentSpec::new(format!("unit {}", places.len()), class, from);
            let added = simulation.add_agent(spec.limits(limits).avoidance(avoidance));
            added.map_err(|fault| fault.to_string())?;
            places.push(from);
        }
    }
    let second = (1.0 / simulation.settings().tick_seconds).round() as u64;
    for tick in 0..120 * second {
        for number in 0..1_000 {
            if tick < 60 * second && dice.roll(10 * second as u32) == 0 {
                simulation.order(AgentId(number), Order::GoTo(place(&mut dice)));
            }
        }
        simulation.tick();
    }
    let late = simulation.agents().filter(|unit| unit.orders().len() > 0).count();
    Ok(Ended { late, all: 1_000, seconds: None })
}

/// A hundred persons who leave a room by a door of two bodies' width. Counts who is inside after
/// five minutes.
fn door(model: AvoidanceModel, beginning: u64) -> Result<Ended, String> {
    let row = |z: u32| match z {
        0 | 19 => "#".repeat(40),
        9 | 10 => format!("#{}#", ".".repeat(38)),
        _ => format!("#{0}#{0}.#", ".".repeat(18)),
    };
    let rows: Vec<String> = (0..20).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).map_err(|fault| fault.to_string())?;
    let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())
        .map_err(|fault| fault.to_string())?;
    let class = simulation.add_class(Default::default(), Keys::NONE);
    let class = class.map_err(|fault| fault.to_string())?;
    let avoidance = Avoidance { quality: AvoidanceQuality::Medium, model, ..Avoidance::default() };
    let limits = AgentLimits { radius: 0.48, max_speed: 1.34, ..AgentLimits::default() };
    let mut dice = Dice(beginning);
    for number in 0..100 {
        let shift = dice.roll(1_000) as f32 * 1e-4;
        let (column, row) = ((number % 10) as f32, (number / 10) as f32);
        let from = Vec3::new(2.0 + shift + column * 1.5, 0.0, 2.0 + row * 1.6);
        let spec = AgentSpec::new(format!("person {number}"), class, from);
        let id = simulation.add_agent(spec.limits(limits).avoidance(avoidance));
        let id = id.map_err(|fault| fault.to_string())?;
        simulation.order(id, Order::GoTo(Vec3::new(37.5, 0.0, 2.5 + row * 1.6)));
    }
    let (mut left, mut since, mut longest) = (0, 0.0, 0.0f64);
    while left < 100 && simulation.seconds() < 300.0 {
        simulation.tick();
        let gone = simulation.agents().filter(|person| person.position().x > 19.5).count();
        if gone > left {
            longest = longest.max(if left == 0 { 0.0 } else { simulation.seconds() - since });
            (left, since) = (gone, simulation.seconds());
        }
    }
    if left < 100 {
        longest = longest.max(simulation.seconds() - since);
    }
    Ok(Ended { late: 100 - left, all: 100, seconds: Some(longest) })
}

/// Its name, the number of beginnings, and a run from one of them.
type Scene<'s> = (&'s str, u64, &'s dyn Fn(u64) -> Result<Ended, String>);

/// Prints the table: a row a scene, a column a beginning.
pub(super) fn run(only: &str) -> Result<(), String> {
    let people = AvoidanceModel::FreeSpeed(CollisionFreeSpeed::default());
    let (medium, off) = (AvoidanceQuality::Medium, AvoidanceQuality::Off);
    let scenes: [Scene<'_>; 11] = [
        ("packed 2.4", 1, &|_| packed(1_000, 2.4, false)),
        ("packed 2.4, dodgy_2d", 1, &|_| packed(1_000, 2.4, true)),
        ("packed 2.7", 1, &|_| packed(1_000, 2.7, false)),
        ("packed 2.7, dodgy_2d", 1, &|_| packed(1_000, 2.7, true)),
        ("corridor, 2 x 40", 12, &corridor),
        ("door, ORCA", BEGINNINGS, &|seed| door(AvoidanceModel::Reciprocal, seed)),
        ("door, people", BEGINNINGS, &|seed| door(people, seed)),
        ("rooms, 1,000", BEGINNINGS, &|seed| ordered(rooms, medium, seed)),
        ("rooms, no avoidance", 1, &|seed| ordered(rooms, off, seed)),
        ("cave, 1,000", BEGINNINGS, &|seed| ordered(cave, medium, seed)),
        ("cave, no avoidance", 1, &|seed| ordered(cave, off, seed)),
    ];
    println!(
        "not there, by beginning (seconds until the last arrival; of a door the longest pause)"
    );
    for (name, beginnings, scene) in scenes {
        if !name.starts_with(only) {
            continue;
        }
        print!("{name:<24}");
        let (mut late, mut all) = (0, 0);
        for beginning in 0..beginnings {
            let ended = scene(beginning)?;
            let seconds = ended.seconds.map_or_else(String::new, |it| format!(" ({it:.1})"));
            print!(" {:>4}{seconds}", ended.late);
            late += ended.late;
            all += ended.all;
        }
        println!("  = {late} of {all}");
    }
    Ok(())
}
