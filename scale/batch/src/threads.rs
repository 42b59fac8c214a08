//! Shards on the threads of this machine.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use wayfare_shards::{BatchError, Plan, Progress, Solved, Store, solve};

/// How often a store may fail at a shard before the work ends.
const ATTEMPTS: u32 = 4;

/// Solves shards, some at a time, and tells `on_solved` of each. A failure of the store is tried
/// again; any other ends the work.
pub(crate) fn solve_all(
    plan: &Plan,
    shards: &[usize],
    store: &Store,
    threads: usize,
    progress: &Progress,
    on_solved: &(dyn Fn(&Solved) + Sync),
) -> Result<(), BatchError> {
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<BatchError>> = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..threads.min(shards.len()).max(1) {
            scope.spawn(|| {
                while let Some(&shard) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match attempt(plan, shard, store, progress) {
                        Ok(solved) => on_solved(&solved),
                        Err(error) => {
                            progress.stop();
                            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                            // The first failure; the others were stopped by it.
                            failed.get_or_insert(error);
                            return;
                        }
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn attempt(
    plan: &Plan,
    shard: usize,
    store: &Store,
    progress: &Progress,
) -> Result<Solved, BatchError> {
    for wait in 1..ATTEMPTS {
        match solve(plan, shard, store, progress) {
            Err(error) if error.is_worth_a_retry() && !progress.is_stopped() => {
                crate::printer::say(format_args!("shard {shard}: {error}; trying again"));
                thread::sleep(Duration::from_millis(250) * wait);
            }
            other => return other,
        }
    }
    solve(plan, shard, store, progress)
}
