//! What comes out of a search: paths, their validation and their refinement.
//!
//! A search returns a [`Path`]. [`simplify_path`] keeps its turning points, [`shorten_path`] cuts across where nothing is in the
//! way. As a [`Polyline`] it gets corners of a turn radius from [`round_corners()`], or becomes a curve through all of its points
//! in [`smooth()`].

mod polyline;
mod round;
mod shorten;
mod simplify;
mod smooth;
mod steps;
mod validate;

pub use polyline::Polyline;
pub use round::{Rounding, round_corners};
pub use shorten::{shorten, shorten_path};
pub use simplify::{simplify, simplify_path};
pub use smooth::smooth;
pub use steps::{Path, PathOf, Step};
pub use validate::{PathFault, validate, validate_any_angle};
