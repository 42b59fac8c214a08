//! `bench.csv`: a line for each map and engine.
//!
//! Times are over all queries that the engine answered itself, those that it gave up included.
//! `speedup` is the mean time of the job's first engine on the same map, divided by the engine's.
//! `undercut` counts paths that are right by the file's length, which is rounded, and yet cost more
//! than another engine's: of engines that promise cheapest paths it is 0.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, StringArray, UInt64Array};
use arrow::csv::WriterBuilder;
use arrow::datatypes::{Float64Type, UInt64Type};
use arrow::record_batch::RecordBatch;
use wayfare_site::EngineName;

use super::is_exact;
use crate::rows::rows;
use crate::{BatchError, Results};

/// A line.
#[derive(Default)]
struct Line {
    queries: u64,
    right: u64,
    wrong: u64,
    /// Paths that are valid, cheap enough by the file's length, and cost more than another
    /// engine's.
    undercut: u64,
    longer: u64,
    losses: f64,
    us: Vec<f64>,
    expanded: u64,
    instructions: Vec<f64>,
    machines: BTreeSet<String>,
}

/// The cheapest costs that exact engines found, by scenario and query.
type Cheapest = BTreeMap<(usize, u64), u64>;

/// Returns the text of `bench.csv`.
pub(super) fn of(results: &Results<'_>, engines: &[EngineName]) -> Result<Vec<u8>, BatchError> {
    let mut cheapest = Cheapest::new();
    let mut all = BTreeMap::<(usize, usize), Line>::new();
    for round in [Round::Costs, Round::Lines] {
        for (number, shard) in results.plan.shards.iter().enumerate() {
            let engine = engines.iter().position(|engine| engine.name() == shard.part);
            let engine = engine.unwrap_or_default();
            let file = results.plan.file_of(number);
            for batch in results.store.rows(&file, 0, u64::MAX >> 1)? {
                let part = Part { batch: &batch, scenario: shard.inputs[0] };
                match round {
                    Round::Costs if is_exact(engines[engine]) => part.lower(&mut cheapest),
                    Round::Costs => {}
                    Round::Lines => {
                        let line = all.entry((shard.inputs[1], engine)).or_default();
                        part.add(line, is_exact(engines[engine]).then_some(&cheapest));
                    }
                }
            }
        }
    }
    written(&table(results, engines, &mut all))
}

/// Costs are compared before lines are made.
#[derive(Clone, Copy)]
enum Round {
    Costs,
    Lines,
}

/// Rows of one shard.
struct Part<'b> {
    batch: &'b RecordBatch,
    scenario: usize,
}

impl Part<'_> {
    fn column(&self, name: &str) -> &dyn Array {
        self.batch.column_by_name(name).expect("rows of this kind have it")
    }

    fn numbers(&self, name: &str) -> &UInt64Array {
        self.column(name).as_primitive::<UInt64Type>()
    }

    /// Visits the costs that are as right as lengths can tell.
    fn costs(&self, mut visit: impl FnMut((usize, u64), u64)) {
        let is_right = self.column("is_right").as_boolean();
        let queries = self.numbers("query");
        for (row, cost) in self.numbers("cost").iter().enumerate() {
            if let (Some(cost), true) = (cost, is_right.is_valid(row) && is_right.value(row)) {
                visit((self.scenario, queries.value(row)), cost);
            }
        }
    }

    fn lower(&self, cheapest: &mut Cheapest) {
        self.costs(|query, cost| {
            let known = cheapest.entry(query).or_insert(cost);
            *known = cost.min(*known);
        });
    }

    fn add(&self, line: &mut Line, cheapest: Option<&Cheapest>) {
        line.queries += self.batch.num_rows() as u64;
        for is_right in self.column("is_right").as_boolean().iter().flatten() {
            line.right += u64::from(is_right);
            line.wrong += u64::from(!is_right);
        }
        if let Some(cheapest) = cheapest {
            self.costs(|query, cost| line.undercut += u64::from(cheapest[&query] < cost));
        }
        for loss in self.column("loss").as_primitive::<Float64Type>().iter().flatten() {
            line.losses += loss;
            line.longer += u64::from(loss > 0.0);
        }
        line.us.extend(self.numbers("ns").iter().flatten().map(|ns| ns as f64 / 1e3));
        line.expanded += self.numbers("expanded").iter().flatten().sum::<u64>();
        let counts = self.numbers("instructions").iter().flatten();
        line.instructions.extend(counts.map(|count| count as f64));
        let machines = self.column("machine").as_string::<i32>();
        line.machines.extend(machines.iter().flatten().map(str::to_owned));
    }
}

