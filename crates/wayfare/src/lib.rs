//! Navigation for games and simulations: one deterministic search engine over grids, waypoint
//! graphs, voxel worlds and navigation meshes, and the agents that move in them.
//!
//! ```
//! use wayfare::prelude::*;
//! use wayfare::search::Query;
//!
//! let grid = Grid::from_rows(&["....", ".##.", "...."])?;
//! let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
//! match solve(&grid.space(), &AStar::new(), query).outcome {
//!     Outcome::Found(path) => assert_eq!(path.len(), 5),
//!     Outcome::Unreachable { reason, .. } => println!("no path: {reason}"),
//!     other => println!("{other}"),
//! }
//! # Ok::<(), GridError>(())
//! ```
//!
//! For one query call [`solve`](search::solve). For many, keep a [`Solver`](search::Solver) a
//! thread. To slice a search over frames or to trace it, [`step`](search::Search::step) it.
//!
//! # Spaces
//!
//! | space | made by | agents |
//! |---|---|---|
//! | [`GridSpace`](space::GridSpace) | [`Grid`](space::Grid): tile maps; with `geometry`, sampled levels | 4 or 8 neighbours, any width, costs by terrain, influence |
//! | [`WaypointGraph`](space::WaypointGraph) | placed and linked by hand or by rule | slope and danger costs, one-way links |
//! | [`VoxelSpace`](space::VoxelSpace) | [`VoxelGrid`](space::VoxelGrid): blocks in chunks | walk, jump, fall, swim, climb, fly |
//! | [`NavMeshSpace`](space::navmesh::NavMeshSpace) | [`NavMesh`](space::NavMesh): convex polygons, several floors; [`LiveMesh`](space::navmesh::LiveMesh) for obstacles that come and go | any radius, costs by area |
//! | [`LinkedSpace`](link::LinkedSpace) | [`NavLinks::over`](link::NavLinks::over) any space | with keys for doors |
//! | [`ImplicitGraph`](space::ImplicitGraph) | a closure that names the moves out of a node | puzzles, plans: nodes of any type |
//! | yours | any type with the trait [`Space`](space::Space); the example `hexagons` is one | |
//!
//! # Which engine answers?
//!
//! | question | grid | waypoints | voxels | mesh |
//! |---|---|---|---|---|
//! | a cheapest path | [`Auto`](search::Auto): [`Jps`](search::Jps), or [`AStar`](search::AStar) where influence, blur or links leave nothing to jump over | [`AStar`](search::AStar) | [`Auto`](search::Auto): [`Jps`](search::Jps) in flight, else [`AStar`](search::AStar) | between points [`Polyanya`](search::Polyanya); [`Corridor`](search::Corridor) where areas cost differently (no optimum) |
//! | many of them on a world that never changes | [`index`] | [`Landmarks`](search::Landmarks) | [`Landmarks`](search::Landmarks) | [`Polyanya`](search::Polyanya) |
//! | the first steps at once, the rest later | [`hierarchy`] | | | |
//! | any angle | [`LazyThetaStar`](search::LazyThetaStar) | [`LazyThetaStar`](search::LazyThetaStar) with surroundings | [`LazyThetaStar`](search::LazyThetaStar) | [`Polyanya`](search::Polyanya) |
//! | hundreds of requests, a budget a frame | [`Planner`](plan::Planner) | the same | the same | the same, with a [`MeshEngine`](navigate::MeshEngine) |
//! | what would open a path | [`explain::grid::remedies`] | [`explain::waypoint::remedies`] | [`explain::voxel::why`] | |
//!
//! These take any space. On a mesh they go from the middle of one polygon to that of the next:
//!
//! | question | engine |
//! |---|---|
//! | good enough, with a bound | [`WeightedAStar`](search::WeightedAStar) |
//! | the nearest of several goals | [`nearest_goal`](search::nearest_goal()) |
//! | all costs to or from a place | [`distance_field`](search::distance_field()) |
//! | which way to a shared goal, from anywhere | [`FlowField`](search::FlowField) |
//! | all places within a cost | [`reachable`](search::reachable()) |
//! | the largest island, a random point of it | [`GridSpace::largest_island`](space::GridSpace::largest_island), [`random_cell`](space::GridSpace::random_cell); [`MeshSampler`](space::navmesh::MeshSampler) |
//! | the nearest place that reaches a goal | [`nearest_reachable`](search::nearest_reachable), [`GridSpace::nearest_cell_of`](space::GridSpace::nearest_cell_of), [`nearest_on_island`](space::navmesh::NavMeshSpace::nearest_on_island) |
//! | away from threats | [`flee`](search::flee()) |
//! | the best of what is prepared | [`Navigator`](navigate::Navigator) |
//! | a shut door, a missing key | [`gate_remedies`](link::gate_remedies) |
//! | levers, plates and crates in the way, on grids | [`Puzzle::solve`](puzzle::Puzzle::solve) |
//!
//! [`Auto`](search::Auto) chooses a search for each query, and
//! [`Auto::choose`](search::Auto::choose) says which and why. A [`Navigator`](navigate::Navigator)
//! also asks the index, hierarchy, field or landmarks that it was given, if these still match the
//! space, and reports the engine and the reason. The planner and simulations ask it. A search by
//! name is an [`AlgorithmId`](search::AlgorithmId).
//!
//! # Why did I get no path?
//!
//! Every [`Outcome`](search::Outcome) without a path names its reason; print it.
//!
//! | outcome | cause | remedy |
//! |---|---|---|
//! | [`NoPath::Start`](search::NoPath::Start), [`NoPath::Goal`](search::NoPath::Goal) | no agent of this profile can stand there: off the map, off the mesh, blocked terrain, too narrow, in the air, not loaded | another end ([`grid_end`](navigate::grid_end), [`nearest_point`](space::navmesh::NavMeshSpace::nearest_point)), or another profile |
//! | [`NoPath::DifferentIslands`](search::NoPath::DifferentIslands) | no moves lead from one to the other, known before any search | links; [`Query::approach`](search::Query::approach) leads as near as possible |
//! | [`NoPath::Exhausted`](search::NoPath::Exhausted), [`NoPath::Enclosed`](search::NoPath::Enclosed) | one-way moves, shut gates, a goal that is walled in | [`explain`] |
//! | [`NoPath::NoGoal`](search::NoPath::NoGoal) | an empty list of goals | |
//! | [`Limit::Expansions`](search::Limit::Expansions), [`Limit::Generated`](search::Limit::Generated), [`Limit::Open`](search::Limit::Open), [`Limit::Cost`](search::Limit::Cost) | a limit of the query | raise it, or take [`best_effort`](search::Outcome::best_effort) |
//! | [`Limit::CostRange`](search::Limit::CostRange) | costs above 2³¹ − 1 | [`space_for::<u64>`](space::Grid::space_for) |
//! | [`Interruption::SpaceEdited`](search::Interruption::SpaceEdited) | an edit between two steps | ask again, or [`adopt`](search::Search::adopt) |
//! | [`Interruption::ScratchReused`](search::Interruption::ScratchReused) | two searches in one scratch | a scratch for each |
//!
//! A path that ignores a door: the search ran on the space without its links.
//! A path through a new wall: it is older than the edit, see
//! [`Path::is_stale`](path::Path::is_stale).
//!
//! # Traits
//!
//! | trait | grid | waypoints | voxels | mesh | needed by |
//! |---|---|---|---|---|---|
//! | [`Space`](space::Space) | `u32`, `u64` costs | `u64` | `u32`, `u64` | `u64` | every search |
//! | [`ReverseSpace`](space::ReverseSpace) | yes | yes | yes | yes | bidirectional A*, inward fields, the planner |
//! | [`Expander`](expert::Expander) | pruning, rooms, jumps | plain moves | pruning, jumps in flight | plain moves | fast searches; [`Plain`](space::Plain) does for any space |
//! | [`Metric`](space::Metric) | yes | yes | yes | the estimate alone | heuristics by name, the waypoint policies |
//! | [`LineOfSight`](space::LineOfSight) | uniform-cost ground | along links, or with surroundings | moves that cost their length | ground of one area; pulls paths taut | Lazy Theta*, refinement, agents |
//! | [`MoveRules`](space::MoveRules) | yes | yes | yes | yes | [`path::validate`](path::validate()), the audit |
//! | component labels | yes | yes | no | yes | instant answers for different islands |
//! | [`Environment`](simulation::Environment) | `Grid` | yes | `VoxelGrid` | [`MeshWorld`](simulation::MeshWorld) | simulations; any other space as [`Fixed`](simulation::Fixed) |
//!
//! [`LinkedSpace`](link::LinkedSpace) and references have every trait that the space below has.
//!
//! # Features
//!
//! Grids, waypoint graphs and every search are always there. The rest is added by feature, so that
//! a program compiles what it uses:
//!
//! | feature | adds |
//! |---|---|
//! | `full` | all of those below but `serde` and `rayon` |
//! | `simulation` | [`plan`], [`agent`], [`simulation`], and with them `crowd`, `mesh`, `puzzle`, `voxel` |
//! | `voxel` | voxel worlds |
//! | `mesh` | navigation meshes, and searches on them |
//! | `index` | [`index`], [`hierarchy`], and with them `mesh` |
//! | `puzzle` | [`puzzle`] |
//! | `crowd` | [`crowd`] |
//! | `geometry` | `geometry`, the obstacles of a level: ray casts, swept bodies, grids and links sampled from them |
//! | `serde` | agents, behaviours, snapshots of planners and simulations as data |
//! | `rayon` | threads for the planner, for crowds and for building indexes, with the same results |
//!
//! `serde` and `rayon` apply to the parts that the other features ask for. Features add; none
//! changes a result. The crate `wayfare-formats` reads and writes files,
//! `wayfare-scene` makes spaces and simulations of them, `wayfare-draw` draws, and `wayfare-site`
//! has any world behind one virtual call a query.
//!
//! # Modules
//!
//! * [`space`]: spaces, the traits behind them, profiles of agents.
//! * [`search`]: the algorithms, a file each; query, scratch, outcome.
//! * [`navigate`]: a question, a policy, the engines that answer it, and the one that was taken.
//! * [`index`], [`hierarchy`]: answers on grids from data that is built beforehand.
//! * [`path`]: paths, their validation and refinement.
//! * [`trace`]: records of searches, for pictures and for comparison.
//! * [`explain`]: why there is no path, and which edit would close the last one.
//! * [`link`]: passages, doors and teleports between any two states.
//! * [`puzzle`]: levers, plates, crates, keys, hooks: plans of walks and deeds.
//! * [`plan`]: the planner.
//! * [`agent`], [`simulation`]: bodies within limits, behaviours, and worlds that change, tick by
//!   tick.
//! * [`crowd`]: bodies that avoid each other and the walls, alone or in simulations on grids.
//! * `geometry`: the obstacles of a level.
//! * [`expert`]: for authors of spaces and searches.
//! * [`ops`]: transcendental functions that are the same on every target.

