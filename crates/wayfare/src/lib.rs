//! Navigation for games and simulations: one deterministic search engine over grids, waypoint graphs and voxels, and the agents that walk them.
//!
//! ```
//! use wayfare::prelude::*;
//!
//! let grid = Grid::from_rows(&["....", ".##.", "...."])?;
//! let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
//! match solve(&grid.space(), &AStar::new(), query).outcome {
//!     Outcome::Found(path) => assert_eq!(path.len(), 6),
//!     Outcome::Unreachable { reason, .. } => println!("no path: {reason}"),
//!     other => println!("{other}"),
//! }
//! # Ok::<(), GridError>(())
//! ```
//!
//! * [`space`] has what is searched: [`Grid`](space::Grid) and [`WaypointGraph`](space::WaypointGraph), the traits behind them, and
//!   the profiles of agents.
//! * [`search`] has the algorithms, a file each, and what they share: [`Query`](search::Query), [`Scratch`](search::Scratch),
//!   [`Outcome`](search::Outcome). [`AlgorithmId`](search::AlgorithmId) picks one by name.
//! * [`index`] answers on grids that stay as they are without a search; [`hierarchy`] on grids that change plans over sectors, knows the
//!   first steps at once, and is repaired after an edit.
//! * [`path`] has what comes out: paths, their validation and their refinement.
//! * [`agent`] has bodies that follow paths within their limits, and behaviours that decide where to; [`simulation`] ties them to a
//!   world that changes, its links and a planner, tick by tick.
//! * [`trace`] has what a search did, for pictures and for comparison.
//! * [`link`] has passages, doors and teleports between any two states of any space.
//! * [`plan`] has the [`Planner`](plan::Planner): hundreds of requests, answered within a budget a tick. With the feature `rayon` it
//!   uses threads; with `serde` it can be saved.
//! * `geometry` (feature `geometry`, on by default) has the obstacles of a level: ray casts and swept bodies.
//!
//! For one query call [`solve`](search::solve); for many keep a [`Solver`](search::Solver) per thread; to slice a search over frames or to
//! trace it, [`step`](search::Search::step) it.

pub mod agent;
pub mod explain;
#[cfg(feature = "geometry")]
pub mod geometry;
pub mod hierarchy;
pub mod index;
pub mod link;
pub mod ops;
pub mod path;
pub mod plan;
pub mod search;
pub mod simulation;
pub mod space;
pub mod trace;

/// What most programs need: `use wayfare::prelude::*;`
pub mod prelude {
    pub use crate::agent::{AgentLimits, Behaviour, Order};
    pub use crate::link::{Crossing, Keys, NavLink, NavLinks};
    pub use crate::path::Path;
    pub use crate::plan::{ClassId, Planner, PlannerSettings, Request, Standing, Ticket};
    pub use crate::search::{
        AStar, Algorithm, AlgorithmId, Answer, Auto, Bfs, Dijkstra, Goal, Greedy, Jps, NoPath,
        Outcome, Progress, Query, Scratch, Search, Solver, Stats, WeightedAStar, solve,
    };
    pub use crate::simulation::{AgentSpec, Simulation, SimulationSettings};
    pub use crate::space::voxel::{BlockId, BlockKind, BlockPosition, VoxelSize};
    pub use crate::space::{
        Cell, CostTable, Grid, GridError, GridProfile, ProfileId, Space, StateId, TerrainCost,
        TerrainId, Voxel, VoxelGrid, VoxelProfile, Waypoint, WaypointGraph, WaypointId,
        WaypointLink,
    };
    pub use crate::trace::Trace;
    pub use glam::Vec3;
}

/// The crate of vectors: the points of this one are its [`Vec3`](glam::Vec3) and
/// [`DVec3`](glam::DVec3).
pub use glam;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
