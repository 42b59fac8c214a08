//! The ids of voxels and their layout in memory.

use wayfare_core::inside::state_id;

use super::VoxelError;

state_id! {
    /// A voxel of a voxel grid: the position of an agent's feet.
    ///
    /// Ids count through chunks of 16³, so that neighbours have similar ids. Convert from and to
    /// positions by [`VoxelGrid::voxel`](super::VoxelGrid::voxel) and
    /// [`VoxelGrid::position_of`](super::VoxelGrid::position_of).
    Voxel
}

/// The number of blocks along each side of a chunk.
pub const CHUNK_SIDE: u32 = 16;

/// The number of blocks of a chunk.
pub const CHUNK_BLOCKS: usize = 4096;

/// The size of a voxel world in blocks.
///
/// ```
/// use wayfare::space::voxel::{VoxelGrid, VoxelProfile, VoxelSize};
/// let size = VoxelSize { width: 64, height: 32, depth: 64 };
/// assert_eq!(VoxelGrid::new(size, VoxelProfile::default())?.size(), size);
/// # Ok::<(), wayfare::space::voxel::VoxelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VoxelSize {
    /// Blocks along x.
    pub width: u32,
    /// Blocks along y, which is up.
    pub height: u32,
    /// Blocks along z.
    pub depth: u32,
}

/// The position of a block, in blocks from the corner with the lowest x, y and z. y is up.
///
/// ```
/// use wayfare::space::voxel::{BlockPosition, ChunkPosition};
/// assert_eq!(BlockPosition::new(17, 3, 40).chunk(), ChunkPosition { x: 1, y: 0, z: 2 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BlockPosition {
    /// Blocks along x.
    pub x: u32,
    /// Blocks up.
    pub y: u32,
    /// Blocks along z.
    pub z: u32,
}

impl BlockPosition {
    /// Returns the position with these coordinates.
    #[must_use]
    pub const fn new(x: u32, y: u32, z: u32) -> Self {
        Self { x, y, z }
    }

    /// Returns the chunk of the block.
    #[must_use]
    pub const fn chunk(self) -> ChunkPosition {
        ChunkPosition { x: self.x / CHUNK_SIDE, y: self.y / CHUNK_SIDE, z: self.z / CHUNK_SIDE }
    }
}

impl std::fmt::Display for BlockPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {}, {})", self.x, self.y, self.z)
    }
}

/// The position of a chunk, in chunks of [`CHUNK_SIDE`] blocks.
///
/// Example: [`BlockPosition`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChunkPosition {
    /// Chunks along x.
    pub x: u32,
    /// Chunks up.
    pub y: u32,
    /// Chunks along z.
    pub z: u32,
}

/// Coordinates within searches: signed, so that a neighbour may lie off the map.
pub type At = [i32; 3];

/// Returns the values along x, y and z.
///
/// Compiled in place. In the standard library, `map` of arrays and `array::from_fn` may call a
/// function for each element.
#[inline(always)]
pub(crate) fn by_axis<T>(mut value: impl FnMut(usize) -> T) -> [T; 3] {
    [value(0), value(1), value(2)]
}

/// Each value of four bits, with two clear bits above each of them.
const SPREAD: [u16; 16] = {
    let mut spread = [0; 16];
    let mut number = 0;
    while number < 16 {
        let mut bit = 0;
        while bit < 4 {
            spread[number] |= (number as u16 >> bit & 1) << (3 * bit);
            bit += 1;
        }
        number += 1;
    }
    spread
};

/// The x, y and z, a byte each, of six bits of an id.
const GATHERED: [u32; 64] = {
    let mut gathered = [0; 64];
    let mut id = 0;
    while id < 64 {
        let (low, high) = (id as u32 & 7, id as u32 >> 3);
        gathered[id] = (low & 1 | (high & 1) << 1)
            | (low >> 2 | high >> 2 << 1) << 8
            | (low >> 1 & 1 | (high >> 1 & 1) << 1) << 16;
        id += 1;
    }
    gathered
};

/// Returns the x, y and z of an id within its chunk.
#[inline]
pub(crate) fn within_chunk(id: u32) -> [u32; 3] {
    let gathered = GATHERED[(id & 63) as usize] | GATHERED[(id >> 6 & 63) as usize] << 2;
    [gathered & 15, gathered >> 8 & 15, gathered >> 16]
}

/// The size of a world, and the arithmetic of its ids.
///
/// From the low end an id has x, z and y within the chunk, one bit of each in turn. Then follow the
/// chunk's y, x and z, in as many bits as each needs. So voxels that are near in any direction are
/// near in memory: eight nodes of a search, a cache line, form a cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub(crate) size: VoxelSize,
    /// The bits of the chunk's y and x.
    bits: [u32; 2],
    /// Masks of the bits of an id for x, y and z.
    pub masks: [u32; 3],
    bound: usize,
}

