//! The simulation part of a scene: settings, places, navigation links, and commands by their time.

use serde::{Deserialize, Serialize};
use wayfare_core::link::{Gate, LinkKind, MOST_DANGER};
use wayfare_core::navigate::Policy;
use wayfare_core::search::AlgorithmId;

use crate::limits::MAX_TICKS;
use crate::scene::geometry::Rectangle;
use crate::scene::groups::FormationChange;
use crate::scene::puzzles::ScenePuzzle;
use crate::scene::rules::{self as rule, At, Checked, Rules, rules};
use crate::scene::spelling::{self, GateKey, LinkKindKey, is_default};

/// How a simulation of the scene runs. Values that are not given are the engine's own.
///
/// ```
/// use wayfare_scene::scene::SceneSimulation;
///
/// let settings = SceneSimulation { seconds: Some(2.0), ..SceneSimulation::default() };
/// assert_eq!(settings.ticks(), 40);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneSimulation {
    /// Length of a tick in seconds, 0.001 to 1.
    pub tick_seconds: Option<f32>,
    /// Time between two decisions of an agent, in seconds, from a tick to 60.
    pub decision_seconds: Option<f32>,
    /// [Units of work](wayfare_core::navigate::work) that planning may take in a tick, at least 1.
    ///
    /// Scenes of earlier versions call the key `expansions_per_tick`, which is still read.
    #[serde(alias = "expansions_per_tick")]
    pub work_per_tick: Option<u32>,
    /// How soon agents set out; default exact.
    #[serde(default, with = "spelling::policy")]
    pub policy: Option<Policy>,
    /// Seconds between two ages of danger, from a tick to 3600; default 1.
    pub danger_seconds: Option<f32>,
    /// Share of danger that is left after a second without news, 0 to 1; default 0.8.
    pub danger_kept: Option<f32>,
    /// Share of danger that flows to adjacent states each second, 0 to 1; default 0.2.
    pub danger_spread: Option<f32>,
    /// Whether crowds and queues count in the choice of paths; default no.
    #[serde(default, skip_serializing_if = "is_default")]
    pub jams: bool,
    /// Side of the areas by which jams are known, in world units, 0.1 to 1000; default 2.
    pub jam_side: Option<f32>,
    /// Interval in seconds at which an agent asks for a path round jams, from a tick to 3600;
    /// default 5.
    pub jam_asks_every: Option<f32>,
    /// Share by which a path round jams must be quicker to be taken, 0 to 10; default 0.3.
    pub jam_gain: Option<f32>,
    /// Length of the simulation in seconds, greater than 0; default 30.
    pub seconds: Option<f32>,
    /// Seed of all that is random; default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: u32,
}

rules!(SceneSimulation {
    tick_seconds: |at: &At<'_>, seconds| rule::within(at, seconds, 0.001f32, 1.0),
    decision_seconds: rule::any,
    work_per_tick: rule::at_least_one,
    policy: rule::any,
    danger_seconds: rule::any,
    danger_kept: |at: &At<'_>, share| rule::within(at, share, 0.0f32, 1.0),
    danger_spread: |at: &At<'_>, share| rule::within(at, share, 0.0f32, 1.0),
    jams: rule::any,
    jam_side: |at: &At<'_>, side| rule::within(at, side, 0.1f32, 1000.0),
    jam_asks_every: rule::any,
    jam_gain: |at: &At<'_>, share| rule::within(at, share, 0.0f32, 10.0),
    seconds: rule::positive,
    seed: rule::any,
} then check_settings);

fn check_settings(at: &At<'_>, settings: &SceneSimulation) -> Checked {
    let tick = settings.tick_seconds();
    rule::within(&at.key("decision_seconds"), &settings.decision_seconds, tick, 60.0)?;
    rule::within(&at.key("danger_seconds"), &settings.danger_seconds, tick, 3600.0)?;
    rule::within(&at.key("jam_asks_every"), &settings.jam_asks_every, tick, 3600.0)?;
    let seconds = settings.seconds.unwrap_or(SceneSimulation::DEFAULT_SECONDS);
    let ticks = f64::from(seconds) / f64::from(tick);
    if ticks > MAX_TICKS as f64 {
        return Err(at.key("seconds").limit(format!(
            "{seconds} s are {ticks:.0} ticks, but at most {MAX_TICKS} are simulated"
        )));
    }
    Ok(())
}

