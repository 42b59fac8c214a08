//! Voxel worlds as schematics.

use std::collections::BTreeMap;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use wayfare_voxel::{BlockKind, VoxelSize};

use super::blocks::stand_in;
use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_SCHEM_BYTES;
use crate::voxel_block::BlockType;
use crate::voxel_scene::VoxelScene;

/// The format's version.
const VERSION: i32 = 2;

/// The version of the game that these names are from: 1.20.4.
const DATA_VERSION: i32 = 3700;

const AIR: &str = "minecraft:air";

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Schematic {
    version: i32,
    data_version: i32,
    width: i16,
    height: i16,
    length: i16,
    palette_max: u32,
    palette: BTreeMap<String, u32>,
    block_data: fastnbt::ByteArray,
}

/// Writes a gzipped schematic of version 2. See [the module](super) for losses.
///
/// # Errors
/// When a side is longer than 65,535 blocks, or the blocks take more than [`MAX_SCHEM_BYTES`].
pub fn write(world: &VoxelScene) -> Result<Vec<u8>, WorldError> {
    let VoxelSize { width, height, depth } = world.size();
    // The format's sides are unsigned, but NBT has no unsigned integers.
    let side = |side: u32| match u16::try_from(side) {
        Ok(side) => Ok(side.cast_signed()),
        Err(_) => Err(WorldError::new(
            WorldErrorKind::NotRepresentable,
            format!("a schematic is at most {} blocks a side, and this world has {side}", u16::MAX),
        )),
    };
    let (width, height, length) = (side(width)?, side(height)?, side(depth)?);
    let palette = Palette::of(world);
    let block_data = blocks(world, &palette)?;
    let schematic = Schematic {
        version: VERSION,
        data_version: DATA_VERSION,
        width,
        height,
        length,
        palette_max: palette.numbers.len() as u32,
        palette: palette.numbers,
        block_data: fastnbt::ByteArray::new(block_data),
    };
    let options = fastnbt::SerOpts::new().root_name("Schematic");
    let plain = fastnbt::to_bytes_with_opts(&schematic, options).map_err(|error| {
        WorldError::new(WorldErrorKind::NotRepresentable, format!("it cannot be NBT: {error}"))
    })?;
    if plain.len() as u64 > MAX_SCHEM_BYTES {
        return Err(too_large(world.size()));
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(&plain).and_then(|()| encoder.finish());
    packed.map_err(|error| WorldError::io(&error, "packing the schematic"))
}

/// The block for a kind of ours: a block of the game, or a door of it, which is two blocks high.
enum Stand<T> {
    Block(T),
    Door { lower: T, upper: T },
}

impl<T> Stand<T> {
    fn map<U>(&self, mut each: impl FnMut(&T) -> U) -> Stand<U> {
        match self {
            Self::Block(block) => Stand::Block(each(block)),
            Self::Door { lower, upper } => Stand::Door { lower: each(lower), upper: each(upper) },
        }
    }
}

/// The file's palette, in the order of names, so that equal blocks make equal files.
struct Palette {
    numbers: BTreeMap<String, u32>,
    /// The blocks for the kinds of the world, by their ids; kinds that do not occur are air.
    stands: Vec<Stand<u32>>,
}

impl Palette {
    fn of(world: &VoxelScene) -> Self {
        let kinds = world.palette().iter().zip(world.histogram());
        let stands: Vec<Stand<String>> = kinds
            .enumerate()
            .map(|(id, (kind, count))| match id {
                0 => Stand::Block(AIR.to_owned()),
                _ if count == 0 => Stand::Block(AIR.to_owned()),
                _ => stand(kind),
            })
            .collect();
        let mut numbers = BTreeMap::new();
        for block in &stands {
            block.map(|name| numbers.insert(name.clone(), 0));
        }
        for (next, number) in (0..).zip(numbers.values_mut()) {
            *number = next;
        }
        let number = |name: &String| numbers.get(name).copied().unwrap_or_default();
        let stands = stands.iter().map(|stand| stand.map(number)).collect();
        Self { numbers, stands }
    }

    fn air(&self) -> u32 {
        self.numbers.get(AIR).copied().unwrap_or_default()
    }
}

fn stand(kind: &BlockType) -> Stand<String> {
    let name = stand_in(kind);
    if kind.block.kind != BlockKind::Door || name == kind.name {
        return Stand::Block(name);
    }
    let half = |half: &str| format!("{name}[half={half}]");
    Stand::Door { lower: half("lower"), upper: half("upper") }
}

/// Returns all blocks, x fastest, then z, then y, each id in groups of seven bits.
fn blocks(world: &VoxelScene, palette: &Palette) -> Result<Vec<i8>, WorldError> {
    let size = world.size();
    let VoxelSize { width, height, depth } = size;
    if u64::from(width) * u64::from(height) * u64::from(depth) > MAX_SCHEM_BYTES {
        return Err(too_large(size));
    }
    let (air, mut data) = (palette.air(), Vec::new());
    // The lower halves of doors in this layer and in the one below, by position.
    let (mut lower_halves, mut below) = (BTreeMap::new(), BTreeMap::new());
    for y in 0..height {
        std::mem::swap(&mut lower_halves, &mut below);
        lower_halves.clear();
        for z in 0..depth {
            let mut next = 0;
            for stretch in world.rows.row(y, z) {
                let (first, last) = (u32::from(stretch.first), u32::from(stretch.last));
                put(&mut data, air, first - next);
                match &palette.stands[usize::from(stretch.block)] {
                    Stand::Block(number) => put(&mut data, *number, last - first + 1),
                    Stand::Door { lower, upper } => {
                        for x in first..=last {
                            let is_upper = below.get(&[x, z]) == Some(&stretch.block);
                            put(&mut data, if is_upper { *upper } else { *lower }, 1);
                            if !is_upper {
                                lower_halves.insert([x, z], stretch.block);
                            }
                        }
                    }
                }
                next = last + 1;
            }
            put(&mut data, air, width - next);
            if data.len() as u64 > MAX_SCHEM_BYTES {
                return Err(too_large(size));
            }
        }
    }
    Ok(data)
}

fn too_large(VoxelSize { width, height, depth }: VoxelSize) -> WorldError {
    WorldError::new(
        WorldErrorKind::NotRepresentable,
        format!(
            "as a schematic {width} x {height} x {depth} blocks take more than {} MiB",
            MAX_SCHEM_BYTES >> 20
        ),
    )
    .advise("write it in parts")
}

/// Adds an integer `times` times.
fn put(data: &mut Vec<i8>, mut number: u32, times: u32) {
    let mut groups = Vec::with_capacity(3);
    while number > 0x7f {
        groups.push((number as u8 | 0x80).cast_signed());
        number >>= 7;
    }
    groups.push((number as u8).cast_signed());
    for _ in 0..times {
        data.extend_from_slice(&groups);
    }
}
