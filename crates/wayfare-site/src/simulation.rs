//! Scenes with agents, tick by tick, without the types of any space.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;

use glam::Vec3;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wayfare::agent::{Activity, AgentId, AgentLimits};
use wayfare::link::{Gate, KnownDanger, LinkId};
use wayfare::plan::PlannerStats;
use wayfare::puzzle::{Deed, GateForm, PartId, PlatformPlace, Puzzle, PuzzleState};
use wayfare::search::{Query, solve_erased};
use wayfare::simulation::{
    AgentView, Command, CommandOf, Environment, LinkView, LinkWait, NoWay, PuzzlePhase,
    SimulationSettings, TickEvents, Trouble,
};
#[cfg(feature = "audit")]
use wayfare::simulation::{Audit, AuditFault, Overlap};
use wayfare::space::{ProfileId, Space};
use wayfare_formats::Files;
use wayfare_scene::scene::{GroundChange, Scene, SceneNavLink};
use wayfare_scene::{SceneLinks, Staged, StagedBarrier, StagedGround, StagedPlace, Staging};

use crate::SiteError;
use crate::gates;
use crate::open::WithFile;
use crate::passages::Passages;
use crate::snapshot::{self, Beginning, Fingerprint, Witness};

/// An agent at the present moment.
///
/// ```
/// use wayfare_site::{MemoryFiles, open_simulation_from};
///
/// let files = MemoryFiles::new().with("walk.toml", *br#"
///     scene = { name = "walk", map = """
/// .....
/// .###.
/// ....."""}
///     agents = [{ name = "Ann", at = [0, 1], orders = [[4, 1]] }]
/// "#);
/// let mut walk = open_simulation_from("walk.toml", &files, None)?;
/// walk.for_each_agent(&mut |ann| assert_eq!((ann.name, ann.speed), ("Ann", 0.0)));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct AgentRecord<'s> {
    /// Its id.
    pub agent: u32,
    /// Its name.
    pub name: &'s str,
    /// Its team, by its index in [`SimulationSession::teams`].
    pub team: u16,
    /// Where it is, in metres; y is up.
    pub position: [f32; 3],
    /// The direction it faces, of length 1.
    pub facing: [f32; 3],
    /// The same in radians, from the x axis towards the z axis, −π to π.
    pub heading: f32,
    /// In metres a second.
    pub speed: f32,
    /// The link that it is inside of.
    pub inside: Option<u32>,
    /// The link in whose queue it waits.
    pub waiting: Option<u32>,
}

/// The occupation of an agent in words.
///
/// ```
/// use wayfare_site::{MemoryFiles, open_simulation_from};
///
/// let files = MemoryFiles::new().with("walk.toml", *br#"
///     scene = { name = "walk", map = """
/// .....
/// .###.
/// ....."""}
///     agents = [{ name = "Ann", at = [0, 1], orders = [[4, 1]] }]
/// "#);
/// let mut walk = open_simulation_from("walk.toml", &files, None)?;
/// walk.tick();
/// let occupation = walk.occupation(0).expect("Ann is there");
/// assert!(!occupation.is_troubled && !occupation.text.is_empty());
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct AgentOccupation {
    /// In a few words, with links and places by their names: "to the mill", "in the tunnel".
    pub text: String,
    /// Whether something keeps the agent from it.
    pub is_troubled: bool,
}

/// A link at the present moment.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct LinkRecord {
    /// Its name.
    pub name: String,
    /// Its ends, in metres.
    pub ends: [[f32; 3]; 2],
    /// Whether it is one-way.
    pub one_way: bool,
    /// The most agents inside at a time; `None`: unlimited.
    pub capacity: Option<u16>,
    /// Whether it is open.
    pub gate: Gate,
    /// The number of agents inside.
    pub inside: usize,
    /// The number of agents that wait for it.
    pub waiting: usize,
}

/// A box that an event of the scene has added as an obstacle.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct Barrier {
    /// Lowest x and z, in metres.
    pub min: [f32; 2],
    /// Highest x and z.
    pub max: [f32; 2],
    /// The height of its foot, if it has one.
    pub bottom: Option<f32>,
    /// The height of its top.
    pub top: f32,
}

