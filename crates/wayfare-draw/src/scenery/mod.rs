//! Worlds that can be drawn, without any search.

mod engine;
mod grid;
mod scene;
mod waypoints;

pub use grid::{GridScenery, Terrain};
pub(crate) use grid::{SMALLEST_RULED, grid_lines};
pub use scene::{Ground, Lattice, Scenery, Viewport};
pub use waypoints::{Footprint, LinkArt, Surface, WaypointScenery};
