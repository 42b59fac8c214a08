//! Blocks: what a voxel is filled with.

/// The number of a block in the palette of a [`VoxelGrid`](super::VoxelGrid).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BlockId(pub u16);

impl BlockId {
    /// Air: the first block of every palette.
    pub const AIR: Self = Self(0);
    /// Plain solid ground: the second block of every palette.
    pub const SOLID: Self = Self(1);
}

/// What a block is to a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum BlockKind {
    /// Nothing: bodies pass, and fall.
    #[default]
    Air,
    /// A full block: nobody passes, and one can stand on it.
    Solid,
    /// Who can swim passes; nobody else does, and nobody stands on it.
    Water,
    /// As water, for those who can swim and [endure it](super::VoxelProfile::endures_lava).
    Lava,
    /// Bodies pass; who can climb holds on to it.
    Ladder,
    /// Passed by those who [open doors](super::VoxelProfile::opens_doors).
    Door,
    /// A full block whose sides can be climbed: vines on a wall.
    Climbable,
}

impl BlockKind {
    /// Whether one can stand on it.
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

/// What a move that ends in or on a block costs: `length of the move × multiplier + penalty`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlockCost {
    /// Factor on the length of the move. 0 to 1,000; default 1. Raising it makes moves on the block dearer.
    pub multiplier: f32,
    /// Added to every move that ends there, in straight steps. 0 to 10,000; default 0.
    pub penalty: f32,
}

impl Default for BlockCost {
    fn default() -> Self {
        Self { multiplier: 1.0, penalty: 0.0 }
    }
}

/// A kind of block and what it costs everyone whose profile says nothing else.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Block {
    /// What it is to a body.
    pub kind: BlockKind,
    /// What it costs.
    pub cost: BlockCost,
}

impl From<BlockKind> for Block {
    fn from(kind: BlockKind) -> Self {
        Self { kind, cost: BlockCost::default() }
    }
}
