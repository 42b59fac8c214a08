//! From a file to a space: one call.

use std::path::Path;

use wayfare_core::space::{ProfileId, Space};
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{
    FileSystem, Files, Terrain, TileMap, TilePosition, WorldError, WorldErrorKind,
};
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridError, GridProfile, Neighbours};

use super::{NamedRoute, WaypointWorld};
use crate::found::Found;
use crate::open::{World, read_from_with_text};
use crate::scene::{NamedPlace, Scene, SceneNavLink, Spot};

/// The movement of an agent on a grid. Graphs have links instead.
///
/// ```
/// use wayfare_formats::MemoryFiles;
/// use wayfare_scene::{Movement, Playable};
///
/// let files = MemoryFiles::new().with("yard.txt", "S..#\n.#..\n...G\n");
/// // A body two cells wide does not get through.
/// let wide = Movement { width: 2, ..Movement::default() };
/// assert!(Playable::open_from("yard.txt", &files, &wide).is_ok());
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// The neighbours of a cell; default eight.
    pub neighbours: Neighbours,
    /// When a diagonal may pass a blocked corner; default when both cells beside it are free.
    pub corners: CornerRule,
    /// The width of the agent in cells, 1 to 64; default 1.
    pub width: u8,
}

impl Default for Movement {
    fn default() -> Self {
        Movement { neighbours: Neighbours::default(), corners: CornerRule::default(), width: 1 }
    }
}

/// A world that can be searched.
///
/// From a file to a route:
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare_scene::{Movement, Playable};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("yard.txt");
/// # std::fs::write(&path, "S..#\n.#..\n...G\n").expect("written");
/// let Playable::Grid(world) = Playable::open(&path, &Movement::default())? else {
///     panic!("a .txt is a tile map");
/// };
/// let route = &world.routes[0];
/// let answer = solve(&world.grid.space(), &AStar::new(), Query::new(route.start, route.goal));
/// assert!(answer.outcome.is_found());
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "one world at a time: a few hundred bytes are nothing"
)]
pub enum Playable {
    /// A tile map, or a scene sampled into cells.
    Grid(GridWorld),
    /// A scene with waypoints.
    Waypoints(WaypointWorld),
}

/// A grid with the data to query it and to draw it.
///
/// ```
/// use wayfare_formats::MemoryFiles;
/// use wayfare_scene::{Movement, Playable};
///
/// let files = MemoryFiles::new().with("yard.txt", "S..#\n.#..\n...G\n");
/// let Playable::Grid(yard) = Playable::open_from("yard.txt", &files, &Movement::default())? else {
///     panic!("a .txt is a tile map");
/// };
/// assert_eq!((yard.grid.width(), yard.routes.len()), (4, 1));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct GridWorld {
    /// The name of the world.
    pub name: String,
    /// A sentence or two for people; may be empty.
    pub description: String,
    /// The grid, with one profile: the movement asked for at the costs that the world names.
    pub grid: Grid,
    /// The terrain table; a cell's terrain is an index into it, or
    /// [`TerrainId::BLOCKED`](wayfare_core::space::TerrainId::BLOCKED).
    pub terrains: Vec<Terrain>,
    /// The routes that the world asks for.
    pub routes: Vec<NamedRoute<Cell>>,
    /// The named places of the world or its scene.
    pub places: Vec<NamedPlace>,
    /// The links of the map itself. A scene that plays here has its own beside them.
    pub nav_links: Vec<SceneNavLink>,
    /// Remarks for users on how the world was read, in sentences.
    pub remarks: Vec<String>,
}

impl Playable {
    /// Reads a world file and builds its space. A scene with waypoints becomes a graph, one without
    /// but with a `grid` section a grid; for the other one call [`Scene::to_grid`] or
    /// [`Scene::to_waypoints`].
    ///
    /// # Errors
    /// As [`read_path`](crate::read_path) and [`Playable::new`], with the file and, where it has
    /// lines, the line.
    pub fn open(path: impl AsRef<Path>, movement: &Movement) -> Result<Self, WorldError> {
        Self::open_from(path, &FileSystem, movement)
    }

