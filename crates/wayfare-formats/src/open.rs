//! One call for any world file.

use std::convert::Infallible;
use std::path::Path;
#[cfg(feature = "png")]
use std::path::PathBuf;

use crate::error::{WorldError, WorldErrorKind, count};
#[cfg(feature = "fs")]
use crate::file::write_whole;
use crate::file::{FileSystem, Files, read_capped, unreadable};
use crate::format::Format;
#[cfg(feature = "fs")]
use crate::format::{FileContent, FileFormat};
#[cfg(feature = "gltf")]
use crate::gltf;
use crate::heightmap::HeightmapOptions;
use crate::hexagon_map::HexagonMap;
#[cfg(feature = "ldtk")]
use crate::ldtk;
use crate::limits::{MAX_DOCUMENT_BYTES, MAX_MAP_BYTES};
use crate::linked_mesh::LinkedMesh;
use crate::mesh_scenario::MeshScenario;
use crate::movingai_3dscen::VoxelScenario;
use crate::movingai_scen::Scenario;
use crate::obj::TriangleMesh;
#[cfg(feature = "schem")]
use crate::schem;
use crate::tile_map::TileMap;
#[cfg(feature = "tiled")]
use crate::tiled;
#[cfg(feature = "vox")]
use crate::vox;
use crate::voxel_scene::VoxelScene;
use crate::{
    ascii, detour, mesh_scenario, movingai_3dmap, movingai_3dscen, movingai_map, movingai_scen,
    navmesh_file, obj, polyanya_mesh, voxel_losses, voxel_text,
};
#[cfg(feature = "png")]
use crate::{heightmap, png};

/// Any document that [`read_path`] reads.
///
/// `S` is the type of scenes. This crate reads none; the crate `wayfare-scene` has a `read_path`
/// that reads them too, into a `World<Scene>`.
///
/// ```
/// use wayfare_formats::heightmap::HeightmapOptions;
/// use wayfare_formats::{MemoryFiles, World, read_from};
///
/// let files = MemoryFiles::new().with("yard.txt", "S.#\n..G\n");
/// let world = read_from("yard.txt", &files, HeightmapOptions::default())?;
/// let World::TileMap(yard) = world else { panic!("a .txt is a tile map") };
/// assert_eq!((yard.width(), yard.height()), (3, 2));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum World<S = Infallible> {
    /// From `.map`, `.txt`, `.png`, `.tmx`, `.tmj` or `.ldtk`.
    TileMap(TileMap),
    /// From `.tmx` or `.tmj`, of hexagons.
    Hexagons(HexagonMap),
    /// From `.toml`, by `wayfare-scene`, with its meshes loaded.
    Scene(S),
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

impl World {
    /// Returns the same document where scenes are possible.
    #[must_use]
    pub fn with_scenes<S>(self) -> World<S> {
        match self {
            World::TileMap(map) => World::TileMap(map),
            World::Hexagons(map) => World::Hexagons(map),
            World::Scene(never) => match never {},
            World::Scenario(scenario) => World::Scenario(scenario),
            World::Mesh(mesh) => World::Mesh(mesh),
            World::Voxels(world) => World::Voxels(world),
            World::VoxelScenario(scenario) => World::VoxelScenario(scenario),
            World::MeshScenario(scenario) => World::MeshScenario(scenario),
            World::NavMesh(mesh) => World::NavMesh(mesh),
        }
    }
}

