//! Simulations: a world, its links, a planner and agents, moved on tick by tick.
//!
//! [`Simulation`] ties the layers below together. It is a function of its inputs and the count of
//! ticks: the same seed gives the same [hash](Simulation::hash), at any thread count, and after a
//! save and resume.
//!
//! Agents avoid each other where they are [told](AgentSpec::avoidance) to.
//!
//! # Parts
//!
//! A simulation consists of parts that do not know each other, or only those above them here:
//!
//! | module | is about | knows |
//! |---|---|---|
//! | `environment` | worlds: spaces, surroundings, edits; engines | |
//! | `clock`, `schedule` | the tick; commands for later ticks | |
//! | `roster` | agents, classes, groups: who is there | worlds, clock |
//! | `ground` | the world, links, obstacles: changes, and what they take | roster |
//! | `service` | planner, engines: requests and answers | roster, ground |
//! | `traffic` | links in use, bodies, jams: who is in whose way | roster, ground |
//! | `puzzles` | puzzles and their agents | roster, schedule |
//!
//! Above them `errands` lets agents get where they want to be; it reads the ground, and changes
//! roster, service and links in use. `movement` moves bodies. `tick` and `edits` call all of these
//! in order; `session` is the face for callers.

mod audit;
mod avoidance;
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
mod group_spec;
mod hash;
mod movement;
mod obstacle;
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

pub use audit::{Audit, AuditFault, Overlap, Quantity};
pub use avoidance::{Avoidance, AvoidanceFault};
pub use command::{AgentChange, Command, CommandOf};
pub use environment::{
    AvoidanceManner, BlockEdit, CarveId, EditFault, Editable, Engines, Environment, Filled,
    FilledOf, Fixed, Footprint, GraphFill, GraphPlace, GridEdit, GroundId, MeshEdit, MeshFill,
    MeshGround, MeshWorld, NoEdit, Shape, ShapeBounds, Spaces, Surroundings, WaypointEdit,
};
pub use event::{Event, TickEvents};
pub use faults::{CommandFault, HaltReason, LinkWait, NoWay, Trouble};
pub use ground::places::Spread;
pub use group_spec::{GroupFault, GroupSpec};

pub use obstacle::{CarveWhenStill, MovingObstacle, MovingObstacleView};
pub use puzzles::{PuzzleId, PuzzlePhase, PuzzleSpec, PuzzleView, Unsolved};
pub use roster::ground_speeds::{GroundSpeedFault, GroundSpeeds};
pub use roster::groups::{FollowerPlace, GroupView};
pub use session::Simulation;
pub use settings::{
    AgentSpec, JamSettings, SettingsFault, SimulationSettings, SpecError, TooManyClasses,
};
#[cfg(feature = "serde")]
pub use snapshot::{Contradiction, RestoreError, Snapshot, SnapshotOf};
pub use tick_record::{AgentRecord, LinkRecord, TickRecord};
pub use view::{AgentView, LinkView, Stretch};
