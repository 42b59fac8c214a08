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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{Crossing, Keys, NavLink, NavLinks};
    use crate::search::{Auto, Jps, Weight};
    use crate::space::voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};
    use crate::space::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
    use crate::space::{CostTable, Grid, GridProfile, NegativeCosts, TerrainCost, TerrainId};
    use crate::trace::TraceHash;

    /// Answer and trace of a search in steps of a few expansions.
    fn searched<S: FullSpace, Q: Search<S>>(space: &S, mut search: Q) -> (AnswerOf<S>, TraceHash) {
        let (mut scratch, mut trace) = (Scratch::new(), TraceHash::default());
        while search.step(space, &mut scratch, &mut trace, 7) == Progress::Working {}
        (search.answer(space, &mut scratch), trace)
    }

    /// Compares searches by name with searches by type. Returns the number of paths found.
    macro_rules! compare {
        ($(
            $name:ident = $algorithm:ty,
            $([each space: $typed:ty])? $([all spaces: $erased:ty])?;
        )*) => {
            fn compare<S: FullSpace>(space: &S, query: &Query<S::State, S::Cost>) -> usize {
                let weight = Weight::new(1.25).expect("it is from 1 to 65,536");
                let options = Options { weight, ..Options::default() };
                let found = [$({
                    let by_type = <$algorithm>::with_options(&options).search(query.clone());
                    let by_name = AlgorithmId::$name.search(&options, query.clone());
                    let by_type = searched(space, by_type);
                    assert_eq!(searched(space, by_name), by_type, stringify!($name));
                    by_type.0.outcome.is_found()
                }),*];
                found.into_iter().filter(|is_found| *is_found).count()
            }
        };
    }

    algorithms!(compare);

    /// Between all pairs of some states.
    fn compare_between<S: FullSpace>(space: &S, states: &[u32]) {
        let mut found = 0;
        for (place, &start) in states.iter().enumerate() {
            for &goal in &states[place + 1..] {
                let [start, goal] = [start, goal].map(S::State::from_index);
                found += compare(space, &Query::new(start, goal));
                found += compare(space, &Query::new(goal, start).approach());
            }
        }
        assert!(found >= AlgorithmId::ALL.len(), "hardly any path was found: {found}");
    }

    fn grid(with_mud: bool) -> Result<Grid, Box<dyn std::error::Error>> {
        let rows = [
            "....#......",
            ".##.#.####.",
            ".#....#..#.",
            ".#.##.#.##.",
            ".#..#......",
            "....###.#..",
            ".##.....#..",
            "........##.",
        ];
        let mut grid = Grid::from_rows(&rows)?;
        if with_mud {
            let mud = TerrainId(3);
            let costs = CostTable::default().with(mud, TerrainCost::multiplied(2.5));
            let profile = GridProfile { costs, ..GridProfile::default() };
            grid = Grid::new(grid.width(), grid.height(), &grid_terrain(&grid), profile)?;
            let muddy = [(3, 2), (4, 2), (5, 5), (7, 4), (0, 6)].map(|(x, y)| grid.cell(x, y));
            for cell in muddy.into_iter().flatten() {
                if grid.terrain(cell) != TerrainId::BLOCKED {
                    grid.set_terrain(cell, mud);
                }
            }
        }
        Ok(grid)
    }

    fn grid_terrain(grid: &Grid) -> Vec<TerrainId> {
        let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
        cells.filter_map(|(x, y)| grid.cell(x, y)).map(|cell| grid.terrain(cell)).collect()
    }

    fn cells(grid: &Grid) -> Vec<u32> {
        let places = [(0, 0), (10, 7), (7, 3), (7, 2)];
        places.into_iter().filter_map(|(x, y)| grid.cell(x, y)).map(StateId::index).collect()
    }

    #[test]
    fn a_search_by_name_does_what_the_one_by_type_does() -> Result<(), Box<dyn std::error::Error>> {
        for with_mud in [false, true] {
            let grid = grid(with_mud)?;
            compare_between(&grid.space(), &cells(&grid));
            let mut links = NavLinks::new(3.0);
            let ends = [(0, 0), (7, 2)].map(|(x, y)| grid.cell(x, y).expect("on the grid"));
            links.add(&grid.space(), NavLink::new(ends[0], ends[1], Crossing::Seconds(1.0)))?;
            compare_between(&links.over(grid.space(), Keys::NONE), &cells(&grid));
        }
        Ok(())
    }

    #[test]
    fn the_same_among_waypoints_and_blocks() -> Result<(), Box<dyn std::error::Error>> {
        let places = (0..12u8).map(|place| {
            let place = f32::from(place);
            Waypoint::at(glam::Vec3::new(place % 4.0 * 3.0, 0.0, (place / 4.0).floor() * 2.5))
        });
        let link = |from: u32, to: u32| {
            WaypointLink::new(WaypointId::from_index(from), WaypointId::from_index(to))
        };
        let pairs = [(0, 1), (1, 2), (2, 6), (6, 5), (5, 9), (9, 8), (8, 4), (6, 10), (10, 11)];
        let links = pairs.into_iter().flat_map(|(from, to)| [link(from, to), link(to, from)]);
        let graph = WaypointGraph::new(places, links, NegativeCosts::Reject)?;
        compare_between(&&graph, &[0, 4, 11, 3]);

        let size = VoxelSize { width: 6, height: 4, depth: 6 };
        let mut world = VoxelGrid::new(size, VoxelProfile::default())?;
        let floor = (0..36).map(|place| BlockPosition::new(place % 6, 0, place / 6));
        let walls = [1, 2, 3, 4, 5].map(|x| BlockPosition::new(x, 1, 3));
        let blocks = floor.chain(walls).map(|at| (at, BlockId::SOLID));
        world.set_blocks(blocks)?;
        let at = |x, z| world.voxel(BlockPosition::new(x, 1, z)).map(StateId::index);
        let states = [at(0, 0), at(5, 0), at(5, 5)].map(|state| state.expect("in the world"));
        compare_between(&world.space_for::<u32>(Default::default()), &states);
        Ok(())
    }
}
