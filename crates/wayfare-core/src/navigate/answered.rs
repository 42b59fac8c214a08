//! Answers, and which engine gave them.

use std::fmt;

use crate::search::{Answer, Guarantee, Outcome, Stats};

/// The kinds of engines.
///
/// Example: [`Took`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EngineId {
    /// Nothing but a look at the ends: obstructed, or on different islands.
    Preflight,
    /// A search.
    Search,
    /// Hub labels of a grid or a mesh (`IndexEngine`, `MeshIndexEngine`).
    Index,
    /// Sectors of a grid that changes (`HierarchyEngine`).
    Hierarchy,
    /// Costs to one goal, shared by all its agents ([`FieldEngine`](super::FieldEngine)).
    Field,
    /// A search guided by lower bounds ([`LandmarksEngine`](super::LandmarksEngine)).
    Landmarks,
    /// A region that is known to be closed.
    ClosedRegion,
    /// A search between points of a navigation mesh (`MeshEngine`).
    Mesh,
    /// An engine of the caller's own.
    Custom(u16),
}

impl EngineId {
    /// Returns the name; one for all engines of callers' own.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Preflight => "preflight",
            Self::Search => "search",
            Self::Index => "index",
            Self::Hierarchy => "hierarchy",
            Self::Field => "field",
            Self::Landmarks => "landmarks",
            Self::ClosedRegion => "closed region",
            Self::Mesh => "mesh",
            Self::Custom(_) => "engine",
        }
    }
}

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Custom(number) => write!(f, "engine {number}"),
            _ => f.pad(self.name()),
        }
    }
}

/// Why an engine was taken.
///
/// Example: [`Took`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Reason {
    /// The ends alone show that there is no path.
    Foregone,
    /// No other engine suits the question.
    NothingElseSuits,
    /// The space is as it was when the engine was prepared.
    Prepared,
    /// The first leg is wanted, and sectors know it at once.
    FirstLegWanted,
    /// Lower bounds of the costs are known, and guide the search.
    BoundsAreKnown,
    /// Several requests have this goal.
    GoalIsShared,
    /// No state outside the goal's region has a path into it.
    GoalIsCutOff,
    /// The path joins two points, and the space is a navigation mesh.
    BetweenPoints,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Foregone => "the ends alone show that there is no path",
            Self::NothingElseSuits => "no other engine suits the question",
            Self::Prepared => "the space is as it was when the engine was prepared",
            Self::FirstLegWanted => "the first leg is wanted, and sectors know it at once",
            Self::BoundsAreKnown => "lower bounds of the costs are known, and lead the search",
            Self::GoalIsShared => "several requests have this goal",
            Self::GoalIsCutOff => "the goal lies in a region that nothing outside leads into",
            Self::BetweenPoints => "the path leads from point to point of a mesh",
        })
    }
}

/// The part of the route that a path covers.
///
/// Example: [`Took`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Coverage {
    /// All of it.
    Whole,
    /// The first leg. Ask again from where it ends.
    FirstLeg,
}

/// The engine that answered, its reason, and its guarantee.
///
/// ```
/// use wayfare::index::GridIndex;
/// use wayfare::navigate::{
///     Answered, Choice, Coverage, EngineId, IndexEngine, Navigator, Offer, Reason, Refusal, Took,
/// };
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let mut grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let index = IndexEngine::new(&grid.space(), GridIndex::new(&grid.space())?)?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let navigator = Navigator::new(grid.space()).with(&index);
/// let Answered { took, .. } = navigator.ask(query.clone(), &mut Scratch::new());
/// let Took { engine, reason, coverage, .. } = took;
/// assert_eq!((engine, reason, coverage), (EngineId::Index, Reason::Prepared, Coverage::Whole));
///
/// grid.set_terrain(grid.cell(1, 1).unwrap(), TerrainId::GROUND);
/// let navigator = Navigator::new(grid.space()).with(&index);
/// for Choice { engine, offer } in navigator.choices(&query.into()) {
///     match offer {
///         Ok(Offer { reason, .. }) => println!("{} suits: {reason:?}", engine.name()),
///         Err(refusal) => assert!(engine != EngineId::Index || refusal == Refusal::Stale),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Took {
    /// The engine.
    pub engine: EngineId,
    /// Why that one.
    pub reason: Reason,
    /// Its promise for a found path.
    pub guarantee: Guarantee,
    /// A path found costs at most this many times the cheapest: at least 1, and infinity where
    /// nothing is promised.
    pub loss_bound: f32,
    /// The part of the route that the path covers.
    pub coverage: Coverage,
    /// The work done for this answer, in [units](super::work). Work on a shared field is not
    /// counted.
    pub work: u64,
}

impl Took {
    /// Returns an optimal answer that covers the whole route.
    #[must_use]
    pub fn optimal(engine: EngineId, reason: Reason, work: u64) -> Self {
        Self::by_search((engine, reason), Guarantee::Optimal, work)
    }

    /// Returns an answer that covers the whole route, by a search with that guarantee.
    #[doc(hidden)]
    pub fn by_search(
        (engine, reason): (EngineId, Reason),
        guarantee: Guarantee,
        work: u64,
    ) -> Self {
        let loss_bound = if guarantee == Guarantee::Optimal { 1.0 } else { f32::INFINITY };
        Self { engine, reason, guarantee, loss_bound, coverage: Coverage::Whole, work }
    }
}

/// An outcome, its cost, and the engine that gave it.
///
/// Example: [`Took`].
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answered<State, C> {
    /// The path, or the reason why not.
    pub outcome: Outcome<State, C>,
    /// The counters of the search; zero where there was none.
    pub stats: Stats,
    /// The engine.
    pub took: Took,
}

impl<State, C> Answered<State, C> {
    /// Returns the answer of a search, by the engine described.
    #[must_use]
    pub fn new(answer: Answer<State, C>, took: Took) -> Self {
        Self { outcome: answer.outcome, stats: answer.stats, took }
    }

    /// Returns the answer alone, as a search gives it.
    #[must_use]
    pub fn into_answer(self) -> Answer<State, C> {
        Answer { outcome: self.outcome, stats: self.stats }
    }
}
