//! Searchable spaces: validated, immutable snapshots of a world as one profile sees it.

mod components;
mod cost;
mod state;
mod traits;

pub use cost::{Cost, DIAGONAL, STRAIGHT};
pub use state::{Revision, StateId};
pub(crate) use state::state_id;
pub use traits::{
    Action, Edge, EdgeOf, IllegalMove, LineOfSight, Measure, Metric, MoveRules, Obstruction, Reachability,
    ReverseSpace, Space,
};
