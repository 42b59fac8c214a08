//! Queries to an index instead of a search.

use std::path::Path;
use std::time::Instant;

use wayfare::index::{GridIndex, IndexScratch, IndexedGrid};
use wayfare::search::{Answer, Stats};
use wayfare::space::{Cell, GridSpace, StateId};

use super::run::{Ask, Run};
use super::searcher::Workbench;
use super::stopwatch::Stopwatch;
use super::traits::{Searcher, Site};
use crate::failure::Failure;

/// What answers by an index is called where algorithms have their names.
pub(crate) const INDEX: &str = "index";

/// At most so much memory goes to noting the corners in sight of every cell.
const SIGHT_BYTES: usize = 64 << 20;

/// An index that was read from a file.
pub(crate) struct LoadedIndex {
    index: GridIndex,
    /// How long reading it took.
    pub(crate) seconds: f64,
}

impl LoadedIndex {
    /// Reads the index of a site.
    pub(crate) fn read(file: &Path, site: &dyn Site) -> Result<Self, Failure> {
        let unsearchable = |problem| Failure::Unsearchable { path: file.to_path_buf(), problem };
        let (grid, profile) = site.grid_and_profile().ok_or_else(|| {
            let (world, kind) = (site.about().file.display(), site.about().kind);
            Failure::Usage(format!("{world} is a {kind}: --index is for grids"))
        })?;
        let space = grid.space_for::<u64>(profile);
        let begun = Instant::now();
        let bytes = std::fs::read(file).map_err(|error| unsearchable(error.to_string()))?;
        let mut index =
            GridIndex::decode(&space, &bytes).map_err(|error| unsearchable(error.to_string()))?;
        index.note_sight(&space, SIGHT_BYTES).map_err(|error| unsearchable(error.to_string()))?;
        Ok(Self { index, seconds: begun.elapsed().as_secs_f64() })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.index.size_in_bytes()
    }

    /// What answers queries by it.
    pub(crate) fn searcher<'a>(
        &'a self,
        site: &'a dyn Site,
    ) -> Result<Box<dyn Searcher + 'a>, Failure> {
        let other = || Failure::Usage("the index is one of another world".to_owned());
        let (grid, profile) = site.grid_and_profile().ok_or_else(other)?;
        let space = grid.space_for(profile);
        let indexed = self.index.of(&space).map_err(|_| other())?;
        let bench = Workbench::new(space, site.about().unit_cost);
        Ok(Box::new(IndexSearcher { bench, indexed, scratch: IndexScratch::new() }))
    }
}

struct IndexSearcher<'a> {
    bench: Workbench<GridSpace<'a, u64>>,
    indexed: IndexedGrid<'a, u64>,
    scratch: IndexScratch<u64>,
}

impl Searcher for IndexSearcher<'_> {
    fn run(&mut self, ask: &Ask, _: &mut dyn FnMut(u64)) -> Run {
        let (start, goal) = (Cell::from_index(ask.start), Cell::from_index(ask.goal));
        let begun = Stopwatch::start();
        let turns = self.indexed.turns(start, goal, &mut self.scratch);
        let turns_elapsed = begun.elapsed();
        self.scratch.recycle(turns.into_path());
        let begun = Stopwatch::start();
        let outcome = self.indexed.path(start, goal, &mut self.scratch);
        let elapsed = begun.elapsed();
        let (run, path) = self.bench.report(ask, Answer { outcome, stats: Stats::default() });
        let scratch_bytes = self.scratch.bytes();
        self.scratch.recycle(path);
        let why = Some("it was built for this map, and no search is needed");
        Run { method: INDEX, why, elapsed, turns_elapsed, scratch_bytes, ..run }
    }
}
