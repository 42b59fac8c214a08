//! What makes a scene a simulation: places, links to go through, and what happens when.

use serde::Deserialize;

use crate::scene::document::Rectangle;

/// How a simulation of the scene runs. What is not given is the engine's own.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneSimulation {
    /// The length of a tick in seconds, 0.001 to 1.
    #[serde(default)]
    pub tick_seconds: Option<f32>,
    /// How often an agent decides, in seconds, at least a tick.
    #[serde(default)]
    pub decision_seconds: Option<f32>,
    /// How many states searches may expand in a tick, all together, at least 1.
    #[serde(default)]
    pub expansions_per_tick: Option<u32>,
    /// How long it runs, in seconds, greater than 0; default 30.
    #[serde(default)]
    pub seconds: Option<f32>,
    /// Seed of all that is random; default 0.
    #[serde(default)]
    pub seed: u32,
}

impl SceneSimulation {
    /// How long it runs where the scene does not say, in seconds.
    pub const DEFAULT_SECONDS: f32 = 30.0;

    /// The length of a tick where the scene does not say, in seconds.
    pub const DEFAULT_TICK: f32 = 0.05;

    /// The length of a tick in seconds.
    pub fn tick_seconds(&self) -> f32 {
        self.tick_seconds.unwrap_or(Self::DEFAULT_TICK)
    }

    /// How many ticks it runs, at least 1.
    pub fn ticks(&self) -> u64 {
        let seconds = f64::from(self.seconds.unwrap_or(Self::DEFAULT_SECONDS));
        (seconds / f64::from(self.tick_seconds())).round().max(1.0) as u64
    }
}

/// A named place that agents and links refer to.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPlace {
    /// Unique, not empty, and not the id of a waypoint.
    pub name: String,
    /// Where it is: a cell or a point.
    pub at: Spot,
}

/// Where something is.
#[derive(Debug, Clone, PartialEq, Deserialize)]
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

/// Two places joined by something to go through.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneNavLink {
    /// Unique, not empty.
    pub name: String,
    /// Where it begins.
    pub from: Spot,
    /// Where it ends.
    pub to: Spot,
    /// What it is; default a passage.
    #[serde(default)]
    pub kind: NavLinkKind,
    /// How long it takes to go through, greater than 0; either this or `speed`.
    #[serde(default)]
    pub seconds: Option<f32>,
    /// How fast one goes through, in metres a second over the straight distance, greater than 0.
    #[serde(default)]
    pub speed: Option<f32>,
    /// How many may be inside at once, at least 1; default any number.
    #[serde(default)]
    pub capacity: Option<u16>,
    /// Who may enter; default everyone.
    #[serde(default)]
    pub gate: GateState,
    /// The key that opens it when it is locked.
    #[serde(default)]
    pub key: Option<String>,
    /// Whether it leads only there and not back; default false.
    #[serde(default)]
    pub one_way: bool,
}

/// What a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NavLinkKind {
    /// A way that is not on the map.
    #[default]
    Passage,
    /// A door.
    Door,
    /// A ladder.
    Ladder,
    /// A jump through space.
    Teleport,
    /// A lift.
    Lift,
}

/// Who may enter a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateState {
    /// Everyone.
    #[default]
    Open,
    /// Nobody.
    Closed,
    /// Who carries its key.
    Locked,
}

/// Something that happens at a time.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "EventTable")]
pub struct ScheduledCommand {
    /// When, in seconds from the beginning, at least 0.
    pub at: f32,
    /// After how many seconds it happens again, and again; default never.
    pub every: Option<f32>,
    /// What: at least one thing, and of each kind at most one. They happen in the order of the kinds.
    pub commands: Vec<SceneCommand>,
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub enum SceneCommand {
    /// A link is opened, closed or locked.
    Gate(GateChange),
    /// Something gets in the way: nobody stands or walks where it is.
    Block(Block),
    /// What got in the way, by its id, goes away.
    Restore(String),
    /// Agents are sent somewhere.
    Order(SceneOrder),
    /// An agent, or all of a team, leave the world.
    Remove(String),
}

/// What a link's gate becomes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateChange {
    /// Name of the link.
    pub link: String,
    /// Its gate from then on.
    pub state: GateState,
}

/// Something that gets in the way.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// What it is called when it goes away again; not empty.
    pub id: String,
    /// Where it lies.
    pub area: Rectangle,
    /// How low it reaches, in metres; default without end.
    #[serde(default)]
    pub bottom: Option<f32>,
    /// How high it reaches, in metres, more than `bottom`; default without end.
    #[serde(default)]
    pub top: Option<f32>,
}

/// An order.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneOrder {
    /// An agent or a team.
    pub agent: String,
    /// Where to go. It comes after the orders that the agent has.
    pub to: Spot,
    /// Whether the orders that the agent has are dropped; default false.
    #[serde(default)]
    pub at_once: bool,
}

/// An event as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventTable {
    at: f32,
    every: Option<f32>,
    gate: Option<GateChange>,
    block: Option<Block>,
    restore: Option<String>,
    order: Option<SceneOrder>,
    remove: Option<String>,
}

impl From<EventTable> for ScheduledCommand {
    fn from(table: EventTable) -> Self {
        let EventTable { at, every, gate, block, restore, order, remove } = table;
        let commands = [
            gate.map(SceneCommand::Gate),
            block.map(SceneCommand::Block),
            restore.map(SceneCommand::Restore),
            order.map(SceneCommand::Order),
            remove.map(SceneCommand::Remove),
        ];
        Self { at, every, commands: commands.into_iter().flatten().collect() }
    }
}
