//! Jams: crowds share doors, go round those who stand, and leave queues for quicker ways.

use std::num::NonZeroU16;

use glam::Vec3;
use wayfare_core::link::{Crossing, Jam, Keys, LinkId, NavLink, NavLinks};
use wayfare_core::space::{CostTable, NegativeCosts, StateId};
use wayfare_crowd::{AvoidanceModel, AvoidanceQuality, CollisionFreeSpeed};
use wayfare_grid::grid::{Frame, Grid};
use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
use wayfare_mesh::navmesh::{MeshDraft, NavMesh};
use wayfare_sim::agent::{AgentLimits, Behaviour};
use wayfare_sim::simulation::{
    AgentSpec, Audit, Avoidance, Environment, Event, JamSettings, MeshWorld, Simulation,
    SimulationSettings,
};
use wayfare_voxel::{BlockId, VoxelFrame, VoxelGrid, VoxelProfile, VoxelSize};

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn avoidance(model: AvoidanceModel) -> Avoidance {
    Avoidance { quality: AvoidanceQuality::Medium, model, ..Avoidance::default() }
}

fn settings(jams: Option<JamSettings>) -> SimulationSettings {
    SimulationSettings { jams, work_per_tick: 1_000_000, ..SimulationSettings::default() }
}

/// A hall with two doors of 1 m in its east wall, of which the upper one is nearer to all who are
/// in it, in cells of half a metre.
fn hall() -> Vec<String> {
    let row = |z: usize| match z {
        0 | 27 => "#".repeat(60),
        5 | 6 | 21 | 22 => format!("#{}#", ".".repeat(58)),
        _ => format!("#{}#{}#", ".".repeat(33), ".".repeat(24)),
    };
    (0..28).map(row).collect()
}

fn hall_grid() -> Grid {
    let rows = hall();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).unwrap();
    grid.with_frame(Frame { origin: Vec3::ZERO, cell_size: 0.5 }).unwrap()
}

/// The hall with eight rows of people on a floor at that height.
fn people<W: Environment>(
    world: W,
    floor: f32,
    (columns, model): (u32, AvoidanceModel),
    jams: Option<JamSettings>,
) -> Simulation<W> {
    let mut simulation = Simulation::new(world, NavLinks::new(1.34), settings(jams)).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let width = 12.0 / columns as f32;
    for number in 0..8 * columns {
        let (column, row) = ((number % columns) as f32, (number / columns) as f32);
        let from = at(3.0 + column * width, 1.0 + row * 0.7);
        let limits = AgentLimits { max_speed: 1.34, radius: 0.2, ..AgentLimits::default() };
        let spec = AgentSpec::new(format!("person {number}"), class, from.with_y(floor));
        let spec =
            spec.limits(limits).behaviour(Behaviour::GoTo { to: at(28.0, 7.0).with_y(floor) });
        simulation.add_agent(spec.avoidance(avoidance(model))).unwrap();
    }
    simulation
}

/// The people on a grid.
fn two_doors(model: AvoidanceModel, jams: Option<JamSettings>) -> Simulation<Grid> {
    people(hall_grid(), 0.0, (15, model), jams)
}

/// How many passed each of the two doors, and when the last one did, in seconds.
#[derive(PartialEq, Debug)]
struct Evacuation {
    by_door: [usize; 2],
    seconds: Option<f64>,
    /// How often the agents changed from a way by one door to a way by the other one.
    changes: usize,
    /// The most changes of one agent.
    most_changes: usize,
}

fn evacuate<W: Environment + Clone>(mut simulation: Simulation<W>, most: f64) -> Evacuation {
    let mut is_out = vec![false; simulation.agents().count()];
    let mut changes = vec![0; is_out.len()];
    let mut doors = vec![None; is_out.len()];
    let mut out = Evacuation { by_door: [0, 0], seconds: None, changes: 0, most_changes: 0 };
    let mut audit = Audit::new();
    while simulation.seconds() < most && out.seconds.is_none() {
        simulation.tick();
        audit.check(&simulation).unwrap();
        for agent in simulation.agents() {
            let (number, place) = (agent.id().0 as usize, agent.position());
            let ahead: Vec<Vec3> = agent.way_ahead().collect();
            let crossing = ahead.windows(2).find(|leg| leg[0].x < 17.0 && leg[1].x >= 17.0);
            if let Some(door) = crossing.map(|leg| leg[1].z > 7.0) {
                let before = doors[number].replace(door);
                changes[number] += usize::from(before.is_some_and(|before| before != door));
            }
            if place.x > 17.5 && !is_out[number] {
                is_out[number] = true;
                out.by_door[usize::from(place.z > 7.0)] += 1;
            }
        }
        if is_out.iter().all(|&out| out) {
            out.seconds = Some(simulation.seconds());
        }
    }
    (out.changes, out.most_changes) =
        (changes.iter().sum(), changes.into_iter().max().unwrap_or(0));
    out
}

