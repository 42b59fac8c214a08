//! Voxel models: what `.vox` and `.schem` files hold.

use wayfare::space::voxel::{
    Block, BlockId, BlockKind, BlockPosition, VoxelError, VoxelGrid, VoxelProfile, VoxelSize,
};

/// A kind of block in a [`VoxelModel`].
#[derive(Debug, Clone, PartialEq)]
pub struct VoxelMaterial {
    /// Its name in the file.
    pub name: String,
    /// What it is to a body.
    pub kind: BlockKind,
    /// Its colour, where the file says.
    pub color: Option<[u8; 3]>,
}

/// Blocks in a box of air; y is up.
#[derive(Debug, Clone, PartialEq)]
pub struct VoxelModel {
    pub(crate) size: VoxelSize,
    /// What blocks there are; the first is air.
    pub(crate) palette: Vec<VoxelMaterial>,
    /// The blocks that are not air, by number in the palette.
    pub(crate) blocks: Vec<(BlockPosition, u16)>,
}

impl VoxelModel {
    /// The extent in blocks.
    pub fn size(&self) -> VoxelSize {
        self.size
    }

    /// The materials; the first is air.
    pub fn palette(&self) -> &[VoxelMaterial] {
        &self.palette
    }

    /// The materials, to change what they are to a body.
    pub fn palette_mut(&mut self) -> &mut [VoxelMaterial] {
        &mut self.palette
    }

    /// The blocks that are not air, with the number of each one's material.
    pub fn blocks(&self) -> &[(BlockPosition, u16)] {
        &self.blocks
    }

    /// The world to search in. The numbers of the materials become those of the blocks.
    ///
    /// # Errors
    /// When the model has more voxels than a grid can number, or the profile has an impossible value.
    pub fn to_grid(&self, profile: VoxelProfile) -> Result<VoxelGrid, VoxelError> {
        let palette: Vec<Block> =
            self.palette.iter().map(|material| Block::from(material.kind)).collect();
        let blocks = self.blocks.iter().map(|&(at, material)| (at, BlockId(material)));
        VoxelGrid::from_blocks(self.size, &palette, profile, blocks)
    }
}
