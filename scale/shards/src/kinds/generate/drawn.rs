//! Queries on maps that are there, their ends drawn by lot.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, Float64Array, ListBuilder, StringArray, UInt32Array, UInt32Builder, UInt64Array,
};
use arrow::record_batch::RecordBatch;
use wayfare::search::AlgorithmId;
use wayfare_site::{Clock, Ending, Endpoints, Place, SearchRequest, Site};

use super::Generate;
use super::made::coordinates;
use crate::kinds::places::{largest_region, random};
use crate::kinds::worlds;
use crate::plan::{Input, Items, Planning, Slice};
use crate::rows::rows;
use crate::shard::Solving;
use crate::{BatchError, Plan};

/// Seconds of a query that is drawn, of one that is solved beside its search, and of its search for
/// each state of the map. Not measured where the plan is made: a plan is the same everywhere.
const SECONDS_OF_A_DRAW: f64 = 150e-9;
const SECONDS_OF_A_QUERY: f64 = 10e-6;
const SECONDS_OF_A_STATE: f64 = 0.1e-9;
/// The most queries of a shard: what a worker holds at a time, with some 150 bytes each.
const MOST_QUERIES: u64 = 1_000_000;

thread_local! {
    /// The free states of the largest region of the thread's last map, by its hash and agent.
    static REGION: RefCell<Option<(String, Rc<Vec<u32>>)>> = const { RefCell::new(None) };
}

/// A query that was solved.
#[derive(Default)]
struct Solved {
    status: &'static str,
    reason: Option<String>,
    length: Option<f64>,
    path: Vec<u32>,
}

/// Draws two different states of a region: a function of the seed, the map and the query's number.
fn ends(states: &[u32], seed: u64, number: u64) -> Endpoints {
    let count = states.len() as u64;
    let start = random(seed, 2 * number) % count;
    let others = random(seed, 2 * number + 1) % (count - 1);
    let goal = others + u64::from(others >= start);
    Endpoints { start: states[start as usize], goal: states[goal as usize] }
}

/// Returns the seed of the draws on a map: two maps have different ones.
fn seed_of(seed: u64, map: &Input) -> u64 {
    let hash = u64::from_str_radix(map.hash.get(..16).unwrap_or_default(), 16);
    random(seed ^ hash.unwrap_or_default(), 0)
}

impl Generate {
    pub(super) fn slices_of_maps(&self, planning: &Planning) -> Result<Vec<Slice>, BatchError> {
        let mut slices = Vec::new();
        for map in planning.matching(&self.maps, "maps")? {
            let name = planning.found(map).name;
            let (inputs, site) =
                planning.world(&name, |path, files| worlds::open(path, files, &self.agent))?;
            check(&name, site.as_ref())?;
            let states = site.about().states as f64;
            let seconds = match self.is_solved() {
                true => SECONDS_OF_A_QUERY + SECONDS_OF_A_STATE * states,
                false => SECONDS_OF_A_DRAW,
            };
            let items = Items { count: self.queries, seconds, before: 0.0, most: MOST_QUERIES };
            slices.extend(planning.cut(&items, &inputs, ""));
        }
        Ok(slices)
    }

    /// Returns the states that queries of a map are drawn from.
    fn region(&self, map: &Input, site: &dyn Site) -> Rc<Vec<u32>> {
        let name = format!("{} {}", map.hash, self.agent);
        REGION.with_borrow_mut(|kept| match kept {
            Some((known, states)) if *known == name => states.clone(),
            _ => {
                let states = Rc::new(largest_region(site));
                *kept = Some((name, states.clone()));
                states
            }
        })
    }

    pub(super) fn draw(&self, solving: &Solving<'_>) -> Result<RecordBatch, BatchError> {
        let Solving { plan, shard, progress, .. } = solving;
        let map = &plan.inputs[shard.inputs[0]];
        let site = worlds::site(plan, shard.inputs[0], &self.agent)?;
        let states = self.region(map, site.as_ref());
        let seed = seed_of(plan.job.seed, map);
        let numbers = shard.first..shard.first + shard.count;
        let mut drawn = Vec::with_capacity(shard.count as usize);
        for (row, number) in numbers.clone().enumerate() {
            drawn.push(ends(&states, seed, number));
            if row % 65_536 == 0 {
                progress.advance(0)?;
            }
        }
        let mut columns = columns(&map.hash, numbers, site.as_ref(), &drawn);
        if self.is_solved() {
            let mut all = Vec::with_capacity(drawn.len());
            let mut searcher = site.searcher();
            for &ends in &drawn {
                let request = SearchRequest::new(AlgorithmId::Auto, ends);
                let request = SearchRequest { clock: Clock::NONE, ..request };
                let report = searcher.run(&request, &mut |_| ());
                all.push(self.solved(site.as_ref(), &report));
                progress.advance(1)?;
            }
            self.add_solved(&mut columns, &all);
        } else {
            progress.advance(shard.count)?;
        }
        Ok(rows(columns))
    }

