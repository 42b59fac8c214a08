//! MagicaVoxel `.vox`: coloured voxels in models of up to 256³, and a scene that places them;
//! through the crate `dot_vox`.
//!
//! In the file z is up; here y is, and z runs against the file's y, so that nothing is mirrored.
//! The reader takes the first frame of the scene without hidden models, and moves it to the origin.
//! Of a file without a scene it takes the first model.
//!
//! A colour does not determine the kind of a block. The writer stores the kind in the properties of
//! the material under the key `wayfare`, in the syntax of [text worlds](crate::voxel_text). All
//! other voxels are read as solid; [`VoxelScene::redefine`](crate::VoxelScene::redefine) changes
//! that.
//!
//! The writer splits the world into models of up to 256 voxels a side. Routes and unloaded boxes
//! are lost.

pub(crate) mod place;
mod read;
mod write;

pub use read::read;
pub use write::write;

/// The longest side of a model.
const MOST: u32 = 256;

/// The key of a material for our data on its voxels.
const KEY: &str = "wayfare";
