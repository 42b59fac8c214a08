//! What batches compute: one kind a module.

mod bake;
mod bench;
mod checkpoint;
mod curves;
mod curves_picture;
mod generate;
mod level_picture;
mod parameters;
mod places;
mod queries;
mod run;
mod simulate;
mod table_picture;
mod tables;
mod worlds;

pub use bake::{TilePartition, TiledBake};
pub use bench::Bench;
pub use generate::{Generate, Spread};
pub use queries::Queries;
pub use simulate::{Seeds, Simulations};
pub use tables::{Places, Tables};

pub(crate) use places::random;

use arrow::record_batch::RecordBatch;

use crate::plan::{Planning, Slice};
use crate::shard::Solving;
use crate::{BatchError, Results};

/// A kind of work.
pub(crate) trait Kind {
    /// Returns its name, that of its table in a job.
    fn name(&self) -> &'static str;

    /// Returns the noun for what shards are cut from, in the plural. A row is one of them.
    fn items(&self) -> &'static str;

    /// Returns a question in SQL to the table `results` of all rows.
    fn summary(&self) -> Option<&'static str>;

    /// Returns a question in SQL for the number of rows that show a defect of an engine.
    fn wrong(&self) -> Option<&'static str> {
        None
    }

    /// Finds the inputs, and cuts the work into shards. The same inputs give the same shards on
    /// every machine.
    fn slices(&self, planning: &Planning) -> Result<Vec<Slice>, BatchError>;

    /// Computes the rows of a shard, the same ones every time.
    fn solve(&self, solving: &Solving<'_>) -> Result<RecordBatch, BatchError>;

    /// Called once the file of a shard is written: removes what only its solution needed.
    fn written(&self, _solving: &Solving<'_>) -> Result<(), BatchError> {
        Ok(())
    }

    /// Returns the columns whose values differ from run to run.
    fn measured(&self) -> &'static [&'static str] {
        &[]
    }

    /// Makes what all shards give together, pictures and summaries, and returns the names of their
    /// files.
    fn finish(&self, results: &Results<'_>) -> Result<Vec<String>, BatchError>;
}
