//! Heightmaps: grey PNG images, one pixel a column of blocks, its brightness the height of the ground.

use std::io::Cursor;

use image::{ImageFormat, ImageReader};
use wayfare::space::voxel::{
    Block, BlockId, BlockKind, VoxelError, VoxelGrid, VoxelProfile, VoxelSize,
};

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_HEIGHTMAP_SIDE;
use crate::png::check_claim;

/// Heights of the ground, as brightness from 0 to 65,535; x runs right and z down the image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heightmap {
    width: u32,
    depth: u32,
    heights: Vec<u16>,
}

/// How brightness becomes blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeightmapOptions {
    /// The height of the world in blocks, 2 to 4,096; default 64. White ground is one block lower, black ground one block high.
    pub height: u32,
    /// Water fills what lies lower than this many blocks. Default 0: none.
    pub water: u32,
}

impl Default for HeightmapOptions {
    fn default() -> Self {
        Self { height: 64, water: 0 }
    }
}

/// Reads an image of 8 or 16 bits a pixel; colours count by their brightness.
///
/// # Errors
/// When the image is damaged or larger than [`MAX_HEIGHTMAP_SIDE`] a side.
pub fn read(bytes: &[u8]) -> Result<Heightmap, WorldError> {
    check_claim(bytes)?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_HEIGHTMAP_SIDE);
    limits.max_image_height = Some(MAX_HEIGHTMAP_SIDE);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    reader.limits(limits);
    let image = reader.decode().map_err(|error| match error {
        image::ImageError::Limits(error) => {
            WorldError::new(WorldErrorKind::Limit, format!("the image is too large: {error}"))
                .advise(format!(
                    "at most {MAX_HEIGHTMAP_SIDE} x {MAX_HEIGHTMAP_SIDE} pixels are read"
                ))
        }
        error => WorldError::new(WorldErrorKind::Syntax, format!("not a sound PNG: {error}")),
    })?;
    let image = image.into_luma16();
    let (width, depth) = image.dimensions();
    Ok(Heightmap { width, depth, heights: image.into_raw() })
}

impl Heightmap {
    /// Pixels from left to right, and from top to bottom.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.depth]
    }

    /// How many blocks of ground there are in a world of that height.
    pub fn filled(&self, height: u32) -> u64 {
        let columns = (0..self.depth).flat_map(|z| (0..self.width).map(move |x| (x, z)));
        columns.map(|(x, z)| u64::from(self.ground(x, z, height))).sum()
    }

    /// The blocks of ground at a column, at least 1.
    fn ground(&self, x: u32, z: u32, height: u32) -> u32 {
        let index = z as usize * self.width as usize + x as usize;
        let brightness = self.heights.get(index).copied().unwrap_or(0);
        1 + u32::from(brightness) * height.saturating_sub(2) / u32::from(u16::MAX)
    }

    /// The world to search in: solid ground, and water if asked for.
    ///
    /// # Errors
    /// When the height is out of range, there are more voxels than a grid can number, or the profile has an impossible value.
    pub fn to_grid(
        &self,
        options: HeightmapOptions,
        profile: VoxelProfile,
    ) -> Result<VoxelGrid, VoxelError> {
        let HeightmapOptions { height, water } = options;
        if !(2..=4096).contains(&height) {
            return Err(VoxelError::OutOfRange {
                field: "height of the world",
                value: height as f32,
                range: "from 2 to 4,096 blocks",
            });
        }
        let size = VoxelSize { width: self.width, height, depth: self.depth };
        let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Water].map(Block::from);
        VoxelGrid::from_fn(size, &palette, profile, |at| {
            if at.y < self.ground(at.x, at.z, height) {
                BlockId::SOLID
            } else if at.y < water {
                BlockId(2)
            } else {
                BlockId::AIR
            }
        })
    }
}
