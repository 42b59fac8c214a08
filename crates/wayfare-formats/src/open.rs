//! One call for any world file.

use std::path::{Path, PathBuf};

use crate::error::{WorldError, WorldErrorKind, count};
#[cfg(feature = "fs")]
use crate::file::write_whole;
use crate::file::{FileSystem, Files, Folder, read_capped, unreadable};
use crate::heightmap::{self, HeightmapOptions};
use crate::limits::{MAX_DOCUMENT_BYTES, MAX_MAP_BYTES};
use crate::linked_mesh::LinkedMesh;
use crate::mesh_scenario::MeshScenario;
use crate::movingai_3dscen::VoxelScenario;
use crate::movingai_scen::Scenario;
use crate::obj::TriangleMesh;
use crate::scene::Scene;
use crate::tile_map::TileMap;
use crate::voxel_scene::VoxelScene;
use crate::{
    ascii, detour, gltf, ldtk, mesh_scenario, movingai_3dmap, movingai_3dscen, movingai_map,
    movingai_scen, navmesh_file, obj, png, polyanya_mesh, scene, schem, tiled, vox, voxel_losses,
    voxel_text,
};

/// Any document that [`read_path`] reads.
///
/// ```
/// use wayfare_world::heightmap::HeightmapOptions;
/// use wayfare_world::{MemoryFiles, World, read_from};
///
/// let files = MemoryFiles::new().with("yard.txt", "S.#\n..G\n");
/// let world = read_from("yard.txt", &files, HeightmapOptions::default())?;
/// let World::TileMap(yard) = world else { panic!("a .txt is a tile map") };
/// assert_eq!((yard.width(), yard.height()), (3, 2));
/// # Ok::<(), wayfare_world::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "one document at a time: a few hundred bytes are nothing"
)]
pub enum World {
    /// From `.map`, `.txt`, `.png`, `.tmx`, `.tmj` or `.ldtk`.
    TileMap(TileMap),
    /// From `.toml`, with its meshes loaded.
    Scene(Scene),
    /// From `.scen`.
    Scenario(Scenario),
    /// From `.obj`, `.glb` or `.gltf`.
    Mesh(TriangleMesh),
    /// From `.voxels`, `.3dmap`, `.vox`, `.schem`, `.litematic`,
    /// `.schematic` or `.height.png`.
    Voxels(VoxelScene),
    /// From `.3dscen`.
    VoxelScenario(VoxelScenario),
    /// From `.meshscen`.
    MeshScenario(MeshScenario),
    /// From `.mesh`, `.navmesh` or `.bin`.
    NavMesh(LinkedMesh),
}

/// A file format, known by its extension.
#[derive(Clone, Copy)]
enum Format {
    MovingAiMap,
    MovingAiScenario,
    Ascii,
    Tmx,
    Tmj,
    Ldtk,
    Png,
    Heightmap,
    Scene,
    Obj,
    Gltf,
    Voxels,
    VoxelMap,
    VoxelScenario,
    Vox,
    Schem,
    Litematic,
    Schematic,
    PolyanyaMesh,
    NavMeshFile,
    Detour,
    MeshScenario,
}

/// Extensions in lower case.
const FORMATS: [(&str, Format); 24] = [
    ("map", Format::MovingAiMap),
    ("scen", Format::MovingAiScenario),
    ("txt", Format::Ascii),
    ("tmx", Format::Tmx),
    ("tmj", Format::Tmj),
    ("json", Format::Tmj),
    ("ldtk", Format::Ldtk),
    ("height.png", Format::Heightmap),
    ("png", Format::Png),
    ("toml", Format::Scene),
    ("obj", Format::Obj),
    ("glb", Format::Gltf),
    ("gltf", Format::Gltf),
    ("voxels", Format::Voxels),
    ("3dmap", Format::VoxelMap),
    ("vox", Format::Vox),
    ("schem", Format::Schem),
    ("litematic", Format::Litematic),
    ("schematic", Format::Schematic),
    ("3dscen", Format::VoxelScenario),
    ("mesh", Format::PolyanyaMesh),
    ("navmesh", Format::NavMeshFile),
    ("bin", Format::Detour),
    ("meshscen", Format::MeshScenario),
];