#[test]
fn a_crowd_shares_two_doors() {
    let slow = AvoidanceModel::FreeSpeed(CollisionFreeSpeed::default());
    // Quick bodies need a longer queue for the detour to be worth it.
    for crowd in [(15, slow), (20, AvoidanceModel::Reciprocal)] {
        let run = |jams| evacuate(people(hall_grid(), 0.0, crowd, jams), 300.0);
        let (apart, shared) = (run(None), run(Some(JamSettings::default())));
        assert!(apart.by_door[1] <= 24, "they stand before the nearer door: {apart:?}");
        assert!(shared.by_door[1] >= 36, "three tenths take the other one: {shared:?}");
        let [Some(before), Some(after)] = [apart.seconds, shared.seconds] else {
            panic!("not all are out: {apart:?}, {shared:?}");
        };
        assert!(after < 0.88 * before, "{before} s, {after} s");
        // Few swing between the doors, and nobody for long.
        assert!(apart.changes <= 40, "{apart:?}");
        assert!(shared.changes <= 150 && shared.most_changes <= 8, "{shared:?}");
    }
}

/// Of the same people on a mesh and among blocks at least that many take the other door, and all
/// are out earlier by that share.
fn share_doors<W: Environment + Clone>(
    world: &W,
    floor: f32,
    columns: u32,
    (least, quicker): (usize, f64),
) {
    let crowd = (columns, AvoidanceModel::Reciprocal);
    let run = |jams| evacuate(people(world.clone(), floor, crowd, jams), 300.0);
    let (apart, shared) = (run(None), run(Some(JamSettings::default())));
    assert!(apart.by_door[1] <= 24, "they stand before the nearer door: {apart:?}");
    assert!(shared.by_door[1] >= least, "some take the other one: {shared:?}");
    let [Some(before), Some(after)] = [apart.seconds, shared.seconds] else {
        panic!("not all are out: {apart:?}, {shared:?}");
    };
    assert!(after < quicker * before, "{before} s, {after} s");
    // Who is pushed to the side weighs the ways again.
    assert!(shared.most_changes <= 12, "{shared:?}");
}

#[test]
fn a_crowd_on_a_mesh_shares_two_doors() {
    let mesh = NavMesh::new(MeshDraft::of_grid(&hall_grid(), &CostTable::default())).unwrap();
    share_doors(&MeshWorld::new(mesh), 0.0, 25, (36, 0.85));
}

#[test]
fn a_crowd_among_blocks_shares_two_doors() {
    let rows = hall();
    let size = VoxelSize { width: 60, height: 5, depth: 28 };
    let profile = VoxelProfile { height: 3, ..VoxelProfile::default() };
    let world = VoxelGrid::from_fn(size, &[], profile, |block| {
        let is_wall = rows[block.z as usize].as_bytes()[block.x as usize] == b'#';
        if block.y == 0 || is_wall { BlockId::SOLID } else { BlockId::AIR }
    });
    let frame = VoxelFrame { origin: Vec3::ZERO, block_size: 0.5 };
    share_doors(&world.unwrap().with_frame(frame).unwrap(), 0.75, 20, (36, 0.88));
}