    /// Like [`Playable::open`], from any files: a program's own, or files in memory.
    ///
    /// # Errors
    /// As [`Playable::open`].
    pub fn open_from(
        path: impl AsRef<Path>,
        files: &dyn Files,
        movement: &Movement,
    ) -> Result<Self, WorldError> {
        let path = path.as_ref();
        let (world, text) = read_from_with_text(path, files)?;
        if let World::Scene(scene) = &world
            && let Some(place) = scene.world_beside(path)?
        {
            return Self::open_from(&place, files, movement)?.of_scene(scene);
        }
        let world = match world {
            World::Mesh(mesh) => {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                GridWorld::from_mesh(&mesh, &name, movement).map(Playable::Grid)
            }
            world => Self::new(world, movement),
        };
        world.map_err(|error| error.found_in(&text).in_file(path))
    }

    /// Returns another file's world, under the name of a scene that plays in it, and with its blur.
    fn of_scene(mut self, scene: &Scene) -> Result<Self, WorldError> {
        let (name, description) = match &mut self {
            Playable::Grid(world) => (&mut world.name, &mut world.description),
            Playable::Waypoints(world) => (&mut world.name, &mut world.description),
        };
        name.clone_from(&scene.scene.name);
        description.clone_from(&scene.scene.description);
        if let Playable::Grid(world) = &mut self {
            let named = |name: &String| scene.places.iter().any(|place| place.name == *name);
            world.places.retain(|place| !named(&place.name));
            world.places.extend(scene.places.iter().cloned());
            if scene.costs.blur > 0 {
                world.set_blur(scene.costs.blur)?;
            }
        }
        Ok(self)
    }

    /// Returns the space of a document. Negative costs of a tile map's terrains are shifted: see
    /// [`Grid::cost_shift`].
    ///
    /// # Errors
    /// [`WorldErrorKind::NotSearchable`] for a scenario, a mesh without extent, a voxel world (see
    /// [`VoxelScene::to_grid`](wayfare_formats::VoxelScene::to_grid)), a scene that plays in
    /// another file, or one that has neither waypoints nor a grid; else the fault of the world or
    /// the movement.
    pub fn new(world: World, movement: &Movement) -> Result<Self, WorldError> {
        match world {
            World::TileMap(map) => GridWorld::from_tile_map(&map, movement).map(Playable::Grid),
            World::Scene(scene) => Self::from_scene(&scene, movement),
            World::Scenario(_) => Err(WorldError::new(
                WorldErrorKind::NotSearchable,
                "a scenario holds queries, not a world",
            )
            .advise("open the map that it is about")),
            World::VoxelScenario(_) => Err(WorldError::new(
                WorldErrorKind::NotSearchable,
                "a voxel scenario holds queries, not a world",
            )
            .advise("open the map that it is about")),
            World::MeshScenario(_) => Err(WorldError::new(
                WorldErrorKind::NotSearchable,
                "a mesh scenario holds queries, not a world",
            )
            .advise("open the mesh that it is about")),
            World::Voxels(_) => Err(WorldError::new(
                WorldErrorKind::NotSearchable,
                "a voxel world has no space of its own: that depends on what agents can do",
            )
            .advise("read it, and call to_grid with a VoxelProfile")),
            World::NavMesh(_) => Err(WorldError::new(
                WorldErrorKind::NotSearchable,
                "a navigation mesh is neither a grid nor a graph of waypoints",
            )
            .advise("read it, and search its space")),
            World::Mesh(mesh) => GridWorld::from_mesh(&mesh, "", movement).map(Playable::Grid),
            World::Hexagons(map) => Self::from_scene(&Scene::from_hexagons(&map)?, movement),
            _ => Err(WorldError::new(
                WorldErrorKind::NotSearchable,
                "the document is no world that can be searched",
            )),
        }
    }

