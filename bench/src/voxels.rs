//! Flying through the voxel worlds of Moving AI, beside the dense baselines.

use std::path::Path;

use cpu_time::ThreadTime;

use wayfare::search::{AStar, Algorithm, Auto, Query, Scratch, Search};
use wayfare::space::VoxelProfile;
use wayfare_world::movingai_3dscen::VoxelQuery;
use wayfare_world::{movingai_3dmap, movingai_3dscen};

use crate::dense3d::{DenseWorld, RadixHeap, StandardHeap};
use crate::report;

/// The baseline answers at most this many queries a world, spread evenly over ours: some take it seconds.
const MOST_OF_BASELINE: usize = 200;

/// Answers at most `most` queries of every `.3dscen` file whose name contains the word: the first ones where `first` is asked for,
/// else spread evenly. Says whether all lengths were optimal.
pub(crate) fn run(filter: &str, most: usize, first: bool) -> Result<bool, String> {
    let data = std::env::var_os("WAYFARE_DATA").ok_or(
        "set WAYFARE_DATA to the folder whose voxel/ holds .3dmap files with their .3dscen",
    )?;
    let folder = Path::new(&data).join("voxel");
    let entries =
        std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| {
        path.extension().is_some_and(|extension| extension == "3dscen")
            && path.file_name().is_some_and(|name| name.to_string_lossy().contains(filter))
    });
    files.sort();
    println!(
        "{:<8} {:>11} {:>7}  {:>8} {:>8} {:>8}  {:>8} {:>8} {:>6}  {:>8} {:>8} {:>6}  {:>8} {:>6}  {:>11} {:>8} {:>9} {:>8}",
        "world",
        "voxels",
        "queries",
        "ours µs",
        "p99 µs",
        "expanded",
        "dense µs",
        "expanded",
        "ratio",
        "radix µs",
        "expanded",
        "ratio",
        "A* µs",
        "ratio",
        "optimal",
        "world MB",
        "search MB",
        "dense MB"
    );
    let mut all_optimal = true;
    for file in files {
        all_optimal &= row(&file, most, first)?;
    }
    println!();
    println!(
        "ours: jump point search over the voxel space, path included, one reused scratch. A*: ours too. dense and radix: bench/src/dense3d.rs"
    );
    println!(
        "with the standard library's binary heap and with a radix heap. All: the same 26 moves, integer costs and estimate, one thread."
    );
    println!("ratio: the other's mean over ours, on the queries that both answered.");
    Ok(all_optimal)
}

