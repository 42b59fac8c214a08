//! Schematics as voxel worlds.

use std::collections::BTreeMap;

use serde::Deserialize;
use wayfare_voxel::{BlockId, VoxelSize};

use super::blocks::{STONE, color_of, is_air, kind_of};
use super::nbt;
use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_VOXEL_RUNS;
use crate::voxel_rows::{Rows, RowsInOrder};
use crate::voxel_scene::VoxelScene;

/// The root of a file of version 3; that of version 2 is the schematic itself.
#[derive(Deserialize)]
struct Root {
    #[serde(rename = "Schematic")]
    schematic: Option<Schematic>,
}

#[derive(Deserialize)]
struct Schematic {
    #[serde(rename = "Version")]
    version: i32,
    #[serde(rename = "Width")]
    width: i16,
    #[serde(rename = "Height")]
    height: i16,
    #[serde(rename = "Length")]
    length: i16,
    #[serde(rename = "Palette")]
    palette: Option<BTreeMap<String, i32>>,
    #[serde(rename = "BlockData")]
    data: Option<fastnbt::ByteArray>,
    #[serde(rename = "Blocks")]
    blocks: Option<Blocks>,
}

#[derive(Deserialize)]
struct Blocks {
    #[serde(rename = "Palette")]
    palette: BTreeMap<String, i32>,
    #[serde(rename = "Data")]
    data: fastnbt::ByteArray,
}

/// Reads a schematic, gzipped or plain; `name` becomes its name. Never unpacks more than
/// [`MAX_SCHEM_BYTES`](crate::limits::MAX_SCHEM_BYTES).
///
/// # Errors
/// If the file is no sound NBT or unpacks to more than that, is of another version, names blocks
/// that its palette does not have, contains more or fewer blocks than its size says, more than
/// 16,382 kinds of block, or more than [`MAX_VOXEL_RUNS`] stretches of equal blocks along x.
pub fn read(bytes: &[u8], name: &str) -> Result<VoxelScene, WorldError> {
    from_nbt(&nbt::unpack(bytes)?, name)
}

/// Like [`read`], from checked NBT.
pub(super) fn from_nbt(unpacked: &[u8], name: &str) -> Result<VoxelScene, WorldError> {
    let syntax = |message: String| WorldError::new(WorldErrorKind::Syntax, message);
    let root: Root = nbt::parse(unpacked, "a schematic")?;
    let schematic = match root.schematic {
        Some(schematic) => schematic,
        None => nbt::parse(unpacked, "a schematic")?,
    };
    if !(2..=3).contains(&schematic.version) {
        return Err(WorldError::new(
            WorldErrorKind::Value,
            format!("schematics of version {} are not read, only 2 and 3", schematic.version),
        ));
    }
    let missing = || syntax("not a schematic: it has no palette or no blocks".into());
    let (names, data) = match schematic.blocks {
        Some(Blocks { palette, data }) => (palette, data),
        None => (schematic.palette.ok_or_else(missing)?, schematic.data.ok_or_else(missing)?),
    };
    let size = size_of([schematic.width, schematic.height, schematic.length])?;
    let mut world = VoxelScene::new(name, size)?;
    let numbers = add_kinds(&names, &mut world)?;
    world.rows = place_blocks(size, &data, &numbers)?;
    Ok(world)
}

/// Returns the size of a schematic. The format's sides are unsigned, but NBT has no unsigned
/// integers.
pub(super) fn size_of(sides: [i16; 3]) -> Result<VoxelSize, WorldError> {
    let [width, height, depth] = sides.map(|side| u32::from(side.cast_unsigned()));
    if [width, height, depth].contains(&0) {
        return Err(WorldError::new(
            WorldErrorKind::Dimensions,
            format!("a schematic of {width} x {height} x {depth} blocks has no blocks"),
        ));
    }
    Ok(VoxelSize { width, height, depth })
}

/// Makes the file's blocks known to a world; their kinds by their ids in the file.
fn add_kinds(
    names: &BTreeMap<String, i32>,
    world: &mut VoxelScene,
) -> Result<BTreeMap<u32, BlockId>, WorldError> {
    let mut numbers = BTreeMap::new();
    for (name, &number) in names {
        let Ok(number) = u32::try_from(number) else {
            return Err(WorldError::new(
                WorldErrorKind::Value,
                format!("the block '{name}' has the number {number}"),
            ));
        };
        let block = add_kind(name, world)?;
        if numbers.insert(number, block).is_some() {
            return Err(WorldError::new(
                WorldErrorKind::Duplicate,
                format!("two blocks have the number {number}"),
            ));
        }
    }
    Ok(numbers)
}

/// Makes a block of the game known to a world that does not have it yet.
pub(super) fn add_kind(name: &str, world: &mut VoxelScene) -> Result<BlockId, WorldError> {
    match name {
        _ if is_air(name) => Ok(BlockId::AIR),
        // Where a block comes from need not be said.
        STONE | "stone" => Ok(BlockId::SOLID),
        _ => world.add_named(name, kind_of(name), color_of(name)),
    }
}

/// Returns the blocks that are not air. The file lists all, x fastest, then z, then y, each id in
/// groups of seven bits.
fn place_blocks(
    size: VoxelSize,
    data: &[i8],
    numbers: &BTreeMap<u32, BlockId>,
) -> Result<Rows, WorldError> {
    let volume = u64::from(size.width) * u64::from(size.height) * u64::from(size.depth);
    let dimensions = |message: String| WorldError::new(WorldErrorKind::Dimensions, message);
    let mut rows = RowsInOrder::default();
    let mut index = 0u64;
    let mut bytes = data.iter().map(|byte| byte.cast_unsigned());
    while let Some(first) = bytes.next() {
        let (mut number, mut shift, mut byte) = (u32::from(first & 0x7f), 7, first);
        while byte & 0x80 != 0 {
            byte = match bytes.next() {
                Some(byte) if shift < 28 => byte,
                _ => {
                    return Err(WorldError::new(
                        WorldErrorKind::Syntax,
                        format!("the number of block {index} does not end"),
                    ));
                }
            };
            number |= u32::from(byte & 0x7f) << shift;
            shift += 7;
        }
        if index >= volume {
            return Err(dimensions(format!("there are more blocks than the {volume} of its size")));
        }
        let Some(&block) = numbers.get(&number) else {
            return Err(WorldError::new(
                WorldErrorKind::Dangling,
                format!("block {index} has the number {number}, which the palette does not have"),
            ));
        };
        // Sides are below 65,536, and the index is below the volume.
        let (x, rest) = (index % u64::from(size.width), index / u64::from(size.width));
        let (z, y) = (rest % u64::from(size.depth), rest / u64::from(size.depth));
        rows.push([y as u16, z as u16], x as u16, block.0);
        check_pieces(rows.stretches())?;
        index += 1;
    }
    if index < volume {
        return Err(dimensions(format!(
            "there are {index} blocks, but the size asks for {volume}"
        )));
    }
    Ok(rows.finish())
}

/// Refuses a world in too many pieces.
pub(super) fn check_pieces(pieces: usize) -> Result<(), WorldError> {
    if pieces <= MAX_VOXEL_RUNS {
        return Ok(());
    }
    Err(WorldError::new(
        WorldErrorKind::Limit,
        format!("its blocks are in more than {MAX_VOXEL_RUNS} pieces"),
    )
    .advise("cut the schematic into parts"))
}
