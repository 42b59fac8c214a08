//! Obstacles put on navigation meshes, moved and taken away.
//!
//! Levels are baked with the settings of Recast's demo. Obstacles are upright cylinders of 0.5 to 1
//! metre at random places of the mesh. Single edits are timed one by one; then 1,000 obstacles move
//! at 10 Hz in a world of 60 ticks a second, a sixth of them each tick, and all at once; and the
//! same in simulations, which carve them only where they stand. Queries are timed on the edited
//! mesh and on the same mesh carved at once.

use cpu_time::ThreadTime;
use glam::Vec3;
use wayfare::crowd::AvoidanceQuality;
use wayfare::link::{Keys, NavLinks};
use wayfare::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare::simulation::{
    AgentSpec, Avoidance, CarveId, CarveWhenStill, Command, MeshWorld, MovingObstacle, Shape,
    Simulation, SimulationSettings,
};
use wayfare::space::navmesh::{
    CarvedGround, Carving, CarvingId, HeightReach, LiveMesh, MeshPoint, NavMesh, Prism,
};

use crate::navmesh::baked;
use crate::{bake, clock};

/// Single edits of each kind.
const EDITS: usize = 2000;
/// Obstacles that move.
const MOVING: usize = 1000;
/// Ticks of the world with moving obstacles.
const TICKS: usize = 120;
/// Queries on the edited mesh.
const QUERIES: usize = 2000;

/// A draw of numbers from 0 to 1.
struct Draw(u64);