/// Eighty walkers on three lanes that lead to two bridges. One bridge is a little nearer. Nobody
/// overtakes on a bridge.
fn two_bridges(jams: Option<JamSettings>) -> Simulation<WaypointGraph> {
    let lane = |number: u32| at(14.0, 3.0 + number as f32 * 1.5);
    let goal = |number: u32| at(46.0, number as f32);
    let bridges = [at(20.0, 4.5), at(20.0, 11.0)];
    let mut points: Vec<Vec3> = Vec::new();
    let mut links: Vec<(u32, u32)> = Vec::new();
    for (number, bridge) in bridges.into_iter().enumerate() {
        points.extend([bridge, bridge + Vec3::X * 10.0]);
        links.push((2 * number as u32, 2 * number as u32 + 1));
    }
    for number in 0..3 {
        let (here, begin) = (points.len() as u32, lane(number));
        points.extend((0..28).map(|place| begin - Vec3::X * place as f32));
        links.extend((0..27).map(|place| (here + place, here + place + 1)));
        links.extend([(here, 0), (here, 2)]);
    }
    for number in 0..9 {
        links.extend([1, 3].map(|end| (end, points.len() as u32)));
        points.push(goal(number));
    }
    let links = links
        .into_iter()
        .map(|(a, b)| WaypointLink::new(WaypointId::from_index(a), WaypointId::from_index(b)));
    let waypoints = points.into_iter().map(Waypoint::at);
    let graph = WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap();
    let mut simulation = Simulation::new(graph, NavLinks::new(1.34), settings(jams)).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    for number in 0..80 {
        let from = lane(number % 3) - Vec3::X * (number / 3 + 1) as f32;
        let limits = AgentLimits { max_speed: 1.34, radius: 0.3, ..AgentLimits::default() };
        let spec = AgentSpec::new(format!("walker {number}"), class, from).limits(limits);
        let spec = spec.behaviour(Behaviour::GoTo { to: goal(number % 9) });
        simulation.add_agent(spec.avoidance(avoidance(AvoidanceModel::Reciprocal))).unwrap();
    }
    simulation
}

/// How many crossed each of the bridges, and when the last one did, in seconds.
fn cross(jams: Option<JamSettings>) -> ([usize; 2], f64) {
    let (mut simulation, mut audit) = (two_bridges(jams), Audit::new());
    let mut over = [None; 80];
    while over.contains(&None) && simulation.seconds() < 300.0 {
        simulation.tick();
        audit.check(&simulation).unwrap();
        for (over, agent) in over.iter_mut().zip(simulation.agents()) {
            let place = agent.position();
            if over.is_none() && place.x > 25.0 {
                *over = Some(place.z > 8.0);
            }
        }
    }
    let by = |far| over.iter().filter(|&&over| over == Some(far)).count();
    ([by(false), by(true)], simulation.seconds())
}

#[test]
fn a_crowd_among_waypoints_shares_two_bridges() {
    let ([_, far], patient) = cross(None);
    // Of the way of each, the queue is a smaller part than in a hall.
    let ([_, shared], quick) = cross(Some(JamSettings { gain: 0.15, ..JamSettings::default() }));
    assert!(shared >= far + 8, "{far} and {shared}");
    assert!(quick < patient, "{patient} s, {quick} s");
}

/// Thirty who want to the other side of a wall: by a door for one at a time, which takes 4 s, or
/// by the gap at the end of the wall.
fn queue(jams: Option<JamSettings>) -> (Simulation<Grid>, LinkId) {
    let row = |z: usize| if z < 58 { "..........#.........." } else { "....................." };
    let rows: Vec<&str> = (0..60).map(row).collect();
    let grid = Grid::from_rows(&rows).unwrap();
    let [from, to] = [9, 11].map(|x| grid.cell(x, 3).unwrap());
    let mut links = NavLinks::new(2.0);
    let door = NavLink::new(from, to, Crossing::Seconds(4.0)).capacity(NonZeroU16::MIN);
    let door = links.add(&grid.space(), door).unwrap();
    let mut simulation = Simulation::new(grid, links, settings(jams)).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    for number in 0..30 {
        let from = at(0.5 + (number % 6) as f32, 0.5 + (number / 6) as f32);
        let limits = AgentLimits { max_speed: 2.0, ..AgentLimits::default() };
        let spec = AgentSpec::new(format!("guest {number}"), class, from).limits(limits);
        simulation.add_agent(spec.behaviour(Behaviour::GoTo { to: at(18.5, 3.5) })).unwrap();
    }
    (simulation, door)
}

