//! Scene to simulation.

mod cast;
mod events;
mod land;
mod later_puzzles;
mod links;
mod mesh_setting;
mod setting;
mod staged;

pub(super) use land::point as spot_point;
pub use links::SceneLinks;
pub(super) use mesh_setting::profile_of;
pub(super) use setting::{Setting, terrains_to};
pub use staged::{Staged, StagedBarrier, StagedGround, StagedPlace, Staging};
