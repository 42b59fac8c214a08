//! Agents: bodies with limits, the rails that they follow, and behaviours that decide where to.
//!
//! Nothing here plans or knows of a world's edits: [`simulation`](crate::simulation) ties agents to
//! a planner, links and a world. A game with a loop of its own can use the parts alone: [`lay`]
//! makes a [`Rail`] of a path, and [`Body::advance`] moves a body along it.
//!
//! Bodies on rails do not avoid each other: that is for a simulation to do, by a
//! [crowd](wayfare_crowd).

mod behaviour;
mod blend;
mod decide;
mod follow;
mod formation;
mod lay;
mod lay_taut;
mod limits;
mod mind;
mod rail;
mod rejoin;
mod swath;

pub use behaviour::{AgentId, Behaviour, BehaviourFault, Order, PatrolOrder, TeamId, Who};
pub use blend::{AnimationClip, BlendError, BlendTree, BlendWeights};
pub use decide::{Activity, Decision, Glimpse, Intent, Sight, Situation, decide};
pub use follow::{Body, Moved};
pub use formation::{Formation, GroupId};
pub use lay::{LayError, RailSpec, Smoothing, lay, lay_over_links};
pub(crate) use lay::{lay_points, leg_length};
pub use limits::{AgentLimits, LimitsFault};
pub use mind::{Mind, Source};
pub use rail::{Anchor, Hold, Leg, Rail, RailEnd};
pub(crate) use swath::Swath;