impl SceneSimulation {
    /// Length of the simulation where the scene gives none, in seconds.
    pub const DEFAULT_SECONDS: f32 = 30.0;

    /// Length of a tick where the scene gives none, in seconds.
    pub const DEFAULT_TICK: f32 = 0.05;

    /// Returns the length of a tick in seconds.
    pub fn tick_seconds(&self) -> f32 {
        self.tick_seconds.unwrap_or(Self::DEFAULT_TICK)
    }

    /// Returns the ticks of the simulation, at least 1.
    pub fn ticks(&self) -> u64 {
        let seconds = f64::from(self.seconds.unwrap_or(Self::DEFAULT_SECONDS));
        (seconds / f64::from(self.tick_seconds())).round().max(1.0) as u64
    }
}

/// A named place that agents and links refer to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPlace {
    /// Unique, not empty, and not the id of a waypoint.
    pub name: String,
    /// Where it is: a cell or a point.
    pub at: Spot,
}

rules!(NamedPlace { name: rule::name, at: unnamed_spot });

fn unnamed_spot(at: &At<'_>, spot: &Spot) -> Checked {
    match spot {
        Spot::Named(other) => Err(at
            .value(format!("'{other}' is a name, but a place lies at a cell or a point"))
            .advise("write at = [column, row] or at = [x, y, z]")),
        spot => spot.check(at),
    }
}

/// A position in a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a place, a cell [column, row] or a point [x, y, z]"
)]
pub enum Spot {
    /// A place of the scene by its name, or a waypoint by its id.
    Named(String),
    /// Column and row of a cell. Grids only.
    Cell([u32; 2]),
    /// A point, in metres; in a world of blocks, in blocks.
    Point([f32; 3]),
}

impl Default for Spot {
    fn default() -> Self {
        Spot::Cell([0, 0])
    }
}

impl Rules for Spot {
    fn check(&self, at: &At<'_>) -> Checked {
        let spots = &at.names.spots;
        match self {
            Spot::Cell(_) => Ok(()),
            Spot::Point(point) => rule::coordinate(at, point),
            Spot::Named(name) if spots.contains(name.as_str()) => Ok(()),
            Spot::Named(name) if at.names.has_map || at.names.will_be_placed(name) => Ok(()),
            Spot::Named(name) => Err(at.dangling("place or waypoint", name, spots.iter().copied())),
        }
    }
}

/// A navigation link between two spots: a passage, a door, a ladder, a teleport, a lift, a jump, a
/// drop or a climb.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneNavLink {
    /// Unique, not empty.
    pub name: String,
    /// Where it begins.
    pub from: Spot,
    /// Where it ends.
    pub to: Spot,
    /// Default a passage.
    #[serde(default, with = "LinkKindKey", skip_serializing_if = "is_default")]
    pub kind: LinkKind,
    /// Time of a crossing, greater than 0; either this or `speed`.
    pub seconds: Option<f32>,
    /// Speed of a crossing in metres a second over the straight distance, greater than 0.
    pub speed: Option<f32>,
    /// Most agents inside at once, at least 1; default unlimited.
    pub capacity: Option<u16>,
    /// Default open.
    #[serde(default, with = "GateKey", skip_serializing_if = "is_default")]
    pub gate: Gate,
    /// The key that opens it when it is locked.
    pub key: Option<String>,
    /// Whether it can be used only from `from` to `to`; default false.
    #[serde(default, skip_serializing_if = "is_default")]
    pub one_way: bool,
    /// Radius of use on a navigation mesh in metres, at least 0; default 0.5. An end is joined to
    /// the nearest ground within it; if obstacles cover all of that, the link cannot be used.
    pub radius: Option<f32>,
}

impl SceneNavLink {
    /// The radius of use, where none is given.
    pub const DEFAULT_RADIUS: f32 = 0.5;
}

