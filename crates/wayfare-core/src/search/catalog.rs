//! The catalog: every algorithm, by name.
//!
//! To add one, write its file (an [`Algorithm`] that is [`Listed`]) and add its row to the list of
//! [`algorithms`]. The command line, the tests' corpus and the
//! benches take it from there.

use super::algorithms::algorithms;
use super::{
    AStar, AStarList, Algorithm, AlgorithmInfo, AnySearch, Auto, Bfs, Bidirectional,
    CostOfMovement, Dijkstra, Greedy, Guarantee, HScore, IdaStar, InverseCostOfMovement, Jps,
    LazyThetaStar, Listed, ManhattanDistance, NamedHeuristic, Options, Query, Vector3Distance,
    WeightedAStar,
};
use crate::space::{Cost, StateId};

macro_rules! catalog {
    ($(
        $name:ident = $algorithm:ty,
        $([each space: $typed:ty])? $([all spaces: $erased:ty])?;
    )*) => {
        /// The name of an algorithm in the catalog.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum AlgorithmId {
            $(
                #[doc = concat!("See [`", stringify!($name), "`](super::", stringify!($name), ").")]
                $name,
            )*
        }

        impl AlgorithmId {
            /// All algorithms, in the order of the catalog.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns how the algorithm is listed.
            #[must_use]
            pub fn info(self) -> AlgorithmInfo {
                match self {
                    $(Self::$name => <$algorithm>::INFO,)*
                }
            }

            /// Returns the name of the type that implements it.
            #[must_use]
            pub fn type_name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }
        }
    };
}

impl AlgorithmId {
    /// Returns a search by this algorithm before its first step.
    #[must_use]
    pub fn search<State: StateId, C: Cost>(
        self,
        options: &Options,
        query: Query<State, C>,
    ) -> AnySearch<State, C> {
        AnySearch::by(self, options, query)
    }
}

/// An algorithm of the catalog with its options, chosen at run time.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::{AlgorithmId, NamedAlgorithm};
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let algorithm: AlgorithmId = "dijkstra".parse().expect("it is in the catalog");
/// let answer = solve(&grid.space(), &NamedAlgorithm::from(algorithm), query);
/// assert!(answer.outcome.is_found());
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NamedAlgorithm {
    /// The algorithm.
    pub id: AlgorithmId,
    /// Its options.
    pub options: Options,
}

impl From<AlgorithmId> for NamedAlgorithm {
    fn from(id: AlgorithmId) -> Self {
        Self { id, options: Options::default() }
    }
}

impl NamedAlgorithm {
    /// Returns the algorithm and its options as a number: for a hash.
    #[doc(hidden)]
    pub fn word(&self) -> u64 {
        let Options { heuristic, weight, ignore_own_costs } = self.options;
        let heuristic = NamedHeuristic::ALL.iter().position(|named| named.1 == heuristic);
        let small = heuristic.unwrap_or_default() as u64 * 2 + u64::from(ignore_own_costs);
        self.id as u64 | small << 16 | u64::from(weight.get().to_bits()) << 32
    }

    /// Whether the algorithm is sensible in a space of that
    /// [state bound](crate::space::Space::state_bound).
    ///
    /// # Errors
    /// [`UnsuitedAlgorithm`], with the names of the algorithms that suit spaces of any size.
    pub fn check(&self, states: usize) -> Result<(), UnsuitedAlgorithm> {
        match self.id.info().sensible_states {
            Some(most) if states > most => Err(UnsuitedAlgorithm { algorithm: self.id, most }),
            _ => Ok(()),
        }
    }
}

/// An algorithm is not sensible in a space of that size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{algorithm} suits at most {most} states, and there are more; any number suit {}",
    any_size()
)]
pub struct UnsuitedAlgorithm {
    /// The algorithm.
    pub algorithm: AlgorithmId,
    /// The number of states that it suits.
    pub most: usize,
}

/// Returns the names of the algorithms that suit spaces of any size.
fn any_size() -> String {
    let all = AlgorithmId::ALL.iter().map(|id| id.info());
    let names = all.filter(|info| info.sensible_states.is_none()).map(|info| info.name);
    names.collect::<Vec<_>>().join(", ")
}

impl Algorithm for NamedAlgorithm {
    type Search<State: StateId, C: Cost> = AnySearch<State, C>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        self.id.search(&self.options, query)
    }

    fn guarantee(&self) -> Guarantee {
        self.id.info().guarantee
    }
}

/// No algorithm has that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no algorithm \"{name}\"; there are: {known}")]
pub struct UnknownAlgorithm {
    /// The name that was asked for.
    pub name: String,
    /// The names that there are.
    pub known: String,
}

impl std::str::FromStr for AlgorithmId {
    type Err = UnknownAlgorithm;

    /// Takes a name as listed, or the name of the type: case, hyphens and underscores do not count.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
        let is_meant = |id: &Self| plain(id.info().name) == plain(name);
        Self::ALL.iter().copied().find(is_meant).ok_or_else(|| UnknownAlgorithm {
            name: name.to_owned(),
            known: Self::ALL.iter().map(|id| id.info().name).collect::<Vec<_>>().join(", "),
        })
    }
}

impl std::fmt::Display for AlgorithmId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.info().name)
    }
}

algorithms!(catalog);
