//! Jobs in a folder of their own.

#![allow(dead_code, reason = "each test uses some of it")]

use std::path::{Path, PathBuf};

use arrow::array::AsArray;
use arrow::record_batch::RecordBatch;
use tempfile::TempDir;
use wayfare_shards::{BatchError, Manifest, Plan, Progress, Store, solve};

/// The folder with the sample worlds of the project.
pub(crate) fn worlds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds").canonicalize().unwrap()
}

/// A job in a folder of its own.
pub(crate) struct Job {
    pub(crate) folder: TempDir,
    pub(crate) file: PathBuf,
}

impl Job {
    /// Writes the file of a job; `WORLDS` stands for the folder of sample worlds.
    pub(crate) fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("job.toml");
        let text = text.replace("WORLDS", &worlds().display().to_string());
        std::fs::write(&file, text).unwrap();
        Self { folder, file }
    }

    pub(crate) fn plan(&self) -> Plan {
        Plan::of(&self.file).unwrap()
    }

    pub(crate) fn fault(&self) -> String {
        Plan::of(&self.file).unwrap_err().to_string()
    }

    pub(crate) fn store(&self) -> Store {
        Store::open(&self.plan().output(&self.file)).unwrap()
    }

    /// Plans the job and solves all its shards, the last one first.
    pub(crate) fn run(&self) -> Result<(Plan, Store, Manifest), BatchError> {
        let (plan, store) = (self.plan(), self.store());
        plan.write(&store)?;
        for shard in (0..plan.shards.len()).rev() {
            solve(&plan, shard, &store, &Progress::default())?;
        }
        let manifest = Manifest::write(&plan, &store)?;
        Ok((plan, store, manifest))
    }
}

/// Returns all rows, in the order of the shards.
pub(crate) fn rows(plan: &Plan, store: &Store) -> Vec<RecordBatch> {
    let read = |shard| store.rows(&plan.file_of(shard), 0, 1 << 40).unwrap();
    (0..plan.shards.len()).flat_map(read).collect()
}

/// Returns a column of text, over all batches.
pub(crate) fn texts(batches: &[RecordBatch], name: &str) -> Vec<String> {
    let column = |batch: &RecordBatch| {
        let column = batch.column_by_name(name).unwrap().as_string::<i32>().clone();
        column.iter().map(|text| text.unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    batches.iter().flat_map(column).collect()
}

/// Returns a column of numbers, NaN where there is none.
pub(crate) fn numbers(batches: &[RecordBatch], name: &str) -> Vec<f64> {
    let column = |batch: &RecordBatch| {
        let column = arrow::compute::cast(
            batch.column_by_name(name).unwrap(),
            &arrow::datatypes::DataType::Float64,
        );
        let column = column.unwrap();
        let column = column.as_primitive::<arrow::datatypes::Float64Type>();
        column.iter().map(|number| number.unwrap_or(f64::NAN)).collect::<Vec<_>>()
    };
    batches.iter().flat_map(column).collect()
}

/// Plans an example of the project.
pub(crate) fn example(name: &str) -> Plan {
    Plan::of(&worlds().join("../scale/examples").join(name)).unwrap()
}
