//! Private parts of the crate, each against a simple statement of its task.

mod dice;
mod lengths;
mod passage;
mod runs;
mod walk;
