//! Paths, their validation and their refinement.
//!
//! A search returns a [`Path`]: states, actions and costs. It is refined in steps, each optional:
//!
//! * [`simplify_path`] keeps its turning points.
//! * [`shorten_path`] replaces detours by straight lines where nothing is in the way.
//! * [`Polyline::from_path`] turns states into points of the world.
//! * [`round_corners()`] replaces corners by arcs of a turn radius, or [`smooth()`] draws a curve
//!   through all points.
//!
//! [`validate()`] re-walks a path without any code of the searches.

pub(crate) mod line_end;
mod polyline;
pub(crate) mod round;
pub(crate) mod shorten;
pub(crate) mod simplify;
pub(crate) mod smooth;
mod steps;
mod validate;

pub(crate) use line_end::LineEnd;
pub use polyline::Polyline;
pub use round::{Rounding, round_corners};
pub use shorten::{shorten, shorten_path};
pub use simplify::{simplify, simplify_path};
pub use smooth::smooth;
pub use steps::{Path, PathOf, Step};
pub use validate::{PathFault, validate, validate_any_angle};
