//! From a file to a site.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use wayfare_formats::{FileContent, FileFormat, Files, VoxelScene, WorldError};
use wayfare_scene::scene::Scene;
use wayfare_scene::{Playable, SceneMesh, World, read_from};

use crate::{GridSite, MeshSite, OpenOptions, Site, SiteError, VoxelSite, WaypointSite, level};

/// Opens a world file: reads it and builds its space.
///
/// # Errors
/// If it or a file that it names cannot be read, contains no world, or the options are for another
/// kind of world.
#[cfg(feature = "fs")]
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Box<dyn Site>, SiteError> {
    open_from(path, &wayfare_formats::FileSystem, options)
}

/// Like [`open`], for an agent of a class of the scene: with its movement, its costs and its keys.
/// The options leave the settings of the class alone.
///
/// # Errors
/// As [`open`]; when the world is no scene, or has no class of that name.
#[cfg(feature = "fs")]
pub fn open_as(
    path: impl AsRef<Path>,
    options: &OpenOptions,
    class: &str,
) -> Result<Box<dyn Site>, SiteError> {
    open_as_from(path, &wayfare_formats::FileSystem, options, class)
}

/// Like [`open_as`], from any files.
///
/// ```
/// use wayfare_site::{MemoryFiles, OpenOptions, open_as_from};
///
/// let scene = br#"
///     scene = { name = "moat", map = "..~.." }
///     terrains = [{ name = "water", glyph = "~", walkable = false }]
///     classes = [{ name = "boat", terrains = [{ terrain = "water", walkable = true }] }]
/// "#;
/// let files = MemoryFiles::new().with("moat.toml", *scene);
/// let boat = open_as_from("moat.toml", &files, &OpenOptions::default(), "boat")?;
/// let mut free = 0;
/// boat.for_each_free(&mut |_| free += 1);
/// assert_eq!(free, 5);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
///
/// # Errors
/// As [`open_as`].
pub fn open_as_from(
    path: impl AsRef<Path>,
    files: &dyn Files,
    options: &OpenOptions,
    class: &str,
) -> Result<Box<dyn Site>, SiteError> {
    opened(path.as_ref(), files, options, Some(class))
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
/// If it or a file that it names cannot be read, contains no world, or the options are for another
/// kind of world.
pub fn open_from(
    path: impl AsRef<Path>,
    files: &dyn Files,
    options: &OpenOptions,
) -> Result<Box<dyn Site>, SiteError> {
    opened(path.as_ref(), files, options, None)
}

/// Opens a world, as a class of the scene sees it.
fn opened(
    path: &Path,
    files: &dyn Files,
    options: &OpenOptions,
    class: Option<&str>,
) -> Result<Box<dyn Site>, SiteError> {
    let content = FileFormat::of(path).map(FileFormat::content);
    if content.is_some_and(|content| !content.is_world()) {
        return Err(SiteError::HoldsQueries { path: path.to_path_buf() });
    }
    let is_scene = content == Some(FileContent::Scene);
    if class.is_some() && !is_scene {
        return Err(SiteError::unsearchable(path, &"only scenes have classes"));
    }
    // On a grid only where the agent's moves say so: a mesh keeps floors apart.
    let is_baked = content == Some(FileContent::Level) && !options.is_for_grids();
    if is_baked || matches!(content, Some(FileContent::Blocks | FileContent::NavMesh)) {
        return build(path, read(path, files, options)?, options);
    }
    if !is_scene {
        return site(path, Playable::open_from(path, files, &options.movement())?, options, None);
    }
    let World::Scene(scene) = read(path, files, options)? else {
        return site(path, Playable::open_from(path, files, &options.movement())?, options, None);
    };
    if let Some(mesh) = SceneMesh::of(&scene, path, files)? {
        if options.is_for_voxels() || options.is_for_grids() {
            return Err(SiteError::MovesOnMesh { path: path.to_path_buf() });
        }
        return Ok(Box::new(MeshSite::of_scene(path, mesh, &scene, class)?));
    }
    let scene = InScene { scene: &scene, class };
    if let Some(beside) = scene.scene.world_beside(path)?
        && FileFormat::of(&beside).is_some_and(|format| format.content() == FileContent::Blocks)
        && let World::Voxels(world) = read(&beside, files, options)?
    {
        return blocks(&beside, &world, options, Some(scene));
    }
    site(path, Playable::open_from(path, files, &options.movement())?, options, Some(scene))
}

/// The scene that plays in a world, and the class that sees it.
#[derive(Clone, Copy)]
struct InScene<'s> {
    scene: &'s Scene,
    class: Option<&'s str>,
}

