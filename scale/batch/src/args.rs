//! The arguments.

use std::net::SocketAddr;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  wayfare batch run examples/cities.toml           a table of travel times and a picture of it
  wayfare batch plan paths.toml                    the shards, their inputs and how long they take
  wayfare batch status paths.toml                  what is done, the rate, the time left
  wayfare batch verify paths.toml                  some rows solved again and compared

Many machines, each with the same program:
  wayfare batch scheduler --bind 10.0.0.1:50050
  wayfare batch worker 10.0.0.1:50050
  wayfare batch run paths.toml --cluster 10.0.0.1:50050
Whatever else runs jobs:
  wayfare batch run-shard paths.toml $SLURM_ARRAY_TASK_ID";

/// Millions of queries, tables of travel times, benchmarks, bakes and simulations, cut into shards:
/// whatever is killed, the same command goes on from there.
#[derive(Parser, Debug)]
#[command(
    name = "wayfare-batch",
    bin_name = "wayfare batch",
    version,
    arg_required_else_help = true
)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}", crate::failure::EXIT_CODES))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Hash the inputs of a job and cut it into shards
    Plan(JobArgs),
    /// Solve the shards that are missing, and finish the job
    Run(RunArgs),
    /// Solve some shards of a planned job, for whatever else runs jobs
    RunShard(RunShardArgs),
    /// Tell what is done, the rate, the time left and the slowest shard
    Status(JobArgs),
    /// Solve some rows again and compare them, and all rows with their hashes
    Verify(VerifyArgs),
    /// Hand out shards to workers
    Scheduler(SchedulerArgs),
    /// Solve the shards that a scheduler hands out
    Worker(WorkerArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

#[derive(Args, Debug)]
pub(crate) struct JobArgs {
    /// The job's file (.toml), or the folder or s3:// address of its results
    #[arg(value_name = "JOB")]
    pub(crate) job: String,
}

#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) job: JobArgs,

    /// The threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Let the workers of a scheduler solve the shards; they see the job's files and results under
    /// the same addresses
    #[arg(long, value_name = "ADDRESS", conflicts_with = "threads")]
    pub(crate) cluster: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct RunShardArgs {
    #[command(flatten)]
    pub(crate) job: JobArgs,

    /// The numbers of shards, from 0
    #[arg(value_name = "N", required = true)]
    pub(crate) shards: Vec<usize>,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) job: JobArgs,

    /// How many rows are solved again
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) sample: u64,

    /// Chooses the rows
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Args, Debug)]
pub(crate) struct SchedulerArgs {
    /// Where to listen; there is no password: keep it within a network that you trust
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50050")]
    pub(crate) bind: SocketAddr,

    /// Seconds without a sign of life after which a worker counts as lost
    #[arg(long, value_name = "N", default_value_t = 12)]
    #[arg(value_parser = clap::value_parser!(u64).range(2..=3600))]
    pub(crate) timeout: u64,
}

#[derive(Args, Debug)]
pub(crate) struct WorkerArgs {
    /// The scheduler, HOST:PORT
    #[arg(value_name = "ADDRESS")]
    pub(crate) scheduler: String,

    /// The shards at a time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// The address of this machine for the others
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub(crate) host: String,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
