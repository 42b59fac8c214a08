//! The command and its subcommands.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use wayfare_site::EngineName;

use super::files::{any, worlds, written};
use super::names::{Format, SmoothArg, engines, positive_length, within};
use super::{
    BakeArgs, BenchArgs, EndpointArgs, GenerateArgs, HeightmapArgs, HierarchyArgs, IndexArgs,
    LimitArgs, MapfArgs, MovementArgs, PictureArgs, ReplayArgs, SearchArgs, SimulateArgs,
    StudioArgs,
};

const EXAMPLES: &str = "\
Examples:
  wayfare demo                                     two pictures of a search, no flags to learn
  wayfare solve worlds/village.tmj                 one route, drawn in the terminal
  wayfare solve worlds/cave.map -o cave.gif        the search as a film
  wayfare compare worlds/cave.map -o both.png      several algorithms on one query
  wayfare why worlds/two-islands.txt               why there is no path, and what would help
  wayfare simulate worlds/guards.toml -o film.gif  agents on patrol, in pursuit and in flight
  wayfare bake worlds/courtyard.obj -o yard.png    a navigation mesh from a level, drawn
  wayfare generate --count 9 --picture nine.png    worlds from a seed, each proven passable
  wayfare bench brc202d.map.scen                   every cost checked against the optimal";

/// Routes over tiles, waypoints and blocks, and agents that walk them: solve, compare, explain,
/// simulate and benchmark.
#[derive(Parser, Debug)]
#[command(name = "wayfare", version, about, arg_required_else_help = true)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}", crate::exit::EXIT_CODES))]
pub(crate) struct Cli {
    /// The form of the results; messages go to standard error in either case
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) format: Format,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Find one route, and draw it
    Solve(SolveArgs),
    /// Tell what a recorded search did, and draw it
    Replay(ReplayArgs),
    /// Run several algorithms on one query: a table and a picture
    Compare(CompareArgs),
    /// Explain why there is no path and what would open one, or what a path's cost is made of
    Why(WhyArgs),
    /// Let the agents of a scene move: a film, trajectories, hashes
    Simulate(SimulateArgs),
    /// Run all queries of a .scen, .3dscen or .meshscen file and check every cost against the
    /// optimal
    Bench(BenchArgs),
    /// Solve millions of queries, tables and bakes in shards that nothing can lose:
    /// `wayfare-batch`, a program of its own
    #[command(disable_help_flag = true)]
    Batch(BatchArgs),
    /// Bake a navigation mesh from the triangles of a level
    Bake(BakeArgs),
    /// Generate worlds from a seed: caves, mazes, cities, dungeons and more
    Generate(GenerateArgs),
    /// Plan for many agents of a grid at once, so that no two ever collide
    Mapf(MapfArgs),
    /// Build an index of a grid or navigation mesh that does not change
    Index(IndexArgs),
    /// Summarise a world file
    Info(InfoArgs),
    /// Convert a world file to another format
    Convert(ConvertArgs),
    /// Serve the studio, a page that shows any search step by step, on this machine alone
    Studio(StudioArgs),
    /// Solve two shipped worlds and draw them
    Demo(DemoArgs),
    /// List the algorithms
    Algorithms,
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print a manual page
    Man(ManArgs),
}

/// The arguments of another program.
#[derive(Args, Debug)]
pub(crate) struct BatchArgs {
    /// The arguments of wayfare-batch; --help lists them
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<OsString>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  wayfare solve worlds/village.tmj --from 1,2 --to 8,2
  wayfare solve worlds/village.toml --query 'over the range' --algorithm dijkstra
  wayfare solve worlds/courtyard.obj -o courtyard.png
  wayfare solve worlds/cave.map --width 3 -o cave.png -o cave.gif
  wayfare solve worlds/city.map --hierarchy --sector-side 16 -o city.png
  wayfare solve worlds/voxel-village.voxels --abilities walk,jump,fall,swim -o village.png
  wayfare solve worlds/cave.map --algorithm astar --trace cave.trace.json
  wayfare solve worlds/city.map --format json | jq .cost")]
pub(crate) struct SolveArgs {
    #[arg(value_name = "WORLD", help = worlds())]
    pub(crate) world: PathBuf,

    #[command(flatten)]
    pub(crate) endpoints: EndpointArgs,

    /// The algorithm; `auto` picks the fastest that finds a cheapest path, `wayfare algorithms`
    /// lists all
    #[arg(long, short, value_name = "NAME", value_parser = engines(), hide_possible_values = true)]
    #[arg(default_value = "auto")]
    pub(crate) algorithm: EngineName,

