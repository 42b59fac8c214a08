//! The planner: a service that answers requests for paths within a budget of expansions a tick.
//!
//! A game submits [`Request`]s at any time, calls [`Planner::tick`] once a frame, and takes the
//! answers by [`Ticket`]. The planner is deterministic: a tick is a function of the requests, the
//! spaces and the budgets, not of clocks or threads. [`TimeBudget`], which turns milliseconds into
//! budgets, stands outside.

mod answers;
mod edits;
mod field_cache;
pub(crate) mod histogram;
mod negative;
mod planner;
mod queue;
mod request;
mod request_table;
mod rounds;
mod settings;
mod slot;
mod snapshot;
mod stats;
mod time_budget;
mod views;

pub use histogram::LatencyHistogram;
pub use planner::Planner;
pub use request::{ClassId, Finished, Lane, Priority, Request, RequestPoints, Standing, Ticket};
pub use settings::PlannerSettings;
pub use snapshot::{PlannerSnapshot, SnapshotError};
pub use stats::{PlannerStats, TickReport};
pub use time_budget::TimeBudget;
pub use wayfare_core::navigate::View;
