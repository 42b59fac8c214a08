//! A worker: solves the shards that a scheduler hands out.

use std::net::TcpListener;
use std::sync::Arc;

use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};

use super::codec::Codec;
use super::settings;
use crate::args::WorkerArgs;
use crate::failure::{Exit, Failure};
use crate::printer::{counted, say};

/// Seconds between two signs of life.
const HEARTBEAT: u64 = 1;

/// Serves until it is stopped.
pub(crate) fn worker(args: &WorkerArgs) -> Result<Exit, Failure> {
    let address = &args.scheduler;
    let bad = || Failure::cluster(address, "an address is HOST:PORT, as 10.0.0.1:50050");
    let (host, port) = address.rsplit_once(':').ok_or_else(bad)?;
    let port: u16 = port.parse().map_err(|_| bad())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(cores, usize::from);
    let [flight, grpc] = free_ports(&args.host)?;
    let config = ExecutorProcessConfig {
        bind_host: args.host.clone(),
        external_host: Some(args.host.clone()),
        port: flight,
        grpc_port: grpc,
        scheduler_host: host.to_owned(),
        scheduler_port: port,
        scheduler_connect_timeout_seconds: 60,
        vcores: threads,
        executor_heartbeat_interval_seconds: HEARTBEAT,
        override_config_producer: Some(Arc::new(settings)),
        override_logical_codec: Some(Codec::shared()),
        override_physical_codec: Some(Codec::shared()),
        ..ExecutorProcessConfig::default()
    };
    say(format_args!("worker of {address}: {} at a time", counted(threads as u64, "shard")));
    let failed = |error: ballista_core::error::BallistaError| Failure::cluster(address, error);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(start_executor_process(Arc::new(config))).map_err(failed)?;
    Ok(Exit::Done)
}

/// Returns two ports that nobody listens on.
fn free_ports(host: &str) -> Result<[u16; 2], Failure> {
    let listeners = [TcpListener::bind((host, 0))?, TcpListener::bind((host, 0))?];
    let [one, other] = listeners.each_ref().map(TcpListener::local_addr);
    Ok([one?.port(), other?.port()])
}
