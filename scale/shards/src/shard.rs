//! The function that a batch is made of.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::rows::{digest, encode};
use crate::{BatchError, Notes, Plan, Shard, Store, faults};

/// Files whose footers are read at a time.
const AT_A_TIME: usize = 16;

/// What became of a shard.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Solved {
    /// The number of the shard.
    pub shard: usize,
    /// The digest of its rows.
    pub digest: String,
    /// The number of its rows.
    pub rows: u64,
    /// The seconds that it took.
    pub seconds: f64,
    /// Whether its file was there already.
    pub was_there: bool,
}

/// How far work has come, and whether it shall stop. Shared among threads.
#[derive(Default, Debug)]
pub struct Progress {
    done: AtomicU64,
    steps: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    /// Returns the number of rows, queries, sources, tiles or runs done.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Returns the number of steps done within rows that have some: the ticks of runs.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Asks all work to stop at its next step.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns whether work was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Counts work that is done.
    ///
    /// # Errors
    /// When it was asked to stop.
    pub(crate) fn advance(&self, count: u64) -> Result<(), BatchError> {
        self.done.fetch_add(count, Ordering::Relaxed);
        self.check()
    }

    /// Counts a step within a row.
    ///
    /// # Errors
    /// When work was asked to stop.
    pub(crate) fn step(&self) -> Result<(), BatchError> {
        self.steps.fetch_add(1, Ordering::Relaxed);
        self.check()
    }

    fn check(&self) -> Result<(), BatchError> {
        if self.is_stopped() { Err(BatchError::Stopped) } else { Ok(()) }
    }
}

/// A shard being solved.
pub(crate) struct Solving<'s> {
    pub(crate) plan: &'s Plan,
    pub(crate) shard: &'s Shard,
    pub(crate) store: &'s Store,
    pub(crate) progress: &'s Progress,
    /// Whether the rows are only compared: nothing else is written then.
    pub(crate) is_check: bool,
}

/// Solves a shard, and writes its file unless that is there already. The rows are the same whoever
/// solves it; several at once do no harm.
///
/// # Errors
/// When an input or the store fails, an input has changed, or the work was stopped.
pub fn solve(
    plan: &Plan,
    shard: usize,
    store: &Store,
    progress: &Progress,
) -> Result<Solved, BatchError> {
    let Some(line) = plan.shards.get(shard) else {
        let problem = format!(
            "there is no shard {shard}; the plan has 0 to {}",
            plan.shards.len().saturating_sub(1)
        );
        return Err(BatchError::faulty(store.address(), problem));
    };
    if let Some(there) = solved(plan, shard, store)? {
        progress.advance(line.count)?;
        return Ok(there);
    }
    faults::at("begun", shard)?;
    let begun = Instant::now();
    let kind = plan.job.kind();
    let solving = Solving { plan, shard: line, store, progress, is_check: false };
    let rows = kind.solve(&solving)?;
    let seconds = begun.elapsed().as_secs_f64();
    let digest = digest(&rows, kind.measured());
    let mut notes = Notes::new();
    let mut note = |key: &str, value: String| _ = notes.insert(format!("wayfare.{key}"), value);
    note("digest", digest.clone());
    note("engine", plan.engine.clone());
    note("key", line.key.clone());
    note("kind", kind.name().to_owned());
    note("rows", rows.num_rows().to_string());
    note("seconds", format!("{seconds:.3}"));
    let bytes = encode(&rows, &notes)?;
    faults::at("solved", shard)?;
    store.write(&plan.file_of(shard), bytes)?;
    faults::at("written", shard)?;
    kind.written(&solving)?;
    Ok(Solved { shard, digest, rows: rows.num_rows() as u64, seconds, was_there: false })
}

/// Returns what is known of a shard whose file is there and whole; `None` if it is to be solved.
///
/// # Errors
/// When the store fails.
pub(crate) fn solved(
    plan: &Plan,
    shard: usize,
    store: &Store,
) -> Result<Option<Solved>, BatchError> {
    let name = plan.file_of(shard);
    if store.size(&name)?.is_none() {
        return Ok(None);
    }
    let notes = match store.notes(&name) {
        Ok(notes) => notes,
        // Half a file: of a machine that lost its power.
        Err(BatchError::Faulty { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let note = |key: &str| notes.get(&format!("wayfare.{key}"));
    let number = |key: &str| note(key)?.parse::<f64>().ok();
    let whole = || {
        // The file of another shard, copied to here.
        if note("key")? != &plan.shards[shard].key {
            return None;
        }
        let digest = note("digest")?.clone();
        let (rows, seconds) = (number("rows")? as u64, number("seconds")?);
        Some(Solved { shard, digest, rows, seconds, was_there: true })
    };
    Ok(whole())
}

/// Looks for the files of all shards: what is known of each, `None` for those that are to be
/// solved.
///
/// # Errors
/// When the store fails.
pub fn all_solved(plan: &Plan, store: &Store) -> Result<Vec<Option<Solved>>, BatchError> {
    let listed = store.list("shards")?;
    let is_there = |name: String| listed.binary_search_by(|entry| entry.name.cmp(&name)).is_ok();
    let there: Vec<usize> =
        (0..plan.shards.len()).filter(|&shard| is_there(plan.file_of(shard))).collect();
    // In a bucket the answer to a request takes its time.
    let some = there.len().div_ceil(AT_A_TIME).max(1);
    let read = |shards: &[usize]| -> Result<Vec<Option<Solved>>, BatchError> {
        shards.iter().map(|&shard| solved(plan, shard, store)).collect()
    };
    let read = &read;
    let found: Vec<Option<Solved>> = thread::scope(|scope| {
        let readers: Vec<_> =
            there.chunks(some).map(|shards| scope.spawn(move || read(shards))).collect();
        let results = readers
            .into_iter()
            .map(|reader| reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let lists: Result<Vec<_>, _> = results.collect();
        Ok::<_, BatchError>(lists?.into_iter().flatten().collect())
    })?;
    let mut all: Vec<Option<Solved>> = plan.shards.iter().map(|_| None).collect();
    for (shard, found) in there.into_iter().zip(found) {
        all[shard] = found;
    }
    Ok(all)
}
