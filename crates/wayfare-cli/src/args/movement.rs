//! How the walker moves.

use clap::{Args, ValueEnum};
use wayfare::space::{CornerRule, Neighbours};
use wayfare_scene::scene::SceneTimes;
use wayfare_site::OpenOptions;

use super::abilities::AbilityArg;
use super::names::within;
use super::{AbilityArgs, HeightmapArgs};

#[derive(Args, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct MovementArgs {
    /// The neighbours of a cell, 4 or 8 [default: 8]
    #[arg(long, value_name = "4|8", value_parser = neighbours, help_heading = "Movement on grids")]
    pub(crate) neighbours: Option<u8>,

    /// When a diagonal may pass a blocked corner [default: both]
    #[arg(long, value_enum, value_name = "RULE", help_heading = "Movement on grids")]
    pub(crate) corners: Option<CornersArg>,

    /// The agent's width in cells, 1 to 64, or in blocks, 1 to 8 [default: 1]
    #[arg(allow_negative_numbers = true)]
    #[arg(long, value_name = "CELLS", value_parser = within(1u8, 64))]
    #[arg(help_heading = "Movement on grids")]
    pub(crate) width: Option<u8>,

    #[command(flatten)]
    pub(crate) abilities: AbilityArgs,
}

impl MovementArgs {
    /// Returns how worlds are opened.
    pub(crate) fn options(&self) -> OpenOptions {
        let AbilityArgs { abilities, no_doors, endures_lava, heights, .. } = &self.abilities;
        OpenOptions {
            neighbours: self.neighbours.map(|number| match number {
                4 => Neighbours::Four,
                _ => Neighbours::Eight,
            }),
            corners: self.corners.map(CornerRule::from),
            width: self.width,
            abilities: abilities.as_deref().map(AbilityArg::together),
            jump_height: self.abilities.jump_height,
            jump_distance: self.abilities.jump_distance,
            max_fall: self.abilities.max_fall,
            height: self.abilities.character_height,
            opens_doors: no_doors.then_some(false),
            endures_lava: endures_lava.then_some(true),
            times: self.abilities.times.map(SceneTimes::from),
            max_voxels: self.abilities.max_voxels,
            heightmap: (*heights != HeightmapArgs::default()).then(|| heights.options()),
        }
    }
}

/// When a diagonal move may pass the two cells beside it.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CornersArg {
    /// When both cells beside the diagonal are free
    Both,
    /// When at least one of them is free
    One,
    /// Always, even between two walls
    Always,
}

impl From<CornersArg> for CornerRule {
    fn from(corners: CornersArg) -> Self {
        match corners {
            CornersArg::Both => Self::BothFree,
            CornersArg::One => Self::OneFree,
            CornersArg::Always => Self::Always,
        }
    }
}

fn neighbours(text: &str) -> Result<u8, String> {
    match text {
        "4" => Ok(4),
        "8" => Ok(8),
        _ => Err("a cell has 4 or 8 neighbours".to_owned()),
    }
}
