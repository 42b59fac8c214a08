//! Travel times from many places to many.

use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{AsArray, Float32Array, Float32Builder, ListBuilder, UInt32Array};
use arrow::datatypes::Float32Type;
use arrow::record_batch::RecordBatch;
use serde::{Deserialize, Serialize};
use wayfare::search::{DistanceField, DistanceFieldSearch, FieldQuery, Progress, Scratch};
use wayfare::space::{Cell, Grid, StateId};
use wayfare_site::{
    Clock, Endpoints, EngineName, GridView, Preparation, SearchRequest, Searcher, Site,
};

use super::table_picture::TimedMap;
use super::worlds::site;
use super::{Kind, places};
use crate::plan::{Items, Planning, Slice};
use crate::rows::{encode, rows};
use crate::shard::Solving;
use crate::{BatchError, Notes, Plan, Results};

/// Seconds of a field for each state of the world, and of a time read from it. Not measured where
/// the plan is made: a plan is the same everywhere.
const SECONDS_OF_A_STATE: f64 = 60e-9;
const SECONDS_OF_A_TIME: f64 = 20e-9;
/// The most times in a shard: what a worker holds at a time, at 4 bytes each.
const MOST_TIMES: u64 = 8_000_000;

/// Travel times from many places to many: `[tables]`. A row is a destination; `seconds` has the
/// time from each place to it, null where there is no way. Each row is read from one distance
/// field.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tables {
    /// The world.
    pub world: String,
    /// How the agent moves: "neighbours=4 width=2". Default: as the world says.
    #[serde(default)]
    pub agent: String,
    /// The places: their number, to be drawn by lot in the largest region, or a Parquet file with
    /// the columns `x` and `y` (and `z`).
    pub places: Places,
    /// The agent's speed in units of the world a second, cells or metres. Default: 1.
    #[serde(default = "one")]
    pub speed: f64,
}

fn one() -> f64 {
    1.0
}

/// The places of [`Tables`].
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum Places {
    /// The number of places, drawn by lot.
    Drawn(u32),
    /// Those of a file.
    Listed(String),
}

impl Tables {
    fn places(
        &self,
        site: &dyn Site,
        seed: u64,
        listed: impl FnOnce() -> crate::plan::Input,
    ) -> Result<Vec<u32>, BatchError> {
        match &self.places {
            Places::Drawn(count) => places::drawn(site, *count as usize, seed),
            Places::Listed(_) => places::listed(&listed(), site),
        }
    }

    /// Returns the places of a plan. Its first input is the world, its last one the list of places.
    pub(crate) fn places_of(&self, plan: &Plan, site: &dyn Site) -> Result<Vec<u32>, BatchError> {
        self.places(site, plan.job.seed, || plan.inputs[plan.inputs.len() - 1].clone())
    }

    fn seconds_of_cost(&self, site: &dyn Site) -> f64 {
        1.0 / (site.about().unit_cost * self.speed)
    }
}

impl Kind for Tables {
    fn name(&self) -> &'static str {
        "tables"
    }

    fn items(&self) -> &'static str {
        "destinations"
    }

    fn summary(&self) -> Option<&'static str> {
        Some(
            "SELECT count(*) AS times, count(seconds) AS reached, round(min(seconds), 1) AS shortest, \
             round(avg(seconds), 1) AS mean, round(approx_percentile_cont(seconds, 0.5), 0) AS median, \
             round(approx_percentile_cont(seconds, 0.9), 0) AS p90, round(max(seconds), 1) AS longest \
             FROM (SELECT unnest(seconds) AS seconds FROM results)",
        )
    }

    fn slices(&self, planning: &Planning) -> Result<Vec<Slice>, BatchError> {
        if !(self.speed > 0.0 && self.speed.is_finite()) {
            return Err(BatchError::faulty("`speed`", "it is above 0"));
        }
        let (mut inputs, site) = planning
            .world(&self.world, |path, files| super::worlds::open(path, files, &self.agent))?;
        if let Places::Listed(file) = &self.places {
            inputs.push(planning.input(file)?);
        }
        let last = planning.found(inputs[inputs.len() - 1]);
        let places = self.places(site.as_ref(), planning.seed, || last)?.len() as u64;
        if places == 0 {
            return Err(BatchError::faulty("`places`", "there are none"));
        }
        let states = site.count_free().unwrap_or(site.about().states) as f64;
        let seconds = SECONDS_OF_A_STATE * states + SECONDS_OF_A_TIME * places as f64;
        let most = (MOST_TIMES / places).max(1);
        let items = Items { count: places, seconds, before: 0.0, most };
        Ok(planning.cut(&items, &inputs, ""))
    }

    fn solve(&self, solving: &Solving<'_>) -> Result<RecordBatch, BatchError> {
        let Solving { plan, shard, progress, .. } = solving;
        let site = site(plan, shard.inputs[0], &self.agent)?;
        let places = self.places_of(plan, site.as_ref())?;
        let seconds_of_cost = self.seconds_of_cost(site.as_ref());
        let mut times = ListBuilder::new(Float32Builder::new());
        let destinations = shard.first..shard.first + shard.count;
        let mut fields = Fields::of(&site);
        for destination in destinations.clone() {
            fields.aim(places[destination as usize])?;
            for &origin in &places {
                let seconds =
                    fields.cost(origin).map(|cost| (cost as f64 * seconds_of_cost) as f32);
                times.values().append_option(seconds);
            }
            times.append(true);
            progress.advance(1)?;
        }
        let to = UInt32Array::from_iter_values(destinations.map(|place| place as u32));
        Ok(rows(vec![("to", Arc::new(to)), ("seconds", Arc::new(times.finish()))]))
    }

    fn finish(&self, results: &Results<'_>) -> Result<Vec<String>, BatchError> {
        let plan = results.plan;
        let site = site(plan, plan.shards[0].inputs[0], &self.agent)?;
        let places = self.places_of(plan, site.as_ref())?;
        let positions: Vec<[f32; 3]> =
            places.iter().map(|&place| site.position(place).to_array()).collect();
        let axis = |axis: usize| {
            Arc::new(Float32Array::from_iter_values(positions.iter().map(|place| place[axis])))
        };
        let list = rows(vec![
            ("place", Arc::new(UInt32Array::from_iter_values(0..places.len() as u32))),
            ("state", Arc::new(UInt32Array::from(places.clone()))),
            ("x", axis(0)),
            ("y", axis(1)),
            ("z", axis(2)),
        ]);
        results.store.write("places.parquet", encode(&list, &Notes::new())?)?;
        let mut products = vec!["places.parquet".to_owned()];
        if let Some(view) = site.grid() {
            let picture = self.picture(results, &site, view.grid, &places)?;
            results.store.write("map.png", picture)?;
            products.push("map.png".to_owned());
        }
        Ok(products)
    }
}