/// Reads a world file; its extension says how.
///
/// Beside the file, a `.png` may have a legend (`cave.png.toml`), a scene its meshes, a Tiled map
/// its tilesets. Maps are named after their file.
///
/// # Errors
/// [`WorldErrorKind::UnknownFormat`] naming the known extensions; otherwise as the format's reader,
/// with the path added.
pub fn read_path(path: impl AsRef<Path>) -> Result<World, WorldError> {
    read_path_with(path, HeightmapOptions::default())
}

/// As [`read_path`], with what a heightmap does not say itself.
///
/// # Errors
/// As [`read_path`].
pub fn read_path_with(
    path: impl AsRef<Path>,
    heights: HeightmapOptions,
) -> Result<World, WorldError> {
    read_from(path, &FileSystem, heights)
}

/// As [`read_path_with`], from any files: a program's own, or files in memory.
///
/// # Errors
/// As [`read_path`].
pub fn read_from(
    path: impl AsRef<Path>,
    files: &dyn Files,
    heights: HeightmapOptions,
) -> Result<World, WorldError> {
    read_whole(path.as_ref(), files, heights).map(|(world, _)| world)
}

/// As [`read_from`], with the text of the file where its lines are needed to explain a fault of
/// the space that is built from it; empty for other formats.
pub(crate) fn read_from_with_text(
    path: &Path,
    files: &dyn Files,
) -> Result<(World, String), WorldError> {
    read_whole(path, files, HeightmapOptions::default())
}

fn read_whole(
    path: &Path,
    files: &dyn Files,
    heights: HeightmapOptions,
) -> Result<(World, String), WorldError> {
    // Of a file that is not there, its name is the smaller fault.
    let format = format_of(path).map_err(|unknown| match files.read(path, 0) {
        Err(error) => unreadable(&error, files, path),
        Ok(_) => unknown,
    })?;
    let cap = match format {
        Format::MovingAiMap
        | Format::Ascii
        | Format::Obj
        | Format::Gltf
        | Format::Voxels
        | Format::VoxelMap
        | Format::PolyanyaMesh
        | Format::NavMeshFile
        | Format::Detour => MAX_MAP_BYTES,
        _ => MAX_DOCUMENT_BYTES,
    };
    let bytes = read_capped(files, path, cap)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = Folder { files, path: path.parent().unwrap_or(Path::new("")) };
    let world = match format {
        Format::MovingAiMap => movingai_map::read(&bytes, &name).map(World::TileMap),
        Format::MovingAiScenario => movingai_scen::read(&bytes).map(World::Scenario),
        Format::Ascii => ascii::read(&bytes, &name).map(World::TileMap),
        Format::Tmx => tiled::read_tmx_in(&bytes, &name, folder),
        Format::Tmj => tiled::read_tmj_in(&bytes, &name, folder),
        Format::Ldtk => ldtk::read_in(&bytes, &name, folder).map(World::TileMap),
        Format::Png => png::read(&bytes, &name, &legend_beside(files, path)?).map(World::TileMap),
        Format::Heightmap => {
            heightmap::read(&bytes, name.trim_end_matches(".height"), heights).map(World::Voxels)
        }
        Format::Scene => scene::read(&bytes).and_then(|mut scene| {
            scene.load_meshes_in(folder)?;
            Ok(World::Scene(scene))
        }),
        Format::Obj => obj::read(&bytes).map(World::Mesh),
        Format::Gltf => gltf::read_in(&bytes, folder).map(World::Mesh),
        Format::Voxels => voxel_text::read(&bytes, &name).map(World::Voxels),
        Format::VoxelMap => movingai_3dmap::read(&bytes, &name).map(World::Voxels),
        Format::Vox => vox::read(&bytes, &name).map(World::Voxels),
        Format::Schem => schem::read(&bytes, &name).map(World::Voxels),
        Format::Litematic => schem::read_litematic(&bytes, &name).map(World::Voxels),
        Format::Schematic => schem::read_mcedit(&bytes, &name).map(World::Voxels),
        Format::VoxelScenario => movingai_3dscen::read(&bytes).map(World::VoxelScenario),
        Format::PolyanyaMesh => polyanya_mesh::read(&bytes).map(|mesh| World::NavMesh(mesh.into())),
        Format::MeshScenario => mesh_scenario::read(&bytes).map(World::MeshScenario),
        Format::Detour => detour::read(&bytes).map(World::NavMesh),
        Format::NavMeshFile => navmesh_file::read(&bytes).map(World::NavMesh),
    };
    let world = world.map_err(|error| error.in_file(path))?;
    let text = match &world {
        World::Scene(_) => String::from_utf8(bytes.into_owned()).unwrap_or_default(),
        _ => String::new(),
    };
    Ok((world, text))
}

