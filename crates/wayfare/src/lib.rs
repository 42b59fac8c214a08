//! Navigation for games and simulations.

pub mod ops;
pub mod path;
pub mod search;
pub mod space;
pub mod trace;
