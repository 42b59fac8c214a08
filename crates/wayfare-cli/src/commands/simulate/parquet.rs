//! Trajectories as Parquet: a row group every few thousand rows, a column a field.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use wayfare_file::WholeFile;
use wayfare_measure::SurveyRow;

use super::measures::{COLUMNS, MeasureTable, numbers};
use super::trajectory::{Line, Table};

/// Rows of one group.
const GROUP: usize = 1 << 16;

/// A table in the making: the rows of its last group are buffered until the group is full.
pub(super) struct ParquetTable<W: Write + Send = WholeFile> {
    writer: SerializedFileWriter<W>,
    group: Group,
}

/// Rows by column.
#[derive(Default)]
struct Group {
    ticks: Vec<i64>,
    times: Vec<f64>,
    agents: Vec<i32>,
    names: Vec<ByteArray>,
    teams: Vec<ByteArray>,
    /// Columns of x, y, z, heading and speed.
    numbers: [Vec<f32>; 5],
    activities: Vec<ByteArray>,
}

impl<W: Write + Send> ParquetTable<W> {
    pub(super) fn new(file: W) -> io::Result<Self> {
        let properties = Arc::new(WriterProperties::builder().build());
        let writer = SerializedFileWriter::new(file, schema()?, properties)?;
        Ok(Self { writer, group: Group::default() })
    }

    fn push(&mut self, line: &Line<'_>) -> Result<(), ParquetError> {
        let Group { ticks, times, agents, names, teams, numbers, activities } = &mut self.group;
        ticks.push(line.tick as i64);
        times.push(line.time);
        agents.push(line.agent as i32);
        names.push(ByteArray::from(line.name));
        teams.push(ByteArray::from(line.team));
        let all = [line.x, line.y, line.z, line.heading, line.speed];
        numbers.iter_mut().zip(all).for_each(|(column, number)| column.push(number));
        activities.push(ByteArray::from(line.activity));
        if ticks.len() == GROUP { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let group = std::mem::take(&mut self.group);
        if group.ticks.is_empty() {
            return Ok(());
        }
        let mut columns = self.writer.next_row_group()?;
        column::<Int64Type, W>(&mut columns, &group.ticks)?;
        column::<DoubleType, W>(&mut columns, &group.times)?;
        column::<Int32Type, W>(&mut columns, &group.agents)?;
        column::<ByteArrayType, W>(&mut columns, &group.names)?;
        column::<ByteArrayType, W>(&mut columns, &group.teams)?;
        for numbers in &group.numbers {
            column::<FloatType, W>(&mut columns, numbers)?;
        }
        column::<ByteArrayType, W>(&mut columns, &group.activities)?;
        columns.close()?;
        Ok(())
    }

    /// Returns the file, with all rows in it.
    fn into_file(mut self) -> Result<W, ParquetError> {
        self.write_group()?;
        self.writer.into_inner()
    }
}

impl Table for ParquetTable {
    fn add(&mut self, line: &Line<'_>) -> io::Result<()> {
        Ok(self.push(line)?)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.into_file()?.finish()
    }
}

/// Measurements of crowds, all in one row group for each few thousand rows.
pub(super) struct ParquetMeasures {
    writer: SerializedFileWriter<WholeFile>,
    seconds: Vec<f64>,
    places: Vec<ByteArray>,
    numbers: [Vec<Option<f64>>; 8],
}

impl ParquetMeasures {
    pub(super) fn new(file: WholeFile) -> io::Result<Self> {
        let properties = Arc::new(WriterProperties::builder().build());
        let field = |name: &&str| {
            let is_text = *name == "place";
            let physical = if is_text { Physical::BYTE_ARRAY } else { Physical::DOUBLE };
            let is_given = is_text || *name == "second";
            let repetition = if is_given { Repetition::REQUIRED } else { Repetition::OPTIONAL };
            let field = Type::primitive_type_builder(name, physical)
                .with_repetition(repetition)
                .with_logical_type(is_text.then_some(LogicalType::String));
            field.build().map(Arc::new)
        };
        let fields = COLUMNS.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder("measures").with_fields(fields).build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema?), properties)?;
        let numbers = std::array::from_fn(|_| Vec::new());
        Ok(Self { writer, seconds: Vec::new(), places: Vec::new(), numbers })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let (seconds, places) =
            (std::mem::take(&mut self.seconds), std::mem::take(&mut self.places));
        if seconds.is_empty() {
            return Ok(());
        }
        let mut columns = self.writer.next_row_group()?;
        column::<DoubleType, _>(&mut columns, &seconds)?;
        column::<ByteArrayType, _>(&mut columns, &places)?;
        for numbers in self.numbers.iter_mut().map(std::mem::take) {
            let given: Vec<f64> = numbers.iter().copied().flatten().collect();
            let levels: Vec<i16> = numbers.iter().map(|n| i16::from(n.is_some())).collect();
            let next = columns.next_column()?;
            let mut next =
                next.ok_or_else(|| ParquetError::General("no column is left".to_owned()))?;
            next.typed::<DoubleType>().write_batch(&given, Some(&levels), None)?;
            next.close()?;
        }
        columns.close()?;
        Ok(())
    }
}

impl MeasureTable for ParquetMeasures {
    fn add(&mut self, place: &str, row: &SurveyRow) -> io::Result<()> {
        self.seconds.push(row.time);
        self.places.push(ByteArray::from(place));
        self.numbers.iter_mut().zip(numbers(row)).for_each(|(column, number)| column.push(number));
        if self.seconds.len() == GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.write_group()?;
        self.writer.into_inner().map_err(io::Error::from)?.finish()
    }
}

/// Writes the next column of a row group.
fn column<T: DataType, W: Write + Send>(
    columns: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let next = columns.next_column()?;
    let mut next = next.ok_or_else(|| ParquetError::General("no column is left".to_owned()))?;
    next.typed::<T>().write_batch(values, None, None)?;
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
        let mut table = ParquetTable::new(Vec::new())?;
        (0..rows).try_for_each(|tick| table.push(&line(tick)))?;
        let bytes = table.into_file()?;
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes))?;
        assert_eq!(reader.metadata().file_metadata().num_rows() as u64, rows);
        assert_eq!(reader.num_row_groups(), 2);
        let last = reader.get_row_iter(None)?.last().expect("there are rows")?.to_string();
        assert!(last.contains("tick: 65540") && last.contains("name: \"Ann\""), "{last}");
        Ok(())
    }
}
