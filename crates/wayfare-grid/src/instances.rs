//! Instances of the searches over the spaces of this crate: see the module of that name in core.

use wayfare_core::inside::instances;
use wayfare_core::link::LinkedSpace;

use crate::grid::GridSpace;
use crate::waypoint::WaypointGraph;

/// Instantiates the searches.
pub fn searches() {
    instances::<GridSpace<'static, u32>>();
    instances::<GridSpace<'static, u64>>();
    instances::<&'static WaypointGraph>();
    instances::<LinkedSpace<'static, GridSpace<'static>>>();
}
