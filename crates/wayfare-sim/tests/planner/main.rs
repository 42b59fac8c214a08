//! The planner: budgets, answers, order, edits.

mod answers;
mod edits;
#[path = "../../../wayfare-grid/tests/common/grids.rs"]
mod grids;
mod limits;
#[expect(dead_code, reason = "the oracle of lengths is not needed here")]
#[path = "../../../wayfare-mesh/tests/common/mesh_fields.rs"]
mod mesh_fields;
mod meshes;
mod order;
mod repeats;
mod support;
