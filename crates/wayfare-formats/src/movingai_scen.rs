//! Moving AI `.scen`: queries on a map with the length of the best route.
//!
//! ```text
//! version 1
//! 0  cave.map  512  512  102  34  104  36  2.82842712
//! ```
//!
//! Columns, separated by tabs: bucket, map, width, height, start x, start y, goal x, goal y,
//! optimal length. A straight step is 1 long, a diagonal √2, and a diagonal needs both straight
//! neighbours free. Source: N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::error::{WorldError, WorldErrorKind};
use crate::text::{Line, Lines};
use crate::tile_map::TilePosition;

/// A list of queries.
///
/// ```
/// use wayfare_formats::movingai_scen;
///
/// let scenario = movingai_scen::read(b"version 1\n2\tfield.map\t16\t16\t1\t1\t9\t1\t8\n")?;
/// assert_eq!(scenario.entries.len(), 1);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    /// The queries in the order of the file.
    pub entries: Vec<ScenarioEntry>,
}

/// One query of a [`Scenario`].
///
/// ```
/// use wayfare_formats::movingai_scen;
///
/// let scenario = movingai_scen::read(b"version 1\n2\tfield.map\t16\t16\t1\t1\t9\t1\t8\n")?;
/// let entry = &scenario.entries[0];
/// assert_eq!((entry.bucket, entry.goal.x, entry.optimal_length), (2, 9, 8.0));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioEntry {
    /// Queries of like length share a bucket: the length divided by 4, rounded down.
    pub bucket: u32,
    /// The map's file name as written; often with folders that are not there.
    pub map: String,
    /// Columns that the map must have.
    pub width: u32,
    /// Rows that the map must have.
    pub height: u32,
    /// The start.
    pub start: TilePosition,
    /// The goal.
    pub goal: TilePosition,
    /// Length of the best route in straight steps, finite and at least 0.
    pub optimal_length: f64,
}

/// A query with its best length, before it is written into a [`Scenario`].
///
/// ```
/// use wayfare_formats::TilePosition;
/// use wayfare_formats::movingai_scen::SolvedQuery;
///
/// let (start, goal) = (TilePosition { x: 0, y: 0 }, TilePosition { x: 3, y: 4 });
/// let query = SolvedQuery { start, goal, optimal_length: 3.0 * 2f64.sqrt() + 1.0 };
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolvedQuery {
    /// The start.
    pub start: TilePosition,
    /// The goal.
    pub goal: TilePosition,
    /// Length of the best route in straight steps.
    pub optimal_length: f64,
}

impl Scenario {
    /// Returns a scenario of queries on one map, sorted by length and put in buckets as the
    /// benchmarks do.
    ///
    /// ```
    /// use wayfare_formats::movingai_scen::{self, Scenario, SolvedQuery};
    /// use wayfare_formats::TilePosition;
    ///
    /// let query = SolvedQuery {
    ///     start: TilePosition { x: 1, y: 1 },
    ///     goal: TilePosition { x: 9, y: 1 },
    ///     optimal_length: 8.0,
    /// };
    /// let scenario = Scenario::from_solved("field.map", 16, 16, &[query]);
    /// assert_eq!(scenario.entries[0].bucket, 2);
    /// let text = movingai_scen::write(&scenario)?;
    /// assert_eq!(movingai_scen::read(&text)?, scenario);
    /// # Ok::<(), wayfare_formats::WorldError>(())
    /// ```
    pub fn from_solved(map: &str, width: u32, height: u32, queries: &[SolvedQuery]) -> Self {
        let mut entries: Vec<ScenarioEntry> = queries
            .iter()
            .map(|query| ScenarioEntry {
                // A float cast saturates, so that even a nonsense length has a bucket.
                bucket: (query.optimal_length / 4.0) as u32,
                map: map.to_string(),
                width,
                height,
                start: query.start,
                goal: query.goal,
                optimal_length: query.optimal_length,
            })
            .collect();
        entries.sort_by(|a, b| a.optimal_length.total_cmp(&b.optimal_length));
        Scenario { entries }
    }
}

/// Reads a scenario.
///
/// # Errors
/// With line and column: a missing version line, a missing column, a value that is no number, a
/// length that is negative or not finite, a start or goal outside the size that its line gives.
pub fn read(bytes: &[u8]) -> Result<Scenario, WorldError> {
    let mut lines = Lines::new(bytes).filter(|line| !line.is_blank());
    let version = lines.next().ok_or_else(|| {
        WorldError::new(WorldErrorKind::Syntax, "the file is empty").at_line(1).advise(VERSION)
    })?;
    match version.text()?.split_ascii_whitespace().collect::<Vec<_>>()[..] {
        ["version", "1" | "1.0"] => {}
        _ => {
            return Err(version
                .error(WorldErrorKind::Syntax, "this is not the version line of a scenario")
                .advise(VERSION));
        }
    }
    let entries = lines.map(read_entry).collect::<Result<_, _>>()?;
    Ok(Scenario { entries })
}