/// A place that agents know to be dangerous.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct DangerRecord {
    /// Its middle, in metres; y is up.
    pub position: [f32; 3],
    /// Half of its width, in metres.
    pub radius: f32,
    /// The surcharge for entering it, in metres walked.
    pub amount: f32,
}

/// A part of a puzzle, and its state.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum PropKind {
    /// A door of one cell, shut or open.
    Door {
        /// Whether it is open.
        is_open: bool,
    },
    /// A heavy door.
    HeavyDoor {
        /// Whether it is raised.
        is_open: bool,
    },
    /// A gap, or the bridge over it.
    Gap {
        /// Whether there is a bridge.
        is_bridged: bool,
    },
    /// A plate.
    Plate {
        /// Whether a crate lies on it.
        is_loaded: bool,
    },
    /// A lever.
    Lever {
        /// Whether it is on.
        is_on: bool,
    },
    /// A key that was not taken.
    Key,
    /// A crate.
    Crate,
    /// The cell under a hook.
    Hook,
    /// The winch of a hook.
    Winch,
    /// The end of a platform.
    Platform {
        /// Whether the platform is at this end.
        is_here: bool,
    },
}

/// A part of a puzzle at the present moment.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct PropRecord {
    /// Its kind.
    pub kind: PropKind,
    /// Its middle, in metres; y is up.
    pub position: [f32; 3],
    /// Side of its cell, in metres.
    pub side: f32,
}

/// A scene with agents, tick by tick. Made by [`open_simulation`](crate::open_simulation) and
/// [`open_simulation_from`].
///
/// ```
/// use wayfare_site::{MemoryFiles, open_simulation_from};
///
/// let files = MemoryFiles::new().with("walk.toml", *br#"
///     scene = { name = "walk", map = """
/// .....
/// .###.
/// ....."""}
///     agents = [{ name = "Ann", at = [0, 1], orders = [[4, 1]] }]
/// "#);
/// let mut walk = open_simulation_from("walk.toml", &files, None)?;
/// let saved = walk.save()?;
/// for _ in 0..100 {
///     walk.tick();
/// }
/// let mut x = 0.0;
/// walk.for_each_agent(&mut |ann| x = ann.position[0]);
/// assert!(x > 4.0);
///
/// let hash = walk.hash();
/// let mut again = open_simulation_from("walk.toml", &files, None)?;
/// again.resume(&saved, "memory".as_ref())?;
/// for _ in 0..100 {
///     again.tick();
/// }
/// assert_eq!(again.hash(), hash);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
pub trait SimulationSession {
    /// Returns the scene.
    fn scene(&self) -> &Scene;

    /// Returns the settings.
    fn settings(&self) -> &SimulationSettings;

    /// Returns the names of the teams by index; that of the agents without a team is empty.
    fn teams(&self) -> &[String];

    /// Returns the places that agents go to.
    fn places(&self) -> &[StagedPlace];

    /// Returns the count of ticks that the scene asks for.
    fn ticks(&self) -> u64;

    /// Returns the count of completed ticks.
    fn now(&self) -> u64;

    /// Returns the simulated time, in seconds.
    fn seconds(&self) -> f64;

    /// Moves everything on by one tick, and returns its events.
    fn tick(&mut self) -> &TickEvents;

    /// Returns the events of the last tick.
    fn events(&self) -> &TickEvents;

    /// Makes a command at the beginning of a tick; a tick that is over counts as the next one.
    fn schedule(&mut self, at_tick: u64, command: Command<Infallible>);

    /// Replaces a part of the ground at the beginning of the next tick; agents on ground that it
    /// blocks begin again at its entry.
    ///
    /// # Errors
    /// Where the world is not made of cells, the part reaches beyond it, or a character stands for
    /// no terrain.
    fn replace(&mut self, change: &GroundChange) -> Result<(), SiteError>;

