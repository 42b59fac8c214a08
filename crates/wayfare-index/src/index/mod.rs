//! Indexes of grids and meshes: built once, an index answers queries for cheapest paths without a
//! search.
//!
//! Meshes: the folder `mesh`. The steps of a build on grids, one file each:
//!
//! 1. The folder `subgoals` finds the cells at obstacle corners and the subgoals reachable from a
//!    cell.
//! 2. `graph.rs` joins them into the subgoal graph.
//! 3. `dissection.rs` orders the subgoals by importance.
//! 4. `contraction.rs` gives each subgoal its arcs to more important ones, `arcs.rs` keeps those
//!    that queries climb.
//! 5. `hubs.rs` gives each subgoal its hub label, where labels are short: the costs to a few more
//!    important subgoals. `arrivals.rs` finds those that a path may go on to, by the direction in
//!    which it arrived.
//!
//! `repair.rs` does what an edit requires of each step, in the order that `order.rs` keeps;
//! `readers.rs` finds the corners whose scans it may change.
//!
//! `edited.rs` serves queries on a grid that was edited since.
//!
//! `query.rs` answers queries from the labels or along the arcs, `sight.rs` speeds up the ends of a
//! query, and `file.rs` encodes an index as bytes. Indices of grids and of meshes have the frame of
//! `frame.rs`, and `head.rs` reads it without a map.

mod arcs;
mod arrivals;
mod build;
mod contraction;
mod dissection;
mod edited;
mod file;
pub(crate) mod frame;
mod graph;
mod head;
mod hubs;
mod labels;
mod meeting;
mod mesh;
mod order;
pub(crate) mod parallel;
mod query;
mod readers;
pub(crate) mod repair;
mod sight;
mod subgoals;

pub use build::{
    GridIndex, IndexError, IndexOptions, IndexProgress, IndexStage, OtherGrid, SightOutcome,
};
pub use edited::EditedGrid;
pub use frame::{IndexFileError, IndexFileFault, IndexKind};
pub use head::IndexFileHead;
pub use mesh::{
    EditedMesh, IndexedMesh, MeshIndex, MeshIndexError, MeshIndexOptions, MeshIndexScratch,
    OtherMesh,
};
pub use query::{IndexScratch, IndexedGrid};
pub use repair::{IndexRepair, IndexRepairError};
