//! Grids: searches, edits and fields, against oracles.

mod edits;
mod fields;
mod flows;
#[path = "../common/grids.rs"]
mod grids;
mod guides;
mod jps;
#[path = "../../../wayfare-core/tests/common/oracle.rs"]
mod oracle;
mod refinement;
mod repairs;
mod searches;
