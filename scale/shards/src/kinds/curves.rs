//! Curves of many runs: how long it takes until a share of the agents is gone.

use std::fmt::Write;

use arrow::array::{ArrayRef, AsArray};
use arrow::datatypes::{Float32Type, UInt32Type};
use arrow::record_batch::RecordBatch;

use super::curves_picture;
use crate::{BatchError, Results};

/// The quantiles over runs, in per cent.
pub(super) const QUANTILES: [u32; 5] = [0, 10, 50, 90, 100];

/// The runs with one set of parameters.
pub(super) struct Curves {
    /// The parameters in words.
    pub(super) parameters: String,
    pub(super) runs: usize,
    /// For each share of the agents from 1 % to 100 %: the seconds after which it is gone, as
    /// quantiles over the runs. Infinite where a run ends before.
    pub(super) seconds: Vec<[f64; QUANTILES.len()]>,
}

/// Writes the curves as a table and a picture. Returns the names of the files.
pub(super) fn write(results: &Results<'_>) -> Result<Vec<String>, BatchError> {
    let curves = read(results)?;
    results.store.write("curves.csv", csv(&curves))?;
    let mut products = vec!["curves.csv".to_owned()];
    let is_drawn = |curves: &Curves| curves.seconds.iter().flatten().any(|it| it.is_finite());
    if curves.iter().any(is_drawn) {
        let picture = curves_picture::draw(&results.plan.job.name, &curves);
        let picture = picture.map_err(|error| BatchError::faulty("curves.png", error))?;
        results.store.write("curves.png", picture)?;
        products.push("curves.png".to_owned());
    }
    Ok(products)
}

/// Reads the curves of all runs that could be played, by their parameters in the plan's order.
fn read(results: &Results<'_>) -> Result<Vec<Curves>, BatchError> {
    let Results { plan, store } = results;
    let mut groups: Vec<(String, Vec<Vec<f64>>)> = Vec::new();
    for shard in 0..plan.shards.len() {
        for batch in store.rows(&plan.file_of(shard), 0, u64::MAX >> 1)? {
            for (parameters, curve) in curves_of(&batch).into_iter().flatten() {
                match groups.last_mut().filter(|(known, _)| *known == parameters) {
                    Some((_, curves)) => curves.push(curve),
                    None => groups.push((parameters, vec![curve])),
                }
            }
        }
    }
    Ok(groups.into_iter().map(|(parameters, curves)| Curves::of(parameters, &curves)).collect())
}

/// Returns the parameters of each run, and the seconds after which each share is gone.
fn curves_of(batch: &RecordBatch) -> Option<Vec<(String, Vec<f64>)>> {
    let parameters = batch.column_by_name("parameters")?.as_string_opt::<i32>()?;
    let agents = batch.column_by_name("agents")?.as_primitive_opt::<UInt32Type>()?;
    let gone = batch.column_by_name("gone")?.as_list_opt::<i32>()?;
    let runs = parameters.iter().zip(agents).zip(gone.iter());
    let curve = |((parameters, agents), gone): ((Option<&str>, Option<u32>), Option<ArrayRef>)| {
        let gone = gone?;
        let gone = gone.as_primitive::<Float32Type>();
        Some((parameters?.to_owned(), shares(agents?, gone.values())))
    };
    Some(runs.filter_map(curve).collect())
}

/// Returns for each share from 1 % to 100 % of `agents` the seconds after which it is gone.
fn shares(agents: u32, gone: &[f32]) -> Vec<f64> {
    let of_share = |share: u64| {
        let count = (share * u64::from(agents)).div_ceil(100).max(1) as usize;
        gone.get(count - 1).map_or(f64::INFINITY, |&seconds| f64::from(seconds))
    };
    (1..=100).map(of_share).collect()
}

impl Curves {
    fn of(parameters: String, curves: &[Vec<f64>]) -> Self {
        let of_share = |share: usize| {
            let mut seconds: Vec<f64> = curves.iter().map(|curve| curve[share]).collect();
            seconds.sort_unstable_by(f64::total_cmp);
            QUANTILES.map(|quantile| quantile_of(&seconds, quantile))
        };
        Self { parameters, runs: curves.len(), seconds: (0..100).map(of_share).collect() }
    }
}

/// Returns a quantile of sorted numbers, linear between two of them.
fn quantile_of(sorted: &[f64], percent: u32) -> f64 {
    let at = (sorted.len() - 1) as f64 * f64::from(percent) / 100.0;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    // Two infinite ones have no difference.
    if low == high { low } else { low + (high - low) * at.fract() }
}

fn csv(curves: &[Curves]) -> String {
    let mut text = "parameters,runs,share".to_owned();
    QUANTILES.iter().for_each(|quantile| _ = write!(text, ",q{quantile}"));
    text.push('\n');
    for Curves { parameters, runs, seconds } in curves {
        let parameters = parameters.replace('"', "\"\"");
        for (share, quantiles) in (1..).zip(seconds) {
            _ = write!(text, "\"{parameters}\",{runs},{}", f64::from(share) / 100.0);
            for seconds in quantiles {
                // Empty where a run ends before.
                text.push(',');
                if seconds.is_finite() {
                    _ = write!(text, "{seconds:.3}");
                }
            }
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_gone_with_its_last_agent() {
        let times = shares(4, &[1.0, 2.0, 5.0]);
        assert_eq!([times[0], times[24], times[25], times[74]], [1.0, 1.0, 2.0, 5.0]);
        assert_eq!([times[75], times[99]], [f64::INFINITY; 2]);
    }

    #[test]
    fn quantiles_are_linear_and_infinite_beyond_the_runs_that_end() {
        let times = [1.0, 2.0, 4.0, f64::INFINITY];
        assert_eq!(quantile_of(&times, 0), 1.0);
        assert_eq!(quantile_of(&times, 50), 3.0);
        assert_eq!(quantile_of(&times, 90), f64::INFINITY);
        assert_eq!(quantile_of(&times[..3], 100), 4.0);
        assert_eq!(quantile_of(&[f64::INFINITY; 3], 10), f64::INFINITY);
        assert_eq!(quantile_of(&[7.0], 90), 7.0);
    }
}
