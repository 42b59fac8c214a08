//! What agents can do in voxel worlds.

use clap::{Args, ValueEnum};
use wayfare::space::voxel::Abilities;
use wayfare_scene::scene::SceneTimes;

use super::HeightmapArgs;
use super::names::within;

#[derive(Args, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct AbilityArgs {
    /// The agent's abilities, separated by commas [default: walk,jump,fall]
    #[arg(
        long,
        value_enum,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Abilities in voxel worlds"
    )]
    pub(crate) abilities: Option<Vec<AbilityArg>>,

    /// The deepest fall, in blocks, 0 to 1024 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(0u16, 1024))]
    #[arg(help_heading = "Abilities in voxel worlds")]
    pub(crate) max_fall: Option<u16>,

    /// The highest jump, in blocks, 0 to 8 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(0u8, 8))]
    #[arg(help_heading = "Abilities in voxel worlds")]
    pub(crate) jump_height: Option<u8>,

    /// The widest gap that it jumps across, in blocks, 0 to 8 [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(0u8, 8))]
    #[arg(help_heading = "Abilities in voxel worlds")]
    pub(crate) jump_distance: Option<u8>,

    /// The agent's height in blocks, 1 to 8 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(1u8, 8))]
    #[arg(help_heading = "Abilities in voxel worlds")]
    pub(crate) character_height: Option<u8>,

    /// Doors are shut to the agent
    #[arg(long, help_heading = "Abilities in voxel worlds")]
    pub(crate) no_doors: bool,

    /// The agent swims in lava, if it swims
    #[arg(long, help_heading = "Abilities in voxel worlds")]
    pub(crate) endures_lava: bool,

    /// Count costs in seconds, as such an agent moves, not in blocks
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Abilities in voxel worlds")]
    pub(crate) times: Option<TimesArg>,

    /// Open a world of at most that many voxels, air included, some 100 bytes for 4096 [default:
    /// 268 million, and 1 million for each stretch of equal blocks]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(1u64, u64::MAX))]
    #[arg(help_heading = "Abilities in voxel worlds")]
    pub(crate) max_voxels: Option<u64>,

    #[command(flatten)]
    pub(super) heights: HeightmapArgs,
}

/// How fast an agent moves among blocks.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimesArg {
    /// People on Earth, among blocks of one metre: walking 1.4 m/s, a jump 0.3 s more, free fall
    People,
    /// Players of Minecraft: walking 4.3 blocks a second, gravity 32 blocks a second squared
    Minecraft,
}

impl From<TimesArg> for SceneTimes {
    fn from(times: TimesArg) -> Self {
        match times {
            TimesArg::People => Self::People,
            TimesArg::Minecraft => Self::Minecraft,
        }
    }
}

/// An ability.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AbilityArg {
    /// Along the ground
    Walk,
    /// Up, and across gaps
    Jump,
    /// Down
    Fall,
    /// Through water
    Swim,
    /// On ladders and climbable walls
    Climb,
    /// Through the air
    Fly,
}

impl AbilityArg {
    pub(super) fn together(list: &[Self]) -> Abilities {
        let mut able = Abilities::NONE;
        for ability in list {
            *match ability {
                Self::Walk => &mut able.walk,
                Self::Jump => &mut able.jump,
                Self::Fall => &mut able.fall,
                Self::Swim => &mut able.swim,
                Self::Climb => &mut able.climb,
                Self::Fly => &mut able.fly,
            } = true;
        }
        able
    }
}