impl Tables {
    /// Returns the mean time from all other places to each; infinite where one has no way.
    fn means(&self, results: &Results<'_>) -> Result<Vec<f64>, BatchError> {
        let mut means = Vec::new();
        for shard in 0..results.plan.shards.len() {
            for batch in results.store.rows(&results.plan.file_of(shard), 0, u64::MAX >> 1)? {
                let Some(times) = batch.column_by_name("seconds") else { continue };
                for times in times.as_list::<i32>().iter().flatten() {
                    let times = times.as_primitive::<Float32Type>();
                    let sum: f64 =
                        times.iter().map(|time| time.map_or(f64::INFINITY, f64::from)).sum();
                    means.push(sum / (times.len().max(2) - 1) as f64);
                }
            }
        }
        Ok(means)
    }

    fn picture(
        &self,
        results: &Results<'_>,
        site: &Rc<dyn Site>,
        grid: &Grid,
        places: &[u32],
    ) -> Result<Vec<u8>, BatchError> {
        let means = self.means(results)?;
        let best = (0..means.len()).min_by(|&one, &other| means[one].total_cmp(&means[other]));
        let best = best.unwrap_or_default();
        let mut fields = Fields::of(site);
        fields.aim(places[best])?;
        let seconds_of_cost = self.seconds_of_cost(site.as_ref());
        let (columns, rows) = (grid.width(), grid.height());
        let mut time = |x: u32, y: u32| {
            let cost = grid.cell(x, y).and_then(|cell| fields.cost(cell.index()));
            cost.map_or(f32::NAN, |cost| (cost as f64 * seconds_of_cost) as f32)
        };
        let seconds = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        let seconds = seconds.map(|(x, y)| time(x, y)).collect();
        let coordinates = |&place: &u32| {
            let at = grid.coordinates(Cell::from_index(place));
            [at.x, at.y]
        };
        let map = TimedMap {
            title: format!("{}: travel times on {}", results.plan.job.name, site.about().name),
            columns,
            rows,
            seconds,
            places: places.iter().map(coordinates).collect(),
            best,
            mean: means[best] as f32,
        };
        let drawn = map.draw().and_then(|picture| picture.to_png());
        drawn.map_err(|error| BatchError::faulty("map.png", error))
    }
}

/// Costs to one state after another.
enum Fields<'s> {
    Grid {
        view: GridView<'s>,
        scratch: Box<Scratch<Cell, u64>>,
        field: Box<DistanceField<Cell, u64>>,
    },
    /// Any other world: each cost by a path that is read from a prepared field.
    Other { searcher: Box<dyn Searcher>, goal: u32 },
}

impl<'s> Fields<'s> {
    fn of(site: &'s Rc<dyn Site>) -> Self {
        match site.grid() {
            Some(view) => Self::Grid { view, scratch: Box::default(), field: Box::default() },
            None => Self::Other { searcher: site.searcher(), goal: 0 },
        }
    }

    fn aim(&mut self, at: u32) -> Result<(), BatchError> {
        match self {
            Self::Grid { view, scratch, field } => {
                let space = view.space();
                let mut search =
                    DistanceFieldSearch::new(FieldQuery::inward([Cell::from_index(at)]));
                while search.step(&space, scratch, &mut (), u64::MAX) == Progress::Working {}
                search
                    .into_field(&space, scratch, field)
                    .map_err(|error| BatchError::faulty(format!("place {at}"), error))
            }
            Self::Other { searcher, goal } => {
                *goal = at;
                let prepared = searcher.prepare(Preparation::Field { goal: at }, Clock::NONE);
                prepared
                    .map(|_| ())
                    .map_err(|error| BatchError::faulty(format!("place {at}"), error))
            }
        }
    }

    fn cost(&mut self, from: u32) -> Option<u64> {
        match self {
            Self::Grid { field, .. } => field.cost(Cell::from_index(from)),
            Self::Other { searcher, goal } => {
                let ends = Endpoints { start: from, goal: *goal };
                let report =
                    searcher.run(&SearchRequest::new(EngineName::Field, ends), &mut |_| ());
                report.is_found().then(|| report.cost())
            }
        }
    }
}
