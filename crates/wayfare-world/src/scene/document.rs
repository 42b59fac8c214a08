//! The plain document behind a scene file: one type a table, one field a key.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use wayfare::space::NegativeCosts;

use crate::ascii;
use crate::error::{WorldError, WorldErrorKind};
use crate::file::read_capped;
use crate::key_path::KeyPath;
use crate::limits::MAX_MAP_BYTES;
use crate::obj::{self, TriangleMesh};
use crate::scene::agents::{AgentClass, SceneAgent};
use crate::scene::simulation::{NamedPlace, SceneNavLink, SceneSimulation, ScheduledCommand};
use crate::terrain::Terrain;
use crate::tile_map::TileMap;

/// A world of waypoints, obstacles and surfaces. Units are metres, y is up.
///
/// The fields are public: a scene may be put together in code. [`Scene::validate`] says whether it
/// is sound; [`scene::read`](super::read) has done so for every scene it returns.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// What the scene is called.
    pub scene: SceneInfo,
    /// How costs are to be taken.
    #[serde(default)]
    pub costs: CostRules,
    /// The terrain table; surfaces and waypoints refer to it by name.
    #[serde(default)]
    pub terrains: Vec<Terrain>,
    /// What nothing walks through.
    #[serde(default)]
    pub obstacles: Vec<SceneObstacle>,
    /// What one walks on.
    #[serde(default)]
    pub surfaces: Vec<Surface>,
    /// How to sample a grid from the geometry.
    #[serde(default)]
    pub grid: Option<SceneGrid>,
    /// Waypoints placed by hand.
    #[serde(default)]
    pub waypoints: Vec<SceneWaypoint>,
    /// Waypoints to be placed by a rule.
    #[serde(default)]
    pub placements: Vec<Placement>,
    /// Links made by hand.
    #[serde(default)]
    pub links: Vec<SceneLink>,
    /// How to link waypoints that see each other.
    #[serde(default)]
    pub auto_links: Option<AutoLinks>,
    /// Routes worth asking for.
    #[serde(default)]
    pub queries: Vec<SceneQuery>,
    /// How a simulation runs.
    #[serde(default)]
    pub simulation: Option<SceneSimulation>,
    /// Places that agents and links refer to by name.
    #[serde(default)]
    pub places: Vec<NamedPlace>,
    /// Classes of agents.
    #[serde(default)]
    pub classes: Vec<AgentClass>,
    /// Agents.
    #[serde(default)]
    pub agents: Vec<SceneAgent>,
    /// Passages, doors, ladders and their like.
    #[serde(default)]
    pub nav_links: Vec<SceneNavLink>,
    /// What happens at which time.
    #[serde(default)]
    pub events: Vec<ScheduledCommand>,
}

/// Name and description of a scene.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneInfo {
    /// Not empty.
    pub name: String,
    /// A sentence or two for people.
    #[serde(default)]
    pub description: String,
    /// A world file in or below the folder of the scene file, which the scene plays in: a tile map
    /// or a world of blocks; default the scene's own tables.
    #[serde(default)]
    pub world: Option<String>,
    /// A text map that the scene plays in, a character a tile: those of the terrain table, and `.`
    /// and `#` where it does not have them. Default the scene's own tables.
    #[serde(default)]
    pub map: Option<String>,
}

/// How costs are to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostRules {
    /// What becomes of negative waypoint costs and penalties, which no shortest-path search can take
    /// as they are; default reject.
    #[serde(default, with = "NegativeCostsKey")]
    pub negative_costs: NegativeCosts,
}

/// How a file spells [`NegativeCosts`].
#[derive(Deserialize)]
#[serde(remote = "NegativeCosts", rename_all = "snake_case")]
enum NegativeCostsKey {
    Reject,
    Shift,
}

/// An upright rectangle of the ground plane, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rectangle {
    /// Lowest x and z.
    pub min: [f32; 2],
    /// Highest x and z, each greater than that of `min`.
    pub max: [f32; 2],
}

