//! Files for Wayfare: documents, and the readers and writers of their formats.
//!
//! A world is a plain document: a [`TileMap`], a [`VoxelScene`], a [`movingai_scen::Scenario`], an
//! [`obj::TriangleMesh`] or a [`LinkedMesh`]. It contains no search code, and everything in it has
//! been checked. [`read_path`] reads any of them:
//!
//! ```
//! use wayfare_formats::{World, read_path, write_path};
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
//! | format | module | read | written | feature |
//! |---|---|---|---|---|
//! | Moving AI `.map` | [`movingai_map`] | yes | yes | |
//! | Moving AI `.scen` | [`movingai_scen`] | yes | yes | |
//! | Moving AI `.3dmap` | [`movingai_3dmap`] | yes | yes | |
//! | Moving AI `.3dscen` | [`movingai_3dscen`] | yes | yes | |
//! | MagicaVoxel `.vox` | [`vox`] | yes | yes | `vox` |
//! | Sponge `.schem` | [`schem`] | yes | yes | `schem` |
//! | Litematica `.litematic`, MCEdit `.schematic` | [`schem`] | yes | | `schem` |
//! | heightmap `.height.png` | [`heightmap`] | yes | | `png` |
//! | text voxels `.voxels` | [`voxel_text`] | yes | yes | |
//! | text `.txt` | [`ascii`] | yes | yes | |
//! | image `.png` | [`png`] | yes | yes | `png` |
//! | Tiled `.tmx` | [`tiled`] | yes | | `tiled` |
//! | Tiled `.tmj` | [`tiled`] | yes | yes | `tiled` |
//! | LDtk `.ldtk` | [`ldtk`] | yes | | `ldtk` |
//! | mesh `.obj` | [`obj`] | yes | yes | |
//! | Polyanya `.mesh`, versions 1 and 2 | [`polyanya_mesh`] | yes | version 2 | |
//! | navigation mesh `.navmesh` | [`navmesh_file`] | yes | yes | |
//! | Detour `.bin`, tiles of version 7 | [`detour`] | yes | yes | |
//! | queries on a mesh `.meshscen` | [`mesh_scenario`] | yes | yes | |
//! | glTF `.glb`, `.gltf` | [`gltf`](mod@gltf) | yes | | `gltf` |
//!
//! Features add formats and the crates that read them. All are on by default. A file of a format
//! that was left out is refused by name.
//!
//! [`TileMap::to_grid`] and [`VoxelScene::to_grid`] make spaces. The crate `wayfare-scene` reads
//! scenes too, and makes spaces, navigation meshes and simulations of all documents.
//!
//! Input is taken to be hostile. Every reader answers with a [`WorldError`] that names the
//! position, the fault and the remedy. It never panics, and never reserves memory by a count that a
//! header claims (see [`limits`]). Files are written whole or not at all.

pub mod ascii;
#[cfg(any(feature = "ldtk", feature = "tiled"))]
mod conventions;
mod costs;
pub mod detour;
mod error;
mod file;
mod format;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(feature = "gltf")]
mod gltf_write;
pub mod heightmap;
mod hexagon_map;
#[doc(hidden)]
pub mod inside;
mod key_path;
#[cfg(feature = "ldtk")]
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
#[cfg(feature = "png")]
pub mod png;
pub mod polyanya_mesh;
#[cfg(feature = "schem")]
pub mod schem;
mod terrain;
mod text;
mod tile_grid;
mod tile_map;
#[cfg(feature = "tiled")]
pub mod tiled;
#[cfg(feature = "toml")]
mod toml_reader;
#[cfg(feature = "vox")]
pub mod vox;
mod voxel_block;
#[cfg(any(feature = "schem", feature = "vox"))]
mod voxel_glyphs;
mod voxel_losses;
mod voxel_rows;
mod voxel_scene;
pub mod voxel_text;

pub use costs::cost_table;
pub use error::{Location, WorldError, WorldErrorKind};
#[cfg(feature = "fs")]
pub use file::write_whole;
pub use file::{FileSystem, Files, MemoryFiles};
pub use format::{FileContent, FileFormat};
pub use hexagon_map::HexagonMap;
pub use linked_mesh::LinkedMesh;
#[cfg(feature = "fs")]
pub use open::write_path;
pub use open::{World, losses, read_from, read_path, read_path_with};
pub use terrain::Terrain;
pub use tile_map::{MapLink, MapPlace, Marks, TileMap, TilePosition};
pub use voxel_block::BlockType;
pub use voxel_scene::{VoxelBox, VoxelRoute, VoxelRun, VoxelScene};
pub use wayfare_core::space::{Medium, TerrainId};
