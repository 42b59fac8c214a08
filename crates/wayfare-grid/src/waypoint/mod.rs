//! Waypoint graphs: waypoints placed by hand or generated, and the links between them.

mod auto_link;
mod beside;
mod edit;
pub(crate) mod graph;
mod links;
mod locate;
mod parts;
mod place;
#[cfg(feature = "geometry")]
mod probe;
mod profiles;
mod space;
pub(crate) mod spans;
mod surroundings;

pub use auto_link::{AutoLink, AutoLinkCounts, AutoLinkError, AutoLinked};
pub use graph::WaypointGraph;
pub use locate::Approach;
pub use parts::{
    COST_PER_UNIT, MAX_COORDINATE, MAX_COST, Waypoint, WaypointError, WaypointFault, WaypointId,
    WaypointLink, WaypointLinkCost, WaypointLinkFault, Ways,
};
#[cfg(feature = "geometry")]
pub use place::place_at_corners;
pub use place::{PlaceError, Rectangle, place_on_grid, place_poisson, place_random};
#[cfg(feature = "geometry")]
pub use probe::ObstacleProbe;
pub use profiles::{GraphProfileError, MOST_GRAPH_PROFILES};
pub use surroundings::{OpenGround, Surroundings};