impl<'s> InScene<'s> {
    /// Returns the scene, if it has links, or danger that agents know of.
    fn with_links(self) -> Option<&'s Scene> {
        let knows_danger = || self.scene.dangers.iter().any(|danger| danger.known > 0.0);
        (!self.scene.nav_links.is_empty() || knows_danger()).then_some(self.scene)
    }

    /// Gives the agent the keys of its class. Without links they open nothing.
    fn finish(self, mut site: Box<dyn Site>) -> Result<Box<dyn Site>, SiteError> {
        if let (Some(class), false) = (self.class, self.scene.nav_links.is_empty()) {
            site.hold(self.scene.keys_of(class))?;
        }
        Ok(site)
    }
}

/// Returns the site of a world of blocks, with the links of a scene that plays there.
fn blocks(
    path: &Path,
    world: &VoxelScene,
    options: &OpenOptions,
    scene: Option<InScene<'_>>,
) -> Result<Box<dyn Site>, SiteError> {
    if options.is_for_grids_alone() {
        return Err(SiteError::MovesOfGrids { path: path.to_path_buf() });
    }
    world.check_extent(options.max_voxels).map_err(|error| error.in_file(path))?;
    let site = VoxelSite::new(path, world, options.voxel_profile())?;
    let Some(scene) = scene else { return Ok(Box::new(site)) };
    let site = site.with_places(scene.scene);
    let site = match scene.class {
        Some(class) => site.seen_by(scene.scene, class)?,
        None => site,
    };
    scene.finish(match scene.with_links() {
        Some(scene) => Box::new(site.with_links(scene)?),
        None => Box::new(site),
    })
}

/// Returns the site of a world that was read.
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
        return Ok(Box::new(MeshSite::of_linked(path, mesh)?));
    }
    if let World::Mesh(triangles) = &world
        && !options.is_for_grids()
    {
        if options.is_for_voxels() {
            return Err(SiteError::MovesOnMesh { path: path.to_path_buf() });
        }
        return Ok(Box::new(level::site(path, triangles)?));
    }
    let playable = Playable::new(world, &options.movement());
    let playable = playable.map_err(|error| SiteError::unsearchable(path, &error))?;
    site(path, playable, options, None)
}

fn site(
    path: &Path,
    world: Playable,
    options: &OpenOptions,
    scene: Option<InScene<'_>>,
) -> Result<Box<dyn Site>, SiteError> {
    let refused = path.to_path_buf();
    if options.is_for_voxels() {
        return Err(SiteError::MovesOfVoxels { path: refused });
    }
    if matches!(world, Playable::Waypoints(_)) && options.is_for_grids() {
        return Err(SiteError::MovesAmongWaypoints { path: refused });
    }
    let class = scene.and_then(|scene| Some((scene.scene, scene.class?)));
    let links = scene.and_then(InScene::with_links);
    let site: Box<dyn Site> = match world {
        Playable::Grid(mut world) => {
            let profile = class.map(|(scene, class)| world.add_class(scene, class)).transpose()?;
            let profile = profile.or(world.grid.profiles().next()).unwrap_or_default();
            world.fit_links(profile);
            let mut all = scene.map_or_else(|| Scene::new(&world.name), |it| it.scene.clone());
            all.furnish(&world.places, &world.nav_links);
            let site = GridSite::with_profile(path, world, profile);
            let mut site = match (InScene { scene: &all, class: None }).with_links() {
                Some(scene) => site.with_links(scene)?,
                None => site,
            };
            // Without links, keys open nothing.
            if let (Some((scene, class)), false) = (class, all.nav_links.is_empty()) {
                site.hold(scene.keys_of(class))?;
            }
            return Ok(Box::new(site));
        }
        Playable::Waypoints(world) => {
            let world = match class {
                Some((scene, class)) => world.seen_by(scene, class)?,
                None => world,
            };
            let site = WaypointSite::new(path, world);
            match links {
                Some(scene) => Box::new(site.with_links(scene)?),
                None => Box::new(site),
            }
        }
    };
    match scene {
        Some(scene) => scene.finish(site),
        None => Ok(site),
    }
}

fn read(path: &Path, files: &dyn Files, options: &OpenOptions) -> Result<World, WorldError> {
    read_from(path, files, options.heightmap())
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

    fn beside(&self, path: &Path) -> Vec<PathBuf> {
        self.files.beside(path)
    }
}