#![cfg_attr(
    not(feature = "full"),
    expect(rustdoc::broken_intra_doc_links, reason = "they lead to what other features add")
)]

#[doc(inline)]
pub use wayfare_core::{expert, hash, ops};
#[cfg(feature = "geometry")]
#[doc(inline)]
pub use wayfare_grid::geometry;
#[cfg(feature = "index")]
#[doc(inline)]
pub use wayfare_index::{hierarchy, index};
#[cfg(feature = "puzzle")]
#[doc(inline)]
pub use wayfare_puzzle as puzzle;
#[cfg(feature = "simulation")]
#[doc(inline)]
pub use wayfare_sim::{agent, plan, simulation};

/// Crowds: bodies that avoid each other and the walls, step by step.
#[cfg(feature = "crowd")]
pub mod crowd {
    pub use wayfare_core::walls::*;
    pub use wayfare_crowd::*;
}

/// Why there is no path, which capability would open one, and what an edit would block.
///
/// Answers take several searches each: they are for messages to a player or a level designer, not
/// for every frame.
pub mod explain {
    pub use wayfare_core::explain::Blockage;
    pub use wayfare_grid::explain::{grid, waypoint};
    #[cfg(feature = "voxel")]
    pub use wayfare_voxel::explain as voxel;
}

