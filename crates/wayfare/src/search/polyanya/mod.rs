//! Searches between points of a navigation mesh.
//!
//! * [`Polyanya`]: a shortest path at any angle. The default.
//! * [`Corridor`]: A* over the middles of edges and a taut line, as in Detour.
//! * The types of all searches on meshes: [`MeshQuery`], [`MeshScratch`], [`MeshAnswer`].
//!
//! They are machines like the searches between states: stepped, limited, traced, repeatable.

mod answer;
mod corridor;
mod expansion;
mod machine;
mod query;
mod scratch;

pub use answer::{MeshAnswer, MeshOutcome};
pub use corridor::{Corridor, CorridorSearch};
pub use machine::{Polyanya, PolyanyaSearch};
pub use query::{MeshLimits, MeshQuery, MeshSearch};
pub use scratch::MeshScratch;
