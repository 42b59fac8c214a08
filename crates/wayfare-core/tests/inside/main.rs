//! Private parts of the crate, each against a simple statement of its task.

mod catalog;
mod components;
mod cost;
mod filter;
mod hash;
mod hull;
mod key;
mod landmarks;
mod memories;
mod nodes;
mod open;
mod round;
mod simplify;
mod smooth;
mod sort;
mod stable_queue;
mod sweep;
mod terrain;
