//! Searches: one file an algorithm, over any space that has the traits it needs.

pub(crate) mod algorithm;
mod algorithms;
mod any_search;
pub(crate) mod astar;
mod auto;
pub(crate) mod best_first;
mod bfs;
mod bidirectional;
mod catalog;
mod course;
mod dijkstra;
mod distance_field;
mod erased;
mod flee;
mod flood;
mod flow_field;
pub(crate) mod greedy;
mod ground_delays;
mod heuristic;
mod idastar;
#[cfg(debug_assertions)]
pub(crate) mod instances;
mod jps;
mod jumps_by;
pub(crate) mod key;
mod label;
pub(crate) mod landmarks;
mod lazy_theta_star;
mod look_back;
pub(crate) mod machine;
pub(crate) mod memories;
mod nearest_goal;
mod node_list;
pub(crate) mod nodes;
pub(crate) mod open;
mod outcome;
mod pocket;
mod query;
mod reachable;
mod repair;
mod scratch;
mod solve;
pub(crate) mod sort;
pub(crate) mod stable_queue;
mod waypoint_policies;
pub(crate) mod weighted_astar;

pub(crate) use algorithm::Listed;
pub use algorithm::{
    Algorithm, AlgorithmInfo, FullSpace, Guarantee, InvalidWeight, Options, Weight,
};
pub use any_search::AnySearch;
pub(crate) use astar::SumPolicy;
pub use astar::{AStar, AStarList};
pub use auto::{Auto, AutoChoice};
pub(crate) use best_first::{BestFirst, ExpansionPolicy};
pub use bfs::Bfs;
pub use bidirectional::{Bidirectional, BidirectionalSearch};
pub use catalog::{AlgorithmId, NamedAlgorithm, UnknownAlgorithm, UnsuitedAlgorithm};
pub use dijkstra::Dijkstra;
pub use distance_field::{
    DistanceField, DistanceFieldSearch, FieldQuery, StateCost, distance_field,
};
pub use flee::{FleeError, FleeQuery, FleeSearch, Flight, FlightOf, Prospect, flee};
pub use flood::{Direction, FieldError};
pub use flow_field::{Flow, FlowField, NoFlow};
pub use greedy::Greedy;
pub use ground_delays::GroundDelays;
pub use heuristic::{Heuristic, NamedHeuristic, Natural, Zero};
pub use idastar::{IdaStar, IdaStarSearch};
pub use jps::{Jps, JpsSearch, JumpPoints};
pub use jumps_by::{JumpsBy, OwnJumps, SharedJps, SharedJumps};
pub(crate) use key::Key;
pub use landmarks::Landmarks;
pub use lazy_theta_star::{LazyThetaStar, LazyThetaStarSearch};
pub use machine::{Progress, Search};
pub(crate) use machine::{is_foregone, preflight};
pub use nearest_goal::{NearestGoal, NearestGoalSearch, nearest_goal, nearest_reachable};
pub(crate) use nodes::{Nodes, Relaxed};
pub(crate) use open::{BucketQueue, Buckets, Fifo, OpenList, PlainList};
pub use outcome::{Answer, AnswerOf, Interruption, Limit, NoPath, Outcome, OutcomeOf, Stats};
pub use query::{Goal, Limits, Query, QueryOf};
pub use reachable::{Reachable, ReachableQuery, ReachableSearch, Reached, reachable};
pub use repair::FieldRepair;
pub use scratch::{Scratch, ScratchOf};
pub use solve::{Solver, solve, solve_erased};
pub(crate) use stable_queue::StableQueue;
pub use waypoint_policies::{
    CostOfMovement, HScore, InverseCostOfMovement, ManhattanDistance, Vector3Distance,
};
pub use weighted_astar::WeightedAStar;
