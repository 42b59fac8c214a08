//! Engines that are prepared before they answer.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use wayfare::hierarchy::HierarchySettings;
use wayfare::navigate::{FieldEngine, LandmarksEngine, Navigator};
use wayfare::search::{AlgorithmId, Guarantee};
use wayfare::space::{Cost, ReverseSpace, Space, StateId};
use wayfare_core::inside::CastEngines;

use crate::owner::{NarrowOwner, OwnEngines, Owner};
use crate::{Clock, Endpoints, SearchReport, SearchRequest, SiteError, SiteIndex};

/// The name of an engine: of a search in the catalog, or of one that is
/// [prepared](crate::Searcher::prepare).
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::EngineName;
/// assert_eq!("landmarks".parse(), Ok(EngineName::Landmarks));
/// assert_eq!("Dijkstra".parse(), Ok(EngineName::Search(AlgorithmId::Dijkstra)));
/// assert!("teleport".parse::<EngineName>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EngineName {
    /// A search. [`AlgorithmId::Auto`] first asks the engines that are prepared.
    Search(AlgorithmId),
    /// Hub labels of a grid or navigation mesh that stays as it is.
    Index,
    /// Sectors of a grid that changes.
    Hierarchy,
    /// Costs to and from a few landmarks, which guide A*.
    Landmarks,
    /// Costs to one goal.
    Field,
    /// A shortest path at any angle on a navigation mesh.
    Polyanya,
    /// A* over the edges of a navigation mesh, and a taut line in the corridor.
    Corridor,
}

impl EngineName {
    /// The engines that are prepared, with a line each.
    pub const PREPARED: [(Self, &'static str); 4] = [
        (Self::Index, "Hub labels of a grid or mesh that stays as it is: no search at all"),
        (Self::Hierarchy, "Sectors of a grid: a near-optimal route, its first leg at once"),
        (Self::Landmarks, "Costs to and from a few landmarks, which lead A*"),
        (Self::Field, "Costs to one goal, which every path to it is read from"),
    ];

    /// The searches on navigation meshes, with a line each. They need no preparation.
    pub const ON_MESHES: [(Self, &'static str); 2] = [
        (Self::Polyanya, "Navigation meshes: a shortest path at any angle"),
        (Self::Corridor, "Navigation meshes: A* over edges and a taut line, as Detour does"),
    ];

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Search(algorithm) => algorithm.info().name,
            Self::Index => "index",
            Self::Hierarchy => "hierarchy",
            Self::Landmarks => "landmarks",
            Self::Field => "field",
            Self::Polyanya => "polyanya",
            Self::Corridor => "corridor",
        }
    }

    /// Returns the name that people know it by.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Search(algorithm) => algorithm.info().title,
            Self::Index => "Hub labels",
            Self::Hierarchy => "Sectors",
            Self::Landmarks => "Landmarks",
            Self::Field => "Distance field",
            Self::Polyanya => "Polyanya",
            Self::Corridor => "A* over edges, taut",
        }
    }

    /// Returns its promise for paths. A hierarchy states its bound with each route.
    #[must_use]
    pub fn guarantee(self) -> Guarantee {
        match self {
            Self::Search(algorithm) => algorithm.info().guarantee,
            Self::Hierarchy => Guarantee::Bounded,
            Self::Index | Self::Landmarks | Self::Field | Self::Polyanya => Guarantee::Optimal,
            Self::Corridor => Guarantee::None,
        }
    }

    /// Returns the search that answers where the engine does not suit.
    pub(crate) fn algorithm(self) -> AlgorithmId {
        match self {
            Self::Search(algorithm) => algorithm,
            _ => AlgorithmId::Auto,
        }
    }

    /// Returns whether a request for this engine may be answered by a prepared one.
    pub(crate) fn admits(self, prepared: Self) -> bool {
        self == prepared || self == Self::Search(AlgorithmId::Auto)
    }
}

impl From<AlgorithmId> for EngineName {
    fn from(algorithm: AlgorithmId) -> Self {
        Self::Search(algorithm)
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for EngineName {
    type Err = wayfare::search::UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let mut others = Self::PREPARED.into_iter().chain(Self::ON_MESHES);
        others
            .find(|(engine, _)| engine.name() == name)
            .map_or_else(|| name.parse().map(Self::Search), |(engine, _)| Ok(engine))
    }
}

/// The basis of a prepared engine.
///
/// ```
/// use wayfare_site::{Clock, NoFiles, OpenOptions, Preparation, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let goal = site.routes()[0].ends.goal;
/// let prepared = site.searcher().prepare(Preparation::Field { goal }, Clock::NONE)?;
/// assert!(prepared.bytes > 0);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Preparation {
    /// An index that was built or read; `None` builds one.
    Index(Option<Box<SiteIndex>>),
    /// A hierarchy of sectors.
    Hierarchy {
        /// How it is built and walked.
        settings: HierarchySettings,
        /// Whether each route is refined into a cheapest path.
        exact: bool,
    },
    /// Landmarks among the states connected to one.
    Landmarks {
        /// That state.
        near: u32,
        /// Their count: 1 to 256. More of them guide better, and take memory and time to compute.
        count: usize,
    },
    /// The costs of all states to a goal.
    Field {
        /// The goal.
        goal: u32,
    },
}

/// Whether engines are prepared at all: the feature `engines`. A constant, so that without it the
/// code of the engines is not linked.
pub(crate) const HAS_ENGINES: bool = cfg!(feature = "engines");

/// The default count of landmarks.
const USUAL_LANDMARKS: usize = 16;

