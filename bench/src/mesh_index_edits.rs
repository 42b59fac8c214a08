//! Indexes of navigation meshes under obstacles that come and go, beside Polyanya on the same
//! queries.
//!
//! Obstacles are upright cylinders of 0.5 to 1 metre at random places of the mesh; the index is
//! that of the mesh without them.

use cpu_time::ThreadTime;
use glam::Vec3;
use wayfare::index::{IndexedMesh, MeshIndex, MeshIndexScratch};
use wayfare::path::validate_mesh_path;
use wayfare::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare::space::navmesh::{
    CarvedGround, Carving, HeightReach, LiveMesh, MeshPoint, MeshSampler, Prism,
};

use crate::dice::Dice;
use crate::{clock, navmesh};

/// The counts of obstacles that are measured.
const OBSTACLES: [usize; 4] = [0, 20, 100, 1000];
/// Rounds of all queries; of each query's times the least counts.
const ROUNDS: usize = 3;
/// The largest difference to the search's length, as a share.
const ROUNDING: f64 = 1e-5;

/// Runs all levels and meshes found whose name contains a word. Says whether all paths are right.
pub(crate) fn run(filter: &str, most: usize) -> Result<bool, String> {
    println!("one thread; microseconds a query, the least of {ROUNDS} rounds");
    println!(
        "{:<14} {:>9} {:>8} | {:>9} {:>9} {:>6} | {:>9} {:>9} {:>6} | {:>8} {:>9}",
        "mesh",
        "obstacles",
        "by index",
        "Polyanya",
        "index",
        "ratio",
        "p99",
        "p99",
        "ratio",
        "polygons",
        "worst"
    );
    let mut sound = true;
    navmesh::each(filter, most, &mut |name, mesh, pairs| {
        let space = mesh.space();
        let index = MeshIndex::new(&space).map_err(|error| format!("{name}: {error}"))?;
        let indexed = index.of(&space).map_err(|error| format!("{name}: {error}"))?;
        let mut live = LiveMesh::new(mesh.clone());
        let mut dice = Dice(41);
        for count in OBSTACLES {
            put_obstacles(&mut live, count, &mut dice);
            sound &= measure(name, &live, &indexed, pairs)?;
        }
        Ok(())
    })?;
    Ok(sound)
}

/// Puts obstacles on the mesh until there are `count`.
fn put_obstacles(live: &mut LiveMesh, count: usize, dice: &mut Dice) {
    let space = live.base().space();
    let sampler = MeshSampler::new(&space, |_| true);
    let mut places = Vec::new();
    for _ in live.carvings().len()..count {
        let radius = 0.5 + dice.roll(1000) as f32 / 2000.0;
        let numbers = [(); 3].map(|()| dice.roll(1 << 16) << 16 | dice.roll(1 << 16));
        places.extend(sampler.draw(&space, numbers).map(|at| (at.place, radius)));
    }
    let mut batch = live.edit();
    for (place, radius) in places {
        let prism = Prism::cylinder(place - Vec3::Y * 0.5, radius, 2.0);
        let carving = prism.map(|prism| Carving { prism, ground: CarvedGround::Blocked });
        let _ = carving.map(|carving| batch.insert(carving));
    }
}

fn measure(
    name: &str,
    live: &LiveMesh,
    indexed: &IndexedMesh<'_>,
    pairs: &[[MeshPoint; 2]],
) -> Result<bool, String> {
    let space = live.mesh().space();
    let edited = indexed.edited(&space).map_err(|error| format!("{name}: {error}"))?;
    let reach = HeightReach { below: 0.3, above: 0.3 };
    let on = |point: &MeshPoint| space.locate(point.place, reach);
    let pairs: Vec<[MeshPoint; 2]> =
        pairs.iter().filter_map(|[a, b]| Some([on(a)?, on(b)?])).collect();
    let (mut scratch, mut search) = (MeshIndexScratch::new(), MeshScratch::new());
    let (mut faults, mut worst) = (0, 0.0_f64);
    let mut by_search = |[from, to]: [MeshPoint; 2]| {
        let mut machine = Polyanya.search(MeshQuery::new(from, to));
        let outcome = machine.finish(&space, &mut search, &mut ()).outcome;
        let length = outcome.path().map(|path| path.length);
        search.recycle(outcome.into_path());
        length
    };
    for &[from, to] in &pairs {
        let outcome = edited.path(from, to, &mut scratch);
        let wanted = by_search([from, to]);
        let found = outcome.path().map(|path| path.length);
        let off = match (found, wanted) {
            (Some(a), Some(b)) => (a - b).abs() / b.max(f64::MIN_POSITIVE),
            (None, None) => 0.0,
            _ => f64::INFINITY,
        };
        let path = outcome.into_path();
        let is_right = found.is_none() || validate_mesh_path(&space, &path, from, to).is_ok();
        worst = worst.max(off);
        faults += usize::from(!is_right || off > ROUNDING);
        scratch.recycle(path);
    }
    let by_index = pairs.len() - scratch.searched() as usize;
    let searches = times(&pairs, |pair| {
        by_search(pair);
    });
    let answers = times(&pairs, |[from, to]| {
        let outcome = edited.path(from, to, &mut scratch);
        scratch.recycle(outcome.into_path());
    });
    let ([mean, tail], [other, other_tail]) = (summary(searches), summary(answers));
    println!(
        "{name:<14} {:>9} {:>6} % | {mean:>9.2} {other:>9.2} {:>6.1} | {tail:>9.2} {other_tail:>9.2} {:>6.1} | {:>8} {worst:>9.1e}",
        live.carvings().len(),
        by_index * 100 / pairs.len().max(1),
        mean / other,
        tail / other_tail,
        live.mesh().len(),
    );
    if faults > 0 {
        eprintln!("{name}: {faults} paths are wrong");
    }
    Ok(faults == 0)
}

/// The microseconds of each pair.
fn times(pairs: &[[MeshPoint; 2]], mut ask: impl FnMut([MeshPoint; 2])) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; pairs.len()];
    for _ in 0..ROUNDS {
        for (&pair, least) in pairs.iter().zip(&mut least) {
            let begun = ThreadTime::now();
            ask(pair);
            *least = least.min(clock::micros(begun));
        }
    }
    least
}

/// The mean, and the 99th percentile.
fn summary(mut times: Vec<f64>) -> [f64; 2] {
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    times.sort_by(f64::total_cmp);
    [mean, times.get(times.len() * 99 / 100).copied().unwrap_or(0.0)]
}
