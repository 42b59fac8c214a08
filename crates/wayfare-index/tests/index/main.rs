//! Indexes and hierarchies against searches; the navigator over all engines; limits of all of them.

#[path = "../../../wayfare-grid/tests/common/grids.rs"]
mod grids;
mod grids_edited;
mod grids_indexed;
mod grids_repaired;
mod hierarchy;
mod instances;
mod jps_benchmarks;
mod limits;
#[path = "../../../wayfare-mesh/tests/common/mesh_fields.rs"]
mod mesh_fields;
mod meshes;
mod meshes_edited;
mod navigator;
