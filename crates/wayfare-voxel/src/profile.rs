//! Profiles: classes of agents in a voxel world.

use super::{BlockCost, BlockId, MoveTimes, VoxelError};

/// The largest [`VoxelProfile::jump_height`] and [`VoxelProfile::jump_distance`], in blocks.
pub const MAX_JUMP: u8 = 8;

/// The largest [`VoxelProfile::max_fall_distance`], in blocks.
pub const MAX_FALL: u16 = 1024;

/// The largest [`VoxelProfile::height`] and [`VoxelProfile::width`], in blocks.
pub const MAX_BODY: u8 = 8;

/// The kinds of moves of a class of agents.
///
/// ```
/// use wayfare::space::voxel::Abilities;
/// let swimmer = Abilities { swim: true, ..Abilities::default() }; // and walks, jumps, falls
/// assert!(swimmer.walk && !swimmer.fly);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Abilities {
    /// Along the ground, to the eight columns around. Default on.
    pub walk: bool,
    /// Up by [`VoxelProfile::jump_height`], and across gaps of [`VoxelProfile::jump_distance`].
    /// Default on.
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
    /// Every ability.
    pub const ALL: Self =
        Self { walk: true, jump: true, fall: true, swim: true, climb: true, fly: true };
    /// No ability.
    pub const NONE: Self =
        Self { walk: false, jump: false, fall: false, swim: false, climb: false, fly: false };
}

/// The cost of each action: a factor on the length of the move. 0 to 1,000, default 1. Raising one
/// makes paths avoid the action.
///
/// The length of a move over the ground is 1 or √2 for each block across, and 1 for each block up
/// or down. In air and water it is 1, √2 or √3.
///
/// ```
/// use wayfare::space::voxel::{ActionCosts, VoxelProfile};
/// let action_costs = ActionCosts { jump: 2.0, ..ActionCosts::default() }; // rather walks around
/// let lazy = VoxelProfile { action_costs, ..VoxelProfile::default() };
/// assert_eq!(lazy.action_costs.walk, 1.0);
/// ```
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

/// A class of agents: its abilities, its size, and its costs.
///
/// The default walks, jumps 1 block up and none across, and falls 1 block. It does not swim, climb
/// or fly, and is 1 block high and wide.
///
/// ```
/// use wayfare::space::voxel::{Abilities, VoxelProfile};
/// let diver = VoxelProfile {
///     abilities: Abilities { swim: true, ..Abilities::default() },
///     max_fall_distance: 20,
///     height: 2,
///     ..VoxelProfile::default()
/// };
/// assert_eq!(diver.jump_height, 1);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct VoxelProfile {
    /// The kinds of moves of the agents.
    pub abilities: Abilities,
    /// The height of a jump in blocks. 0 to [`MAX_JUMP`], default 1. The head needs room
    /// throughout. Raising it lets agents up higher steps.
    pub jump_height: u8,
    /// The gap that a jump crosses, in blocks, along x or z. 0 to [`MAX_JUMP`], default 0. Raising
    /// it lets agents across wider gaps, at more work for each state.
    ///
    /// A gap has no footing between the levels of its two sides, except for agents that cannot
    /// walk. A jump up, or over more than one block, needs a block of room above the higher side.
    pub jump_distance: u8,
    /// The depth of a fall in blocks, onto ground. 0 to [`MAX_FALL`], default 1. Raising it lets
    /// agents down higher cliffs, at more work for each state. Agents that fall and swim fall into
    /// water from any height.
    pub max_fall_distance: u16,
    /// The height of the body in blocks. 1 to [`MAX_BODY`], default 1.
    pub height: u8,
    /// The width of the body along x and z in blocks. 1 to [`MAX_BODY`], default 1.
    ///
    /// An agent's voxel is the one in the middle of its feet (of the middle ones, that with the
    /// lower x and z). An agent stands if any block under its feet carries it.
    pub width: u8,
    /// Whether agents pass doors. Default `true`.
    pub opens_doors: bool,
    /// Whether agents that can swim may swim in lava. Default `false`.
    pub endures_lava: bool,
    /// If given, moves cost their time instead of their length. Default `None`.
    ///
    /// Searches whose speed rests on costs by length (jumps, canonical moves, lines of sight) then
    /// visit all moves, as with other costs.
    pub times: Option<MoveTimes>,
    /// The cost of each action.
    pub action_costs: ActionCosts,
    /// Costs of blocks that differ from the palette's. Of several for one block the last counts.
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
            times: None,
            action_costs: ActionCosts::default(),
            block_costs: Vec::new(),
        }
    }
}

impl VoxelProfile {
    /// Returns a profile of agents that only fly: in 26 directions, where the whole bounding box of
    /// a move is free.
    #[must_use]
    pub fn flyer() -> Self {
        Self { abilities: Abilities { fly: true, ..Abilities::NONE }, ..Self::default() }
    }

    /// Returns a profile of agents that only swim.
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

    /// Returns the height of a jump; 0 without the ability.
    pub(crate) fn jumps_up(&self) -> i32 {
        if self.abilities.jump { self.jump_height.into() } else { 0 }
    }

    /// Returns the gap that a jump crosses, in blocks; 0 without the ability.
    pub(crate) fn jumps_across(&self) -> i32 {
        if self.abilities.jump { self.jump_distance.into() } else { 0 }
    }

    /// Returns the depth of a fall; 0 without the ability.
    pub(crate) fn falls(&self) -> i32 {
        if self.abilities.fall { self.max_fall_distance.into() } else { 0 }
    }

    /// Returns whether agents fall into water from any height.
    pub(crate) fn dives(&self) -> bool {
        self.abilities.fall && self.abilities.swim
    }

    /// Returns whether agents only fly.
    pub(crate) fn only_flies(&self) -> bool {
        self.abilities == Abilities { fly: true, ..Abilities::NONE }
    }

    /// Returns whether agents move through volumes: air or water.
    #[doc(hidden)]
    pub fn moves_in_volume(&self) -> bool {
        self.abilities.fly || self.abilities.swim
    }
}
