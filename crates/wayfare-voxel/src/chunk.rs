//! Chunks: 16³ blocks, uniform or packed behind a palette of their own.

use super::BlockId;
use super::layout::CHUNK_BLOCKS;

/// The blocks of a chunk, in the order of the low twelve bits of their ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chunk {
    /// Not loaded: its blocks are unknown.
    NotLoaded,
    /// All blocks are equal.
    Uniform(BlockId),
    /// Blocks differ.
    Packed(Box<PackedChunk>),
}

/// Blocks as indices into a palette, of 1, 2, 4, 8 or 16 bits each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedChunk {
    /// The blocks that occur, each with its count. An entry with 0 is free.
    palette: Vec<(BlockId, u16)>,
    bits: u32,
    words: Vec<u64>,
}

impl Chunk {
    /// Packs 4096 blocks.
    pub fn pack(blocks: &[BlockId; CHUNK_BLOCKS]) -> Self {
        if blocks.iter().all(|&block| block == blocks[0]) {
            return Self::Uniform(blocks[0]);
        }
        let mut present: Vec<BlockId> = blocks.to_vec();
        present.sort_unstable();
        let palette: Vec<(BlockId, u16)> =
            present.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u16)).collect();
        let mut packed = PackedChunk { bits: width_for(palette.len()), palette, words: Vec::new() };
        packed.words = vec![0; packed.bits as usize * CHUNK_BLOCKS / 64];
        let mut last = (blocks[0], packed.place(blocks[0]));
        for (index, &block) in blocks.iter().enumerate() {
            if block != last.0 {
                last = (block, packed.place(block));
            }
            packed.write(index, last.1);
        }
        Self::Packed(Box::new(packed))
    }

    /// Returns the block at an index; `None` if the chunk is not loaded.
    #[inline]
    pub fn get(&self, index: usize) -> Option<BlockId> {
        match self {
            Self::NotLoaded => None,
            Self::Uniform(block) => Some(*block),
            Self::Packed(packed) => Some(packed.palette[packed.read(index)].0),
        }
    }

    /// Changes one block of a loaded chunk. O(blocks that occur in it), O(4096) if their indices
    /// need more bits.
    pub fn set(&mut self, index: usize, block: BlockId) {
        match self {
            Self::NotLoaded => {}
            Self::Uniform(all) if *all == block => {}
            Self::Uniform(all) => {
                let palette = vec![(*all, CHUNK_BLOCKS as u16 - 1), (block, 1)];
                let mut words = vec![0; CHUNK_BLOCKS / 64];
                words[index / 64] = 1 << (index % 64);
                *self = Self::Packed(Box::new(PackedChunk { palette, bits: 1, words }));
            }
            Self::Packed(packed) => {
                packed.set(index, block);
                if packed.palette.iter().any(|entry| usize::from(entry.1) == CHUNK_BLOCKS) {
                    *self = Self::Uniform(block);
                }
            }
        }
    }

    /// Returns the blocks that occur, each once.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = BlockId> {
        let (uniform, packed) = match self {
            Self::NotLoaded => (None, &[][..]),
            Self::Uniform(block) => (Some(*block), &[][..]),
            Self::Packed(packed) => (None, &packed.palette[..]),
        };
        let occur = packed.iter().filter(|(_, count)| *count > 0).map(|(block, _)| *block);
        uniform.into_iter().chain(occur)
    }

    /// Memory in bytes, beside the value itself.
    pub fn size_in_bytes(&self) -> usize {
        match self {
            Self::NotLoaded | Self::Uniform(_) => 0,
            Self::Packed(packed) => {
                size_of::<PackedChunk>()
                    + packed.palette.capacity() * size_of::<(BlockId, u16)>()
                    + packed.words.capacity() * size_of::<u64>()
            }
        }
    }
}

/// Returns the bits of an index into a palette of `length`: a power of two, so no index straddles
/// two words.
fn width_for(entries: usize) -> u32 {
    entries.next_power_of_two().ilog2().max(1).next_power_of_two()
}

impl PackedChunk {
    #[inline]
    fn read(&self, index: usize) -> usize {
        let bit = index * self.bits as usize;
        (self.words[bit / 64] >> (bit % 64)) as usize & ((1 << self.bits) - 1)
    }

    fn write(&mut self, index: usize, place: usize) {
        let bit = index * self.bits as usize;
        let mask = ((1u64 << self.bits) - 1) << (bit % 64);
        let word = &mut self.words[bit / 64];
        *word = *word & !mask | (place as u64) << (bit % 64);
    }

    /// Returns the index of a block in the palette; else that of a free entry, or one past the end.
    fn place(&self, block: BlockId) -> usize {
        let of = |wanted: &dyn Fn(&(BlockId, u16)) -> bool| self.palette.iter().position(wanted);
        of(&|entry| entry.0 == block && entry.1 > 0)
            .or_else(|| of(&|entry| entry.1 == 0))
            .unwrap_or(self.palette.len())
    }

    fn set(&mut self, index: usize, block: BlockId) {
        let before = self.read(index);
        if self.palette[before].0 == block {
            return;
        }
        self.palette[before].1 -= 1;
        let place = self.place(block);
        if place == self.palette.len() {
            self.palette.push((block, 0));
            let bits = width_for(self.palette.len());
            if bits > self.bits {
                let mut wider = Self {
                    palette: Vec::new(),
                    bits,
                    words: vec![0; bits as usize * CHUNK_BLOCKS / 64],
                };
                for index in 0..CHUNK_BLOCKS {
                    wider.write(index, self.read(index));
                }
                (self.bits, self.words) = (wider.bits, wider.words);
            }
        }
        let count = self.palette[place].1;
        self.palette[place] = (block, count + 1);
        self.write(index, place);
    }
}
