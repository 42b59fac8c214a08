//! A simulation: for how long, what of it is kept, and where it goes.

use std::path::PathBuf;

use clap::Args;
use wayfare::agent::{AnimationClip, BlendTree};
use wayfare_measure::Station;

use super::names::{positive_length, whole, within};
use super::{DangerArg, ThemeArg};

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  wayfare simulate worlds/guards.toml -o guards.gif
  wayfare simulate worlds/errands.toml -o errands.csv -o errands.png --at 10
  wayfare simulate worlds/bottleneck.toml --measures door.csv --line door=14,5..14,7
  wayfare simulate worlds/drawbridge.toml --hash --seed 7
  wayfare simulate worlds/guards.toml --ticks 200 --save-at 200 --save guards.snapshot
  wayfare simulate worlds/guards.toml --resume guards.snapshot --ticks 400 --hash")]
pub(crate) struct SimulateArgs {
    /// A scene (.toml) with agents
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,

    /// The seed of all random choices [default: that of the scene]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, conflicts_with = "resume")]
    pub(crate) seed: Option<u64>,

    /// Danger that all agents know of from the beginning: a place, or the box between two places,
    /// and what each state there costs more to enter, in metres walked: `2,1..5,4=10`. May be
    /// repeated. It spreads and decays like danger that is learnt
    #[arg(long, value_name = "PLACE[..PLACE]=COST", value_parser = DangerArg::read)]
    #[arg(allow_hyphen_values = true, conflicts_with = "resume")]
    pub(crate) danger: Vec<DangerArg>,

    /// Simulate up to that tick, counted from the beginning [default: as long as the scene says]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = ticks)]
    pub(crate) ticks: Option<u64>,

    /// Print the hash of the whole state after each tick
    #[arg(long)]
    pub(crate) hash: bool,

    /// Check each tick: no agent crosses a wall, speeds, or overfills a link. The first fault ends
    /// the run with exit code 4. Bodies that begin in each other are no fault: the longest overlap
    /// is told
    #[arg(long)]
    pub(crate) audit: bool,

    /// Write a snapshot to the file of --save after that tick
    #[arg(long, value_name = "TICK", requires = "save", help_heading = "Snapshots")]
    pub(crate) save_at: Option<u64>,

    /// The file for the snapshot; without --save-at it is taken at the end
    #[arg(long, value_name = "FILE", help_heading = "Snapshots")]
    pub(crate) save: Option<PathBuf>,

    /// Go on from a snapshot of the same scene: the ticks from there on are those of an unbroken
    /// run
    #[arg(long, value_name = "FILE", help_heading = "Snapshots")]
    pub(crate) resume: Option<PathBuf>,

    /// Write a film (.gif), a picture (.png, .svg with --at), a folder of numbered pictures (.svg
    /// without --at), the trajectories (.csv, .json, .parquet; .txt and .sqlite for JuPedSim and
    /// PedPy), or the outline of the ground (.wkt); may be repeated
    #[arg(short, long = "output", value_name = "FILE", value_parser = output_file)]
    #[arg(help_heading = "Output")]
    pub(crate) outputs: Vec<PathBuf>,

    /// Animation clips, each with the speed in metres a second that it was made for, the slowest
    /// first: idle=0,walk=1.4,run=4. Trajectories (.csv, .json) get the share of each and the
    /// playback speed, films show them [default: the clips of the scene]
    #[arg(long, value_name = "NAME=SPEED,…", value_parser = clips, help_heading = "Output")]
    pub(crate) clips: Option<BlendTree>,

    /// Measure the crowd second by second, as a table (.csv, .parquet) or plots (.png, .svg):
    /// density, speed and flow, by counting people and by Voronoi cells. May be repeated
    #[arg(long, value_name = "FILE", value_parser = measures_file, help_heading = "Measurements")]
    pub(crate) measures: Vec<PathBuf>,

    /// An area to measure in, a rectangle in metres: `hall=1,1..14,11`. May be repeated [default:
    /// all ground, if there is no line either]
    #[arg(long, value_name = "NAME=X,Z..X,Z", value_parser = super::stations::area)]
    #[arg(allow_hyphen_values = true, requires = "measures", help_heading = "Measurements")]
    pub(crate) area: Vec<Station>,

