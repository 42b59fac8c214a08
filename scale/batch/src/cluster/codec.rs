//! The table of shards, and its scan, as bytes between machines.

use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use super::table::{Shards, SolveShards};

/// What the bytes of this crate begin with; Ballista's own do not.
const MAGIC: &[u8] = b"wayfare shards 1\n";

/// Encodes [`Shards`], and [`SolveShards`] as their address; leaves all else to Ballista.
#[derive(Default, Debug)]
pub(super) struct Codec {
    logical: BallistaLogicalExtensionCodec,
    physical: BallistaPhysicalExtensionCodec,
}

impl Codec {
    pub(super) fn shared() -> Arc<Self> {
        Arc::default()
    }
}

fn encode(shards: &Shards, buffer: &mut Vec<u8>) {
    buffer.extend(MAGIC);
    buffer.extend((shards.address.len() as u64).to_le_bytes());
    buffer.extend(shards.address.as_bytes());
    shards.numbers.iter().for_each(|number| buffer.extend(number.to_le_bytes()));
}

/// Returns the shards in bytes; `None` if they are not of [`encode`].
fn decode(bytes: &[u8]) -> Option<Result<Shards>> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let whole = || {
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (address, numbers) =
            rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        let (numbers, []) = numbers.as_chunks::<8>() else { return None };
        Some(Shards {
            address: String::from_utf8(address.to_vec()).ok()?,
            numbers: numbers.iter().map(|number| u64::from_le_bytes(*number)).collect(),
        })
    };
    let damaged = || DataFusionError::Plan("a list of shards is damaged".to_owned());
    Some(whole().ok_or_else(damaged))
}

impl LogicalExtensionCodec for Codec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[LogicalPlan],
        context: &TaskContext,
    ) -> Result<Extension> {
        self.logical.try_decode(bytes, inputs, context)
    }

    fn try_encode(&self, node: &Extension, buffer: &mut Vec<u8>) -> Result<()> {
        self.logical.try_encode(node, buffer)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        name: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        match decode(bytes) {
            Some(shards) => Ok(Arc::new(shards?)),
            None => self.logical.try_decode_table_provider(bytes, name, schema, context),
        }
    }

    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        buffer: &mut Vec<u8>,
    ) -> Result<()> {
        let any: &dyn std::any::Any = table.as_ref();
        match any.downcast_ref::<Shards>() {
            Some(shards) => {
                encode(shards, buffer);
                Ok(())
            }
            None => self.logical.try_encode_table_provider(name, table, buffer),
        }
    }
}

impl PhysicalExtensionCodec for Codec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match decode(bytes) {
            Some(shards) => match inputs {
                [numbers] => Ok(Arc::new(SolveShards::new(shards?.address, numbers.clone()))),
                _ => Err(DataFusionError::Plan("SolveShards has one input".to_owned())),
            },
            None => self.physical.try_decode(bytes, inputs, context, converter),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buffer: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let any: &dyn std::any::Any = node.as_ref();
        match any.downcast_ref::<SolveShards>() {
            Some(solve) => {
                let address = solve.address.clone();
                encode(&Shards { address, numbers: Vec::new() }, buffer);
                Ok(())
            }
            None => self.physical.try_encode(node, buffer, converter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_the_same_after_a_journey() {
        let shards =
            Shards { address: "s3://somewhere/π".to_owned(), numbers: vec![0, 7, u64::MAX] };
        let mut bytes = Vec::new();
        encode(&shards, &mut bytes);
        assert_eq!(decode(&bytes).unwrap().unwrap(), shards);
        assert!(decode(b"anything else").is_none());
        for length in MAGIC.len()..bytes.len() {
            if (bytes.len() - length) % 8 > 0 {
                assert!(decode(&bytes[..length]).unwrap().is_err(), "{length} bytes");
            }
        }
    }
}
