//! Navigation meshes: convex polygons that agents walk on.

pub(crate) mod area;
mod build;
mod carve;
mod clearance;
mod draft;
mod error;
mod mesh;
mod of_grid;
pub(crate) mod plan;

pub use area::{AreaCostError, AreaCosts, AreaId};
pub use clearance::RadiusError;
pub use draft::MeshDraft;
pub use error::NavMeshError;
pub use mesh::{NavMesh, PolygonId};
