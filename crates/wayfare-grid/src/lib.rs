//! Grids, waypoint graphs and the geometry of levels that both are sampled from.
//!
//! * [`grid`]: tile maps with any number of profiles, edits, and what makes searches on them fast.
//! * [`waypoint`]: graphs of points, placed and linked by hand or by rule.
//! * `geometry`: obstacles of a level: ray casts, swept bodies (feature `geometry`).
//! * [`explain`]: why there is no path, and which edit would open or close one.
//! * [`grid_end`]: the cell under a click.

pub mod explain;
#[cfg(feature = "geometry")]
pub mod geometry;
pub mod grid;
mod grid_end;
/// Parts that the upper crates of Wayfare share. No promise.
#[doc(hidden)]
pub mod inside;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod instances;
pub mod waypoint;

pub use grid_end::{OffMap, grid_end};
