//! Searches by name do what those by type do, step by step.

use wayfare_core::expert::Listed;
use wayfare_core::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare_core::search::{
    AStar, AStarList, Algorithm, AlgorithmId, AnswerOf, Auto, Bfs, Bidirectional, CostOfMovement,
    Dijkstra, FullSpace, Greedy, HScore, IdaStar, InverseCostOfMovement, Jps, LazyThetaStar,
    ManhattanDistance, NamedHeuristic, Options, Progress, Query, Scratch, Search, Vector3Distance,
    Weight, WeightedAStar,
};
use wayfare_core::space::{CostTable, NegativeCosts, StateId, TerrainCost, TerrainId};
use wayfare_core::trace::TraceHash;
use wayfare_grid::grid::{Grid, GridProfile};
use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
use wayfare_voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};

/// Answer and trace of a search in steps of a few expansions.
fn searched<S: FullSpace, Q: Search<S>>(space: &S, mut search: Q) -> (AnswerOf<S>, TraceHash) {
    let (mut scratch, mut trace) = (Scratch::new(), TraceHash::default());
    while search.step(space, &mut scratch, &mut trace, 7) == Progress::Working {}
    (search.answer(space, &mut scratch), trace)
}

/// Compares a search by name with the one by type. Returns whether there is a path.
fn compare_one<S, A>(space: &S, name: AlgorithmId, query: &Query<S::State, S::Cost>) -> bool
where
    S: FullSpace,
    A: Listed + Algorithm<Search<S::State, S::Cost>: Search<S>>,
{
    let weight = Weight::new(1.25).expect("it is from 1 to 65,536");
    let options = Options { weight, ..Options::default() };
    let by_type = searched(space, A::with_options(&options).search(query.clone()));
    let by_name = searched(space, name.search(&options, query.clone()));
    assert_eq!(by_name, by_type, "{name:?}");
    by_type.0.outcome.is_found()
}

/// Compares all searches by name with those by type. Returns the number of paths found.
fn compare<S: FullSpace>(space: &S, query: &Query<S::State, S::Cost>) -> usize {
    let found = [
        compare_one::<S, Auto>(space, AlgorithmId::Auto, query),
        compare_one::<S, Bfs>(space, AlgorithmId::Bfs, query),
        compare_one::<S, Dijkstra>(space, AlgorithmId::Dijkstra, query),
        compare_one::<S, AStar<NamedHeuristic>>(space, AlgorithmId::AStar, query),
        compare_one::<S, AStarList<NamedHeuristic>>(space, AlgorithmId::AStarList, query),
        compare_one::<S, WeightedAStar<NamedHeuristic>>(space, AlgorithmId::WeightedAStar, query),
        compare_one::<S, Greedy<NamedHeuristic>>(space, AlgorithmId::Greedy, query),
        compare_one::<S, IdaStar>(space, AlgorithmId::IdaStar, query),
        compare_one::<S, Bidirectional>(space, AlgorithmId::Bidirectional, query),
        compare_one::<S, Jps>(space, AlgorithmId::Jps, query),
        compare_one::<S, LazyThetaStar>(space, AlgorithmId::LazyThetaStar, query),
        compare_one::<S, Vector3Distance>(space, AlgorithmId::Vector3Distance, query),
        compare_one::<S, ManhattanDistance>(space, AlgorithmId::ManhattanDistance, query),
        compare_one::<S, CostOfMovement>(space, AlgorithmId::CostOfMovement, query),
        compare_one::<S, InverseCostOfMovement>(space, AlgorithmId::InverseCostOfMovement, query),
        compare_one::<S, HScore>(space, AlgorithmId::HScore, query),
    ];
    assert_eq!(found.len(), AlgorithmId::ALL.len(), "an algorithm is missing here");
    found.into_iter().filter(|is_found| *is_found).count()
}

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