fn mean(figures: &[f64]) -> Option<f64> {
    (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
}

/// Returns a percentile of sorted figures: the smallest one with that share of them at or below it.
fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let rank = (share * sorted.len() as f64).ceil().max(1.0) as usize;
    sorted.get(rank - 1).copied()
}

fn rounded(figure: Option<f64>, digits: i32) -> Option<f64> {
    let scale = 10f64.powi(digits);
    figure.map(|figure| (figure * scale).round() / scale)
}

fn table(
    results: &Results<'_>,
    engines: &[EngineName],
    all: &mut BTreeMap<(usize, usize), Line>,
) -> RecordBatch {
    all.values_mut().for_each(|line| line.us.sort_by(f64::total_cmp));
    let all = &*all;
    let texts = |text: &dyn Fn(usize, usize, &Line) -> String| -> ArrayRef {
        let texts = all.iter().map(|(&(map, engine), line)| text(map, engine, line));
        Arc::new(StringArray::from_iter_values(texts))
    };
    let counts = |count: fn(&Line) -> u64| -> ArrayRef {
        Arc::new(UInt64Array::from_iter_values(all.values().map(count)))
    };
    let figures = |digits: i32, figure: &dyn Fn(&Line) -> Option<f64>| -> ArrayRef {
        let figures = all.values().map(|line| rounded(figure(line), digits));
        Arc::new(Float64Array::from_iter(figures))
    };
    let speedups = all.iter().map(|((map, _), line)| {
        let first = mean(&all.get(&(*map, 0))?.us)?;
        rounded(Some(first / mean(&line.us)?), 3).filter(|speedup| speedup.is_finite())
    });
    let speedups: ArrayRef = Arc::new(Float64Array::from_iter(speedups));
    let inputs = &results.plan.inputs;
    let machines = |_, _, line: &Line| line.machines.iter().cloned().collect::<Vec<_>>().join("; ");
    rows(vec![
        ("map", texts(&|map, _, _| inputs[map].name.clone())),
        ("engine", texts(&|_, engine, _| engines[engine].name().to_owned())),
        ("queries", counts(|line| line.queries)),
        ("right", counts(|line| line.right)),
        ("wrong", counts(|line| line.wrong)),
        ("undercut", counts(|line| line.undercut)),
        ("longer", counts(|line| line.longer)),
        ("mean_loss", figures(6, &|line| Some(line.losses / line.right.max(1) as f64))),
        ("mean_us", figures(3, &|line| mean(&line.us))),
        ("median_us", figures(3, &|line| percentile(&line.us, 0.5))),
        ("p99_us", figures(3, &|line| percentile(&line.us, 0.99))),
        ("mean_instructions", figures(0, &|line| mean(&line.instructions))),
        (
            "mean_expanded",
            figures(1, &|line| Some(line.expanded as f64 / line.queries.max(1) as f64)),
        ),
        ("speedup", speedups),
        ("machine", texts(&machines)),
    ])
}

fn written(lines: &RecordBatch) -> Result<Vec<u8>, BatchError> {
    let mut text = Vec::new();
    let mut writer = WriterBuilder::new().with_header(true).build(&mut text);
    writer.write(lines).map_err(|error| BatchError::faulty("bench.csv", error))?;
    drop(writer);
    Ok(text)
}
