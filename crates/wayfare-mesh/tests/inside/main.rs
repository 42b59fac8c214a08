//! Private parts of the crate, each against a simple statement of its task.

mod carve;
mod index_set;
