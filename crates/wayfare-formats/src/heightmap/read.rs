//! Image to blocks.

use png::{BitDepth, Transformations};
use wayfare_voxel::{BlockId, BlockKind, VoxelSize};

use crate::error::{WorldError, WorldErrorKind};
use crate::heightmap::HeightmapOptions;
use crate::limits::{ALWAYS_VOXEL_RUNS, MAX_HEIGHTMAP_SIDE, MAX_VOXEL_RUNS, VOXEL_RUNS_PER_BYTE};
use crate::png::{Samples, decode};
use crate::voxel_block::BlockType;
use crate::voxel_rows::RowsInOrder;
use crate::voxel_scene::VoxelScene;

/// The most blocks of a world, air among them: the limit of a grid's ids.
const MOST_BLOCKS: u64 = 1 << 32;

impl HeightmapOptions {
    /// Returns the most stretches of ground in the world of a file of that many bytes.
    fn most_pieces(&self, bytes: usize) -> usize {
        let usual = || ALWAYS_VOXEL_RUNS.saturating_add(bytes.saturating_mul(VOXEL_RUNS_PER_BYTE));
        let asked = self.pieces.map(|pieces| pieces as usize);
        asked.unwrap_or_else(usual).min(MAX_VOXEL_RUNS)
    }
}

/// Reads an image of 8 or 16 bits a pixel, in which colours count by their brightness; `name`
/// becomes the world's name. The ground is plain stone.
///
/// # Errors
/// If the height is out of range; the image is damaged or larger than [`MAX_HEIGHTMAP_SIDE`] a
/// side; the world has more than 2³² voxels; or, since it is rough, it has more stretches of ground
/// than [`HeightmapOptions::pieces`] allows.
pub fn read(bytes: &[u8], name: &str, options: HeightmapOptions) -> Result<VoxelScene, WorldError> {
    let HeightmapOptions { height, water, .. } = options;
    let most = options.most_pieces(bytes.len());
    if !(2..=4096).contains(&height) {
        return Err(WorldError::new(
            WorldErrorKind::Value,
            format!("the world of a heightmap is from 2 to 4096 blocks high, not {height}"),
        ));
    }
    let image = decode(bytes, MAX_HEIGHTMAP_SIDE, Transformations::EXPAND)?;
    let (width, depth) = (image.width, image.height);
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
    let ground = |grey: u16| (1 + u32::from(grey) * (height - 2) / u32::from(u16::MAX)) as u16;
    let columns: Vec<u16> = brightness(&image).map(ground).collect();
    let rows: Vec<Row<'_>> = columns.chunks_exact(width as usize).map(Row::of).collect();
    let highest = columns.iter().copied().map(u32::from).max().unwrap_or(1);
    let mut blocks = RowsInOrder::default();
    // Most layers of most rows are all ground or all above it.
    for y in 0..highest.max(water).min(height) {
        let above = if y < water { fluid } else { BlockId::AIR };
        let y = y as u16;
        for (z, row) in (0..).zip(&rows) {
            if y < row.lowest {
                blocks.push_row([y, z], width, BlockId::SOLID.0);
            } else if y >= row.highest {
                blocks.push_row([y, z], width, above.0);
            } else {
                for (x, ground) in (0..).zip(row.ground) {
                    let block = if y < *ground { BlockId::SOLID } else { above };
                    blocks.push([y, z], x, block.0);
                }
            }
        }
        if blocks.stretches() > most {
            let message = format!("the ground is in more than {most} pieces");
            let error = WorldError::new(WorldErrorKind::Limit, message);
            return Err(error.advise(match most < MAX_VOXEL_RUNS {
                true => {
                    "smooth the image, ask for a lower world, or allow more pieces (--map-pieces)"
                }
                false => "smooth the image, or ask for a lower world",
            }));
        }
    }
    world.rows = blocks.finish();
    Ok(world)
}

/// The height of the ground along x.
struct Row<'c> {
    ground: &'c [u16],
    lowest: u16,
    highest: u16,
}

impl<'c> Row<'c> {
    fn of(ground: &'c [u16]) -> Self {
        let lowest = ground.iter().copied().min().unwrap_or(0);
        Self { ground, lowest, highest: ground.iter().copied().max().unwrap_or(0) }
    }
}

/// Returns the brightness of each pixel: 0 is black, 65,535 is white. Colours count by their
/// luminance in sRGB.
fn brightness(image: &Samples) -> impl Iterator<Item = u16> {
    let wide = image.depth == BitDepth::Sixteen;
    let bytes = if wide { 2 } else { 1 };
    image.bytes.chunks_exact(image.channels() * bytes).map(move |pixel| {
        let sample = |channel: usize| match wide {
            true => u32::from(u16::from_be_bytes([pixel[2 * channel], pixel[2 * channel + 1]])),
            false => u32::from(pixel[channel]),
        };
        let grey = match pixel.len() / bytes {
            1 | 2 => sample(0),
            _ => (2126 * sample(0) + 7152 * sample(1) + 722 * sample(2)) / 10_000,
        };
        (if wide { grey } else { grey * 257 }) as u16
    })
}
