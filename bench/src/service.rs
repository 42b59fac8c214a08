//! The planner under load: a flood of requests, a crowd with one goal, an island that nobody
//! reaches; and the time of a unit of work, whatever lies over a world.

use cpu_time::ThreadTime;

use wayfare::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare::plan::{ClassId, Planner, PlannerSettings, Request};
use wayfare::search::{
    AStar, Algorithm, AlgorithmId, Jps, NamedAlgorithm, Outcome, Query, Search, Solver,
};
use wayfare::space::voxel::{Block, BlockId, BlockKind, BlockPosition, VoxelGrid, VoxelSize};
use wayfare::space::{Cell, Grid, GridProfile, ReverseSpace, Space, VoxelProfile};
use wayfare_generate::Seed;

const SIDE: u32 = 1024;
const REQUESTS: usize = 1_000;
const ISLANDERS: usize = 10_000;
/// The expansions that a tick may make: some two milliseconds.
const BUDGET: u64 = 20_000;
const ONLY: ClassId = ClassId(0);

/// What a case came to.
struct Measured {
    requests: usize,
    ticks: u64,
    /// The most that a tick expanded.
    most: u64,
    expansions: u64,
    /// The longest tick, in microseconds of this thread.
    slowest: f64,
    micros: f64,
    latency: [u32; 3],
    found: u64,
}

/// Hands all queries in at once, and ticks until the last is answered.
fn serve<S, A>(
    algorithm: A,
    settings: PlannerSettings,
    space: impl Fn() -> S + Sync,
    queries: &[Query<S::State, S::Cost>],
) -> Measured
where
    S: ReverseSpace,
    A: Algorithm,
    A::Search<S::State, S::Cost>: Search<S> + Send,
{
    let mut planner = Planner::new(algorithm, settings);
    planner.reserve(space().state_bound());
    for query in queries {
        planner.request(Request::new(ONLY, query.clone()));
    }
    let (mut most, mut slowest, mut micros) = (0, 0f64, 0.0);
    loop {
        let begun = ThreadTime::now();
        let report = planner.tick(|_| space(), BUDGET);
        let took = crate::clock::micros(begun);
        most = most.max(report.expansions);
        slowest = slowest.max(took);
        micros += took;
        planner.finished().for_each(drop);
        if report.queued + report.running == 0 {
            break;
        }
    }
    let stats = planner.stats();
    Measured {
        requests: queries.len(),
        ticks: stats.ticks,
        most,
        expansions: stats.expansions,
        slowest,
        micros,
        latency: [0.5, 0.9, 0.99].map(|share| stats.latency.percentile(share)),
        found: stats.done - stats.failed,
    }
}

/// What separate searches expand.
fn alone<S>(space: &S, queries: &[Query<S::State, S::Cost>]) -> u64
where
    S: Space,
{
    let mut solver = Solver::new();
    let each = queries.iter().map(|query| {
        let answer = solver.solve(space, &AStar::new(), query.clone());
        solver.recycle(answer.outcome.into_path());
        answer.stats.expanded
    });
    each.sum()
}

/// Cells of the cave, one for each seed, that a way joins.
fn cave() -> Result<(Grid, Vec<Query<Cell, u32>>), String> {
    let map = crate::generated::tiles("caves", SIDE, 7)?;
    let profile = GridProfile { costs: map.cost_table(), ..GridProfile::default() };
    let grid = map.to_grid(profile).map_err(|error| error.to_string())?;
    let free: Vec<Cell> = grid.cells().filter(|cell| grid.space().is_free(*cell)).collect();
    let mut dice = Seed(11).dice();
    let mut any = || dice.pick(&free).copied();
    // A generated cave is one region.
    let queries = (0..REQUESTS).filter_map(|_| Some(Query::new(any()?, any()?))).collect();
    Ok((grid, queries))
}

/// A plain with a walled-in court, and queries from all over the plain into it. Voxel worlds have
/// no component labels.
fn court() -> Result<(VoxelGrid, Vec<Query<wayfare::space::Voxel, u32>>), String> {
    const PLAIN: u32 = 512;
    let size = VoxelSize { width: PLAIN, height: 8, depth: PLAIN };
    let is_in = |x: u32, z: u32, low: u32, high: u32| {
        (low..=high).contains(&x) && (low..=high).contains(&z)
    };
    let palette = [BlockKind::Air, BlockKind::Solid].map(Block::from);
    let world = VoxelGrid::from_fn(size, &palette, VoxelProfile::default(), |at| {
        let is_wall = is_in(at.x, at.z, 240, 272) && !is_in(at.x, at.z, 241, 271);
        BlockId(u16::from(at.y == 0 || is_wall))
    })
    .map_err(|error| error.to_string())?;
    let mut queries = Vec::with_capacity(ISLANDERS);
    for n in 0..ISLANDERS as u32 {
        let start = world.voxel(BlockPosition::new(n * 37 % 230, 1, n * 101 % 500));
        let goal = world.voxel(BlockPosition::new(245 + n % 20, 1, 245 + n / 20 % 20));
        if let (Some(start), Some(goal)) = (start, goal) {
            queries.push(Query::new(start, goal));
        }
    }
    Ok((world, queries))
}

