//! Levels of triangles as navigation meshes.

use std::path::Path;

use glam::Vec3;
use wayfare_bake::{
    Bake, BakeError, BakeSettings, Ground, JumpAbilities, LevelGeometry, WalkerShape,
};
use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_formats::inside::KeyPath;
use wayfare_formats::obj::TriangleMesh;
use wayfare_formats::{
    FileContent, FileFormat, FileSystem, Files, LinkedMesh, WorldError, WorldErrorKind,
};
use wayfare_mesh::navmesh::{AreaId, NavMesh};
use wayfare_sim::simulation::MeshWorld;

use crate::open::{World, read_from};
use crate::scene::{Scene, SceneNavLink, SceneNavMesh};

/// Returns the geometry of a level for a bake. `ground` tells the ground of each material;
/// triangles without one are plain ground. With `flip` all triangles are turned over.
///
/// ```
/// use wayfare_bake::Ground;
/// use wayfare_scene::level_geometry;
/// use wayfare_formats::obj::TriangleMesh;
///
/// let corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0]];
/// let triangle = TriangleMesh::new(corners, vec![[0, 1, 2]])?;
/// let level = level_geometry(&triangle, |_| Ground::PLAIN, false)?;
/// assert_eq!(level.triangles().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`LevelGeometry::new`].
pub fn level_geometry(
    mesh: &TriangleMesh,
    ground: impl Fn(&str) -> Ground,
    flip: bool,
) -> Result<LevelGeometry, BakeError> {
    let grounds: Vec<Ground> = mesh.materials().iter().map(|name| ground(name)).collect();
    let of_triangle = |triangle| mesh.material(triangle).map_or(Ground::PLAIN, |of| grounds[of]);
    let of_triangles = (0..mesh.triangles().len()).map(of_triangle).collect();
    let vertices = mesh.vertices().iter().map(|&at| Vec3::from(at)).collect();
    let turned = |&[a, b, c]: &[u32; 3]| if flip { [a, c, b] } else { [a, b, c] };
    let triangles = mesh.triangles().iter().map(turned).collect();
    LevelGeometry::new(vertices, triangles)?.with_grounds(of_triangles)
}

/// Returns the settings of [`bake_level`]. `cell_size` is the side of the cells in metres; without
/// it the default for the level is taken, as for all other settings.
///
/// ```
/// use wayfare_bake::WalkerShape;
/// use wayfare_formats::obj::TriangleMesh;
/// use wayfare_scene::{bake_settings, level_geometry};
///
/// let corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0]];
/// let triangle = TriangleMesh::new(corners, vec![[0, 1, 2]])?;
/// let level = level_geometry(&triangle, |_| Default::default(), false)?;
/// let settings = bake_settings(&level, WalkerShape::default(), Some(0.3));
/// assert_eq!((settings.cell_size, settings.walker.radius), (0.3, 0.4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn bake_settings(
    level: &LevelGeometry,
    walker: WalkerShape,
    cell_size: Option<f32>,
) -> BakeSettings {
    let mut settings = BakeSettings::for_level(level, walker);
    if let Some(size) = cell_size {
        settings.cell_height = size * (2.0 / 3.0);
        settings.cell_size = size;
    }
    settings
}

/// Returns the navigation mesh of a level for a walker.
///
/// ```
/// use wayfare_bake::WalkerShape;
/// use wayfare_formats::obj::TriangleMesh;
/// use wayfare_scene::{bake_level, level_geometry};
///
/// let corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0]];
/// let triangle = TriangleMesh::new(corners, vec![[0, 1, 2]])?;
/// let level = level_geometry(&triangle, |_| Default::default(), false)?;
/// let mesh = bake_level(&level, WalkerShape::default(), None)?;
/// assert!(!mesh.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the walker has an impossible size, or nothing in the level is walkable.
pub fn bake_level(
    level: &LevelGeometry,
    walker: WalkerShape,
    cell_size: Option<f32>,
) -> Result<NavMesh, WorldError> {
    let linked = bake_linked_level(level, walker, cell_size, &JumpAbilities::default())?;
    Ok(linked.mesh)
}

/// Returns the world of a level file for agents of one size: an OBJ, glTF or GLB file is baked, a
/// navigation mesh is taken as it is.
///
/// ```
/// use wayfare_bake::WalkerShape;
/// use wayfare_scene::read_mesh_world;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("yard.obj");
/// std::fs::write(&path, "v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nf 1 2 3 4\n")?;
/// let world = read_mesh_world(&path, WalkerShape::default())?;
/// assert_eq!(world.mesh().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read or is no level, the walker has an impossible size, or nothing is
/// walkable.
pub fn read_mesh_world(
    path: impl AsRef<Path>,
    walker: WalkerShape,
) -> Result<MeshWorld, WorldError> {
    mesh_world_from(path, &FileSystem, walker)
}

