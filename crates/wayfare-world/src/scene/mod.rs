//! The scene file: a waypoint world, its obstacles and surfaces, in TOML.
//!
#![doc = include_str!("../../docs/scene-format.md")]

mod check;
mod document;
mod from_tiles;
mod locate;
mod read;
mod write;

pub use document::{
    AutoLinks, CostRules, Grid, Link, MeshSource, NegativeCosts, Obstacle, Place, Placement,
    PlacementKind, Query, Rectangle, Scene, SceneInfo, Surface, Waypoint,
};
pub use from_tiles::Neighbours;
pub use read::read;
pub use write::write;
