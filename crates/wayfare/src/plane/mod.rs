//! Geometry in the plane that several modules need, with or without the obstacles of a level.

mod hull;
mod sweep;

pub(crate) use hull::convex_hull;
pub(crate) use sweep::{TOUCH, disc_sweep_is_clear, distance_squared};
