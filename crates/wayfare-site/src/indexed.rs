//! Indexes of sites, as values and as files.

use std::ops::ControlFlow;
use std::path::Path;

use wayfare::index::{
    GridIndex, IndexOptions, IndexProgress, MeshIndex, MeshIndexOptions, SightOutcome,
};
use wayfare_index::inside::build_index;

use crate::{About, EngineName, Site, SiteError};

/// The most memory for noting the corners in sight of every cell.
pub(crate) const SIGHT_BYTES: usize = 64 << 20;

/// The index of a site that is a grid or a navigation mesh of one cost: exact answers in
/// microseconds. On grids it follows edits. A [`Searcher`](crate::Searcher) answers by it
/// once it is [prepared](crate::Preparation::Index).
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
/// assert_eq!(index.size().corners, 4);
/// let mut searcher = site.searcher();
/// searcher.prepare(Preparation::Index(Some(index.into())), Clock::NONE)?;
/// let request = SearchRequest::new(EngineName::Index, site.routes()[0].ends);
/// let report = searcher.run(&request, &mut |_expanded| ());
/// assert_eq!((report.method, report.path.len()), ("index", 5));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Debug)]
pub struct SiteIndex {
    index: OfGround,
}

/// The engine's index.
#[derive(Debug)]
pub(crate) enum OfGround {
    Grid(Box<GridIndex>),
    Mesh(MeshIndex),
}

/// The content of an index, and its memory.
///
/// Example: [`SiteIndex`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteIndexSize {
    /// The corners of obstacles.
    pub corners: usize,
    /// The hubs of all corners together.
    pub hubs: usize,
    /// On meshes the corners in sight of polygons, of all polygons together.
    pub views: Option<usize>,
    /// The memory, in bytes.
    pub bytes: usize,
}

impl SiteIndex {
    /// Builds the index of a site. `on_progress` hears the stages, and may end them.
    ///
    /// # Errors
    /// When the site is neither grid nor navigation mesh, has links, or does not suit an index; or
    /// when `on_progress` ends it.
    pub fn build(
        site: &dyn Site,
        options: IndexOptions,
        on_progress: &mut dyn FnMut(IndexProgress) -> ControlFlow<()>,
    ) -> Result<Self, SiteError> {
        let &About { ref file, kind, .. } = site.about();
        let index = if let Some(view) = site.grid() {
            let index = build_index(&view.space(), options, on_progress);
            OfGround::Grid(index.map_err(|error| SiteError::unsearchable(file, &error))?.into())
        } else if let Some(view) = site.nav_mesh() {
            view.check_no_links(file)?;
            let options = MeshIndexOptions { max_bytes: options.max_bytes };
            let index = MeshIndex::build(&view.space(), options, on_progress);
            OfGround::Mesh(index.map_err(|error| SiteError::unsearchable(file, &error))?)
        } else {
            let problem =
                format!("this is a {kind}, and only grids and navigation meshes can be indexed");
            return Err(SiteError::unsearchable(file, &problem));
        };
        Ok(Self { index })
    }

    /// Reads the index of a site from the bytes of [`SiteIndex::encode`]; errors name them by
    /// `name`.
    ///
    /// # Errors
    /// When the site is neither grid nor navigation mesh, or has links; when the bytes are damaged
    /// or of another world or movement.
    pub fn decode(site: &dyn Site, name: &Path, bytes: &[u8]) -> Result<Self, SiteError> {
        let &About { ref file, kind, .. } = site.about();
        let index = if let Some(view) = site.grid() {
            GridIndex::decode(&view.space(), bytes).map(|index| OfGround::Grid(index.into()))
        } else if let Some(view) = site.nav_mesh() {
            view.check_no_links(file)?;
            MeshIndex::decode(&view.space(), bytes).map(OfGround::Mesh)
        } else {
            return Err(SiteError::NotAGrid {
                path: file.clone(),
                kind,
                engine: EngineName::Index.name(),
            });
        };
        let index = index.map_err(|error| SiteError::unsearchable(name, &error))?;
        Ok(Self { index })
    }

    /// Stores the corners in sight of each cell of a grid, up to 64 MiB, so that routes take less
    /// time. Returns `None` on meshes: their indexes have them from the outset.
    ///
    /// # Errors
    /// When the index is of another world or movement.
    pub fn note_sight(&mut self, site: &dyn Site) -> Result<Option<SightOutcome>, SiteError> {
        let (OfGround::Grid(index), Some(view)) = (&mut self.index, site.grid()) else {
            return Ok(None);
        };
        let outcome = index.note_sight(&view.space(), SIGHT_BYTES);
        outcome.map(Some).map_err(|_| SiteError::OtherIndex)
    }

    /// Returns the index as the bytes of a file.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match &self.index {
            OfGround::Grid(index) => index.encode(),
            OfGround::Mesh(index) => index.encode(),
        }
    }

    /// Returns its content, and its memory.
    #[must_use]
    pub fn size(&self) -> SiteIndexSize {
        match &self.index {
            OfGround::Grid(index) => SiteIndexSize {
                corners: index.corners(),
                hubs: index.hubs(),
                views: None,
                bytes: index.size_in_bytes(),
            },
            OfGround::Mesh(index) => SiteIndexSize {
                corners: index.bends(),
                hubs: index.hubs(),
                views: Some(index.views()),
                bytes: index.size_in_bytes(),
            },
        }
    }

    pub(crate) fn into_inner(self) -> OfGround {
        self.index
    }
}
