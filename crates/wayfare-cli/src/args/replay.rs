//! The arguments of `replay`.

use std::path::PathBuf;

use clap::Args;

use super::{MovementArgs, PictureArgs};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  wayfare solve worlds/cave.map --algorithm astar --trace cave.trace.json
  wayfare replay cave.trace.json                what the search did, and that nothing was changed
  wayfare replay cave.trace.json -o cave.gif    as a film, on the world that the trace names
  wayfare replay search.trace.json --world my.map -o search.png")]
pub(crate) struct ReplayArgs {
    /// A trace, written by `wayfare solve --trace` or by the studio
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The world that was searched, for a picture [default: the file that the trace names]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) movement: MovementArgs,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}
