//! `wayfare mapf`.

use std::path::PathBuf;

use clap::Args;

use super::names::within;
use super::{MovementArgs, ThemeArg};

#[derive(Args, Debug)]
#[command(after_help = "\
Time passes in steps. In a step an agent stays or goes to a free cell straight beside it; no two are ever at one cell, \
and no two change places. Terrain costs do not count. The same seed gives the same plan on every machine.

Examples:
  wayfare mapf worlds/city.map --agents 40 -o crossing.gif
  wayfare mapf random-32-32-20.map --scen random-32-32-20-random-1.scen --agents 400
  wayfare mapf worlds/maze.txt --agents 12 --seed 3 --refine 5000000 -o plan.csv")]
pub(crate) struct MapfArgs {
    /// A tile map, or a scene that is sampled into cells
    #[arg(value_name = "WORLD")]
    pub(crate) world: PathBuf,

    /// The number of agents [default: 20, or all of --scen]
    #[arg(long, short = 'n', value_name = "N", value_parser = within(1usize, 1_000_000))]
    pub(crate) agents: Option<usize>,

    /// Starts and goals: a Moving AI .scen file, whose first N lines are taken; without one they
    /// are drawn by lot
    #[arg(long, value_name = "FILE")]
    pub(crate) scen: Option<PathBuf>,

    /// The seed of the lot and of the search
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The largest number of steps of all agents that the search tries
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(value_parser = within(1u64, 1_000_000_000))]
    pub(crate) max_steps: u64,

    /// The expansions that are spent on making the plan cheaper: a million take about a second
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = within(0u64, 1_000_000_000_000))]
    pub(crate) refine: u64,

    /// Write the plan: .gif for a film, .csv for a table of step, agent, x and y; may be repeated
    #[arg(short, long = "output", value_name = "FILE", value_parser = output_file)]
    pub(crate) outputs: Vec<PathBuf>,

    /// The colours of the film
    #[arg(long, value_enum, value_name = "THEME", default_value_t)]
    pub(crate) theme: ThemeArg,

    #[command(flatten)]
    pub(crate) movement: MovementArgs,
}

/// Refuses a file that cannot be written, before a search runs for it.
fn output_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "gif" | "csv" => Ok(path),
        _ => Err("plans are written as .gif or .csv".to_owned()),
    }
}