/// How many went through the door, and when the last one arrived, in seconds.
fn serve(jams: Option<JamSettings>) -> (usize, f64) {
    let (mut simulation, door) = queue(jams);
    let (mut through, mut arrived) = (0, 0);
    while arrived < 30 && simulation.seconds() < 300.0 {
        for event in &simulation.tick().events {
            through += usize::from(matches!(event, Event::Left(_, link) if *link == door));
            arrived += usize::from(matches!(event, Event::Arrived(_)));
        }
    }
    (through, simulation.seconds())
}

#[test]
fn who_waits_in_a_long_line_takes_another_way() {
    let (all, patient) = serve(None);
    assert_eq!(all, 30, "all stand in line");
    let (some, quick) = serve(Some(JamSettings::default()));
    // The way round takes about a minute: so long as fifteen of those in line.
    assert!((10..=20).contains(&some), "{some}");
    assert!(quick < 0.75 * patient, "{patient} s, {quick} s");
}

#[test]
fn those_in_front_of_a_line_stay() {
    // The wait of the whole line is longer than the way round; that of the first ones is not.
    let (mut simulation, door) = queue(Some(JamSettings::default()));
    let (mut line, mut through) = (Vec::new(), Vec::new());
    for _ in 0..2_400 {
        for event in &simulation.tick().events {
            match *event {
                Event::Waits(who, link) if link == door => line.push(who),
                Event::Entered(who, link) if link == door => through.push(who),
                _ => {}
            }
        }
    }
    assert!(through.len() < line.len(), "some leave the line");
    assert_eq!(line[..8], through[..8]);
}

/// Runs the crowd of the two doors, and returns the hashes of some ticks.
fn hashes(simulation: &mut Simulation<Grid>, ticks: usize) -> Vec<u64> {
    let every = |_| {
        simulation.tick();
        simulation.hash()
    };
    (0..ticks).map(every).collect()
}

#[test]
fn one_thread_or_three_make_no_difference() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let model = AvoidanceModel::FreeSpeed(CollisionFreeSpeed::default());
        pool.install(|| hashes(&mut two_doors(model, Some(JamSettings::default())), 300))
    };
    assert_eq!(run(1), run(3));
}

#[cfg(feature = "serde")]
#[test]
fn jams_survive_a_save() {
    let model = AvoidanceModel::FreeSpeed(CollisionFreeSpeed::default());
    let begin = || two_doors(model, Some(JamSettings::default()));
    let mut simulation = begin();
    for save_at in [37, 200, 203] {
        while simulation.now() < save_at {
            simulation.tick();
        }
        let text = serde_json::to_string(&simulation.save()).unwrap();
        let saved = serde_json::from_str(&text).unwrap();
        let world = begin().world().clone();
        let mut other = Simulation::restore(world, NavLinks::new(1.34), saved).unwrap();
        assert!(simulation.links().jams().iter().eq(other.links().jams().iter()));
        let mut same = begin();
        while same.now() < save_at {
            same.tick();
        }
        assert_eq!(hashes(&mut same, 150), hashes(&mut other, 150), "saved at {save_at}");
    }
    assert!(!simulation.links().jams().is_empty(), "there was something to save");
}

#[test]
fn jams_dissolve() {
    let model = AvoidanceModel::FreeSpeed(CollisionFreeSpeed::default());
    let mut simulation = two_doors(model, Some(JamSettings::default()));
    let mut most = 0;
    for _ in 0..2_400 {
        simulation.tick();
        most = most.max(simulation.links().jams().iter().len());
    }
    assert!(most > 6, "{most}");
    // Those who have arrived stand in a pack round the goal.
    let left: Vec<Jam> = simulation.links().jams().iter().collect();
    assert!(left.iter().all(|jam| jam.min.x > 20.0), "{left:?}");
}

#[test]
fn settings_out_of_range_are_refused() {
    let usual = JamSettings::default();
    let faults = [
        JamSettings { side: 0.0, ..usual },
        JamSettings { seconds: 0.01, ..usual },
        JamSettings { smoothing: f32::NAN, ..usual },
        JamSettings { asks_every: f32::INFINITY, ..usual },
        JamSettings { gain: -0.1, ..usual },
    ];
    for jams in faults {
        let grid = Grid::from_rows(&["..."]).unwrap();
        assert!(
            Simulation::new(grid, NavLinks::new(1.0), settings(Some(jams))).is_err(),
            "{jams:?}"
        );
    }
}
