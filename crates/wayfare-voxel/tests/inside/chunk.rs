//! Packed blocks, against a plain array.

use proptest::prelude::*;
use wayfare_voxel::BlockId;
use wayfare_voxel::inside::tested::chunk::Chunk;
use wayfare_voxel::inside::tested::layout::CHUNK_BLOCKS;

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blocks_come_back_as_they_were_set(
        first in 0u16..4,
        edits in prop::collection::vec((0usize..CHUNK_BLOCKS, 0u16..400), 0..600),
    ) {
        let mut plain = [BlockId(first); CHUNK_BLOCKS];
        let mut chunk = Chunk::Uniform(BlockId(first));
        for (index, block) in edits {
            plain[index] = BlockId(block);
            chunk.set(index, BlockId(block));
        }
        for (index, block) in plain.iter().enumerate() {
            prop_assert_eq!(chunk.get(index), Some(*block));
        }
        let packed = Chunk::pack(&plain);
        for (index, block) in plain.iter().enumerate() {
            prop_assert_eq!(packed.get(index), Some(*block));
            chunk.set(index, BlockId(7));
        }
        prop_assert_eq!(chunk, Chunk::Uniform(BlockId(7)));
    }
}

#[test]
fn a_palette_of_two_takes_a_bit_a_block() {
    let mut chunk = Chunk::Uniform(BlockId::AIR);
    chunk.set(17, BlockId::SOLID);
    assert!(chunk.size_in_bytes() < 600);
    chunk.set(17, BlockId::AIR);
    assert_eq!(chunk, Chunk::Uniform(BlockId::AIR));
}
