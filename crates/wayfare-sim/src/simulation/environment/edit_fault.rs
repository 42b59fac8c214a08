//! Why an edit of a world is not possible.

use wayfare_core::space::{CostError, ProfileId};
use wayfare_grid::grid::GridError;
use wayfare_grid::waypoint::{WaypointFault, WaypointLinkFault};
use wayfare_mesh::navmesh::AreaCostError;
use wayfare_voxel::BlockPosition;

/// Why an edit of an environment is not possible.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditFault {
    /// The grid has no such layer of influence.
    #[error("there is no such layer of influence")]
    NoSuchLayer,
    /// A value is NaN or infinite.
    #[error("{0} is not a finite number")]
    NotFinite(f32),
    /// A cell lies off the map.
    #[error("a cell lies off the map")]
    OffMap,
    /// The world has no such profile.
    #[error("there is no profile {}", .0.0)]
    NoSuchProfile(ProfileId),
    /// A cost is not as it must be.
    #[error(transparent)]
    Cost(CostError),
    /// The palette has no block with that id.
    #[error("there is no block {0}")]
    NoSuchBlock(u16),
    /// A block lies outside the loaded chunks.
    #[error("the place {0} is off the map or not loaded")]
    NotLoaded(BlockPosition),
    /// The graph has no such waypoint.
    #[error("it names a waypoint that does not exist")]
    NoSuchWaypoint,
    /// The mesh has no polygon with that index.
    #[error("there is no polygon {0}")]
    NoSuchPolygon(u32),
    /// The multiplier of an area is out of range.
    #[error(transparent)]
    AreaCost(#[from] AreaCostError),
    /// A waypoint is not as it must be.
    #[error(transparent)]
    Waypoint(#[from] WaypointFault),
    /// A link between waypoints is not as it must be.
    #[error(transparent)]
    WaypointLink(#[from] WaypointLinkFault),
}

impl EditFault {
    /// Converts a grid's refusal of a cost.
    pub(in crate::simulation) fn of_grid(error: &GridError) -> Self {
        match error {
            GridError::Cost(error) => Self::Cost(*error),
            _ => Self::OffMap,
        }
    }
}
