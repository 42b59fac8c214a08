//! Blocks: the contents of voxels.

/// The id of a block in the palette of a [`VoxelGrid`](super::VoxelGrid).
///
/// Example: [`VoxelGrid`](super::VoxelGrid).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BlockId(pub u16);

impl BlockId {
    /// Air: the first block of every palette.
    pub const AIR: Self = Self(0);
    /// Plain solid ground: the second block of every palette.
    pub const SOLID: Self = Self(1);
}

/// The effect of a block on bodies.
///
/// Example: [`Block`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum BlockKind {
    /// Bodies pass, and fall.
    #[default]
    Air,
    /// A full block. No body passes; agents stand on it.
    Solid,
    /// Agents that can swim pass; others do not. No agent stands on it.
    Water,
    /// As water, for swimmers that [endure lava](super::VoxelProfile::endures_lava).
    Lava,
    /// Bodies pass. Agents that can climb cling to it.
    Ladder,
    /// Agents that [open doors](super::VoxelProfile::opens_doors) pass; others do not.
    Door,
    /// A full block with sides that can be climbed: vines on a wall.
    Climbable,
    /// The lower half of a block: a slab. No body passes; agents stand on it, half a block high in
    /// its voxel. To agents that fly it is a full block.
    Half,
    /// As [`Half`](Self::Half), with a full block's height on one side: agents walk up and down
    /// over that side without a jump.
    Stairs(Ascent),
}

/// The side on which stairs are as high as a full block.
///
/// ```
/// use wayfare::space::voxel::{Ascent, BlockKind};
/// let step = BlockKind::Stairs(Ascent::East); // walked up towards larger x
/// assert!(step.is_half() && step.carries());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ascent {
    /// Towards larger x.
    East,
    /// Towards larger z.
    South,
    /// Towards smaller x.
    West,
    /// Towards smaller z.
    North,
}

impl Ascent {
    /// Returns the step along x and z.
    pub(super) fn step(self) -> (i32, i32) {
        match self {
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::West => (-1, 0),
            Self::North => (0, -1),
        }
    }
}

impl BlockKind {
    /// Returns whether agents can stand on it.
    #[must_use]
    pub fn carries(self) -> bool {
        matches!(self, Self::Solid | Self::Climbable) || self.is_half()
    }

    /// Returns whether it fills only the lower half of its voxel.
    #[must_use]
    pub fn is_half(self) -> bool {
        matches!(self, Self::Half | Self::Stairs(_))
    }

    /// Returns whether bodies swim in it.
    #[must_use]
    pub fn is_fluid(self) -> bool {
        matches!(self, Self::Water | Self::Lava)
    }
}

/// The cost of moves that end in or on a block: `length of the move × multiplier + penalty`.
///
/// Example: [`Block`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlockCost {
    /// A factor on the length of the move. 0 to 1,000, default 1. Raising it makes moves onto the
    /// block more expensive.
    pub multiplier: f32,
    /// Added to every move that ends there, in straight steps. 0 to 10,000, default 0.
    pub penalty: f32,
}

impl Default for BlockCost {
    fn default() -> Self {
        Self { multiplier: 1.0, penalty: 0.0 }
    }
}

/// A kind of block with its cost, which a profile can override.
///
/// ```
/// use wayfare::space::voxel::{Block, BlockCost, BlockKind};
/// let bog = Block { cost: BlockCost { multiplier: 4.0, penalty: 0.0 }, ..BlockKind::Solid.into() };
/// assert!(bog.kind.carries());
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Block {
    /// The effect on bodies.
    pub kind: BlockKind,
    /// The cost of moves onto it.
    pub cost: BlockCost,
}

impl From<BlockKind> for Block {
    fn from(kind: BlockKind) -> Self {
        Self { kind, cost: BlockCost::default() }
    }
}
