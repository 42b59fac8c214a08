//! Heightmaps `.height.png`: grey images, one pixel a column of blocks, its brightness the height of the ground. The image's x runs
//! along x, and its y along z.

use std::io::Cursor;

use image::{ImageFormat, ImageReader};
use wayfare::space::voxel::{BlockId, BlockKind, VoxelSize};

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::{MAX_HEIGHTMAP_SIDE, MAX_VOXEL_RUNS};
use crate::png::check_claim;
use crate::voxel_block::BlockType;
use crate::voxel_rows::RowsInOrder;
use crate::voxel_scene::VoxelScene;

/// The most blocks of a world, air among them: no grid numbers more.
const MOST_BLOCKS: u64 = 1 << 32;

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

/// Reads an image of 8 or 16 bits a pixel, in which colours count by their brightness; `name` becomes the world's name. The
/// ground is plain stone.
///
/// # Errors
/// When the height is out of range, the image is damaged or larger than [`MAX_HEIGHTMAP_SIDE`] a side, or the world has more than 2³²
/// voxels or, since it is rough, more than [`MAX_VOXEL_RUNS`] stretches of ground.
pub fn read(bytes: &[u8], name: &str, options: HeightmapOptions) -> Result<VoxelScene, WorldError> {
    let HeightmapOptions { height, water } = options;
    if !(2..=4096).contains(&height) {
        return Err(WorldError::new(
            WorldErrorKind::Value,
            format!("the world of a heightmap is from 2 to 4096 blocks high, not {height}"),
        ));
    }
    let image = decode(bytes)?;
    let (width, depth) = image.dimensions();
    if u64::from(width) * u64::from(depth) * u64::from(height) > MOST_BLOCKS {
        return Err(WorldError::new(
            WorldErrorKind::Limit,
            format!("a world of {width} x {height} x {depth} blocks is more than can be numbered"),
        )
        .advise("cut the image into parts, or ask for a lower world"));
    }
    let mut world = VoxelScene::new(name, VoxelSize { width, height, depth })?;
    let fluid = match water {
        0 => BlockId::AIR,
        _ => world.add_block(BlockType::new('~', "water", BlockKind::Water))?,
    };
    // The height of the ground in blocks, at least 1.
    let ground = |grey: u16| 1 + u32::from(grey) * (height - 2) / u32::from(u16::MAX);
    let highest = image.pixels().map(|pixel| ground(pixel.0[0])).max().unwrap_or(1);
    let mut rows = RowsInOrder::default();
    for y in 0..highest.max(water).min(height) {
        let above = if y < water { fluid } else { BlockId::AIR };
        for (z, pixels) in (0..).zip(image.rows()) {
            for (x, pixel) in (0..).zip(pixels) {
                let block = if y < ground(pixel.0[0]) { BlockId::SOLID } else { above };
                rows.push([y as u16, z], x, block.0);
            }
        }
        if rows.stretches() > MAX_VOXEL_RUNS {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!("its ground is in more than {MAX_VOXEL_RUNS} pieces"),
            )
            .advise("smooth the image, or ask for a lower world"));
        }
    }
    world.rows = rows.finish();
    Ok(world)
}

fn decode(bytes: &[u8]) -> Result<image::ImageBuffer<image::Luma<u16>, Vec<u16>>, WorldError> {
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
    Ok(image.into_luma16())
}
