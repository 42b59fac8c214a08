//! Answers from data that is built beforehand.
//!
//! * [`index`]: hub labels of grids and meshes: exact answers without a search.
//! * [`hierarchy`]: sectors of a grid, repaired after edits; routes leg by leg.
//! * The engines that ask them for the navigator.

mod engines;
pub mod hierarchy;
pub mod index;
/// Parts that the upper crates of Wayfare share. No promise.
#[doc(hidden)]
pub mod inside;

pub use engines::{HierarchyEngine, IndexEngine, MeshIndexEngine};
