//! Searches in a game's loop of edits, ours beside a jump point search that keeps no tables.
//!
//! Tables of a map make searches fast, and an edit makes work for them: at once, or in the first
//! search afterwards. A search without tables has no such work. Here obstacles are put up and taken
//! away, with a few queries after each edit, and the time of the edits counts with that of the
//! queries.

use std::ops::ControlFlow;

use cpu_time::ThreadTime;

use wayfare::index::{GridIndex, IndexOptions};
use wayfare::navigate::{Engine, EngineId, IndexEngine, Navigator};
use wayfare::path::Path;
use wayfare::search::{Jps, Query, Scratch, Solver};
use wayfare::space::{Cell, Grid, GridProfile, TerrainId};

use crate::clock::micros;
use crate::edits::SIDE;
use crate::maps;
use crate::plain_jumps::{Place, PlainJumps};
use crate::report::{mean, percentile};

/// Obstacles put up in a loop.
const EDITS: usize = 200;
/// Batches of scattered cells put up in a loop.
const BATCHES: usize = 20;
/// Cells of such a batch.
const BATCH: usize = 10_000;
/// Obstacles that stand at once; one more, and the oldest is taken away.
const STANDING: usize = 20;
/// Longest side of an obstacle.
const LONGEST: u32 = 4;
/// Queries after every edit.
const QUERIES: usize = 10;
/// Rounds on the fresh grid; of each query's times the least counts.
const ROUNDS: usize = 3;
/// Places tried for an obstacle.
const TRIES: usize = 100_000;
/// What an index may take, and the corners in sight in it.
const INDEX_BYTES: usize = 256 << 20;
const SIGHT_BYTES: usize = 64 << 20;
/// Shorter second searches are no measure for a first one.
const SHORTEST_MICROS: f64 = 5.0;

type Ends = (Cell, Cell);

/// What is put up.
#[derive(Clone, Copy)]
enum Obstacle {
    /// Rectangles of free cells; the longest side.
    Rectangle(u32),
    /// Single cells anywhere; their number.
    Scattered(usize),
}

/// How often what is put up.
struct Loop {
    obstacle: Obstacle,
    count: usize,
    /// Obstacles that stand at once.
    standing: usize,
}

/// A cell that an edit blocks or opens.
#[derive(Clone, Copy)]
struct Change {
    cell: Cell,
    place: Place,
    terrain: TerrainId,
}

/// An edit and the queries after it.
struct Step {
    changes: Vec<Change>,
    queries: Vec<Ends>,
}

/// What the steps took.
#[derive(Default)]
struct Run {
    /// Microseconds, one an edit.
    edits: Vec<f64>,
    /// Microseconds, one a query.
    times: Vec<f64>,
    /// None where there is no way.
    costs: Vec<Option<u32>>,
}

/// The first and the last query after each edit: what it took, and asked again right after. The
/// last one tells how much of the difference is cold caches.
#[derive(Default)]
struct Again {
    first: Vec<(f64, f64)>,
    last: Vec<(f64, f64)>,
}

/// Measures every map found, then a map of 1024 x 1024 cells with trees.
///
/// Returns whether both searches found the same costs.
pub(crate) fn run(filter: &str, queries: usize) -> Result<bool, String> {
    head();
    let obstacles =
        Loop { obstacle: Obstacle::Rectangle(LONGEST), count: EDITS, standing: STANDING };
    let mut is_right = true;
    for path in maps::find(filter)? {
        let mut map = maps::load(&path, queries)?;
        let ends: Vec<Ends> = map.queries.iter().map(|query| (query.start, query.goal)).collect();
        is_right &= row(&map.name, &mut map.grid, &ends, &obstacles);
    }
    let cells = Loop { obstacle: Obstacle::Rectangle(1), count: EDITS, standing: STANDING };
    let batches = Loop { obstacle: Obstacle::Scattered(BATCH), count: BATCHES, standing: 0 };
    for (name, edits) in [("trees, a cell", cells), ("trees, 10,000", batches)] {
        let (mut grid, ends) = trees(queries)?;
        is_right &= row(name, &mut grid, &ends, &edits);
    }
    legend();
    Ok(is_right)
}

