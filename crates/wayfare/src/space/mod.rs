//! Searchable spaces: validated, immutable snapshots of a world as one profile sees it.

mod avoiding;
mod components;
mod cost;
pub(crate) mod expander;
mod grid;
mod guide;
mod implicit;
mod influence_rule;
mod jump_ends;
pub mod navmesh;
mod plain;
mod profile_id;
mod reference;
pub(crate) mod regions;
mod state;
pub(crate) mod terrain;
mod traits;
pub mod voxel;
pub mod waypoint;

pub use avoiding::Avoiding;
pub use cost::{Cost, DIAGONAL, STRAIGHT};
pub(crate) use expander::{
    Arrival, Expander, ExpanderMemory, ExpanderMemoryOf, Guidance, GuidanceMemoryOf, GuidanceOf,
    JumpVisitor, Jumping, JumpingMemoryOf, JumpingOf, LINE_SCANS, NOTED_SCANS, Pruning, PruningOf,
    SCANS_A_UNIT,
};
pub(crate) use grid::{BitMap, Layout};
pub use grid::{
    Cell, CellPosition, CornerRule, Frame, GatewayEnds, Grid, GridEditReport, GridError,
    GridProfile, GridSpace, InfluenceId, InfluenceLayer, MAX_SIDE, Neighbours,
};
#[cfg(feature = "geometry")]
pub use grid::{GridSampling, SampledBody};
pub use implicit::{BothWays, ImplicitGraph, ImplicitState, OneWay, ToCondition};
pub use influence_rule::InfluenceRule;
pub(crate) use jump_ends::{EndsOf, JumpEnds};
pub use navmesh::{NavMesh, PolygonId};
pub use plain::Plain;
pub use profile_id::ProfileId;
pub(crate) use state::state_id;
pub use state::{Revision, StateId};
pub use terrain::{CostError, CostTable, Medium, NegativeCosts, TerrainCost, TerrainId};
pub use traits::{
    Action, Edge, EdgeOf, IllegalMove, LineOfSight, Measure, Metric, MoveRules, Obstruction,
    Reachability, ReverseSpace, Space,
};
pub use voxel::{
    VOXEL_DIAGONAL, VOXEL_SPACE_DIAGONAL, VOXEL_STRAIGHT, Voxel, VoxelGrid, VoxelProfile,
    VoxelSpace,
};
pub use waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