/// Writes a world file, whole or not at all; its extension says how. A `.png` gets its legend
/// beside it.
///
/// # Errors
/// When the document is not of the format's kind, cannot be said in it, or cannot be written.
#[cfg(feature = "fs")]
pub fn write_path(path: impl AsRef<Path>, world: &World) -> Result<(), WorldError> {
    let path = path.as_ref();
    let bytes = match (format_of(path)?, world) {
        (Format::MovingAiMap, World::TileMap(map)) => movingai_map::write(map),
        (Format::Ascii, World::TileMap(map)) => ascii::write(map).map(String::into_bytes),
        (Format::Tmj, World::TileMap(map)) => tiled::write_tmj(map).map(String::into_bytes),
        (Format::Png, World::TileMap(map)) => png::write(map).and_then(|(bytes, legend)| {
            write_whole(&legend_path(path), legend.write()?.as_bytes())?;
            Ok(bytes)
        }),
        (Format::MovingAiScenario, World::Scenario(scenario)) => movingai_scen::write(scenario),
        (Format::Scene, World::Scene(scene)) => scene::write(scene).map(String::into_bytes),
        (Format::Obj, World::Mesh(mesh)) => Ok(obj::write(mesh).into_bytes()),
        // A `.gltf` is text, for which no writer is there.
        (Format::Gltf, World::Mesh(mesh))
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb")) =>
        {
            Ok(gltf::write(mesh))
        }
        (Format::Voxels, World::Voxels(world)) => voxel_text::write(world).map(String::into_bytes),
        (Format::VoxelMap, World::Voxels(world)) => movingai_3dmap::write(world),
        (Format::Vox, World::Voxels(world)) => vox::write(world),
        (Format::Schem, World::Voxels(world)) => schem::write(world),
        (Format::VoxelScenario, World::VoxelScenario(scenario)) => movingai_3dscen::write(scenario),
        (Format::PolyanyaMesh, World::NavMesh(mesh)) => {
            Ok(polyanya_mesh::write(&mesh.mesh).into_bytes())
        }
        (Format::MeshScenario, World::MeshScenario(scenario)) => mesh_scenario::write(scenario),
        (Format::Detour, World::NavMesh(mesh)) => detour::write(mesh),
        (Format::NavMeshFile, World::NavMesh(mesh)) => Ok(navmesh_file::write(mesh)),
        (_, world) => {
            let (what, extensions) = match world {
                World::TileMap(_) => ("a tile map", ".map, .txt, .tmj or .png"),
                World::Scene(_) => ("a scene", ".toml"),
                World::Scenario(_) => ("a scenario", ".scen"),
                World::Mesh(_) => ("a mesh", ".obj or .glb"),
                World::Voxels(_) => ("a voxel world", ".voxels, .3dmap, .vox or .schem"),
                World::VoxelScenario(_) => ("a voxel scenario", ".3dscen"),
                World::MeshScenario(_) => ("a mesh scenario", ".meshscen"),
                World::NavMesh(_) => ("a navigation mesh", ".navmesh, .mesh or .bin"),
            };
            Err(WorldError::new(
                WorldErrorKind::NotRepresentable,
                format!("{what} cannot be written in this format"),
            )
            .advise(format!("write it as {extensions}")))
        }
    }
    .map_err(|error| error.in_file(path))?;
    write_whole(path, &bytes)
}