impl Draw {
    fn share(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    fn point(&mut self, mesh: &NavMesh, (low, high): (Vec3, Vec3)) -> MeshPoint {
        loop {
            let at = low + (high - low) * Vec3::new(self.share(), 1.0, self.share());
            if let Some(point) = mesh.locate(at, HeightReach::ANY) {
                return point;
            }
        }
    }

    fn obstacle(&mut self, at: Vec3) -> Carving {
        let radius = 0.5 + 0.5 * self.share();
        let foot = at - Vec3::Y * 0.5;
        let prism = Prism::cylinder(foot, radius, 2.0).expect("a cylinder");
        Carving { prism, ground: CarvedGround::Blocked }
    }
}

/// Times in microseconds.
fn print(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{what:<28} {mean:>9.1} {:>9.1} {:>9.1} {:>9.1}", at(0.5), at(0.99), at(1.0));
}

fn timed<R>(times: &mut Vec<f64>, work: impl FnOnce() -> R) -> R {
    let begun = ThreadTime::now();
    let result = work();
    times.push(clock::micros(begun));
    result
}

/// Runs all levels found whose name contains a word.
pub(crate) fn run(filter: &str) -> Result<bool, String> {
    for path in bake::levels(filter)? {
        let mesh = baked(&path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        println!("\n{name}: {} polygons; microseconds of one thread", mesh.len());
        println!("{:<28} {:>9} {:>9} {:>9} {:>9}", "", "mean", "median", "99 %", "most");
        level(mesh);
    }
    Ok(true)
}

fn level(mesh: NavMesh) {
    let corners = mesh.vertices().iter();
    let ends = corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), at| {
        (low.min(*at), high.max(*at))
    });
    let mut draw = Draw(20_261_122);
    let mut live = LiveMesh::new(mesh);
    let (mut inserted, mut moved, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..EDITS {
        let at = draw.point(live.base(), ends).place;
        let obstacle = draw.obstacle(at);
        let Ok(id) = timed(&mut inserted, || live.insert(obstacle)) else { return };
        let step = Vec3::new(draw.share() - 0.5, 0.0, draw.share() - 0.5);
        let obstacle = draw.obstacle(at + step);
        let _ = timed(&mut moved, || live.replace(id, obstacle));
        let _ = timed(&mut removed, || live.remove(id));
    }
    print("insert one", inserted);
    print("move it by up to 0.7 m", moved);
    print("remove it", removed);

    let mut places: Vec<(CarvingId, Vec3)> = Vec::new();
    let mut inserted = Vec::new();
    for _ in 0..MOVING {
        let at = draw.point(live.base(), ends).place;
        let obstacle = draw.obstacle(at);
        let Ok(id) = timed(&mut inserted, || live.insert(obstacle)) else { return };
        places.push((id, at));
    }
    print("insert one of 1,000", inserted);
    let mut shifted = |live: &LiveMesh, part: usize, parts: usize| -> Vec<(CarvingId, Carving)> {
        places
            .iter_mut()
            .skip(part)
            .step_by(parts)
            .map(|(id, at)| {
                // A walk at 1.5 metres a second.
                let to = *at + Vec3::new(draw.share() - 0.5, 0.0, draw.share() - 0.5) * 0.3;
                if let Some(point) = live.base().nearest_point(to, 1.0) {
                    *at = point.place;
                }
                (*id, draw.obstacle(*at))
            })
            .collect()
    };
    let shift = |live: &mut LiveMesh, chosen: Vec<(CarvingId, Carving)>| {
        let mut batch = live.edit();
        for (id, obstacle) in chosen {
            let _ = batch.replace(id, obstacle);
        }
    };
    let (mut ticks, mut bursts) = (Vec::new(), Vec::new());
    for tick in 0..TICKS {
        let chosen = shifted(&live, tick % 6, 6);
        timed(&mut ticks, || shift(&mut live, chosen));
    }
    for _ in 0..TICKS / 6 {
        let chosen = shifted(&live, 0, 1);
        timed(&mut bursts, || shift(&mut live, chosen));
    }
    print("a tick of 1,000 moving", ticks);
    print("all 1,000 at once", bursts);

    for (what, agents, obstacles) in [
        ("the same, carved when still", 0, MOVING),
        ("1,000 agents that stand", MOVING, 0),
        ("these and the obstacles", MOVING, MOVING),
    ] {
        match simulated(live.base().clone(), ends, agents, obstacles) {
            Ok(times) => print(what, times),
            Err(error) => println!("{what}: {error}"),
        }
    }

    let carvings: Vec<Carving> = live.carvings().map(|one| one.carving.clone()).collect();
    let carved = live.base().carved(&carvings);
    let mut draw = Draw(7);
    let pairs: Vec<[Vec3; 2]> =
        (0..QUERIES).map(|_| [0; 2].map(|_| draw.point(&carved, ends).place)).collect();
    let mut scratch = MeshScratch::new();
    for (name, mesh) in [("edited", live.mesh()), ("carved at once", &carved)] {
        let space = mesh.space();
        let points: Vec<MeshQuery> = (pairs.iter())
            .filter_map(|pair| {
                let [a, b] = pair.map(|at| space.nearest_point(at, 1.0));
                Some(MeshQuery::new(a?, b?))
            })
            .collect();
        let (mut best, mut length) = (f64::INFINITY, 0.0);
        for _ in 0..3 {
            let begun = ThreadTime::now();
            length = 0.0;
            for query in &points {
                let answer = Polyanya.search(*query).finish(&space, &mut scratch, &mut ());
                length += answer.outcome.path().map_or(0.0, |path| path.length);
                scratch.recycle(answer.outcome.into_path());
            }
            best = best.min(clock::micros(begun));
        }
        let rate = points.len() as f64 / best * 1000.0;
        println!(
            "{:<28} {rate:>9.1} thousand queries a second; {} polygons, {length:.3} m in all",
            name,
            mesh.len()
        );
    }
}

/// The times of the ticks of a simulation with agents that avoid others, and obstacles that move at
/// 10 Hz and are carved where they stand.
fn simulated(
    mesh: NavMesh,
    ends: (Vec3, Vec3),
    agents: usize,
    obstacles: usize,
) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    let settings = SimulationSettings { tick_seconds: 1.0 / 60.0, ..SimulationSettings::default() };
    let mut draw = Draw(31);
    let mut anywhere = || draw.point(&mesh, ends).place;
    let stands: Vec<Vec3> = (0..agents).map(|_| anywhere()).collect();
    let mut places: Vec<Vec3> = (0..obstacles).map(|_| anywhere()).collect();
    let mut simulation = Simulation::new(MeshWorld::new(mesh), NavLinks::new(3.0), settings)?;
    let class = simulation.add_class(Default::default(), Keys::NONE)?;
    let avoidance = Avoidance { quality: AvoidanceQuality::Medium, ..Avoidance::default() };
    for place in stands {
        simulation.add_agent(AgentSpec::new("agent", class, place).avoidance(avoidance))?;
    }
    let carves = Some(CarveWhenStill::default());
    let mut times = Vec::new();
    for tick in 0..TICKS as u64 {
        for (id, place) in (0u32..).zip(&mut places) {
            if u64::from(id) % 6 == tick % 6 {
                *place += Vec3::new(0.15, 0.0, 0.0);
                let shape = Shape::Ball { centre: *place, radius: 0.75 };
                let to = MovingObstacle { shape, carves };
                simulation.schedule(tick, Command::MoveObstacle { id: CarveId(id), to });
            }
        }
        timed(&mut times, || {
            simulation.tick();
        });
    }
    Ok(times)
}
