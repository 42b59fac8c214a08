//! The planner: budgets, answers, order, edits.

mod answers;
mod edits;
#[path = "../common/grids.rs"]
mod grids;
mod limits;
#[expect(dead_code, reason = "the oracle of lengths is not needed here")]
#[path = "../common/mesh_fields.rs"]
mod mesh_fields;
mod meshes;
mod order;
mod repeats;
mod support;
