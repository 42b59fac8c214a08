//! Private parts of the crate.

mod art;
mod clearance;
mod moves;
mod numbers;
mod snapshot;
