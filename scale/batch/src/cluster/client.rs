//! A job handed to a scheduler.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ballista::prelude::SessionContextExt;
use ballista_core::extension::SessionConfigExt;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::SessionContext;
use futures::TryStreamExt;
use wayfare_shards::{Plan, Progress, Store, all_solved};

use super::settings;
use super::table::Shards;
use crate::failure::Failure;
use crate::printer::Bar;

/// Lets the workers of the scheduler at `address` solve shards.
pub(crate) fn run(
    address: &str,
    plan: &Plan,
    missing: &[usize],
    store: &Store,
    progress: &Progress,
) -> Result<(), Failure> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| watch(plan, missing, store, &is_over));
        let ended = runtime.block_on(async {
            tokio::select! {
                ended = submit(address, plan, missing, store) => ended,
                () = stopped(progress) => Err(wayfare_shards::BatchError::Stopped.into()),
            }
        });
        is_over.store(true, Ordering::Relaxed);
        match ended {
            // Of a worker that was lost after its last shard the answer is lost, too; its shards
            // are there.
            Err(Failure::Cluster { .. }) if is_complete(plan, missing, store)? => Ok(()),
            ended => ended,
        }
    })
}

fn is_complete(plan: &Plan, missing: &[usize], store: &Store) -> Result<bool, Failure> {
    let there = all_solved(plan, store)?;
    Ok(missing.iter().all(|&shard| there[shard].is_some()))
}

async fn submit(
    address: &str,
    plan: &Plan,
    missing: &[usize],
    store: &Store,
) -> Result<(), Failure> {
    let failed = |error: datafusion::error::DataFusionError| {
        Failure::cluster(address, error.strip_backtrace())
    };
    let config =
        settings().with_ballista_job_name(&plan.job.name).with_target_partitions(missing.len());
    let state = SessionStateBuilder::new().with_config(config).with_default_features().build();
    let url = format!("df://{address}");
    let context = SessionContext::remote_with_state(&url, state).await.map_err(failed)?;
    let numbers = missing.iter().map(|&shard| shard as u64).collect();
    let shards = Shards { address: store.address().to_owned(), numbers };
    let table = context.read_table(std::sync::Arc::new(shards)).map_err(failed)?;
    let rows = table.execute_stream().await.map_err(failed)?;
    // What the workers answer is only who solved what: the shards themselves are in the store.
    rows.try_collect::<Vec<_>>().await.map(|_| ()).map_err(failed)
}

async fn stopped(progress: &Progress) {
    while !progress.is_stopped() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Shows how many files of shards there are, until the job is over.
fn watch(plan: &Plan, missing: &[usize], store: &Store, is_over: &AtomicBool) {
    let bar = Bar::new(missing.len() as u64, "shards");
    while !is_over.load(Ordering::Relaxed) {
        if let Ok(there) = store.list("shards") {
            let names: std::collections::BTreeSet<&str> =
                there.iter().map(|entry| entry.name.as_str()).collect();
            let done =
                missing.iter().filter(|&&shard| names.contains(plan.file_of(shard).as_str()));
            bar.set(done.count() as u64, &plan.job.name);
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}