    fn from_scene(scene: &Scene, movement: &Movement) -> Result<Self, WorldError> {
        if let Some(map) = scene.own_map()? {
            return Playable::Grid(GridWorld::from_tile_map(&map, movement)?).of_scene(scene);
        }
        if let Some(file) = &scene.scene.world {
            return Err(WorldError::new(
                WorldErrorKind::NotSearchable,
                format!("the scene plays in another file, '{file}'"),
            )
            .about(KeyPath::key("scene").then("world"))
            .advise("open the scene by its path"));
        }
        if !scene.waypoints.is_empty() || !scene.placements.is_empty() {
            scene.to_waypoints().map(Playable::Waypoints)
        } else if scene.grid.is_some() {
            scene.to_grid(movement).map(Playable::Grid)
        } else {
            Err(WorldError::new(
                WorldErrorKind::NotSearchable,
                "the scene has neither waypoints nor a grid",
            )
            .advise("add waypoints, placements or a grid section"))
        }
    }

    /// Returns the name of the world.
    pub fn name(&self) -> &str {
        match self {
            Playable::Grid(world) => &world.name,
            Playable::Waypoints(world) => &world.name,
        }
    }

    /// Returns the terrain table.
    pub fn terrains(&self) -> &[Terrain] {
        match self {
            Playable::Grid(world) => &world.terrains,
            Playable::Waypoints(world) => &world.terrains,
        }
    }
}

impl GridWorld {
    fn set_blur(&mut self, blur: u8) -> Result<(), WorldError> {
        for profile in self.grid.profiles() {
            self.grid.set_blur(profile, blur).map_err(|error| grid_error(&error))?;
        }
        Ok(())
    }

    /// Returns a tile map as a grid. Its marks, where it has both, are its route.
    ///
    /// # Errors
    /// When the map is larger than a grid can be, or the movement has an impossible value.
    pub fn from_tile_map(map: &TileMap, movement: &Movement) -> Result<Self, WorldError> {
        let profile =
            GridProfile { costs: map.cost_table().shifting_negative_costs(), ..movement.profile() };
        let grid = map.to_grid(profile).map_err(|error| grid_error(&error))?;
        let cell = |at: TilePosition| grid.cell(at.x, at.y);
        let marks = map.marks();
        let route = marks.start.and_then(cell).zip(marks.goal.and_then(cell));
        let routes = route.map(|(start, goal)| NamedRoute { name: None, start, goal });
        Ok(GridWorld {
            name: map.name().to_string(),
            description: String::new(),
            routes: routes.into_iter().collect(),
            grid,
            terrains: map.terrains().to_vec(),
            places: map.places().iter().map(NamedPlace::from).collect(),
            nav_links: map.links().iter().map(SceneNavLink::from).collect(),
            remarks: map.remarks().to_vec(),
        })
    }
}

impl GridWorld {
    /// Leaves out the links of the map at whose ends agents of a profile cannot stand, with a
    /// remark for each.
    pub fn fit_links(&mut self, profile: ProfileId) {
        let Self { grid, nav_links, remarks, .. } = self;
        let space = grid.space_for::<u64>(profile);
        nav_links.retain(|link| {
            let can_stand = |spot: &Spot| match spot {
                Spot::Cell([x, y]) => grid.cell(*x, *y).is_some_and(|at| space.check(at).is_ok()),
                Spot::Point(_) | Spot::Named(_) => true,
            };
            let fits = can_stand(&link.from) && can_stand(&link.to);
            if !fits {
                let name = &link.name;
                remarks.push(format!(
                    "the link '{name}' is left out: this agent cannot stand at an end"
                ));
            }
            fits
        });
    }
}

impl Movement {
    /// Returns a profile that moves so, on ground that costs nothing extra.
    pub(super) fn profile(&self) -> GridProfile {
        let Movement { neighbours, corners, width } = *self;
        GridProfile { neighbours, corners, width, ..GridProfile::default() }
    }
}

pub(super) fn grid_error(error: &GridError) -> WorldError {
    let kind = match error {
        GridError::Size { .. } => WorldErrorKind::Limit,
        _ => WorldErrorKind::Value,
    };
    WorldError::new(kind, error.to_string())
}
