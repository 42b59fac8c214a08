//! Scenes for Wayfare: documents with geometry, waypoints and agents, and the spaces and
//! simulations that are made of them.
//!
//! A [`scene::Scene`] is a plain document from a `.toml` file. [`read_path`] reads it, and all
//! formats of [`wayfare_formats`] too:
//!
//! ```
//! use wayfare_scene::{World, read_path, write_path};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("yard.toml");
//! std::fs::write(&path, "scene = { name = 'yard', world = 'yard.txt' }\n")?;
//! let world = read_path(&path)?;
//! let World::Scene(scene) = &world else { panic!("a .toml is a scene") };
//! assert_eq!(scene.scene.name, "yard");
//! write_path(path.with_extension("copy.toml"), &world)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Playable::open`] goes all the way to a space: a [`Grid`](wayfare_grid::grid::Grid) or a
//! [`WaypointGraph`](wayfare_grid::waypoint::WaypointGraph) with the routes that the file asks for.
//! The steps in between are [`TileMap::to_grid`](wayfare_formats::TileMap::to_grid),
//! [`scene::Scene::to_grid`], [`scene::Scene::to_waypoints`] and [`scene::Scene::to_obstacles`].
//!
//! [`Staging::open`] makes a running simulation of a scene with agents.
//!
//! Input is taken to be hostile. Every reader answers with a
//! [`WorldError`](wayfare_formats::WorldError) that names the position, the fault and the remedy.
//! It never panics, and never reserves memory by a count that a file claims (see [`limits`]).

mod found;
/// Parts for the tests of this crate. No promise.
#[doc(hidden)]
pub mod inside;
pub mod limits;
mod open;
pub mod scene;
mod spaces;

#[cfg(feature = "fs")]
pub use open::write_path;
pub use open::{World, losses, read_from, read_path, read_path_with};
pub use spaces::{
    GridWorld, Movement, NamedRoute, Playable, PuzzleScene, SceneLinks, SceneMesh, Staged,
    StagedBarrier, StagedGround, StagedPlace, StagedPuzzle, Staging, WaypointWorld, bake_level,
    bake_linked_level, bake_settings, level_geometry, mesh_world_from, read_mesh_world,
};