fn row(file: &Path, most: usize, first: bool) -> Result<bool, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let scenario = std::fs::read(file).map_err(|error| at(&error))?;
    let scenario = movingai_3dscen::read(&scenario).map_err(|error| at(&error))?;
    let map = std::fs::read(file.with_extension("")).map_err(|error| at(&error))?;
    let map = movingai_3dmap::read(&map, "map").map_err(|error| at(&error))?;
    let grid = map.to_grid(VoxelProfile::flyer()).map_err(|error| at(&error))?;
    let size = [map.size().width, map.size().height, map.size().depth];
    let step = if first { 1 } else { scenario.entries.len().div_ceil(most).max(1) };
    let queries: Vec<_> = scenario.entries.iter().step_by(step).take(most).collect();

    let mut ours = Runs::default();
    let (mut optimal, mut costs) = (0, Vec::new());
    let mut scratch = Scratch::new();
    let space = grid.space();
    let voxels = |query: &VoxelQuery| {
        let ends = grid.voxel(query.start).zip(grid.voxel(query.goal));
        ends.ok_or_else(|| at(&"a query leads off the map"))
    };
    for round in 0..2 {
        ours = Runs::default();
        for query in &queries {
            let (from, to) = voxels(query)?;
            let answer = ours.time(|| {
                let answer =
                    Auto.search(Query::new(from, to)).finish(&space, &mut scratch, &mut ());
                let expanded = answer.stats.expanded;
                (answer, expanded)
            });
            if round == 0 {
                let path = answer.outcome.path();
                let length = path.map_or(f64::INFINITY, |path| space.length(path.moves()));
                optimal += usize::from((length - query.optimal_length).abs() <= 1e-3);
                costs.push(path.map(wayfare::path::Path::cost));
            }
            scratch.recycle(answer.outcome.into_path());
        }
        if queries.len() > 400 {
            break; // long enough for one round to be steady
        }
    }
    let search_bytes = scratch.bytes();

    let blocked = map.runs().flat_map(|run| {
        let from = run.from;
        (from.x..from.x + run.length).map(move |x| [x, from.y, from.z])
    });
    let mut dense = DenseWorld::new(size, blocked);
    let (mut heap, mut radix) = (StandardHeap::default(), RadixHeap::default());
    let [mut with_heap, mut with_radix, mut astar] = [(); 3].map(|()| Runs::default());
    let sample = queries.len().div_ceil(MOST_OF_BASELINE).max(1);
    // One after the other, so that none finds its arrays warmed by another.
    let sampled = || queries.iter().zip(&costs).step_by(sample);
    for (query, &cost) in sampled() {
        let (from, to) = voxels(query)?;
        let of_astar = astar.time(|| {
            let mut search = AStar::new().search(Query::new(from, to));
            let answer = search.finish(&space, &mut scratch, &mut ());
            let cost = answer.outcome.path().map(wayfare::path::Path::cost);
            scratch.recycle(answer.outcome.into_path());
            (cost, answer.stats.expanded)
        });
        agree(cost, of_astar).map_err(|error| at(&error))?;
    }
    for (query, &cost) in sampled() {
        let of_heap = with_heap.time(|| dense.solve(&mut heap, ends(query)));
        agree(cost, of_heap).map_err(|error| at(&error))?;
    }
    for (query, &cost) in sampled() {
        let of_radix = with_radix.time(|| dense.solve(&mut radix, ends(query)));
        agree(cost, of_radix).map_err(|error| at(&error))?;
    }

    let same = ours.sampled(sample);
    let ratio = |other: &Runs| format!("{:.2}x", other.mean() / same);
    let megabytes = |bytes: usize| bytes as f64 / f64::from(1 << 20);
    println!(
        "{:<8} {:>11} {:>7}  {:>8.0} {:>8.0} {:>8.0}  {:>8.0} {:>8.0} {:>6}  {:>8.0} {:>8.0} {:>6}  {:>8.0} {:>6}  {:>11} {:>8.1} {:>9.1} {:>8.1}",
        scenario.map.trim_end_matches(".3dmap"),
        format!("{}x{}x{}", size[0], size[1], size[2]),
        queries.len(),
        ours.mean(),
        ours.percentile(0.99),
        ours.expanded(),
        with_heap.mean(),
        with_heap.expanded(),
        ratio(&with_heap),
        with_radix.mean(),
        with_radix.expanded(),
        ratio(&with_radix),
        astar.mean(),
        ratio(&astar),
        format!("{optimal}/{}", queries.len()),
        megabytes(grid.size_in_bytes()),
        megabytes(search_bytes),
        megabytes(dense.bytes()),
    );
    Ok(optimal == queries.len())
}

fn ends(query: &VoxelQuery) -> ([u32; 3], [u32; 3]) {
    let (from, to) = (query.start, query.goal);
    ([from.x, from.y, from.z], [to.x, to.y, to.z])
}

fn agree(ours: Option<u32>, theirs: Option<u32>) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("ours costs {ours:?}, the other {theirs:?}")) }
}

/// What queries took.
#[derive(Default)]
struct Runs {
    /// Microseconds.
    times: Vec<f64>,
    expanded: u64,
}

impl Runs {
    /// Times a query, which says what it came to and how many states it expanded.
    fn time<T>(&mut self, query: impl FnOnce() -> (T, u64)) -> T {
        let begun = ThreadTime::now();
        let (answer, expanded) = query();
        self.times.push(begun.elapsed().as_secs_f64() * 1e6);
        self.expanded += expanded;
        answer
    }

    fn mean(&self) -> f64 {
        report::mean(&self.times)
    }

    /// The mean of every `step`th query.
    fn sampled(&self, step: usize) -> f64 {
        report::mean(&self.times.iter().copied().step_by(step).collect::<Vec<_>>())
    }

    fn percentile(&self, share: f64) -> f64 {
        report::percentile(&self.times, share)
    }

    fn expanded(&self) -> f64 {
        self.expanded as f64 / self.times.len().max(1) as f64
    }
}
