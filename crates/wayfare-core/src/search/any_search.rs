//! A search by an algorithm that was chosen by name.

use super::algorithms::algorithms;
use super::erased::{ErasedSpace, ErasedState, TypedObserver};
use super::{
    AStar, AStarList, Algorithm, AlgorithmId, Answer, AnswerOf, Bfs, Bidirectional, CostOfMovement,
    Dijkstra, FullSpace, Greedy, HScore, IdaStar, InverseCostOfMovement, LazyThetaStar, Listed,
    ManhattanDistance, NamedHeuristic, Options, Progress, Query, Scratch, ScratchOf, Search,
    SharedJps, Vector3Distance, WeightedAStar,
};
use crate::space::{Cost, StateId};
use crate::trace::{Observer, ObserverOf};

/// The search of an algorithm for states and costs of these types.
type SearchBy<A, State, C> = <A as Algorithm>::Search<State, C>;

/// A search by an algorithm that was chosen by name: see [`AlgorithmId::search`].
///
/// A*, jump point search and `auto` are compiled for each space that they search. Only the jumps
/// themselves are compiled once for all ([`SharedJps`]). The other algorithms are compiled once a
/// type of costs, and call the space by virtual calls. Their answers, counters and traces are the
/// same, and they take up to a fifth more time. A program that needs one of them fast makes its
/// search by the algorithm's own type, for instance by `Dijkstra.search(query)`.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::{AnySearch, Options};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let mut by_name: AnySearch<Cell, u32> =
///     AlgorithmId::Dijkstra.search(&Options::default(), query.clone());
/// let mut by_type = Dijkstra.search(query);
/// let mut scratch = Scratch::new();
/// let answer = by_name.finish(&grid.space(), &mut scratch, &mut ());
/// assert_eq!(answer, by_type.finish(&grid.space(), &mut scratch, &mut ()));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnySearch<State: StateId, C: Cost>(Chosen<State, C>);

/// The expression; the type says in which rows it stands.
macro_rules! each {
    ($type:ty, $then:expr) => {
        $then
    };
}

macro_rules! searches {
    ($(
        $name:ident = $algorithm:ty,
        $([each space: $typed:ty])? $([all spaces: $erased:ty])?;
    )*) => {
        /// A search that is compiled for each space, or one that is compiled for all of them.
        #[derive(Clone, Debug)]
        enum Chosen<State: StateId, C: Cost> {
            $($($name(SearchBy<$typed, State, C>),)?)*
            Erased(ErasedSearch<C>),
        }

        /// A search that is compiled once for all spaces with costs of a type.
        #[derive(Clone, Debug)]
        enum ErasedSearch<C: Cost> {
            $($($name(SearchBy<$erased, ErasedState, C>),)?)*
        }

        impl<State: StateId, C: Cost> AnySearch<State, C> {
            pub(super) fn by(
                algorithm: AlgorithmId,
                options: &Options,
                query: Query<State, C>,
            ) -> Self {
                Self(match algorithm {
                    $(
                        $(AlgorithmId::$name => {
                            Chosen::$name(<$typed>::with_options(options).search(query))
                        })?
                        $(AlgorithmId::$name => {
                            let search = <$erased>::with_options(options).search(query.erased());
                            Chosen::Erased(ErasedSearch::$name(search))
                        })?
                    )*
                })
            }
        }

        impl<S: FullSpace> Search<S> for AnySearch<S::State, S::Cost> {
            fn step<O: ObserverOf<S>>(
                &mut self,
                space: &S,
                scratch: &mut ScratchOf<S>,
                observer: &mut O,
                budget: u64,
            ) -> Progress {
                match &mut self.0 {
                    $($(Chosen::$name(search) => {
                        each!($typed, search.step(space, scratch, observer, budget))
                    })?)*
                    Chosen::Erased(search) => {
                        let space = ErasedSpace::of(space);
                        let mut observer = TypedObserver::new(observer);
                        scratch.lend(|scratch| search.step(space, scratch, &mut observer, budget))
                    }
                }
            }

            fn adopt(
                &mut self,
                space: &S,
                scratch: &mut ScratchOf<S>,
                affected: &[S::State],
            ) -> bool {
                match &mut self.0 {
                    $($(Chosen::$name(search) => {
                        each!($typed, search.adopt(space, scratch, affected))
                    })?)*
                    Chosen::Erased(search) => {
                        let space = ErasedSpace::of(space);
                        let affected: Vec<_> =
                            affected.iter().map(|&state| ErasedState::of(state)).collect();
                        scratch.lend(|scratch| search.adopt(space, scratch, &affected))
                    }
                }
            }

            fn answer(&mut self, space: &S, scratch: &mut ScratchOf<S>) -> AnswerOf<S> {
                match &mut self.0 {
                    $($(Chosen::$name(search) => {
                        each!($typed, search.answer(space, scratch))
                    })?)*
                    Chosen::Erased(search) => {
                        let space = ErasedSpace::of(space);
                        let Answer { outcome, stats } =
                            scratch.lend(|scratch| search.answer(space, scratch));
                        Answer { outcome: outcome.with_states(), stats }
                    }
                }
            }
        }

        // None of these is inlined: each would be compiled again for each type of state.
        impl<C: Cost> ErasedSearch<C> {
            #[inline(never)]
            fn step(
                &mut self,
                space: ErasedSpace<'_, C>,
                scratch: &mut Scratch<ErasedState, C>,
                mut observer: &mut dyn Observer<ErasedState, C>,
                budget: u64,
            ) -> Progress {
                match self {
                    $($(Self::$name(search) => {
                        each!($erased, search.step(&space, scratch, &mut observer, budget))
                    })?)*
                }
            }

            #[inline(never)]
            fn adopt(
                &mut self,
                space: ErasedSpace<'_, C>,
                scratch: &mut Scratch<ErasedState, C>,
                affected: &[ErasedState],
            ) -> bool {
                match self {
                    $($(Self::$name(search) => {
                        each!($erased, search.adopt(&space, scratch, affected))
                    })?)*
                }
            }

            #[inline(never)]
            fn answer(
                &mut self,
                space: ErasedSpace<'_, C>,
                scratch: &mut Scratch<ErasedState, C>,
            ) -> Answer<ErasedState, C> {
                match self {
                    $($(Self::$name(search) => {
                        each!($erased, search.answer(&space, scratch))
                    })?)*
                }
            }
        }
    };
}

algorithms!(searches);
