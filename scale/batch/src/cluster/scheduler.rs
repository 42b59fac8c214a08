//! The scheduler: hands out shards.

use std::sync::Arc;

use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;

use super::codec::Codec;
use super::settings;
use crate::args::SchedulerArgs;
use crate::failure::{Exit, Failure};
use crate::printer::say;

/// Seconds that a job waits for a worker once the last one is lost.
const GRACE: u64 = 10;

/// Serves until it is stopped.
pub(crate) fn scheduler(args: &SchedulerArgs) -> Result<Exit, Failure> {
    let timeout = args.timeout;
    let config = SchedulerConfig {
        bind_host: args.bind.ip().to_string(),
        bind_port: args.bind.port(),
        external_host: args.bind.ip().to_string(),
        executor_timeout_seconds: timeout,
        expire_dead_executor_interval_seconds: (timeout / 4).max(1),
        no_executors_grace_period_seconds: GRACE,
        override_config_producer: Some(Arc::new(settings)),
        override_logical_codec: Some(Codec::shared()),
        override_physical_codec: Some(Codec::shared()),
        ..SchedulerConfig::default()
    };
    let failed = |error: ballista_core::error::BallistaError| Failure::cluster(args.bind, error);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let config = Arc::new(config);
        let cluster = BallistaCluster::new_from_config(&config).await.map_err(failed)?;
        say(format_args!("scheduler at {}; workers join by `wayfare batch worker {}`", args.bind, args.bind));
        tokio::select! {
            ended = start_server(cluster, args.bind, config) => ended.map(|()| Exit::Done).map_err(failed),
            _ = tokio::signal::ctrl_c() => Ok(Exit::Stopped),
        }
    })
}
