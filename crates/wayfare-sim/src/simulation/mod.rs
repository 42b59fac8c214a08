//! Simulations: a world, its links, a planner and agents, moved on tick by tick.
//!
//! [`Simulation`] ties the layers below together. It is a function of its inputs and the count of
//! ticks: the same seed gives the same [hash](Simulation::hash), at any thread count, and after a
//! save and resume.
//!
//! Agents avoid each other where they are [told](AgentSpec::avoidance) to.

mod audit;
mod clock;
mod command;
#[cfg(feature = "serde")]
mod consistency;
mod edits;
mod environment;
mod errands;
mod event;
mod faults;
mod ground;
mod hash;
mod movement;
mod puzzles;
mod roster;
mod schedule;
mod service;
mod session;
mod settings;
#[cfg(feature = "serde")]
pub(crate) mod snapshot;
pub(crate) mod sorted_map;
mod tick;
mod tick_record;
mod traffic;
mod view;

pub use audit::{Audit, AuditFault, Quantity};
pub use command::{Command, CommandOf};
pub use environment::{
    AvoidanceManner, BlockEdit, Editable, Environment, Filled, FilledOf, Fixed, Footprint,
    GraphFill, GraphPlace, GridEdit, MeshEdit, MeshFill, MeshGround, MeshWorld, NoEdit, Shape,
    ShapeBounds, Spaces, Surroundings, WaypointEdit,
};
pub use errands::AgentChange;
pub use event::{Event, TickEvents};
pub use faults::{CommandFault, EditFault, HaltReason, LinkWait, NoWay, Trouble};
pub use ground::CarveId;
pub use ground::moving_obstacles::{CarveWhenStill, MovingObstacle, MovingObstacleView};
pub use ground::places::Spread;
pub use puzzles::{PuzzlePhase, PuzzleSpec, PuzzleView};
pub use roster::evasion::{Avoidance, AvoidanceFault};
pub use roster::ground_speeds::{GroundId, GroundSpeedFault, GroundSpeeds};
pub use roster::groups::{FollowerPlace, GroupFault, GroupSpec, GroupView};
pub use service::Engines;
pub use session::Simulation;
pub use settings::{AgentSpec, SettingsFault, SimulationSettings, SpecError, TooManyClasses};
#[cfg(feature = "serde")]
pub use snapshot::{Contradiction, RestoreError, Snapshot, SnapshotOf};
pub use tick_record::{AgentRecord, LinkRecord, TickRecord};
pub use traffic::jams::JamSettings;
pub use view::{AgentView, LinkView, Stretch};