fn head() {
    println!(
        "{:<16} {:>8} {:>8} {:>9} {:>6} {:>8} {:>6} {:>7} {:>9} {:>9} {:>11} {:>7} {:>10} {:>7} \
         {:>9} {:>7} {:>7}",
        "map",
        "fresh µs",
        "loop µs",
        "plain µs",
        "lead",
        "index µs",
        "lead",
        "search",
        "edit µs",
        "p99",
        "first/again",
        "p99",
        "last/again",
        "p99",
        "worst µs",
        "no way",
        "differ"
    );
}

fn legend() {
    println!(
        "\nfresh: a query before any edit. loop: the same in the loop of edits, with their time.\n\
         plain: a jump point search without tables in that loop. lead: plain beside loop.\n\
         index: the loop with an index engine, made before it, that is told of the edits; its lead, \
         and the share of questions that it leaves to a search. -: no index.\n\
         first/again: the first search after an edit beside the same search again, the median of \
         those that then take {SHORTEST_MICROS} µs or more. last/again: likewise the last search \
         before the next edit. worst: the longest first search.\n\
         no way: queries without one; the means leave them out. differ: queries with two costs."
    );
}

/// Prints the row of a map; says whether all costs agree.
fn row(name: &str, grid: &mut Grid, ends: &[Ends], edits: &Loop) -> bool {
    let mut plain = plain(grid);
    let steps = Planner::new(grid, plain.clone(), ends).steps(edits);
    let fresh = fresh(grid, &steps);
    let mut unedited = grid.clone();
    let (ours, again) = ours(grid, &steps);
    let theirs = theirs(&mut plain, grid, &steps);
    let indexed = indexed(&mut unedited, &steps);
    let differing = |run: &Run| run.costs.iter().zip(&theirs.costs).filter(|(a, b)| a != b).count();
    let differ = differing(&ours) + indexed.as_ref().map_or(0, |(run, _)| differing(run));
    let no_way = ours.costs.iter().filter(|cost| cost.is_none()).count();
    let fresh = fresh.iter().zip(&ours.costs).filter(|(_, cost)| cost.is_some());
    let fresh: Vec<f64> = fresh.map(|(time, _)| *time).collect();
    let ratios = |times: &[(f64, f64)]| -> Vec<f64> {
        let long = times.iter().filter(|(_, again)| *again >= SHORTEST_MICROS);
        long.map(|(time, again)| time / again).collect()
    };
    let [first, last] = [ratios(&again.first), ratios(&again.last)];
    let by_index = indexed.map_or_else(
        || format!("{:>8} {:>6} {:>7}", "-", "-", "-"),
        |(run, searched)| {
            let (query, lead) = (run.a_query(), theirs.a_query() / run.a_query());
            format!("{query:>8.1} {lead:>6.2} {:>6.1}%", 100.0 * searched)
        },
    );
    println!(
        "{name:<16} {:>8.1} {:>8.1} {:>9.1} {:>6.2} {by_index} {:>9.2} {:>9.2} {:>11.2} {:>7.2} {:>10.2} {:>7.2} {:>9.1} \
         {no_way:>7} {differ:>7}",
        mean(&fresh),
        ours.a_query(),
        theirs.a_query(),
        theirs.a_query() / ours.a_query(),
        mean(&ours.edits),
        percentile(&ours.edits, 0.99),
        percentile(&first, 0.5),
        percentile(&first, 0.99),
        percentile(&last, 0.5),
        percentile(&last, 0.99),
        again.first.iter().fold(0.0, |most: f64, (first, _)| most.max(*first)),
    );
    differ == 0
}

impl Run {
    /// Notes the time and the cost of a query.
    fn push(&mut self, micros: f64, cost: Option<u32>) {
        self.times.push(micros);
        self.costs.push(cost);
    }

    /// Returns the microseconds of a query that has a way, with its share of the edits.
    fn a_query(&self) -> f64 {
        let ways = self.times.iter().zip(&self.costs).filter(|(_, cost)| cost.is_some());
        let times: Vec<f64> = ways.map(|(time, _)| *time).collect();
        mean(&times) + self.edits.iter().sum::<f64>() / times.len().max(1) as f64
    }
}

