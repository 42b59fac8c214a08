//! The examples in the documentation of the engine's crates, their READMEs and the guides, as
//! tests.
//!
//! Examples are programs of the facade `wayfare`, which lies above those crates: tested in their
//! own crate they would need all crates above it, so that an edit of a grid would compile
//! simulations before any test of a grid ran. `build.rs` gathers them here; all are compiled as one
//! program. The name of a test has the crate, the file and the line of its example.

#[cfg(doctest)]
include!(concat!(env!("OUT_DIR"), "/examples.rs"));
