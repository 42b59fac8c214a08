//! Scenarios on navigation meshes: queries with the lengths of the shortest paths, `.meshscen`.
//!
//! ```text
//! mesh scenario 1
//! courtyard.navmesh
//! # start x y z, goal x y z, length
//! 3 0 12  28 0 12  25
//! ```
//!
//! After the first line comes the name of the mesh, then a query a line. Its columns are the start
//! and the goal, x, y (up) and z each in metres, and the length of the shortest path in metres,
//! seen from above: 0 between two points that no path joins. Lines that begin with `#` and blank
//! ones are skipped.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::error::{WorldError, WorldErrorKind};
use crate::text::{Line, Lines};

const HEAD: &str = "mesh scenario 1";

/// Queries on one navigation mesh.
///
/// ```
/// use wayfare_formats::mesh_scenario;
///
/// let text = b"mesh scenario 1\nyard.navmesh\n# straight\n0 0 1  4 0 1  4\n";
/// let scenario = mesh_scenario::read(text)?;
/// assert_eq!((scenario.mesh.as_str(), scenario.entries[0].optimal_length), ("yard.navmesh", 4.0));
/// assert_eq!(mesh_scenario::read(&mesh_scenario::write(&scenario)?)?, scenario);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeshScenario {
    /// The file name of the mesh.
    pub mesh: String,
    /// The queries in the order of the file.
    pub entries: Vec<MeshScenarioEntry>,
}

/// One query of a [`MeshScenario`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshScenarioEntry {
    /// The start: x, y (up), z in metres.
    pub start: [f32; 3],
    /// The goal.
    pub goal: [f32; 3],
    /// Length of the shortest path in metres, seen from above; 0 without a path.
    pub optimal_length: f64,
}

/// Reads a scenario.
///
/// # Errors
/// With line and column: another first line, no name of a mesh, a missing column, a value that is
/// no finite number, a negative length.
pub fn read(bytes: &[u8]) -> Result<MeshScenario, WorldError> {
    let is_comment = |line: &Line<'_>| line.bytes.trim_ascii_start().starts_with(b"#");
    let mut lines = Lines::new(bytes).filter(|line| !line.is_blank() && !is_comment(line));
    let missing = |what: &str, line: usize| {
        WorldError::new(WorldErrorKind::Syntax, format!("the file ends before its {what}"))
            .at_line(line)
            .advise("a .meshscen file starts with 'mesh scenario 1' and the name of the mesh")
    };
    let head = lines.next().ok_or_else(|| missing("first line", 1))?;
    if head.text()?.trim() != HEAD {
        let error = head.error(WorldErrorKind::Syntax, "this is no scenario on a mesh");
        return Err(error.advise("a .meshscen file starts with 'mesh scenario 1'"));
    }
    let mesh = lines.next().ok_or_else(|| missing("name of a mesh", head.number + 1))?;
    let mesh = mesh.text()?.trim().to_string();
    let entries = lines.map(read_entry).collect::<Result<_, _>>()?;
    Ok(MeshScenario { mesh, entries })
}

fn read_entry(line: Line<'_>) -> Result<MeshScenarioEntry, WorldError> {
    let text = line.text()?;
    let mut numbers = [0.0_f64; 7];
    let mut parts = text.split_ascii_whitespace();
    for number in &mut numbers {
        let part = parts.next().ok_or_else(|| wrong_columns(line))?;
        let read = part.parse::<f64>().ok().filter(|read| (*read as f32).is_finite());
        *number = read.ok_or_else(|| {
            let column = part.as_ptr() as usize - text.as_ptr() as usize + 1;
            WorldError::new(WorldErrorKind::Value, format!("'{part}' is no finite number"))
                .at_column(line.number, column)
        })?;
    }
    if parts.next().is_some() {
        return Err(wrong_columns(line));
    }
    let [start_x, start_y, start_z, goal_x, goal_y, goal_z, optimal_length] = numbers;
    if optimal_length < 0.0 {
        let message = format!("the length {optimal_length} is below 0");
        return Err(line.error(WorldErrorKind::Value, message));
    }
    let start = [start_x, start_y, start_z].map(|value| value as f32);
    let goal = [goal_x, goal_y, goal_z].map(|value| value as f32);
    Ok(MeshScenarioEntry { start, goal, optimal_length })
}

fn wrong_columns(line: Line<'_>) -> WorldError {
    let error = line.error(WorldErrorKind::Syntax, "a query has 7 columns");
    error.advise("start x, y, z, goal x, y, z, length of the shortest path")
}

/// Writes a scenario; reading it back gives the same one, to the last bit of every float.
///
/// # Errors
/// If the name of the mesh cannot be a line, a value is not finite, or a length is negative.
pub fn write(scenario: &MeshScenario) -> Result<Vec<u8>, WorldError> {
    let mesh = &scenario.mesh;
    if mesh.is_empty()
        || mesh.trim() != mesh
        || mesh.contains(['\n', '\r'])
        || mesh.starts_with('#')
    {
        let message = format!("the name {mesh:?} of the mesh cannot be a line");
        return Err(WorldError::new(WorldErrorKind::NotRepresentable, message));
    }
    let mut text = format!("{HEAD}\n{mesh}\n");
    for (index, query) in scenario.entries.iter().enumerate() {
        let MeshScenarioEntry { start, goal, optimal_length } = query;
        let are_finite = start.iter().chain(goal).all(|value| value.is_finite());
        let is_length = optimal_length.is_finite() && *optimal_length >= 0.0;
        if !are_finite || !is_length {
            let message = format!("query {index} has a number that is no place or no length");
            return Err(WorldError::new(WorldErrorKind::Value, message));
        }
        let ([a, b, c], [x, y, z]) = (start, goal);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{a} {b} {c}  {x} {y} {z}  {optimal_length}");
    }
    Ok(text.into_bytes())
}

/// Returns the mesh of a scenario: the one that it names, in its folder, or else the scenario's own
/// name without `.meshscen`.
///
/// # Errors
/// [`WorldErrorKind::Dangling`] when neither is there.
pub fn find_mesh(scenario_path: &Path, scenario: &MeshScenario) -> Result<PathBuf, WorldError> {
    let folder = scenario_path.parent().unwrap_or(Path::new(""));
    let name = scenario.mesh.rsplit(['/', '\\']).next().unwrap_or_default();
    let named = (!name.is_empty() && name != "..").then(|| folder.join(name));
    let candidates = [named, Some(scenario_path.with_extension(""))];
    let found = candidates.iter().flatten().find(|path| path.is_file());
    found.cloned().ok_or_else(|| {
        let mesh = &scenario.mesh;
        let message = format!("the mesh '{mesh}' is not beside the scenario");
        WorldError::new(WorldErrorKind::Dangling, message)
            .in_file(scenario_path)
            .advise("put the mesh beside the scenario or name it")
    })
}