/// Navigation links: passages, doors, ladders, teleports and lifts that join any two states of any
/// space.
pub mod link {
    pub use wayfare_core::link::*;
    #[cfg(feature = "mesh")]
    pub use wayfare_mesh::{
        CrossedLink, GroundSearch, MeshStretch, MeshWay, MeshWayAnswer, MeshWaySearch,
    };
}

/// The navigator: one question, many engines.
pub mod navigate {
    pub use wayfare_core::navigate::*;
    pub use wayfare_grid::{OffMap, grid_end};
    #[cfg(feature = "index")]
    pub use wayfare_index::{HierarchyEngine, IndexEngine, MeshIndexEngine};
    #[cfg(feature = "mesh")]
    pub use wayfare_mesh::MeshEngine;
}

/// Paths, their validation and their refinement.
pub mod path {
    pub use wayfare_core::path::*;
    #[cfg(feature = "mesh")]
    pub use wayfare_mesh::{MeshPath, MeshPathFault, validate_mesh_path};
}

/// Searches: one file an algorithm, over any space that has the traits it needs.
pub mod search {
    pub use wayfare_core::search::*;
    #[cfg(feature = "mesh")]
    pub use wayfare_mesh::search::*;
}

/// Searchable spaces: validated, immutable snapshots of a world as one profile sees it.
pub mod space {
    pub use wayfare_core::space::*;
    pub use wayfare_grid::grid::*;
    #[doc(inline)]
    pub use wayfare_grid::waypoint;
    pub use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
    #[cfg(feature = "mesh")]
    #[doc(inline)]
    pub use wayfare_mesh::navmesh;
    #[cfg(feature = "mesh")]
    pub use wayfare_mesh::navmesh::{NavMesh, PolygonId};
    #[cfg(feature = "voxel")]
    #[doc(inline)]
    pub use wayfare_voxel as voxel;
    #[cfg(feature = "voxel")]
    pub use wayfare_voxel::{
        VOXEL_DIAGONAL, VOXEL_SPACE_DIAGONAL, VOXEL_STRAIGHT, Voxel, VoxelGrid, VoxelProfile,
        VoxelSpace,
    };
}

