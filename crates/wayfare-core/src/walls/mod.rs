//! Walls: outlines that stop bodies. Grids, voxels and meshes have them; crowds ask for them.

pub(crate) mod outline;
mod sides;

pub use sides::{ByProof, NoWalls, WallSide, Walls};
