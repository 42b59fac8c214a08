//! Our side with an index.

use std::ops::ControlFlow;
use std::time::Instant;

use wayfare::index::{GridIndex, IndexOptions, IndexScratch, IndexedGrid};
use wayfare::search::OutcomeOf;
use wayfare::space::{Cell, GridSpace, STRAIGHT};

use crate::maps::{BenchMap, BenchQuery};
use crate::ours::{IndexCost, Measured, Run, measure_in};

/// Larger indexes are given up: on maps of scattered obstacles they would take hundreds of
/// megabytes.
const MAX_BYTES: usize = 256 << 20;

/// What an index may take with the corners in sight of every cell; if they do not fit, that row is
/// without them.
const MOST_WITH_SIGHT: usize = 40_000_000;

/// Builds the map's index and measures the turning points and the cell-by-cell paths.
pub(crate) fn measure(
    map: &BenchMap,
    rounds: usize,
) -> Result<[(&'static str, Measured); 3], String> {
    let space = map.grid.space();
    let begun = Instant::now();
    let options = IndexOptions { max_bytes: MAX_BYTES };
    let mut index = GridIndex::build(&space, options, &mut |_| ControlFlow::Continue(()))
        .map_err(|error| error.to_string())?;
    let cost = IndexCost { seconds: begun.elapsed().as_secs_f64(), bytes: index.size_in_bytes() };
    type Ask<'g> = fn(&IndexedGrid<'g>, Cell, Cell, &mut IndexScratch) -> OutcomeOf<GridSpace<'g>>;
    let measured = |cost: IndexCost, run: &dyn Fn(&mut IndexScratch, &BenchQuery) -> Run| {
        let measured = measure_in(map, rounds, IndexScratch::new(), IndexScratch::bytes, run);
        Measured { index: Some(cost), ..measured }
    };
    let indexed = index.of(&space).map_err(|error| error.to_string())?;
    let asks: [Ask<'_>; 2] = [IndexedGrid::turns, IndexedGrid::path];
    let [turns, cells] =
        asks.map(|ask| measured(cost, &|scratch, query| timed(&indexed, scratch, query, ask)));
    let begun = Instant::now();
    index
        .note_sight(&space, MOST_WITH_SIGHT.saturating_sub(cost.bytes))
        .map_err(|error| error.to_string())?;
    let noted = IndexCost {
        seconds: cost.seconds + begun.elapsed().as_secs_f64(),
        bytes: index.size_in_bytes(),
    };
    let indexed = index.of(&space).map_err(|error| error.to_string())?;
    let sighted =
        measured(noted, &|scratch, query| timed(&indexed, scratch, query, IndexedGrid::turns));
    let names = crate::INDEXES;
    Ok([(names[0], turns), (names[1], cells), (names[2], sighted)])
}

fn timed<'g>(
    indexed: &IndexedGrid<'g>,
    scratch: &mut IndexScratch,
    query: &BenchQuery,
    ask: impl Fn(&IndexedGrid<'g>, Cell, Cell, &mut IndexScratch) -> OutcomeOf<GridSpace<'g>>,
) -> Run {
    let begun = crate::clock::begin();
    let outcome = ask(indexed, query.start, query.goal, scratch);
    let micros = crate::clock::micros(begun);
    let length = outcome.path().map_or(f64::INFINITY, |path| f64::from(path.cost()));
    scratch.recycle(outcome.into_path());
    Run { micros, length: length / f64::from(STRAIGHT), expanded: 0 }
}