rules!(SceneNavLink {
    name: rule::name,
    from: rule::table,
    to: rule::table,
    kind: rule::any,
    seconds: rule::positive,
    speed: rule::positive,
    capacity: rule::any,
    gate: rule::any,
    key: rule::carried_key,
    one_way: rule::any,
    radius: rule::not_negative,
} then check_nav_link);

fn check_nav_link(at: &At<'_>, link: &SceneNavLink) -> Checked {
    let name = &link.name;
    if link.from == link.to {
        return Err(at.key("to").value(format!("the link '{name}' leads to where it begins")));
    }
    if link.capacity == Some(0) {
        let error = at.key("capacity").value("nobody fits into a link of capacity 0");
        return Err(error.advise("raise it, or write gate = \"closed\""));
    }
    match (link.seconds, link.speed) {
        (None, None) => {
            let message = format!("nothing says how long it takes to go through '{name}'");
            Err(at.key("seconds").value(message).advise("give 'seconds' or 'speed'"))
        }
        (Some(_), Some(_)) => {
            let error = at.key("speed").value("both 'seconds' and 'speed' say how long it takes");
            Err(error.advise("keep one of them"))
        }
        _ => Ok(()),
    }
}

/// An animation clip: films and trajectories say which share of it an agent shows at its speed.
///
/// ```
/// use wayfare_scene::scene::{Scene, SceneClip};
///
/// let mut scene = Scene::new("stroll");
/// scene.clips.push(SceneClip { name: "walk".to_string(), speed: 1.4 });
/// assert!(scene.validate().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneClip {
    /// Unique, not empty.
    pub name: String,
    /// The speed in metres a second that it was made for, from 0: more than that of the clip
    /// before.
    pub speed: f32,
}

rules!(SceneClip { name: rule::name, speed: rule::not_negative });

/// Ground on which agents are hurt, or which they know to be dangerous.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneDanger {
    /// Where it lies, whatever the height.
    pub area: Rectangle,
    /// Danger that all agents know of from the beginning, 0 to 10,000: the surcharge for entering
    /// each state of the area, in metres walked. Searches without a simulation know it too.
    /// Default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub known: f32,
    /// Danger that all agents learn of where one of them is in the area, 0 to 10,000 for each
    /// second; default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub harm: f32,
}

rules!(SceneDanger { area: rule::table, known: rule::danger, harm: rule::danger } then
|at: &At<'_>, danger: &SceneDanger| match danger.known + danger.harm > 0.0 {
    true => Ok(()),
    false => Err(at.value("this danger is none").advise("give it 'known', 'harm' or both")),
});

/// Commands that are given at a time: at least one, in the order of the fields.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduledCommand {
    /// Seconds from the beginning, at least 0.
    pub at: f32,
    /// Seconds until it is given again, and again, 0.01 to 1,000,000; default never.
    pub every: Option<f32>,
    /// Opens, closes or locks a link.
    pub gate: Option<GateChange>,
    /// Adds an obstacle.
    pub block: Option<Block>,
    /// Moves an obstacle along points.
    pub drive: Option<Drive>,
    /// Removes a block, or a driven obstacle, by its id.
    pub restore: Option<String>,
    /// Sends agents somewhere.
    pub order: Option<SceneOrder>,
    /// Hurts agents: all learn that their positions are dangerous.
    pub harm: Option<SceneHarm>,
    /// Tells all agents of danger.
    pub danger: Option<DangerNews>,
    /// Changes agents.
    pub change: Option<SceneChange>,
    /// Changes the costs of a terrain to a class of agents.
    pub costs: Option<CostChange>,
    /// Takes an agent, or all of a team, out of the world.
    pub remove: Option<String>,
    /// Gives a group another shape.
    pub form: Option<FormationChange>,
    /// Disbands a group by its name: its members go on as single agents.
    pub disband: Option<String>,
    /// Replaces a part of a grid.
    pub replace: Option<GroundChange>,
}

rules!(ScheduledCommand {
    at: rule::not_negative,
    every: |at: &At<'_>, seconds| rule::within(at, seconds, 0.01f32, 1e6),
    gate: rule::table,
    block: rule::table,
    drive: rule::table,
    restore: rule::block,
    order: rule::table,
    harm: rule::table,
    danger: rule::table,
    change: rule::table,
    costs: rule::table,
    remove: rule::agent_or_team,
    form: rule::table,
    disband: rule::group,
    replace: rule::table,
} then check_command);

