//! How the walker moves.

use clap::{Args, ValueEnum};
use wayfare::space::{CornerRule, Neighbours, VoxelProfile};
use wayfare_world::Movement;
use wayfare_world::heightmap::HeightmapOptions;

use super::AbilityArgs;

#[derive(Args, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct MovementArgs {
    /// How many neighbours a cell has, 4 or 8 [default: 8]
    #[arg(long, value_name = "4|8", value_parser = neighbours, help_heading = "Movement on grids")]
    pub(crate) neighbours: Option<u8>,

    /// When a diagonal may pass a blocked corner [default: both]
    #[arg(long, value_enum, value_name = "RULE", help_heading = "Movement on grids")]
    pub(crate) corners: Option<CornersArg>,

    /// The walker's width in cells, 1 to 64, or in blocks, 1 to 8 [default: 1]
    #[arg(long, value_name = "CELLS", value_parser = clap::value_parser!(u8).range(1..=64))]
    #[arg(help_heading = "Movement on grids")]
    pub(crate) width: Option<u8>,

    #[command(flatten)]
    pub(crate) abilities: AbilityArgs,
}

impl MovementArgs {
    /// The movement on a grid that was asked for.
    pub(crate) fn movement(&self) -> Movement {
        let neighbours = match self.neighbours {
            Some(4) => Neighbours::Four,
            _ => Neighbours::Eight,
        };
        Movement {
            neighbours,
            corners: self.corners.map_or_else(CornerRule::default, CornerRule::from),
            width: self.width.unwrap_or(1),
        }
    }

    /// The agent in a voxel world that was asked for.
    pub(crate) fn voxel_profile(&self) -> VoxelProfile {
        self.abilities.profile(self.width)
    }

    /// How a heightmap is to become a world.
    pub(crate) fn heightmap(&self) -> HeightmapOptions {
        self.abilities.heights.options()
    }

    /// Whether anything was asked for that is for grids.
    pub(crate) fn is_for_grids(&self) -> bool {
        self.is_for_grids_alone() || self.width.is_some()
    }

    /// Whether anything was asked for that voxel worlds do not know.
    pub(crate) fn is_for_grids_alone(&self) -> bool {
        self.neighbours.is_some() || self.corners.is_some()
    }

    /// Whether anything was asked for that is for voxel worlds alone.
    pub(crate) fn is_for_voxels(&self) -> bool {
        self.abilities != AbilityArgs::default()
    }
}

/// When a diagonal move may pass the two cells beside it.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CornersArg {
    /// When both cells beside the diagonal are free
    Both,
    /// When at least one is
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
