//! Levels of triangles as sites: baked into a navigation mesh when they are opened, kept to be
//! shown, and baked again for other bodies.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wayfare_bake::{Bake, Ground, LevelGeometry, Stage, WalkerShape};
use wayfare_formats::obj::TriangleMesh;
use wayfare_scene::scene::{Scene, SceneNavMesh};
use wayfare_scene::{SceneMesh, bake_level, bake_settings, level_geometry};

use crate::stages::StageShape;
use crate::{MeshSite, SiteError};

/// How a level is baked.
///
/// ```
/// use wayfare_site::LevelBake;
///
/// let usual = LevelBake::default();
/// assert_eq!((usual.walker.radius, usual.cell_size), (0.4, None));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LevelBake {
    /// The body that the mesh is for.
    pub walker: WalkerShape,
    /// Side of a cell in plan, in metres, above 0. Default: half the radius, more in large levels.
    /// Halving it takes four times the time and memory, and keeps narrower gaps open.
    pub cell_size: Option<f32>,
}

/// A level of triangles that a site's mesh was baked from.
///
/// ```
/// use wayfare_site::{BakeStage, LevelBake, NoFiles, OpenOptions, WalkerShape, open_bytes};
///
/// let square = b"v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nf 1 2 3 4\n";
/// let site = open_bytes("yard.obj", square, &NoFiles, &OpenOptions::default())?;
/// let level = site.level().expect("it is a level");
/// assert_eq!(level.triangles().triangles().len(), 2);
///
/// let wide = WalkerShape { radius: 1.0, ..WalkerShape::default() };
/// let other = level.baked(LevelBake { walker: wide, cell_size: Some(0.25) })?;
/// assert!(other.mesh().len() > 0);
/// assert!(!level.stage(BakeStage::Regions)?.tiles.is_empty());
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Level {
    file: PathBuf,
    triangles: Arc<TriangleMesh>,
    bake: LevelBake,
    scene: Option<Arc<LevelScene>>,
}

/// The scene that plays in a level, and the class that sees it.
#[derive(Debug)]
struct LevelScene {
    scene: Scene,
    settings: SceneNavMesh,
    class: Option<String>,
}

impl Level {
    /// Returns the level of a scene.
    pub(crate) fn of_scene(
        file: &Path,
        triangles: TriangleMesh,
        scene: &Scene,
        settings: &SceneNavMesh,
        class: Option<&str>,
    ) -> Self {
        let bake = LevelBake { walker: settings.walker(), cell_size: settings.cell_size };
        let (scene, settings) = (scene.clone(), settings.clone());
        let scene = LevelScene { scene, settings, class: class.map(str::to_owned) };
        let (file, triangles) = (file.to_path_buf(), Arc::new(triangles));
        Self { file, triangles, bake, scene: Some(Arc::new(scene)) }
    }

    /// Returns the triangles.
    #[must_use]
    pub fn triangles(&self) -> &TriangleMesh {
        &self.triangles
    }

    /// Returns how the mesh of the site was baked.
    #[must_use]
    pub fn bake(&self) -> LevelBake {
        self.bake
    }

    /// Returns the side of a cell that the site's mesh was baked with, in metres.
    ///
    /// # Errors
    /// When the level has no geometry.
    pub fn cell_size(&self) -> Result<f32, SiteError> {
        let LevelBake { walker, cell_size } = self.bake;
        Ok(bake_settings(&self.geometry()?, walker, cell_size).cell_size)
    }

    /// Returns the site of the same level, and of its scene, with a mesh that is baked otherwise.
    ///
    /// # Errors
    /// When a value is outside its range, the bake would take too much memory, or nothing is
    /// walkable.
    pub fn baked(&self, bake: LevelBake) -> Result<MeshSite, SiteError> {
        let LevelBake { walker, cell_size } = bake;
        if let Some(LevelScene { scene, settings, class }) = self.scene.as_deref() {
            let settings = SceneNavMesh {
                radius: Some(walker.radius),
                height: Some(walker.height),
                step: Some(walker.step),
                slope: Some(walker.slope),
                cell_size,
                ..settings.clone()
            };
            let mesh = SceneMesh::bake(scene, TriangleMesh::clone(&self.triangles), settings);
            let mesh = mesh.map_err(|error| error.in_file(&self.file))?;
            return MeshSite::of_scene(&self.file, mesh, scene, class.as_deref());
        }
        let mesh = bake_level(&self.geometry()?, walker, cell_size);
        let mesh = mesh.map_err(|error| error.in_file(&self.file))?;
        let level = Self { bake, ..self.clone() };
        Ok(MeshSite::new(&self.file, mesh).with_level(level))
    }

