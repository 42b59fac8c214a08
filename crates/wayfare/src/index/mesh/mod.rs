//! Indexes of navigation meshes that stay as they are.
//!
//! The steps of a build, one file each:
//!
//! 1. `bends.rs` finds the vertices at which a shortest path may turn.
//! 2. `sight.rs` finds the ground that each of them sees.
//! 3. `build.rs` joins those that see each other, and gives them hub labels as on grids
//!    (`contraction.rs` and `labels.rs` of the folder above).
//! 4. `views.rs` keeps for each polygon the bends that see into it.
//!
//! `query.rs` answers queries, and `walk.rs` finds the polygons that a path crosses.

mod bends;
mod build;
mod hubs;
mod query;
mod sight;
mod views;
mod walk;
mod ways;

pub use build::{MeshIndex, MeshIndexError, MeshIndexOptions, OtherMesh};
pub use query::{IndexedMesh, MeshIndexScratch};
