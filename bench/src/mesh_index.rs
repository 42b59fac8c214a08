//! Indexes of navigation meshes, beside Polyanya on the same queries.

use std::ops::ControlFlow;
use std::time::Instant;

use cpu_time::ThreadTime;
use wayfare::index::{MeshIndex, MeshIndexOptions, MeshIndexScratch};
use wayfare::path::validate_mesh_path;
use wayfare::search::{MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare::space::navmesh::{MeshPoint, NavMesh};

use crate::{clock, navmesh};

/// Rounds of all queries; of each query's times the least counts.
const ROUNDS: usize = 5;
/// Times that a query is asked between two readings of the clock.
const REPEATS: usize = 8;
/// The largest difference to the search's length, as a share.
const ROUNDING: f64 = 1e-5;
/// The bytes that views and hubs may take.
const MOST_BYTES: usize = 64 << 20;

/// Runs all levels and meshes found whose name contains a word. Says whether all paths are right.
pub(crate) fn run(filter: &str, most: usize) -> Result<bool, String> {
    println!("one thread but for building; microseconds a query, the least of {ROUNDS} rounds");
    println!(
        "{:<14} {:>7} {:>9} {:>9} {:>6} {:>7} | {:>9} {:>8} {:>6} | {:>9} {:>8} {:>6} | {:>9} {:>5} {:>5} | {:>7} {:>7}",
        "mesh",
        "bends",
        "views",
        "hubs",
        "MB",
        "build s",
        "polyanya",
        "index",
        "ratio",
        "p99",
        "p99",
        "ratio",
        "worst",
        "alloc",
        "again",
        "file MB",
        "load s"
    );
    let mut sound = true;
    navmesh::each(filter, most, &mut |name, mesh, pairs| {
        sound &= measure(name, mesh, pairs)?;
        Ok(())
    })?;
    Ok(sound)
}

fn measure(name: &str, mesh: &NavMesh, pairs: &[[MeshPoint; 2]]) -> Result<bool, String> {
    let space = mesh.space();
    let begun = Instant::now();
    let options = MeshIndexOptions { max_bytes: MOST_BYTES };
    let index = MeshIndex::build(&space, options, &mut |_| ControlFlow::Continue(()))
        .map_err(|error| format!("{name}: {error}"))?;
    let built = begun.elapsed().as_secs_f64();
    let bytes = index.encode();
    let begun = Instant::now();
    let index = MeshIndex::decode(&space, &bytes).map_err(|error| format!("{name}: {error}"))?;
    let loaded = begun.elapsed().as_secs_f64();
    let indexed = index.of(&space).map_err(|error| error.to_string())?;
    let (mut scratch, mut search) = (MeshIndexScratch::new(), MeshScratch::new());
    let (mut faults, mut worst) = (0, 0.0_f64);
    for &[start, goal] in pairs {
        let path = indexed.path(start, goal, &mut scratch).into_path();
        let is_right = validate_mesh_path(&space, &path, start, goal).is_ok();
        let query = MeshQuery::new(start, goal);
        let best = Polyanya.search(query).finish(&space, &mut search, &mut ()).outcome;
        let length = best.path().map_or(f64::NAN, |path| path.length);
        let off = (path.length - length).abs() / length.max(f64::MIN_POSITIVE);
        worst = worst.max(off);
        faults += usize::from(!is_right || off.is_nan() || off > ROUNDING);
        scratch.recycle(path);
    }
    let again = scratch.searched();
    let by_search = times(pairs, |start, goal| {
        let outcome = Polyanya
            .search(MeshQuery::new(start, goal))
            .finish(&space, &mut search, &mut ())
            .outcome;
        search.recycle(outcome.into_path());
    });
    let mut ask = |start, goal| {
        let outcome: MeshOutcome = indexed.path(start, goal, &mut scratch);
        scratch.recycle(outcome.into_path());
    };
    let by_index = times(pairs, &mut ask);
    let allocated = allocation_counter::measure(|| {
        pairs.iter().for_each(|&[start, goal]| ask(start, goal));
    });
    let [mean, other] =
        [&by_search, &by_index].map(|times| times.iter().sum::<f64>() / times.len().max(1) as f64);
    let [tail, other_tail] = [&by_search, &by_index].map(|times| {
        let mut times = times.clone();
        times.sort_by(f64::total_cmp);
        times.get(times.len() * 99 / 100).copied().unwrap_or(0.0)
    });
    println!(
        "{name:<14} {:>7} {:>9} {:>9} {:>6.1} {built:>7.2} | {mean:>9.2} {other:>8.2} {:>6.1} | \
         {tail:>9.2} {other_tail:>8.2} {:>6.1} | {worst:>9.1e} {:>5} {again:>5} | {:>7.1} {loaded:>7.3}",
        index.bends(),
        index.views(),
        index.hubs(),
        index.size_in_bytes() as f64 / f64::from(1 << 20),
        mean / other,
        tail / other_tail,
        allocated.count_total,
        bytes.len() as f64 / f64::from(1 << 20),
    );
    if faults > 0 {
        eprintln!("{name}: {faults} paths are wrong");
    }
    Ok(faults == 0)
}

/// The microseconds of each query.
fn times(pairs: &[[MeshPoint; 2]], mut ask: impl FnMut(MeshPoint, MeshPoint)) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; pairs.len()];
    for _ in 0..ROUNDS {
        for (&[start, goal], least) in pairs.iter().zip(&mut least) {
            let begun = ThreadTime::now();
            (0..REPEATS).for_each(|_| ask(start, goal));
            *least = least.min(clock::micros(begun) / REPEATS as f64);
        }
    }
    least
}
