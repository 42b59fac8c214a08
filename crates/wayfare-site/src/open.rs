//! From a file to a site.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use wayfare_world::scene::Scene;
use wayfare_world::{Files, Playable, VoxelScene, World, WorldError, read_from};

use crate::{GridSite, MeshSite, OpenOptions, Site, SiteError, VoxelSite, WaypointSite};

/// Opens a world file: reads it and builds its space.
///
/// # Errors
/// When it or a file that it names cannot be read, holds no world, or the options are for another
/// kind of world.
#[cfg(feature = "fs")]
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Box<dyn Site>, SiteError> {
    open_from(path, &wayfare_world::FileSystem, options)
}

/// Opens a world from bytes. The extension of `name` tells the format; `files` has the files that
/// the world names.
///
/// ```
/// use wayfare_site::{MemoryFiles, NoFiles, OpenOptions, open_bytes};
///
/// let yard = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// assert_eq!(yard.about().states, 9);
///
/// let scene = br#"scene = { name = "walk", world = "yard.txt" }"#;
/// let files = MemoryFiles::new().with("yard.txt", *b"..\n..\n");
/// let walk = open_bytes("walk.toml", scene, &files, &OpenOptions::default())?;
/// assert_eq!((walk.about().name.as_str(), walk.about().states), ("walk", 4));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
///
/// # Errors
/// As [`open_from`].
pub fn open_bytes(
    name: &str,
    bytes: &[u8],
    files: &dyn Files,
    options: &OpenOptions,
) -> Result<Box<dyn Site>, SiteError> {
    let files = WithFile { name: Path::new(name), bytes, files };
    open_from(name, &files, options)
}

/// Opens a world from any files.
///
/// # Errors
/// When it or a file that it names cannot be read, holds no world, or the options are for another
/// kind of world.
pub fn open_from(
    path: impl AsRef<Path>,
    files: &dyn Files,
    options: &OpenOptions,
) -> Result<Box<dyn Site>, SiteError> {
    let path = path.as_ref();
    if has_extension(path, &["scen", "3dscen"]) {
        return Err(SiteError::HoldsQueries { path: path.to_path_buf() });
    }
    if is_of_blocks(path) || has_extension(path, &["mesh", "navmesh"]) {
        return build(path, read(path, files, options)?, options);
    }
    if !has_extension(path, &["toml"]) {
        return site(path, Playable::open_from(path, files, &options.movement())?, options, None);
    }
    let World::Scene(scene) = read(path, files, options)? else {
        return site(path, Playable::open_from(path, files, &options.movement())?, options, None);
    };
    if let Some(beside) = scene.world_beside(path)?
        && is_of_blocks(&beside)
        && let World::Voxels(world) = read(&beside, files, options)?
    {
        return blocks(&beside, &world, options, Some(&scene));
    }
    site(path, Playable::open_from(path, files, &options.movement())?, options, Some(&scene))
}

/// The site of a world of blocks, with the links of a scene that plays there.
fn blocks(
    path: &Path,
    world: &VoxelScene,
    options: &OpenOptions,
    scene: Option<&Scene>,
) -> Result<Box<dyn Site>, SiteError> {
    if options.is_for_grids_alone() {
        return Err(SiteError::MovesOfGrids { path: path.to_path_buf() });
    }
    let site = VoxelSite::new(path, world, options.voxel_profile())?;
    Ok(match with_links(scene) {
        Some(scene) => Box::new(site.with_links(scene)?),
        None => Box::new(site),
    })
}

/// A scene that has links.
fn with_links(scene: Option<&Scene>) -> Option<&Scene> {
    scene.filter(|scene| !scene.nav_links.is_empty())
}

/// The site of a world that was read.
///
/// # Errors
/// When the world cannot be searched, or the options are for another kind of world.
pub fn build(path: &Path, world: World, options: &OpenOptions) -> Result<Box<dyn Site>, SiteError> {
    if let World::Voxels(world) = &world {
        return blocks(path, world, options, None);
    }
    if let World::NavMesh(mesh) = world {
        if options.is_for_voxels() || options.is_for_grids() {
            return Err(SiteError::MovesOnMesh { path: path.to_path_buf() });
        }
        return Ok(Box::new(MeshSite::new(path, mesh)));
    }
    let playable = Playable::new(world, &options.movement());
    let playable = playable.map_err(|error| SiteError::unsearchable(path, &error))?;
    site(path, playable, options, None)
}

fn site(
    path: &Path,
    world: Playable,
    options: &OpenOptions,
    scene: Option<&Scene>,
) -> Result<Box<dyn Site>, SiteError> {
    let refused = path.to_path_buf();
    if options.is_for_voxels() {
        return Err(SiteError::MovesOfVoxels { path: refused });
    }
    let scene = with_links(scene);
    match world {
        Playable::Grid(world) => {
            let site = GridSite::new(path, world);
            Ok(match scene {
                Some(scene) => Box::new(site.with_links(scene)?),
                None => Box::new(site),
            })
        }
        Playable::Waypoints(_) if options.is_for_grids() => {
            Err(SiteError::MovesAmongWaypoints { path: refused })
        }
        Playable::Waypoints(world) => {
            let site = WaypointSite::new(path, world);
            Ok(match scene {
                Some(scene) => Box::new(site.with_links(scene)?),
                None => Box::new(site),
            })
        }
    }
}

fn read(path: &Path, files: &dyn Files, options: &OpenOptions) -> Result<World, WorldError> {
    read_from(path, files, options.heightmap())
}

fn is_of_blocks(path: &Path) -> bool {
    let is_heightmap =
        path.file_stem().is_some_and(|stem| has_extension(Path::new(stem), &["height"]));
    is_heightmap || has_extension(path, &["voxels", "3dmap", "vox", "schem"])
}

pub(crate) fn has_extension(path: &Path, known: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default();
    known.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// No files, for worlds that name none.
///
/// ```
/// use wayfare_site::{Files, NoFiles};
///
/// assert!(!NoFiles.contains("yard.txt".as_ref()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &Path, _cap: u64) -> io::Result<Cow<'_, [u8]>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn contains(&self, _path: &Path) -> bool {
        false
    }
}

/// Files, and one more.
pub(crate) struct WithFile<'f> {
    pub(crate) name: &'f Path,
    pub(crate) bytes: &'f [u8],
    pub(crate) files: &'f dyn Files,
}

impl Files for WithFile<'_> {
    fn read(&self, path: &Path, cap: u64) -> io::Result<Cow<'_, [u8]>> {
        if path == self.name { Ok(self.bytes.into()) } else { self.files.read(path, cap) }
    }

    fn contains(&self, path: &Path) -> bool {
        path == self.name || self.files.contains(path)
    }
}
