//! The two examples that come with RVO2, from beginning to end: the circle of 250, and four blocks
//! of 25 that cross each other between buildings.
//!
//! All prefer a speed of 1 straight to the goal, whatever stands there. In the circle a body has
//! arrived within its radius of the goal, in the blocks within 20 of it.

use glam::Vec3;
use wayfare::crowd::{CrowdAgent, NoWalls, Walls};
use wayfare::space::{Frame, Grid, GridProfile, TerrainId};

use super::peer::Peer;
use super::scenes::{DT, RANGE, Ways, body, circle_of, crowd, least_distance, prefer};

/// No journey takes that many steps.
const MOST: u32 = 20_000;

/// Half the side of the map, and the side of its cells.
const HALF: f32 = 150.0;
const CELL: f32 = 10.0;
/// Buildings begin and end at these distances from the axes.
const BUILDING: (f32, f32) = (10.0, 40.0);

/// Four blocks of 25, each on its way to the opposite corner.
fn blocks() -> Ways {
    let block = |(x, z): (f32, f32)| {
        (0..25).map(move |number| {
            let (column, row) = ((number % 5) as f32, (number / 5) as f32);
            let place = |sign: f32, at: f32| sign * (55.0 + at * 10.0);
            let from = Vec3::new(place(x, column), 0.0, place(z, row));
            (from, Vec3::new(-x, 0.0, -z) * 75.0)
        })
    };
    [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)].into_iter().flat_map(block).collect()
}

/// The buildings of the blocks.
fn buildings() -> Result<Grid, String> {
    let side = (2.0 * HALF / CELL) as u32;
    let is_inside = |at: u32| {
        let middle = ((at as f32 + 0.5) * CELL - HALF).abs();
        (BUILDING.0..BUILDING.1).contains(&middle)
    };
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(|at| match is_inside(at % side) && is_inside(at / side) {
            true => TerrainId::BLOCKED,
            false => TerrainId::GROUND,
        })
        .collect();
    let grid = Grid::new(side, side, &terrain, GridProfile::default());
    let frame = Frame { origin: Vec3::new(-HALF, 0.0, -HALF), cell_size: CELL };
    grid.and_then(|grid| grid.with_frame(frame)).map_err(|fault| fault.to_string())
}

/// The free distance between a point and the nearest building.
fn to_building(at: Vec3) -> f32 {
    let (x, z) = (at.x.abs(), at.z.abs());
    let beside = |at: f32| (BUILDING.0 - at).max(at - BUILDING.1);
    let (x, z) = (beside(x), beside(z));
    if x.max(z) < 0.0 { x.max(z) } else { Vec3::new(x, 0.0, z).max(Vec3::ZERO).length() }
}

/// How a journey went.
struct Journey {
    /// Steps until all had arrived; `None` if some never did.
    steps: Option<u32>,
    arrived: usize,
    /// The least distance of two bodies as a part of the sum of their radii,
    least: f32,
    /// and of a body to a building as a part of its radius.
    wall: f32,
}

impl Journey {
    const NONE: Self = Self { steps: None, arrived: 0, least: 9.0, wall: 9.0 };

    /// Looks at the bodies after some steps; says whether all have arrived.
    fn look(&mut self, places: &[Vec3], ways: &Ways, scene: &Scene, step: u32) -> bool {
        let radius = scene.body.radius;
        self.least = self.least.min(least_distance(places.iter().copied(), radius));
        if scene.has_buildings {
            let rooms = places.iter().map(|&at| to_building(at) / radius);
            self.wall = rooms.fold(self.wall, f32::min);
        }
        let is_there = |(at, (_, to)): &(&Vec3, &(Vec3, Vec3))| at.distance(*to) <= scene.within;
        self.arrived = places.iter().zip(ways).filter(is_there).count();
        if self.arrived == ways.len() {
            self.steps = Some(step);
        }
        self.steps.is_some()
    }
}

/// One of the examples.
struct Scene {
    name: &'static str,
    ways: Ways,
    body: CrowdAgent,
    within: f32,
    has_buildings: bool,
    /// The number of steps that RVO2 takes, from `docs/performance/crowd.md`.
    of_rvo2: u32,
}

fn ours(scene: &Scene, walls: &impl Walls) -> Result<Journey, String> {
    let mut crowd = crowd(&scene.ways, scene.body)?;
    let mut journey = Journey::NONE;
    for step in 0..=MOST {
        let places: Vec<Vec3> = crowd.agents().map(|one| one.agent.position).collect();
        if journey.look(&places, &scene.ways, scene, step) {
            break;
        }
        prefer(&mut crowd, &scene.ways, 1.0)?;
        crowd.step(walls, DT).map_err(|fault| fault.to_string())?;
    }
    Ok(journey)
}

fn theirs(scene: &Scene) -> Result<Journey, String> {
    let mut peer = Peer::of(&crowd(&scene.ways, scene.body)?, RANGE);
    (peer.horizon, peer.radius) = (scene.body.horizon, scene.body.radius);
    if scene.has_buildings {
        let (near, far) = BUILDING;
        for (x, z) in [(near, near), (-far, near), (near, -far), (-far, -far)] {
            let side = far - near;
            peer = peer.with_wall(&[(x, z), (x + side, z), (x + side, z + side), (x, z + side)]);
        }
    }
    let mut journey = Journey::NONE;
    for step in 0..=MOST {
        let place = |agent: &dodgy_2d::Agent| Vec3::new(agent.position.x, 0.0, agent.position.y);
        let places: Vec<Vec3> = peer.agents.iter().map(place).collect();
        if journey.look(&places, &scene.ways, scene, step) {
            break;
        }
        peer.prefer(&scene.ways, 1.0);
        peer.step();
    }
    Ok(journey)
}

/// Prints the table. Says whether all of ours arrived, in fewer steps than those of RVO2, and kept
/// apart.
pub(super) fn run() -> Result<bool, String> {
    println!(
        "{:<8} {:<9} {:>7} {:>7} {:>14} {:>13}  steps of RVO2",
        "scene", "who", "arrived", "steps", "least distance", "nearest wall"
    );
    let scenes = [
        Scene {
            name: "circle",
            ways: circle_of(250, 200.0),
            body: body(),
            within: 1.5,
            has_buildings: false,
            of_rvo2: 3_547,
        },
        Scene {
            name: "blocks",
            ways: blocks(),
            body: CrowdAgent { radius: 2.0, horizon: 5.0, ..body() },
            within: 20.0,
            has_buildings: true,
            of_rvo2: 8_320,
        },
    ];
    let mut is_met = true;
    for scene in &scenes {
        let ours = match scene.has_buildings {
            true => ours(scene, &buildings()?.space())?,
            false => ours(scene, &NoWalls)?,
        };
        is_met &= ours.steps.is_some_and(|steps| steps < scene.of_rvo2);
        is_met &= ours.least > 0.99 && ours.wall > 0.99;
        for (who, journey) in [("ours", ours), ("dodgy_2d", theirs(scene)?)] {
            let steps = journey.steps.map_or_else(|| "-".into(), |steps| steps.to_string());
            let wall = match scene.has_buildings {
                true => format!("{:.4}", journey.wall),
                false => String::new(),
            };
            println!(
                "{:<8} {who:<9} {:>7} {steps:>7} {:>14.4} {wall:>13}  {}",
                scene.name, journey.arrived, journey.least, scene.of_rvo2
            );
        }
    }
    Ok(is_met)
}