/// Like [`read_mesh_world`], from any files: a program's own, or files in memory.
///
/// ```
/// use wayfare_bake::WalkerShape;
/// use wayfare_formats::MemoryFiles;
/// use wayfare_scene::mesh_world_from;
///
/// let files = MemoryFiles::new().with("yard.obj", "v 0 0 0\nv 0 0 6\nv 6 0 6\nf 1 3 2\n");
/// let fault = mesh_world_from("yard.obj", &files, WalkerShape::default()).unwrap_err();
/// assert!(fault.to_string().contains("nothing in this level is walkable"));
/// ```
///
/// # Errors
/// As [`read_mesh_world`].
pub fn mesh_world_from(
    path: impl AsRef<Path>,
    files: &dyn Files,
    walker: WalkerShape,
) -> Result<MeshWorld, WorldError> {
    let path = path.as_ref();
    let mesh = match read_from(path, files, HeightmapOptions::default())? {
        World::NavMesh(linked) => linked.mesh,
        World::Mesh(level) => {
            let failed = |error: BakeError| {
                WorldError::new(WorldErrorKind::NotSearchable, error.to_string())
            };
            let level = level_geometry(&level, |_| Ground::PLAIN, false).map_err(failed);
            let mesh = level.and_then(|level| bake_level(&level, walker, None));
            mesh.map_err(|error| error.in_file(path))?
        }
        _ => {
            let [meshes, levels] = [FileContent::NavMesh, FileContent::Level].map(FileFormat::list);
            let message = format!(
                "this is no level: levels are read from {levels}, navigation meshes from {meshes}"
            );
            return Err(WorldError::new(WorldErrorKind::Value, message).in_file(path));
        }
    };
    Ok(world_for(mesh, walker))
}

/// Like [`bake_level`], with the links of the walker's abilities.
///
/// ```
/// use wayfare_bake::{JumpAbilities, WalkerShape};
/// use wayfare_formats::obj::TriangleMesh;
/// use wayfare_scene::{bake_linked_level, level_geometry};
///
/// let corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0]];
/// let triangle = TriangleMesh::new(corners, vec![[0, 1, 2]])?;
/// let level = level_geometry(&triangle, |_| Default::default(), false)?;
/// let cat = JumpAbilities { leap: 2.0, ..JumpAbilities::default() };
/// let mesh = bake_linked_level(&level, WalkerShape::default(), None, &cat)?;
/// assert!(mesh.links.is_empty()); // there is nowhere to leap to
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`bake_level`]; when an ability is impossible.
pub fn bake_linked_level(
    level: &LevelGeometry,
    walker: WalkerShape,
    cell_size: Option<f32>,
    abilities: &JumpAbilities,
) -> Result<LinkedMesh, WorldError> {
    let failed = |message: String| WorldError::new(WorldErrorKind::NotSearchable, message);
    let settings = bake_settings(level, walker, cell_size);
    let bake = Bake::new(level, settings).map_err(|error| failed(error.to_string()))?;
    let baked = bake.run().map_err(|error| failed(error.to_string()))?;
    if baked.polygons.is_empty() {
        return Err(failed(
            "nothing in this level is walkable: triangles that run clockwise seen from above are \
              ceilings (`wayfare bake --flip` turns them over), and lengths are metres"
                .to_owned(),
        ));
    }
    let mesh = baked.polygons.nav_mesh().map_err(|error| failed(error.to_string()))?;
    let links = bake.jumps(&mesh, abilities).map_err(|error| failed(error.to_string()))?;
    Ok(LinkedMesh { mesh, links })
}

impl SceneNavMesh {
    /// Returns the body that the mesh is for.
    #[must_use]
    pub fn walker(&self) -> WalkerShape {
        let usual = WalkerShape::default();
        WalkerShape {
            radius: self.radius.unwrap_or(Self::DEFAULT_RADIUS),
            height: self.height.unwrap_or(Self::DEFAULT_HEIGHT),
            step: self.step.unwrap_or(usual.step),
            slope: self.slope.unwrap_or(usual.slope),
        }
    }

    /// Returns the body's abilities to jump, drop and climb.
    #[must_use]
    pub fn abilities(&self) -> JumpAbilities {
        let usual = JumpAbilities::default();
        JumpAbilities {
            leap: self.leap.unwrap_or(usual.leap),
            drop: self.drop.unwrap_or(usual.drop),
            climb: self.climb.unwrap_or(usual.climb),
            spacing: self.link_spacing.unwrap_or(usual.spacing),
            detour: self.link_detour.unwrap_or(usual.detour),
        }
    }
}

/// A scene's mesh in its classes' profiles, and the triangles that pictures show.
#[derive(Debug, Clone)]
pub struct SceneMesh {
    /// The mesh, with no profile but its first.
    pub mesh: NavMesh,
    /// Links of the mesh: those of its file, or found in the level.
    pub nav_links: Vec<SceneNavLink>,
    /// How it was baked or is to be read.
    pub settings: SceneNavMesh,
    /// The level, if the scene plays in one.
    pub level: Option<TriangleMesh>,
}