/// Reads a world file; its extension says how.
///
/// Beside the file, a `.png` may have a legend (`cave.png.toml`), a Tiled map its tilesets. Maps
/// are named after their file.
///
/// # Errors
/// * [`WorldErrorKind::UnknownFormat`] naming the known extensions, or the feature that this crate
///   was compiled without; also for scenes, which `wayfare-scene` reads;
/// * otherwise as the format's reader, with the path added.
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
    #[cfg(not(feature = "png"))]
    let _ = heights;
    let path = path.as_ref();
    // Of a file that is not there, its name is the smaller fault.
    let format = Format::of(path).map_err(|unknown| match files.read(path, 0) {
        Err(error) => unreadable(&error, files, path),
        Ok(_) => unknown,
    })?;
    format.check_compiled(path)?;
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
    #[cfg(any(feature = "gltf", feature = "ldtk", feature = "tiled"))]
    let folder = crate::file::Folder { files, path: path.parent().unwrap_or(Path::new("")) };
    let world = match format {
        Format::MovingAiMap => movingai_map::read(&bytes, &name).map(World::TileMap),
        Format::MovingAiScenario => movingai_scen::read(&bytes).map(World::Scenario),
        Format::Ascii => ascii::read(&bytes, &name).map(World::TileMap),
        #[cfg(feature = "tiled")]
        Format::Tmx => tiled::read_tmx_in(&bytes, &name, folder),
        #[cfg(feature = "tiled")]
        Format::Tmj => tiled::read_tmj_in(&bytes, &name, folder),
        #[cfg(feature = "ldtk")]
        Format::Ldtk => ldtk::read_in(&bytes, &name, folder).map(World::TileMap),
        #[cfg(feature = "png")]
        Format::Png => {
            let map = match legend_beside(files, path)? {
                Some(legend) => png::read(&bytes, &name, &legend),
                None => png::read_by_brightness(&bytes, &name),
            };
            map.map(World::TileMap)
        }
        #[cfg(feature = "png")]
        Format::Heightmap => {
            heightmap::read(&bytes, name.trim_end_matches(".height"), heights).map(World::Voxels)
        }
        Format::Obj => obj::read(&bytes).map(World::Mesh),
        #[cfg(feature = "gltf")]
        Format::Gltf => gltf::read_in(&bytes, folder).map(World::Mesh),
        Format::Voxels => voxel_text::read(&bytes, &name).map(World::Voxels),
        Format::VoxelMap => movingai_3dmap::read(&bytes, &name).map(World::Voxels),
        #[cfg(feature = "vox")]
        Format::Vox => vox::read(&bytes, &name).map(World::Voxels),
        #[cfg(feature = "schem")]
        Format::Schem => schem::read(&bytes, &name).map(World::Voxels),
        #[cfg(feature = "schem")]
        Format::Litematic => schem::read_litematic(&bytes, &name).map(World::Voxels),
        #[cfg(feature = "schem")]
        Format::Schematic => schem::read_mcedit(&bytes, &name).map(World::Voxels),
        Format::VoxelScenario => movingai_3dscen::read(&bytes).map(World::VoxelScenario),
        Format::PolyanyaMesh => polyanya_mesh::read(&bytes).map(|mesh| World::NavMesh(mesh.into())),
        Format::MeshScenario => mesh_scenario::read(&bytes).map(World::MeshScenario),
        Format::Detour => detour::read(&bytes).map(World::NavMesh),
        Format::NavMeshFile => navmesh_file::read(&bytes).map(World::NavMesh),
        // Formats that are not compiled were refused above.
        _ => Err(WorldError::new(WorldErrorKind::UnknownFormat, "the file is a scene")
            .advise("read it with the crate wayfare-scene")),
    };
    world.map_err(|error| error.in_file(path))
}

/// Writes a world file, whole or not at all; its extension says how. A `.png` gets its legend
/// beside it.
///
/// # Errors
/// When the document is not of the format's kind, cannot be said in it, or cannot be written.
#[cfg(feature = "fs")]
pub fn write_path(path: impl AsRef<Path>, world: &World) -> Result<(), WorldError> {
    write(path.as_ref(), world)
}

