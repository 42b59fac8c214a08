//! Moving AI `.3dscen`: queries in a voxel world with the length of the best route.
//!
//! ```text
//! version 1
//! A1.3dmap
//! 101 109 191 577 273 142 562.04094761 1.005
//! ```
//!
//! After the version line comes the name of the map, then a query a line. Its columns are start x,
//! y, z, goal x, y, z, the optimal length, and the ratio of that length to the one through empty
//! space. Moves go to the 26 neighbours, at lengths 1, √2 and √3. Every voxel of their bounding box
//! has to be free. Version 2 has the same columns; the ratio may be missing, and further columns
//! are not read. Source: D. Brewer, N. Sturtevant, "Benchmarks for Pathfinding in 3D Voxel
//! Space", 2018.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use wayfare_voxel::BlockPosition;

use crate::error::{WorldError, WorldErrorKind};
use crate::text::{Line, Lines};

/// The most columns of a query in version 2.
const MOST_COLUMNS: usize = 16;

/// Queries in one voxel world.
///
/// ```
/// use wayfare_formats::movingai_3dscen;
///
/// let text = b"version 1\nBox.3dmap\n0 0 0 3 0 0 3.0 1.0\n";
/// let scenario = movingai_3dscen::read(text)?;
/// assert_eq!((scenario.map.as_str(), scenario.entries.len()), ("Box.3dmap", 1));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VoxelScenario {
    /// The map's file name.
    pub map: String,
    /// The queries in the order of the file.
    pub entries: Vec<VoxelQuery>,
}

/// One query of a [`VoxelScenario`].
///
/// ```
/// use wayfare_formats::movingai_3dscen;
///
/// let text = b"version 1\nBox.3dmap\n0 0 0 3 0 0 3.0 1.0\n";
/// let scenario = movingai_3dscen::read(text)?;
/// assert_eq!((scenario.entries[0].goal.x, scenario.entries[0].optimal_length), (3, 3.0));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelQuery {
    /// The start.
    pub start: BlockPosition,
    /// The goal.
    pub goal: BlockPosition,
    /// Length of the best route in straight steps, finite and at least 0.
    pub optimal_length: f64,
    /// The length divided by that of the path through empty space; finite and at least 0.
    pub ratio: f64,
}

/// Reads a scenario.
///
/// # Errors
/// With line and column: a missing version line or map name, a missing column, a value that is no
/// number or negative.
pub fn read(bytes: &[u8]) -> Result<VoxelScenario, WorldError> {
    let mut lines = Lines::new(bytes).filter(|line| !line.is_blank());
    let missing = |what: &str, line: usize| {
        WorldError::new(WorldErrorKind::Syntax, format!("the file ends before its {what}"))
            .at_line(line)
            .advise("a .3dscen file starts with 'version 1' and the name of the map")
    };
    let version = lines.next().ok_or_else(|| missing("version line", 1))?;
    let words: Vec<&str> = version.text()?.split_ascii_whitespace().collect();
    let columns = match words[..] {
        ["version", "1" | "1.0"] => 8..=8,
        ["version", "2" | "2.0"] => 7..=MOST_COLUMNS,
        _ => {
            return Err(version
                .error(WorldErrorKind::Syntax, "this is not the version line of a scenario")
                .advise("a .3dscen file starts with 'version 1' or 'version 2'"));
        }
    };
    let map = lines.next().ok_or_else(|| missing("map name", version.number + 1))?;
    let map = map.text()?.trim().to_string();
    let entries = lines.map(|line| read_entry(line, &columns)).collect::<Result<_, _>>()?;
    Ok(VoxelScenario { map, entries })
}