    /// Returns the result of a stage of the bake of the level. Bakes it up to that stage again: a
    /// bake keeps none of them.
    ///
    /// # Errors
    /// As [`baked`](Self::baked).
    pub fn stage(&self, stage: Stage) -> Result<StageShape, SiteError> {
        let geometry = self.geometry()?;
        let settings = bake_settings(&geometry, self.bake.walker, self.bake.cell_size);
        let baked = Bake::new(&geometry, settings);
        let shape = baked.and_then(|bake| StageShape::of(&bake, stage));
        shape.map_err(|error| SiteError::unsearchable(&self.file, &error))
    }

    fn geometry(&self) -> Result<LevelGeometry, SiteError> {
        let geometry = match self.scene.as_deref() {
            Some(LevelScene { scene, .. }) => SceneMesh::geometry(scene, &self.triangles),
            None => level_geometry(&self.triangles, |_| Ground::PLAIN, false),
        };
        geometry.map_err(|error| SiteError::unsearchable(&self.file, &error))
    }

    /// Returns the colour of each material of the triangles; the last one is for triangles without.
    #[must_use]
    pub fn colours(&self) -> Vec<[u8; 3]> {
        let scene = self.scene.as_deref().map(|it| &it.scene);
        let of = |material: &String| match scene.and_then(|scene| scene.terrain(material)) {
            Some(terrain) => terrain.color,
            None => MATERIALS
                .iter()
                .find(|(name, _)| name == material)
                .map_or(STONE, |&(_, colour)| colour),
        };
        self.triangles.materials().iter().map(of).chain([STONE]).collect()
    }

    /// Returns the body that the mesh was baked for, in a sentence.
    pub(crate) fn remark(&self) -> String {
        let WalkerShape { radius, height, step, slope } = self.bake.walker;
        let width = f64::from(radius) * 2.0;
        format!(
            "the level was baked for a walker {} m wide and {height} m tall that climbs steps of \
             {step} m and slopes of {slope}°; `wayfare bake` makes a mesh for others",
            crate::numbers::rounded(width),
        )
    }
}

/// Returns the site of a level: its navigation mesh for a walker of the usual shape.
pub(crate) fn site(file: &Path, mesh: &TriangleMesh) -> Result<MeshSite, SiteError> {
    let (file, triangles) = (file.to_path_buf(), Arc::new(mesh.clone()));
    let bake = LevelBake::default();
    Level { file, triangles, bake, scene: None }.baked(bake)
}

const STONE: [u8; 3] = [0xa8, 0xa3, 0x9a];

/// The colours of materials with a telling name; others are stone.
const MATERIALS: [(&str, [u8; 3]); 15] = [
    ("bed", [0xa6, 0x5d, 0x57]),
    ("carpet", [0xa4, 0x58, 0x4e]),
    ("door", [0x6e, 0x4a, 0x2e]),
    ("floor", [0xc9, 0xab, 0x82]),
    ("furniture", [0x8a, 0x62, 0x42]),
    ("garden", [0x7f, 0xa6, 0x6b]),
    ("grass", [0x7f, 0xa6, 0x6b]),
    ("metal", [0x8d, 0x96, 0x9c]),
    ("mud", [0x7d, 0x62, 0x48]),
    ("path", [0xd2, 0xc8, 0xae]),
    ("road", [0x6f, 0x72, 0x76]),
    ("stairs", [0xd8, 0xc1, 0x9c]),
    ("wall", [0xe8, 0xe2, 0xd4]),
    ("water", [0x4f, 0x8f, 0xb8]),
    ("wood", [0x9c, 0x74, 0x48]),
];
