//! Private parts of the crate, each against a simple statement of its task.

mod contact;
mod hunt;
mod program;
mod volume_program;
