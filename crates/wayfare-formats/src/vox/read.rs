//! `.vox` files as voxel worlds.

use std::collections::BTreeMap;

use dot_vox::{DotVoxData, Size};
use wayfare_voxel::{BlockId, BlockKind, BlockPosition, VoxelSize};

use super::place::shown;
use super::{KEY, MOST};
use crate::error::{Location, WorldError, WorldErrorKind};
use crate::limits::MAX_VOX_VOXELS;
use crate::voxel_rows::{MOST_SIDE, RowsAnyhow};
use crate::voxel_scene::VoxelScene;
use crate::voxel_text;

/// A chunk's name and the lengths of its own content and of its children.
const CHUNK_HEAD: usize = 12;
/// The chunks that are read; all others are only looks.
const WANTED: [&[u8; 4]; 8] =
    [b"SIZE", b"XYZI", b"RGBA", b"MATL", b"LAYR", b"nTRN", b"nGRP", b"nSHP"];

/// Reads the visible scene of a file; `name` becomes its name. Takes memory in proportion to the
/// file and to the voxels shown, whatever its headers claim.
///
/// # Errors
/// A file of another format, a damaged chunk, a model with a side of zero or above 256 or with a
/// voxel outside itself, a scene that refers to a missing part or shows more than
/// [`MAX_VOX_VOXELS`]. With the byte, if a chunk is at fault.
pub fn read(bytes: &[u8], name: &str) -> Result<VoxelScene, WorldError> {
    let plain = wanted_chunks(bytes)?;
    let data = dot_vox::load_bytes(&plain.bytes)
        .map_err(|error| WorldError::new(WorldErrorKind::Syntax, error.to_string()))?;
    if data.models.is_empty() && plain.models == 0 {
        return Err(WorldError::new(WorldErrorKind::Syntax, "the file holds no model"));
    }
    // The crate skips chunks that it cannot read, and indices would then mean something else.
    if data.models.len() != plain.models || data.scenes.len() != plain.nodes {
        return Err(WorldError::new(
            WorldErrorKind::Syntax,
            "a model or a part of the scene is damaged",
        ));
    }
    data.models.iter().try_for_each(check)?;
    let shown = shown(&data)?;
    let voxels: usize = shown.iter().map(|(model, _)| data.models[*model].voxels.len()).sum();
    if voxels > MAX_VOX_VOXELS {
        return Err(WorldError::new(
            WorldErrorKind::Limit,
            format!("the scene shows {voxels} voxels, more than {MAX_VOX_VOXELS}"),
        ));
    }

    let (mut low, mut high) = ([i64::MAX; 3], [i64::MIN; 3]);
    for (model, placing) in &shown {
        let Size { x, y, z } = data.models[*model].size;
        for corner in [[0; 3], [x - 1, y - 1, z - 1]] {
            let at = placing.voxel(Size { x, y, z }, corner);
            low = std::array::from_fn(|axis| low[axis].min(at[axis]));
            high = std::array::from_fn(|axis| high[axis].max(at[axis]));
        }
    }
    let side = |axis: usize| {
        let side = high[axis] - low[axis] + 1;
        u32::try_from(side).ok().filter(|side| *side <= MOST_SIDE).ok_or_else(|| {
            WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the scene is {side} voxels long, more than {MOST_SIDE}"),
            )
        })
    };
    let size = VoxelSize { width: side(0)?, height: side(2)?, depth: side(1)? };
    let mut world = VoxelScene::new(name, size)?;
    let mut kinds = named_kinds(&data, &mut world)?;
    let mut blocks = RowsAnyhow::default();
    for (model, placing) in &shown {
        let model = &data.models[*model];
        for voxel in &model.voxels {
            let block = match kinds.get(&voxel.i) {
                Some(block) => *block,
                None => {
                    let block = add_color(&data, voxel.i, &mut world)?;
                    kinds.insert(voxel.i, block);
                    block
                }
            };
            let at = placing.voxel(model.size, [voxel.x, voxel.y, voxel.z].map(u32::from));
            // Nothing lies outside the box of all models.
            let [x, z, y] = [at[0] - low[0], high[1] - at[1], at[2] - low[2]];
            blocks.push(BlockPosition::new(x as u32, y as u32, z as u32), block.0);
        }
    }
    world.rows = blocks.finish();
    Ok(world)
}

