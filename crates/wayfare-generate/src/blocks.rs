//! Drafts of block worlds.

use wayfare_formats::{BlockType, VoxelRoute, VoxelScene};
use wayfare_voxel::{BlockId, BlockPosition, VoxelSize};

use crate::GenerateError;

/// A block world in the making: a box of blocks, y up. Kinds of block are numbered: 0 is air, 1
/// stone, the others follow in the order of [`BlockDraft::new`].
///
/// ```
/// use wayfare::space::voxel::{BlockKind, VoxelSize};
/// use wayfare_generate::BlockDraft;
/// use wayfare_formats::BlockType;
///
/// let water = BlockType::new('~', "water", BlockKind::Water);
/// let mut pond = BlockDraft::new(VoxelSize { width: 4, height: 3, depth: 4 }, vec![water]);
/// pond.fill([0, 0, 0], [3, 0, 3], BlockDraft::STONE);
/// pond.set([1, 0, 1], 2);
/// assert_eq!((pond.at([0, 0, 0]), pond.at([1, 0, 1]), pond.at([0, 9, 0])), (1, 2, 1));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BlockDraft {
    size: VoxelSize,
    palette: Vec<BlockType>,
    /// Along x, then z, then y.
    blocks: Vec<u8>,
}

impl BlockDraft {
    /// Nothing.
    pub const AIR: u8 = 0;
    /// Plain stone.
    pub const STONE: u8 = 1;

    /// Returns a box of air. The kinds of block, except air and stone, have the ids from 2 on.
    #[must_use]
    pub fn new(size: VoxelSize, palette: Vec<BlockType>) -> Self {
        let count = size.width as usize * size.height as usize * size.depth as usize;
        BlockDraft { size, palette, blocks: vec![Self::AIR; count] }
    }

    /// Returns the extent.
    #[must_use]
    pub fn size(&self) -> VoxelSize {
        self.size
    }

    /// Returns the id of the block at x, y, z; stone outside.
    #[must_use]
    pub fn at(&self, at: [u32; 3]) -> u8 {
        self.index(at).map_or(Self::STONE, |index| self.blocks[index])
    }

    /// Changes a block; outside the draft nothing happens.
    pub fn set(&mut self, at: [u32; 3], block: u8) {
        if let Some(index) = self.index(at) {
            self.blocks[index] = block;
        }
    }

    /// Changes the blocks between two corners, both included.
    pub fn fill(&mut self, low: [u32; 3], high: [u32; 3], block: u8) {
        for y in low[1]..=high[1].min(self.size.height.saturating_sub(1)) {
            for z in low[2]..=high[2].min(self.size.depth.saturating_sub(1)) {
                for x in low[0]..=high[0].min(self.size.width.saturating_sub(1)) {
                    self.set([x, y, z], block);
                }
            }
        }
    }

    /// Returns the draft as a document with routes: name, start and goal of each.
    ///
    /// # Errors
    /// If a side is too long, a block has an id without a kind, or a route lies outside.
    pub fn to_scene(
        &self,
        name: &str,
        routes: &[(String, [u32; 3], [u32; 3])],
    ) -> Result<VoxelScene, GenerateError> {
        let mut scene = VoxelScene::new(name, self.size)?;
        for kind in &self.palette {
            scene.add_block(kind.clone())?;
        }
        let width = self.size.width as usize;
        for (row, blocks) in self.blocks.chunks_exact(width.max(1)).enumerate() {
            let row = row as u32;
            let (y, z) = (row / self.size.depth, row % self.size.depth);
            let mut from = 0;
            for run in blocks.chunk_by(|one, next| one == next) {
                let to = from + run.len() as u32;
                if run[0] != Self::AIR {
                    scene.fill([from, y, z], [to - 1, y, z], BlockId(run[0].into()))?;
                }
                from = to;
            }
        }
        let place = |[x, y, z]: [u32; 3]| BlockPosition::new(x, y, z);
        for (name, start, goal) in routes {
            let (start, goal) = (place(*start), place(*goal));
            scene.add_route(VoxelRoute { name: name.clone(), start, goal })?;
        }
        Ok(scene)
    }

    fn index(&self, [x, y, z]: [u32; 3]) -> Option<usize> {
        let VoxelSize { width, height, depth } = self.size;
        let inside = x < width && y < height && z < depth;
        inside.then(|| (y as usize * depth as usize + z as usize) * width as usize + x as usize)
    }
}
