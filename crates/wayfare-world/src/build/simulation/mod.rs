//! Scene to simulation.

mod cast;
mod crowd;
mod events;
mod links;
mod setting;
mod staged;

pub use links::SceneLinks;
pub use staged::{Staged, StagedPlace, Staging};
