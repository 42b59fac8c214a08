//! Voxel worlds: blocks in chunks, and agents that walk, jump, fall, swim, climb and fly among
//! them.
//!
//! A [`VoxelGrid`] contains the blocks and, for each [`VoxelProfile`], bit maps of the voxels where
//! its agents fit, stand, swim and cling. [`VoxelSpace`] pairs both for searches.
//!
//! * Costs: `cost.rs` (by length), `times.rs` (by time).
//! * Moves: `volume.rs` (air and water), `ground.rs` and `steps.rs` (over the ground), `half.rs`
//!   (from and to half blocks), `transfer.rs` (climbing, into and out of water), `reverse.rs`
//!   (backwards).
//! * Pruning: `canonical.rs` (volumes), `steps.rs` (ground), `relief.rs` (open ground), `jump.rs`
//!   and `lines.rs` (jump points).
//! * Proofs that there is no path: `partition.rs` (regions of a chunk) and `regions.rs` (arcs
//!   between them).
//! * `rules.rs` states all moves a second time, for validators.

mod ball;
mod bits;
mod block;
mod canonical;
mod chunk;
mod cost;
mod edit;
mod error;
mod expander;
pub mod explain;
mod grid;
mod ground;
mod half;
/// Parts that the upper crates of Wayfare share. No promise.
#[doc(hidden)]
pub mod inside;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod instances;
mod jump;
mod layer;
mod layout;
mod line;
mod lines;
mod partition;
mod pieces;
mod profile;
mod regions;
mod relief;
mod reverse;
mod rules;
mod space;
mod steps;
mod times;
mod touched;
mod transfer;
mod volume;

pub use block::{Ascent, Block, BlockCost, BlockId, BlockKind};
pub use cost::{VOXEL_DIAGONAL, VOXEL_SPACE_DIAGONAL, VOXEL_STRAIGHT};
pub use edit::VoxelEdit;
pub use error::VoxelError;
pub use grid::{VoxelFrame, VoxelGrid};
pub use layout::{BlockPosition, CHUNK_SIDE, ChunkPosition, Voxel, VoxelSize};
pub use profile::{Abilities, ActionCosts, MAX_BODY, MAX_FALL, MAX_JUMP, VoxelProfile};
pub use space::VoxelSpace;
pub use times::MoveTimes;
