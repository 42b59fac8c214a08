//! Worlds for Wayfare: files in, files out, generators, and spaces to search.
//!
//! A world is a plain document: a [`TileMap`], a [`scene::Scene`], a [`VoxelScene`], a
//! [`movingai_scen::Scenario`] or an [`obj::TriangleMesh`]. It holds no search code, and everything
//! in it has been checked. [`read_path`] reads any of them:
//!
//! ```
//! use wayfare_world::{World, read_path, write_path};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("yard.txt");
//! std::fs::write(&path, "S..#\n.#..\n...G\n")?;
//! let world = read_path(&path)?;
//! let World::TileMap(map) = &world else { panic!("a .txt is a tile map") };
//! assert_eq!((map.name(), map.width(), map.height()), ("yard", 4, 3));
//! write_path(path.with_extension("map"), &world)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | format | module | read | written |
//! |---|---|---|---|
//! | Moving AI `.map` | [`movingai_map`] | yes | yes |
//! | Moving AI `.scen` | [`movingai_scen`] | yes | yes |
//! | Moving AI `.3dmap` | [`movingai_3dmap`] | yes | yes |
//! | Moving AI `.3dscen` | [`movingai_3dscen`] | yes | yes |
//! | MagicaVoxel `.vox` | [`vox`] | yes | yes |
//! | Sponge `.schem` | [`schem`] | yes | yes |
//! | Litematica `.litematic`, MCEdit `.schematic` | [`schem`] | yes | |
//! | heightmap `.height.png` | [`heightmap`] | yes | |
//! | text voxels `.voxels` | [`voxel_text`] | yes | yes |
//! | text `.txt` | [`ascii`] | yes | yes |
//! | image `.png` | [`png`] | yes | yes |
//! | Tiled `.tmx` | [`tiled`] | yes | |
//! | Tiled `.tmj` | [`tiled`] | yes | yes |
//! | LDtk `.ldtk` | [`ldtk`] | yes | |
//! | scene `.toml` | [`scene`] | yes | yes |
//! | mesh `.obj` | [`obj`] | yes | yes |
//! | Polyanya `.mesh`, versions 1 and 2 | [`polyanya_mesh`] | yes | version 2 |
//! | navigation mesh `.navmesh` | [`navmesh_file`] | yes | yes |
//! | Detour `.bin`, tiles of version 7 | [`detour`] | yes | yes |
//! | queries on a mesh `.meshscen` | [`mesh_scenario`] | yes | yes |
//! | glTF `.glb`, `.gltf` | [`gltf`](mod@gltf) | yes | |
//!
//! [`Playable::open`] goes all the way to a space: a [`Grid`](wayfare::space::Grid) or a
//! [`WaypointGraph`](wayfare::space::WaypointGraph) with the routes that the file asks for. The
//! steps in between are [`TileMap::to_grid`], [`scene::Scene::to_grid`],
//! [`scene::Scene::to_waypoints`] and [`scene::Scene::to_obstacles`].
//!
//! [`Staging::open`] makes a running simulation of a scene with agents.
//!
//! Input is taken to be hostile: every reader answers with a [`WorldError`] that names the place,
//! what is wrong and what to do, never panics, and never reserves memory on the word of a header
//! (see [`limits`]). Files are written whole or not at all.

pub mod ascii;
mod build;
pub mod detour;
mod error;
mod file;
pub mod gltf;
mod gltf_write;
pub mod heightmap;
mod key_path;
pub mod ldtk;
pub mod limits;
mod linked_mesh;
pub mod mesh_scenario;
pub mod movingai_3dmap;
pub mod movingai_3dscen;
pub mod movingai_map;
pub mod movingai_scen;
pub mod navmesh_file;
pub mod obj;
mod open;
pub mod palette;
pub mod png;
pub mod polyanya_mesh;
pub mod scene;
pub mod schem;
mod terrain;
mod text;
mod tile_map;
pub mod tiled;
mod toml_reader;
pub mod vox;
mod voxel_block;
mod voxel_losses;
mod voxel_rows;
mod voxel_scene;
pub mod voxel_text;

pub use build::{
    GridWorld, Movement, NamedRoute, Playable, PuzzleScene, SceneLinks, SceneMesh, Staged,
    StagedBarrier, StagedGround, StagedPlace, StagedPuzzle, Staging, WaypointWorld, bake_level,
    bake_linked_level, bake_settings, cost_table, level_geometry,
};
pub use error::{Location, WorldError, WorldErrorKind};
#[cfg(feature = "fs")]
pub use file::write_whole;
pub use file::{FileSystem, Files, MemoryFiles};
pub use linked_mesh::LinkedMesh;
#[cfg(feature = "fs")]
pub use open::write_path;
pub use open::{World, losses, read_from, read_path, read_path_with};
pub use terrain::Terrain;
pub use tile_map::{MapLink, MapPlace, Marks, TileMap, TilePosition};
pub use voxel_block::BlockType;
pub use voxel_scene::{VoxelBox, VoxelRoute, VoxelRun, VoxelScene};
pub use wayfare::space::{Medium, TerrainId};

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
