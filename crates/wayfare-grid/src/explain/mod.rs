//! Why there is no path, and what an edit would block.

pub mod grid;
pub mod waypoint;
