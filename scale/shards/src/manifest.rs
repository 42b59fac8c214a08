//! What is there once all shards are solved.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::shard::all_solved;
use crate::{BatchError, Plan, Solved, Store};

/// The name of the manifest in the folder of results.
const MANIFEST: &str = "manifest.json";

/// The last file of a batch: where it is, everything is.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Manifest {
    /// The job's name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The version of the engine whose results these are.
    pub engine: String,
    /// The hash over the digests of all shards, in their order: equal hashes mean equal rows.
    pub hash: String,
    /// The number of shards.
    pub shards: usize,
    /// The number of rows.
    pub rows: u64,
    /// The inputs by name, with the hashes of their content.
    pub inputs: BTreeMap<String, String>,
    /// The files that all shards give together.
    pub products: Vec<String>,
}

/// The results of all shards.
pub(crate) struct Results<'r> {
    pub(crate) plan: &'r Plan,
    pub(crate) store: &'r Store,
}

impl Manifest {
    /// Finishes a batch: makes what all shards give together, and writes the manifest last.
    ///
    /// # Errors
    /// When a shard is missing, or the store fails.
    pub fn write(plan: &Plan, store: &Store) -> Result<Self, BatchError> {
        let solved = whole(plan, store)?;
        let mut hasher = blake3::Hasher::new();
        for shard in &solved {
            hasher.update(shard.digest.as_bytes());
        }
        let products = plan.job.kind().finish(&Results { plan, store })?;
        let manifest = Self {
            name: plan.job.name.clone(),
            kind: plan.job.kind_name().to_owned(),
            engine: plan.engine.clone(),
            hash: hasher.finalize().to_hex().to_string(),
            shards: solved.len(),
            rows: solved.iter().map(|shard| shard.rows).sum(),
            inputs: plan
                .inputs
                .iter()
                .map(|input| (input.name.clone(), input.hash.clone()))
                .collect(),
            products,
        };
        let text = serde_json::to_vec_pretty(&manifest).expect("a manifest has only names as keys");
        store.write(MANIFEST, text)?;
        Ok(manifest)
    }

    /// Reads the manifest of results; `None` if they are not complete.
    ///
    /// # Errors
    /// When the store fails, or the manifest is damaged.
    pub fn read(store: &Store) -> Result<Option<Self>, BatchError> {
        let Some(bytes) = store.read_if_there(MANIFEST)? else { return Ok(None) };
        let manifest = serde_json::from_slice(&bytes);
        manifest.map(Some).map_err(|error| BatchError::faulty(store.address_of(MANIFEST), error))
    }
}

fn whole(plan: &Plan, store: &Store) -> Result<Vec<Solved>, BatchError> {
    let found = all_solved(plan, store)?.into_iter().enumerate();
    let found = found.map(|(shard, solved)| {
        let problem = format!("shard {shard} is missing; `wayfare batch run` solves it");
        solved.ok_or_else(|| BatchError::faulty(store.address(), problem))
    });
    found.collect()
}
