//! Accelerators: structures derived from the terrain that make searches over grids fast. One file
//! each, and one owner.

pub(crate) mod accelerator;
pub(crate) mod bits;
pub(crate) mod canonical;
pub(crate) mod clutter;
pub(crate) mod dominance;
mod gateways;
mod islands;
mod obstacle_links;
mod open_cells;
mod owner;
mod penalty;
mod pieces;
mod probes;
mod room_build;
mod room_edits;
mod room_links;
mod room_trees;
pub(crate) mod rooms;
pub(crate) mod runs;

pub(crate) mod scan;
pub(crate) mod sign_words;
pub(crate) mod signs;
mod standing;
mod steps;
pub(super) mod terrain_map;

pub(super) use accelerator::{Change, Ground};
pub(super) use owner::{Accelerators, MediumMaps};
pub(super) use rooms::Rooms;
pub(super) use steps::LeastStep;
