//! Engines on the queries of benchmarks, each cost checked.

mod contest;
mod meter;
mod sheet;
mod trial;

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt64Array};
use arrow::record_batch::RecordBatch;
use serde::{Deserialize, Serialize};
use wayfare::search::{AlgorithmId, Guarantee};
use wayfare_site::EngineName;

use contest::{Answer, Contest};
use trial::{Listed, Trial};

use super::Kind;
use crate::plan::{Items, Planning, Slice};
use crate::rows::rows;
use crate::shard::Solving;
use crate::{BatchError, Results};

/// Seconds of an expansion, and of a query beside its search. Not measured where the plan is made:
/// a plan is the same everywhere.
const SECONDS_OF_AN_EXPANSION: f64 = 50e-9;
const SECONDS_OF_A_QUERY: f64 = 10e-6;
/// The most queries of a shard: what a worker holds at a time.
const MOST: u64 = 1_000_000;
/// IDA* on a misled query may go on for years.
const IDASTAR_EXPANSIONS: u64 = 2_000_000;

/// Engines on the queries of benchmarks: `[bench]`. A row is a query as one engine answers it, with
/// its time, and with its cost checked against the file.
///
/// | status | is right | |
/// |---|---|---|
/// | found | yes | the path is valid, its length is the file's |
/// | longer | yes | the path is valid and longer, by no more than the engine promises |
/// | shorter | yes | the path is valid and shorter: of an engine that moves at any angle |
/// | no path | yes | there is none, as the file says |
/// | limit | null | given up after `max-expansions` |
/// | refused | null | the engine does not suit the query, and another one answered |
/// | wrong | no | anything else; `reason` says what |
///
/// A map lies beside the scenario that names it. `ns` is processor time of the thread; instructions
/// are null where the kernel lets no program count its own.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Bench {
    /// The files with queries, `.scen`, `.3dscen` or `.meshscen`; patterns may be used.
    pub scenarios: Vec<String>,
    /// The engines. Speedups are against the first one.
    pub engines: Vec<String>,
    /// The most queries of a scenario, spread evenly over it. Default: all.
    #[serde(default)]
    pub limit: Option<u64>,
    /// How often each query is answered: the fastest time counts. Default: 3.
    #[serde(default = "three")]
    pub repeat: u32,
    /// The expansions after which a query is given up. Default: never; IDA\* after 2 million.
    #[serde(default)]
    pub max_expansions: Option<u64>,
}

fn three() -> u32 {
    3
}

/// Returns the index in a scenario of `all` queries of the one with a number among the `wanted`
/// ones.
fn index(number: u64, wanted: u64, all: u64) -> u64 {
    (u128::from(number) * u128::from(all) / u128::from(wanted.max(1))) as u64
}

impl Bench {
    /// Returns the job of a shard: what changes no row of it is left out. One engine or scenario
    /// more leaves the others' shards as they are.
    pub(crate) fn of_a_shard(&self) -> Self {
        Self { scenarios: Vec::new(), engines: Vec::new(), ..self.clone() }
    }

    /// Returns the engines in the job's order.
    fn engines(&self) -> Result<Vec<EngineName>, BatchError> {
        let bad = |problem: String| BatchError::faulty("`engines`", problem);
        let mut engines = Vec::new();
        for name in &self.engines {
            let engine: EngineName = name.parse().map_err(|error| bad(format!("{error}")))?;
            if engine == EngineName::Field {
                return Err(bad(
                    "a field answers for one goal, and a benchmark has many".to_owned()
                ));
            }
            if engines.contains(&engine) {
                return Err(bad(format!("{engine} is there twice")));
            }
            engines.push(engine);
        }
        match engines.is_empty() {
            true => Err(bad("there are none; as engines = [\"astar\", \"jps\"]".to_owned())),
            false => Ok(engines),
        }
    }

    fn wanted(&self, all: u64) -> u64 {
        self.limit.map_or(all, |limit| limit.min(all))
    }

    fn max_expansions(&self, engine: EngineName) -> Option<u64> {
        let cap = (engine == AlgorithmId::IdaStar.into()).then_some(IDASTAR_EXPANSIONS);
        self.max_expansions.or(cap)
    }

