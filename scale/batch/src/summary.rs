//! What the rows of all shards say, by SQL.

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use wayfare_shards::{Plan, Store};

use crate::failure::Failure;

/// Returns the summary of a job's kind as a table, line by line. Nothing for results in a bucket,
/// which is read where it is.
pub(crate) fn of(plan: &Plan, store: &Store) -> Result<Vec<String>, Failure> {
    let (Some(sql), false) = (plan.job.summary(), store.address().contains("://")) else {
        return Ok(Vec::new());
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let batches = runtime.block_on(async {
        let config = SessionConfig::new().with_target_partitions(2);
        let context = SessionContext::new_with_config(config);
        // Only the shards of this plan: the folder may have those of an earlier one.
        let files: Vec<String> =
            (0..plan.shards.len()).map(|it| store.address_of(&plan.file_of(it))).collect();
        let rows = context.read_parquet(files, ParquetReadOptions::default()).await?;
        context.register_table("results", rows.into_view())?;
        context.sql(sql).await?.collect().await
    })?;
    let table =
        pretty_format_batches(&batches).map_err(datafusion::error::DataFusionError::from)?;
    Ok(table.to_string().lines().map(str::to_owned).collect())
}
