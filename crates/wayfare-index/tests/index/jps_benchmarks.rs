//! Jump point search and indexes on the Moving AI maps, where they are at hand: every length is the
//! file's.

use std::path::PathBuf;

use wayfare_core::path::validate;
use wayfare_core::search::{Jps, Query, Solver};
use wayfare_core::space::{CostTable, Medium, TerrainCost, TerrainId};
use wayfare_grid::grid::{Grid, GridProfile};
use wayfare_index::index::{GridIndex, IndexScratch};

/// One query in so many of each file.
const EVERY: usize = 23;
/// The maps to be indexed: on others that takes seconds without optimisation.
const INDEXED: [&str; 5] = ["AR0011SR", "arena", "brc202d", "den520d", "maze512-8"];

fn scenarios() -> Vec<PathBuf> {
    let Some(data) = std::env::var_os("WAYFARE_DATA") else {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: WAYFARE_DATA does not name the folder of benchmark data");
        }
        return Vec::new();
    };
    let entries = std::fs::read_dir(PathBuf::from(data).join("grid")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "scen"));
    files.sort();
    files
}

/// Trees and water are worlds of their own, everything else that can be walked on is one.
fn grid(map: &str) -> Grid {
    let rows: Vec<&str> = map.lines().skip_while(|line| *line != "map").skip(1).collect();
    let terrain = |glyph| match glyph {
        b'.' | b'G' | b'S' => TerrainId::GROUND,
        b'T' => TerrainId(1),
        b'W' => TerrainId(2),
        _ => TerrainId::BLOCKED,
    };
    let cells: Vec<TerrainId> = rows.iter().flat_map(|row| row.bytes().map(terrain)).collect();
    let alone = |medium| TerrainCost::default().in_medium(Medium(medium));
    let costs = CostTable::new().with(TerrainId(1), alone(1)).with(TerrainId(2), alone(2));
    let profile = GridProfile { costs, ..GridProfile::default() };
    Grid::new(rows[0].len() as u32, rows.len() as u32, &cells, profile).unwrap()
}

#[test]
fn lengths_are_those_of_the_files() {
    for path in scenarios() {
        let map = std::fs::read_to_string(path.with_extension("")).unwrap();
        let grid = grid(&map);
        let (space, mut solver) = (grid.space(), Solver::new());
        let is_indexed = INDEXED.iter().any(|name| path.to_string_lossy().contains(name));
        let index = is_indexed.then(|| GridIndex::new(&space).unwrap());
        let indexed = index.as_ref().map(|index| index.of(&space).unwrap());
        let mut scratch = IndexScratch::new();
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text.lines().skip(1).step_by(EVERY) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let cell = |x: usize| {
                grid.cell(fields[x].parse().unwrap(), fields[x + 1].parse().unwrap()).unwrap()
            };
            let (start, goal) = (cell(4), cell(6));
            let optimal: f64 = fields[8].parse().unwrap();
            let answer = solver.solve(&space, &Jps, Query::new(start, goal));
            let found = answer.outcome.path().unwrap();
            assert_eq!(validate(&space, found, start, goal), Ok(()));
            let length = space.length(found.states());
            assert!((length - optimal).abs() < 0.01 + 1e-6 * optimal, "{}: {line}", path.display());
            if let Some(indexed) = &indexed {
                let outcome = indexed.path(start, goal, &mut scratch);
                let by_index = outcome.path().unwrap();
                assert_eq!(validate(&space, by_index, start, goal), Ok(()));
                assert_eq!(by_index.cost(), found.cost(), "{}: {line}", path.display());
                scratch.recycle(outcome.into_path());
            }
            solver.recycle(answer.outcome.into_path());
        }
    }
}
