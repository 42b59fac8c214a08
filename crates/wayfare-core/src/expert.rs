//! For those who write spaces and searches of their own: what the built-in ones are made of.
//!
//! Programs that only search do not need this module.
//!
//! * A space names its [`Expander`]. [`Plain`] leaves out nothing; [`Pruning`], [`Guidance`] and
//!   [`Jumping`] are what makes searches over a space fast.
//! * A best-first search is an [`ExpansionPolicy`] and an open list, plugged into [`BestFirst`].
//!   The waypoint policies of [`search`](crate::search) are examples, [`BucketQueue`] is the open
//!   list to take.
//! * [`Nodes`], [`Key`] and the open lists are the tables that a
//!   [`Scratch`](crate::search::Scratch) holds.

pub use crate::search::algorithm::Listed;
pub use crate::search::astar::SumPolicy;
pub use crate::search::best_first::{BestFirst, ExpansionPolicy, HeldOpenList};
pub use crate::search::greedy::GreedyPolicy;
pub use crate::search::key::Key;
pub use crate::search::nodes::{Nodes, Relaxed};
pub use crate::search::open::{BucketQueue, Fifo, OpenList, PlainList};
pub use crate::search::stable_queue::StableQueue;
pub use crate::search::weighted_astar::WeightedPolicy;
pub use crate::space::Plain;
pub use crate::space::expander::{
    Expander, ExpanderMemory, Guidance, GuidanceMemoryOf, GuidanceOf, JumpCourse, JumpVisitor,
    Jumping, JumpingMemoryOf, JumpingOf, Pruning, PruningOf,
};
