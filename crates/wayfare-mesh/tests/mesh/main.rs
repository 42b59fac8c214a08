//! Navigation meshes: building, carving, live edits, queries, searches and paths.

mod build;
mod carving;
mod clearance;
mod fields;
mod judges;
mod links;
mod live;
#[path = "../common/mesh_fields.rs"]
mod mesh_fields;
mod of_grid;
mod paths;
mod queries;
mod searches;
mod swaths;
mod worlds;
