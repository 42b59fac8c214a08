//! Creators that the kinds share: creators of ground come first, then creators of parts of puzzles.

mod buildings;
mod level_builder;
mod pillars;
mod scattered;
mod shelves;

mod crate_item;
mod cross_wall;
mod door_item;
mod hook_item;
mod lever_item;
mod plate_item;
mod platform_item;

pub use buildings::{Buildings, Plaza};
pub use crate_item::CrateItem;
pub use cross_wall::CrossWall;
pub use door_item::DoorItem;
pub use hook_item::{HookItem, WinchSide};
pub use level_builder::LevelBuilder;
pub use lever_item::LeverItem;
pub use pillars::Pillars;
pub use plate_item::PlateItem;
pub use platform_item::{PlatformDrive, PlatformItem};
pub use scattered::Scattered;
pub use shelves::Shelves;
