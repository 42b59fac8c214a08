//! What a tick of a simulation costs an agent, with avoidance and without: on a grid, among
//! waypoints, on a navigation mesh, on foot among voxels, and in flight.
//!
//! The squares of the other tables at a fifth of their size: bodies of 0.3 m on cells of 1 m, all
//! on their way to the opposite place at 1.5 m/s at most. Flyers are a cube of them, 1.2 m apart as
//! in the dense square. Searches for paths are over when the measuring begins.

use cpu_time::ProcessTime;
use glam::Vec3;
use wayfare::agent::{AgentLimits, Order};
use wayfare::crowd::AvoidanceQuality;
use wayfare::link::{Keys, NavLinks};
use wayfare::simulation::{
    AgentSpec, Avoidance, Command, Environment, Event, JamSettings, MeshWorld, Simulation,
    SimulationSettings,
};
use wayfare::space::navmesh::{MeshDraft, NavMesh};
use wayfare::space::voxel::{BlockId, VoxelFrame, VoxelGrid, VoxelProfile, VoxelSize};
use wayfare::space::{
    CostTable, Frame, Grid, GridProfile, NegativeCosts, StateId, TerrainId, Waypoint,
    WaypointGraph, WaypointId, WaypointLink,
};

use super::scenes::{Ways, dense, is_meant, least_distance, sparse};

/// World units of the other tables to a metre.
const SCALE: f32 = 5.0;
const RADIUS: f32 = 0.3;
const WARM_UP: u32 = 100;
const TICKS: u32 = 40;