    fn solved(&self, site: &dyn Site, report: &wayfare_site::SearchReport) -> Solved {
        if let Some(fault) = &report.fault {
            return Solved { status: "fault", reason: Some(fault.clone()), ..Solved::default() };
        }
        let states = report.path.iter().map(|step| step.state);
        match report.ending {
            Ending::Found => Solved {
                status: "found",
                reason: None,
                length: Some(report.length),
                path: match self.paths {
                    true => states.flat_map(|state| coordinates(&site.place(state))).collect(),
                    false => Vec::new(),
                },
            },
            Ending::NoPath(why) => {
                Solved { status: "no path", reason: Some(why.to_string()), ..Solved::default() }
            }
            other => Solved {
                status: "limit",
                reason: Some(other.name().to_owned()),
                ..Solved::default()
            },
        }
    }

    fn add_solved(&self, columns: &mut Vec<(&str, ArrayRef)>, all: &[Solved]) {
        let lengths = Float64Array::from_iter(all.iter().map(|it| it.length));
        let status = StringArray::from_iter_values(all.iter().map(|it| it.status));
        let reasons = StringArray::from_iter(all.iter().map(|it| it.reason.as_deref()));
        columns.push(("optimal_length", Arc::new(lengths)));
        columns.push(("status", Arc::new(status)));
        columns.push(("reason", Arc::new(reasons)));
        if self.paths {
            let mut paths = ListBuilder::new(UInt32Builder::new());
            for solved in all {
                paths.values().append_slice(&solved.path);
                paths.append(solved.length.is_some());
            }
            columns.push(("path", Arc::new(paths.finish())));
        }
    }

    /// Returns the files of the maps of a plan, each once: the first input of each shard.
    pub(super) fn maps_of<'p>(&self, plan: &'p Plan) -> Vec<&'p Input> {
        let mut maps: Vec<&Input> = Vec::new();
        for shard in &plan.shards {
            let map = &plan.inputs[shard.inputs[0]];
            if !maps.contains(&map) {
                maps.push(map);
            }
        }
        maps
    }
}

/// Refuses a map that queries cannot be drawn on.
fn check(name: &str, site: &dyn Site) -> Result<(), BatchError> {
    let refuse = |problem: &str| Err(BatchError::faulty(name, problem));
    if !["cell", "voxel"].contains(&site.about().state) {
        return refuse("queries are drawn on maps of tiles and in worlds of blocks");
    }
    if !site.knows_regions() {
        return refuse("it is too large to know which places are connected");
    }
    if largest_region(site).len() < 2 {
        return refuse("no two places are connected");
    }
    Ok(())
}

/// Returns the columns that `[queries]` reads, and the number of each query on its map.
fn columns(
    map: &str,
    numbers: std::ops::Range<u64>,
    site: &dyn Site,
    drawn: &[Endpoints],
) -> Vec<(&'static str, ArrayRef)> {
    let places = |end: fn(&Endpoints) -> u32| drawn.iter().map(move |ends| site.place(end(ends)));
    let axis = |end: fn(&Endpoints) -> u32, axis: usize| -> ArrayRef {
        let value = |place: Place| match place {
            Place::Cell { x, y } => [x, y, 0][axis],
            Place::Block { x, y, z } => [x, y, z][axis],
            _ => 0,
        };
        Arc::new(UInt32Array::from_iter_values(places(end).map(value)))
    };
    let has_heights = site.about().state == "voxel";
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("map", Arc::new(StringArray::from_iter_values(std::iter::repeat_n(map, drawn.len())))),
        ("query", Arc::new(UInt64Array::from_iter_values(numbers))),
    ];
    let (start, goal) = (|ends: &Endpoints| ends.start, |ends: &Endpoints| ends.goal);
    columns.extend([("start_x", axis(start, 0)), ("start_y", axis(start, 1))]);
    columns.extend(has_heights.then(|| ("start_z", axis(start, 2))));
    columns.extend([("goal_x", axis(goal, 0)), ("goal_y", axis(goal, 1))]);
    columns.extend(has_heights.then(|| ("goal_z", axis(goal, 2))));
    columns
}
