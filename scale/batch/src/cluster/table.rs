//! The missing shards of a job as a table with a partition a shard.

use std::fmt;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use datafusion::arrow::array::{Float64Array, StringArray, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{
    Boundedness, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use wayfare_shards::{BatchError, Plan, Progress, Solved, Store, solve};

/// Shards of the job whose plan is at an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shards {
    pub(super) address: String,
    pub(super) numbers: Vec<u64>,
}

impl Shards {
    /// Returns the columns of a shard: its number, the digest of its rows, their number, the seconds.
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
        Ok(Arc::new(SolveShards::new(self.clone())))
    }
}

/// Solves the shards: a partition each.
#[derive(Clone, Debug)]
pub(super) struct SolveShards {
    pub(super) shards: Shards,
    properties: Arc<PlanProperties>,
}

impl SolveShards {
    pub(super) fn new(shards: Shards) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Shards::schema()),
            Partitioning::UnknownPartitioning(shards.numbers.len()),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Self { shards, properties: Arc::new(properties) }
    }
}

impl DisplayAs for SolveShards {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SolveShards: {} of {}", self.shards.numbers.len(), self.shards.address)
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
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(
        &self,
        partition: usize,
        _context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let Shards { address, numbers } = self.shards.clone();
        let Some(&number) = numbers.get(partition) else {
            return Err(DataFusionError::Internal(format!("there is no partition {partition}")));
        };
        let solved = async move {
            // A shard computes for a minute: not on the threads that answer the scheduler.
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
                Ok(Err(error)) => {
                    Err(DataFusionError::Execution(format!("shard {number}: {error}")))
                }
                Err(panicked) => {
                    Err(DataFusionError::Execution(format!("shard {number} panicked: {panicked}")))
                }
            }
        };
        let stream = futures::stream::once(solved);
        Ok(Box::pin(RecordBatchStreamAdapter::new(Shards::schema(), stream)))
    }
}
