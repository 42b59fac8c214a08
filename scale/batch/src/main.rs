//! The command `wayfare batch`: jobs cut into shards, solved by the threads of a machine or by many
//! machines, and nothing lost whatever is killed.
//!
//! `args` parses arguments, `commands` run them. What a shard is, and how it is solved, is in
//! `wayfare_shards`.

mod args;
mod cluster;
mod commands;
mod failure;
mod printer;
mod summary;
mod threads;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).init();
    let cli = args::Cli::parse();
    match commands::run(&cli) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            printer::complain(&failure);
            failure.exit().into()
        }
    }
}
