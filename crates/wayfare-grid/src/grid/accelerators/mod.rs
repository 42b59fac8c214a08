//! Accelerators: structures derived from the terrain that make searches over grids fast. One file
//! each, and one owner.

mod accelerator;
pub(crate) mod bits;
pub(super) mod canonical;
pub(super) mod dominance;
mod gateways;
mod islands;
mod owner;
mod parts;
mod penalty;
mod rooms;
mod runs;

pub(super) mod scan;
mod sieve;
mod sign_words;
pub(super) mod signs;
mod standing;
mod steps;
pub(super) mod terrain_map;

pub(super) use accelerator::{Change, Ground};
pub(super) use owner::{Accelerators, MediumMaps};
pub(super) use rooms::Rooms;
pub(super) use steps::LeastStep;
