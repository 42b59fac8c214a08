//! From documents to spaces: one file a target.

mod classes;
mod ground;
mod level;
mod links;
mod mesh_grid;
mod places;
mod playable;
mod puzzles;
mod routes;
mod scene_grid;
mod simulation;
mod waypoints;

pub use level::{
    SceneMesh, bake_level, bake_linked_level, bake_settings, level_geometry, mesh_world_from,
    read_mesh_world,
};
pub use playable::{GridWorld, Movement, Playable};
pub use puzzles::{PuzzleScene, StagedPuzzle};
pub use routes::NamedRoute;
pub use simulation::{SceneLinks, Staged, StagedBarrier, StagedGround, StagedPlace, Staging};
pub use waypoints::WaypointWorld;
