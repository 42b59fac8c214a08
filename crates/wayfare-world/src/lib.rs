//! Worlds for Wayfare: files in and out, and generators. One file a format.
pub mod ascii;
mod error;
mod file;
pub mod limits;
pub mod movingai_map;
pub mod movingai_scen;
pub mod obj;
pub mod palette;
pub mod png;
pub mod scene;
mod terrain;
mod text;
mod tile_map;

pub use error::{Location, WorldError, WorldErrorKind};
pub use file::write_whole;
pub use terrain::{Medium, Terrain, TerrainId};
pub use tile_map::{Marks, TileMap, TilePosition};
