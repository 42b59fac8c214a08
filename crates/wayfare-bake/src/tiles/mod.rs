//! Baking by tiles: bounded memory, and tiles that come and go.
//!
//! A tile is baked with a border of cells around it, wide enough that its own cells come out as
//! they would in the whole level. So two tiles see the same floors and links where they meet, and
//! their outlines end in the same corners there. [`TileSet`] stitches them.

mod baked_tile;
mod file;
mod level;
mod seam;
mod set;
mod tiling;

pub use baked_tile::BakedTile;
pub use level::{InsertedPiece, PieceId, TiledLevel};
pub use set::TileSet;
pub(crate) use tiling::TileWindows;
pub use tiling::{TileId, Tiling};
