//! The scene file: a waypoint world, its obstacles and surfaces, in TOML.
//!
#![doc = include_str!("../../docs/scene-format.md")]

mod agents;
mod check;
mod check_simulation;
mod check_world;
mod document;
mod from_tiles;
mod read;
mod simulation;
mod way;
mod write;
mod write_simulation;

pub use agents::{Ability, Agent, AgentClass, Behaviour, PatrolOrder};

pub use document::{
    AutoLinks, CostRules, Grid, Link, MeshSource, Obstacle, Place, Placement, PlacementKind, Query,
    Rectangle, Scene, SceneInfo, Surface, Waypoint,
};
pub use read::read;
pub use simulation::{
    Block, Event, GateChange, GateState, Happening, NamedPlace, NavLink, NavLinkKind, Order,
    Simulation, Spot,
};
pub use wayfare::space::Neighbours;
pub use write::write;
