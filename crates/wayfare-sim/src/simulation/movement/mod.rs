//! The movement of bodies: along their rails, and out of each other's way.

mod along_rails;
mod avoid;
mod walk;

pub(super) use avoid::is_loose;
