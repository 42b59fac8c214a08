//! Worlds of blocks.

mod cut;
mod isometric;
mod layers;
mod lines;
pub(crate) mod ray;
mod trail;
mod world;

pub use cut::CutAway;
pub use isometric::IsometricScenery;
pub use layers::LayerScenery;
pub use world::{BlockArt, VoxelWorld};
