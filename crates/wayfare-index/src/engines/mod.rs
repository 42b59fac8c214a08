//! The engines of the navigator that ask an index or a hierarchy.

mod by_hierarchy;
mod by_index;
mod by_mesh_index;
pub(crate) mod instances;

pub use by_hierarchy::HierarchyEngine;
pub use by_index::IndexEngine;
pub use by_mesh_index::MeshIndexEngine;
