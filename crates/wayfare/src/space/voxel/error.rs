//! Why a voxel world cannot be built or edited.

use super::{BlockPosition, VoxelSize};

/// Why a voxel world cannot be built or edited.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VoxelError {
    /// A side is zero.
    #[error("a world of {} x {} x {} blocks has no blocks", size.width, size.height, size.depth)]
    Empty {
        /// The size asked for.
        size: VoxelSize,
    },
    /// There are more voxels than ids.
    #[error(
        "a world of {} x {} x {} blocks is too large: with each side raised to 16 times a power of two, there may be at most 2^31 \
         blocks (2048 x 512 x 2048, say); cut out a window",
        size.width, size.height, size.depth
    )]
    TooLarge {
        /// The size asked for.
        size: VoxelSize,
    },
    /// A place that is not on the map.
    #[error("{at} lies off the map")]
    OffMap {
        /// The place.
        at: BlockPosition,
    },
    /// A place in a chunk that is not loaded.
    #[error("{at} lies in a chunk that is not loaded")]
    NotLoaded {
        /// The place.
        at: BlockPosition,
    },
    /// A block that the palette does not have.
    #[error("there is no block {block}; the palette has {known}")]
    UnknownBlock {
        /// The number of the block.
        block: u16,
        /// How many blocks there are.
        known: usize,
    },
    /// The palette is full.
    #[error("a palette holds at most 65,536 blocks")]
    TooManyBlocks,
    /// A chunk whose number of blocks is wrong.
    #[error("a chunk has 4096 blocks, not {given}")]
    ChunkLength {
        /// The number given.
        given: usize,
    },
    /// A number that is NaN, infinite or out of range.
    #[error("the {field} is {value}; it must be {range}")]
    OutOfRange {
        /// What the number is.
        field: &'static str,
        /// The number.
        value: f32,
        /// What it may be.
        range: &'static str,
    },
    /// There are as many profiles as there can be.
    #[error("a voxel grid holds at most 65,536 profiles")]
    TooManyProfiles,
}
