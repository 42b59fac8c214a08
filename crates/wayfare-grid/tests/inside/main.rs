//! Private parts of the crate, each against a simple statement of its task.

mod accelerator;
mod bits;
mod canonical;
mod clutter;
mod dominance;
#[cfg(feature = "geometry")]
mod geometry;
mod layout;
mod line;
mod moves;
mod rooms;
mod runs;
#[cfg(feature = "geometry")]
mod sample;
mod scan;
mod sign_words;
mod signs;
mod spans;
mod walls;
mod waypoint;
