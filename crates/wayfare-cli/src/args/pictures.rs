//! Where pictures go.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use wayfare_draw::{Palette, Theme};

#[derive(Args, Clone, Default, Debug)]
pub(crate) struct PictureArgs {
    /// Write a picture: .png, .svg, or .gif for a film of the search; may be repeated
    #[arg(short, long = "output", value_name = "FILE", value_parser = picture_file)]
    #[arg(help_heading = "Output")]
    pub(crate) outputs: Vec<PathBuf>,

    /// The colours of pictures
    #[arg(long, value_enum, value_name = "THEME", default_value_t, help_heading = "Output")]
    pub(crate) theme: ThemeArg,

    /// The colours of searches and paths
    #[arg(long, value_enum, value_name = "PALETTE", default_value_t, help_heading = "Output")]
    pub(crate) palette: PaletteArg,

    /// How pictures show a voxel world
    #[arg(long, value_enum, value_name = "VIEW", default_value_t, help_heading = "Output")]
    pub(crate) view: ViewArg,

    /// Leave out the blocks of a voxel world from that height on; blocks that hide the path are cut
    /// away in any case
    #[arg(long, value_name = "Y", help_heading = "Output")]
    pub(crate) cut_above: Option<u32>,

    /// Draw, as heat, the surcharge of entering each cell of a grid: its blurred penalty
    #[arg(long, help_heading = "Output")]
    pub(crate) heat: bool,

    /// Mark the gateways of a uniform-cost grid, and dim the rooms that searches skip
    #[arg(long, help_heading = "Output")]
    pub(crate) rooms: bool,
}

/// How pictures show a voxel world.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum ViewArg {
    /// From above a corner
    #[default]
    Isometric,
    /// The layers that the path runs through, side by side
    Layers,
}

/// The colours of pictures.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum ThemeArg {
    /// On slate
    #[default]
    Dark,
    /// On paper
    Light,
}

/// The colours of searches and paths.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum PaletteArg {
    /// Places in the colours of their costs, expanded ones dimmed
    #[default]
    ByCost,
    /// Open places from yellow to red, visited ones black, the goal blue, the path green
    VisitedBlack,
    /// Open places green, closed ones blue, lines to their parents, the path red
    OpenClosed,
}

impl PictureArgs {
    pub(crate) fn theme(&self) -> Theme {
        self.theme.theme().with_palette(match self.palette {
            PaletteArg::ByCost => Palette::ByCost,
            PaletteArg::VisitedBlack => Palette::VisitedBlack,
            PaletteArg::OpenClosed => Palette::OpenClosed,
        })
    }
}

impl ThemeArg {
    pub(crate) fn theme(self) -> Theme {
        match self {
            Self::Dark => Theme::DARK,
            Self::Light => Theme::LIGHT,
        }
    }
}

/// Refuses a picture that cannot be drawn, before a search runs for it.
fn picture_file(text: &str) -> Result<PathBuf, String> {
    drawable(text, &["png", "svg", "gif"], "pictures are written as .png, .svg or .gif")
}

/// Returns the same for still pictures.
pub(super) fn still_file(text: &str) -> Result<PathBuf, String> {
    drawable(text, &["png", "svg"], "charts are written as .png or .svg")
}

fn drawable(text: &str, known: &[&str], advice: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if known.contains(&extension.as_str()) { Ok(path) } else { Err(advice.to_owned()) }
}
