//! Scenes: read, refused, played.

mod changes;
mod house;
mod playing;
mod puzzles;
mod reading;
mod refusals;
mod support;
