//! Our side.

use cpu_time::ThreadTime;

use wayfare::search::{AStar, Algorithm, Query, Scratch, Search};

use crate::maps::BenchMap;

/// What answering all queries of a map took.
pub(crate) struct Measured {
    /// Microseconds, one a query.
    pub(crate) times: Vec<f64>,
    /// How many answers have the length that the file gives.
    pub(crate) optimal: usize,
    /// Mean expansions a query, where known.
    pub(crate) expanded: Option<f64>,
    /// Allocations a query after the first round, where counted.
    pub(crate) allocations: Option<f64>,
    /// Bytes of scratch a cell, where known.
    pub(crate) scratch_per_cell: Option<f64>,
}

/// Whether a length is the one given: the files round to 8 digits or, the old ones, to hundredths.
pub(crate) fn is_optimal(length: f64, optimal: f64) -> bool {
    (length - optimal).abs() <= 0.01 + 1e-6 * optimal
}

/// A*, cell by cell, in one scratch.
pub(crate) fn measure(map: &BenchMap) -> Measured {
    let space = map.grid.space();
    let mut scratch = Scratch::new();
    let (mut optimal, mut expanded) = (0, 0);
    let answer = |query: &crate::maps::BenchQuery, scratch: &mut _| {
        let begun = ThreadTime::now();
        let answer = AStar::new().search(Query::new(query.start, query.goal)).finish(
            &space,
            scratch,
            &mut (),
        );
        (begun.elapsed().as_secs_f64() * 1e6, answer)
    };
    for query in &map.queries {
        let (_, answer) = answer(query, &mut scratch);
        expanded += answer.stats.expanded;
        if let Some(path) = answer.outcome.path() {
            optimal += usize::from(is_optimal(space.length(path.states()), query.optimal));
        }
        scratch.recycle(answer.outcome.into_path());
    }
    let mut times = Vec::with_capacity(map.queries.len());
    let allocations = allocation_counter::measure(|| {
        for query in &map.queries {
            let (time, answer) = answer(query, &mut scratch);
            times.push(time);
            scratch.recycle(answer.outcome.into_path());
        }
    });
    let queries = map.queries.len() as f64;
    Measured {
        times,
        optimal,
        expanded: Some(expanded as f64 / queries),
        allocations: Some(allocations.count_total as f64 / queries),
        scratch_per_cell: Some(
            scratch.bytes() as f64 / f64::from(map.grid.width() * map.grid.height()),
        ),
    }
}