const VERSION: &str = "a .scen file starts with 'version 1'";

/// Writes a scenario; reading it back gives the same one, to the last bit of every length.
///
/// # Errors
/// If a map's name contains a tab or a line end, or a length is negative or not finite.
pub fn write(scenario: &Scenario) -> Result<Vec<u8>, WorldError> {
    let mut text = String::from("version 1\n");
    for (index, entry) in scenario.entries.iter().enumerate() {
        if entry.map.is_empty()
            || entry.map.trim() != entry.map
            || entry.map.contains(['\t', '\n', '\r'])
        {
            return Err(WorldError::new(
                WorldErrorKind::NotRepresentable,
                format!("the map name {:?} of query {index} cannot be a column", entry.map),
            ));
        }
        if !(entry.optimal_length.is_finite() && entry.optimal_length >= 0.0) {
            return Err(WorldError::new(
                WorldErrorKind::Value,
                format!("the length of query {index} is {}", entry.optimal_length),
            ));
        }
        let ScenarioEntry { bucket, map, width, height, start, goal, optimal_length } = entry;
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{bucket}\t{map}\t{width}\t{height}\t{}\t{}\t{}\t{}\t{optimal_length}",
            start.x, start.y, goal.x, goal.y
        );
    }
    Ok(text.into_bytes())
}

/// Returns the map that a scenario file is about, looked for beside it: by the name in its `map`
/// column, then by its own name without `.scen`.
///
/// # Errors
/// [`WorldErrorKind::Dangling`] naming both paths if neither is a file.
pub fn find_map(scenario_path: &Path, scenario: &Scenario) -> Result<PathBuf, WorldError> {
    let folder = scenario_path.parent().unwrap_or(Path::new(""));
    let named = scenario.entries.first().and_then(|entry| {
        // Benchmarks are written on any system: both slashes part folders.
        let name = entry.map.rsplit(['/', '\\']).next().unwrap_or_default();
        (!name.is_empty() && name != "..").then(|| folder.join(name))
    });
    let stem = scenario_path.with_extension("");
    let candidates = [named, Some(stem)].into_iter().flatten().collect::<Vec<_>>();
    candidates.iter().find(|path| path.is_file()).cloned().ok_or_else(|| {
        let tried: Vec<_> = candidates.iter().map(|path| format!("'{}'", path.display())).collect();
        WorldError::new(
            WorldErrorKind::Dangling,
            format!("the map of this scenario is neither at {}", tried.join(" nor at ")),
        )
        .in_file(scenario_path)
        .advise("put the map beside the scenario or name it")
    })
}

fn read_entry(line: Line<'_>) -> Result<ScenarioEntry, WorldError> {
    let text = line.text()?;
    // Tabs part the columns; files with spaces instead are about, and map names have none.
    let columns: Vec<&str> = if text.contains('\t') {
        text.split('\t').map(str::trim).filter(|column| !column.is_empty()).collect()
    } else {
        text.split_ascii_whitespace().collect()
    };
    let columns: [&str; 9] = columns.as_slice().try_into().map_err(|_| {
        line.error(
            WorldErrorKind::Syntax,
            format!("a query has 9 columns, but this line has {}", columns.len()),
        )
        .advise("bucket, map, width, height, start x, start y, goal x, goal y, length")
    })?;
    let column_of = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize + 1;
    let bad = |part: &str, message: String| {
        WorldError::new(WorldErrorKind::Value, message).at_column(line.number, column_of(part))
    };
    let whole = |index: usize, what: &str| {
        let part = columns[index];
        part.parse::<u32>()
            .map_err(|_| bad(part, format!("the {what} '{part}' is not a whole number from 0 up")))
    };
    let entry = ScenarioEntry {
        bucket: whole(0, "bucket")?,
        map: columns[1].to_string(),
        width: whole(2, "width")?,
        height: whole(3, "height")?,
        start: TilePosition { x: whole(4, "start x")?, y: whole(5, "start y")? },
        goal: TilePosition { x: whole(6, "goal x")?, y: whole(7, "goal y")? },
        optimal_length: match columns[8].parse::<f64>() {
            Ok(length) if length.is_finite() && length >= 0.0 => length,
            _ => {
                let part = columns[8];
                return Err(bad(
                    part,
                    format!("the length '{part}' is not a finite number from 0 up"),
                ));
            }
        },
    };
    for (name, place, index) in [("start", entry.start, 4), ("goal", entry.goal, 6)] {
        if place.x >= entry.width || place.y >= entry.height {
            return Err(bad(
                columns[index],
                format!(
                    "the {name} {},{} lies outside the map, which is {} wide and {} high",
                    place.x, place.y, entry.width, entry.height
                ),
            ));
        }
    }
    Ok(entry)
}
