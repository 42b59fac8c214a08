//! Commands: changes that a caller makes to a simulation.

use wayfare_core::link::{Gate, Keys, LinkId};
use wayfare_core::search::NamedAlgorithm;

use super::{AgentSpec, Avoidance, CarveId, Editable, MovingObstacle, PuzzleId, Shape};
use crate::agent::{AgentId, AgentLimits, Behaviour, Formation, GroupId, Order, TeamId};
use crate::plan::ClassId;

/// A change to a simulation, made at once or at a later tick.
///
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{CarveId, Command, Shape};
///
/// let grid = Grid::from_rows(&["....."])?;
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let (id, centre) = (CarveId(1), Vec3::new(2.5, 0.0, 0.5));
/// let barrel = Shape::Ball { centre, radius: 0.4 };
/// simulation.schedule(2, Command::Carve { id, shape: barrel });
/// simulation.schedule(4, Command::Restore { id });
/// let mut is_free = || {
///     simulation.tick();
///     let grid = simulation.world();
///     grid.space().is_free(grid.cell(2, 0).unwrap())
/// };
/// assert_eq!([(); 6].map(|()| is_free()), [true, true, false, false, true, true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Command<Edit> {
    /// The world changes.
    Edit(Edit),
    /// An obstacle appears, or moves: one with the same id is removed first.
    Carve {
        /// The id of the obstacle.
        id: CarveId,
        /// The shape of the obstacle.
        shape: Shape,
    },
    /// An obstacle appears or moves, and is carved only while it stands. One with the same id that
    /// was carved is restored once it moves.
    MoveObstacle {
        /// The id of the obstacle.
        id: CarveId,
        /// The obstacle where it is from now on.
        to: MovingObstacle,
    },
    /// An obstacle vanishes, carved or not.
    Restore {
        /// The id of the obstacle.
        id: CarveId,
    },
    /// A link is opened, closed or locked.
    Gate {
        /// The link.
        link: LinkId,
        /// Its new state.
        gate: Gate,
    },
    /// An agent gets an order.
    Order {
        /// The agent.
        agent: AgentId,
        /// The order.
        order: Order,
    },
    /// An agent is changed.
    Change {
        /// The agent.
        agent: AgentId,
        /// The change.
        change: AgentChange,
    },
    /// An agent is hurt: all agents learn that its position is dangerous.
    Harm {
        /// The agent.
        agent: AgentId,
        /// The [danger](wayfare_core::link::Danger) to add: a finite length in world units.
        /// Negative amounts take danger away.
        amount: f32,
    },
    /// All agents learn that the states in a shape are dangerous, or safe again.
    Danger {
        /// The area of the danger.
        shape: Shape,
        /// The danger to add to each state: a finite length in world units. Negative amounts take
        /// danger away.
        amount: f32,
    },
    /// An agent is added.
    Spawn(AgentSpec),
    /// An agent is taken away.
    Remove(AgentId),
    /// The world changes where agents may be: a part of it is replaced by another one.
    ///
    /// An agent on ground that becomes blocked is put to a free point around `entry`, which an
    /// event reports. All others continue, on other paths if theirs are broken. If no agent can
    /// stand at `entry` either, bodies are built in, as by [`Command::Edit`].
    Replace {
        /// The change.
        edit: Edit,
        /// Where agents that it would build in begin again, in world units.
        entry: glam::Vec3,
    },
    /// A puzzle is replaced by another of its [versions](super::PuzzleSpec::version): the obstacles
    /// of the old one vanish, and the parts of the new one are as at its beginning.
    ///
    /// All agents on the ground of either begin again around `entry`: from where they stand the new
    /// puzzle may have no solution. So does the agent that solves it, if it has begun or is done.
    ReplacePuzzle {
        /// The puzzle.
        puzzle: PuzzleId,
        /// The version that it is from then on.
        version: u32,
        /// Where agents begin again, in world units.
        entry: glam::Vec3,
    },
    /// An agent is put to the free point nearest to a position, as an event reports, and goes on
    /// from there.
    Warp {
        /// The agent.
        agent: AgentId,
        /// The position, in world units.
        to: glam::Vec3,
    },
    /// A group gets an order: see [`Simulation::order_group`](super::Simulation::order_group).
    OrderGroup {
        /// The group.
        group: GroupId,
        /// The order.
        order: Order,
    },
    /// A group takes another shape.
    Form {
        /// The group.
        group: GroupId,
        /// Its shape on open ground.
        formation: Formation,
        /// The distance between neighbours, in metres, 0.01 to 1,000. A smaller
        /// [`patience`](super::GroupSpec::patience) is raised to it.
        spacing: f32,
    },
    /// A group is no more: its members go on as single agents.
    Disband(GroupId),
}

