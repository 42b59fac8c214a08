//! Navigation meshes: convex polygons, shortest paths between their points, obstacles that come
//! and go.
//!
//! * [`navmesh`]: meshes, live meshes, walls, points.
//! * [`search`]: searches between points of a mesh: [`Polyanya`](search::Polyanya) and others.
//! * [`MeshPath`] and its validator, [`MeshTrace`], [`MeshEngine`] for the navigator.
//! * [`MeshWaySearch`]: paths through links.

pub(crate) mod engine;
/// Parts that the upper crates of Wayfare share. No promise.
#[doc(hidden)]
pub mod inside;
mod mesh_path;
mod mesh_way;
pub mod navmesh;
pub mod search;
mod trace;

pub use engine::MeshEngine;
pub use mesh_path::{MeshPath, MeshPathFault, validate_mesh_path};
pub use mesh_way::{CrossedLink, GroundSearch, MeshStretch, MeshWay, MeshWayAnswer, MeshWaySearch};
pub use trace::{MeshEvent, MeshObserver, MeshTrace};