impl Preparation {
    /// Returns the preparation for a route with default settings; `None` for a search, which needs
    /// none.
    #[must_use]
    pub fn usual(engine: EngineName, ends: Endpoints) -> Option<Self> {
        match engine {
            EngineName::Search(_) | EngineName::Polyanya | EngineName::Corridor => None,
            EngineName::Index => Some(Self::Index(None)),
            EngineName::Hierarchy => {
                Some(Self::Hierarchy { settings: HierarchySettings::default(), exact: false })
            }
            EngineName::Landmarks => {
                Some(Self::Landmarks { near: ends.start, count: USUAL_LANDMARKS })
            }
            EngineName::Field => Some(Self::Field { goal: ends.goal }),
        }
    }

    /// Returns the engine that it prepares.
    #[must_use]
    pub fn engine(&self) -> EngineName {
        match self {
            Self::Index(_) => EngineName::Index,
            Self::Hierarchy { .. } => EngineName::Hierarchy,
            Self::Landmarks { .. } => EngineName::Landmarks,
            Self::Field { .. } => EngineName::Field,
        }
    }
}

/// A prepared engine's size, and the time that it took.
///
/// ```
/// use wayfare_site::{Clock, EngineName, NoFiles, OpenOptions, Preparation, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let near = site.routes()[0].ends.start;
/// let landmarks = Preparation::Landmarks { near, count: 4 };
/// let prepared = site.searcher().prepare(landmarks, Clock::NONE)?;
/// assert_eq!((prepared.engine, prepared.took.as_nanos()), (EngineName::Landmarks, 0));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(serde::Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct PreparedEngine {
    /// The engine.
    #[serde(serialize_with = "engine_name")]
    pub engine: EngineName,
    /// Its memory.
    pub bytes: usize,
    /// The time of preparing it.
    pub took: Duration,
}

fn engine_name<S: serde::Serializer>(engine: &EngineName, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(engine.name())
}

/// Prepares something, with a clock beside it.
pub(crate) fn timed<T>(clock: Clock, make: impl FnOnce() -> T) -> (T, Duration) {
    let begun = clock.now();
    let made = make();
    (made, clock.since(begun))
}

/// The prepared engines that every kind of world can have.
#[derive(Debug)]
pub(crate) struct SharedEngines<State, C> {
    field: Option<FieldEngine<State, C>>,
    landmarks: Option<LandmarksEngine<State, C>>,
}

impl<State, C> Default for SharedEngines<State, C> {
    fn default() -> Self {
        Self { field: None, landmarks: None }
    }
}

impl<State: StateId, C: Cost> SharedEngines<State, C> {
    /// Prepares an engine; `None` if it is not one of these, or its start is blocked: a search then
    /// says so.
    pub(crate) fn prepare<S>(&mut self, space: &S, preparation: &Preparation) -> Option<usize>
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        if !HAS_ENGINES {
            return None;
        }
        match *preparation {
            Preparation::Field { goal } => {
                let field = FieldEngine::new(space, State::from_index(goal));
                let bytes = space.state_bound() * 2 * size_of::<C>();
                self.field = Some(field);
                Some(bytes)
            }
            Preparation::Landmarks { near, count } => {
                let count = count.clamp(1, 256);
                let near = State::from_index(near);
                self.landmarks = LandmarksEngine::new(space, near, count).ok();
                Some(self.landmarks.as_ref().map_or(0, |engine| engine.landmarks().bytes()))
            }
            Preparation::Index(_) | Preparation::Hierarchy { .. } => None,
        }
    }

    /// Adds the engines that a request may be answered by: the field, which only has to be read,
    /// before the landmarks. Landmarks are left to requests by their name where a search
    /// [outruns](Owner::outruns_landmarks) them.
    pub(crate) fn add_to<'e, S, A>(
        &'e self,
        mut navigator: Navigator<'e, S, A>,
        wanted: EngineName,
        owner: &impl Owner,
    ) -> Navigator<'e, S, A>
    where
        S: CastEngines + Space<State = State, Cost = C> + 'e,
    {
        if !HAS_ENGINES {
            return navigator;
        }
        let may_lead = wanted == EngineName::Landmarks || !owner.outruns_landmarks();
        if let Some(field) = self.field.as_ref().filter(|_| wanted.admits(EngineName::Field)) {
            navigator = navigator.with(S::field(field));
        }
        let landmarks = self.landmarks.as_ref();
        if let Some(landmarks) =
            landmarks.filter(|_| may_lead && wanted.admits(EngineName::Landmarks))
        {
            navigator = navigator.with(S::landmarks(landmarks));
        }
        navigator
    }
}

/// No engines of its own: a world whose kind has none.
#[derive(Default, Debug)]
pub(crate) struct NoOwnEngines;

impl<O: NarrowOwner> OwnEngines<O> for NoOwnEngines {
    fn prepare(
        &mut self,
        _owner: &O,
        _preparation: &mut Preparation,
        _clock: Clock,
    ) -> Result<Option<PreparedEngine>, SiteError> {
        Ok(None)
    }

    fn add_to<'e, A>(
        &'e self,
        navigator: Navigator<'e, O::Narrow<'e>, A>,
        _wanted: EngineName,
    ) -> Navigator<'e, O::Narrow<'e>, A> {
        navigator
    }

    fn route(&mut self, _owner: &O, _request: &SearchRequest) -> Option<SearchReport> {
        None
    }

    fn time_turns(&self, _owner: &O, _request: &SearchRequest) -> Option<Duration> {
        None
    }

    fn set_ground(&mut self, _: &mut O, _state: u32, _ground: &str) -> Result<(), SiteError> {
        Err(SiteError::NotEditable)
    }
}
