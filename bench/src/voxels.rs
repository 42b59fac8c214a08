//! Flying through the voxel worlds of Moving AI and generated ones, beside the dense baselines.

use std::path::Path;

use cpu_time::ThreadTime;

use wayfare::search::{AStar, Algorithm, Auto, Query, Scratch, Search};
use wayfare::space::voxel::{
    BlockId, BlockPosition, Voxel, VoxelGrid, VoxelProfile, VoxelSize, VoxelSpace,
};
use wayfare_formats::{movingai_3dmap, movingai_3dscen};

use crate::dense3d::{DenseWorld, RadixHeap, StandardHeap};
use crate::{report, worlds3d};

/// The baseline answers at most this many queries a world, spread evenly over ours: some take it
/// seconds.
const MOST_OF_BASELINE: usize = 200;

/// Queries that a contestant answers before it is another's turn.
const TURN: usize = 50;

/// Answers at most `most` queries of every `.3dscen` file whose name contains the word: the first
/// ones where `first` is asked for, else spread evenly. Says whether all lengths were optimal.
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
    head();
    let mut all_optimal = true;
    for file in files {
        all_optimal &= row(&world_of(&file, most, first)?)?;
    }
    foot();
    Ok(all_optimal)
}

/// Answers `most` queries of every generated world with a side of `side` blocks.
pub(crate) fn run_made(filter: &str, most: usize, side: u32) -> Result<bool, String> {
    head();
    for kind in worlds3d::KINDS.iter().filter(|kind| kind.name.contains(filter)) {
        let grid = kind.world(side)?;
        let queries = worlds3d::queries(&grid, most);
        row(&World { name: kind.name.to_owned(), grid, queries, lengths: Vec::new() })?;
    }
    foot();
    Ok(true)
}

fn head() {
    println!(
        "{:<8} {:>11} {:>7}  {:>8} {:>8} {:>8} {:>8}  {:>8} {:>8} {:>6}  {:>8} {:>8} {:>6}  {:>8} {:>6} {:>7} {:>7}  {:>11} {:>8} {:>9} {:>8}",
        "world",
        "voxels",
        "queries",
        "ours µs",
        "p99 µs",
        "worst µs",
        "expanded",
        "dense µs",
        "expanded",
        "ratio",
        "radix µs",
        "expanded",
        "ratio",
        "A* µs",
        "ratio",
        "faster",
        "at most",
        "optimal",
        "world MB",
        "search MB",
        "dense MB"
    );
}

fn foot() {
    println!();
    println!(
        "ours: jump point search over the voxel space, path included, one reused scratch. A*: ours too. dense and radix: bench/src/dense3d.rs"
    );
    println!(
        "with the standard library's binary heap and with a radix heap. All: the same 26 moves, integer costs and estimate, one thread."
    );
    println!("ratio: the other's mean over ours, on the queries that both answered.");
    println!(
        "faster, at most: the share of those that our A* answers faster, and by what factor at most."
    );
}

/// A world and its queries.
struct World {
    name: String,
    grid: VoxelGrid,
    queries: Vec<(BlockPosition, BlockPosition)>,
    /// The optimal length of each query, where it is published.
    lengths: Vec<f64>,
}

fn world_of(file: &Path, most: usize, first: bool) -> Result<World, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let scenario = std::fs::read(file).map_err(|error| at(&error))?;
    let scenario = movingai_3dscen::read(&scenario).map_err(|error| at(&error))?;
    let map = std::fs::read(file.with_extension("")).map_err(|error| at(&error))?;
    let map = movingai_3dmap::read(&map, "map").map_err(|error| at(&error))?;
    let step = if first { 1 } else { scenario.entries.len().div_ceil(most).max(1) };
    let queries = || scenario.entries.iter().step_by(step).take(most);
    Ok(World {
        name: scenario.map.trim_end_matches(".3dmap").to_owned(),
        grid: map.to_grid(VoxelProfile::flyer()).map_err(|error| at(&error))?,
        queries: queries().map(|query| (query.start, query.goal)).collect(),
        lengths: queries().map(|query| query.optimal_length).collect(),
    })
}

