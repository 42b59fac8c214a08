//! Parts that front ends share. No promise: they change with any version.

pub use crate::engines::instances::{build_index, index_engine, index_turns};
