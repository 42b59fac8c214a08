//! Private parts of the crate, each against a simple statement of its task.

mod ball;
mod bits;
mod canonical;
mod chunk;
mod cost;
mod layout;
mod relief;
mod steps;
mod volume;
