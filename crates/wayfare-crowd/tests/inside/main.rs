//! Private parts of the crate, each against a simple statement of its task.

mod contact;
mod near;
mod program;
mod volume_near;
mod volume_program;
