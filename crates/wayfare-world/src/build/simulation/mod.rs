//! Scene to simulation.

mod cast;
mod crowd;
mod events;
mod setting;
mod staged;

pub use staged::{Staged, StagedPlace, Staging};
