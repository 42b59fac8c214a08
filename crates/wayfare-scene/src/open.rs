//! One call for any world file.

use std::path::Path;

use wayfare_formats::heightmap::HeightmapOptions;

#[cfg(feature = "fs")]
use wayfare_formats::inside::write;
use wayfare_formats::inside::{Folder, is_scene, losses_of, read_capped};
use wayfare_formats::limits::MAX_DOCUMENT_BYTES;
#[cfg(feature = "fs")]
use wayfare_formats::write_whole;
use wayfare_formats::{FileSystem, Files, WorldError};

use crate::scene::{self, Scene};

/// Any document that [`read_path`] reads.
///
/// ```
/// use wayfare_formats::MemoryFiles;
/// use wayfare_formats::heightmap::HeightmapOptions;
/// use wayfare_scene::{World, read_from};
///
/// let files = MemoryFiles::new().with("yard.toml", "scene = { name = 'yard' }");
/// let world = read_from("yard.toml", &files, HeightmapOptions::default())?;
/// let World::Scene(yard) = world else { panic!("a .toml is a scene") };
/// assert_eq!(yard.scene.name, "yard");
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
pub type World = wayfare_formats::World<Scene>;

/// Reads a world file; its extension says how.
///
/// Beside the file, it reads the meshes of a scene, and the companion files named at
/// [`wayfare_formats::read_path`]. Maps are named after their file. A map of hexagons becomes a
/// scene.
///
/// # Errors
/// As [`wayfare_formats::read_path`] and [`scene::read`].
pub fn read_path(path: impl AsRef<Path>) -> Result<World, WorldError> {
    read_path_with(path, HeightmapOptions::default())
}

/// Like [`read_path`], with the values that a heightmap itself does not have.
///
/// # Errors
/// As [`read_path`].
pub fn read_path_with(
    path: impl AsRef<Path>,
    heights: HeightmapOptions,
) -> Result<World, WorldError> {
    read_from(path, &FileSystem, heights)
}

/// Like [`read_path_with`], from any files: a program's own, or files in memory.
///
/// # Errors
/// As [`read_path`].
pub fn read_from(
    path: impl AsRef<Path>,
    files: &dyn Files,
    heights: HeightmapOptions,
) -> Result<World, WorldError> {
    let path = path.as_ref();
    if is_scene(path) {
        return read_scene(path, files).map(|(scene, _)| World::Scene(scene));
    }
    match wayfare_formats::read_from(path, files, heights)? {
        wayfare_formats::World::Hexagons(map) => {
            let scene = Scene::from_hexagons(&map).map_err(|error| error.in_file(path))?;
            Ok(World::Scene(scene))
        }
        world => Ok(world.with_scenes()),
    }
}

/// Like [`read_from`], with the text of a scene, whose lines explain a fault of the space that is
/// made of it; empty for other documents.
pub(crate) fn read_from_with_text(
    path: &Path,
    files: &dyn Files,
) -> Result<(World, String), WorldError> {
    if is_scene(path) {
        return read_scene(path, files).map(|(scene, text)| (World::Scene(scene), text));
    }
    let world = read_from(path, files, HeightmapOptions::default())?;
    Ok((world, String::new()))
}

fn read_scene(path: &Path, files: &dyn Files) -> Result<(Scene, String), WorldError> {
    let bytes = read_capped(files, path, MAX_DOCUMENT_BYTES)?;
    let folder = Folder { files, path: path.parent().unwrap_or(Path::new("")) };
    let read = || {
        let mut scene = scene::read(&bytes)?;
        scene.load_meshes_in(folder)?;
        Ok(scene)
    };
    let scene = read().map_err(|error: WorldError| error.in_file(path))?;
    Ok((scene, String::from_utf8(bytes.into_owned()).unwrap_or_default()))
}

/// Writes a world file, whole or not at all; its extension says how. A `.png` gets its legend
/// beside it.
///
/// # Errors
/// When the document is not of the format's kind, cannot be said in it, or cannot be written.
#[cfg(feature = "fs")]
pub fn write_path(path: impl AsRef<Path>, world: &World) -> Result<(), WorldError> {
    let path = path.as_ref();
    match world {
        World::Scene(scene) if is_scene(path) => {
            let text = scene::write(scene).map_err(|error| error.in_file(path))?;
            write_whole(path, text.as_bytes())
        }
        world => write(path, world),
    }
}

/// Returns the losses of [`write_path`], in the form of [`wayfare_formats::losses`]. Scenes are
/// written whole.
///
/// ```
/// use wayfare::space::voxel::{BlockKind, VoxelSize};
/// use wayfare_formats::{BlockType, VoxelScene};
/// use wayfare_scene::{World, losses};
///
/// let mut pond = VoxelScene::new("pond", VoxelSize { width: 2, height: 1, depth: 2 })?;
/// let water = pond.add_block(BlockType::new('~', "water", BlockKind::Water))?;
/// pond.fill([0, 0, 0], [1, 0, 1], water)?;
/// assert_eq!(losses("pond.3dmap", &World::Voxels(pond)), ["open from now on: water"]);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
pub fn losses(path: impl AsRef<Path>, world: &World) -> Vec<String> {
    losses_of(path.as_ref(), world)
}
