//! The planner: budgets, answers, order, edits.

mod answers;
mod edits;
#[path = "../common/grids.rs"]
mod grids;
mod limits;
mod order;
mod repeats;
mod support;