fn row(World { name, grid, queries, lengths }: &World) -> Result<bool, String> {
    let size = [grid.size().width, grid.size().height, grid.size().depth];
    let mut scratch = Scratch::new();
    let space = grid.space();
    let voxels = |(from, to): (BlockPosition, BlockPosition)| {
        let ends = grid.voxel(from).zip(grid.voxel(to));
        ends.ok_or_else(|| format!("{name}: a query leads off the map"))
    };
    let mut all = Runs::default();
    let (mut optimal, mut costs) = (0, Vec::new());
    for (at, &query) in queries.iter().enumerate() {
        let query_of_ours = voxels(query)?;
        let (cost, length) = all.time(|| ours(&Auto, &space, &mut scratch, query_of_ours));
        let is_optimal = |&best: &f64| (length - best).abs() <= 1e-3;
        optimal += usize::from(lengths.get(at).is_none_or(is_optimal));
        costs.push(cost);
    }
    let search_bytes = scratch.bytes();

    let mut dense = DenseWorld::new(size, blocked(grid));
    let (mut heap, mut radix) = (StandardHeap::default(), RadixHeap::default());
    let mut runs = [(); 4].map(|()| Runs::default());
    let sample = queries.len().div_ceil(MOST_OF_BASELINE).max(1);
    let sampled: Vec<_> = queries.iter().zip(&costs).step_by(sample).collect();
    // In turns: none finds its arrays warmed by another, and all share in what else the machine
    // does.
    for (queries, contestant) in
        sampled.chunks(TURN).flat_map(|few| (0..4).map(move |who| (few, who)))
    {
        for &(&query, cost) in queries {
            let (ends, voxels) = (ends(query), voxels(query)?);
            let found = runs[contestant].time(|| match contestant {
                0 => cost_alone(ours(&Auto, &space, &mut scratch, voxels)),
                1 => cost_alone(ours(&AStar::new(), &space, &mut scratch, voxels)),
                2 => dense.solve(&mut heap, ends),
                _ => dense.solve(&mut radix, ends),
            });
            if found != *cost {
                return Err(format!("{name}: contestant {contestant}: {found:?}, not {cost:?}"));
            }
        }
    }

    let [jumping, astar, with_heap, with_radix] = runs;
    let ratio = |other: &Runs| format!("{:.2}x", other.mean() / jumping.mean());
    let megabytes = |bytes: usize| bytes as f64 / f64::from(1 << 20);
    let factors = || jumping.times.iter().zip(&astar.times).map(|(ours, other)| ours / other);
    let faster = factors().filter(|&factor| factor > 1.0).count() as f64 / sampled.len() as f64;
    println!(
        "{:<8} {:>11} {:>7}  {:>8.0} {:>8.0} {:>8.0} {:>8.0}  {:>8.0} {:>8.0} {:>6}  {:>8.0} {:>8.0} {:>6}  {:>8.0} {:>6} {:>7} {:>7}  {:>11} {:>8.1} {:>9.1} {:>8.1}",
        name,
        format!("{}x{}x{}", size[0], size[1], size[2]),
        queries.len(),
        all.mean(),
        report::percentile(&all.times, 0.99),
        all.times.iter().copied().fold(0.0, f64::max),
        all.expanded(),
        with_heap.mean(),
        with_heap.expanded(),
        ratio(&with_heap),
        with_radix.mean(),
        with_radix.expanded(),
        ratio(&with_radix),
        astar.mean(),
        ratio(&astar),
        format!("{:.0} %", 100.0 * faster),
        format!("{:.1}x", factors().fold(0.0, f64::max)),
        if lengths.is_empty() { "-".to_owned() } else { format!("{optimal}/{}", queries.len()) },
        megabytes(grid.size_in_bytes()),
        megabytes(search_bytes),
        megabytes(dense.bytes()),
    );
    Ok(optimal == queries.len())
}

/// The blocks of a world that are not air.
fn blocked(grid: &VoxelGrid) -> impl Iterator<Item = [u32; 3]> {
    let VoxelSize { width, height, depth } = grid.size();
    (0..depth)
        .flat_map(move |z| (0..height).map(move |y| (y, z)))
        .flat_map(move |(y, z)| (0..width).map(move |x| [x, y, z]))
        .filter(|&[x, y, z]| grid.block(BlockPosition::new(x, y, z)) != Some(BlockId::AIR))
}

/// One of our searches: the cost and the length of the path, and the number of expansions.
fn ours<A: Algorithm>(
    algorithm: &A,
    space: &VoxelSpace<'_>,
    scratch: &mut Scratch<Voxel, u32>,
    (from, to): (Voxel, Voxel),
) -> ((Option<u32>, f64), u64)
where
    for<'g> A::Search<Voxel, u32>: Search<VoxelSpace<'g>>,
{
    let answer = algorithm.search(Query::new(from, to)).finish(space, scratch, &mut ());
    let path = answer.outcome.path();
    let cost = path.map(wayfare::path::Path::cost);
    let length = path.map_or(f64::INFINITY, |path| path.length(&space));
    scratch.recycle(answer.outcome.into_path());
    ((cost, length), answer.stats.expanded)
}

fn cost_alone<T>(((cost, _), expanded): ((Option<u32>, T), u64)) -> (Option<u32>, u64) {
    (cost, expanded)
}

fn ends((from, to): (BlockPosition, BlockPosition)) -> ([u32; 3], [u32; 3]) {
    ([from.x, from.y, from.z], [to.x, to.y, to.z])
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

    fn expanded(&self) -> f64 {
        self.expanded as f64 / self.times.len().max(1) as f64
    }
}
