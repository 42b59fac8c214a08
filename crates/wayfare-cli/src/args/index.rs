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
    /// Build the index of a grid or navigation mesh: later routes on it take microseconds
    Build(IndexBuildArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
An index pays on a map that stays as it is for thousands of routes. Of a grid it has the corners in sight of each cell, \
up to 64 MiB and for up to 65,536 corners. It holds for this map and this movement alone, and \
is refused for any other. Ground must be of one cost. On grids diagonals must need both cells beside them (--corners \
both), or be none (--neighbours 4). Links are no part of an index: navigation meshes with links are searched.

Examples:
  wayfare index build worlds/city.map -o city.index
  wayfare solve worlds/city.map --index city.index --from 7,7 --to 504,504
  wayfare bench city.map.scen --index city.index
  wayfare index build level.glb -o level.index")]
pub(crate) struct IndexBuildArgs {
    /// A tile map, a scene that is sampled into cells, a navigation mesh, or a level that is baked
    #[arg(value_name = "WORLD")]
    pub(crate) world: PathBuf,

    /// The file to write; it appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Give up an index larger than that, in mebibytes: maps of scattered obstacles, and wide
    /// ground with many corners in sight of each other, have very large ones
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    #[arg(value_parser = within(1u32, 65_536))]
    pub(crate) max_size: u32,

    #[command(flatten)]
    pub(crate) movement: MovementArgs,
}
