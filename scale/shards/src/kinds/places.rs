//! Places: listed in a file, or drawn by lot.

use std::collections::BTreeMap;

use arrow::array::AsArray;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use wayfare_site::Site;

use super::worlds::state_at;
use crate::BatchError;
use crate::plan::Input;
use crate::rows::joined;

/// Random numbers by SplitMix64 (G. Steele, D. Lea, C. Flood 2014): each is a function of the seed
/// and its index.
pub(crate) fn random(seed: u64, index: u64) -> u64 {
    let mut mixed = seed.wrapping_add((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Returns the free states of the largest region of a world.
pub(crate) fn largest_region(site: &dyn Site) -> Vec<u32> {
    let mut regions: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    site.for_each_free(&mut |free| regions.entry(free.region).or_default().push(free.state));
    // Of regions of one size, the first.
    let largest = regions.into_values().rev().max_by_key(Vec::len);
    largest.unwrap_or_default()
}

/// Draws different states of the largest region by lot, in order of their index.
pub(crate) fn drawn(site: &dyn Site, count: usize, seed: u64) -> Result<Vec<u32>, BatchError> {
    let mut states = largest_region(site);
    if states.len() < count {
        let problem = format!("{count} are more than the {} of the largest region", states.len());
        return Err(BatchError::faulty("`places`", problem));
    }
    for taken in 0..count {
        let left = (states.len() - taken) as u64;
        let chosen = taken + (random(seed, taken as u64) % left) as usize;
        states.swap(taken, chosen);
    }
    states.truncate(count);
    states.sort_unstable();
    Ok(states)
}

/// Reads the states of the places in a Parquet file with the columns `x` and `y`, and `z` where
/// there are heights.
pub(crate) fn listed(input: &Input, site: &dyn Site) -> Result<Vec<u32>, BatchError> {
    let (store, name) = input.opened()?;
    let batches = store.rows(&name, 0, u64::MAX >> 1)?;
    let Some(batch) = joined(&batches) else { return Ok(Vec::new()) };
    let numbers = |name: &str| {
        let column = cast(batch.column_by_name(name)?, &DataType::Float64).ok()?;
        let column = column.as_primitive::<Float64Type>();
        Some(column.iter().map(|value| value.unwrap_or(f64::NAN)).collect::<Vec<f64>>())
    };
    let (Some(x), Some(y)) = (numbers("x"), numbers("y")) else {
        let problem = "places need the columns x and y, with numbers";
        return Err(BatchError::faulty(&input.name, problem));
    };
    let z = numbers("z").unwrap_or_else(|| vec![0.0; x.len()]);
    let place = |row: usize| {
        state_at(site, [x[row], y[row], z[row]])
            .map_err(|why| BatchError::faulty(format!("{}, row {row}", input.name), why))
    };
    (0..x.len()).map(place).collect()
}
