//! The arguments of `index`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::MovementArgs;
use super::names::within;

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    #[command(subcommand)]
    pub(crate) command: IndexCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum IndexCommand {
    /// Build the index of a grid: later routes on it take microseconds
    Build(IndexBuildArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
An index pays on a map that stays as it is for thousands of routes. It holds for this map and this movement alone, and \
is refused for any other. Ground must be of one cost; diagonals must need both cells beside them (--corners both), or \
be none (--neighbours 4).

Examples:
  wayfare index build worlds/city.map -o city.index
  wayfare solve worlds/city.map --index city.index --from 7,7 --to 504,504
  wayfare bench city.map.scen --index city.index")]
pub(crate) struct IndexBuildArgs {
    /// A tile map, or a scene that is sampled into cells
    #[arg(value_name = "WORLD")]
    pub(crate) world: PathBuf,

    /// The file to write; it appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Give up an index larger than that, in mebibytes: maps of scattered obstacles have very large
    /// ones
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    #[arg(value_parser = within(1u32, 65_536))]
    pub(crate) max_size: u32,

    #[command(flatten)]
    pub(crate) movement: MovementArgs,
}
