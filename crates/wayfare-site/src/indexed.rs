//! Indexes of sites, as values and as files.

use std::ops::ControlFlow;
use std::path::Path;

use wayfare::index::{GridIndex, IndexOptions, IndexProgress};
use wayfare_searches::build_index;

use crate::{GridView, Site, SiteError};

/// The most memory for noting the corners in sight of every cell.
pub(crate) const SIGHT_BYTES: usize = 64 << 20;

/// The index of a site that is a grid of one cost: exact answers in microseconds, as long as the
/// grid is not edited. A [`Searcher`](crate::Searcher) answers by it once it is
/// [prepared](crate::Preparation::Index).
///
/// ```
/// use std::ops::ControlFlow;
/// use wayfare::index::IndexOptions;
/// use wayfare_site::{
///     Clock, EngineName, NoFiles, OpenOptions, Preparation, SearchRequest, SiteIndex, open_bytes,
/// };
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let built = SiteIndex::build(site.as_ref(), IndexOptions::default(), &mut |_| {
///     ControlFlow::Continue(())
/// })?;
/// let index = SiteIndex::decode(site.as_ref(), "yard.index".as_ref(), &built.encode())?;
/// let mut searcher = site.searcher();
/// searcher.prepare(Preparation::Index(Some(index.into())), Clock::NONE)?;
/// let request = SearchRequest::new(EngineName::Index, site.routes()[0].ends);
/// let report = searcher.run(&request, &mut |_expanded| ());
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
        let index = build_index(&view.space(), options, on_progress);
        let index = index.map_err(|error| SiteError::unsearchable(&about.file, &error))?;
        Ok(Self { index })
    }

    /// Reads the index of a site from the bytes of [`SiteIndex::encode`]; errors name them by
    /// `name`.
    ///
    /// # Errors
    /// When the site is no grid, or the bytes are damaged or of another world or movement.
    pub fn decode(site: &dyn Site, name: &Path, bytes: &[u8]) -> Result<Self, SiteError> {
        let view = grid_of(site, "index")?;
        let space = view.space();
        let wrong = |problem: String| SiteError::unsearchable(name, &problem);
        let index = GridIndex::decode(&space, bytes).map_err(|error| wrong(error.to_string()))?;
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

    pub(crate) fn into_inner(self) -> GridIndex {
        self.index
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
