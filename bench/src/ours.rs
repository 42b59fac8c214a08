//! Our side.

use wayfare::search::{
    AStar, Algorithm, Jps, JpsSearch, JumpPoints, Progress, Query, Scratch, ScratchOf, Search,
};
use wayfare::space::{Cell, GridSpace, Measure, STRAIGHT};

use crate::cold::{self, Cold};
use crate::maps::{BenchMap, BenchQuery};

/// What answering all queries of a map took.
pub(crate) struct Measured {
    /// Microseconds, one a query: of several rounds the least.
    pub(crate) times: Vec<f64>,
    /// The same with cold caches.
    pub(crate) cold: Cold,
    /// How many answers have the length that the file gives.
    pub(crate) optimal: usize,
    /// What only our own searches tell.
    pub(crate) counts: Option<Counts>,
    /// What was made before the first query.
    pub(crate) index: Option<IndexCost>,
}

/// What an index costs.
#[derive(Clone, Copy)]
pub(crate) struct IndexCost {
    /// Seconds on all cores.
    pub(crate) seconds: f64,
    /// In memory.
    pub(crate) bytes: usize,
}

/// Means a query, and the scratch's size.
pub(crate) struct Counts {
    /// Expansions.
    pub(crate) expanded: f64,
    /// Allocations after the first round.
    pub(crate) allocations: f64,
    /// Bytes of scratch a cell.
    pub(crate) scratch_per_cell: f64,
}

/// Whether a length is the one given: the files round to 8 digits or, the old ones, to hundredths.
pub(crate) fn is_optimal(length: f64, optimal: f64) -> bool {
    (length - optimal).abs() <= 0.01 + 1e-6 * optimal
}

type Work<'g> = ScratchOf<GridSpace<'g>>;

/// What one timed query came to.
pub(crate) struct Run {
    pub(crate) micros: f64,
    /// In cells.
    pub(crate) length: f64,
    pub(crate) expanded: u64,
}

/// A*, with its cell-by-cell path.
pub(crate) fn astar(map: &BenchMap, rounds: usize) -> Measured {
    measure(map, rounds, |space, scratch, query| timed_cells(&AStar::new(), space, scratch, query))
}

/// The A* of the books, which knows the octile distance and nothing of rooms and gates.
pub(crate) fn astar_by_octile(map: &BenchMap, rounds: usize) -> Measured {
    measure(map, rounds, |space, scratch, query| {
        timed_cells(&AStar::with(Measure::Octile), space, scratch, query)
    })
}

/// Jump point search, with its cell-by-cell path.
pub(crate) fn jps_cells(map: &BenchMap, rounds: usize) -> Measured {
    measure(map, rounds, |space, scratch, query| timed_cells(&Jps, space, scratch, query))
}

/// Jump point search, with the jump points of its path alone.
pub(crate) fn jps_points(map: &BenchMap, rounds: usize) -> Measured {
    measure(map, rounds, |space, scratch, query| {
        let begun = crate::clock::begin();
        let mut search: JpsSearch<Cell, u32> = Jps.search(Query::new(query.start, query.goal));
        while search.step(space, scratch, &mut (), u64::MAX) == Progress::Working {}
        let JumpPoints { path, stats } = search.jump_points(space, scratch);
        let micros = crate::clock::micros(begun);
        let length = path.as_ref().map_or(f64::INFINITY, |path| f64::from(path.cost()));
        if let Some(path) = path {
            scratch.recycle(path);
        }
        Run { micros, length: length / f64::from(STRAIGHT), expanded: stats.expanded }
    })
}

fn timed_cells<'g, A: Algorithm>(
    algorithm: &A,
    space: &GridSpace<'g>,
    scratch: &mut Work<'g>,
    query: &BenchQuery,
) -> Run
where
    A::Search<Cell, u32>: Search<GridSpace<'g>>,
{
    let begun = crate::clock::begin();
    let search = &mut algorithm.search(Query::new(query.start, query.goal));
    let answer = search.finish(space, scratch, &mut ());
    let micros = crate::clock::micros(begun);
    let length = answer.outcome.path().map_or(f64::INFINITY, |path| space.length(path.states()));
    scratch.recycle(answer.outcome.into_path());
    Run { micros, length, expanded: answer.stats.expanded }
}

/// Answers all queries in one scratch.
fn measure<'g>(
    map: &'g BenchMap,
    rounds: usize,
    run: impl Fn(&GridSpace<'g>, &mut Work<'g>, &BenchQuery) -> Run,
) -> Measured {
    let space = map.grid.space();
    measure_in(map, rounds, Scratch::new(), Scratch::bytes, |scratch, query| {
        run(&space, scratch, query)
    })
}

/// Answers all queries in a scratch of any kind: a round to warm up, then the rounds that count,
/// with warm caches and with cold ones.
pub(crate) fn measure_in<W>(
    map: &BenchMap,
    rounds: usize,
    mut scratch: W,
    bytes: impl Fn(&W) -> usize,
    run: impl Fn(&mut W, &BenchQuery) -> Run,
) -> Measured {
    let (mut optimal, mut expanded) = (0, 0);
    for query in &map.queries {
        let run = run(&mut scratch, query);
        expanded += run.expanded;
        optimal += usize::from(is_optimal(run.length, query.optimal));
    }
    let mut times = vec![f64::INFINITY; map.queries.len()];
    let allocations = allocation_counter::measure(|| {
        for _ in 0..rounds {
            for (time, query) in times.iter_mut().zip(&map.queries) {
                *time = time.min(run(&mut scratch, query).micros);
            }
        }
    });
    let cold = cold::measure(map.queries.len(), rounds, |query| {
        run(&mut scratch, &map.queries[query]).micros
    });
    let queries = map.queries.len() as f64;
    let cells = f64::from(map.grid.width() * map.grid.height());
    let counts = Counts {
        expanded: expanded as f64 / queries,
        allocations: allocations.count_total as f64 / queries,
        scratch_per_cell: bytes(&scratch) as f64 / cells,
    };
    Measured { times, cold, optimal, counts: Some(counts), index: None }
}

/// One timed answer of a peer.
pub(crate) struct Timed {
    pub(crate) micros: f64,
    pub(crate) is_optimal: bool,
}

/// Answers all queries once with caches as the queries before leave them, and once with cold ones:
/// for peers that take milliseconds.
pub(crate) fn measure_once(
    queries: &[BenchQuery],
    mut run: impl FnMut(&BenchQuery) -> Timed,
) -> Measured {
    let timed: Vec<Timed> = queries.iter().map(&mut run).collect();
    let cold = cold::measure(queries.len(), 1, |query| run(&queries[query]).micros);
    Measured {
        times: timed.iter().map(|timed| timed.micros).collect(),
        cold,
        optimal: timed.iter().filter(|timed| timed.is_optimal).count(),
        counts: None,
        index: None,
    }
}
