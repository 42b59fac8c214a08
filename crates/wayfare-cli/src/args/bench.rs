//! The arguments of `bench`.

use std::path::PathBuf;

use clap::Args;
use wayfare_site::EngineName;

use super::files::queries;
use super::names::{engines, whole, within};
use super::pictures::still_file;
use super::{HierarchyArgs, PictureArgs};

#[derive(Args, Debug)]
#[command(after_help = "\
Rules of the Moving AI benchmarks: eight neighbours, a diagonal needs both cells beside it free. Each path is walked \
again by an independent validator, and its length compared with the file's (to 0.01), outside the timing. In voxel \
worlds (.3dscen) agents fly: 26 neighbours, a move's whole box free, lengths to 0.001. On navigation meshes \
(.meshscen) a query is a line: start x y z, goal x y z, length; lengths to 0.0001. The exit code is 4 when an \
algorithm that promises the optimal cost misses it, a route over sectors costs more than was promised, or a path is \
not valid.

The algorithms take turns, query by query, so that a busy moment of the machine slows all of them. Times are of \
the thread, for the path state by state; `turns` is for its turning points alone, where an algorithm knows them, \
`first leg` for the plan and the first leg of a route over sectors.

With --format json, an array with, for each algorithm: algorithm, guarantee, queries, solved, optimal, invalid, \
capped, loss_mean, loss_worst, mean_us, p50_us, p99_us, turns_mean_us, first_leg_mean_us, speedup, expanded_mean, \
scratch_bytes, index_bytes, index_seconds (of an index or a hierarchy), and with --samples for each query: query, \
optimal_length, loss, us, turns_us, expanded. Losses are shares of the optimal length: 0.01 is 1 %.

Examples:
  wayfare bench brc202d.map.scen
  wayfare bench brc202d.map.scen --algorithms dijkstra,astar,jps --baseline astar --chart brc202d.png
  wayfare bench brc202d.map.scen --algorithms jps,astar --hierarchy
  wayfare bench brc202d.map.scen --algorithms astar,bidirectional --format json --samples")]
pub(crate) struct BenchArgs {
    #[arg(value_name = "FILE")]
    #[arg(help = format!("A scenario with the lengths of best routes, {}", queries()))]
    pub(crate) scenario: PathBuf,

    /// The map [default: the one that the scenario names, beside it]
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,

    /// The algorithms, separated by commas [default: all that promise the optimal cost and suit the
    /// map's size; in voxel worlds, astar and jps; on meshes, polyanya and corridor]
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',', value_parser = engines())]
    #[arg(hide_possible_values = true)]
    pub(crate) algorithms: Vec<EngineName>,

    /// The algorithm with which the mean times of the others are compared [default: astar, or the
    /// first]
    #[arg(long, value_name = "NAME", value_parser = engines(), hide_possible_values = true)]
    pub(crate) baseline: Option<EngineName>,

    /// Draw every query as a point: length against time, both logarithmic (.png or .svg)
    #[arg(long, value_name = "FILE", value_parser = still_file, help_heading = "Output")]
    pub(crate) chart: Option<PathBuf>,

    /// With --format json, list the figures of every query too
    #[arg(long, help_heading = "Output")]
    pub(crate) samples: bool,

    /// Measure an index of the map too, made by `wayfare index build`
    #[arg(long, value_name = "FILE")]
    pub(crate) index: Option<PathBuf>,

    /// Measure a hierarchy of sectors too: near-optimal; its loss is measured, its promise checked
    #[arg(long, help_heading = "Hierarchy")]
    pub(crate) hierarchy: bool,

    #[command(flatten)]
    pub(crate) sectors: HierarchyArgs,

    /// Run at most N queries, spread evenly over the file
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(1u64, u64::MAX))]
    pub(crate) limit: Option<u64>,

    /// Run each query N times and take its fastest time
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1)]
    #[arg(value_parser = within(1u32, 1000))]
    pub(crate) repeat: u32,

    /// Give up a query after N expansions [default: 2,000,000 for idastar, which might not end;
    /// none for others]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(crate) max_expansions: Option<u64>,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}
