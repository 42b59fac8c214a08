//! MCEdit's `.schematic`: blocks by their ids before 2018, as gzipped NBT.
//!
//! `Blocks` has the lower eight bits of each id, with x fastest, then z, then y; `AddBlocks` four
//! more bits, two blocks a byte, the even one in the upper half. `Data` has a variant: the colour
//! of wool, the kind of wood. Source: the game's wiki, "Schematic file format".

use serde::Deserialize;

use super::nbt;
use super::numbers::name_of;
use super::read::{add_kind, check_pieces, from_nbt, size_of};
use crate::error::{WorldError, WorldErrorKind};
use crate::voxel_rows::RowsInOrder;
use crate::voxel_scene::VoxelScene;

#[derive(Deserialize)]
struct Schematic {
    #[serde(rename = "Width")]
    width: i16,
    #[serde(rename = "Height")]
    height: i16,
    #[serde(rename = "Length")]
    length: i16,
    #[serde(rename = "Blocks")]
    blocks: fastnbt::ByteArray,
    #[serde(rename = "AddBlocks")]
    high: Option<fastnbt::ByteArray>,
    #[serde(rename = "Data")]
    data: Option<fastnbt::ByteArray>,
}

/// The tags that tell which format a `.schematic` is in.
#[derive(Deserialize)]
struct Tags {
    #[serde(rename = "Materials")]
    materials: Option<String>,
}

/// Reads a `.schematic`, gzipped or plain; `name` becomes its name. A Sponge schematic of that
/// extension is read as [`read`](super::read()) does.
///
/// # Errors
/// If the file is no sound NBT or unpacks to more than
/// [`MAX_SCHEM_BYTES`](crate::limits::MAX_SCHEM_BYTES), contains more or fewer blocks than its size
/// says, or more than [`MAX_VOXEL_RUNS`](crate::limits::MAX_VOXEL_RUNS) stretches of equal blocks
/// along x.
pub fn read_mcedit(bytes: &[u8], name: &str) -> Result<VoxelScene, WorldError> {
    let unpacked = nbt::unpack(bytes)?;
    let Tags { materials } = nbt::parse(&unpacked, "a schematic")?;
    if materials.is_none() {
        return from_nbt(&unpacked, name);
    }
    let schematic: Schematic = nbt::parse(&unpacked, "a schematic of MCEdit")?;
    let size = size_of([schematic.width, schematic.height, schematic.length])?;
    // Sides are below 2^16.
    let volume = u64::from(size.width) * u64::from(size.height) * u64::from(size.depth);
    let held = schematic.blocks.len() as u64;
    if held != volume {
        return Err(WorldError::new(
            WorldErrorKind::Dimensions,
            format!("there are {held} blocks, but the size asks for {volume}"),
        ));
    }
    let mut world = VoxelScene::new(name, size)?;
    let high = schematic.high.as_deref().unwrap_or_default();
    let data = schematic.data.as_deref().unwrap_or_default();
    // By id and variant: 12 and 4 bits.
    let mut kinds = vec![None; 1 << 16];
    let mut rows = RowsInOrder::default();
    let width = size.width as usize;
    for (index, &low) in schematic.blocks.iter().enumerate() {
        let pair = high.get(index / 2).map_or(0, |byte| byte.cast_unsigned());
        let upper = if index % 2 == 0 { pair >> 4 } else { pair & 15 };
        let number = u16::from(upper) << 8 | u16::from(low.cast_unsigned());
        let variant = data.get(index).map_or(0, |byte| byte.cast_unsigned() & 15);
        let key = usize::from(number << 4 | u16::from(variant));
        let block = match kinds[key] {
            Some(block) => block,
            None => {
                let name = name_of(number, variant);
                let known = world.palette().iter().position(|kind| kind.name == name);
                let block = match known {
                    Some(known) => wayfare_voxel::BlockId(known as u16),
                    None => add_kind(&name, &mut world)?,
                };
                kinds[key] = Some(block);
                block
            }
        };
        let (x, row) = (index % width, index / width);
        let (z, y) = (row % size.depth as usize, row / size.depth as usize);
        rows.push([y as u16, z as u16], x as u16, block.0);
        check_pieces(rows.stretches())?;
    }
    world.rows = rows.finish();
    Ok(world)
}
