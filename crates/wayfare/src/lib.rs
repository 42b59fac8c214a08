//! Navigation for games and simulations.

#[cfg(feature = "geometry")]
pub mod geometry;
pub mod ops;
pub mod path;
pub mod search;
pub mod space;
pub mod trace;

/// What most programs need: `use wayfare::prelude::*;`
pub mod prelude {
    pub use crate::path::Path;
    pub use crate::search::{
        AStar, Algorithm, Bfs, Dijkstra, Goal, Greedy, NoPath, Outcome, Progress, Query, Scratch,
        Search, Solver, WeightedAStar, solve,
    };
    pub use crate::space::{
        Cell, CostTable, Grid, GridError, GridProfile, Space, TerrainCost, TerrainId,
    };
    pub use crate::trace::Trace;
}
