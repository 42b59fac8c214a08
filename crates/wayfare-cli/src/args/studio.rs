//! The arguments of `studio`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  wayfare studio                         the page in this program, or from studio/dist
  wayfare studio worlds/village.tmj      with this world opened
  wayfare studio --page /srv/studio --port 8080")]
pub(crate) struct StudioArgs {
    /// A world to open: a file that names no others
    #[arg(value_name = "WORLD")]
    pub(crate) world: Option<PathBuf>,

    /// The folder of the built page; default: the page within this program where it was built with
    /// one (`--features studio`), else `studio` beside it, else `studio/dist` here
    #[arg(long, value_name = "FOLDER")]
    pub(crate) page: Option<PathBuf>,

    /// The port on the loopback address; 0 takes any that is free
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) port: u16,
}
