//! The ground that people walk on.

mod mosaic;
mod outline;
mod walkable;

pub use outline::{Outline, wkt};
pub(crate) use walkable::aside;
pub use walkable::{AreaError, WalkableArea};
