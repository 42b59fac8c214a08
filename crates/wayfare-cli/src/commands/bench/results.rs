//! The quality of the answers, and their cost in time.

use serde::Serialize;
use wayfare::search::{Guarantee, Limit};
use wayfare_site::{Ending, EngineName, PreparedEngine, SearchReport};

use super::trial::{Case, Tolerance};
use crate::commands::shared;
use crate::report::{percentile, rounded};

/// An algorithm's entry in the array that `--format json` prints.
#[derive(Serialize)]
pub(super) struct Entry {
    pub(super) algorithm: &'static str,
    pub(super) guarantee: &'static str,
    pub(super) queries: usize,
    /// Queries with a path.
    pub(super) solved: usize,
    /// Solved queries with the file's length, and with a cost that no other algorithm undercuts.
    pub(super) optimal: usize,
    /// Queries that have no path according to both the file and the algorithm.
    pub(super) unreachable: usize,
    /// Queries given up after `--max-expansions`.
    pub(super) capped: usize,
    /// Paths that the validator finds fault with.
    pub(super) invalid: usize,
    /// How much longer its paths are than the file's: 0.01 for 1 %.
    pub(super) loss_mean: f64,
    pub(super) loss_worst: f64,
    pub(super) mean_us: f64,
    pub(super) p50_us: f64,
    pub(super) p99_us: f64,
    /// Of the turning points alone.
    pub(super) turns_mean_us: f64,
    /// Of the plan and the first leg of routes over sectors; null for others.
    pub(super) first_leg_mean_us: Option<f64>,
    /// How many times as fast as the baseline; null without one.
    pub(super) speedup: Option<f64>,
    pub(super) expanded_mean: f64,
    pub(super) scratch_bytes: usize,
    /// Of an index or a hierarchy.
    pub(super) index_bytes: usize,
    pub(super) index_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) samples: Option<Vec<Sample>>,
}

/// A query, as one algorithm answered it.
#[derive(Serialize, Clone)]
pub(super) struct Sample {
    /// Its index in the file's order.
    pub(super) query: usize,
    pub(super) optimal_length: f64,
    /// How much longer the path is, as a share; null where there is none.
    pub(super) loss: Option<f64>,
    pub(super) us: f64,
    pub(super) turns_us: f64,
    pub(super) expanded: u64,
    #[serde(skip)]
    pub(super) first_leg_us: Option<f64>,
}

/// The answers of one algorithm to all queries.
pub(super) struct Results {
    /// The algorithm's name, "index" or "hierarchy".
    pub(super) method: &'static str,
    pub(super) guarantee: Guarantee,
    pub(super) prepared: Option<Prepared>,
    pub(super) samples: Vec<Sample>,
    pub(super) scratch_bytes: usize,
    pub(super) verdicts: Vec<Verdict>,
}

/// The cost of an index or a hierarchy.
#[derive(Clone, Copy)]
pub(super) struct Prepared {
    pub(super) bytes: usize,
    /// For reading the one, for building the other.
    pub(super) seconds: f64,
}

impl Prepared {
    pub(super) fn of(prepared: PreparedEngine) -> Self {
        Self { bytes: prepared.bytes, seconds: prepared.took.as_secs_f64() }
    }
}

/// The quality of an answer.
pub(super) enum Verdict {
    /// A path of the length that the file gives, at this cost.
    Good(u64),
    /// No path, as in the file.
    Unreachable,
    /// Given up.
    Capped,
    /// A path that is longer or shorter than the optimal, or costs more.
    Missed(String),
    /// No path where the file has one.
    Denied(String),
    /// A path that breaks the rules.
    Invalid(String),
}

/// Returns how much longer a path is than the file's; differences below the file's precision count
/// as none.
pub(super) fn loss(run: &SearchReport, query: &Case, tolerance: Tolerance) -> Option<f64> {
    let optimal = query.optimal_length;
    let longer = run.length - optimal;
    match run.is_found() && run.fault.is_none() {
        true if longer > tolerance.of(optimal) && optimal > 0.0 => Some(longer / optimal),
        true => Some(0.0),
        false => None,
    }
}

pub(super) fn judge(run: &SearchReport, query: &Case, tolerance: Tolerance) -> Verdict {
    let tolerance = tolerance.of(query.optimal_length);
    match run.ending {
        Ending::Found => match &run.fault {
            Some(fault) => Verdict::Invalid(fault.clone()),
            None if (run.length - query.optimal_length).abs() <= tolerance => {
                Verdict::Good(run.cost())
            }
            // No search can be to blame for a valid path that is too short; that is for a person to
            // look into.
            None if run.length < query.optimal_length => Verdict::Missed(format!(
                "length {:.5}, less than the {:.5} that the file calls optimal, on a path that is valid: the file does not \
                 fit this map or these rules",
                run.length, query.optimal_length
            )),
            None => Verdict::Missed(format!(
                "length {:.5}, but the optimal is {:.5}",
                run.length, query.optimal_length
            )),
        },
        Ending::Limit(Limit::Expansions | Limit::Generated | Limit::Open) => Verdict::Capped,
        // A length of 0 between two different cells is a file's notation for no path.
        Ending::NoPath(_) if query.optimal_length == 0.0 && query.ends.start != query.ends.goal => {
            Verdict::Unreachable
        }
        Ending::NoPath(reason) => Verdict::Denied(format!(
            "no path ({reason}), but the optimal length is {:.5}",
            query.optimal_length
        )),
        Ending::Limit(limit) => Verdict::Denied(limit.to_string()),
        Ending::Interrupted(interruption) => Verdict::Denied(interruption.to_string()),
    }
}