/// Like [`write_path`], where scenes are possible: it writes none.
///
/// # Errors
/// As [`write_path`].
#[cfg(feature = "fs")]
pub fn write<S>(path: &Path, world: &World<S>) -> Result<(), WorldError> {
    let format = Format::of(path)?;
    format.check_compiled(path)?;
    let bytes = match (format, world) {
        (Format::MovingAiMap, World::TileMap(map)) => movingai_map::write(map),
        (Format::Ascii, World::TileMap(map)) => ascii::write(map).map(String::into_bytes),
        #[cfg(feature = "tiled")]
        (Format::Tmj, World::TileMap(map)) => tiled::write_tmj(map).map(String::into_bytes),
        #[cfg(feature = "png")]
        (Format::Png, World::TileMap(map)) => png::write(map).and_then(|(bytes, legend)| {
            write_whole(&legend_path(path), legend.write()?.as_bytes())?;
            Ok(bytes)
        }),
        (Format::MovingAiScenario, World::Scenario(scenario)) => movingai_scen::write(scenario),
        (Format::Obj, World::Mesh(mesh)) => Ok(obj::write(mesh).into_bytes()),
        #[cfg(feature = "gltf")]
        // A `.gltf` is text, for which no writer is there.
        (Format::Gltf, World::Mesh(mesh))
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb")) =>
        {
            Ok(gltf::write(mesh))
        }
        (Format::Voxels, World::Voxels(world)) => voxel_text::write(world).map(String::into_bytes),
        (Format::VoxelMap, World::Voxels(world)) => movingai_3dmap::write(world),
        #[cfg(feature = "vox")]
        (Format::Vox, World::Voxels(world)) => vox::write(world),
        #[cfg(feature = "schem")]
        (Format::Schem, World::Voxels(world)) => schem::write(world),
        (Format::VoxelScenario, World::VoxelScenario(scenario)) => movingai_3dscen::write(scenario),
        (Format::PolyanyaMesh, World::NavMesh(mesh)) => {
            Ok(polyanya_mesh::write(&mesh.mesh).into_bytes())
        }
        (Format::MeshScenario, World::MeshScenario(scenario)) => mesh_scenario::write(scenario),
        (Format::Detour, World::NavMesh(mesh)) => detour::write(mesh),
        (Format::NavMeshFile, World::NavMesh(mesh)) => Ok(navmesh_file::write(mesh)),
        (_, world) => {
            // A map of hexagons is written as the scene that it is read as.
            let (what, content) = match world {
                World::TileMap(_) => ("a tile map", FileContent::Tiles),
                World::Hexagons(_) => ("a map of hexagons", FileContent::Scene),
                World::Scene(_) => ("a scene", FileContent::Scene),
                World::Scenario(_) => ("a scenario", FileContent::TileQueries),
                World::Mesh(_) => ("a mesh", FileContent::Level),
                World::Voxels(_) => ("a voxel world", FileContent::Blocks),
                World::VoxelScenario(_) => ("a voxel scenario", FileContent::BlockQueries),
                World::MeshScenario(_) => ("a mesh scenario", FileContent::MeshQueries),
                World::NavMesh(_) => ("a navigation mesh", FileContent::NavMesh),
            };
            Err(WorldError::new(
                WorldErrorKind::NotRepresentable,
                format!("{what} cannot be written in this format"),
            )
            .advise(format!("write it as {}", FileFormat::list_written(content))))
        }
    }
    .map_err(|error| error.in_file(path))?;
    write_whole(path, &bytes)
}

/// Returns the losses of [`write_path`] for a world of blocks, or a navigation mesh, in sentences
/// for people. Other worlds are written whole or refused.
///
/// ```
/// use wayfare::space::voxel::{BlockKind, VoxelSize};
/// use wayfare_formats::{BlockType, VoxelScene, World, losses};
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

/// Like [`losses`], where scenes are possible: they are written whole.
pub fn losses_of<S>(path: &Path, world: &World<S>) -> Vec<String> {
    match (Format::of(path), world) {
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
        #[cfg(feature = "schem")]
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

#[cfg(feature = "png")]
fn legend_path(image: &Path) -> PathBuf {
    let mut name = image.as_os_str().to_owned();
    name.push(".toml");
    name.into()
}

#[cfg(feature = "png")]
fn legend_beside(files: &dyn Files, image: &Path) -> Result<Option<png::Legend>, WorldError> {
    let path = legend_path(image);
    if !files.contains(&path) {
        return Ok(None);
    }
    let bytes = read_capped(files, &path, MAX_DOCUMENT_BYTES)?;
    png::Legend::read(&bytes).map(Some).map_err(|error| error.in_file(&path))
}
