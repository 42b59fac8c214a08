//! A scene on its world: from a file to a simulation in one call.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use wayfare_core::link::{Gate, Keys, LinkId, LinkKind};
use wayfare_core::space::ProfileId;
use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{FileSystem, Files, Terrain, WorldError, WorldErrorKind};
use wayfare_grid::grid::Grid;
use wayfare_grid::waypoint::WaypointGraph;
use wayfare_sim::agent::AgentId;
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    Command, CommandOf, JamSettings, MeshWorld, PuzzleId, PuzzleSpec, ShapeBounds, Simulation,
    SimulationSettings, TickEvents,
};
use wayfare_voxel::{VoxelGrid, VoxelProfile};

use super::cast::Cast;
use super::events::{Meaning, Timetable};
use super::land::{Land, point, points};
use super::later_puzzles::{self, LaterPuzzle};
use super::links::{SceneLinks, keys};
use super::setting::{Setting, ground_speeds};
use crate::found::Found;
use crate::open::{World, read_from, read_from_with_text};
use crate::scene::{
    GroundChange, Rectangle, Scene, SceneBehaviour, SceneNavLink, ScenePuzzle, Spot,
};
use crate::spaces::{Movement, Playable, SceneMesh, StagedPuzzle};

/// A simulation with its scene.
#[derive(Debug)]
pub struct Staged<W: wayfare_sim::simulation::Environment> {
    /// The simulation, before its first tick.
    pub simulation: Simulation<W>,
    /// The scene.
    pub scene: Scene,
    /// The names of the teams by id; that of agents without a team is empty.
    pub teams: Vec<String>,
    /// The named places of the scene, then the points of its patrols that have no name.
    pub places: Vec<StagedPlace>,
    /// The ticks that the scene asks for.
    pub ticks: u64,
    timetable: Timetable<W::Edit>,
    /// The terrains of the world, which [`Staged::replace`] refers to.
    terrains: Vec<Terrain>,
    replacement: ReplacementOf<W>,
}

/// Makes the commands of a [`GroundChange`]: known where it is known how scenes lie over the world.
type ReplacementOf<W> = fn(
    &mut Simulation<W>,
    &mut Scene,
    &[Terrain],
    &GroundChange,
) -> Result<Vec<CommandOf<W>>, WorldError>;

fn replacement<W: Setting>(
    simulation: &mut Simulation<W>,
    scene: &mut Scene,
    terrains: &[Terrain],
    change: &GroundChange,
) -> Result<Vec<CommandOf<W>>, WorldError> {
    let path = KeyPath::key("replace");
    let edit = simulation.world().ground_edit(change, terrains, path.clone())?.edit;
    let entry = point(simulation.world(), scene, &change.entry, path.clone().then("entry"))?;
    let puzzles = later_puzzles::of_change(simulation, scene, &edit, change, &path)?;
    Ok([vec![Command::Replace { edit, entry }], puzzles].concat())
}

/// A place that agents go to.
#[derive(Debug, Clone, PartialEq)]
pub struct StagedPlace {
    /// The name; may be empty.
    pub name: String,
    /// The position, in world units.
    pub at: Vec3,
}

/// An obstacle that an event has added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StagedBarrier {
    /// Where it lies, seen from above.
    pub area: Rectangle,
    /// The height of its foot, if it has one.
    pub bottom: Option<f32>,
    /// The height of its top; 0 without end.
    pub top: f32,
}

/// Ground by which an event has replaced another: cells of one terrain.
///
/// ```
/// use wayfare_formats::MemoryFiles;
/// use wayfare_scene::Staging;
///
/// let text = br#"
///     scene = { name = "s", map = "....." }
///     agents = [{ name = "Ann", at = [4, 0] }]
///     events = [{ at = 0, replace = { corner = [1, 0], map = "\u0023\u0023", entry = [0, 0] } }]
/// "#;
/// let files = MemoryFiles::new().with("s.toml", text);
/// let Staging::Grid(mut staged) = Staging::open_from("s.toml", &files, None)? else { panic!("a grid") };
/// staged.tick();
/// let ground = staged.grounds().next().expect("two cells of wall");
/// assert_eq!((ground.area.min, ground.area.max), ([1.0, 0.0], [3.0, 1.0]));
/// assert!(!ground.terrain.walkable);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StagedGround {
    /// Where it lies, seen from above.
    pub area: Rectangle,
    /// Its terrain.
    pub terrain: Terrain,
}

