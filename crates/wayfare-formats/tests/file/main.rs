//! World files of every format: read, written, refused.

mod benchmarks;
mod block_formats;
mod detour;
mod errors;
mod hostile;
mod ldtk;
mod navmesh;
mod round_trip;
mod shipped_routes;
mod spaces;
mod tiled;
mod voxels;
mod worlds;
