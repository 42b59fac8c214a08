//! Questions about voxel worlds that take searches to answer: why there is no way, which way leads furthest into what is not
//! loaded, and whether an edit would close the last way.

mod blockage;
mod edge;
mod why;

pub use blockage::{Blockage, would_block};
pub use edge::solve_to_edge;
pub use why::{Capability, Need, Why, why};
