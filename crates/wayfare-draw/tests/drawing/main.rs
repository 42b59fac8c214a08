//! Tests of the whole crate.

mod anything;
mod blocks;
mod common;
mod pictures;
