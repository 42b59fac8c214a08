//! Sponge schematics `.schem`, versions 2 and 3: a box of blocks of a block game, as gzipped NBT, through the crate `fastnbt`.
//!
//! What a block is to a body goes by its name: [`kind_of`] knows air, fluids, ladders and vines, doors, and what grows without
//! being in the way; all else is solid. Blocks that are solid in part (slabs, stairs, fences) count as full ones. Entities and
//! biomes are not read.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Deserialize;
use wayfare::space::voxel::{BlockKind, BlockPosition, VoxelSize};

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::{MAX_SCHEM_BLOCKS, MAX_SCHEM_BYTES};
use crate::nbt;
use crate::voxel_model::{VoxelMaterial, VoxelModel};

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

/// Reads a schematic, gzipped or plain. Never unpacks more than [`MAX_SCHEM_BYTES`].
///
/// # Errors
/// When the file is no sound NBT or unpacks to more than that, is of another version, names blocks that its palette does not
/// have, holds more or fewer blocks than its size says, or more than [`MAX_SCHEM_BLOCKS`] that are not air.
pub fn read(bytes: &[u8]) -> Result<VoxelModel, WorldError> {
    let unpacked = unpack(bytes)?;
    nbt::check(&unpacked)?;
    let syntax = |message: String| WorldError::new(WorldErrorKind::Syntax, message);
    let unsound = |error: fastnbt::error::Error| syntax(format!("not a schematic: {error}"));
    let root: Root = fastnbt::from_bytes(&unpacked).map_err(unsound)?;
    let schematic = match root.schematic {
        Some(schematic) => schematic,
        None => fastnbt::from_bytes(&unpacked).map_err(unsound)?,
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
    // The format's sides are unsigned, but NBT has no such numbers.
    let [width, height, depth] = [schematic.width, schematic.height, schematic.length]
        .map(|side| u32::from(side.cast_unsigned()));
    if [width, height, depth].contains(&0) {
        return Err(WorldError::new(
            WorldErrorKind::Dimensions,
            format!("a schematic of {width} x {height} x {depth} blocks has no blocks"),
        ));
    }
    let size = VoxelSize { width, height, depth };
    let (palette, numbers) = palette_of(&names)?;
    let blocks = place_blocks(size, &data, &palette, &numbers)?;
    Ok(VoxelModel { size, palette, blocks })
}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>, WorldError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes.to_vec());
    }
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(bytes).take(MAX_SCHEM_BYTES + 1);
    reader.read_to_end(&mut unpacked).map_err(|error| {
        WorldError::new(WorldErrorKind::Syntax, format!("not a sound gzip file: {error}"))
    })?;
    if unpacked.len() as u64 > MAX_SCHEM_BYTES {
        return Err(WorldError::new(
            WorldErrorKind::Limit,
            format!("the schematic unpacks to more than {} MiB", MAX_SCHEM_BYTES >> 20),
        )
        .advise("cut it into parts"));
    }
    Ok(unpacked)
}

/// The materials, air first, and for each number of the file the place of its material.
fn palette_of(
    names: &BTreeMap<String, i32>,
) -> Result<(Vec<VoxelMaterial>, BTreeMap<u32, u16>), WorldError> {
    let mut palette = vec![VoxelMaterial { name: "air".into(), kind: BlockKind::Air, color: None }];
    let mut numbers = BTreeMap::new();
    for (name, &number) in names {
        let bad = |kind, message: String| Err(WorldError::new(kind, message));
        let Ok(number) = u32::try_from(number) else {
            return bad(
                WorldErrorKind::Value,
                format!("the block '{name}' has the number {number}"),
            );
        };
        let kind = kind_of(name);
        let place = if kind == BlockKind::Air { 0 } else { palette.len() };
        let Ok(place) = u16::try_from(place) else {
            return bad(WorldErrorKind::Limit, "the palette has more than 65,535 blocks".into());
        };
        if place > 0 {
            palette.push(VoxelMaterial { name: name.clone(), kind, color: None });
        }
        if numbers.insert(number, place).is_some() {
            return bad(WorldErrorKind::Duplicate, format!("two blocks have the number {number}"));
        }
    }
    Ok((palette, numbers))
}

/// The blocks that are not air. The file lists all, x fastest, then z, then y, each number in groups of seven bits.
fn place_blocks(
    size: VoxelSize,
    data: &[i8],
    palette: &[VoxelMaterial],
    numbers: &BTreeMap<u32, u16>,
) -> Result<Vec<(BlockPosition, u16)>, WorldError> {
    let volume = u64::from(size.width) * u64::from(size.height) * u64::from(size.depth);
    let dimensions = |message: String| WorldError::new(WorldErrorKind::Dimensions, message);
    let mut blocks = Vec::new();
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
        let Some(&material) = numbers.get(&number) else {
            return Err(WorldError::new(
                WorldErrorKind::Dangling,
                format!("block {index} has the number {number}, which the palette does not have"),
            ));
        };
        if palette[usize::from(material)].kind != BlockKind::Air {
            if blocks.len() == MAX_SCHEM_BLOCKS {
                return Err(WorldError::new(
                    WorldErrorKind::Limit,
                    format!("there are more than {MAX_SCHEM_BLOCKS} blocks that are not air"),
                )
                .advise("cut the schematic into parts"));
            }
            let (x, rest) = (index % u64::from(size.width), index / u64::from(size.width));
            let (z, y) = (rest % u64::from(size.depth), rest / u64::from(size.depth));
            blocks.push((BlockPosition::new(x as u32, y as u32, z as u32), material));
        }
        index += 1;
    }
    if index < volume {
        return Err(dimensions(format!(
            "there are {index} blocks, but the size asks for {volume}"
        )));
    }
    Ok(blocks)
}

/// What a block of that name is to a body: `minecraft:oak_door[half=upper]` is a door.
///
/// ```
/// use wayfare::space::voxel::BlockKind;
/// use wayfare_world::schem::kind_of;
/// assert_eq!(kind_of("minecraft:water[level=0]"), BlockKind::Water);
/// assert_eq!(kind_of("minecraft:stone"), BlockKind::Solid);
/// ```
pub fn kind_of(name: &str) -> BlockKind {
    /// What is not in the way, by whole name.
    const OPEN: [&str; 18] = [
        "air",
        "cave_air",
        "void_air",
        "short_grass",
        "grass",
        "tall_grass",
        "fern",
        "large_fern",
        "dandelion",
        "poppy",
        "torch",
        "wall_torch",
        "redstone_wire",
        "snow",
        "rail",
        "lever",
        "structure_void",
        "light",
    ];
    /// What is not in the way, by the end of its name.
    const OPEN_ENDS: [&str; 6] =
        ["_button", "_sapling", "_tulip", "_carpet", "_sign", "_pressure_plate"];
    let base = name.split('[').next().unwrap_or(name);
    let base = base.rsplit(':').next().unwrap_or(base);
    match base {
        "water" | "bubble_column" | "kelp" | "kelp_plant" | "seagrass" | "tall_seagrass" => {
            BlockKind::Water
        }
        "lava" => BlockKind::Lava,
        "ladder" | "vine" | "scaffolding" => BlockKind::Ladder,
        _ if base.ends_with("_vines") || base.ends_with("_vines_plant") => BlockKind::Ladder,
        _ if base.ends_with("_door") || base.ends_with("_fence_gate") => BlockKind::Door,
        _ if OPEN.contains(&base) || OPEN_ENDS.iter().any(|end| base.ends_with(end)) => {
            BlockKind::Air
        }
        _ => BlockKind::Solid,
    }
}