/// A solid that nothing walks through.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
pub enum SceneObstacle {
    /// A box that stands upright.
    Box {
        /// Its middle.
        center: [f32; 3],
        /// Half its size along each of its axes, greater than 0.
        half_extents: [f32; 3],
        /// Turn about the vertical axis in degrees, anticlockwise seen from above; default 0.
        #[serde(default)]
        yaw: f32,
    },
    /// A ball.
    Sphere {
        /// Its middle.
        center: [f32; 3],
        /// Greater than 0.
        radius: f32,
    },
    /// A cylinder whose axis is vertical.
    Cylinder {
        /// Its middle, at half its height.
        center: [f32; 3],
        /// Greater than 0.
        radius: f32,
        /// Half its height, greater than 0.
        half_height: f32,
    },
    /// Triangles, seen from both sides.
    Mesh {
        /// Where the triangles are.
        mesh: MeshSource,
        /// Added to every vertex; default none.
        #[serde(default)]
        offset: [f32; 3],
    },
}

/// Triangles in a file beside the scene, or written out in it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshSource {
    /// An OBJ file in or below the folder of the scene file.
    #[serde(default)]
    pub file: Option<String>,
    /// Corner points; filled from `file` by [`Scene::load_meshes`].
    #[serde(default)]
    pub vertices: Vec<[f32; 3]>,
    /// Indices into `vertices`, from 0; filled from `file` by [`Scene::load_meshes`].
    #[serde(default)]
    pub triangles: Vec<[u32; 3]>,
}

/// Ground of one terrain, which the search grid and generated waypoints settle on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
pub enum Surface {
    /// A level rectangle.
    Rectangle {
        /// Name of the terrain it is of.
        layer: String,
        /// Lowest x and z.
        min: [f32; 2],
        /// Highest x and z.
        max: [f32; 2],
        /// Its height.
        y: f32,
    },
    /// Heights on a regular raster, joined by triangles.
    Heightfield {
        /// Name of the terrain it is of.
        layer: String,
        /// x and z of the first height of the first row.
        origin: [f32; 2],
        /// Distance between neighbouring heights, greater than 0.
        spacing: f32,
        /// Rows along x, one for each z; at least 2 × 2, all equally long.
        heights: Vec<Vec<f32>>,
    },
    /// Triangles, seen from above.
    Mesh {
        /// Name of the terrain it is of.
        layer: String,
        /// Where the triangles are.
        mesh: MeshSource,
        /// Added to every vertex; default none.
        #[serde(default)]
        offset: [f32; 3],
    },
}

impl Surface {
    /// Name of the terrain it is of.
    pub fn layer(&self) -> &str {
        match self {
            Surface::Rectangle { layer, .. }
            | Surface::Heightfield { layer, .. }
            | Surface::Mesh { layer, .. } => layer,
        }
    }
}

/// How to sample a grid from the geometry: a ray down into the middle of each cell finds the
/// ground, a check with the obstacles whether one can stand there.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneGrid {
    /// Lowest x and z of the world rectangle.
    pub min: [f32; 2],
    /// Highest x and z of the world rectangle.
    pub max: [f32; 2],
    /// Half the side of a cell, greater than 0.
    pub node_radius: f32,
    /// Terrains that count as ground; surfaces of others are looked through. Empty means all.
    #[serde(default)]
    pub layers: Vec<String>,
    /// Room that the walker needs above the ground, greater than 0; default 1.8.
    #[serde(default = "default_agent_height")]
    pub agent_height: f32,
    /// Radius of the box blur over penalties, in cells; default 0, no blur.
    #[serde(default)]
    pub blur: u32,
}