    /// Plans the queries of a scenario, by one engine after the other.
    fn slices_of(
        &self,
        planning: &Planning,
        scenario: usize,
        engines: &[EngineName],
    ) -> Result<Vec<Slice>, BatchError> {
        let (content, name) = (planning.content(scenario)?, planning.found(scenario).name);
        let listed = Listed::read(&content, &name)?;
        if let Some(engine) = engines.iter().find(|engine| !suits(**engine, &listed)) {
            let problem = format!(
                "{engine} is not for {}, which {name} is on; make a job of its own for it",
                listed.ground()
            );
            return Err(BatchError::faulty("`engines`", problem));
        }
        let map = map_beside(planning, &name, &listed)?;
        let (files, trial) =
            planning.world(&map, |path, files| Trial::open(&listed, &name, path, files))?;
        let mut inputs = vec![scenario];
        inputs.extend(files);
        let lengths = listed.lengths();
        let wanted = self.wanted(lengths.len() as u64);
        let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        let states = trial.site.about().states as f64;
        let mut slices = Vec::new();
        for &engine in engines {
            let repeats = f64::from(self.repeat + 1);
            let seconds = repeats * (SECONDS_OF_A_QUERY + search(engine, &listed, mean, states));
            let before = preparation(engine, states);
            // An engine is prepared by every worker: its queries take as long at least.
            let items = Items { count: wanted, seconds, before, most: MOST };
            slices.extend(planning.cut(&items, &inputs, engine.name()));
        }
        Ok(slices)
    }
}

/// Returns whether an engine is for worlds of that kind.
fn suits(engine: EngineName, listed: &Listed) -> bool {
    match engine {
        EngineName::Polyanya | EngineName::Corridor => matches!(listed, Listed::Mesh(_)),
        EngineName::Hierarchy => matches!(listed, Listed::Ground(_)),
        EngineName::Index => !matches!(listed, Listed::Air(_)),
        EngineName::Search(AlgorithmId::Auto) => true,
        EngineName::Search(_) | EngineName::Landmarks => !matches!(listed, Listed::Mesh(_)),
        EngineName::Field => false,
    }
}

/// Returns the name of the map beside a scenario: the one that it names, or else the scenario's own
/// name without its extension.
fn map_beside(planning: &Planning, name: &str, listed: &Listed) -> Result<String, BatchError> {
    let folder = name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    // Benchmarks are written on any system: both slashes part folders.
    let last = listed.map().rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let named = (!last.is_empty() && last != "..").then(|| format!("{folder}{last}"));
    let candidates = named.into_iter().chain([stem]);
    let found = candidates.into_iter().find(|map| planning.input(map).is_ok());
    found.ok_or_else(|| {
        let problem = format!("its map '{}' is not beside it; put it there", listed.map());
        BatchError::faulty(name, problem)
    })
}

/// Returns about how many seconds a search takes on a query of that length.
fn search(engine: EngineName, listed: &Listed, length: f64, states: f64) -> f64 {
    // The free states as near as the goal, and the share of them that is expanded.
    let near = match listed {
        Listed::Ground(_) => length.powi(2),
        Listed::Air(_) => length.powi(3),
        Listed::Mesh(_) => states,
    };
    let share = match engine {
        EngineName::Search(AlgorithmId::Jps | AlgorithmId::Auto) => 0.005,
        EngineName::Search(AlgorithmId::AStar) => 0.1,
        EngineName::Search(_) | EngineName::Polyanya | EngineName::Corridor => 1.0,
        EngineName::Landmarks => 0.05,
        EngineName::Hierarchy => 0.01,
        EngineName::Index | EngineName::Field => 0.001,
    };
    SECONDS_OF_AN_EXPANSION * near.min(states / 2.0) * share
}

/// Returns about how many seconds an engine takes to prepare.
fn preparation(engine: EngineName, states: f64) -> f64 {
    let of_a_state = match engine {
        EngineName::Index => 5e-6,
        EngineName::Landmarks => 1.4e-6,
        EngineName::Hierarchy => 0.1e-6,
        _ => 0.0,
    };
    of_a_state * states
}

