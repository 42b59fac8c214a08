//! A mesh with obstacles that come and go.
//!
//! A [`LiveMesh`] keeps the mesh it was made from, its *base*, and the pieces that carvings cut
//! each polygon of the base into. An edit cuts again only the polygons whose carvings changed, and
//! stitches their outlines to the polygons around them. All other polygons keep their indices.

mod arena;
mod carvings;
mod cells;
mod layers;
mod live_mesh;
mod marks;
mod stitch;

pub use carvings::{CarvingId, LiveMeshError};
pub use live_mesh::{KnownCarving, LiveMesh, MeshEdits};
