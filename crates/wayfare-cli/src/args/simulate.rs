//! A simulation: for how long, what of it is kept, and where it goes.

use std::path::PathBuf;

use clap::Args;
use wayfare::agent::{AnimationClip, BlendTree};

use super::names::{positive_length, whole, within};
use super::{DangerArg, ThemeArg};

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  wayfare simulate worlds/guards.toml -o guards.gif
  wayfare simulate worlds/errands.toml -o errands.csv -o errands.png --at 10
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
    /// the run with exit code 4
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
    /// without --at), or the trajectories (.csv, .json, .parquet); may be repeated
    #[arg(short, long = "output", value_name = "FILE", value_parser = output_file)]
    #[arg(help_heading = "Output")]
    pub(crate) outputs: Vec<PathBuf>,

    /// Animation clips, each with the speed in metres a second that it was made for, the slowest
    /// first: idle=0,walk=1.4,run=4. Trajectories (.csv, .json) get the share of each and the
    /// playback speed, films show them [default: the clips of the scene]
    #[arg(long, value_name = "NAME=SPEED,…", value_parser = clips, help_heading = "Output")]
    pub(crate) clips: Option<BlendTree>,

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
        "gif" | "png" | "svg" | "csv" | "json" => Ok(path),
        "parquet" if cfg!(feature = "parquet") => Ok(path),
        "parquet" => Err("this build cannot write Parquet: build it with --features parquet, or write .csv".to_owned()),
        _ => Err("films and pictures are written as .gif, .png or .svg, trajectories as .csv, .json or .parquet".to_owned()),
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

/// Takes a number of ticks.
fn ticks(text: &str) -> Result<u64, String> {
    const MOST: u64 = 16_777_216;
    let ticks = text.parse().ok().filter(|ticks| (1..=MOST).contains(ticks));
    ticks.ok_or_else(|| format!("it must be a whole number from 1 to {MOST}"))
}
