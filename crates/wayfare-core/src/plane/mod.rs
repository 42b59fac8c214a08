//! Geometry that several modules need, mostly in the plane, with or without the obstacles of a
//! level.

pub(crate) mod hull;
mod rectangle;
pub(crate) mod segment;
pub(crate) mod sweep;

pub use hull::convex_hull;
pub use rectangle::Rectangle;
pub use sweep::{TOUCH, disc_sweep_is_clear, distance_squared};