    /// Answer from an index of this grid or navigation mesh, made by `wayfare index build`,
    /// without a search
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = [
        "algorithm", "heuristic", "weight", "ignore_own_costs", "max_expansions", "max_generated", "max_open",
        "max_cost",
    ])]
    pub(crate) index: Option<PathBuf>,

    /// Plan over sectors of the grid: near-optimal, the first leg at once. Prints the loss against
    /// a cheapest path
    #[arg(long, help_heading = "Hierarchy", conflicts_with_all = [
        "algorithm", "index", "heuristic", "weight", "ignore_own_costs", "max_expansions", "max_generated",
        "max_open", "max_cost",
    ])]
    pub(crate) hierarchy: bool,

    #[command(flatten)]
    pub(crate) sectors: HierarchyArgs,

    /// Refine the route of --hierarchy into a cheapest path
    #[arg(long, requires = "hierarchy", help_heading = "Hierarchy")]
    pub(crate) exact: bool,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) movement: MovementArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Refine the path's shape before it is drawn and printed; it never leads through an obstacle
    #[arg(long, value_enum, value_name = "HOW", default_value_t, help_heading = "Output")]
    pub(crate) smooth: SmoothArg,

    /// The radius of the arcs of --smooth round, in cells or metres
    #[arg(long, value_name = "R", value_parser = positive_length, default_value_t = 1.5, allow_negative_numbers = true)]
    #[arg(help_heading = "Output")]
    pub(crate) turn_radius: f32,

    /// Record the search, event by event, for `wayfare replay` and the studio
    #[arg(long, value_name = "FILE", conflicts_with_all = ["index", "hierarchy"])]
    #[arg(help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  wayfare compare worlds/cave.map
  wayfare compare worlds/cave.map --algorithms astar,dijkstra -o race.gif
  wayfare compare worlds/city.map --list-vs-heap
  wayfare compare worlds/village.toml --policies")]
pub(crate) struct CompareArgs {
    #[arg(value_name = "WORLD", help = worlds())]
    pub(crate) world: PathBuf,

    #[command(flatten)]
    pub(crate) endpoints: EndpointArgs,

    /// The algorithms, separated by commas
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',', value_parser = engines())]
    #[arg(hide_possible_values = true, default_value = "astar,dijkstra,bidirectional,greedy")]
    pub(crate) algorithms: Vec<EngineName>,

    /// Compare A* with a heap and A* with a plain list
    #[arg(long, conflicts_with = "algorithms")]
    pub(crate) list_vs_heap: bool,

    /// Compare the waypoint policies of the tutorial on every route that the world names, or on
    /// that of --query: a table of costs, with the waypoints' own costs and without. Pictures show
    /// the first route
    #[arg(long, conflicts_with_all = [
        "algorithms", "list_vs_heap", "from", "to", "ignore_own_costs",
    ])]
    pub(crate) policies: bool,

    /// Time each algorithm N times and report the median
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 5)]
    #[arg(value_parser = within(1u32, 1000))]
    pub(crate) repeat: u32,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) movement: MovementArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  wayfare why worlds/two-islands.txt
  wayfare why worlds/city.map --from 7,7 --to 504,504 --width 5
  wayfare why worlds/floating-islands.voxels --query 'island 2'")]
pub(crate) struct WhyArgs {
    #[arg(value_name = "WORLD", help = worlds())]
    pub(crate) world: PathBuf,

    #[command(flatten)]
    pub(crate) endpoints: EndpointArgs,

    #[command(flatten)]
    pub(crate) movement: MovementArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    #[arg(value_name = "FILE", help = any())]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) movement: MovementArgs,
}

const CONVERT_HELP: &str = "\
Nothing is lost in silence: what the format cannot hold is an error or a note.

Examples:
  wayfare convert worlds/voxel-village.voxels village.schem
  wayfare convert hills.height.png hills.vox --map-height 48 --water-level 12";

#[derive(Args, Debug)]
#[command(after_help = format!("{}\n\n{CONVERT_HELP}", written()))]
pub(crate) struct ConvertArgs {
    #[arg(value_name = "IN", help = any())]
    pub(crate) from: PathBuf,

    /// The file to write; its extension names the format
    #[arg(value_name = "OUT")]
    pub(crate) to: PathBuf,

    #[command(flatten)]
    pub(crate) heights: HeightmapArgs,
}

#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// The folder for the pictures
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub(crate) folder: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The command, `index build` for example; without one, the page of the program
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}
