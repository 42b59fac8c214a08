//! Errors of building and editing voxel worlds.

use super::{BlockPosition, VoxelSize};

/// Why a voxel world cannot be built or edited.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VoxelError {
    /// A side is 0.
    #[error("a world of {} x {} x {} blocks has no blocks", size.width, size.height, size.depth)]
    Empty {
        /// The requested size.
        size: VoxelSize,
    },
    /// The world has more voxels than there are ids.
    #[error(
        "a world of {} x {} x {} blocks is too large: with each side raised to 16 times a power of two, there may be at most 2^31 \
         blocks (2048 x 512 x 2048, say); cut out a window",
        size.width, size.height, size.depth
    )]
    TooLarge {
        /// The requested size.
        size: VoxelSize,
    },
    /// The position is off the map.
    #[error("{at} lies off the map")]
    OffMap {
        /// The position.
        at: BlockPosition,
    },
    /// The position lies in a chunk that is not loaded.
    #[error("{at} lies in a chunk that is not loaded")]
    NotLoaded {
        /// The position.
        at: BlockPosition,
    },
    /// The palette has no such block.
    #[error("there is no block {block}; the palette has {known}")]
    UnknownBlock {
        /// The id of the block.
        block: u16,
        /// The count of blocks in the palette.
        known: usize,
    },
    /// The palette is full.
    #[error("a palette holds at most 65,536 blocks")]
    TooManyBlocks,
    /// The count of blocks given for a chunk is wrong.
    #[error("a chunk has 4096 blocks, not {given}")]
    ChunkLength {
        /// The given count.
        given: usize,
    },
    /// A value is NaN, infinite or out of range.
    #[error("the {field} is {value}; it must be {range}")]
    OutOfRange {
        /// The name of the field.
        field: &'static str,
        /// The value.
        value: f32,
        /// Its range.
        range: &'static str,
    },
    /// The grid has the most profiles already.
    #[error("a voxel grid holds at most 65,536 profiles")]
    TooManyProfiles,
}
