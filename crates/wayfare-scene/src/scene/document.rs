//! The plain document behind a scene file: one type a table, one field a key.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wayfare_core::space::NegativeCosts;
use wayfare_formats::inside::{Folder, KeyPath, check_table};
use wayfare_formats::{Terrain, TileMap, WorldError, ascii};

use crate::scene::agents::{AgentClass, SceneAgent};
use crate::scene::check::check_whole;
use crate::scene::geometry::{SceneGrid, SceneObstacle, Surface};
use crate::scene::groups::SceneGroup;
use crate::scene::names::Names;
use crate::scene::navmesh::SceneNavMesh;
use crate::scene::puzzles::ScenePuzzle;
use crate::scene::rules::{self as rule, At, Rules, rules};
use crate::scene::simulation::{
    NamedPlace, SceneClip, SceneDanger, SceneNavLink, SceneSimulation, ScheduledCommand,
};
use crate::scene::spelling::{NegativeCostsKey, is_default};
use crate::scene::waypoints::{AutoLinks, Placement, SceneLink, SceneQuery, SceneWaypoint};

/// A world of waypoints, obstacles and surfaces. Units are metres, y is up.
///
/// The fields are public: a scene may be put together in code. [`Scene::validate`] says whether it
/// is sound; [`scene::read`](super::read) has done so for every scene it returns.
///
/// ```
/// use wayfare_scene::scene::{Scene, SceneLink, SceneWaypoint};
///
/// let waypoint = |id: &str, x| {
///     SceneWaypoint { id: id.to_string(), at: [x, 0.0, 0.0], cost: None, terrain: None }
/// };
/// let mut scene = Scene::new("two");
/// scene.waypoints = vec![waypoint("a", 0.0), waypoint("b", 4.0)];
/// scene.links.push(SceneLink {
///     from: "a".to_string(),
///     to: "c".to_string(),
///     one_way: false,
///     cost: None,
///     danger: 0.0,
/// });
/// let error = scene.validate().expect_err("a link to nowhere");
/// assert_eq!(error.to_string(), "links[0].to: there is no waypoint 'c'; known are a, b");
/// ```
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Name, description, and the map or world that the scene plays in.
    pub scene: SceneInfo,
    /// The treatment of costs.
    #[serde(default)]
    pub costs: CostRules,
    /// The terrain table; surfaces and waypoints refer to it by name.
    #[serde(default)]
    pub terrains: Vec<Terrain>,
    /// Solids that block.
    #[serde(default)]
    pub obstacles: Vec<SceneObstacle>,
    /// The ground.
    #[serde(default)]
    pub surfaces: Vec<Surface>,
    /// How to sample a grid from the geometry.
    pub grid: Option<SceneGrid>,
    /// How the level is baked that the scene plays in, or its mesh read.
    pub navmesh: Option<SceneNavMesh>,
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
    pub auto_links: Option<AutoLinks>,
    /// Routes worth asking for.
    #[serde(default)]
    pub queries: Vec<SceneQuery>,
    /// Settings of the simulation.
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
    /// Groups of agents that keep a formation.
    #[serde(default)]
    pub groups: Vec<SceneGroup>,
    /// Passages, doors, ladders, teleports and lifts.
    #[serde(default)]
    pub nav_links: Vec<SceneNavLink>,
    /// Puzzles that open gates.
    #[serde(default)]
    pub puzzles: Vec<ScenePuzzle>,
    /// Ground that hurts, or that agents know to be dangerous.
    #[serde(default)]
    pub dangers: Vec<SceneDanger>,
    /// Animation clips of the agents, the slowest first.
    #[serde(default)]
    pub clips: Vec<SceneClip>,
    /// Commands by their time.
    #[serde(default)]
    pub events: Vec<ScheduledCommand>,
}

rules!(Scene {
    scene: rule::table,
    costs: rule::table,
    terrains: rule::any,
    obstacles: rule::table,
    surfaces: rule::table,
    grid: rule::table,
    navmesh: rule::table,
    waypoints: rule::table,
    placements: rule::table,
    links: rule::table,
    auto_links: rule::table,
    queries: rule::table,
    simulation: rule::table,
    places: rule::table,
    classes: rule::table,
    agents: rule::table,
    groups: rule::table,
    nav_links: rule::table,
    puzzles: rule::table,
    dangers: rule::table,
    clips: rule::table,
    events: rule::table,
} then check_whole);

/// Name and description of a scene, and the world that it plays in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneInfo {
    /// Not empty.
    pub name: String,
    /// A sentence or two for people.
    #[serde(default, skip_serializing_if = "is_default")]
    pub description: String,
    /// A world file in or below the folder of the scene file, which the scene plays in: a tile map,
    /// a world of blocks, a navigation mesh, or a level of triangles that one is baked from;
    /// default the scene's own tables.
    pub world: Option<String>,
    /// A text map that the scene plays in, a character a tile: characters of the terrain table, and
    /// `.` and `#` where it does not have them. Default the scene's own tables.
    pub map: Option<String>,
}

