//! Voxel worlds: random ones against an independent checker and oracle, and scenes in which one
//! thing decides.

mod edge;
mod halves;
mod jumps;
mod landmarks;
mod large;
mod lines;
mod moves;
#[path = "../../../wayfare-core/tests/common/oracle.rs"]
mod oracle_of_common;
mod random;
mod regions;
mod scenes;
mod times;
