//! Navigation meshes: convex polygons that agents walk on.
//!
//! A [`MeshDraft`] of vertices and polygons becomes a [`NavMesh`], which is checked and never
//! changes. A [`NavMeshSpace`] is the mesh as one profile of agents sees it. A [`LiveMesh`] is a
//! mesh with obstacles that come and go.

mod area;
mod blocks;
mod border;
pub(crate) mod build;
pub(crate) mod carve;
mod carving;
mod clearance;
mod draft;
pub(crate) mod edited;
mod error;
pub(crate) mod funnel;
pub(crate) mod index_set;
pub(crate) mod layer;
mod link_ground;
mod live;
mod locate;
mod locator;
pub(crate) mod mesh;
mod of_grid;
pub(crate) mod plan;
mod ray;
mod recut;
mod regroup;
mod room;
mod sample;
mod sight;
mod space;
mod taut;

pub use area::{AreaCostError, AreaCosts, AreaId};
pub use border::NearestBorder;
pub use carving::{CarvedGround, Carving, Prism, PrismError};
pub use clearance::RadiusError;
pub use draft::{DraftPolygon, MeshDraft};
pub use error::NavMeshError;
pub use layer::MeshProfile;
pub(crate) use layer::{Corner, NO_FAN};
pub use live::{CarvingId, KnownCarving, LiveMesh, LiveMeshError, MeshEdits};
pub use locate::{HeightReach, MeshPoint};
pub(crate) use mesh::Span;
pub use mesh::{NavMesh, PolygonId};
pub use ray::{MeshWall, RayHit};
pub use sample::MeshSampler;
pub use space::{IslandCount, MESH_COST_PER_METRE, NavMeshSpace};
