//! MagicaVoxel `.vox`: models of up to 256³ coloured voxels, through the crate `dot_vox`.
//!
//! The models of a file are read one by one, each in its own box; where the file's scene places them is not. In the file z is
//! up; here y is, and the file's y runs along z. All voxels are solid: say otherwise by [`VoxelModel::palette_mut`].

use wayfare::space::voxel::{BlockKind, BlockPosition, VoxelSize};

use crate::error::{Location, WorldError, WorldErrorKind};
use crate::voxel_model::{VoxelMaterial, VoxelModel};

/// The longest side of a model.
const MOST: u32 = 256;
/// A chunk's name and the lengths of its own content and of its children.
const CHUNK_HEAD: usize = 12;
/// What is read; all else in a file is how it looks.
const WANTED: [&[u8; 4]; 4] = [b"SIZE", b"XYZI", b"RGBA", b"IMAP"];

/// Reads all models of a file. Takes memory in proportion to the file, whatever its headers claim.
///
/// # Errors
/// With the byte: what is not a MagicaVoxel file, a chunk that ends beyond the file, a model without a size, with a side of
/// zero or above 256, or with a voxel outside itself.
pub fn read(bytes: &[u8]) -> Result<Vec<VoxelModel>, WorldError> {
    let plain = wanted_chunks(bytes)?;
    let data = dot_vox::load_bytes(&plain)
        .map_err(|error| WorldError::new(WorldErrorKind::Syntax, error.to_string()))?;
    if data.models.is_empty() {
        return Err(WorldError::new(WorldErrorKind::Syntax, "the file holds no model"));
    }
    let mut palette = vec![VoxelMaterial { name: "air".into(), kind: BlockKind::Air, color: None }];
    palette.extend((1..=256).zip(&data.palette).map(|(number, color)| VoxelMaterial {
        name: format!("colour {number}"),
        kind: BlockKind::Solid,
        color: Some([color.r, color.g, color.b]),
    }));
    data.models.iter().map(|model| convert(model, &palette)).collect()
}

fn convert(model: &dot_vox::Model, palette: &[VoxelMaterial]) -> Result<VoxelModel, WorldError> {
    let dot_vox::Size { x: width, y: depth, z: height } = model.size;
    if let Some(side) = [width, depth, height].into_iter().find(|side| !(1..=MOST).contains(side)) {
        return Err(WorldError::new(
            WorldErrorKind::Dimensions,
            format!("a model has a side of {side} voxels, which is not from 1 to {MOST}"),
        ));
    }
    let mut blocks = Vec::with_capacity(model.voxels.len());
    for voxel in &model.voxels {
        let [x, y, z] = [voxel.x, voxel.y, voxel.z].map(u32::from);
        let material = u16::from(voxel.i) + 1;
        if x >= width || y >= depth || z >= height || usize::from(material) >= palette.len() {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!(
                    "the voxel {x} {y} {z} lies outside its model of {width} x {depth} x {height}"
                ),
            ));
        }
        blocks.push((BlockPosition::new(x, z, y), material));
    }
    let size = VoxelSize { width, height, depth };
    Ok(VoxelModel { size, palette: palette.to_vec(), blocks })
}

/// The file with nothing but the chunks that are wanted, one after another: no scene, and no chunks in chunks in chunks.
fn wanted_chunks(bytes: &[u8]) -> Result<Vec<u8>, WorldError> {
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
    Ok(plain)
}
