//! Private parts of the crate, and forged snapshots.

mod blend;
#[cfg(feature = "serde")]
mod forgeries;
mod histogram;
mod limits;
mod rail;
mod shape;
mod sorted_map;
