//! Batches of navigation work, cut into shards.
//!
//! A [`Job`] names what to compute and from which files. A [`Plan`] is the job with the hashes of
//! those files, cut into shards. [`solve`] is a pure function from a plan and a number to the rows
//! of one Parquet file, which is named by the hash of all that they depend on. Whoever solves a
//! shard, and however often, the file is there once and has the same rows.
//!
//! ```text
//! results/
//!   plan.json            the job, its inputs and its shards
//!   shards/KEY.parquet   the rows of a shard, written under a temporary name and renamed
//!   checkpoints/KEY      the state of a shard under way; removed with the shard's end
//!   …                    what all shards give together: tables, pictures, a mesh
//!   manifest.json        written last: versions, counts, one hash over all rows
//! ```

mod error;
mod faults;
mod job;
mod kinds;
mod manifest;
mod plan;
mod rows;
mod shard;
mod store;
mod stored_parquet;
mod verify;

pub use error::BatchError;
pub use job::Job;
pub use kinds::{
    Bench, Generate, Places, Queries, Seeds, Simulations, Spread, Tables, TilePartition, TiledBake,
};
pub use manifest::Manifest;
pub use plan::{Input, Plan, Shard};
pub use rows::Notes;
pub use shard::{Progress, Solved, all_solved, solve};
pub use store::{Entry, Store};
pub use verify::{Verified, verify};

pub(crate) use manifest::Results;