/// A scene on whatever kind of world it plays.
///
/// ```
/// use wayfare_scene::Staging;
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("walk.toml");
/// std::fs::write(&path, r#"
///     scene = { name = "walk", map = """
/// .....
/// .###.
/// ....."""}
///     agents = [{ name = "Ann", at = [0, 1], orders = [[4, 1]] }]
/// "#).expect("written");
/// let Staging::Grid(mut staged) = Staging::open(&path, None)? else { panic!("a grid") };
/// for _ in 0..100 {
///     staged.tick();
/// }
/// let ann = staged.simulation.agents().next().expect("she is there");
/// assert!(ann.has_arrived() && ann.position().x > 4.0);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one simulation at a time: a few hundred bytes are nothing"
)]
pub enum Staging {
    /// On a grid.
    Grid(Staged<Grid>),
    /// Among waypoints.
    Waypoints(Staged<WaypointGraph>),
    /// In a world of blocks.
    Voxels(Staged<VoxelGrid>),
    /// On a navigation mesh.
    Mesh(Staged<MeshWorld>),
}

impl<W: wayfare_sim::simulation::Environment> Staged<W> {
    /// Carries out the scene's events of this tick, and advances everything by one.
    pub fn tick(&mut self) -> &TickEvents {
        let now = self.simulation.now();
        for command in self.timetable.due(now) {
            self.simulation.schedule(now, command);
        }
        self.hurt();
        self.simulation.tick()
    }

    /// Replaces a part of the ground at the beginning of the next tick, and the puzzles on it, as
    /// the event `replace` of a scene does.
    ///
    /// ```
    /// use wayfare_scene::scene::{GroundChange, Spot};
    /// use wayfare_formats::MemoryFiles;
    /// use wayfare_scene::Staging;
    ///
    /// let text = br#"
    ///     scene = { name = "s", map = "....." }
    ///     agents = [{ name = "Ann", at = [4, 0] }]
    /// "#;
    /// let files = MemoryFiles::new().with("s.toml", text);
    /// let Staging::Grid(mut staged) = Staging::open_from("s.toml", &files, None)? else { panic!("a grid") };
    /// let (map, entry) = ("#".into(), Spot::Cell([0, 0]));
    /// let change = GroundChange { corner: [4, 0], map, entry, ..GroundChange::default() };
    /// staged.replace(&change)?;
    /// staged.tick();
    /// let ann = staged.simulation.agents().next().expect("she is there");
    /// assert!(ann.position().x < 1.0);
    /// # Ok::<(), wayfare_formats::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// Where the world is not made of cells, the part reaches beyond it, a character stands for no
    /// terrain, or a puzzle is invalid.
    pub fn replace(&mut self, change: &GroundChange) -> Result<(), WorldError> {
        let make = self.replacement;
        let now = self.simulation.now();
        for command in make(&mut self.simulation, &mut self.scene, &self.terrains, change)? {
            self.simulation.schedule(now, command);
        }
        Ok(())
    }

    /// Hurts, once a second, the agents in the scene's areas of harm.
    fn hurt(&mut self) {
        let (now, tick) = (self.simulation.now(), self.simulation.settings().tick_seconds);
        let every = ((1.0 / tick).round() as u64).max(1);
        if now == 0 || !now.is_multiple_of(every) {
            return;
        }
        let mut hurt = Vec::new();
        for danger in self.scene.dangers.iter().filter(|danger| danger.harm > 0.0) {
            let amount = danger.harm * every as f32 * tick;
            let there = self.simulation.agents().filter(|agent| {
                agent.inside().is_none() && danger.area.contains_from_above(agent.position())
            });
            hurt.extend(there.map(|agent| Command::Harm { agent: agent.id(), amount }));
        }
        for command in hurt {
            self.simulation.schedule(now, command);
        }
    }

