//! Worlds that can be drawn, without searches.

mod engine;
mod grid;
mod level;
mod link_arc;
mod navmesh;
mod scene;
pub(crate) mod voxels;
pub(crate) mod waypoints;

pub use grid::{CellMark, GridScenery, Terrain};
pub(crate) use grid::{SMALLEST_RULED, grid_lines};
pub use level::{LevelArt, LevelScenery};
pub use link_arc::LinkArc;
pub use navmesh::{MeshScenery, PolygonArt};
pub use scene::{Band, Ground, Lattice, Leg, Marks, Relief, Scenery, SearchLook, Trail, Viewport};
pub use voxels::{BlockArt, CutAway, IsometricScenery, LayerScenery, VoxelWorld};
pub use waypoints::{Footprint, LinkArt, Surface, WaypointScenery};