/// A place that routes lead through.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneWaypoint {
    /// Unique, not empty.
    pub id: String,
    /// Where it is.
    pub at: [f32; 3],
    /// Its own cost, added on arrival; default: the penalty of its terrain, else 0.
    #[serde(default)]
    pub cost: Option<f32>,
    /// Name of the terrain it stands on; default none, which is walkable and free.
    #[serde(default)]
    pub terrain: Option<String>,
}

/// Waypoints to be placed by a rule.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Where they may be: on the highest surface, if that is walkable; on the plane y = 0 in a scene
    /// without surfaces.
    pub area: Rectangle,
    /// Their ids are this and a number from 1, counted on through all placements of one prefix;
    /// default "p".
    #[serde(default = "default_prefix")]
    pub prefix: String,
    /// How far they stay from obstacles at the height of [`AutoLinks::eye_height`], at least 0;
    /// default 0.
    #[serde(default)]
    pub agent_radius: f32,
    /// The rule.
    pub generate: PlacementKind,
}

/// The rules that place waypoints.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlacementKind {
    /// Anywhere free, all places alike.
    Random {
        /// How many, at least 1.
        count: u32,
        /// Seed of the random numbers; default 0.
        #[serde(default)]
        seed: u32,
    },
    /// Random, yet never two closer than the spacing (Poisson disk).
    Poisson {
        /// Least distance between two, greater than 0.
        spacing: f32,
        /// Seed of the random numbers; default 0.
        #[serde(default)]
        seed: u32,
    },
    /// On a regular raster.
    Grid {
        /// Distance between neighbours, greater than 0.
        spacing: f32,
    },
    /// At the corners of obstacles, which shortest routes bend around.
    Corners,
}

/// A link made by hand.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneLink {
    /// Id of a waypoint.
    pub from: String,
    /// Id of another waypoint.
    pub to: String,
    /// Whether it leads only there and not back; default false.
    #[serde(default)]
    pub one_way: bool,
    /// Cost instead of the distance, at least 0; default the distance.
    #[serde(default)]
    pub cost: Option<f32>,
    /// Added to the cost, at least 0; default 0.
    #[serde(default)]
    pub danger: f32,
}

/// How to link waypoints that see each other.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoLinks {
    /// No link is longer, in metres, greater than 0.
    pub max_distance: f32,
    /// A link joins two waypoints of which one is among so many nearest of the other; default no
    /// limit below 1,000 waypoints, 16 from there on.
    #[serde(default)]
    pub k_nearest: Option<u32>,
    /// Radius of the ball that must pass between the two, at least 0; default 0, a mere ray.
    #[serde(default)]
    pub agent_radius: f32,
    /// How far above the waypoints the ray or ball passes, in metres, at least 0; default 0.
    #[serde(default)]
    pub eye_height: f32,
    /// Cost added for each metre climbed, at least 0; default 0.
    #[serde(default)]
    pub slope_cost: f32,
    /// No link is steeper, in degrees from 0 to 90; default 90.
    #[serde(default = "default_max_slope")]
    pub max_slope: f32,
}

/// A route worth asking for.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneQuery {
    /// Unique, not empty.
    pub name: String,
    /// Where it starts.
    pub from: QueryPlace,
    /// Where it ends.
    pub to: QueryPlace,
}

/// A waypoint by its id, or a point.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "expected the id of a waypoint or a point [x, y, z]")]
pub enum QueryPlace {
    /// The waypoint of that id.
    Waypoint(String),
    /// A point, in metres.
    Point([f32; 3]),
}

impl SceneGrid {
    /// Columns along x and rows along z: as many cells as begin within the rectangle.
    pub(super) fn cells(&self) -> [f64; 2] {
        [0, 1].map(|axis| {
            let side = f64::from(self.max[axis]) - f64::from(self.min[axis]);
            // As the engine samples: a hundredth of a cell is rounding.
            (side / (2.0 * f64::from(self.node_radius)) - 1e-2).ceil().max(1.0)
        })
    }
}

