//! MagicaVoxel `.vox`: coloured voxels in models of up to 256³, and a scene that places them;
//! through the crate `dot_vox`.
//!
//! In the file z is up; here y is, and z runs against the file's y, so that nothing is mirrored.
//! What is read is the first frame of what the scene shows, without what is hidden, moved so that
//! it begins at the origin; a file without a scene shows its first model.
//!
//! A colour says nothing about what a voxel is to a body. Files that were written here say it in
//! the properties of the material, as [text worlds](crate::voxel_text) do, under the key `wayfare`;
//! all other voxels are solid, unless [`VoxelScene::redefine`](crate::VoxelScene::redefine) says
//! otherwise. Written are the blocks and their kinds, in models of up to 256 voxels a side; routes
//! and unloaded boxes are lost.

mod place;
mod read;
mod write;

pub use read::read;
pub use write::write;

/// The longest side of a model.
const MOST: u32 = 256;

/// What a material says here of its voxels.
const KEY: &str = "wayfare";
