//! The scene file: a waypoint world, its obstacles and surfaces, in TOML.
//!
#![doc = include_str!("../../docs/scene-format.md")]

mod agents;
mod check;
mod document;
mod from_tiles;
mod geometry;
mod groups;
mod names;
mod navmesh;
mod puzzles;
mod read;
pub(crate) mod rules;
mod simulation;
mod spelling;
mod waypoints;
mod write;

pub use agents::{
    Ability, AgentClass, ClassTerrain, SceneAgent, SceneBehaviour, SceneSteering, SceneTimes,
};
pub use document::{CostRules, Scene, SceneInfo};
pub use geometry::{MeshSource, Rectangle, SceneGrid, SceneObstacle, Surface};
pub use groups::{FormationChange, SceneGroup};
pub use navmesh::SceneNavMesh;
pub use puzzles::{
    PuzzleArea, PuzzleBarrier, PuzzleHook, PuzzleLever, PuzzleLift, PuzzleThing, PuzzleTimetable,
    ScenePuzzle,
};
pub use read::{read, read_change};
pub use simulation::{
    Block, CostChange, DangerNews, Drive, GateChange, GroundChange, NamedPlace, SceneChange,
    SceneClip, SceneDanger, SceneHarm, SceneNavLink, SceneOrder, SceneSimulation, ScheduledCommand,
    Spot,
};
pub use wayfare_core::link::{Gate, LinkKind};
pub use wayfare_grid::grid::Neighbours;
pub use wayfare_sim::agent::{Formation, PatrolOrder};
pub use waypoints::{
    AutoLinks, Placement, PlacementKind, QueryPlace, SceneLink, SceneQuery, SceneWaypoint,
};
pub use write::{write, write_change};
