//! Searches between points of a navigation mesh.
//!
//! * [`Polyanya`]: a shortest path at any angle. The default.
//! * [`Corridor`]: A* over the middles of edges and a taut line, as in Detour.
//! * [`MeshField`]: lengths and paths from everywhere to shared goals, the nearest of many, and the
//!   reachable ground.
//! * The types of all searches on meshes: [`MeshQuery`], [`MeshScratch`], [`MeshAnswer`].
//!
//! They are machines like the searches between states: stepped, limited, traced, repeatable.

mod answer;
mod corridor;
mod course;
mod expansion;
mod field;
mod field_path;
mod field_query;
pub(crate) mod machine;
mod mesh_flee;
pub(crate) mod query;
mod scratch;
mod spread;
mod weighed;

pub use answer::{MeshAnswer, MeshOutcome};
pub use corridor::{Corridor, CorridorSearch};
pub use field::{MeshField, NearestTarget, ReachedPolygon};
pub use field_query::{MeshFieldQuery, mesh_field};
pub use machine::{Polyanya, PolyanyaSearch};
pub use mesh_flee::{MeshFleeQuery, MeshFlight, mesh_flee};
pub(crate) use query::preflight as mesh_preflight;
pub use query::{MeshLimits, MeshQuery, MeshSearch};
pub use scratch::MeshScratch;
pub use spread::MeshFieldSearch;
pub use weighed::{WeighedPath, weighed_path};
