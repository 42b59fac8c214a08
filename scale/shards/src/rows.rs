//! Rows as Parquet, and the digest of their values.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::concat_batches;
use arrow::datatypes::{
    DataType, Field, Float32Type, Float64Type, Int64Type, Schema, SchemaRef, UInt32Type, UInt64Type,
};
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use crate::BatchError;

/// Notes in the footer of a shard's file, by name.
pub type Notes = BTreeMap<String, String>;

/// Rows in a group of a file: what a reader of a slice decodes at least.
const ROWS_IN_A_GROUP: usize = 262_144;

/// Returns columns as rows. All have one length.
pub(crate) fn rows(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, column)| Field::new(*name, column.data_type().clone(), true))
        .collect();
    let columns = columns.into_iter().map(|(_, column)| column).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
        .expect("the columns of a kind have one length")
}

/// Returns rows as a Parquet file with notes in its footer. The same rows and notes give the same
/// bytes.
pub(crate) fn encode(rows: &RecordBatch, notes: &Notes) -> Result<Vec<u8>, BatchError> {
    let mut encoder = Encoder::new(&rows.schema(), notes)?;
    encoder.write(rows)?;
    encoder.finish()
}

/// A Parquet file that is made batch by batch.
pub(crate) struct Encoder(ArrowWriter<Vec<u8>>);

impl Encoder {
    /// Begins a file with notes in its footer.
    pub(crate) fn new(schema: &SchemaRef, notes: &Notes) -> Result<Self, BatchError> {
        let notes = notes.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).expect("1 is a level")))
            .set_max_row_group_row_count(Some(ROWS_IN_A_GROUP))
            .set_key_value_metadata(Some(notes.collect()))
            .build();
        let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties));
        writer.map(Self).map_err(unwritable)
    }

    /// Adds rows of the file's columns.
    pub(crate) fn write(&mut self, rows: &RecordBatch) -> Result<(), BatchError> {
        self.0.write(rows).map_err(unwritable)
    }

    /// Returns the file.
    pub(crate) fn finish(self) -> Result<Vec<u8>, BatchError> {
        self.0.into_inner().map_err(unwritable)
    }
}

fn unwritable(error: ParquetError) -> BatchError {
    BatchError::faulty("rows of a Parquet file", error)
}

/// Returns batches of one schema as one.
pub(crate) fn joined(batches: &[RecordBatch]) -> Option<RecordBatch> {
    let schema = batches.first()?.schema();
    concat_batches(&schema, batches).ok()
}

/// Returns the digest of the values of rows, in hexadecimal, without the `measured` columns: their
/// values differ from run to run.
pub(crate) fn digest(rows: &RecordBatch, measured: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for (field, column) in rows.schema().fields().iter().zip(rows.columns()) {
        if !measured.contains(&field.name().as_str()) {
            hasher.update(field.name().as_bytes());
            hasher.update(&[0]);
            feed(&mut hasher, column.as_ref());
        }
    }
    hasher.finalize().to_hex().to_string()
}

fn feed(hasher: &mut blake3::Hasher, column: &dyn Array) {
    hasher.update(&(column.len() as u64).to_le_bytes());
    // A value that is absent has no bytes.
    macro_rules! numbers {
        ($kind:ty) => {{
            let mut bytes = Vec::with_capacity(9 * column.len());
            for value in column.as_primitive::<$kind>() {
                bytes.push(u8::from(value.is_some()));
                bytes.extend(value.map(|value| value.to_le_bytes()).into_iter().flatten());
            }
            hasher.update(&bytes);
        }};
    }
    let mut words = |value: Option<&[u8]>| {
        hasher.update(&value.map_or(u64::MAX, |value| value.len() as u64).to_le_bytes());
        hasher.update(value.unwrap_or_default());
    };
    match column.data_type() {
        DataType::Boolean => {
            let bytes = column.as_boolean().iter().map(|value| value.map_or(2, u8::from));
            hasher.update(&bytes.collect::<Vec<u8>>());
        }
        DataType::UInt32 => numbers!(UInt32Type),
        DataType::UInt64 => numbers!(UInt64Type),
        DataType::Int64 => numbers!(Int64Type),
        DataType::Float32 => numbers!(Float32Type),
        DataType::Float64 => numbers!(Float64Type),
        DataType::Utf8 => {
            column.as_string::<i32>().iter().for_each(|value| words(value.map(str::as_bytes)));
        }
        DataType::Binary => column.as_binary::<i32>().iter().for_each(words),
        DataType::List(_) => {
            for value in column.as_list::<i32>().iter() {
                match value {
                    Some(value) => feed(hasher, value.as_ref()),
                    None => _ = hasher.update(&u64::MAX.to_le_bytes()),
                }
            }
        }
        other => unreachable!("no kind of job has columns of {other}"),
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{Float64Array, StringArray, UInt64Array};

    use super::*;

    fn sample(costs: Vec<Option<u64>>, seconds: f64) -> RecordBatch {
        let count = costs.len();
        rows(vec![
            ("cost", Arc::new(UInt64Array::from(costs))),
            ("status", Arc::new(StringArray::from(vec!["found"; count]))),
            ("seconds", Arc::new(Float64Array::from(vec![seconds; count]))),
        ])
    }

    #[test]
    fn a_digest_is_of_values_and_not_of_measurements() {
        let one = digest(&sample(vec![Some(1), None], 0.5), &["seconds"]);
        assert_eq!(one, digest(&sample(vec![Some(1), None], 0.7), &["seconds"]));
        assert_ne!(one, digest(&sample(vec![Some(1), Some(0)], 0.5), &["seconds"]));
        assert_ne!(one, digest(&sample(vec![None, Some(1)], 0.5), &["seconds"]));
        assert_ne!(one, digest(&sample(vec![Some(1), None], 0.5), &[]));
    }

    #[test]
    fn rows_are_as_they_were_after_a_file() {
        let whole = sample((0..1000).map(|n| (n % 7 > 0).then_some(n)).collect(), 1.0);
        let notes = Notes::from([("key".to_owned(), "value".to_owned())]);
        let bytes = encode(&whole, &notes).unwrap();
        assert_eq!(bytes, encode(&whole, &notes).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let store = crate::Store::open(&folder.path().display().to_string()).unwrap();
        store.write("rows.parquet", bytes).unwrap();
        let read = joined(&store.rows("rows.parquet", 0, u64::MAX >> 1).unwrap()).unwrap();
        assert_eq!(digest(&read, &[]), digest(&whole, &[]));
        let part = joined(&store.rows("rows.parquet", 300, 40).unwrap()).unwrap();
        assert_eq!(digest(&part, &[]), digest(&whole.slice(300, 40), &[]));
        assert_eq!(store.notes("rows.parquet").unwrap()["key"], "value");
    }
}
