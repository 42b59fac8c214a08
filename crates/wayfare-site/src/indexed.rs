//! Requests to an index instead of a search.

use std::ops::ControlFlow;
use std::path::Path;

use wayfare::index::{GridIndex, IndexOptions, IndexProgress, IndexScratch, IndexedGrid};
use wayfare::search::{AlgorithmId, Stats};
use wayfare::space::{Cell, GridSpace, StateId};

use crate::searcher::{Answered, Choice};
use crate::{GridView, SearchReport, SearchRequest, Searcher, Site, SiteError};

/// The name of the engine that answers by an index.
pub const INDEX: &str = "index";

/// The most memory for noting the corners in sight of every cell.
const SIGHT_BYTES: usize = 64 << 20;

/// The index of a site that is a grid of one cost: exact answers in microseconds, as long as the
/// grid is not edited.
///
/// ```
/// use std::ops::ControlFlow;
/// use wayfare::index::IndexOptions;
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, SiteIndex, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let built = SiteIndex::build(site.as_ref(), IndexOptions::default(), &mut |_| {
///     ControlFlow::Continue(())
/// })?;
/// let index = SiteIndex::decode(site.as_ref(), "yard.index".as_ref(), &built.encode())?;
/// let request = SearchRequest::new(AlgorithmId::Auto, site.routes()[0].ends);
/// let report = index.searcher(site.as_ref())?.run(&request, &mut |_expanded| ());
/// assert_eq!((report.method, report.path.len()), ("index", 5));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Debug)]
pub struct SiteIndex {
    index: GridIndex,
}

impl SiteIndex {
    /// Builds the index of a site. `on_progress` hears the stages, and may end them.
    ///
    /// # Errors
    /// When the site is no grid, the grid does not suit an index, or `on_progress` ends it.
    pub fn build(
        site: &dyn Site,
        options: IndexOptions,
        on_progress: &mut dyn FnMut(IndexProgress) -> ControlFlow<()>,
    ) -> Result<Self, SiteError> {
        let about = site.about();
        let view = site.grid().ok_or_else(|| {
            let kind = about.kind;
            let problem = format!("this is a {kind}, and only grids can be indexed");
            SiteError::unsearchable(&about.file, &problem)
        })?;
        let index = GridIndex::build(&view.space(), options, on_progress);
        let index = index.map_err(|error| SiteError::unsearchable(&about.file, &error))?;
        Ok(Self { index })
    }

    /// Reads the index of a site from the bytes of [`SiteIndex::encode`]; errors name them by
    /// `name`.
    ///
    /// # Errors
    /// When the site is no grid, or the bytes are damaged or of another world or movement.
    pub fn decode(site: &dyn Site, name: &Path, bytes: &[u8]) -> Result<Self, SiteError> {
        let view = grid_of(site, INDEX)?;
        let space = view.space();
        let wrong = |problem: String| SiteError::unsearchable(name, &problem);
        let mut index =
            GridIndex::decode(&space, bytes).map_err(|error| wrong(error.to_string()))?;
        index.note_sight(&space, SIGHT_BYTES).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { index })
    }

    /// The index as the bytes of a file.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        self.index.encode()
    }

    /// The engine's index, for its sizes.
    #[must_use]
    pub fn inner(&self) -> &GridIndex {
        &self.index
    }

    /// A searcher that answers by the index.
    ///
    /// # Errors
    /// When the index is of another site.
    pub fn searcher<'s>(&'s self, site: &'s dyn Site) -> Result<Box<dyn Searcher + 's>, SiteError> {
        let space = site.grid().ok_or(SiteError::OtherIndex)?.space();
        let indexed = self.index.of(&space).map_err(|_| SiteError::OtherIndex)?;
        Ok(Box::new(IndexSearcher { space, indexed, scratch: IndexScratch::new() }))
    }
}

/// The grid of a site, for an engine that needs one.
pub(crate) fn grid_of<'s>(
    site: &'s dyn Site,
    engine: &'static str,
) -> Result<GridView<'s>, SiteError> {
    let about = site.about();
    let path = about.file.clone();
    site.grid().ok_or(SiteError::NotAGrid { path, kind: about.kind, engine })
}

struct IndexSearcher<'s> {
    space: GridSpace<'s, u64>,
    indexed: IndexedGrid<'s, u64>,
    scratch: IndexScratch<u64>,
}

impl Searcher for IndexSearcher<'_> {
    fn run(&mut self, request: &SearchRequest, _: &mut dyn FnMut(u64)) -> SearchReport {
        let Self { space, indexed, scratch } = self;
        let [start, goal] = [request.ends.start, request.ends.goal].map(Cell::from_index);
        let begun = request.clock.now();
        let turns = indexed.turns(start, goal, scratch);
        let turns_elapsed = request.clock.since(begun);
        scratch.recycle(turns.into_path());
        let begun = request.clock.now();
        let outcome = indexed.path(start, goal, scratch);
        let elapsed = request.clock.since(begun);
        let answered = Answered::of(outcome, Stats::default(), |path| scratch.recycle(path));
        let because = Some("it was built for this map, and no search is needed");
        // An index is as optimal as a search that is, and its paths are checked as that one's.
        let choice = Choice { algorithm: AlgorithmId::Jps, because };
        SearchReport {
            method: INDEX,
            elapsed,
            turns_elapsed,
            scratch_bytes: scratch.bytes(),
            ..answered.report(space, request, &choice)
        }
    }
}
