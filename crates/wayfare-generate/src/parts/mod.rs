//! Creators that the kinds share.

mod buildings;
mod level_builder;
mod pillars;
mod shelves;

pub use buildings::{Buildings, Plaza};
pub use level_builder::LevelBuilder;
pub use pillars::Pillars;
pub use shelves::Shelves;