fn head() {
    println!(
        "{:<34} {:>8} {:>6} {:>11} {:>11} {:>12} {:>12} {:>7} {:>14} {:>9} {:>8}",
        "case",
        "requests",
        "ticks",
        "most a tick",
        "budget",
        "expansions",
        "alone",
        "ratio",
        "p50/p90/p99",
        "slowest",
        "µs each",
    );
}

fn row(case: &str, measured: &Measured, alone: u64) {
    let [p50, p90, p99] = measured.latency;
    println!(
        "{case:<34} {:>8} {:>6} {:>11} {BUDGET:>11} {:>12} {alone:>12} {:>7.1} {:>14} {:>6.2} ms {:>8.2}",
        measured.requests,
        measured.ticks,
        measured.most,
        measured.expansions,
        alone as f64 / (measured.expansions as f64).max(1.0),
        format!("{p50}/{p90}/{p99}"),
        measured.slowest / 1e3,
        measured.micros / measured.requests as f64,
    );
}

/// Prints the table; says whether every figure is what it should be.
pub(crate) fn run() -> Result<bool, String> {
    let mut is_good = true;
    let mut claim = |holds: bool, what: &str| {
        if !holds {
            println!("  NOT SO: {what}");
        }
        is_good &= holds;
    };
    head();

    let (grid, flood) = cave()?;
    let usual = PlannerSettings::default();
    let measured = serve(AStar::new(), usual, || grid.space(), &flood);
    row("flood, A*", &measured, alone(&grid.space(), &flood));
    claim(measured.most <= BUDGET, "no tick exceeds its budget");
    claim(measured.found == flood.len() as u64, "every request has its path");
    let measured = serve(Jps, usual, || grid.space(), &flood);
    row("flood, jump point search", &measured, measured.expansions);
    claim(measured.most <= BUDGET, "no tick exceeds its budget");
    claim(measured.found == flood.len() as u64, "every request has its path");

    let goal =
        flood.first().map_or_else(|| grid.cell(0, 0), |query| query.goal.states().first().copied());
    let goal = goal.ok_or("the map is empty")?;
    let crowd: Vec<_> = flood.iter().map(|query| Query::new(query.start, goal)).collect();
    let measured = serve(AStar::new(), usual, || grid.space(), &crowd);
    let separate = alone(&grid.space(), &crowd);
    row("one goal", &measured, separate);
    claim(measured.most <= BUDGET, "no tick exceeds its budget");
    claim(measured.found == crowd.len() as u64, "every request has its path");
    claim(separate >= 20 * measured.expansions, "a shared goal costs a twentieth");

    let mut split = grid.clone();
    for y in 0..SIDE {
        for x in [SIDE / 2 - 1, SIDE / 2] {
            if let Some(cell) = split.cell(x, y) {
                split.set_terrain(cell, wayfare::space::TerrainId::BLOCKED);
            }
        }
    }
    let (west, east): (Vec<Cell>, Vec<Cell>) = split
        .cells()
        .filter(|&cell| split.space().is_free(cell))
        .partition(|&cell| split.space().position(cell).x < SIDE as f32 / 2.0);
    let pick = |side: &[Cell], n: usize| side[n * 7_919 % side.len()];
    let apart: Vec<_> =
        (0..ISLANDERS).map(|n| Query::new(pick(&west, n), pick(&east, n / 100))).collect();
    let measured = serve(AStar::new(), usual, || split.space(), &apart);
    row("an island, labelled", &measured, alone(&split.space(), &apart));
    claim(measured.expansions == 0 && measured.found == 0, "labels answer without a search");

    let (world, queries) = court()?;
    let space = world.space();
    let one = Solver::new().solve(&space, &AStar::new(), queries[0].clone());
    claim(matches!(one.outcome, Outcome::Unreachable { .. }), "the court is shut");
    let separate = one.stats.expanded * queries.len() as u64;
    for (case, coalesce_from) in
        [("an island, voxels, no labels", usual.coalesce_from), ("the same, without fields", 0)]
    {
        let settings = PlannerSettings { coalesce_from, ..usual };
        let measured = serve(AStar::new(), settings, || world.space(), &queries);
        row(case, &measured, separate);
        let share = measured.expansions as f64 / separate as f64;
        println!(
            "  each request costs {:.4} % of a search of {} expansions",
            share * 100.0,
            one.stats.expanded
        );
        claim(measured.found == 0 && share < 0.01, "a request costs less than 1 % of a search");
    }
    units(&grid, &flood[..UNIT_QUERIES])?;
    Ok(is_good)
}

