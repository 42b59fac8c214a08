//! `wayfare generate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use wayfare_generate::{KindOrder, Seed};

use super::ThemeArg;
use super::names::within;
use super::pictures::still_file;

#[derive(Args, Debug)]
#[command(after_help = "\
The same settings and seed give the same worlds on every machine. Each world has an entry and an exit, and is written \
only after the engine has found a way from one to the other and every promise of its kind has been measured.

A settings file is TOML, a table a kind: numbers, or ranges from which each world draws; the table `all` holds for \
every kind that is asked for and has such a parameter. `--list --only KIND` shows the parameters.

  [caves]
  width = [96, 128]
  open = 0.45

Examples:
  wayfare generate --list
  wayfare generate --kinds caves,maze --count 12 --seed 7 -o worlds/
  wayfare generate --only dungeon --seed 3 -o dungeon.toml --picture dungeon.png
  wayfare generate --count 8 --spacing 4 --seed 7 -o row.toml --picture row.png
  wayfare generate --kinds outdoor --count 20 --picture sheet.png
  wayfare generate --kinds caves,city --count 4 -o live.toml --walkers 20 --reset 20=1:7
  wayfare simulate live.toml -o live.gif
  wayfare generate --only maze --pin 3=dungeon:7 --count 5 -o mixed/
  wayfare generate --only caves --count 1000 --params big.toml -o caves/ --resume
  wayfare generate --kinds indoor --count 8 -o maps/ --queries 500 --buckets")]
pub(crate) struct GenerateArgs {
    /// Kinds and families of kinds to choose from [default: all kinds of tiles]
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) kinds: Vec<String>,

    /// The one kind that all worlds are of
    #[arg(long, value_name = "KIND")]
    pub(crate) only: Option<String>,

    /// The number of worlds
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = within(1u64, 1_000_000_000))]
    pub(crate) count: u64,

    /// How kinds follow each other
    #[arg(long, value_enum, value_name = "ORDER", default_value_t)]
    pub(crate) order: OrderArg,

    /// The seed of all worlds; each has a seed of its own from it
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Make exactly this world in one place: its number from 1, its kind, and its seed; may be
    /// repeated
    #[arg(long = "pin", value_name = "N=KIND:SEED", value_parser = pin)]
    pub(crate) pins: Vec<Pin>,

    /// Settings: a TOML file with ranges of parameters
    #[arg(long, value_name = "FILE")]
    pub(crate) params: Option<PathBuf>,

    /// List the kinds; with --only the parameters of one
    #[arg(long)]
    pub(crate) list: bool,

    /// A folder, for a file each; or a file with all worlds side by side: .toml (scene), .map,
    /// .txt, .tmj or .png; of blocks and triangles a file holds one world
    #[arg(short, long, value_name = "FOLDER|FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// The format of the files in a folder, by its extension [default: toml; voxels for worlds of
    /// blocks, obj for levels of triangles]
    #[arg(long = "as", value_name = "EXTENSION", help_heading = "Output")]
    pub(crate) extension: Option<String>,

    /// Skip worlds whose files are there
    #[arg(long, requires = "output", help_heading = "Output")]
    pub(crate) resume: bool,

    /// Write N queries with their optimal lengths beside each world, for `wayfare bench`: a .map
    /// with free and blocked tiles and its .map.scen, of blocks a .3dmap and its .3dmap.3dscen.
    /// Levels have none
    #[arg(long, value_name = "N", requires = "output", help_heading = "Output")]
    #[arg(value_parser = within(1u32, 1_000_000))]
    pub(crate) queries: Option<u32>,

    /// Spread the queries evenly over buckets of length, four steps each, in place of queries
    /// between any two places
    #[arg(long, requires = "queries", help_heading = "Output")]
    pub(crate) buckets: bool,

    /// Tiles between worlds side by side
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Output")]
    #[arg(value_parser = within(1u32, 1024))]
    pub(crate) spacing: u32,

    /// Worlds in a row [default: as many as rows]
    #[arg(long, value_name = "N", help_heading = "Output")]
    #[arg(value_parser = within(1u32, 10_000))]
    pub(crate) columns: Option<u32>,

    /// In a scene with all worlds side by side: walkers that go through all of them, for `wayfare
    /// simulate`
    #[arg(long, value_name = "N", requires = "output", help_heading = "Output")]
    #[arg(value_parser = within(1u32, 10_000))]
    pub(crate) walkers: Option<u32>,

    /// In a scene with all worlds side by side: at SECONDS, swap world N, counted from 1, for one
    /// of the seed SEED while walkers are in it; may be repeated
    #[arg(long = "reset", value_name = "SECONDS=N:SEED", value_parser = timed, help_heading = "Output")]
    #[arg(requires = "output")]
    pub(crate) resets: Vec<Timed>,

    /// Draw the worlds with their ways from entry to exit: .png or .svg. One picture of all, at
    /// most 64
    #[arg(long, value_name = "FILE", value_parser = still_file, help_heading = "Output")]
    pub(crate) picture: Option<PathBuf>,

    /// The colours of pictures
    #[arg(long, value_enum, value_name = "THEME", default_value_t, help_heading = "Output")]
    pub(crate) theme: ThemeArg,
}

/// How kinds follow each other.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum OrderArg {
    /// One of each, and again from the first
    #[default]
    InTurn,
    /// All of the first, then all of the second
    Grouped,
    /// At random
    Mixed,
}

impl OrderArg {
    pub(crate) fn order(self) -> KindOrder {
        match self {
            Self::InTurn => KindOrder::InTurn,
            Self::Grouped => KindOrder::Grouped,
            Self::Mixed => KindOrder::Mixed,
        }
    }
}

/// A world that is made exactly so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pin {
    /// Its number, from 1.
    pub(crate) number: u64,
    pub(crate) kind: String,
    pub(crate) seed: Seed,
}

fn pin(text: &str) -> Result<Pin, String> {
    let parts = text.split_once('=').and_then(|(number, rest)| {
        let (kind, seed) = rest.split_once(':')?;
        let number = number.parse().ok().filter(|number| *number > 0)?;
        Some(Pin { number, kind: kind.to_owned(), seed: Seed(seed.parse().ok()?) })
    });
    parts.ok_or_else(|| "it must be N=KIND:SEED, with N from 1, such as 3=maze:7".to_owned())
}

/// A world that is swapped for another one at a time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Timed {
    pub(crate) seconds: f32,
    /// The number of the world, from 1.
    pub(crate) number: u64,
    pub(crate) seed: Seed,
}

fn timed(text: &str) -> Result<Timed, String> {
    let parts = text.split_once('=').and_then(|(seconds, rest)| {
        let (number, seed) = rest.split_once(':')?;
        let seconds = seconds.parse().ok().filter(|seconds| (0.0..=1e6).contains(seconds))?;
        let number = number.parse().ok().filter(|number| *number > 0)?;
        Some(Timed { seconds, number, seed: Seed(seed.parse().ok()?) })
    });
    parts.ok_or_else(|| {
        "it must be SECONDS=N:SEED, with seconds from 0 to 1000000 and N from 1, such as 20=3:7"
            .to_owned()
    })
}