fn check_command(at: &At<'_>, event: &ScheduledCommand) -> Checked {
    let ScheduledCommand {
        gate,
        block,
        drive,
        restore,
        order,
        harm,
        danger,
        change,
        costs,
        remove,
        form,
        disband,
        replace,
        ..
    } = event;
    let given = [
        gate.is_some(),
        block.is_some(),
        drive.is_some(),
        restore.is_some(),
        order.is_some(),
        harm.is_some(),
        danger.is_some(),
        change.is_some(),
        costs.is_some(),
        remove.is_some(),
        form.is_some(),
        disband.is_some(),
        replace.is_some(),
    ];
    if given.contains(&true) {
        return Ok(());
    }
    let error = at.value("this event does nothing");
    Err(error.advise(
        "give it one of 'gate', 'block', 'drive', 'restore', 'order', 'harm', 'danger', 'change', \
         'costs', 'remove', 'form', 'disband' and 'replace'",
    ))
}

/// A new state of a link's gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateChange {
    /// Name of the link.
    pub link: String,
    /// Its gate from then on.
    #[serde(with = "GateKey")]
    pub state: Gate,
}

rules!(GateChange { link: rule::nav_link, state: rule::any });

/// An obstacle that appears: agents neither stand nor walk where it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Name by which it is removed; not empty.
    pub id: String,
    /// Where it lies.
    pub area: Rectangle,
    /// Lower end in metres; default without end.
    pub bottom: Option<f32>,
    /// Upper end in metres, more than `bottom`; default without end.
    pub top: Option<f32>,
}

rules!(Block { id: rule::name, area: rule::table, bottom: rule::coordinate, top: rule::coordinate } then check_block);

fn check_block(at: &At<'_>, block: &Block) -> Checked {
    match (block.bottom, block.top) {
        (Some(bottom), Some(top)) if bottom >= top => {
            let message = format!("'top' is {top}, not above 'bottom', which is {bottom}");
            Err(at.key("top").value(message))
        }
        _ => Ok(()),
    }
}

/// An obstacle that moves: a box whose middle goes along points, and stands at the last one. Agents
/// that avoid others give way to it; paths avoid it only after it has stood for a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// Name by which it is removed or driven on; not empty.
    pub id: String,
    /// Its width along x and its depth along z, in metres.
    pub size: [f32; 2],
    /// Its height in metres; default 2.
    pub height: Option<f32>,
    /// The points that its middle goes along, in straight lines: at least one, the first of which
    /// it begins at.
    pub along: Vec<Spot>,
    /// Its speed in metres a second, more than 0 and at most 1,000; default 1.4.
    pub speed: Option<f32>,
    /// The time that it stands before paths avoid it, in seconds, 0 to 3,600; default 0.5.
    pub carve_after: Option<f32>,
    /// Whether paths never avoid it; default false.
    #[serde(default, skip_serializing_if = "is_default")]
    pub never_carved: bool,
}

rules!(Drive {
    id: rule::name,
    size: rule::size,
    height: rule::size,
    along: rule::table,
    speed: |at: &At<'_>, speed| {
        rule::positive(at, speed)?;
        rule::within(at, speed, 0.0f32, 1e3)
    },
    carve_after: |at: &At<'_>, seconds| rule::within(at, seconds, 0.0f32, 3600.0),
    never_carved: rule::any,
} then
|at: &At<'_>, drive: &Drive| match drive.along.is_empty() {
    false => Ok(()),
    true => Err(at.key("along").value("this way has no points")),
});

/// An order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneOrder {
    /// An agent, a team or a group. Of a team each agent is sent, of a group the leader; the others
    /// keep their slots.
    pub agent: String,
    /// The destination. It comes after the orders that the agent has.
    pub to: Spot,
    /// Whether the orders that the agent has are dropped; default false.
    #[serde(default, skip_serializing_if = "is_default")]
    pub at_once: bool,
    /// Name of the algorithm that finds the path of this order; default each agent's own.
    #[serde(default, with = "spelling::algorithm", skip_serializing_if = "is_default")]
    pub algorithm: Option<AlgorithmId>,
}

