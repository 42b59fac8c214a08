//! The command as a user meets it: the binary, its output and its exit codes.

mod batch;
mod bench;
mod formats;
mod generate;
mod inputs;
mod mapf;
mod reasons;
mod replay;
mod routes;
mod simulate;
mod studio;
mod support;
mod surface;
mod voxels;
mod waypoints;
