//! Checkpoints of a shard of runs: what a worker leaves to the next one.
//!
//! A shard has one checkpoint, `checkpoints/KEY`: the outcomes of the runs that are over, and the
//! record and the snapshot of the one that is not. It is replaced as a whole, so that a worker that
//! is killed leaves the last one.
//!
//! | bytes | content |
//! |---|---|
//! | 32 | the BLAKE3 hash of everything that follows |
//! | 8 | the length of the record, little-endian |
//! | | the record, in JSON |
//! | | the snapshot of the simulation |
//!
//! A checkpoint that is damaged, or of other inputs, is ignored: the shard begins at its first
//! tick. It is removed once the shard's file is written. A worker that is killed in between, or one
//! that is late and writes it once more, leaves it; nobody reads it then, and the end of the batch
//! removes the folder.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use wayfare_site::SimulationSession;

use super::run::{Outcome, Watch};
use crate::shard::Solving;
use crate::{BatchError, Store};

/// The folder of checkpoints in the store of results.
const FOLDER: &str = "checkpoints";
/// The time between two checkpoints, where the job gives no ticks.
const USUAL: Duration = Duration::from_secs(20);
const HASH: usize = 32;
const LENGTH: usize = 8;

/// What is known of a shard whose solution was interrupted.
#[derive(Serialize, Deserialize, Default)]
pub(super) struct Record {
    /// The key of the shard.
    key: String,
    /// The outcomes of the runs that are over.
    pub(super) done: Vec<Outcome>,
    /// The record of the run that goes on, if one does.
    running: Option<Watch>,
}

/// A run that is to go on.
pub(super) struct Running {
    pub(super) watch: Watch,
    pub(super) snapshot: Vec<u8>,
}

/// The checkpoints of a shard.
pub(super) struct Checkpoints<'s> {
    store: &'s Store,
    key: &'s str,
    /// Whether there are any: a shard that is only compared leaves no traces.
    is_on: bool,
    /// The ticks between two checkpoints.
    every: Option<u64>,
    ticks: u64,
    last: Instant,
}

impl<'s> Checkpoints<'s> {
    pub(super) fn new(solving: &Solving<'s>, every: Option<u64>) -> Self {
        Self {
            store: solving.store,
            key: &solving.shard.key,
            is_on: !solving.is_check,
            every,
            ticks: 0,
            last: Instant::now(),
        }
    }

    /// Returns the outcomes and the run of the last checkpoint, if there is a sound one.
    pub(super) fn load(&self) -> Result<(Vec<Outcome>, Option<Running>), BatchError> {
        if !self.is_on {
            return Ok((Vec::new(), None));
        }
        let bytes = self.store.read_if_there(&name_of(self.key))?;
        let Some((record, snapshot)) = bytes.as_deref().and_then(decode) else {
            return Ok((Vec::new(), None));
        };
        if record.key != self.key {
            return Ok((Vec::new(), None));
        }
        let snapshot = snapshot.to_vec();
        Ok((record.done, record.running.map(|watch| Running { watch, snapshot })))
    }

    /// Counts a tick, and returns whether a checkpoint is due.
    pub(super) fn tick(&mut self) -> bool {
        self.ticks += 1;
        self.is_on
            && match self.every {
                Some(ticks) => self.ticks >= ticks,
                None => self.last.elapsed() >= USUAL,
            }
    }

    /// Writes a checkpoint in place of the last one.
    pub(super) fn save(
        &mut self,
        done: &[Outcome],
        running: Option<(&dyn SimulationSession, &Watch)>,
    ) -> Result<(), BatchError> {
        if !self.is_on {
            return Ok(());
        }
        let snapshot = running.map(|(simulation, _)| simulation.save()).transpose();
        let snapshot = snapshot.map_err(|error| {
            BatchError::faulty(self.store.address_of(&name_of(self.key)), error)
        })?;
        let record = Record {
            key: self.key.to_owned(),
            done: done.to_vec(),
            running: running.map(|(_, watch)| watch.clone()),
        };
        self.store.write(&name_of(self.key), encode(&record, &snapshot.unwrap_or_default()))?;
        (self.ticks, self.last) = (0, Instant::now());
        Ok(())
    }
}

/// Removes the checkpoint of a shard.
pub(super) fn remove(store: &Store, key: &str) -> Result<(), BatchError> {
    store.remove(&name_of(key))
}

/// Removes all checkpoints: the shards are there.
pub(super) fn remove_all(store: &Store) -> Result<(), BatchError> {
    store.list(FOLDER)?.iter().try_for_each(|entry| store.remove(&entry.name))
}

fn name_of(key: &str) -> String {
    format!("{FOLDER}/{key}")
}

fn encode(record: &Record, snapshot: &[u8]) -> Vec<u8> {
    let record = serde_json::to_vec(record).expect("the keys of a record are words and numbers");
    let mut bytes = vec![0; HASH];
    bytes.extend((record.len() as u64).to_le_bytes());
    bytes.extend(record);
    bytes.extend(snapshot);
    let hash = blake3::hash(&bytes[HASH..]);
    bytes[..HASH].copy_from_slice(hash.as_bytes());
    bytes
}

fn decode(bytes: &[u8]) -> Option<(Record, &[u8])> {
    let (hash, content) = bytes.split_first_chunk::<HASH>()?;
    if blake3::hash(content) != *hash {
        return None;
    }
    let (length, rest) = content.split_first_chunk::<LENGTH>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (record, snapshot) = rest.split_at_checked(length)?;
    Some((serde_json::from_slice(record).ok()?, snapshot))
}
