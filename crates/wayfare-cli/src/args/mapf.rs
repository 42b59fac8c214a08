//! `wayfare mapf`.

use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use super::names::within;
use super::{MovementArgs, ThemeArg};

#[derive(Args, Debug)]
#[command(after_help = "\
Time passes in steps. In a step an agent stays or goes to a cell straight beside it, where the grid has that move; no \
two are ever at one cell, and no two change places. An agent takes one cell: draw the map with cells as large as an \
agent. Terrain costs do not count. The same seed gives the same plan on every machine.

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
    refused: NoMovement,
}

/// The options for movement of other commands, each refused by its name: agents of a plan take one
/// cell and step straight. Help and completions leave them out.
#[derive(Debug)]
struct NoMovement;

impl Args for NoMovement {
    fn augment_args(command: Command) -> Command {
        let known = MovementArgs::augment_args(Command::new(""));
        command.args(known.get_arguments().cloned().map(|option| {
            let advice = match option.get_long() {
                Some("width") => {
                    "an agent of a plan takes one cell: draw the map with cells as large as an agent"
                }
                Some("neighbours" | "corners") => {
                    "agents of a plan step to the four cells straight beside them: leave it out"
                }
                _ => "plans are for grids, and this is for worlds of blocks: leave it out",
            };
            let refuse = move |_: &str| Err::<String, _>(advice.to_owned());
            // Without a value too, since some of them are switches.
            option
                .hide(true)
                .action(ArgAction::Set)
                .num_args(0..=1)
                .default_missing_value("")
                .allow_negative_numbers(true)
                .value_parser(refuse)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for NoMovement {
    fn from_arg_matches(_: &ArgMatches) -> Result<Self, Error> {
        Ok(Self)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), Error> {
        Ok(())
    }
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