    /// Returns the obstacles that the events of the scene have added, the moving ones in their
    /// present positions.
    pub fn barriers(&self) -> impl Iterator<Item = StagedBarrier> {
        let driven = self.simulation.moving_obstacles().map(|one| {
            let ShapeBounds { min, max } = one.obstacle.shape.bounds();
            let area = Rectangle { min: [min.x, min.z], max: [max.x, max.z] };
            StagedBarrier { area, bottom: Some(min.y), top: max.y }
        });
        self.timetable.barriers(self.simulation.now()).chain(driven)
    }

    /// Returns the ground by which events of the scene have replaced another: later ground lies
    /// over earlier one.
    pub fn grounds(&self) -> impl Iterator<Item = &StagedGround> {
        self.timetable.grounds(self.simulation.now())
    }
}

impl Staging {
    /// Reads a scene and its world, and puts its agents onto it. A `seed` replaces the scene's own.
    ///
    /// # Errors
    /// If the scene or its world is invalid, with the line and the value at fault.
    pub fn open(path: impl AsRef<Path>, seed: Option<u64>) -> Result<Self, WorldError> {
        Self::open_from(path, &FileSystem, seed)
    }

    /// Like [`Staging::open`], from any files: a program's own, or files in memory.
    ///
    /// # Errors
    /// As [`Staging::open`].
    pub fn open_from(
        path: impl AsRef<Path>,
        files: &dyn Files,
        seed: Option<u64>,
    ) -> Result<Self, WorldError> {
        let path = path.as_ref();
        let (world, text) = read_from_with_text(path, files)?;
        let World::Scene(scene) = world else {
            return Err(WorldError::new(WorldErrorKind::NotSearchable, "only scenes hold agents")
                .in_file(path)
                .advise("write a .toml with agents that plays in this world"));
        };
        Self::new(scene, path, files, seed).map_err(|error| error.found_in(&text).in_file(path))
    }

    fn new(
        mut scene: Scene,
        path: &Path,
        files: &dyn Files,
        seed: Option<u64>,
    ) -> Result<Self, WorldError> {
        if scene.agents.is_empty() {
            return Err(WorldError::new(WorldErrorKind::NotSearchable, "the scene has no agents")
                .advise("add some under [[agents]]"));
        }
        if let Some(mesh) = SceneMesh::of(&scene, path, files)? {
            let terrains = scene.terrains.clone();
            scene.furnish(&[], &mesh.nav_links);
            return stage(mesh.world(), &terrains, scene, seed).map(Self::Mesh);
        }
        let playable = match scene.world_beside(path)? {
            None => Playable::new(World::Scene(scene.clone()), &Movement::default())?,
            Some(beside) => match read_from(&beside, files, HeightmapOptions::default())? {
                World::Voxels(world) => {
                    world.check_extent(None).map_err(|error| error.in_file(&beside))?;
                    let grid = world.to_grid(VoxelProfile::default()).map_err(|error| {
                        WorldError::new(WorldErrorKind::NotSearchable, error.to_string())
                            .in_file(&beside)
                    })?;
                    return stage(grid, &[], scene, seed).map(Self::Voxels);
                }
                world => Playable::new(world, &Movement::default())
                    .map_err(|error| error.in_file(&beside))?,
            },
        };
        match playable {
            Playable::Grid(world) => {
                scene.furnish(&world.places, &world.nav_links);
                stage(world.grid, &world.terrains, scene, seed).map(Self::Grid)
            }
            Playable::Waypoints(world) => {
                stage(world.graph, &world.terrains, scene, seed).map(Self::Waypoints)
            }
        }
    }
}

