//! Private parts of the crate: forged files, and hierarchies that follow edits.

mod build;
mod by_hierarchy;
mod file;
mod frame;
mod groups;
mod mesh_file;
