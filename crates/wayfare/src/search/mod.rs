//! Searches: one file an algorithm, over any space that has the traits it needs.

mod algorithm;
mod astar;
mod auto;
mod best_first;
mod bfs;
mod bidirectional;
mod catalog;
mod dijkstra;
mod distance_field;
mod flee;
mod flood;
mod greedy;
mod heuristic;
mod idastar;
mod jps;
mod key;
mod landmarks;
mod lazy_theta_star;
mod machine;
mod memories;
mod nearest_goal;
mod nodes;
mod open;
mod outcome;
mod pocket;
mod query;
mod reachable;
mod scratch;
mod solve;
mod waypoint_policies;
mod weighted_astar;

pub use algorithm::{
    Algorithm, AlgorithmInfo, FullSpace, Guarantee, InvalidWeight, Listed, Options, Weight,
};
pub use astar::{AStar, AStarList, SumPolicy};
pub use auto::{Auto, Choice};
pub use best_first::{BestFirst, HeldOpenList, Policy};
pub use bfs::Bfs;
pub use bidirectional::{Bidirectional, BidirectionalSearch};
pub use catalog::{AlgorithmId, AnySearch, UnknownAlgorithm};
pub use dijkstra::Dijkstra;
pub use distance_field::{DistanceField, DistanceFieldSearch, FieldQuery, distance_field};
pub use flee::{FleeError, FleeQuery, FleeSearch, Flight, FlightOf, Prospect, flee};
pub use flood::{Direction, FieldError};
pub use greedy::{Greedy, GreedyPolicy};
pub use heuristic::{Heuristic, NamedHeuristic, Natural, Zero};
pub use idastar::{IdaStar, IdaStarSearch};
pub use jps::{Jps, JpsSearch};
pub use key::Key;
pub use landmarks::Landmarks;
pub use lazy_theta_star::{LazyThetaStar, LazyThetaStarSearch};
pub use machine::{Progress, Search};
pub(crate) use machine::{is_foregone, preflight};
pub use nearest_goal::{NearestGoal, NearestGoalSearch, nearest_goal, nearest_reachable};
pub use nodes::{Nodes, Relaxed};
pub(crate) use open::Buckets;
pub use open::{BucketQueue, Fifo, OpenList, PlainList};
pub use outcome::{Answer, AnswerOf, Interruption, Limit, NoPath, Outcome, OutcomeOf, Stats};
pub use query::{Goal, Limits, Query, QueryOf};
pub use reachable::{Reachable, ReachableQuery, ReachableSearch, Reached, reachable};
pub use scratch::{Scratch, ScratchOf};
pub use solve::{Solver, solve};
pub use waypoint_policies::{
    CostOfMovement, HScore, InverseCostOfMovement, ManhattanDistance, Vector3Distance,
};
pub use weighted_astar::{WeightedAStar, WeightedPolicy};
