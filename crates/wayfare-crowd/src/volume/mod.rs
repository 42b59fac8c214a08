//! Bodies that fly or swim: what differs in three axes.
//!
//! A step is that of a crowd on the ground, with balls for discs and half spaces for half planes.
//! Walls are given by their points near a body; a move is proved by the space.

mod cells;
mod orca;
mod program;
pub(crate) mod step;
