//! The maps and queries to measure on.

use std::path::{Path, PathBuf};

use wayfare::space::{Cell, Grid, GridProfile};
use wayfare_formats::Terrain;
use wayfare_formats::movingai_scen;

/// A map with some of its queries.
pub(crate) struct BenchMap {
    pub(crate) name: String,
    pub(crate) grid: Grid,
    /// What its terrains are.
    pub(crate) terrains: Vec<Terrain>,
    pub(crate) queries: Vec<BenchQuery>,
}

/// From where, to where, and how long the shortest path is.
pub(crate) struct BenchQuery {
    pub(crate) start: Cell,
    pub(crate) goal: Cell,
    pub(crate) optimal: f64,
}

/// All scenario files whose name contains `filter`, in order.
pub(crate) fn find(filter: &str) -> Result<Vec<PathBuf>, String> {
    let folder = std::env::var_os("WAYFARE_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../worlds"),
        |data| Path::new(&data).join("grid"),
    );
    let entries =
        std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "scen"))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(filter)))
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(format!(
            "{} has no .scen file whose name contains \"{filter}\"",
            folder.display()
        ));
    }
    Ok(found)
}

/// Reads a scenario and its map and keeps at most `most` queries, spread evenly.
pub(crate) fn load(path: &Path, most: usize) -> Result<BenchMap, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let scenario =
        movingai_scen::read(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let map_path = movingai_scen::find_map(path, &scenario).map_err(|error| error.to_string())?;
    let world = wayfare_formats::read_path(&map_path).map_err(|error| error.to_string())?;
    let wayfare_formats::World::TileMap(map) = world else {
        return Err(format!("{} is not a tile map", map_path.display()));
    };
    let profile = GridProfile { costs: map.cost_table(), ..GridProfile::default() };
    let grid = map.to_grid(profile).map_err(|error| error.to_string())?;
    let step = scenario.entries.len().div_ceil(most).max(1);
    let cell = |at: wayfare_formats::TilePosition| grid.cell(at.x, at.y);
    let queries = scenario.entries.iter().step_by(step).filter_map(|entry| {
        Some(BenchQuery {
            start: cell(entry.start)?,
            goal: cell(entry.goal)?,
            optimal: entry.optimal_length,
        })
    });
    let queries = queries.collect();
    Ok(BenchMap { name: map.name().to_owned(), grid, terrains: map.terrains().to_vec(), queries })
}