impl MeshSource {
    /// A mesh written out in the scene.
    pub fn inline(mesh: &TriangleMesh) -> Self {
        MeshSource {
            file: None,
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
        }
    }

    /// The triangles.
    ///
    /// # Errors
    /// When they are in a file that [`Scene::load_meshes`] has not read yet, or are unsound.
    pub fn mesh(&self) -> Result<TriangleMesh, WorldError> {
        self.check_loaded()?;
        TriangleMesh::new(self.vertices.clone(), self.triangles.clone())
    }

    /// Whether the triangles are there.
    pub(crate) fn check_loaded(&self) -> Result<(), WorldError> {
        match &self.file {
            Some(file) if self.vertices.is_empty() => Err(WorldError::new(
                WorldErrorKind::Dangling,
                format!("the mesh file '{file}' has not been loaded"),
            )
            .advise("call Scene::load_meshes with the folder of the scene first")),
            _ => Ok(()),
        }
    }

    fn load(&mut self, folder: &Path) -> Result<(), WorldError> {
        let Some(file) = &self.file else { return Ok(()) };
        let path = folder.join(file);
        let bytes = read_capped(&path, MAX_MAP_BYTES)?;
        let mesh = obj::read(&bytes).map_err(|error| error.in_file(&path))?;
        self.vertices = mesh.vertices().to_vec();
        self.triangles = mesh.triangles().to_vec();
        Ok(())
    }
}

impl Scene {
    /// An empty scene of that name.
    pub fn new(name: impl Into<String>) -> Self {
        Scene { scene: SceneInfo { name: name.into(), ..SceneInfo::default() }, ..Scene::default() }
    }

    /// Reads the OBJ files that the scene names, looked for from `folder`.
    ///
    /// # Errors
    /// As [`obj::read`], naming the OBJ file; or when it is not there.
    pub fn load_meshes(&mut self, folder: &Path) -> Result<(), WorldError> {
        for obstacle in &mut self.obstacles {
            if let SceneObstacle::Mesh { mesh, .. } = obstacle {
                mesh.load(folder)?;
            }
        }
        for surface in &mut self.surfaces {
            if let Surface::Mesh { mesh, .. } = surface {
                mesh.load(folder)?;
            }
        }
        Ok(())
    }

    /// The map that is written out in the scene, if there is one.
    ///
    /// # Errors
    /// When it is not a sound text map; a scene that is [sound](Scene::validate) has no such map.
    pub fn own_map(&self) -> Result<Option<TileMap>, WorldError> {
        let Some(text) = &self.scene.map else { return Ok(None) };
        let map = ascii::read_with(text.as_bytes(), &self.scene.name, &self.terrains);
        map.map(Some).map_err(|error| error.about(KeyPath::key("scene").then("map")))
    }

    /// The file that the scene plays in, if that is another: beside or below the scene's own file.
    ///
    /// # Errors
    /// As [`Scene::validate`]: an unsound scene might name a file anywhere.
    pub fn world_beside(&self, scene_file: &Path) -> Result<Option<PathBuf>, WorldError> {
        self.validate()?;
        Ok(self.scene.world.as_ref().map(|file| scene_file.with_file_name(file)))
    }

    /// The terrain of that name.
    pub fn terrain(&self, name: &str) -> Option<&Terrain> {
        self.terrains.iter().find(|terrain| terrain.name == name)
    }

    /// What arriving at a waypoint costs as the file says it, in metres walked: its own cost, else
    /// its terrain's penalty, else 0. It may be negative; see [`CostRules`].
    pub fn own_cost(&self, waypoint: &SceneWaypoint) -> f32 {
        let terrain = || self.terrain(waypoint.terrain.as_deref()?);
        waypoint.cost.or_else(|| Some(terrain()?.penalty)).unwrap_or(0.0)
    }
}

fn default_agent_height() -> f32 {
    1.8
}

fn default_prefix() -> String {
    "p".to_string()
}

fn default_max_slope() -> f32 {
    90.0
}