fn stage<W: Setting>(
    mut world: W,
    terrains: &[Terrain],
    mut scene: Scene,
    seed: Option<u64>,
) -> Result<Staged<W>, WorldError> {
    let (settings, ticks) = settings(&scene, seed);
    let mut profiles = Vec::new();
    for (index, class) in scene.classes.iter().enumerate() {
        profiles.push((
            world.add_class(&scene, class, terrains, KeyPath::item("classes", index))?,
            keys(&scene, &class.keys),
        ));
    }
    if profiles.is_empty() {
        profiles.push((world.add_plain_class(&scene)?, Keys::NONE));
    }
    let puzzles = world.puzzles(&scene)?;
    let lifts = add_lifts(&mut scene.nav_links, &scene.puzzles);
    let profile = profiles[0].0;
    let mut links = SceneLinks::of(&world, &scene, profile)?.links;
    let later = later_puzzles::of_events(&world, &mut scene, terrains, profile, &mut links)?;
    let mut simulation = Simulation::new(world, links, settings).map_err(|fault| {
        WorldError::new(WorldErrorKind::Value, fault.to_string()).about(KeyPath::key("simulation"))
    })?;
    let mut classes: Vec<(ClassId, ProfileId)> = Vec::new();
    for (index, (profile, keys)) in profiles.into_iter().enumerate() {
        let class = simulation.add_class(profile, keys).map_err(|fault| {
            WorldError::new(WorldErrorKind::Limit, fault.to_string())
                .about(KeyPath::item("classes", index))
        })?;
        if let Some(known) = scene.classes.get(index) {
            let at = KeyPath::item("classes", index);
            let speeds = ground_speeds(simulation.world(), &scene, known, terrains, &at)?;
            simulation.set_ground_speeds(class, speeds).map_err(|fault| {
                WorldError::new(WorldErrorKind::Value, fault.to_string()).about(at)
            })?;
        }
        classes.push((class, profile));
    }
    let cast = Cast::of(&scene);
    cast.enter(&mut simulation, &classes)?;
    cast.fall_in(&mut simulation)?;
    let (specs, versions) =
        puzzle_specs(simulation.world(), &scene, &cast, &puzzles, lifts, &later)?;
    for spec in specs {
        simulation.add_puzzle(spec);
    }
    for danger in scene.dangers.iter().filter(|danger| danger.known > 0.0) {
        let shape = danger.area.column();
        simulation.schedule(0, Command::Danger { shape, amount: danger.known });
    }
    let meaning = Meaning { scene: &scene, cast: &cast, classes: &classes, versions: &versions };
    let timetable = Timetable::of(&meaning, terrains, &simulation)?;
    let (teams, places) = (cast.teams, places(simulation.world(), &scene)?);
    let terrains = terrains.to_vec();
    let replacement = replacement::<W>;
    Ok(Staged { simulation, scene, teams, places, ticks, timetable, terrains, replacement })
}

/// Returns the settings of a scene, and the ticks that it asks for. A `seed` replaces its own.
fn settings(scene: &Scene, seed: Option<u64>) -> (SimulationSettings, u64) {
    let given = scene.simulation.unwrap_or_default();
    let mut settings = SimulationSettings {
        tick_seconds: given.tick_seconds(),
        seed: seed.unwrap_or(u64::from(given.seed)),
        ..SimulationSettings::default()
    };
    if let Some(seconds) = given.decision_seconds {
        settings.decision_seconds = seconds;
    }
    settings.decision_seconds = settings.decision_seconds.max(settings.tick_seconds);
    if let Some(units) = given.work_per_tick {
        settings.work_per_tick = u64::from(units);
    }
    settings.policy = given.policy.unwrap_or(settings.policy);
    settings.danger_seconds = given.danger_seconds.unwrap_or(settings.danger_seconds);
    settings.danger_seconds = settings.danger_seconds.max(settings.tick_seconds);
    let rule = &mut settings.danger;
    rule.kept_per_second = given.danger_kept.unwrap_or(rule.kept_per_second);
    rule.spread_per_second = given.danger_spread.unwrap_or(rule.spread_per_second);
    settings.jams = given.jams.then(|| {
        let usual = JamSettings::default();
        JamSettings {
            side: given.jam_side.unwrap_or(usual.side),
            seconds: usual.seconds.max(settings.tick_seconds),
            asks_every: given.jam_asks_every.unwrap_or(usual.asks_every),
            gain: given.jam_gain.unwrap_or(usual.gain),
            ..usual
        }
    });
    (settings, given.ticks())
}

/// The versions of puzzles that each event of a scene brings.
type Versions = Vec<Vec<(PuzzleId, u32)>>;

