//! Searches over spaces of all kinds: implicit ones, a user's own, over links, by a navigator.

mod by_name;
mod gate_remedies;
#[path = "../common/grids.rs"]
mod grids;
mod implicit;
mod limits;
mod line_end;
mod links;
mod navigator;
#[path = "../common/oracle.rs"]
mod oracle;
mod own_space;
mod waypoint_policies;
mod waypoints;
