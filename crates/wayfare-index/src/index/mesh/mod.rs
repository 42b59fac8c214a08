//! Indexes of navigation meshes.
//!
//! The steps of a build, one file each:
//!
//! 1. `bends.rs` finds the vertices at which a shortest path may turn.
//! 2. `sight.rs` finds the ground that each of them sees.
//! 3. `build.rs` joins bends that see each other, and `hubs.rs` gives them hub labels.
//! 4. `ways.rs` sorts the hubs of each bend by the next bend on the path to them.
//! 5. `views.rs` keeps for each polygon the bends that see into it.
//!
//! `query.rs` answers queries, `walk.rs` finds the polygons that a path crosses, `edited.rs`
//! answers after edits of the mesh, and `file.rs` encodes an index as bytes.

mod bends;
pub(crate) mod build;
mod edited;
pub(super) mod file;
mod hubs;
mod query;
mod sight;
mod views;
mod walk;
mod ways;

pub use build::{MeshIndex, MeshIndexError, MeshIndexOptions, OtherMesh};
pub use edited::EditedMesh;
pub use query::{IndexedMesh, MeshIndexScratch};