    /// Visits every present agent, by id.
    fn for_each_agent(&self, visit: &mut dyn FnMut(&AgentRecord<'_>));

    /// Returns the occupation of an agent; `None` if it is not there.
    fn occupation(&self, agent: u32) -> Option<AgentOccupation>;

    /// Returns the puzzles that agents have no plan for, each with the reason: "hall cannot be
    /// solved: grate stays shut: …".
    fn unsolved(&self) -> Vec<String>;

    /// Returns how an agent moves; `None` if it is not there.
    fn limits(&self, agent: u32) -> Option<AgentLimits>;

    /// Returns the points of an agent's rail ahead, its own position first. Empty if it is not
    /// present.
    fn way_ahead(&self, agent: u32) -> Vec<Vec3>;

    /// Returns the links, by id.
    fn links(&self) -> Vec<LinkRecord>;

    /// Returns the boxes that are obstacles at present.
    fn barriers(&self) -> Vec<Barrier>;

    /// Returns the ground that the scene's events have replaced: later ground lies over earlier
    /// one.
    fn grounds(&self) -> Vec<StagedGround>;

    /// Visits the ground that some agent may be on at present, in convex pieces: their corners, in
    /// order around them. Pieces side by side have the corners of their common side in common, bit
    /// by bit. None where ground has no outline: among waypoints and blocks.
    fn visit_ground(&self, visit: &mut dyn FnMut(&[Vec3]));

    /// Returns the parts of puzzles, the lower ones first.
    fn props(&self) -> Vec<PropRecord>;

    /// Returns the places that agents know to be dangerous at present, by state.
    fn dangers(&self) -> Vec<DangerRecord>;

    /// Returns a hash of the whole state: the same on every target and at any thread count.
    fn hash(&self) -> u64;

    /// Returns the statistics of the planner.
    fn planner_stats(&self) -> PlannerStats;

    /// Checks the last tick: no wall crossed, no speed exceeded, no link crowded. To be called
    /// after every tick.
    ///
    /// # Errors
    /// The first fault found: a defect of the engine.
    #[cfg(feature = "audit")]
    fn audit(&mut self) -> Result<(), AuditFault>;

    /// Returns the longest overlap that the [audit](Self::audit) has seen.
    #[cfg(feature = "audit")]
    fn longest_overlap(&self) -> Option<Overlap>;

    /// Returns the whole state as bytes.
    ///
    /// # Errors
    /// When it does not fit into memory.
    fn save(&self) -> Result<Vec<u8>, SiteError>;

    /// Keeps the world as it is before the first tick, so that
    /// [`resume`](SimulationSession::resume) works later, too. Takes the memory of the world once
    /// more.
    ///
    /// # Errors
    /// If the simulation has begun.
    fn keep_beginning(&mut self) -> Result<(), SiteError>;

    /// Goes on from the bytes of [`SimulationSession::save`], taken from the same scene; errors
    /// name them by `name`.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another scene or version, or the simulation has begun and
    /// its [beginning was not kept](SimulationSession::keep_beginning). The simulation is as before
    /// then.
    fn resume(&mut self, bytes: &[u8], name: &Path) -> Result<(), SiteError>;
}

/// Opens a scene with agents. A `seed` replaces the scene's own.
///
/// # Errors
/// If the scene or its world cannot be read, or has no agents.
#[cfg(feature = "fs")]
pub fn open_simulation(
    path: impl AsRef<Path>,
    seed: Option<u64>,
) -> Result<Box<dyn SimulationSession>, SiteError> {
    play(path.as_ref(), &wayfare_formats::FileSystem, seed)
}

/// Opens a scene with agents from bytes; `files` has the files that the scene names.
///
/// # Errors
/// As [`open_simulation_from`].
pub fn open_simulation_bytes(
    name: &str,
    bytes: &[u8],
    files: &dyn Files,
    seed: Option<u64>,
) -> Result<Box<dyn SimulationSession>, SiteError> {
    let path = Path::new(name);
    play(path, &WithFile { name: path, bytes, files }, seed)
}

/// Opens a scene with agents from any files. A `seed` replaces the scene's own.
///
/// # Errors
/// If the scene or its world cannot be read, or has no agents.
pub fn open_simulation_from(
    path: impl AsRef<Path>,
    files: &dyn Files,
    seed: Option<u64>,
) -> Result<Box<dyn SimulationSession>, SiteError> {
    play(path.as_ref(), files, seed)
}

/// Opens a scene with agents. Not generic, so that simulations are compiled once and here.
fn play(
    path: &Path,
    files: &dyn Files,
    seed: Option<u64>,
) -> Result<Box<dyn SimulationSession>, SiteError> {
    let files = Witness::of(files);
    let staging = Staging::open_from(path, &files, seed)?;
    let fingerprint = files.fingerprint();
    Ok(match staging {
        Staging::Grid(staged) => Box::new(Played::new(staged, fingerprint)),
        Staging::Waypoints(staged) => Box::new(Played::new(staged, fingerprint)),
        Staging::Voxels(staged) => Box::new(Played::new(staged, fingerprint)),
        Staging::Mesh(staged) => Box::new(Played::new(staged, fingerprint)),
    })
}

/// Returns the parts of a puzzle in a state, the lower ones first. `clock`: the time of timetables,
/// in units of cost.
#[must_use]
pub fn props_of(puzzle: &Puzzle, state: &PuzzleState, clock: u64) -> Vec<PropRecord> {
    let (ground, parts) = (puzzle.ground(), puzzle.parts());
    let mut props = Vec::new();
    let mut add = |kind, cell| {
        if let Some(centre) = ground.centre(cell) {
            props.push(PropRecord { kind, position: centre.to_array(), side: ground.cell_size() });
        }
    };
    for (number, gate) in (0..).zip(&parts.gates) {
        let is_open = puzzle.is_open(state, PartId(number));
        let kind = match gate.form {
            GateForm::Door => PropKind::Door { is_open },
            GateForm::HeavyDoor => PropKind::HeavyDoor { is_open },
            GateForm::Bridge => PropKind::Gap { is_bridged: is_open },
        };
        gate.cells.iter().for_each(|cell| add(kind, *cell));
    }
    for plate in &parts.plates {
        let is_loaded = state.crates.contains(&Some(plate.at));
        add(PropKind::Plate { is_loaded }, plate.at);
    }
    for (number, lift) in (0..).zip(&parts.platforms) {
        let place = puzzle.platform_place(state, PartId(number), clock);
        let ends = [(lift.low, PlatformPlace::Low), (lift.high, PlatformPlace::High)];
        for (cell, end) in ends {
            add(PropKind::Platform { is_here: place == Some(end) }, cell);
        }
    }
    for (hook, _) in parts.hooks.iter().zip(&state.hooks).filter(|(_, is_used)| !**is_used) {
        add(PropKind::Hook, hook.under);
        add(PropKind::Winch, hook.at);
    }
    for (lever, is_on) in parts.levers.iter().zip(&state.levers) {
        add(PropKind::Lever { is_on: *is_on }, lever.at);
    }
    for (key, _) in parts.keys.iter().zip(&state.keys).filter(|(_, is_held)| !**is_held) {
        add(PropKind::Key, key.at);
    }
    state.crates.iter().flatten().for_each(|cell| add(PropKind::Crate, *cell));
    props
}

/// A staged scene of one kind of world.
struct Played<W: Environment> {
    staged: Staged<W>,
    fingerprint: Fingerprint,
    #[cfg(feature = "audit")]
    audit: Audit<W>,
    beginning: Option<Beginning<W>>,
    /// Why agents find no path, by the agent: the question, and its answer.
    reasons: RefCell<BTreeMap<u32, (String, Option<String>)>>,
}

impl<W: Environment + Clone> Played<W> {
    fn new(staged: Staged<W>, fingerprint: Fingerprint) -> Self {
        Self {
            staged,
            fingerprint,
            #[cfg(feature = "audit")]
            audit: Audit::new(),
            beginning: None,
            reasons: RefCell::default(),
        }
    }

    /// Returns the beginning; `None` once there was a tick.
    fn beginning_now(&self) -> Option<Beginning<W>> {
        let simulation = &self.staged.simulation;
        (simulation.now() == 0).then(|| Beginning::of(simulation))
    }

    /// Returns the puzzles that agents have no plan for, each with its agent and the reason.
    fn unsolved_puzzles(&self) -> impl Iterator<Item = (Option<AgentId>, String)> {
        let puzzles = self.staged.simulation.puzzles().zip(&self.staged.scene.puzzles);
        puzzles.filter_map(|(view, puzzle)| {
            let told = format!("{} cannot be solved: {}", puzzle.name, view.unsolved?);
            Some((view.spec.agent, told))
        })
    }

    /// Returns the puzzle that an agent has no plan for, with the reason.
    fn no_plan(&self, agent: &AgentView<'_, W>) -> Option<String> {
        let mut own = self.unsolved_puzzles().filter(|(solver, _)| *solver == Some(agent.id()));
        own.next().map(|(_, told)| told)
    }

    /// Returns why an agent finds no path: the links and the gates of puzzles that are shut, as
    /// [`explain`](crate::explain) tells them. `None` if it is for another reason.
    fn no_path(&self, agent: &AgentView<'_, W>) -> Option<String> {
        let Some(Trouble::NoWay(NoWay::NoPath(reason))) = agent.trouble() else { return None };
        let simulation = &self.staged.simulation;
        let gates: Vec<Gate> = simulation.links().iter().map(|one| one.link.gate).collect();
        let states: Vec<&PuzzleState> = simulation.puzzles().map(|view| view.state).collect();
        let (at, aim) = (agent.position(), agent.aim()?);
        // A search takes too long to be repeated at each look.
        let (class, world) = (agent.class(), simulation.world().revision());
        let question = format!("{reason:?} {at} {aim} {class:?} {world:?} {gates:?} {states:?}");
        let mut known = self.reasons.borrow_mut();
        if let Some((asked, answer)) = known.get(&agent.id().0)
            && *asked == question
        {
            return answer.clone();
        }
        let answer = self.shut_on_path(agent, at, aim).map(|shut| format!("no path: {shut}"));
        known.insert(agent.id().0, (question, answer.clone()));
        answer
    }

    /// Returns what is shut between two points, in words.
    fn shut_on_path(&self, agent: &AgentView<'_, W>, from: Vec3, to: Vec3) -> Option<String> {
        let Staged { simulation, scene, .. } = &self.staged;
        let (profile, keys) =
            simulation.profile(agent.class()).zip(simulation.keys(agent.class()))?;
        let world = simulation.world();
        let [start, goal] = [from, to].map(|point| world.state_meant(profile, point));
        let query = Query::new(start?, goal?);
        let names = scene.nav_links.iter().map(|link| link.name.clone()).collect();
        let links = simulation.links().clone();
        let passages = Passages::new(SceneLinks { links, names, keys: scene.key_names() });
        let passages = passages.with_keys(keys);
        let shut = passages.remedies(&world.space(profile), &query);
        if let Some(told) = passages.spell_remedies(&shut) {
            return Some(told);
        }
        simulation.puzzles().next()?;
        let bare = simulation.bare_world();
        let space = bare.space(profile);
        let outcome = solve_erased(&passages.over(space), query).outcome;
        let path = outcome.is_found().then(|| outcome.into_path())?;
        let path: Vec<Vec3> = path.states().map(|state| space.position(state)).collect();
        let puzzles = simulation.puzzles().map(|view| (view.spec.puzzle.as_ref(), view.state));
        gates::first_barrier(puzzles, &path)
    }

    fn text(&self, agent: &AgentView<'_, W>) -> String {
        let staged = &self.staged;
        let link =
            |link: LinkId| staged.scene.nav_links.get(link.0 as usize).map(|link| &link.name);
        if let Some(name) = agent.inside().and_then(link) {
            return format!("in the {name}");
        }
        if let Some(name) = agent.waiting().and_then(link) {
            return match agent.link_wait() {
                None | Some(LinkWait::Free) => format!("waiting at the {name}"),
                Some(wait) => format!("waiting at the {name}, which {wait}"),
            };
        }
        if let Some(told) = self.no_plan(agent).or_else(|| self.no_path(agent)) {
            return told;
        }
        let mut puzzles = staged.simulation.puzzles();
        let deed = puzzles.find_map(|view| {
            let is_at_it = matches!(
                view.phase,
                PuzzlePhase::Walking | PuzzlePhase::Working { .. } | PuzzlePhase::Backing
            );
            let deed = view.next.filter(|deed| *deed != Deed::Arrive && is_at_it);
            let deed = deed.filter(|_| view.spec.agent == Some(agent.id()))?;
            let told = view.spec.puzzle.tell(deed);
            // Where a crate goes, the picture shows.
            Some(told.split(" from ").next().unwrap_or_default().to_owned())
        });
        if let Some(deed) = deed.filter(|_| agent.trouble().is_none()) {
            return deed;
        }
        let place = |point: Vec3, within: f32| {
            let named = staged.places.iter().filter(|place| !place.name.is_empty());
            let near = |place: &&StagedPlace| place.at.distance(point) <= within;
            named.into_iter().find(near).map(|place| &place.name)
        };
        let known = match agent.activity() {
            _ if agent.trouble().is_some() => None,
            Activity::Patrolling { .. }
            | Activity::Travelling
            | Activity::Ordered { .. }
            | Activity::Dwelling { .. } => match agent.destination() {
                Some(goal) => place(goal, 0.01).map(|name| format!("to {name}")),
                None => place(agent.position(), 0.8).map(|name| format!("at {name}")),
            },
            _ => None,
        };
        known.unwrap_or_else(|| agent.text())
    }
}

impl<W> SimulationSession for Played<W>
where
    W: Environment + Clone,
    W::State: Serialize + DeserializeOwned,
    W::Cost: Serialize + DeserializeOwned,
    W::Edit: Serialize + DeserializeOwned,
{
    fn scene(&self) -> &Scene {
        &self.staged.scene
    }

    fn settings(&self) -> &SimulationSettings {
        self.staged.simulation.settings()
    }

    fn teams(&self) -> &[String] {
        &self.staged.teams
    }

    fn places(&self) -> &[StagedPlace] {
        &self.staged.places
    }

    fn ticks(&self) -> u64 {
        self.staged.ticks
    }

    fn now(&self) -> u64 {
        self.staged.simulation.now()
    }

    fn seconds(&self) -> f64 {
        self.staged.simulation.seconds()
    }

    fn tick(&mut self) -> &TickEvents {
        self.staged.tick()
    }

    fn events(&self) -> &TickEvents {
        self.staged.simulation.events()
    }

    fn schedule(&mut self, at_tick: u64, command: Command<Infallible>) {
        let command: CommandOf<W> = command.map_edit(|never| match never {});
        self.staged.simulation.schedule(at_tick, command);
    }

    fn replace(&mut self, change: &GroundChange) -> Result<(), SiteError> {
        Ok(self.staged.replace(change)?)
    }

    fn for_each_agent(&self, visit: &mut dyn FnMut(&AgentRecord<'_>)) {
        for agent in self.staged.simulation.agents() {
            visit(&AgentRecord {
                agent: agent.id().0,
                name: agent.name(),
                team: agent.team().0,
                position: agent.position().to_array(),
                facing: agent.facing().to_array(),
                heading: agent.heading(),
                speed: agent.speed(),
                inside: agent.inside().map(|link| link.0),
                waiting: agent.waiting().map(|link| link.0),
            });
        }
    }

    fn occupation(&self, agent: u32) -> Option<AgentOccupation> {
        let agent = self.staged.simulation.agent(AgentId(agent))?;
        let is_troubled = agent.trouble().is_some() || self.no_plan(&agent).is_some();
        Some(AgentOccupation { text: self.text(&agent), is_troubled })
    }

    fn unsolved(&self) -> Vec<String> {
        self.unsolved_puzzles().map(|(_, told)| told).collect()
    }

    fn limits(&self, agent: u32) -> Option<AgentLimits> {
        self.staged.simulation.agent(AgentId(agent)).map(|agent| *agent.limits())
    }

    fn way_ahead(&self, agent: u32) -> Vec<Vec3> {
        let agent = self.staged.simulation.agent(AgentId(agent));
        agent.map(|agent| agent.way_ahead().collect()).unwrap_or_default()
    }

    fn links(&self) -> Vec<LinkRecord> {
        let simulation = &self.staged.simulation;
        let space = simulation.world().space(ProfileId::default());
        let views = simulation.link_views().zip(&self.staged.scene.nav_links);
        let record = |(view, scene): (LinkView<'_, W::State>, &SceneNavLink)| LinkRecord {
            name: scene.name.clone(),
            ends: simulation
                .links()
                .places(&space, view.id())
                .or(view.link().points.map(|points| [points.from, points.to]))
                .unwrap_or_default()
                .map(|end| end.to_array()),
            one_way: scene.one_way,
            capacity: scene.capacity,
            gate: view.link().gate,
            inside: view.inside().len(),
            waiting: view.waiting().len(),
        };
        views.map(record).collect()
    }

    fn barriers(&self) -> Vec<Barrier> {
        let barrier = |StagedBarrier { area, bottom, top }| Barrier {
            min: area.min,
            max: area.max,
            bottom,
            top,
        };
        self.staged.barriers().map(barrier).collect()
    }

    fn grounds(&self) -> Vec<StagedGround> {
        self.staged.grounds().cloned().collect()
    }

    fn visit_ground(&self, visit: &mut dyn FnMut(&[Vec3])) {
        let simulation = &self.staged.simulation;
        let profiles = simulation.agents().filter_map(|agent| simulation.profile(agent.class()));
        let mut profiles: Vec<ProfileId> = profiles.collect();
        profiles.sort_unstable();
        profiles.dedup();
        simulation.world().visit_ground(&profiles, visit);
    }

    fn props(&self) -> Vec<PropRecord> {
        let views = self.staged.simulation.puzzles();
        views.flat_map(|view| props_of(&view.spec.puzzle, view.state, view.clock)).collect()
    }

    fn dangers(&self) -> Vec<DangerRecord> {
        let simulation = &self.staged.simulation;
        let space = simulation.world().space(ProfileId::default());
        let grain = simulation.world().grain();
        // Waypoints are points: a disc is there to be seen.
        let radius = if grain > 0.0 { grain / 2.0 } else { 0.5 };
        let dangers = simulation.links().danger().iter();
        let record = |KnownDanger { state, amount }| {
            let position = space.position(state).to_array();
            DangerRecord { position, radius, amount }
        };
        dangers.map(record).collect()
    }

    fn hash(&self) -> u64 {
        self.staged.simulation.hash()
    }

    fn planner_stats(&self) -> PlannerStats {
        self.staged.simulation.planner().stats().clone()
    }

    #[cfg(feature = "audit")]
    fn audit(&mut self) -> Result<(), AuditFault> {
        self.audit.check(&self.staged.simulation)
    }

    #[cfg(feature = "audit")]
    fn longest_overlap(&self) -> Option<Overlap> {
        self.audit.overlaps().max_by_key(Overlap::ticks)
    }

    fn save(&self) -> Result<Vec<u8>, SiteError> {
        snapshot::encode(&self.staged.simulation.save(), self.fingerprint)
    }

    fn keep_beginning(&mut self) -> Result<(), SiteError> {
        if self.beginning.is_none() {
            self.beginning = Some(self.beginning_now().ok_or(SiteError::Begun)?);
        }
        Ok(())
    }

    fn resume(&mut self, bytes: &[u8], name: &Path) -> Result<(), SiteError> {
        let kept = self.beginning.clone().or_else(|| self.beginning_now());
        let begin = kept.ok_or(SiteError::Begun)?;
        let restored = snapshot::restore(begin, &self.staged.simulation, bytes, self.fingerprint);
        self.staged.simulation =
            restored.map_err(|problem| SiteError::unsearchable(name, &problem))?;
        #[cfg(feature = "audit")]
        {
            self.audit = Audit::new();
        }
        Ok(())
    }
}
