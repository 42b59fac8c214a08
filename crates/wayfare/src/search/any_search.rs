//! A search by an algorithm that was chosen by name.

use super::erased::{ErasedSpace, ErasedState, TypedObserver};
use super::{
    AStar, AStarList, Algorithm, AlgorithmId, Answer, AnswerOf, Auto, Bfs, Bidirectional,
    CostOfMovement, Dijkstra, FullSpace, Greedy, HScore, IdaStar, InverseCostOfMovement, Jps,
    LazyThetaStar, Listed, ManhattanDistance, NamedHeuristic, Options, Progress, Query, Scratch,
    ScratchOf, Search, Vector3Distance, WeightedAStar,
};
use crate::space::{Cost, StateId};
use crate::trace::{Observer, ObserverOf};

/// The search of an algorithm for states and costs of these types.
type SearchBy<A, State, C> = <A as Algorithm>::Search<State, C>;

/// A search by an algorithm that was chosen by name: see [`AlgorithmId::search`].
///
/// A*, jump point search and `auto` are compiled for the space that they search. The other
/// algorithms are compiled once a type of costs, and call the space by virtual calls: their
/// answers, counters and traces are the same, and they take up to a fifth more time. A program that
/// needs one of them fast makes its search by the algorithm's own type, for instance by
/// `Dijkstra.search(query)`.
///
/// ```
/// use wayfare::prelude::*;
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

macro_rules! searches {
    (
        for each space: $($typed:ident = $by_typed:ty),*;
        for all spaces: $($erased:ident = $by_erased:ty),*;
    ) => {
        /// A search that is compiled for each space, or one that is compiled for all of them.
        #[derive(Clone, Debug)]
        enum Chosen<State: StateId, C: Cost> {
            $($typed(SearchBy<$by_typed, State, C>),)*
            Erased(ErasedSearch<C>),
        }

        /// A search that is compiled once for all spaces with costs of a type.
        #[derive(Clone, Debug)]
        enum ErasedSearch<C: Cost> {
            $($erased(SearchBy<$by_erased, ErasedState, C>),)*
        }

        impl<State: StateId, C: Cost> AnySearch<State, C> {
            pub(super) fn by(
                algorithm: AlgorithmId,
                options: &Options,
                query: Query<State, C>,
            ) -> Self {
                Self(match algorithm {
                    $(AlgorithmId::$typed => {
                        Chosen::$typed(<$by_typed>::with_options(options).search(query))
                    })*
                    $(AlgorithmId::$erased => {
                        let search = <$by_erased>::with_options(options).search(query.erased());
                        Chosen::Erased(ErasedSearch::$erased(search))
                    })*
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
                    $(Chosen::$typed(search) => search.step(space, scratch, observer, budget),)*
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
                    $(Chosen::$typed(search) => search.adopt(space, scratch, affected),)*
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
                    $(Chosen::$typed(search) => search.answer(space, scratch),)*
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
                    $(Self::$erased(search) => {
                        search.step(&space, scratch, &mut observer, budget)
                    })*
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
                    $(Self::$erased(search) => search.adopt(&space, scratch, affected),)*
                }
            }

            #[inline(never)]
            fn answer(
                &mut self,
                space: ErasedSpace<'_, C>,
                scratch: &mut Scratch<ErasedState, C>,
            ) -> Answer<ErasedState, C> {
                match self {
                    $(Self::$erased(search) => search.answer(&space, scratch),)*
                }
            }
        }
    };
}

searches! {
    for each space:
        Auto = Auto,
        AStar = AStar<NamedHeuristic>,
        Jps = Jps;
    for all spaces:
        Bfs = Bfs,
        Dijkstra = Dijkstra,
        AStarList = AStarList<NamedHeuristic>,
        WeightedAStar = WeightedAStar<NamedHeuristic>,
        Greedy = Greedy<NamedHeuristic>,
        IdaStar = IdaStar,
        Bidirectional = Bidirectional,
        LazyThetaStar = LazyThetaStar,
        Vector3Distance = Vector3Distance,
        ManhattanDistance = ManhattanDistance,
        CostOfMovement = CostOfMovement,
        InverseCostOfMovement = InverseCostOfMovement,
        HScore = HScore;
}
