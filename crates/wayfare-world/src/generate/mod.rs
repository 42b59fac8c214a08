//! Worlds and queries by rule and seed: the same arguments give the same on every machine.
//!
//! Caves, cities, mazes and more are made by the crate `wayfare-generate`.

mod noise;
mod queries;

pub use noise::noise;
pub use queries::{RandomQuery, random_queries};

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// The random numbers of all of them: a small generator whose numbers never change.
fn random(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}
