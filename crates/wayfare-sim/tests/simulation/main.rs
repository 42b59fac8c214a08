//! Whole simulations under the audit: on grids, waypoint graphs and in voxel worlds, with edits,
//! links and gates, at random.

#[path = "../../../wayfare-grid/tests/common/grids.rs"]
mod grids;
#[path = "../../../wayfare-mesh/tests/common/mesh_fields.rs"]
mod mesh_fields;

mod agents;
mod algorithms;
mod anything;
mod audit;
mod avoidance;
mod change;
mod crowd;
mod danger;
mod dice;
mod edits;
mod game;
#[cfg(feature = "serde")]
mod ground;
mod groups;
mod jams;
mod links;
mod mesh_links;
mod meshes;
mod moving_obstacles;
mod overlaps;
mod pedestrians;
mod people;
mod profiles;
#[cfg(feature = "serde")]
mod puzzle_play;
#[cfg(feature = "serde")]
mod resume;
mod room;
mod sight;
mod steady;
mod support;
#[cfg(feature = "rayon")]
mod threads;
mod voxel_avoidance;
mod wall_sides;
mod waypoint_avoidance;