/// Lengths agree to a hundredth; costs are exact. An answer that another algorithm undercuts is not
/// optimal.
pub(super) fn undercut(all: &mut [Results], unit_cost: f64) {
    let queries = all.first().map_or(0, |results| results.verdicts.len());
    for query in 0..queries {
        let cost = |results: &Results| match results.verdicts[query] {
            Verdict::Good(cost) => Some((cost, results.method)),
            _ => None,
        };
        let Some((best, by)) = all.iter().filter_map(cost).min() else { continue };
        for results in &mut *all {
            let promises = results.guarantee == Guarantee::Optimal;
            let verdict = &mut results.verdicts[query];
            if let Verdict::Good(cost) = verdict
                && *cost > best
                && promises
            {
                let [cost, best] = [*cost, best].map(|cost| cost as f64 / unit_cost);
                let missed = format!("cost {cost:.5}, but {by} found {best:.5}");
                *verdict = Verdict::Missed(missed);
            }
        }
    }
}

impl Results {
    fn count(&self, wanted: impl Fn(&Verdict) -> bool) -> usize {
        self.verdicts.iter().filter(|verdict| wanted(verdict)).count()
    }

    /// Returns the queries that speak against the algorithm: a path that is not valid, none where
    /// there is one, and, if it promises the optimal, one that is not.
    pub(super) fn offences(&self) -> impl Iterator<Item = (usize, &str)> {
        let promises = self.guarantee == Guarantee::Optimal;
        self.verdicts.iter().enumerate().filter_map(move |(query, verdict)| match verdict {
            Verdict::Invalid(why) => Some((query, why.as_str())),
            Verdict::Denied(why) => Some((query, why.as_str())),
            Verdict::Missed(why) if promises => Some((query, why.as_str())),
            _ => None,
        })
    }

    fn mean(&self, figure: impl Fn(&Sample) -> f64) -> f64 {
        mean(self.samples.iter().map(figure))
    }

    fn entry(&self) -> Entry {
        let mut times: Vec<f64> = self.samples.iter().map(|sample| sample.us).collect();
        times.sort_by(f64::total_cmp);
        let losses = self.samples.iter().filter_map(|sample| sample.loss);
        let first_legs = self.samples.iter().filter_map(|sample| sample.first_leg_us);
        let found = |verdict: &Verdict| {
            matches!(verdict, Verdict::Good(_) | Verdict::Missed(_) | Verdict::Invalid(_))
        };
        Entry {
            algorithm: self.method,
            guarantee: shared::guarantee(self.guarantee),
            queries: self.verdicts.len(),
            solved: self.count(found),
            optimal: self.count(|verdict| matches!(verdict, Verdict::Good(_))),
            unreachable: self.count(|verdict| matches!(verdict, Verdict::Unreachable)),
            capped: self.count(|verdict| matches!(verdict, Verdict::Capped)),
            invalid: self.count(|verdict| matches!(verdict, Verdict::Invalid(_))),
            loss_mean: rounded(mean(losses.clone())),
            loss_worst: rounded(losses.fold(0.0, f64::max)),
            mean_us: rounded(self.mean(|sample| sample.us)),
            p50_us: percentile(&times, 0.5),
            p99_us: percentile(&times, 0.99),
            turns_mean_us: rounded(self.mean(|sample| sample.turns_us)),
            first_leg_mean_us: (self.method == EngineName::Hierarchy.name())
                .then(|| rounded(mean(first_legs))),
            speedup: None,
            expanded_mean: rounded(self.mean(|sample| sample.expanded as f64)),
            scratch_bytes: self.scratch_bytes,
            index_bytes: self.prepared.map_or(0, |prepared| prepared.bytes),
            index_seconds: self.prepared.map_or(0.0, |prepared| rounded(prepared.seconds)),
            samples: None,
        }
    }
}

/// Returns the mean; zero for none.
fn mean(figures: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = figures.fold((0.0, 0u32), |(sum, count), figure| (sum + figure, count + 1));
    sum / f64::from(count.max(1))
}

/// Returns the printed results of each, compared with the baseline.
pub(super) fn entries(all: &[Results], baseline: Option<EngineName>, samples: bool) -> Vec<Entry> {
    let is_baseline = |results: &&Results| baseline.is_some_and(|id| id.name() == results.method);
    let reference = all.iter().find(is_baseline);
    let reference = reference.map(|results| results.mean(|sample| sample.us));
    let entry = |results: &Results| {
        let mut entry = results.entry();
        let times = |mean: f64| (entry.mean_us > 0.0).then(|| rounded(mean / entry.mean_us));
        entry.speedup = reference.and_then(times);
        entry.samples = samples.then(|| results.samples.clone());
        entry
    };
    all.iter().map(entry).collect()
}
