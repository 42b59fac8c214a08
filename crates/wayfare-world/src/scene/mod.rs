//! The scene file: a waypoint world, its obstacles and surfaces, in TOML.
//!
#![doc = include_str!("../../docs/scene-format.md")]

mod check;
mod document;
mod from_tiles;
mod read;
mod write;

pub use document::{
    AutoLinks, CostRules, Grid, Link, MeshSource, Obstacle, Place, Placement, PlacementKind, Query,
    Rectangle, Scene, SceneInfo, Surface, Waypoint,
};
pub use read::read;
pub use wayfare::space::Neighbours;
pub use write::write;
