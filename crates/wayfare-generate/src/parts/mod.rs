//! Creators that the kinds share.

mod buildings;
mod pillars;
mod shelves;

pub use buildings::{Buildings, Plaza};
pub use pillars::Pillars;
pub use shelves::Shelves;
