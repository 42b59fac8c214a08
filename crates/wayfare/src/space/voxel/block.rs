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
    /// Agents that can swim pass; others do not. Nobody stands on it.
    Water,
    /// As water, for swimmers that [endure lava](super::VoxelProfile::endures_lava).
    Lava,
    /// Bodies pass. Agents that can climb hold on to it.
    Ladder,
    /// Agents that [open doors](super::VoxelProfile::opens_doors) pass; others do not.
    Door,
    /// A full block with sides that can be climbed: vines on a wall.
    Climbable,
}

impl BlockKind {
    /// Whether agents can stand on it.
    #[must_use]
    pub fn carries(self) -> bool {
        matches!(self, Self::Solid | Self::Climbable)
    }

    /// Whether bodies swim in it.
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