/// Returns the map of a scenario: the one that it names, in its folder, or else the scenario's own
/// name without `.3dscen`.
///
/// # Errors
/// [`WorldErrorKind::Dangling`] when neither is there.
pub fn find_map(scenario_path: &Path, scenario: &VoxelScenario) -> Result<PathBuf, WorldError> {
    let folder = scenario_path.parent().unwrap_or(Path::new(""));
    // Benchmarks are written on any system: both slashes part folders.
    let name = scenario.map.rsplit(['/', '\\']).next().unwrap_or_default();
    let named = (!name.is_empty() && name != "..").then(|| folder.join(name));
    let candidates = [named, Some(scenario_path.with_extension(""))];
    let found = candidates.iter().flatten().find(|path| path.is_file());
    found.cloned().ok_or_else(|| {
        let map = &scenario.map;
        WorldError::new(
            WorldErrorKind::Dangling,
            format!("the map '{map}' is not beside the scenario"),
        )
        .in_file(scenario_path)
        .advise("put the map beside the scenario or name it")
    })
}

fn read_entry(line: Line<'_>, wanted: &RangeInclusive<usize>) -> Result<VoxelQuery, WorldError> {
    let text = line.text()?;
    let columns: Vec<&str> = text.split_ascii_whitespace().take(MOST_COLUMNS + 1).collect();
    if !wanted.contains(&columns.len()) {
        return Err(line
            .error(WorldErrorKind::Syntax, format!("a query has {} columns", wanted.start()))
            .advise("start x, y, z, goal x, y, z, optimal length, ratio"));
    }
    let bad = |part: &str, wanted: &str| {
        let column = part.as_ptr() as usize - text.as_ptr() as usize + 1;
        WorldError::new(WorldErrorKind::Value, format!("'{part}' is not {wanted}"))
            .at_column(line.number, column)
    };
    let whole = |part: &str| part.parse::<u32>().map_err(|_| bad(part, "a whole number from 0 up"));
    let length = |part: &str| {
        let number = part.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
        number.ok_or_else(|| bad(part, "a finite number from 0 up"))
    };
    let place = |at: usize| {
        let [x, y, z] = [whole(columns[at])?, whole(columns[at + 1])?, whole(columns[at + 2])?];
        Ok::<_, WorldError>(BlockPosition::new(x, y, z))
    };
    let (start, goal, optimal_length) = (place(0)?, place(3)?, length(columns[6])?);
    let ratio = match columns.get(7) {
        Some(ratio) => length(ratio)?,
        None => optimal_length / unhindered(start, goal).max(1.0),
    };
    Ok(VoxelQuery { start, goal, optimal_length, ratio })
}

/// Returns the length of the path through empty space: along three axes first, then along two, then
/// one.
fn unhindered(from: BlockPosition, to: BlockPosition) -> f64 {
    let mut offsets = [from.x.abs_diff(to.x), from.y.abs_diff(to.y), from.z.abs_diff(to.z)];
    offsets.sort_unstable();
    let [least, middle, most] = offsets.map(f64::from);
    least * 3f64.sqrt() + (middle - least) * 2f64.sqrt() + (most - middle)
}

/// Writes a scenario; reading it back gives the same one, to the last bit of every float.
///
/// # Errors
/// If the map's name cannot be a line, or a value is negative or not finite.
pub fn write(scenario: &VoxelScenario) -> Result<Vec<u8>, WorldError> {
    let map = &scenario.map;
    if map.is_empty() || map.trim() != map || map.contains(['\n', '\r']) {
        return Err(WorldError::new(
            WorldErrorKind::NotRepresentable,
            format!("the map name {map:?} cannot be a line"),
        ));
    }
    let mut text = format!("version 1\n{map}\n");
    for (index, query) in scenario.entries.iter().enumerate() {
        let VoxelQuery { start, goal, optimal_length, ratio } = query;
        if [optimal_length, ratio].into_iter().any(|number| !number.is_finite() || *number < 0.0) {
            return Err(WorldError::new(
                WorldErrorKind::Value,
                format!(
                    "the length {optimal_length} or the ratio {ratio} of query {index} is no length"
                ),
            ));
        }
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{} {} {} {} {} {} {optimal_length} {ratio}",
            start.x, start.y, start.z, goal.x, goal.y, goal.z
        );
    }
    Ok(text.into_bytes())
}