fn check(model: &dot_vox::Model) -> Result<(), WorldError> {
    let sides = [model.size.x, model.size.y, model.size.z];
    if let Some(side) = sides.into_iter().find(|side| !(1..=MOST).contains(side)) {
        return Err(WorldError::new(
            WorldErrorKind::Dimensions,
            format!("a model has a side of {side} voxels, which is not from 1 to {MOST}"),
        ));
    }
    for voxel in &model.voxels {
        let at = [voxel.x, voxel.y, voxel.z].map(u32::from);
        if (0..3).any(|axis| at[axis] >= sides[axis]) {
            let ([x, y, z], [width, depth, height]) = (at, sides);
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!(
                    "the voxel {x} {y} {z} lies outside its model of {width} x {depth} x {height}"
                ),
            ));
        }
    }
    Ok(())
}

/// Returns the kinds of block that materials tell of, in the order of their colours.
fn named_kinds(
    data: &DotVoxData,
    world: &mut VoxelScene,
) -> Result<BTreeMap<u8, BlockId>, WorldError> {
    let told = data.materials.iter().filter_map(|material| {
        // The file counts colours from 1, the crate from 0.
        let index = u8::try_from(material.id.checked_sub(1)?).ok()?;
        Some((index, material.properties.get(KEY)?))
    });
    let told: BTreeMap<u8, &String> = told.collect();
    let mut kinds = BTreeMap::new();
    for (index, line) in told {
        // There are no lines in such files.
        let kind = voxel_text::parse_block(line).map_err(|error| error.at(Location::File));
        let mut kind = kind?;
        let stone = &world.palette()[usize::from(BlockId::SOLID.0)];
        if kind.glyph == stone.glyph && kind.name == stone.name {
            kinds.insert(index, BlockId::SOLID);
            continue;
        }
        kind.color = color_of(data, index)?;
        kinds.insert(index, world.add_block(kind)?);
    }
    Ok(kinds)
}

/// Returns a solid block for a colour of which nothing else is told.
fn add_color(data: &DotVoxData, index: u8, world: &mut VoxelScene) -> Result<BlockId, WorldError> {
    let number = u32::from(index) + 1;
    world.add_named(format!("colour-{number}"), BlockKind::Solid, color_of(data, index)?)
}

fn color_of(data: &DotVoxData, index: u8) -> Result<[u8; 3], WorldError> {
    let color = data.palette.get(usize::from(index)).ok_or_else(|| {
        WorldError::new(
            WorldErrorKind::Dangling,
            format!("a voxel has colour {}, which is not in the palette", u32::from(index) + 1),
        )
    })?;
    Ok([color.r, color.g, color.b])
}

/// A file with nothing but the wanted chunks, and the counts of their contents.
struct Plain {
    bytes: Vec<u8>,
    models: usize,
    nodes: usize,
}

/// Returns the file with nothing but the chunks that are wanted, one after another: no chunks in
/// chunks in chunks.
fn wanted_chunks(bytes: &[u8]) -> Result<Plain, WorldError> {
    let bad = |at: usize, message: &str| {
        WorldError::new(WorldErrorKind::Syntax, message).at(Location::Byte(at))
    };
    let is_vox = bytes.starts_with(b"VOX ") && bytes.get(8..12) == Some(b"MAIN");
    let (Some(version), true) = (bytes.get(4..8), is_vox) else {
        return Err(bad(0, "this is not a MagicaVoxel file"));
    };
    let length_at = |at: usize| -> Option<usize> {
        let word: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(word)).ok()
    };
    let mut kept = Vec::new();
    let (mut models, mut nodes) = (0, 0);
    let mut at = 8 + CHUNK_HEAD + length_at(12).unwrap_or(0);
    while at < bytes.len() {
        let (Some(own), Some(children)) = (length_at(at + 4), length_at(at + 8)) else {
            return Err(bad(at, "the file ends inside the head of a chunk"));
        };
        let end = (at + CHUNK_HEAD).saturating_add(own);
        let Some(content) = bytes.get(at + CHUNK_HEAD..end) else {
            return Err(bad(at, "a chunk is longer than the rest of the file"));
        };
        let name = &bytes[at..at + 4];
        match name {
            b"XYZI" => models += 1,
            b"nTRN" | b"nGRP" | b"nSHP" => nodes += 1,
            _ => {}
        }
        if WANTED.iter().any(|wanted| wanted.as_slice() == name) {
            kept.extend_from_slice(name);
            kept.extend_from_slice(&(content.len() as u32).to_le_bytes());
            kept.extend_from_slice(&[0; 4]);
            kept.extend_from_slice(content);
        }
        at = end.saturating_add(children);
    }
    let mut plain = b"VOX ".to_vec();
    plain.extend_from_slice(version);
    plain.extend_from_slice(b"MAIN\0\0\0\0");
    plain.extend_from_slice(&(kept.len() as u32).to_le_bytes());
    plain.extend(kept);
    Ok(Plain { bytes: plain, models, nodes })
}
