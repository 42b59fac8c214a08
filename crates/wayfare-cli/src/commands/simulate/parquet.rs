//! Trajectories as Parquet: a row group every few thousand rows, a column a field.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use wayfare_site::SimulationSession;
use wayfare_world::write_whole;

use super::drive::Recording;
use super::trajectory::{Line, lines};
use crate::failure::Failure;

/// Rows of one group.
const GROUP: usize = 1 << 16;

/// Writes the rows of a recording.
pub(super) fn write(
    file: &Path,
    simulation: &dyn SimulationSession,
    recording: &Recording,
) -> Result<(), Failure> {
    let bytes = encode(lines(simulation, recording, None)).map_err(|error| Failure::Unencoded {
        path: file.to_path_buf(),
        problem: error.to_string(),
    })?;
    write_whole(file, &bytes).map_err(Failure::Unwritten)
}

fn encode<'r>(lines: impl Iterator<Item = Line<'r>>) -> Result<Vec<u8>, ParquetError> {
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema()?, properties)?;
    let mut lines = lines.peekable();
    while lines.peek().is_some() {
        let group: Vec<Line<'r>> = lines.by_ref().take(GROUP).collect();
        let mut columns = writer.next_row_group()?;
        column::<Int64Type>(&mut columns, group.iter().map(|line| line.tick as i64))?;
        column::<DoubleType>(&mut columns, group.iter().map(|line| line.time))?;
        column::<Int32Type>(&mut columns, group.iter().map(|line| line.agent as i32))?;
        column::<ByteArrayType>(&mut columns, group.iter().map(|line| ByteArray::from(line.name)))?;
        column::<ByteArrayType>(&mut columns, group.iter().map(|line| ByteArray::from(line.team)))?;
        column::<FloatType>(&mut columns, group.iter().map(|line| line.x))?;
        column::<FloatType>(&mut columns, group.iter().map(|line| line.y))?;
        column::<FloatType>(&mut columns, group.iter().map(|line| line.z))?;
        column::<FloatType>(&mut columns, group.iter().map(|line| line.heading))?;
        column::<FloatType>(&mut columns, group.iter().map(|line| line.speed))?;
        let activities = group.iter().map(|line| ByteArray::from(line.activity));
        column::<ByteArrayType>(&mut columns, activities)?;
        columns.close()?;
    }
    writer.into_inner()
}

/// The next column of a row group.
fn column<T: DataType>(
    columns: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: impl Iterator<Item = T::T>,
) -> Result<(), ParquetError> {
    let next = columns.next_column()?;
    let mut next = next.ok_or_else(|| ParquetError::General("no column is left".to_owned()))?;
    next.typed::<T>().write_batch(&values.collect::<Vec<_>>(), None, None)?;
    next.close()
}

fn schema() -> Result<Arc<Type>, ParquetError> {
    let field = |name: &str, physical: Physical| {
        let text = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(text);
        field.build().map(Arc::new)
    };
    let fields = [
        ("tick", Physical::INT64),
        ("time", Physical::DOUBLE),
        ("agent", Physical::INT32),
        ("name", Physical::BYTE_ARRAY),
        ("team", Physical::BYTE_ARRAY),
        ("x", Physical::FLOAT),
        ("y", Physical::FLOAT),
        ("z", Physical::FLOAT),
        ("heading", Physical::FLOAT),
        ("speed", Physical::FLOAT),
        ("activity", Physical::BYTE_ARRAY),
    ];
    let fields = fields.into_iter().map(|(name, physical)| field(name, physical));
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("trajectory").with_fields(fields).build().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;

    #[test]
    fn what_was_written_reads_back() -> Result<(), ParquetError> {
        let line = |tick| Line {
            tick,
            time: tick as f64 * 0.05,
            agent: 3,
            name: "Ann",
            team: "guards",
            x: 1.5,
            y: 0.0,
            z: 2.5,
            heading: 0.25,
            speed: 3.0,
            activity: "patrol 1/3",
            animation: None,
        };
        let rows = GROUP as u64 + 5;
        let bytes = encode((0..rows).map(line))?;
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes))?;
        assert_eq!(reader.metadata().file_metadata().num_rows() as u64, rows);
        assert_eq!(reader.num_row_groups(), 2);
        let last = reader.get_row_iter(None)?.last().expect("there are rows")?.to_string();
        assert!(last.contains("tick: 65540") && last.contains("name: \"Ann\""), "{last}");
        Ok(())
    }
}
