//! Searches over spaces of all kinds: implicit ones, a user's own, over links, by a navigator.

#[path = "../common/grids.rs"]
mod grids;
mod implicit;
mod limits;
mod links;
mod navigator;
#[path = "../common/oracle.rs"]
mod oracle;
mod own_space;
mod waypoints;
