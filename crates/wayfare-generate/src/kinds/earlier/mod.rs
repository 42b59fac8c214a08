//! Earlier versions of kinds, so that a seed of theirs still makes its world: one file each.
//!
//! They share the unchanged parts with the last version; the test `golden` checks their hashes.

mod city;
mod platform;
mod terrain;

pub(super) use city::City1;
pub(super) use platform::PLATFORM_1;
pub(super) use terrain::Landscape1;