/// The queries that units of work are timed by.
const UNIT_QUERIES: usize = 40;
/// The rounds that units are timed in, each setting once a round; the fastest counts.
const ROUNDS: usize = 3;

/// What lies over a grid: links, danger, and jams of areas of 4 m.
fn settings(grid: &Grid) -> Result<Vec<(&'static str, NavLinks<Cell>)>, String> {
    let free: Vec<Cell> = grid.cells().filter(|cell| grid.space().is_free(*cell)).collect();
    let mut dice = Seed(12).dice();
    let mut some = |count: usize| -> Vec<Cell> {
        (0..count).filter_map(|_| dice.pick(&free).copied()).collect()
    };
    let plain = NavLinks::new(3.0);
    let mut linked = plain.clone();
    for ends in some(2 * 100).chunks_exact(2) {
        let link = NavLink::new(ends[0], ends[1], Crossing::Seconds(20.0));
        linked.add(&grid.space(), link).map_err(|fault| fault.to_string())?;
    }
    let mut dangerous = plain.clone();
    dangerous.add_danger(&grid.space(), &some(free.len() / 10), 5.0);
    let jams = |share: usize| {
        let delays: Vec<_> =
            free.iter().step_by(share).map(|&cell| (grid.centre(cell), 1.5)).collect();
        let mut jammed = plain.clone();
        jammed.set_jams(4.0, &delays);
        jammed
    };
    let (few, many) = (jams(2_000), jams(1));
    Ok(vec![
        ("nothing", plain),
        ("100 links", linked),
        ("danger on a tenth", dangerous),
        ("a jam here and there", few),
        ("jams everywhere", many),
    ])
}

/// Returns the time of a unit of work by one slot, in nanoseconds: of the second of two rounds of
/// the same queries, in memory that the first has touched.
fn unit<S: ReverseSpace<Cost = u32>>(
    algorithm: AlgorithmId,
    space: impl Fn() -> S + Sync,
    queries: &[Query<S::State, u32>],
) -> f64
where
    NamedAlgorithm: Algorithm,
    <NamedAlgorithm as Algorithm>::Search<S::State, u32>: Search<S> + Send,
{
    let settings = PlannerSettings { slots: 1, ..PlannerSettings::default() };
    let mut planner = Planner::new(NamedAlgorithm::from(algorithm), settings);
    let mut took = 0.0;
    for _ in 0..2 {
        let (begun, before) = (ThreadTime::now(), planner.stats().work);
        for query in queries {
            planner.request(Request::new(ONLY, query.clone()));
        }
        loop {
            let report = planner.tick(|_| space(), BUDGET);
            planner.finished().for_each(drop);
            if report.queued + report.running == 0 {
                break;
            }
        }
        took = 1e3 * crate::clock::micros(begun) / (planner.stats().work - before) as f64;
    }
    took
}

/// Prints what a unit of work takes in each setting, and how often the longer of the two is that of
/// A\* over the bare grid. The aim is twice at most.
fn units(grid: &Grid, queries: &[Query<Cell, u32>]) -> Result<(), String> {
    let settings = settings(grid)?;
    let mut best = vec![[f64::INFINITY; 2]; settings.len()];
    for _ in 0..ROUNDS {
        for (best, (_, links)) in best.iter_mut().zip(&settings) {
            let space = || links.over(grid.space(), Keys::NONE);
            let by = |id: AlgorithmId| unit(id, space, queries);
            *best = [by(AlgorithmId::AStar).min(best[0]), by(AlgorithmId::Auto).min(best[1])];
        }
    }
    let bare = best[0][0];
    println!("\n{:<34} {:>14} {:>14} {:>7}", "a unit of work, ns, over", "A*", "auto", "most");
    let row = |name: &str, [astar, auto]: [f64; 2]| {
        println!("{name:<34} {astar:>14.1} {auto:>14.1} {:>7.2}", astar.max(auto) / bare);
    };
    best.iter().zip(&settings).for_each(|(best, (name, _))| row(name, *best));
    let (world, queries) = court()?;
    let plain: Vec<_> = queries[..=UNIT_QUERIES]
        .windows(2)
        .map(|pair| Query::new(pair[0].start, pair[1].start))
        .collect();
    let by = |id: AlgorithmId| unit(id, || world.space(), &plain);
    row("blocks, on foot", [AlgorithmId::AStar, AlgorithmId::Auto].map(by));
    Ok(())
}
