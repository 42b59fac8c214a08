//! Why there is no path, which capability would open one, and what an edit would block.
//!
//! Answers take several searches each: they are for messages to a player or a level designer, not
//! for every frame.

mod blockage;
pub mod grid;
pub mod voxel;
pub mod waypoint;

pub use blockage::Blockage;
