//! Grids: searches, edits, fields, indices and hierarchies, against oracles.

mod edits;
mod fields;
mod flows;
#[path = "../common/grids.rs"]
mod grids;
mod guides;
mod hierarchy;
mod index;
mod jps;
mod jps_benchmarks;
#[path = "../common/oracle.rs"]
mod oracle;
mod refinement;
mod repairs;
mod searches;
mod stale;
