//! Algorithms: a description, options, and a factory of searches.

use super::{NamedHeuristic, Query};
use crate::space::{Cost, LineOfSight, Metric, MoveRules, ReverseSpace, StateId};

/// A space that every algorithm can search. Implemented by all that have the traits.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::{AlgorithmInfo, FullSpace, Guarantee, Options};
/// use wayfare::trace::ObserverOf;
///
/// /// Runs every algorithm with the same options, and counts those that found a cheapest path.
/// fn count_optimal<S: FullSpace>(
///     space: &S,
///     query: &Query<S::State, S::Cost>,
///     observer: &mut impl ObserverOf<S>,
/// ) -> usize {
///     let optimal = AlgorithmId::ALL.iter().filter(|algorithm| {
///         let AlgorithmInfo { name, guarantee, .. } = algorithm.info();
///         let mut search = algorithm.search(&Options::default(), query.clone());
///         let answer = search.finish(space, &mut Scratch::new(), observer);
///         println!("{name}: {}", answer.outcome);
///         answer.outcome.is_found() && guarantee == Guarantee::Optimal
///     });
///     optimal.count()
/// }
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// assert!(count_optimal(&grid.space(), &query, &mut ()) >= 6);
/// # Ok::<(), GridError>(())
/// ```
pub trait FullSpace: Metric + ReverseSpace + LineOfSight + MoveRules {}
impl<S: Metric + ReverseSpace + LineOfSight + MoveRules> FullSpace for S {}

/// An algorithm with its parameters set: makes searches for queries.
///
/// Its searches know the types of states and costs, but not the space: they borrow nothing, and a
/// game can keep one beside the very grid that it edits between two slices.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// /// Steps a search, a few expansions a frame, and counts the frames.
/// fn frames<A: Algorithm>(algorithm: A, grid: &Grid, query: Query<Cell, u32>) -> usize
/// where
///     for<'g> A::Search<Cell, u32>: Search<wayfare::space::GridSpace<'g>>,
/// {
///     let (mut search, mut scratch, mut frames) = (algorithm.search(query), Scratch::new(), 1);
///     while search.step(&grid.space(), &mut scratch, &mut (), 2) == Progress::Working {
///         frames += 1;
///     }
///     frames
/// }
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// assert!(frames(Dijkstra, &grid, query.clone()) >= frames(AStar::new(), &grid, query));
/// # Ok::<(), GridError>(())
/// ```
pub trait Algorithm {
    /// The machine that answers one query: a [`Search`](super::Search) in the spaces that the
    /// algorithm suits.
    type Search<State: StateId, C: Cost>;

    /// Returns a search before its first step.
    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C>;

    /// Returns the guarantee on its paths. Default: none.
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
}

/// The guarantee of an algorithm on the path it returns.
///
/// Example: [`FullSpace`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Guarantee {
    /// No path is cheaper.
    Optimal,
    /// No path costs less than this one divided by [`Options::weight`].
    Bounded,
    /// No path has fewer moves.
    FewestMoves,
    /// A path at any angle, no longer than the best along the space's moves in practice, but
    /// without a proof.
    AnyAngle,
    /// A path; not optimal.
    None,
}

/// An algorithm as lists, help texts and tables show it.
///
/// Example: [`FullSpace`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlgorithmInfo {
    /// The name to ask for it by.
    pub name: &'static str,
    /// The name that people know it by.
    pub title: &'static str,
    /// A summary in one line.
    pub summary: &'static str,
    /// Its guarantee.
    pub guarantee: Guarantee,
    /// The largest space, in states, that it is sensible to run on; `None`: any.
    pub sensible_states: Option<usize>,
}

/// Options of an algorithm chosen by name. Each algorithm reads the options that concern it.
///
/// Example: [`FullSpace`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// The heuristic of the informed searches. Default: the space's own.
    pub heuristic: NamedHeuristic,
    /// The weight of weighted A*. Default 1.5.
    pub weight: Weight,
    /// Whether the waypoint policies ignore the waypoints' own costs. Default `false`.
    pub ignore_own_costs: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            heuristic: NamedHeuristic::Natural,
            weight: Weight::default(),
            ignore_own_costs: false,
        }
    }
}

/// How much more the estimate counts than the cost so far: 1 or more, in steps of 1/256.
///
/// Raising it makes the search greedier: fewer expansions, and a path that costs at most `weight`
/// times the optimal.
///
/// Example: [`WeightedAStar`](super::WeightedAStar).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f32", into = "f32"))]
pub struct Weight(u32);

impl TryFrom<f32> for Weight {
    type Error = InvalidWeight;

    fn try_from(weight: f32) -> Result<Self, InvalidWeight> {
        Self::new(weight)
    }
}

impl From<Weight> for f32 {
    fn from(weight: Weight) -> Self {
        weight.get()
    }
}

/// A weight that is not a finite number from 1 to 65,536.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the weight {0} must be a number from 1 to 65536")]
pub struct InvalidWeight(pub f32);

impl Weight {
    const ONE: u32 = 256;

    /// Returns the weight nearest to `weight`.
    ///
    /// # Errors
    /// When it is not a finite number from 1 to 65,536.
    pub fn new(weight: f32) -> Result<Self, InvalidWeight> {
        if (1.0..=65536.0).contains(&weight) {
            Ok(Self((weight * Self::ONE as f32) as u32))
        } else {
            Err(InvalidWeight(weight))
        }
    }

    /// Returns the weight as a number.
    #[must_use]
    pub fn get(self) -> f32 {
        self.0 as f32 / Self::ONE as f32
    }

    /// Returns the estimate times the weight, rounded down.
    #[inline]
    #[must_use]
    pub fn times(self, estimate: u64) -> u64 {
        (u128::from(estimate) * u128::from(self.0) / u128::from(Self::ONE)) as u64
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self(Self::ONE * 3 / 2)
    }
}

/// An algorithm that the catalog lists.
pub trait Listed {
    /// How it is listed.
    const INFO: AlgorithmInfo;

    /// Returns the algorithm with these options.
    fn with_options(options: &Options) -> Self;
}
