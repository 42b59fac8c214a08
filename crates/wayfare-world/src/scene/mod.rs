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

pub use agents::{Ability, AgentClass, PatrolOrder, SceneAgent, SceneBehaviour};

pub use document::{
    AutoLinks, CostRules, MeshSource, Placement, PlacementKind, QueryPlace, Rectangle, Scene,
    SceneGrid, SceneInfo, SceneLink, SceneObstacle, SceneQuery, SceneWaypoint, Surface,
};
pub use read::read;
pub use simulation::{
    Block, GateChange, GateState, NamedPlace, NavLinkKind, SceneCommand, SceneNavLink, SceneOrder,
    SceneSimulation, ScheduledCommand, Spot,
};
pub use wayfare::space::Neighbours;
pub use write::write;