/// A scene: its name and its ways.
type Scene = (&'static str, fn(u32) -> Ways);

/// How agents avoid each other, and whether jams are measured.
type Manner = (AvoidanceQuality, Option<JamSettings>);

/// The ways in metres.
fn in_metres(ways: Ways) -> Ways {
    ways.into_iter().map(|(from, to)| (from / SCALE, to / SCALE)).collect()
}

/// A cube of that number of agents, of whom each wants to the opposite place.
fn cube(count: u32) -> Ways {
    let side = f64::from(count).cbrt().ceil() as u32;
    let middle = (side - 1) as f32 / 2.0;
    let place = |number: u32| {
        let [x, y, z] = [number % side, number / side % side, number / side / side];
        (Vec3::new(x as f32, y as f32, z as f32) - middle) * 1.2
    };
    (0..count).map(place).map(|at| (at, -at)).collect()
}

/// Half the side of a world with room for all ways.
fn half(ways: &Ways) -> f32 {
    ways.iter().map(|way| way.0.x.abs()).fold(0.0, f32::max).ceil() + 8.0
}

/// How many metres from one pillar to the next, of a metre each.
const PILLARS: u32 = 8;

/// Whether there is a pillar at a cell of a grid with pillars.
fn is_pillar(x: u32, y: u32) -> bool {
    [x, y].into_iter().all(|side| side % PILLARS == PILLARS / 2)
}

/// The ways whose ends are beside pillars.
fn beside_pillars(ways: Ways) -> Ways {
    let half = half(&ways);
    let is_free = |at: Vec3| !is_pillar((at.x + half) as u32, (at.z + half) as u32);
    ways.into_iter().filter(|&(from, to)| is_free(from) && is_free(to)).collect()
}

/// A grid of free cells, perhaps with pillars.
fn grid(ways: &Ways, has_pillars: bool) -> Result<Grid, String> {
    let half = half(ways);
    let side = 2 * half as u32;
    let terrain = |number: u32| match has_pillars && is_pillar(number % side, number / side) {
        true => TerrainId::BLOCKED,
        false => TerrainId::GROUND,
    };
    let terrain: Vec<TerrainId> = (0..side * side).map(terrain).collect();
    let frame = Frame { origin: Vec3::new(-half, 0.0, -half), cell_size: 1.0 };
    Grid::new(side, side, &terrain, GridProfile::default())
        .and_then(|grid| grid.with_frame(frame))
        .map_err(|fault| fault.to_string())
}

/// A navigation mesh of the ground of such a grid.
fn mesh(ways: &Ways, has_pillars: bool) -> Result<MeshWorld, String> {
    let draft = MeshDraft::of_grid(&grid(ways, has_pillars)?, &CostTable::default());
    NavMesh::new(draft).map(MeshWorld::new).map_err(|fault| fault.to_string())
}

/// Waypoints in the middles of the cells of such a grid, linked to their four neighbours.
fn waypoints(ways: &Ways) -> Result<WaypointGraph, String> {
    let half = half(ways);
    let side = 2 * half as u32;
    let place = |number: u32| {
        Vec3::new((number % side) as f32 - half + 0.5, 0.0, (number / side) as f32 - half + 0.5)
    };
    let id = WaypointId::from_index;
    let links = (0..side * side).flat_map(|number| {
        let east = (number % side + 1 < side).then_some(number + 1);
        let south = (number / side + 1 < side).then_some(number + side);
        [east, south].into_iter().flatten().map(move |to| WaypointLink::new(id(number), id(to)))
    });
    let places = (0..side * side).map(|number| Waypoint::at(place(number)));
    WaypointGraph::new(places, links, NegativeCosts::Reject).map_err(|fault| fault.to_string())
}

/// A floor of blocks whose middle is 0 high, or air alone.
fn blocks(ways: &Ways, flies: bool) -> Result<VoxelGrid, String> {
    let half = half(ways);
    let side = 2 * half as u32;
    let height = if flies { side } else { 4 };
    let low = if flies { -half } else { -1.5 };
    let profile = if flies { VoxelProfile::flyer() } else { VoxelProfile::default() };
    let size = VoxelSize { width: side, height, depth: side };
    let is_floor = |y: u32| y == 0 && !flies;
    VoxelGrid::from_fn(size, &[], profile, |at| {
        if is_floor(at.y) { BlockId::SOLID } else { BlockId::AIR }
    })
    .and_then(|world| {
        world.with_frame(VoxelFrame { origin: Vec3::new(-half, low, -half), block_size: 1.0 })
    })
    .map_err(|fault| fault.to_string())
}

fn simulation<W: Environment>(
    world: W,
    ways: &Ways,
    (quality, jams): Manner,
) -> Result<Simulation<W>, String> {
    let settings =
        SimulationSettings { work_per_tick: 100_000_000, jams, ..SimulationSettings::default() };
    let mut simulation =
        Simulation::new(world, NavLinks::new(3.0), settings).map_err(|fault| fault.to_string())?;
    let class =
        simulation.add_class(Default::default(), Keys::NONE).map_err(|fault| fault.to_string())?;
    let avoidance = Avoidance { quality, ..Avoidance::default() };
    let limits = AgentLimits { max_speed: 1.5, radius: RADIUS, ..AgentLimits::default() };
    for (number, &(from, to)) in ways.iter().enumerate() {
        let name = format!("agent {number}");
        let spec = AgentSpec { limits, ..AgentSpec::new(name, class, from) };
        let agent =
            simulation.add_agent(spec.avoidance(avoidance)).map_err(|fault| fault.to_string())?;
        simulation.schedule(0, Command::Order { agent, order: Order::GoTo(to) });
    }
    Ok(simulation)
}

/// Measures some ticks, and prints a row.
fn measure<W: Environment>(title: &str, mut simulation: Simulation<W>) {
    let count = simulation.agents().count() as f64;
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
    let nanos = nanos / f64::from(TICKS) / count;
    let allocations = allocations as f64 / f64::from(TICKS);
    println!("{title} {nanos:>12.0} {allocations:>13.1} {departed:>10} {least:>14.4}");
}

/// Prints the table.
pub(super) fn run(only: &str) -> Result<(), String> {
    println!(
        "{:<19} {:>7} {:<9} {:>12} {:>13} {:>10} {:>14}",
        "scene",
        "agents",
        "avoidance",
        "ns agent-tick",
        "allocs a tick",
        "new paths",
        "least distance"
    );
    let title = |name: &str, count: u32, word: &str| format!("{name:<19} {count:>7} {word:<9}");
    let usual = JamSettings::default();
    // Nobody asks within the time that is measured: the measuring of jams alone.
    let silent = JamSettings { asks_every: 3600.0, ..usual };
    let medium = AvoidanceQuality::Medium;
    let qualities: [(&str, Manner); 2] =
        [("off", (AvoidanceQuality::Off, None)), ("medium", (medium, None))];
    let with_jams = [("+ jams", (medium, Some(silent))), ("+ asking", (medium, Some(usual)))];
    let squares: [Scene; 2] = [("sparse", sparse), ("dense", dense)];
    for (name, scene) in squares {
        let meant = |count: &u32| is_meant(only, name, *count);
        for count in [1_000, 10_000].into_iter().filter(meant) {
            for (word, manner) in qualities.iter().chain(&with_jams) {
                let ways = in_metres(scene(count));
                let simulation = simulation(grid(&ways, false)?, &ways, *manner)?;
                measure(&title(name, count, word), simulation);
            }
        }
    }
    for (name, scene) in [("sparse links", squares[0].1), ("dense links", squares[1].1)] {
        for (word, manner) in qualities.iter().filter(|_| is_meant(only, name, 1_000)) {
            let ways = in_metres(scene(1_000));
            measure(&title(name, 1_000, word), simulation(waypoints(&ways)?, &ways, *manner)?);
        }
    }
    for (name, scene) in [("sparse voxels", squares[0].1), ("dense voxels", squares[1].1)] {
        for (word, manner) in qualities.iter().filter(|_| is_meant(only, name, 1_000)) {
            let ways = in_metres(scene(1_000));
            measure(&title(name, 1_000, word), simulation(blocks(&ways, false)?, &ways, *manner)?);
        }
    }
    for (name, scene) in squares {
        let [plain, on_grid, on_mesh] =
            ["mesh", "grid pillars", "mesh pillars"].map(|word| format!("{name} {word}"));
        for (word, manner) in &qualities {
            let open = in_metres(scene(1_000));
            let ways = beside_pillars(in_metres(scene(1_000)));
            if is_meant(only, &plain, 1_000) {
                let simulation = simulation(mesh(&open, false)?, &open, *manner)?;
                measure(&title(&plain, 1_000, word), simulation);
            }
            if is_meant(only, &on_grid, 1_000) {
                let simulation = simulation(grid(&ways, true)?, &ways, *manner)?;
                measure(&title(&on_grid, 1_000, word), simulation);
            }
            if is_meant(only, &on_mesh, 1_000) {
                let simulation = simulation(mesh(&ways, true)?, &ways, *manner)?;
                measure(&title(&on_mesh, 1_000, word), simulation);
            }
        }
    }
    let name = "flying";
    for (word, manner) in qualities.iter().filter(|_| is_meant(only, name, 1_000)) {
        let ways = cube(1_000);
        measure(&title(name, 1_000, word), simulation(blocks(&ways, true)?, &ways, *manner)?);
    }
    Ok(())
}
