//! The one error of this crate: a sentence for people, and a kind for programs.

use std::path::{Path, PathBuf};

use wayfare::space::GridError;
use wayfare_formats::WorldError;

use crate::EngineName;
use crate::numbers::counted;

/// Why a world cannot be opened, or a question about it not be asked.
///
/// Its text is a whole sentence with the file or text at fault and the remedy:
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, SiteError, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let error = site.find("three").expect_err("no cell is called so");
/// assert!(error.to_string().starts_with("'three' is no cell: write column and row"));
/// assert!(error.is_usage());
/// # Ok::<(), SiteError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// A world file that cannot be read.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A world that can be read, but not searched.
    #[error("{}: {problem}", path.display())]
    Unsearchable {
        /// The file.
        path: PathBuf,
        /// The fault and its remedy.
        problem: String,
    },
    /// A file of queries where a world was expected.
    #[error(
        "{0} holds queries, not a world: open its map, or run them all with `wayfare bench {0}`",
        path.display()
    )]
    HoldsQueries {
        /// The file.
        path: PathBuf,
    },
    /// Movement on cells was asked for in a world of blocks.
    #[error("{} is a world of blocks: --neighbours and --corners are for grids", path.display())]
    MovesOfGrids {
        /// The file.
        path: PathBuf,
    },
    /// Abilities or a heightmap's sizes were given for a world without blocks.
    #[error(
        "{} is no world of blocks: --abilities and its like are for voxel worlds",
        path.display()
    )]
    MovesOfVoxels {
        /// The file.
        path: PathBuf,
    },
    /// Movement on cells was asked for among waypoints.
    #[error(
        "{} is a scene of waypoints, whose links say how one moves: --neighbours, --corners and \
         --width are for grids",
        path.display()
    )]
    MovesAmongWaypoints {
        /// The file.
        path: PathBuf,
    },
    /// A text that names no cell.
    #[error(
        "'{text}' is no cell: write column and row, as in 3,4, counted from 0,0 at the top left"
    )]
    NoCell {
        /// The text.
        text: String,
    },
    /// A text that the world does not know as a place.
    #[error("the world has no place '{text}'; it names {known}")]
    NoNamedPlace {
        /// The text.
        text: String,
        /// The names of its places, or the first of them.
        known: String,
    },
    /// A text that names no point.
    #[error("'{text}' is no point: write x,z or x,y,z in metres")]
    NoPoint {
        /// The text.
        text: String,
    },
    /// A text that names no block.
    #[error(
        "'{text}' is no block: write x,y,z as in 3,1,4, counted from 0, with y up; it is where \
         the feet are"
    )]
    NoBlock {
        /// The text.
        text: String,
    },
    /// A text that names no waypoint.
    #[error(
        "'{text}' is no waypoint of {}, nor a point x,z or x,y,z in metres; its waypoints are {some}",
        path.display()
    )]
    NoWaypoint {
        /// The text.
        text: String,
        /// The file.
        path: PathBuf,
        /// Some of the names that it has.
        some: String,
    },
    /// A point on a navigation mesh is given by coordinates alone.
    #[error("'{text}' is no point: write x,z or x,y,z in metres (y is up)")]
    NoMeshPoint {
        /// The text.
        text: String,
    },
    /// The movement on grids and in worlds of blocks means nothing on a navigation mesh.
    #[error(
        "{} is a navigation mesh: the agent it was made for is in the mesh, and options for grids and blocks mean nothing on it",
        path.display()
    )]
    MovesOnMesh {
        /// The file.
        path: PathBuf,
    },
    /// The search is one of navigation meshes.
    #[error("{} is a {kind}, and {engine} searches navigation meshes", path.display())]
    NotAMesh {
        /// The file.
        path: PathBuf,
        /// Its kind.
        kind: &'static str,
        /// The search.
        engine: &'static str,
    },
    /// The world names no route of that name.
    #[error("{} names no route '{name}': {known}", path.display())]
    NoRoute {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The names that it has, as the end of a sentence.
        known: String,
    },
    /// No state of the world is free.
    #[error("{}: there is no place that this walker can stand on", path.display())]
    NoFreePlace {
        /// The file.
        path: PathBuf,
    },
    /// None of the sampled states of a very large world is free.
    #[error(
        "{}: this walker can stand at none of the {} looked at, spread over this large world; \
         say where with --from and --to",
        path.display(), counted(*looked_at, "place")
    )]
    NoFreeSample {
        /// The file.
        path: PathBuf,
        /// The count of sampled states.
        looked_at: u64,
    },
    /// An engine for grids, or for grids and navigation meshes, was asked for in another kind of
    /// world.
    #[error("{} is a {kind}: --{engine} is for {}", path.display(), ground_of(engine))]
    NotAGrid {
        /// The file.
        path: PathBuf,
        /// The kind of world.
        kind: &'static str,
        /// The engine: "index" or "hierarchy".
        engine: &'static str,
    },
    /// A simulation whose state cannot be saved.
    #[error("the simulation cannot be saved: {problem}")]
    Unsaved {
        /// Why.
        problem: String,
    },
    /// A simulation goes back, or is put to where another one was, and its world is not as at the
    /// beginning any more.
    #[error("the simulation has begun: this has to be done before its first tick")]
    Begun,
    /// An engine that this kind of world cannot have.
    #[error(
        "this kind of world has no {engine}: index and hierarchy are for grids without links, \
         and an index for navigation meshes without links"
    )]
    NoSuchEngine {
        /// The engine.
        engine: &'static str,
    },
    /// A grid that cannot be indexed.
    #[error("{world} cannot be indexed: {problem}")]
    Unindexed {
        /// The world.
        world: String,
        /// The fault and its remedy.
        problem: String,
    },
    /// No class of the scene carries a key of that name.
    #[error("the world has no key '{name}': {known}")]
    NoKey {
        /// The name.
        name: String,
        /// The keys that it has, as the end of a sentence.
        known: String,
    },
    /// No link of the scene has that name.
    #[error("no link of this scene is called '{name}': {known}")]
    NoLink {
        /// The name.
        name: String,
        /// The links that it has, as the end of a sentence.
        known: String,
    },
    /// A link without a capacity was to be full.
    #[error("{name} has no capacity: it is never full")]
    NeverFull {
        /// The link's kind and name.
        name: String,
    },
    /// A change of an agent's movement that there is not, or that has no such value.
    #[error("{change}: {problem}")]
    NoChange {
        /// The change.
        change: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Only the ground of grids can be changed.
    #[error("only the ground of grids can be changed")]
    NotEditable,
    /// The world has no ground of that name.
    #[error("the world has no ground '{name}'")]
    NoGround {
        /// The name.
        name: String,
    },
    /// A file of recorded searches that is not one, or lies.
    #[error("{}: {problem}", path.display())]
    Trace {
        /// The file.
        path: PathBuf,
        /// The fault, with its position in the file.
        problem: String,
    },
    /// An index was given that was built for another world or movement.
    #[error("the index is one of another world")]
    OtherIndex,
}

/// Returns the worlds that an engine is for.
fn ground_of(engine: &str) -> &'static str {
    if engine == EngineName::Index.name() { "grids and navigation meshes" } else { "grids" }
}

impl SiteError {
    pub(crate) fn grid(path: &Path, problem: &GridError) -> Self {
        Self::unsearchable(path, problem)
    }

    pub(crate) fn unsearchable(path: &Path, problem: &impl ToString) -> Self {
        Self::Unsearchable { path: path.to_path_buf(), problem: problem.to_string() }
    }

    /// Returns whether the question is at fault, not a file.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            Self::World(_) | Self::Unsearchable { .. } | Self::Unsaved { .. } | Self::Trace { .. }
        )
    }
}