impl Layout {
    /// The layout of a world. Fails if it is empty or needs more than 31 bits.
    pub fn new(size: VoxelSize) -> Result<Self, VoxelError> {
        let sides = [size.width, size.height, size.depth];
        if sides.contains(&0) {
            return Err(VoxelError::Empty { size });
        }
        let log2 = |side: u32| u64::from(side.div_ceil(CHUNK_SIDE)).next_power_of_two().ilog2();
        let [x, y, z] = sides.map(log2);
        if x + y + z + 12 > 31 {
            return Err(VoxelError::TooLarge { size });
        }
        let field = |from: u32, bits: u32| ((1u32 << bits) - 1) << from;
        let masks = [0x249 | field(12 + y, x), 0x924 | field(12, y), 0x492 | field(12 + y + x, z)];
        Ok(Self { size, bits: [y, x], masks, bound: 1 << (x + y + z + 12) })
    }

    /// Returns one more than the largest id.
    pub fn bound(&self) -> usize {
        self.bound
    }

    /// Returns one more than the largest chunk index.
    pub fn chunks(&self) -> usize {
        self.bound >> 12
    }

    /// Returns whether a position is on the map.
    #[inline]
    pub fn contains(&self, [x, y, z]: At) -> bool {
        (x as u32) < self.size.width
            && (y as u32) < self.size.height
            && (z as u32) < self.size.depth
    }

    /// Returns the id of a position on the map.
    #[inline]
    pub fn voxel(&self, [x, y, z]: At) -> Voxel {
        let (x, y, z) = (x as u32, y as u32, z as u32);
        let [by, bx] = self.bits;
        let chunk = ((z >> 4) << bx | x >> 4) << by | y >> 4;
        let spread = |part: u32| u32::from(SPREAD[(part & 15) as usize]);
        Voxel(chunk << 12 | spread(y) << 2 | spread(z) << 1 | spread(x))
    }

    /// Returns the position of an id.
    #[inline]
    pub fn at(&self, Voxel(id): Voxel) -> At {
        let [by, bx] = self.bits;
        let chunk = id >> 12;
        let [x, y, z] = within_chunk(id);
        let y = (chunk & ((1 << by) - 1)) << 4 | y;
        let x = (chunk >> by & ((1 << bx) - 1)) << 4 | x;
        let z = chunk >> by >> bx << 4 | z;
        [x as i32, y as i32, z as i32]
    }

    /// Returns the parts of the neighbours' ids along each axis: at −1, 0 and +1. A neighbour's id
    /// is the union of its three parts. Off the map the parts wrap around.
    #[inline]
    pub fn around(&self, Voxel(id): Voxel) -> [[u32; 3]; 3] {
        by_axis(|axis| {
            let mask = self.masks[axis];
            let here = id & mask;
            [
                here.wrapping_sub(mask & mask.wrapping_neg()) & mask,
                here,
                (id | !mask).wrapping_add(1) & mask,
            ]
        })
    }

    /// Returns the signs of the offset between two voxels: the step, if they are neighbours.
    #[inline]
    pub(crate) fn step(&self, Voxel(from): Voxel, Voxel(to): Voxel) -> At {
        by_axis(|axis| {
            let (from, to) = (from & self.masks[axis], to & self.masks[axis]);
            i32::from(to > from) - i32::from(to < from)
        })
    }

    /// Returns the corner of a chunk.
    pub fn corner(&self, chunk: usize) -> At {
        self.at(Voxel((chunk << 12) as u32))
    }

    /// Returns the index of the chunk of a position on the map.
    #[inline]
    pub(crate) fn chunk(&self, [x, y, z]: At) -> usize {
        let [by, bx] = self.bits;
        ((z as usize >> 4) << bx | x as usize >> 4) << by | y as usize >> 4
    }

    /// Returns the position of an id; `None` if it is not that of a voxel on the map.
    #[inline]
    pub fn place(&self, voxel: Voxel) -> Option<At> {
        let at = self.at(voxel);
        ((voxel.0 as usize) < self.bound && self.contains(at)).then_some(at)
    }

    /// Returns the index of a block in its chunk's list: x fastest, then z, then y.
    #[inline]
    pub(crate) fn block(&self, [x, y, z]: At) -> usize {
        ((y & 15) << 8 | (z & 15) << 4 | x & 15) as usize
    }

    /// Returns the indices of all chunks on the map.
    pub fn chunks_on_map(self) -> impl Iterator<Item = usize> {
        (0..self.chunks()).filter(move |&chunk| self.contains(self.corner(chunk)))
    }
}
