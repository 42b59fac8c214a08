//! World files of every format: read, written, refused.

mod any_map;
mod benchmarks;
mod block_formats;
mod change;
mod detour;
mod errors;
mod gltf;
mod hostile;
mod ldtk;
mod navmesh;
mod round_trip;
mod tiled;
mod voxels;
