//! Private parts of the crate.

mod conventions;
mod gltf_write;
mod guess;
mod object;
mod orientation;
mod place;
mod toml_reader;
mod voxel_rows;
mod voxel_text;