/// Observers of searches, and recorded traces.
pub mod trace {
    pub use wayfare_core::trace::*;
    #[cfg(feature = "mesh")]
    pub use wayfare_mesh::{MeshEvent, MeshObserver, MeshTrace};
}

/// What most programs need: `use wayfare::prelude::*;`
///
/// Without [`Query`](crate::search::Query), whose name the preludes of game engines have for
/// another thing.
pub mod prelude {
    #[cfg(feature = "simulation")]
    pub use crate::agent::{AgentLimits, Behaviour, Order};
    pub use crate::link::{Crossing, Keys, NavLink, NavLinks};
    pub use crate::navigate::{Navigator, Policy, Question};
    pub use crate::path::Path;
    #[cfg(feature = "simulation")]
    pub use crate::plan::{ClassId, Planner, PlannerSettings, Request, Standing, Ticket};
    pub use crate::search::{
        AStar, Algorithm, AlgorithmId, Answer, Auto, Bfs, Dijkstra, Goal, Greedy, Jps, NoPath,
        Outcome, Progress, Scratch, Search, Solver, Stats, WeightedAStar, solve,
    };
    #[cfg(feature = "simulation")]
    pub use crate::simulation::{
        AgentSpec, Avoidance, Command, GridEdit, MeshWorld, Simulation, SimulationSettings,
    };
    #[cfg(feature = "voxel")]
    pub use crate::space::voxel::{BlockId, BlockKind, BlockPosition, VoxelSize};
    pub use crate::space::{
        Cell, CostTable, Grid, GridError, GridProfile, ProfileId, Space, StateId, TerrainCost,
        TerrainId, Waypoint, WaypointGraph, WaypointId, WaypointLink,
    };
    #[cfg(feature = "voxel")]
    pub use crate::space::{Voxel, VoxelGrid, VoxelProfile};
    pub use crate::trace::Trace;
    pub use glam::Vec3;
}

/// The crate of vectors: the points of this one are its [`Vec3`](glam::Vec3) and
/// [`DVec3`](glam::DVec3).
pub use glam;
