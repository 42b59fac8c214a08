//! Explanations for voxel worlds:
//! * why there is no path;
//! * which path comes closest to chunks that are not loaded;
//! * whether an edit would close the last path.

mod blockage;
mod edge;
mod why;

pub use blockage::would_block;
pub use edge::solve_to_edge;
pub use wayfare_core::explain::Blockage;
pub use why::{Capability, Need, Why, why, why_by};
