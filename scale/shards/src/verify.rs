//! Results looked at again.

use crate::kinds::random;
use crate::rows::{digest, joined};
use crate::shard::{Solving, solved};
use crate::{BatchError, Manifest, Plan, Progress, Shard, Store};

/// The most rows that are solved again in a row.
const IN_A_ROW: u64 = 16;

/// What [`verify`] found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Verified {
    /// The rows whose hash was computed again.
    pub rows: u64,
    /// The rows that were solved again.
    pub again: u64,
    /// What is wrong, in sentences.
    pub faults: Vec<String>,
}

/// Computes the hashes of all rows again, and solves a `sample` of them again, which `seed`
/// chooses.
///
/// # Errors
/// When a store fails, an input has changed, or the work was stopped.
pub fn verify(
    plan: &Plan,
    store: &Store,
    sample: u64,
    seed: u64,
    progress: &Progress,
) -> Result<Verified, BatchError> {
    let mut verified = Verified::default();
    let mut hasher = blake3::Hasher::new();
    let kind = plan.job.kind();
    let mut whole = Vec::new();
    for shard in 0..plan.shards.len() {
        let name = plan.file_of(shard);
        let Some(noted) = solved(plan, shard, store)? else {
            verified.faults.push(format!("shard {shard} is missing: {}", store.address_of(&name)));
            continue;
        };
        hasher.update(noted.digest.as_bytes());
        let rows = match store.rows(&name, 0, u64::MAX >> 1) {
            Ok(batches) => joined(&batches),
            Err(error @ BatchError::Faulty { .. }) => {
                verified.faults.push(format!("shard {shard}: {error}"));
                continue;
            }
            Err(error) => return Err(error),
        };
        let found = rows.as_ref().map(|rows| digest(rows, kind.measured()));
        if found.as_ref() != Some(&noted.digest) {
            let place = store.address_of(&name);
            verified.faults.push(format!(
                "shard {shard}: its rows have another hash than it says; remove {place} and run the job again"
            ));
            continue;
        }
        verified.rows += noted.rows;
        whole.push(shard);
        progress.advance(0)?;
    }
    if let Some(manifest) = Manifest::read(store)?
        && manifest.hash != hasher.finalize().to_hex().as_str()
    {
        verified.faults.push(
            "the hash of the manifest is not that of the shards; run the job again".to_owned(),
        );
    }
    let mut draw = 0;
    while verified.again < sample && !whole.is_empty() {
        let mut lot = |most: u64| {
            draw += 1;
            random(seed, draw) % most
        };
        let shard = whole[lot(whole.len() as u64) as usize];
        let line = &plan.shards[shard];
        let offset = lot(line.count);
        let count = IN_A_ROW.min(line.count - offset).min(sample - verified.again);
        let some = Shard { first: line.first + offset, count, ..line.clone() };
        let again = kind.solve(&Solving { plan, shard: &some, store, progress, is_check: true })?;
        let there = joined(&store.rows(&plan.file_of(shard), offset, count)?);
        let measured = kind.measured();
        if there.map(|rows| digest(&rows, measured)) != Some(digest(&again, measured)) {
            let last = offset + count - 1;
            verified
                .faults
                .push(format!("shard {shard}, rows {offset} to {last}: solved again they differ"));
        }
        verified.again += count;
    }
    Ok(verified)
}
