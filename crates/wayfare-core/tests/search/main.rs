//! Searches over spaces of all kinds: implicit ones, over links, among waypoints.

mod by_name;
mod gate_remedies;
#[path = "../../../wayfare-grid/tests/common/grids.rs"]
mod grids;
mod implicit;
mod line_end;
mod links;
#[path = "../common/oracle.rs"]
mod oracle;
mod stale;
mod waypoint_policies;
mod waypoints;
