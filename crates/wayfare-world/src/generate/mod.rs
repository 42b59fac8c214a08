//! Worlds made by rule and seed: the same arguments give the same world on every machine.

mod cave;
mod city;
mod hills;
mod maze;
mod noise;
mod open_ground;
mod queries;

pub use cave::cave;
pub use city::city;
pub use hills::hills;
pub use maze::maze;
pub use noise::noise;
pub use queries::{RandomQuery, random_queries};