/// Returns the puzzles of a scene with those that replace them later.
fn puzzle_specs(
    world: &dyn Land,
    scene: &Scene,
    cast: &Cast<'_>,
    puzzles: &[StagedPuzzle],
    lifts: Vec<Vec<[LinkId; 2]>>,
    later: &[LaterPuzzle],
) -> Result<(Vec<PuzzleSpec>, Versions), WorldError> {
    let last =
        |agent: &String| puzzles.iter().rposition(|puzzle| puzzle.agent.as_ref() == Some(agent));
    let mut versions = vec![Vec::new(); scene.events.len()];
    let mut specs = Vec::new();
    for (number, (staged, lifts)) in puzzles.iter().zip(lifts).enumerate() {
        let agent = staged.agent.as_ref().and_then(|name| cast.members(name).first().copied());
        let mut onward = Vec::new();
        if let Some(name) = &staged.agent {
            // The orders of an agent come after its last puzzle.
            let index = scene.agents.iter().position(|agent| agent.name == *name);
            if let Some(index) = index.filter(|_| last(name) == Some(number)) {
                let path = KeyPath::item("agents", index).then("orders");
                onward = points(world, scene, &scene.agents[index].orders, &path)?;
            }
        }
        let mut spec = puzzle_spec(staged, lifts, agent, onward);
        let puzzle = PuzzleId(number as u32);
        for one in later.iter().filter(|one| one.puzzle == puzzle) {
            let version = puzzle_spec(&one.staged, one.lifts.clone(), agent, spec.onward.clone());
            spec.later.push(version);
            versions[one.event].push((puzzle, spec.later.len() as u32));
        }
        specs.push(spec);
    }
    Ok((specs, versions))
}

/// Returns a puzzle for a simulation.
pub(super) fn puzzle_spec(
    staged: &StagedPuzzle,
    lifts: Vec<[LinkId; 2]>,
    agent: Option<AgentId>,
    onward: Vec<Vec3>,
) -> PuzzleSpec {
    let plain = PuzzleSpec::new(Arc::new(staged.puzzle.clone()), staged.start, staged.goal);
    PuzzleSpec { agent, lifts, onward, ..plain }
}

/// Adds two links for each platform of puzzles, one up and one down, and returns them.
pub(super) fn add_lifts(
    links: &mut Vec<SceneNavLink>,
    puzzles: &[ScenePuzzle],
) -> Vec<Vec<[LinkId; 2]>> {
    let mut lifts = Vec::new();
    for puzzle in puzzles {
        let mut of_puzzle = Vec::new();
        for lift in &puzzle.platforms {
            let mut add = |way: &str, from: [u32; 2], to: [u32; 2]| {
                links.push(SceneNavLink {
                    name: format!("{}: {} {way}", puzzle.name, lift.name),
                    from: Spot::Cell(from),
                    to: Spot::Cell(to),
                    kind: LinkKind::Lift,
                    seconds: Some((lift.cost / 2.0).max(0.05)),
                    speed: None,
                    capacity: Some(1),
                    gate: Gate::Closed,
                    key: None,
                    one_way: true,
                    radius: None,
                });
                LinkId(links.len() as u32 - 1)
            };
            of_puzzle.push([add("up", lift.low, lift.high), add("down", lift.high, lift.low)]);
        }
        lifts.push(of_puzzle);
    }
    lifts
}

fn places(world: &dyn Land, scene: &Scene) -> Result<Vec<StagedPlace>, WorldError> {
    let mut places = Vec::new();
    for (index, place) in scene.places.iter().enumerate() {
        let at = point(world, scene, &place.at, KeyPath::item("places", index).then("at"))?;
        places.push(StagedPlace { name: place.name.clone(), at });
    }
    for behaviour in scene.agents.iter().flat_map(|agent| &agent.behaviours) {
        let SceneBehaviour::Patrol { points, .. } = behaviour else { continue };
        for spot in points {
            let at = point(world, scene, spot, KeyPath::key("agents"))?;
            if places.iter().all(|known| known.at != at) {
                places.push(StagedPlace { name: String::new(), at });
            }
        }
    }
    Ok(places)
}
