//! What the rows of all shards say, by SQL.

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::DataFusionError;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use wayfare_shards::{Plan, Store};

use crate::failure::Failure;

/// What the rows say.
#[derive(Default)]
pub(crate) struct Summary {
    /// A table, line by line.
    pub(crate) lines: Vec<String>,
    /// The number of rows that show a defect of an engine.
    pub(crate) wrong: u64,
}

/// Returns the summary of a job by its kind. Nothing for results in a bucket, which is read where
/// it is.
pub(crate) fn of(plan: &Plan, store: &Store) -> Result<Summary, Failure> {
    let mut summary = Summary::default();
    if store.address().contains("://") {
        return Ok(summary);
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let config = SessionConfig::new().with_target_partitions(2);
        let context = SessionContext::new_with_config(config);
        // Only the shards of this plan: the folder may have those of an earlier one.
        let files: Vec<String> =
            (0..plan.shards.len()).map(|it| store.address_of(&plan.file_of(it))).collect();
        let rows = context.read_parquet(files, ParquetReadOptions::default()).await?;
        context.register_table("results", rows.into_view())?;
        if let Some(sql) = plan.job.summary() {
            let table = context.sql(sql).await?.collect().await?;
            let table = pretty_format_batches(&table)?.to_string();
            summary.lines = table.lines().map(str::to_owned).collect();
        }
        if let Some(sql) = plan.job.wrong() {
            for count in context.sql(sql).await?.collect().await? {
                let count =
                    count.column(0).as_primitive::<Int64Type>().values().iter().sum::<i64>();
                summary.wrong += u64::try_from(count).unwrap_or_default();
            }
        }
        Ok::<_, DataFusionError>(())
    })?;
    Ok(summary)
}