/// What [`write_path`] leaves out of a world of blocks, or a navigation mesh, that it writes there,
/// in sentences for people. Other worlds are written whole or refused.
///
/// ```
/// use wayfare::space::voxel::{BlockKind, VoxelSize};
/// use wayfare_world::{BlockType, VoxelScene, World, losses};
///
/// let mut pond = VoxelScene::new("pond", VoxelSize { width: 2, height: 1, depth: 2 })?;
/// let water = pond.add_block(BlockType::new('~', "water", BlockKind::Water))?;
/// pond.fill([0, 0, 0], [1, 0, 1], water)?;
/// assert_eq!(losses("pond.3dmap", &World::Voxels(pond)), ["open from now on: water"]);
/// # Ok::<(), wayfare_world::WorldError>(())
/// ```
pub fn losses(path: impl AsRef<Path>, world: &World) -> Vec<String> {
    match (format_of(path.as_ref()), world) {
        (Ok(Format::VoxelMap), World::Voxels(world)) => voxel_losses::as_blocked(world),
        (Ok(Format::Detour), World::NavMesh(mesh)) => detour::losses(mesh),
        (Ok(Format::PolyanyaMesh), World::NavMesh(mesh)) => {
            let mut lost = polyanya_mesh::losses(&mesh.mesh);
            if !mesh.links.is_empty() {
                lost.push(format!("the links: {}", mesh.summary()));
            }
            lost
        }
        (Ok(Format::Vox), World::Voxels(world)) => voxel_losses::beside_blocks(world),
        (Ok(Format::Schem), World::Voxels(world)) => {
            voxel_losses::as_other_blocks(world, schem::stand_in)
        }
        (Ok(_), World::TileMap(map)) if !(map.places().is_empty() && map.links().is_empty()) => {
            let places = count(map.places().len(), "place");
            let links = count(map.links().len(), "link");
            vec![format!("{places} and {links} that objects of the map make")]
        }
        _ => Vec::new(),
    }
}

/// The extensions of all formats, without the dot.
pub(crate) fn extensions() -> [&'static str; FORMATS.len()] {
    FORMATS.map(|(extension, _)| extension)
}

fn format_of(path: &Path) -> Result<Format, WorldError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let ends_in = |known: &str| name.strip_suffix(known).is_some_and(|rest| rest.ends_with('.'));
    let found = FORMATS.iter().find(|(known, _)| ends_in(known));
    found.map(|(_, format)| *format).ok_or_else(|| {
        let known: Vec<_> = FORMATS.iter().map(|(known, _)| format!(".{known}")).collect();
        let what = match extension.as_str() {
            "" => "a file without extension is in no known format".to_string(),
            _ => format!("'.{extension}' is not a known format"),
        };
        WorldError::new(WorldErrorKind::UnknownFormat, what)
            .in_file(path)
            .advise(format!("known are {}", known.join(" ")))
    })
}

fn legend_path(image: &Path) -> PathBuf {
    let mut name = image.as_os_str().to_owned();
    name.push(".toml");
    name.into()
}

fn legend_beside(files: &dyn Files, image: &Path) -> Result<png::Legend, WorldError> {
    let path = legend_path(image);
    if !files.contains(&path) {
        return Ok(png::Legend::default());
    }
    let bytes = read_capped(files, &path, MAX_DOCUMENT_BYTES)?;
    png::Legend::read(&bytes).map_err(|error| error.in_file(&path))
}
