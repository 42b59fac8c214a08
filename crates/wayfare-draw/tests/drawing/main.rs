//! Tests of the whole crate.

mod anything;
mod common;
mod pictures;