    /// A line to count people on who cross it, in metres: `door=14,5..14,7`. Crossings towards
    /// greater x count, for lines along z; in general those towards (z, -x) of its direction. May
    /// be repeated
    #[arg(long, value_name = "NAME=X,Z..X,Z", value_parser = super::stations::line)]
    #[arg(allow_hyphen_values = true, requires = "measures", help_heading = "Measurements")]
    pub(crate) line: Vec<Station>,

    /// The seconds of a row
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds, default_value_t = 1.0)]
    #[arg(requires = "measures", help_heading = "Measurements")]
    pub(crate) measure_every: f64,

    /// The greatest distance in metres from a person to the border of its Voronoi cell [default:
    /// none, cells end at walls and between people]
    #[arg(long, value_name = "METRES", value_parser = positive_length)]
    #[arg(requires = "measures", help_heading = "Measurements")]
    pub(crate) cutoff: Option<f32>,

    /// The moment of .png and .svg, in seconds; a .png without it shows the end
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Output")]
    pub(crate) at: Option<f64>,

    /// Pictures a second in films
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(1u8, 50))]
    #[arg(default_value_t = 10, help_heading = "Output")]
    pub(crate) fps: u8,

    /// The seconds of simulation in a second of film
    #[arg(long, value_name = "FACTOR", value_parser = positive_length, default_value_t = 1.0)]
    #[arg(help_heading = "Output")]
    pub(crate) pace: f32,

    /// The longer side of the world in pictures, in pixels
    #[arg(long, value_name = "PIXELS", value_parser = within(100u32, 4000))]
    #[arg(default_value_t = 640, help_heading = "Output")]
    pub(crate) size: u32,

    /// The colours of pictures
    #[arg(long, value_enum, value_name = "THEME", default_value_t, help_heading = "Output")]
    pub(crate) theme: ThemeArg,
}

/// Refuses a file that cannot be written, before the simulation runs for it.
fn output_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "gif" | "png" | "svg" | "csv" | "json" | "txt" | "wkt" => Ok(path),
        "parquet" if cfg!(feature = "parquet") => Ok(path),
        "parquet" => Err("this build cannot write Parquet: build it with --features parquet, or write .csv".to_owned()),
        "sqlite" if cfg!(feature = "sqlite") => Ok(path),
        "sqlite" => Err("this build cannot write SQLite: build it with --features sqlite, or write .txt and .wkt".to_owned()),
        _ => Err("films and pictures are written as .gif, .png or .svg, trajectories as .csv, .json, .parquet, .txt or .sqlite, the ground as .wkt".to_owned()),
    }
}

/// Refuses a file of measurements that cannot be written.
fn measures_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "csv" | "png" | "svg" => Ok(path),
        "parquet" if cfg!(feature = "parquet") => Ok(path),
        "parquet" => {
            Err("this build cannot write Parquet: build it with --features parquet, or write .csv"
                .to_owned())
        }
        _ => {
            Err("measurements are written as .csv or .parquet, their plots as .png or .svg"
                .to_owned())
        }
    }
}

/// Takes clips as `name=speed`, separated by commas.
fn clips(text: &str) -> Result<BlendTree, String> {
    let clip = |part: &str| {
        let (name, speed) = part.split_once('=')?;
        Some(AnimationClip::new(name.trim(), speed.trim().parse().ok()?))
    };
    let clips: Option<Vec<AnimationClip>> = text.split(',').map(clip).collect();
    let clips = clips.ok_or("clips are written as idle=0,walk=1.4,run=4")?;
    BlendTree::new(clips).map_err(|error| error.to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a number from 0 up".to_owned()),
    }
}

fn positive_seconds(text: &str) -> Result<f64, String> {
    seconds(text)
        .ok()
        .filter(|number| *number > 0.0)
        .ok_or_else(|| "it must be a number above 0".to_owned())
}

/// Takes a number of ticks.
fn ticks(text: &str) -> Result<u64, String> {
    const MOST: u64 = 16_777_216;
    let ticks = text.parse().ok().filter(|ticks| (1..=MOST).contains(ticks));
    ticks.ok_or_else(|| format!("it must be a whole number from 1 to {MOST}"))
}
