//! Navigation meshes from level geometry.
//!
//! Triangles go in, convex polygons over shared vertices come out. Each stage is a module with a
//! type of its own, which can be looked at:
//!
//! | stage | result | |
//! |---|---|---|
//! | 1 | [`SpanField`] | which parts of each column of cells are solid |
//! | 2 | [`filters`] | spans that can be stood on: steps, head room, ledges |
//! | 3 | [`WalkField`] | floors with their neighbours, less a radius from the edge |
//! | 4 | [`Regions`] | connected parts that never overlap in plan |
//! | 5 | [`Contours`] | their outlines, simplified |
//! | 6 | [`PolygonMesh`] | convex polygons |
//! | 7 | [`HeightMesh`] | triangles in them that follow the ground |
//!
//! [`Bake`] runs them. [`Bake::jumps`] then finds leaps, drops and climbs. The same level and
//! settings make the same bytes, on any number of threads.
//!
//! For worlds that are loaded in parts, or grow while the program runs, a [`TiledLevel`] bakes one
//! tile at a time, and a [`TileSet`] makes one mesh of the tiles that are loaded.
//!
//! y points up, lengths are metres.
//!
//! ```
//! use wayfare_bake::{Bake, BakeSettings, LevelGeometry, WalkerShape};
//!
//! let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
//! let level =
//!     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
//! let walker = WalkerShape { radius: 0.3, ..WalkerShape::default() };
//! let baked = Bake::new(&level, BakeSettings::for_level(&level, walker))?.run()?;
//! assert_eq!(baked.polygons.len(), 1);
//! # Ok::<(), wayfare_bake::BakeError>(())
//! ```

mod bake;
mod contours;
mod distance;
mod error;
mod field;
pub mod filters;
mod geometry;
mod heights;
mod jumps;
mod lattice;
mod ordered;
mod polygons;
mod progress;
mod regions;
mod settings;
mod spans;
mod tiles;

pub use bake::{Bake, Baked};
pub use contours::{Contours, Outline};
pub use error::BakeError;
pub use field::{CellSide, WalkField};
pub use geometry::{AreaVolume, Ground, LevelGeometry};
pub use heights::HeightMesh;
pub use jumps::{JumpAbilities, JumpLink};
pub use lattice::{Lattice, LatticePoint, Window};
pub use polygons::PolygonMesh;
pub use progress::Stage;
pub use regions::{RegionId, Regions};
pub use settings::{BakeSettings, HeightSettings, Partition, WalkerShape};
pub use spans::{SolidSpan, SpanField};
pub use tiles::{BakedTile, InsertedPiece, PieceId, TileId, TileSet, TiledLevel, Tiling};
