//! Agents that move in worlds that change: the planner, bodies on rails, simulations.
//!
//! * [`plan`]: requests by ticket, within a budget of work a tick.
//! * [`agent`]: limits, rails, behaviours, decisions.
//! * [`simulation`]: ticks, commands, events, edits, snapshots, the audit.

pub mod agent;
/// Parts that the upper crates of Wayfare share. No promise.
#[doc(hidden)]
pub mod inside;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod instances;
pub mod plan;
pub mod simulation;
