//! What comes out of a search: paths, their validation and their refinement.

mod route;
mod validate;

pub use route::{Path, PathOf, Step};
pub use validate::{PathFault, validate, validate_any_angle};