rules!(SceneOrder {
    agent: rule::agent_team_or_group,
    to: rule::table,
    at_once: rule::any,
    algorithm: rule::any,
});

/// Agents that are hurt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneHarm {
    /// An agent or a team.
    pub agent: String,
    /// The surcharge for entering the state from then on, in metres walked, greater than 0 to
    /// 10,000.
    pub amount: f32,
}

rules!(SceneHarm {
    agent: rule::agent_or_team,
    amount: |at: &At<'_>, amount| {
        rule::positive(at, amount)?;
        rule::danger(at, amount)
    }
});

/// Danger that agents are told of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DangerNews {
    /// Where it is, whatever the height.
    pub area: Rectangle,
    /// The surcharge for entering each state of the area, in metres walked, −10,000 to 10,000. It
    /// is added to the known one; less than 0 is good news.
    pub amount: f32,
}

rules!(DangerNews {
    area: rule::table,
    amount: |at: &At<'_>, amount| rule::within(at, amount, -MOST_DANGER, MOST_DANGER),
});

/// A change of agents: whatever is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneChange {
    /// An agent or a team.
    pub agent: String,
    /// Name of the class that they are of from then on, with its keys.
    pub class: Option<String>,
    /// Name of the team that they are on from then on: one that an agent of the scene begins on.
    pub team: Option<String>,
    /// Highest speed in metres a second, greater than 0.
    pub speed: Option<f32>,
}

rules!(SceneChange {
    agent: rule::agent_or_team,
    class: rule::class,
    team: rule::team,
    speed: rule::positive,
} then |at: &At<'_>, change: &SceneChange| match change {
    SceneChange { class: None, team: None, speed: None, .. } => {
        Err(at.value("this changes nothing").advise("give it 'class', 'team' or 'speed'"))
    }
    _ => Ok(()),
});

/// A change of a terrain to a class of agents: each given value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostChange {
    /// Name of the class.
    pub class: String,
    /// Name of a terrain of the world.
    pub terrain: String,
    /// Factor on the length of a step, from 0.
    pub multiplier: Option<f32>,
    /// Added on entering, in straight steps, from 0.
    pub penalty: Option<f32>,
    /// Whether they can be there.
    pub walkable: Option<bool>,
}

rules!(CostChange {
    class: rule::class,
    terrain: rule::name,
    multiplier: rule::not_negative,
    penalty: rule::price,
    walkable: rule::any,
});

/// A part of a grid that is replaced by another one, with the puzzles on it.
///
/// ```
/// use wayfare_scene::scene::{GroundChange, Scene, ScheduledCommand, Spot};
///
/// let mut scene = Scene::new("hall");
/// let pillars = GroundChange {
///     corner: [1, 0],
///     map: "#.#".into(),
///     entry: Spot::Cell([0, 0]),
///     ..GroundChange::default()
/// };
/// let event =
///     ScheduledCommand { at: 5.0, replace: Some(pillars), ..ScheduledCommand::default() };
/// scene.events.push(event);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundChange {
    /// Column and row of its first cell.
    pub corner: [u32; 2],
    /// Its rows: the characters of terrains, and blanks for cells that stay.
    pub map: String,
    /// Where agents on blocked ground begin again, and all agents on the ground of `puzzles`.
    pub entry: Spot,
    /// Puzzles in place of those of the same names, on the new ground: with all parts as at their
    /// beginning. Their agents stay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub puzzles: Vec<ScenePuzzle>,
}

rules!(GroundChange {
    corner: rule::any,
    map: rule::name,
    entry: rule::table,
    puzzles: check_replacements,
});

/// Checks puzzles that replace others.
fn check_replacements(at: &At<'_>, puzzles: &[ScenePuzzle]) -> Checked {
    rule::each(at, puzzles, |at, puzzle| {
        puzzle.check(at)?;
        rule::puzzle(&at.key("name"), &puzzle.name)?;
        match puzzle.agent {
            None => Ok(()),
            Some(_) => {
                let error = at.key("agent").value("a puzzle keeps its agent when it is replaced");
                Err(error.advise("leave 'agent' out"))
            }
        }
    })
}