impl SceneMesh {
    /// Returns the mesh that a scene in the file `path` plays on; `None` if it plays elsewhere: it
    /// names neither a mesh file, nor a level with a `navmesh` table.
    ///
    /// ```
    /// use wayfare_formats::MemoryFiles;
    /// use wayfare_scene::{SceneMesh, scene};
    ///
    /// let square = "v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nf 1 2 3 4\n";
    /// let files = MemoryFiles::new().with("yard.obj", square);
    /// let text = "scene = { name = \"yard\", world = \"yard.obj\" }\nnavmesh = { radius = 0.5 }";
    /// let scene = scene::read(text.as_bytes())?;
    /// let yard = SceneMesh::of(&scene, "yard.toml".as_ref(), &files)?.expect("a level");
    /// assert_eq!(yard.mesh.len(), 1);
    /// # Ok::<(), wayfare_formats::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// When the file cannot be read, or the level cannot be baked.
    pub fn of(scene: &Scene, path: &Path, files: &dyn Files) -> Result<Option<Self>, WorldError> {
        let Some(beside) = scene.world_beside(path)? else { return Ok(None) };
        let content = FileFormat::of(&beside).map(FileFormat::content);
        let is_mesh = content == Some(FileContent::NavMesh);
        if !is_mesh && scene.navmesh.is_none() {
            return Ok(None);
        }
        let settings = scene.navmesh.clone().unwrap_or_default();
        match read_from(&beside, files, HeightmapOptions::default())? {
            World::NavMesh(linked) => {
                let nav_links = SceneNavLink::of_mesh(&linked.links);
                Ok(Some(Self { mesh: linked.mesh, nav_links, settings, level: None }))
            }
            World::Mesh(level) => {
                let baked = Self::bake(scene, level, settings);
                Ok(Some(baked.map_err(|error| error.in_file(&beside))?))
            }
            _ => {
                let [meshes, levels] =
                    [FileContent::NavMesh, FileContent::Level].map(FileFormat::list);
                let message = format!(
                    "a navigation mesh is read from {meshes}, and baked from levels of triangles: \
                     {levels}"
                );
                let error = WorldError::new(WorldErrorKind::Value, message);
                Err(error.about(KeyPath::key("scene").then("world")))
            }
        }
    }

    /// Returns the mesh of a level for a scene that plays there: materials that are terrains of the
    /// scene become areas.
    ///
    /// ```
    /// use wayfare_scene::scene::{Scene, SceneNavMesh};
    /// use wayfare_formats::obj;
    /// use wayfare_scene::SceneMesh;
    ///
    /// let level = obj::read(b"v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nf 1 2 3 4\n")?;
    /// let thin = SceneNavMesh { radius: Some(0.2), ..SceneNavMesh::default() };
    /// let yard = SceneMesh::bake(&Scene::new("yard"), level, thin)?;
    /// assert_eq!(yard.mesh.len(), 1);
    /// # Ok::<(), wayfare_formats::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// When the level cannot be baked.
    pub fn bake(
        scene: &Scene,
        level: TriangleMesh,
        settings: SceneNavMesh,
    ) -> Result<Self, WorldError> {
        let geometry = Self::geometry(scene, &level)
            .map_err(|error| WorldError::new(WorldErrorKind::NotSearchable, error.to_string()))?;
        let (walker, abilities) = (settings.walker(), settings.abilities());
        let LinkedMesh { mesh, links } =
            bake_linked_level(&geometry, walker, settings.cell_size, &abilities)?;
        Ok(Self { mesh, nav_links: SceneNavLink::of_mesh(&links), settings, level: Some(level) })
    }

    /// Returns the triangles of a level with the areas that a scene gives them.
    ///
    /// # Errors
    /// As [`level_geometry`].
    pub fn geometry(scene: &Scene, level: &TriangleMesh) -> Result<LevelGeometry, BakeError> {
        let ground = |material: &str| area_of(scene, material).and_then(Ground::of);
        level_geometry(level, |material| ground(material).unwrap_or(Ground::PLAIN), false)
    }

    /// Returns the world of a simulation.
    #[must_use]
    pub fn world(&self) -> MeshWorld {
        world_for(self.mesh.clone(), self.settings.walker())
    }
}

/// Returns the world of a mesh for a walker, whose radius stands in where the mesh does not say for
/// which one it was made.
fn world_for(mesh: NavMesh, walker: WalkerShape) -> MeshWorld {
    let is_silent = mesh.body_radius() == 0.0;
    let mesh = if is_silent { mesh.with_body_radius(walker.radius) } else { mesh };
    MeshWorld::new(mesh).with_body_height(walker.height)
}

/// Returns the area of a terrain of the scene.
pub(in crate::spaces) fn area_of(scene: &Scene, terrain: &str) -> Option<AreaId> {
    let place = scene.terrains.iter().position(|known| known.name == terrain)?;
    u8::try_from(place + 1).ok().filter(|&area| area < u8::MAX).map(AreaId)
}
