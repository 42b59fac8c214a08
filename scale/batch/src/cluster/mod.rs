//! Shards on many machines, by Ballista.
//!
//! A job is the query `SELECT * FROM shards`: a [`table`] with a partition a shard, whose scan
//! solves it. The scheduler makes a task of each partition, hands it to a worker, and to another
//! one if that is lost. Scheduler and workers are this program: they know the table by the
//! [`codec`].

mod client;
mod codec;
mod scheduler;
mod table;
mod worker;

pub(crate) use client::run;
pub(crate) use scheduler::scheduler;
pub(crate) use worker::worker;

use ballista_core::extension::SessionConfigExt;
use datafusion::prelude::SessionConfig;

use codec::Codec;

/// Returns the settings that client, scheduler and workers share.
fn settings() -> SessionConfig {
    SessionConfig::new_with_ballista()
        // Plans are fixed: the number of partitions is that of the shards.
        .with_ballista_adaptive_query_planner(false)
        .set_str("ballista.scheduler.max_partitions_per_task", "1")
        .with_ballista_logical_extension_codec(Codec::shared())
        .with_ballista_physical_extension_codec(Codec::shared())
}
