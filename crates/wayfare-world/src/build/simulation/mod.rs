//! Scene to simulation.

mod cast;
mod events;
mod links;
mod setting;
mod staged;

pub use links::SceneLinks;
pub(super) use setting::{Setting, terrains_to};
pub use staged::{Staged, StagedPlace, Staging};
