//! Profiles: one class of agents in a voxel world.

use super::{BlockCost, BlockId, VoxelError};

/// The largest [`VoxelProfile::jump_height`] and [`VoxelProfile::jump_distance`], in blocks.
pub const MAX_JUMP: u8 = 8;

/// The largest [`VoxelProfile::max_fall_distance`], in blocks.
pub const MAX_FALL: u16 = 1024;

/// The largest [`VoxelProfile::height`] and [`VoxelProfile::width`], in blocks.
pub const MAX_BODY: u8 = 8;

/// What a class of agents can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Abilities {
    /// Along the ground, to the eight blocks around. Default on.
    pub walk: bool,
    /// Up by [`VoxelProfile::jump_height`], and across gaps of [`VoxelProfile::jump_distance`]. Default on.
    pub jump: bool,
    /// Down by [`VoxelProfile::max_fall_distance`]. Default on.
    pub fall: bool,
    /// Through water, in all 26 directions, and out onto a bank. Default off.
    pub swim: bool,
    /// Along ladders and climbable walls. Default off.
    pub climb: bool,
    /// Through the air, in all 26 directions. Default off.
    pub fly: bool,
}

impl Default for Abilities {
    fn default() -> Self {
        Self { walk: true, jump: true, fall: true, ..Self::NONE }
    }
}

impl Abilities {
    /// Nothing at all.
    pub const NONE: Self =
        Self { walk: false, jump: false, fall: false, swim: false, climb: false, fly: false };
}

/// What each action costs: a factor on the length of the move, 0 to 1,000. Default 1. Raising one makes paths avoid it.
///
/// The length of a move over the ground is the way across, 1 or √2 a block, and one for each block up or down; in the air
/// and in water it is 1, √2 or √3.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActionCosts {
    /// Walking.
    pub walk: f32,
    /// Jumping, up or across.
    pub jump: f32,
    /// Falling.
    pub fall: f32,
    /// Swimming, and getting into and out of the water.
    pub swim: f32,
    /// Climbing.
    pub climb: f32,
    /// Flying.
    pub fly: f32,
}

impl Default for ActionCosts {
    fn default() -> Self {
        Self { walk: 1.0, jump: 1.0, fall: 1.0, swim: 1.0, climb: 1.0, fly: 1.0 }
    }
}

/// One class of agents: what they can do, how large they are, and what moves cost them.
///
/// The default walks, jumps one block high and none far, falls one block, neither swims nor climbs nor flies, and is one block
/// high and wide.
#[derive(Clone, PartialEq, Debug)]
pub struct VoxelProfile {
    /// What they can do.
    pub abilities: Abilities,
    /// How many blocks up a jump leads, 0 to [`MAX_JUMP`]; default 1. The head needs room all the way.
    pub jump_height: u8,
    /// How many blocks of gap a jump crosses, 0 to [`MAX_JUMP`]; default 0. Along x or z only.
    pub jump_distance: u8,
    /// How many blocks down a fall may lead, 0 to [`MAX_FALL`]; default 1. Applies to falls into water too.
    pub max_fall_distance: u16,
    /// How many blocks high the body is, 1 to [`MAX_BODY`]; default 1.
    pub height: u8,
    /// How many blocks wide the body is along x and z, 1 to [`MAX_BODY`]; default 1. An agent's voxel is the one in the middle
    /// of its feet (with the lower x and z, where the width is even). It stands where any block under its feet carries it.
    pub width: u8,
    /// Whether doors are open to them. Default `true`.
    pub opens_doors: bool,
    /// Whether they may swim in lava. Default `false`.
    pub endures_lava: bool,
    /// What each action costs.
    pub action_costs: ActionCosts,
    /// What blocks cost them, where that is not what the palette says. In the order given: the last one counts.
    pub block_costs: Vec<(BlockId, BlockCost)>,
}

impl Default for VoxelProfile {
    fn default() -> Self {
        Self {
            abilities: Abilities::default(),
            jump_height: 1,
            jump_distance: 0,
            max_fall_distance: 1,
            height: 1,
            width: 1,
            opens_doors: true,
            endures_lava: false,
            action_costs: ActionCosts::default(),
            block_costs: Vec::new(),
        }
    }
}

impl VoxelProfile {
    /// Agents that do nothing but fly: 26 directions, a move's whole bounding box free.
    #[must_use]
    pub fn flyer() -> Self {
        Self { abilities: Abilities { fly: true, ..Abilities::NONE }, ..Self::default() }
    }

    /// Agents that do nothing but swim.
    #[must_use]
    pub fn swimmer() -> Self {
        Self { abilities: Abilities { swim: true, ..Abilities::NONE }, ..Self::default() }
    }

    pub(crate) fn check(&self) -> Result<(), VoxelError> {
        let jump = "from 0 to 8 blocks";
        let body = "from 1 to 8 blocks";
        let bounds = [
            ("jump height", u16::from(self.jump_height), 0..=u16::from(MAX_JUMP), jump),
            ("jump distance", u16::from(self.jump_distance), 0..=u16::from(MAX_JUMP), jump),
            ("fall distance", self.max_fall_distance, 0..=MAX_FALL, "from 0 to 1024 blocks"),
            ("height", u16::from(self.height), 1..=u16::from(MAX_BODY), body),
            ("width", u16::from(self.width), 1..=u16::from(MAX_BODY), body),
        ];
        for (field, value, allowed, range) in bounds {
            if !allowed.contains(&value) {
                return Err(VoxelError::OutOfRange { field, value: value.into(), range });
            }
        }
        Ok(())
    }

    /// How far up a jump leads, if they can jump at all.
    pub(crate) fn jumps_up(&self) -> i32 {
        if self.abilities.jump { self.jump_height.into() } else { 0 }
    }

    /// How far across a jump leads, in blocks of gap.
    pub(crate) fn jumps_across(&self) -> i32 {
        if self.abilities.jump { self.jump_distance.into() } else { 0 }
    }

    /// How far down a fall leads.
    pub(crate) fn falls(&self) -> i32 {
        if self.abilities.fall { self.max_fall_distance.into() } else { 0 }
    }

    /// Whether they do nothing but fly.
    pub(crate) fn only_flies(&self) -> bool {
        self.abilities == Abilities { fly: true, ..Abilities::NONE }
    }

    /// Whether they move through volumes: air, or water.
    pub(crate) fn moves_in_volume(&self) -> bool {
        self.abilities.fly || self.abilities.swim
    }
}