/// Asks all queries before any edit; returns the least times.
fn fresh(grid: &Grid, steps: &[Step]) -> Vec<f64> {
    let queries: Vec<Ends> = steps.iter().flat_map(|step| step.queries.iter().copied()).collect();
    let mut times = vec![f64::INFINITY; queries.len()];
    let mut solver = Solver::new();
    for _ in 0..ROUNDS {
        for (time, query) in times.iter_mut().zip(&queries) {
            *time = time.min(ask(&mut solver, grid, *query).0);
        }
    }
    times
}

/// Asks ours for a path cell by cell; returns its time and its cost.
fn ask(solver: &mut Solver<Cell, u32>, grid: &Grid, (start, goal): Ends) -> (f64, Option<u32>) {
    let begun = ThreadTime::now();
    let answer = solver.solve(&grid.space(), &Jps, Query::new(start, goal));
    let micros = micros(begun);
    let cost = answer.outcome.path().map(Path::cost);
    solver.recycle(answer.outcome.into_path());
    (micros, cost)
}

fn ours(grid: &mut Grid, steps: &[Step]) -> (Run, Again) {
    let (mut run, mut again, mut solver) = (Run::default(), Again::default(), Solver::new());
    for step in steps {
        let begun = ThreadTime::now();
        grid.set_terrains(step.changes.iter().map(|change| (change.cell, change.terrain)));
        run.edits.push(micros(begun));
        for (number, query) in step.queries.iter().enumerate() {
            let (time, cost) = ask(&mut solver, grid, *query);
            run.push(time, cost);
            if number == 0 {
                again.first.push((time, ask(&mut solver, grid, *query).0));
            } else if number + 1 == step.queries.len() {
                again.last.push((time, ask(&mut solver, grid, *query).0));
            }
        }
    }
    (run, again)
}

/// Asks an index engine that is told of the edits, and jumps where it has no answer. Returns the
/// share of those questions, too; `None` where no index can be made.
fn indexed(grid: &mut Grid, steps: &[Step]) -> Option<(Run, f64)> {
    let options = IndexOptions { max_bytes: INDEX_BYTES };
    let mut index =
        GridIndex::build(&grid.space(), options, &mut |_| ControlFlow::Continue(())).ok()?;
    index.note_sight(&grid.space(), SIGHT_BYTES).ok()?;
    let mut engine = IndexEngine::new(&grid.space(), index).ok()?;
    let (mut run, mut scratch, mut searched) = (Run::default(), Scratch::new(), 0);
    for step in steps {
        let begun = ThreadTime::now();
        let edit =
            grid.set_terrains(step.changes.iter().map(|change| (change.cell, change.terrain)));
        engine.world_changed(&grid.space(), &edit.cells);
        run.edits.push(micros(begun));
        for &(start, goal) in &step.queries {
            let begun = ThreadTime::now();
            let navigator = Navigator::new(grid.space()).with(&engine);
            let answered = navigator.ask(Query::new(start, goal), &mut scratch);
            let time = micros(begun);
            searched += u32::from(answered.took.engine == EngineId::Search);
            run.push(time, answered.outcome.path().map(Path::cost));
            scratch.recycle(answered.outcome.into_path());
        }
    }
    let share = f64::from(searched) / run.costs.len().max(1) as f64;
    Some((run, share))
}

fn theirs(plain: &mut PlainJumps, grid: &Grid, steps: &[Step]) -> Run {
    let mut run = Run::default();
    for step in steps {
        let begun = ThreadTime::now();
        for change in &step.changes {
            plain.set(change.place, change.terrain != TerrainId::BLOCKED);
        }
        run.edits.push(micros(begun));
        for &(start, goal) in &step.queries {
            let (start, goal) = (grid.coordinates(start).into(), grid.coordinates(goal).into());
            let begun = ThreadTime::now();
            let found = std::hint::black_box(plain.find(start, goal));
            run.push(micros(begun), found.map(|(_, cost)| cost));
        }
    }
    run
}

/// Returns the cells of the first medium for the peer: all that agents on land can enter.
fn plain(grid: &Grid) -> PlainJumps {
    let mut plain = PlainJumps::new(grid.width(), grid.height());
    let space = grid.space();
    let costs = &space.profile().costs;
    for cell in grid.cells() {
        let is_land = costs.get(grid.terrain(cell)).is_some_and(|cost| cost.medium.0 == 0);
        plain.set(grid.coordinates(cell).into(), is_land);
    }
    plain
}

