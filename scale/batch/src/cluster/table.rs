//! The missing shards of a job as a table with a partition a shard.

use std::fmt;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use datafusion::arrow::array::{AsArray, Float64Array, StringArray, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt64Type};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{
    Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::TryStreamExt;
use wayfare_shards::{BatchError, Plan, Progress, Solved, Store, solve};

/// Shards of the job whose plan is at an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shards {
    pub(super) address: String,
    pub(super) numbers: Vec<u64>,
}

impl Shards {
    /// Returns the columns of a shard: its number, the digest of its rows, their number, the
    /// seconds.
    pub(super) fn schema() -> SchemaRef {
        static SCHEMA: OnceLock<SchemaRef> = OnceLock::new();
        let column = |name: &str, kind| Field::new(name, kind, false);
        let columns = || {
            vec![
                column("shard", DataType::UInt64),
                column("digest", DataType::Utf8),
                column("rows", DataType::UInt64),
                column("seconds", DataType::Float64),
            ]
        };
        SCHEMA.get_or_init(|| Arc::new(Schema::new(columns()))).clone()
    }
}

/// Returns a shard's row.
fn row(solved: Solved) -> Result<RecordBatch> {
    let Solved { shard, digest, rows, seconds, .. } = solved;
    Ok(RecordBatch::try_new(
        Shards::schema(),
        vec![
            Arc::new(UInt64Array::from(vec![shard as u64])),
            Arc::new(StringArray::from(vec![digest])),
            Arc::new(UInt64Array::from(vec![rows])),
            Arc::new(Float64Array::from(vec![seconds])),
        ],
    )?)
}

#[async_trait]
impl TableProvider for Shards {
    fn schema(&self) -> SchemaRef {
        Self::schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _session: &dyn Session,
        _projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        // The numbers are in memory, a partition each. To a task the scheduler gives those of its
        // partitions alone; of leaves that it does not know each task would get all.
        let partitions: Vec<Vec<RecordBatch>> =
            self.numbers.iter().map(|&number| Ok(vec![line(number)?])).collect::<Result<_>>()?;
        let numbers = MemorySourceConfig::try_new_exec(&partitions, numbers_schema(), None)?;
        Ok(Arc::new(SolveShards::new(self.address.clone(), numbers)))
    }
}

fn numbers_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![Field::new("shard", DataType::UInt64, false)]))
}

/// Returns the number of a shard as a row.
fn line(number: u64) -> Result<RecordBatch> {
    let number = Arc::new(UInt64Array::from(vec![number]));
    Ok(RecordBatch::try_new(numbers_schema(), vec![number])?)
}

/// Solves the shards whose numbers are the rows of its input.
#[derive(Clone, Debug)]
pub(super) struct SolveShards {
    pub(super) address: String,
    numbers: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl SolveShards {
    pub(super) fn new(address: String, numbers: Arc<dyn ExecutionPlan>) -> Self {
        let partitions = numbers.properties().output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Shards::schema()),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self { address, numbers, properties: Arc::new(properties) }
    }
}

impl DisplayAs for SolveShards {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SolveShards: {}", self.address)
    }
}

impl ExecutionPlan for SolveShards {
    fn name(&self) -> &'static str {
        "SolveShards"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.numbers]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        // A shard a partition: nothing to be gained from mixing them.
        vec![false]
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match <[_; 1]>::try_from(children) {
            Ok([numbers]) => Ok(Arc::new(Self::new(self.address.clone(), numbers))),
            Err(_) => Err(DataFusionError::Internal("SolveShards has one input".to_owned())),
        }
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
        self.replace_children(children, options)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let numbers = self.numbers.execute(partition, context)?;
        let address = self.address.clone();
        let solved = numbers
            .map_ok(|batch| {
                let numbers = batch.column(0).as_primitive::<UInt64Type>().values().to_vec();
                futures::stream::iter(numbers.into_iter().map(Ok))
            })
            .try_flatten()
            .and_then(move |number| solve_here(address.clone(), number));
        Ok(Box::pin(RecordBatchStreamAdapter::new(Shards::schema(), solved)))
    }
}

/// Solves a shard on a thread of its own kind: it computes for a minute, and the threads here
/// answer the scheduler.
async fn solve_here(address: String, number: u64) -> Result<RecordBatch> {
    let solving = tokio::task::spawn_blocking(move || {
        let store = Store::open(&address)?;
        let plan = Plan::read(&store)?;
        solve(&plan, number as usize, &store, &Progress::default())
    });
    match solving.await {
        Ok(Ok(solved)) => row(solved),
        Ok(Err(BatchError::Store { place, source })) => {
            // The scheduler tries again what failed as I/O.
            let text = format!("shard {number}: {place}: {source}");
            Err(DataFusionError::IoError(std::io::Error::new(source.kind(), text)))
        }
        Ok(Err(error)) => Err(DataFusionError::Execution(format!("shard {number}: {error}"))),
        Err(panicked) => {
            Err(DataFusionError::Execution(format!("shard {number} panicked: {panicked}")))
        }
    }
}
