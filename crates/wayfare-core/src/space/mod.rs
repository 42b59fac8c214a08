//! Searchable spaces: validated, immutable snapshots of a world as one profile sees it.

mod avoiding;
pub(crate) mod components;
mod cost;
pub(crate) mod expander;
pub(crate) mod guide;
mod implicit;
mod influence_rule;
pub(crate) mod jump_ends;
mod plain;
mod profile_id;
mod reference;
pub(crate) mod regions;
pub(crate) mod state;
mod sweep;
pub(crate) mod terrain;
mod traits;

pub use avoiding::Avoiding;
pub use cost::{Cost, DIAGONAL, STRAIGHT};
pub(crate) use expander::{
    Expander, ExpanderMemory, ExpanderMemoryOf, Guidance, GuidanceMemoryOf, GuidanceOf, JumpCourse,
    JumpVisitor, Jumping, JumpingMemoryOf, JumpingOf, LINE_SCANS, Pruning, PruningOf, SCANS_A_UNIT,
};
pub use implicit::{BothWays, ImplicitGraph, ImplicitState, OneWay, ToCondition};
pub use influence_rule::InfluenceRule;
pub use plain::Plain;
pub use profile_id::ProfileId;
pub use state::{Revision, StateId};
pub use sweep::{Bar, OpenSwath, Sweep};
pub use terrain::{CostError, CostTable, Medium, NegativeCosts, TerrainCost, TerrainId};
pub use traits::{
    Action, Edge, EdgeOf, IllegalMove, LineOfSight, Measure, Metric, MoveRules, Obstruction,
    Reachability, ReverseSpace, Space,
};
