//! Indexes of grids that do not change: built once, they answer which way is cheapest without a search.

mod build;
mod contraction;
mod file;
mod graph;
mod labels;
mod parallel;
mod query;
mod sight;
mod subgoals;

pub use build::{GridIndex, IndexError, IndexOptions, IndexProgress, IndexStage, OtherGrid};
pub use file::IndexFileError;
pub use query::{IndexScratch, IndexedGrid};
