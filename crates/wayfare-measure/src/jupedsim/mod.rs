//! Trajectories as JuPedSim writes them, for its tools and for PedPy.

#[cfg(feature = "sqlite")]
mod sqlite;
mod text;

#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteError, SqliteTrajectories};
pub use text::{PersonSample, TextTrajectories};