rules!(SceneInfo {
    name: rule::name,
    description: rule::any,
    world: rule::file_beside,
    map: rule::any
});

/// The treatment of costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostRules {
    /// The treatment of negative waypoint costs and penalties, which no shortest-path search can
    /// take as they are; default reject.
    #[serde(default, with = "NegativeCostsKey", skip_serializing_if = "is_default")]
    pub negative_costs: NegativeCosts,
    /// The radius of the box blur over the penalties of a tile map that the scene plays in, in
    /// cells, 0 to 64; default 0, no blur. A sampled scene has its own: [`SceneGrid::blur`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub blur: u8,
    /// Whether the waypoint policies ignore the waypoints' own costs, as with
    /// `--ignore-own-costs`; default false.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ignore_own_costs: bool,
}

rules!(CostRules {
    negative_costs: rule::any,
    blur: |at: &At<'_>, blur| rule::within(at, blur, 0u8, 64),
    ignore_own_costs: rule::any,
});

impl Scene {
    /// Returns an empty scene of that name.
    pub fn new(name: impl Into<String>) -> Self {
        Scene { scene: SceneInfo { name: name.into(), ..SceneInfo::default() }, ..Scene::default() }
    }

    /// Checks every rule of the format: finite values in their ranges, unique names, references to
    /// names that exist, bounded counts.
    ///
    /// # Errors
    /// The first rule that is broken, with the key at fault. A scene that came from a text has
    /// passed already.
    pub fn validate(&self) -> Result<(), WorldError> {
        check_table(&self.terrains).map_err(|(index, field, error)| {
            error.about(KeyPath::item("terrains", index).then(field))
        })?;
        let names = Names::of(self)?;
        self.check(&At::root(&names))
    }

    /// Reads the OBJ files that the scene names, looked for from `folder`.
    ///
    /// # Errors
    /// As [`obj::read`](wayfare_formats::obj::read), naming the OBJ file; or when it is not there.
    pub fn load_meshes(&mut self, folder: &Path) -> Result<(), WorldError> {
        self.load_meshes_in(Folder::on_disk(folder))
    }

    /// Like [`Scene::load_meshes`], from any files.
    pub(crate) fn load_meshes_in(&mut self, folder: Folder<'_>) -> Result<(), WorldError> {
        let obstacles = self.obstacles.iter_mut().filter_map(|obstacle| match obstacle {
            SceneObstacle::Mesh { mesh, .. } => Some(mesh),
            _ => None,
        });
        let surfaces = self.surfaces.iter_mut().filter_map(|surface| match surface {
            Surface::Mesh { mesh, .. } => Some(mesh),
            _ => None,
        });
        obstacles.chain(surfaces).try_for_each(|mesh| mesh.load(folder))
    }

    /// Returns the map that is written out in the scene, if there is one.
    ///
    /// # Errors
    /// When it is not a sound text map; a scene that is [sound](Scene::validate) has no such map.
    pub fn own_map(&self) -> Result<Option<TileMap>, WorldError> {
        let Some(text) = &self.scene.map else { return Ok(None) };
        // Events may bring ground that is not there at the beginning.
        let later = self.events.iter().any(|event| event.replace.is_some());
        let map = ascii::read_with(text.as_bytes(), &self.scene.name, &self.terrains, later);
        map.map(Some).map_err(|error| error.about(KeyPath::key("scene").then("map")))
    }

    /// Returns the file that the scene plays in, if that is another: beside or below the scene's
    /// own file.
    ///
    /// # Errors
    /// As [`Scene::validate`]: an unsound scene might name a file anywhere.
    pub fn world_beside(&self, scene_file: &Path) -> Result<Option<PathBuf>, WorldError> {
        self.validate()?;
        Ok(self.scene.world.as_ref().map(|file| scene_file.with_file_name(file)))
    }

    /// Returns the terrain of that name.
    pub fn terrain(&self, name: &str) -> Option<&Terrain> {
        self.terrains.iter().find(|terrain| terrain.name == name)
    }

    /// Returns the cost of arriving at a waypoint as the file gives it, in metres walked: its own
    /// cost, else its terrain's penalty, else 0. It may be negative; see [`CostRules`].
    pub fn own_cost(&self, waypoint: &SceneWaypoint) -> f32 {
        let terrain = || self.terrain(waypoint.terrain.as_deref()?);
        waypoint.cost.or_else(|| Some(terrain()?.penalty)).unwrap_or(0.0)
    }
}
