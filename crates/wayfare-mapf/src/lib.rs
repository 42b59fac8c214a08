//! Multi-agent path finding on grids: many agents, no collision, ever.
//!
//! Time passes in steps. In a step an agent stays or makes a straight move of the grid. No two
//! agents are at one cell after a step, and no two swap cells in a step.
//!
//! | | |
//! |---|---|
//! | [`Instance`] | a grid, and for each agent a start and a goal |
//! | [`Lacam`] | finds a plan, fast, and finds one whenever there is one |
//! | [`Refiner`] | makes a plan cheaper, as long as it is let |
//! | [`Lifelong`] | agents that get another task at each goal, for ever |
//! | [`validate`] | checks a plan by rules of its own |
//!
//! All of them work within a budget of work at a time, and do the same on every run and target.
//!
//! Agents here are points of a grid; for bodies that walk freely, see the simulations of `wayfare`.

mod distances;
mod instance;
mod lacam;
mod lifelong;
mod pibt;
mod plan;
mod refine;
mod reservations;
mod roadmap;
mod validate;

pub use instance::{Instance, InstanceError};
pub use lacam::{Lacam, Limits, NoPlan, SearchState};
pub use lifelong::Lifelong;
pub use plan::{Plan, PlanCost};
pub use refine::Refiner;
pub use roadmap::{Roadmap, Vertex};
pub use validate::{Conflict, validate};