/// The commands of an environment's simulation.
pub type CommandOf<W> = Command<<W as Editable>::Edit>;

impl<Edit> Command<Edit> {
    /// Returns the same command with another type of edit.
    ///
    /// With [`Infallible`](std::convert::Infallible), a command fits the simulations of all worlds:
    ///
    /// ```
    /// use std::convert::Infallible;
    /// use wayfare::agent::AgentId;
    /// use wayfare::simulation::{Command, GridEdit};
    ///
    /// let anywhere: Command<Infallible> = Command::Remove(AgentId(7));
    /// let on_a_grid: Command<GridEdit> = anywhere.map_edit(|never| match never {});
    /// assert_eq!(on_a_grid, Command::Remove(AgentId(7)));
    /// ```
    pub fn map_edit<Other>(self, map: impl FnOnce(Edit) -> Other) -> Command<Other> {
        match self {
            Self::Edit(edit) => Command::Edit(map(edit)),
            Self::Carve { id, shape } => Command::Carve { id, shape },
            Self::MoveObstacle { id, to } => Command::MoveObstacle { id, to },
            Self::Restore { id } => Command::Restore { id },
            Self::Gate { link, gate } => Command::Gate { link, gate },
            Self::Order { agent, order } => Command::Order { agent, order },
            Self::Change { agent, change } => Command::Change { agent, change },
            Self::Harm { agent, amount } => Command::Harm { agent, amount },
            Self::Danger { shape, amount } => Command::Danger { shape, amount },
            Self::Spawn(agent) => Command::Spawn(agent),
            Self::Remove(agent) => Command::Remove(agent),
            Self::Replace { edit, entry } => Command::Replace { edit: map(edit), entry },
            Self::ReplacePuzzle { puzzle, version, entry } => {
                Command::ReplacePuzzle { puzzle, version, entry }
            }
            Self::Warp { agent, to } => Command::Warp { agent, to },
            Self::OrderGroup { group, order } => Command::OrderGroup { group, order },
            Self::Form { group, formation, spacing } => Command::Form { group, formation, spacing },
            Self::Disband(group) => Command::Disband(group),
        }
    }
}

/// A change of an agent while it runs: see [`Command::Change`](Command::Change).
///
/// ```
/// use glam::Vec3;
/// use wayfare::agent::{AgentLimits, Order};
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AgentChange, AgentSpec, Command, SimulationSettings};
///
/// let grid = Grid::from_rows(&["....................."])?;
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let runner = simulation.add_agent(AgentSpec::new("runner", class, Vec3::new(0.5, 0.0, 0.5)))?;
/// simulation.order(runner, Order::GoTo(Vec3::new(20.5, 0.0, 0.5)));
/// let tired = AgentChange::Limits(AgentLimits { max_speed: 1.0, ..AgentLimits::default() });
/// simulation.schedule(40, Command::Change { agent: runner, change: tired });
/// for _ in 0..60 {
///     simulation.tick();
/// }
/// assert_eq!(simulation.agent(runner).unwrap().speed(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum AgentChange {
    /// Its body moves otherwise. One that is faster than it may be now slows down.
    Limits(AgentLimits),
    /// Its class changes: another profile, with the keys of that class. Refused if an agent of the
    /// new profile cannot be at its position.
    Class(ClassId),
    /// Its keys change: its class becomes the one with its profile and these keys, which is added
    /// if there is none.
    Keys(Keys),
    /// Its behaviours change, and all are restarted. Orders are kept.
    Behaviours(Vec<Behaviour>),
    /// It is on another team.
    Team(TeamId),
    /// Its next paths are by that algorithm; by the planner's own for `None`.
    Algorithm(Option<NamedAlgorithm>),
    /// Its avoidance changes.
    Avoidance(Avoidance),
}