impl Kind for Bench {
    fn name(&self) -> &'static str {
        "bench"
    }

    fn items(&self) -> &'static str {
        "queries"
    }

    /// Maps without a wrong answer share a line; each map with one has its own, before all others.
    fn summary(&self) -> Option<&'static str> {
        Some(
            "SELECT engine, maps, sum(queries) AS queries, sum(is_right) AS \"right\", \
             sum(is_wrong) AS \"WRONG\", sum(queries) - sum(is_right) - sum(is_wrong) AS given_up, \
             round(sum(ns) / sum(timed) / 1000.0, 2) AS mean_us, \
             round(CAST(sum(expanded) AS DOUBLE) / sum(queries), 1) AS mean_expanded \
             FROM (SELECT engine, CASE WHEN sum(CASE WHEN status = 'wrong' THEN 1 ELSE 0 END) > 0 \
             THEN map ELSE 'maps without a fault' END AS maps, count(*) AS queries, \
             sum(CASE WHEN is_right THEN 1 ELSE 0 END) AS is_right, \
             sum(CASE WHEN status = 'wrong' THEN 1 ELSE 0 END) AS is_wrong, \
             sum(CAST(ns AS DOUBLE)) AS ns, count(ns) AS timed, sum(expanded) AS expanded \
             FROM results GROUP BY engine, map) AS by_map \
             GROUP BY engine, maps ORDER BY \"WRONG\" DESC, engine, maps",
        )
    }

    fn wrong(&self) -> Option<&'static str> {
        Some("SELECT count(*) FROM results WHERE status = 'wrong'")
    }

    fn slices(&self, planning: &Planning) -> Result<Vec<Slice>, BatchError> {
        if !(1..=1000).contains(&self.repeat) {
            return Err(BatchError::faulty("`repeat`", "it is from 1 to 1000; 3 is usual"));
        }
        if self.limit == Some(0) {
            return Err(BatchError::faulty("`limit`", "it is 1 at least; leave it out for all"));
        }
        let engines = self.engines()?;
        let mut slices = Vec::new();
        for scenario in planning.matching(&self.scenarios, "scenarios")? {
            slices.extend(self.slices_of(planning, scenario, &engines)?);
        }
        match slices.is_empty() {
            true => Err(BatchError::faulty("`scenarios`", "there are no queries in them")),
            false => Ok(slices),
        }
    }

    fn solve(&self, solving: &Solving<'_>) -> Result<RecordBatch, BatchError> {
        let Solving { plan, shard, progress, .. } = solving;
        let [scenario, map] = [0, 1].map(|at| &plan.inputs[shard.inputs[at]]);
        let engine: EngineName =
            shard.part.parse().map_err(|error| BatchError::faulty(&shard.part, error))?;
        let mut contest = Contest::take(plan, shard, engine)?;
        let all = contest.queries();
        let wanted = self.wanted(all);
        let queries: Vec<u64> = (shard.first..shard.first + shard.count)
            .map(|number| index(number, wanted, all))
            .collect();
        let mut answers = Vec::with_capacity(queries.len());
        for &query in &queries {
            let most = self.max_expansions(engine);
            answers.push(contest.answer(query as usize, self.repeat, most));
            progress.advance(1)?;
        }
        contest.keep();
        let texts = [&scenario.name, &map.name].map(String::as_str);
        Ok(table(texts, engine, &queries, &answers))
    }

    fn measured(&self) -> &'static [&'static str] {
        &["ns", "instructions", "machine"]
    }

    /// Writes `bench.csv`: a line for each map and engine.
    fn finish(&self, results: &Results<'_>) -> Result<Vec<String>, BatchError> {
        let engines = self.engines()?;
        results.store.write("bench.csv", sheet::of(results, &engines)?)?;
        Ok(vec!["bench.csv".to_owned()])
    }
}

/// Returns whether an engine promises cheapest paths.
fn is_exact(engine: EngineName) -> bool {
    engine.guarantee() == Guarantee::Optimal
}

fn table(
    [scenario, map]: [&str; 2],
    engine: EngineName,
    queries: &[u64],
    answers: &[Answer],
) -> RecordBatch {
    let same = |text: &str| -> ArrayRef { Arc::new(StringArray::from(vec![text; answers.len()])) };
    fn numbers(values: impl Iterator<Item = Option<u64>>) -> ArrayRef {
        Arc::new(UInt64Array::from_iter(values))
    }
    fn floats(values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
        Arc::new(Float64Array::from_iter(values))
    }
    let of = || answers.iter();
    rows(vec![
        ("scenario", same(scenario)),
        ("map", same(map)),
        ("query", Arc::new(UInt64Array::from(queries.to_vec()))),
        ("engine", same(engine.name())),
        ("status", Arc::new(StringArray::from_iter_values(of().map(|it| it.status)))),
        ("reason", Arc::new(StringArray::from_iter(of().map(|it| it.reason.as_deref())))),
        ("is_right", Arc::new(BooleanArray::from_iter(of().map(|it| it.is_right)))),
        ("cost", numbers(of().map(|it| it.cost))),
        ("length", floats(of().map(|it| it.length))),
        ("optimal_length", floats(of().map(|it| Some(it.optimal_length)))),
        ("loss", floats(of().map(|it| it.loss))),
        ("expanded", numbers(of().map(|it| Some(it.expanded)))),
        ("ns", numbers(of().map(|it| it.ns))),
        ("instructions", numbers(of().map(|it| it.instructions))),
        ("machine", same(meter::machine())),
    ])
}