/// A draw of numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % bound.max(1)
    }
}

/// Chooses edits and queries.
struct Planner<'a> {
    grid: &'a Grid,
    /// The map as the edits so far leave it.
    plain: PlainJumps,
    ends: &'a [Ends],
    draw: Draw,
}

impl<'a> Planner<'a> {
    fn new(grid: &'a Grid, plain: PlainJumps, ends: &'a [Ends]) -> Self {
        Self { grid, plain, ends, draw: Draw(1) }
    }

    /// Returns the steps of a loop.
    fn steps(mut self, edits: &Loop) -> Vec<Step> {
        let (mut steps, mut standing) = (Vec::new(), std::collections::VecDeque::new());
        for _ in 0..edits.count {
            let Some(cells) = self.obstacle(edits.obstacle) else { break };
            steps.push(self.step(&cells, |_| TerrainId::BLOCKED));
            standing.push_back(cells);
            if standing.len() > edits.standing {
                let oldest = standing.pop_front().unwrap_or_default();
                let grid = self.grid;
                steps.push(self.step(&oldest, |cell| grid.terrain(cell)));
            }
        }
        steps
    }

    fn step(&mut self, cells: &[Cell], terrain: impl Fn(Cell) -> TerrainId) -> Step {
        let change = |&cell: &Cell| {
            let place = self.grid.coordinates(cell).into();
            Change { cell, place, terrain: terrain(cell) }
        };
        let changes: Vec<Change> = cells.iter().map(change).collect();
        for change in &changes {
            self.plain.set(change.place, change.terrain != TerrainId::BLOCKED);
        }
        let queries = (0..QUERIES).filter_map(|_| self.query()).collect();
        Step { changes, queries }
    }

    /// Returns a query whose ends are free, if there is one.
    fn query(&mut self) -> Option<Ends> {
        let first = self.draw.below(self.ends.len() as u32) as usize;
        let mut ends = self.ends.iter().cycle().skip(first).take(self.ends.len());
        ends.find(|(start, goal)| self.is_free(*start) && self.is_free(*goal)).copied()
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.plain.is_free(self.grid.coordinates(cell).into())
    }

    /// Returns free cells to block.
    fn obstacle(&mut self, obstacle: Obstacle) -> Option<Vec<Cell>> {
        match obstacle {
            Obstacle::Rectangle(longest) => (0..TRIES).find_map(|_| self.rectangle(longest)),
            Obstacle::Scattered(count) => Some(self.scattered(count)),
        }
    }

    /// Returns the cells of a rectangle at a random place, if all are free.
    fn rectangle(&mut self, longest: u32) -> Option<Vec<Cell>> {
        let (width, height) = (1 + self.draw.below(longest), 1 + self.draw.below(longest));
        let (left, top) = (self.draw.below(self.grid.width()), self.draw.below(self.grid.height()));
        let places = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        places.map(|(x, y)| self.grid.cell(x, y).filter(|&cell| self.is_free(cell))).collect()
    }

    fn scattered(&mut self, count: usize) -> Vec<Cell> {
        let mut cells = Vec::with_capacity(count);
        for _ in 0..TRIES {
            let at = (self.draw.below(self.grid.width()), self.draw.below(self.grid.height()));
            cells.extend(self.grid.cell(at.0, at.1).filter(|&cell| self.is_free(cell)));
            if cells.len() == count {
                break;
            }
        }
        cells
    }
}

/// Returns open ground of [`SIDE`] x [`SIDE`] cells with a tree on every twentieth, and queries.
fn trees(queries: usize) -> Result<(Grid, Vec<Ends>), String> {
    let mut draw = Draw(2);
    let terrain: Vec<TerrainId> = (0..SIDE * SIDE)
        .map(|_| if draw.below(20) == 0 { TerrainId::BLOCKED } else { TerrainId::GROUND })
        .collect();
    let grid = Grid::new(SIDE, SIDE, &terrain, GridProfile::default())
        .map_err(|error| error.to_string())?;
    let mut end = || grid.cell(draw.below(SIDE), draw.below(SIDE));
    let ends = (0..queries).filter_map(|_| Some((end()?, end()?))).collect();
    Ok((grid, ends))
}
