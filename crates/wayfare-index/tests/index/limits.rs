//! Limits: costs near the end of their type, cost limits, and the largest space that there can be.
//!
//! The oracle is Dijkstra's algorithm with wide costs, which these worlds come nowhere near the end
//! of.

use crate::grids::pick;
use proptest::prelude::*;
use wayfare_core::path::{Path, PathOf, validate, validate_any_angle};
use wayfare_core::search::{
    AStar, AlgorithmId, Dijkstra, FullSpace, Guarantee, Limit, Options, Outcome, Progress, Query,
    Scratch, Search, solve,
};
use wayfare_core::space::{
    Cost, CostTable, Obstruction, ProfileId, Space, StateId, TerrainCost, TerrainId,
};
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_index::hierarchy::{
    Hierarchy, HierarchyScratch, HierarchySettings, RouteOutcome, SectorSide,
};
use wayfare_voxel::{BlockPosition, Voxel, VoxelGrid, VoxelProfile, VoxelSize};

/// A corridor or a small cave whose ground costs so much that a few hundred steps fill 31 bits, or
/// a dozen.
fn costly_grid() -> impl Strategy<Value = Grid> {
    let cost = || {
        (prop::sample::select(vec![1.0f32, 300.0, 1000.0]), 0u32..374_000 / 4).prop_map(
            |(multiplier, penalty)| TerrainCost {
                multiplier,
                penalty: penalty as f32,
                ..TerrainCost::default()
            },
        )
    };
    (2u32..14, 1u32..9, cost(), cost()).prop_flat_map(|(width, height, first, second)| {
        let terrain = prop::sample::select(vec![0u8, 0, 0, 1, 1, 255]);
        prop::collection::vec(terrain, (width * height) as usize).prop_map(move |terrain| {
            let terrain: Vec<TerrainId> = terrain.into_iter().map(TerrainId).collect();
            let costs = CostTable::new().with(TerrainId(0), first).with(TerrainId(1), second);
            Grid::new(width, height, &terrain, GridProfile { costs, ..GridProfile::default() })
                .unwrap()
        })
    })
}

fn sound<S: FullSpace>(
    space: &S,
    algorithm: AlgorithmId,
    path: &PathOf<S>,
    ends: (S::State, S::State),
) {
    let verdict = match algorithm.info().guarantee {
        Guarantee::AnyAngle => validate_any_angle(space, path, ends.0, ends.1),
        _ => validate(space, path, ends.0, ends.1),
    };
    assert_eq!(verdict, Ok(()), "{algorithm}");
}

/// The cheapest cost between two cells, in wide costs.
fn optimum(grid: &Grid, (start, goal): (Cell, Cell)) -> Option<u64> {
    let space = grid.space_for::<u64>(ProfileId::default());
    solve(&space, &Dijkstra, Query::new(start, goal)).outcome.path().map(Path::cost)
}

/// What an algorithm may answer where the cheapest path costs `optimum`, and none above `limit` is
/// wanted.
fn keeps_the_limit<S: FullSpace>(
    space: &S,
    algorithm: AlgorithmId,
    (start, goal): (S::State, S::State),
    optimum: Option<u64>,
    limit: S::Cost,
) {
    let query = Query::new(start, goal).max_cost(limit);
    let answer =
        algorithm.search(&Options::default(), query).finish(space, &mut Scratch::new(), &mut ());
    let most = limit.to_u64().min(S::Cost::INFINITY.to_u64() - 1);
    let fits = optimum.is_some_and(|optimum| optimum <= most);
    let is_optimal = algorithm.info().guarantee == Guarantee::Optimal;
    match &answer.outcome {
        Outcome::Found(path) => {
            sound(space, algorithm, path, (start, goal));
            assert!(path.cost().to_u64() <= most, "{algorithm}: {:?} above {most}", path.cost());
            assert!(!is_optimal || Some(path.cost().to_u64()) == optimum, "{algorithm}");
        }
        Outcome::LimitReached { limit: Limit::Cost | Limit::CostRange, .. } => {
            assert!(!(is_optimal && fits), "{algorithm} gives up on a path of {optimum:?}");
        }
        Outcome::Unreachable { .. } => assert_eq!(optimum, None, "{algorithm}"),
        other => panic!("{algorithm}: {other}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn near_the_end_of_the_type_every_algorithm_answers_right_or_names_the_limit(
        grid in costly_grid(),
        start: u32,
        goal: u32,
    ) {
        let ends = (pick(&grid, start % 997), pick(&grid, goal % 991));
        let optimum = optimum(&grid, ends);
        for &algorithm in AlgorithmId::ALL {
            keeps_the_limit(&grid.space(), algorithm, ends, optimum, u32::INFINITY);
        }
        let space = grid.space();
        let settings = HierarchySettings { sector_side: SectorSide::new(8).unwrap(), ..HierarchySettings::default() };
        let hierarchy = Hierarchy::build(&space, settings);
        let mut scratch = HierarchyScratch::new();
        match hierarchy.route(&space, &mut scratch, ends.0, ends.1) {
            Ok(RouteOutcome::Found(route)) => {
                let path = route.refine_all(&hierarchy, &space, &mut scratch).unwrap();
                prop_assert_eq!(validate(&space, &path, ends.0, ends.1), Ok(()));
                prop_assert!(path.cost() <= route.cost() && optimum.is_some());
            }
            Ok(RouteOutcome::LimitReached(limit)) => {
                prop_assert_eq!(limit, Limit::CostRange);
                let fits = optimum.is_some_and(|optimum| optimum < u32::INFINITY.to_u64());
                prop_assert!(!fits, "a route of {:?} fits", optimum);
            }
            Ok(RouteOutcome::Unreachable(_)) => prop_assert_eq!(optimum, None),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn every_algorithm_gives_up_at_the_limits_of_generated_and_open_states(
        grid in crate::grids::any_grid(),
        start: u32,
        goal: u32,
        (generated, open) in (1u64..60, 1u64..25),
        which in 0..3,
    ) {
        let ends = (pick(&grid, start % 997), pick(&grid, goal % 991));
        let (generated, open) = match which {
            0 => (generated, u64::MAX),
            1 => (u64::MAX, open),
            _ => (generated, open),
        };
        let space = grid.space();
        for &algorithm in AlgorithmId::ALL {
            let free = Query::new(ends.0, ends.1);
            let query = free.clone().max_generated(generated).max_open(open);
            let run = |query, budget| {
                let mut search = algorithm.search(&Options::default(), query);
                let mut scratch = Scratch::new();
                while search.step(&space, &mut scratch, &mut (), budget) == Progress::Working {}
                search.answer(&space, &mut scratch)
            };
            let (whole, unlimited) = (run(query.clone(), u64::MAX), run(free, u64::MAX));
            prop_assert_eq!(&run(query, 1), &whole, "{} in slices", algorithm);
            let stats = whole.stats;
            let limit = match whole.outcome {
                Outcome::LimitReached { limit, .. } => Some(limit),
                _ => None,
            };
            match limit {
                Some(Limit::Generated) => prop_assert!(stats.generated >= generated),
                Some(Limit::Open) => {
                    prop_assert!(stats.heap_peak as u64 >= open && stats.generated < generated);
                }
                _ => prop_assert_eq!(&whole, &unlimited, "{}", algorithm),
            }
            // What is never reached never counts.
            let all = unlimited.stats;
            if all.generated < generated && (all.heap_peak as u64) < open {
                prop_assert_eq!(limit, None, "{}", algorithm);
            }
            // One expansion adds its neighbours, or the jumps in their directions, at most.
            prop_assert!(
                stats.generated < generated.saturating_add(8 + 1) || algorithm.info().name == "theta",
                "{}: {:?} beyond {}", algorithm, stats, generated
            );
        }
    }

    #[test]
    fn every_algorithm_keeps_the_cost_limit(
        grid in crate::grids::any_grid(),
        start: u32,
        goal: u32,
        share in 0.2f64..2.0,
    ) {
        let ends = (pick(&grid, start % 997), pick(&grid, goal % 991));
        let optimum = optimum(&grid, ends);
        // Below the optimum, at it, and above it.
        let some = optimum.unwrap_or(40_000);
        for limit in [(some as f64 * share) as u64, some, some.saturating_sub(1)] {
            for &algorithm in AlgorithmId::ALL {
                keeps_the_limit(&grid.space(), algorithm, ends, optimum, u32::from_u64(limit));
            }
        }
    }
}

/// `S` and `G` on ground whose every step costs the end of `u32` over `steps`.
fn row(rows: &[&str]) -> (Grid, Cell, Cell) {
    let costs = CostTable::new().with(
        TerrainId::GROUND,
        TerrainCost { multiplier: 1000.0, penalty: 100_000.0, ..TerrainCost::default() },
    );
    let width = rows[0].len() as u32;
    let glyphs: Vec<u8> = rows.concat().into_bytes();
    let terrain: Vec<TerrainId> = glyphs
        .iter()
        .map(|&glyph| if glyph == b'#' { TerrainId::BLOCKED } else { TerrainId::GROUND })
        .collect();
    let profile = GridProfile { costs, ..GridProfile::default() };
    let grid = Grid::new(width, rows.len() as u32, &terrain, profile).unwrap();
    let find = |wanted: u8| {
        let at = glyphs.iter().position(|&glyph| glyph == wanted).unwrap() as u32;
        grid.cell(at % width, at / width).unwrap()
    };
    let (start, goal) = (find(b'S'), find(b'G'));
    (grid, start, goal)
}

#[test]
fn what_costs_more_than_the_type_holds_is_neither_found_nor_out_of_reach() {
    let open = ["S......G"];
    let cave = [".........", "S...#...G", "....#....", "....#...."];
    for rows in [&open[..], &cave[..]] {
        let (grid, start, goal) = row(rows);
        let optimum = optimum(&grid, (start, goal));
        assert!(optimum > Some(u32::INFINITY.to_u64()));
        for &algorithm in AlgorithmId::ALL {
            keeps_the_limit(&grid.space(), algorithm, (start, goal), optimum, u32::INFINITY);
            let wide = grid.space_for::<u64>(ProfileId::default());
            keeps_the_limit(&wide, algorithm, (start, goal), optimum, u64::INFINITY);
        }
    }
}

/// A world of 2³¹ voxels of air, and the path between two of them by every algorithm that is quick
/// there.
#[test]
fn the_last_of_two_to_the_31_states_is_searched_from_and_to() {
    let size = VoxelSize { width: 2048, height: 512, depth: 2048 };
    let world = VoxelGrid::new(size, VoxelProfile::flyer()).unwrap();
    let voxel = |x, y, z| world.voxel(BlockPosition::new(x, y, z)).unwrap();
    let (last, near) = (voxel(2047, 511, 2047), voxel(2045, 510, 2046));
    let space = world.space();
    assert_eq!((space.state_bound(), last.index()), (1 << 31, (1 << 31) - 1));
    let optimum = solve(&space, &AStar::new(), Query::new(near, voxel(2046, 511, 2047))).outcome;
    assert!(optimum.is_found());
    let mut scratch = Scratch::<Voxel, u32>::new();
    for (start, goal) in [(last, near), (near, last), (last, last)] {
        for &algorithm in AlgorithmId::ALL {
            // Some hundred states are nearer to the start than the goal is.
            let query = Query::new(start, goal).max_expansions(2_000);
            let mut search = algorithm.search(&Options::default(), query);
            let outcome = search.finish(&space, &mut scratch, &mut ()).outcome;
            let promises = algorithm.info().guarantee != Guarantee::None;
            assert!(!promises || outcome.is_found(), "{algorithm}: {outcome}");
            let Some(path) = outcome.path() else { continue };
            sound(&space, algorithm, path, (start, goal));
        }
    }
}

#[test]
fn nobody_can_stand_under_a_profile_of_another_world() {
    let mut other = Grid::from_rows(&["..."]).unwrap();
    let foreign = other.add_profile(GridProfile::default()).unwrap();
    let grid = Grid::from_rows(&["..."]).unwrap();
    let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(2, 0).unwrap());
    assert!(other.has_profile(foreign) && !grid.has_profile(foreign));
    let space = grid.space_for::<u32>(foreign);
    assert!(!space.is_free(start) && space.component(start).is_none());
    let answer = wayfare_core::search::solve(&space, &AStar::new(), Query::new(start, goal));
    assert!(answer.outcome.to_string().contains("not one of this world"), "{}", answer.outcome);
    assert_eq!((grid.profile(foreign), grid.cost_shift(foreign)), (None, None));
    let query = Query::new(start, goal);
    assert_eq!(wayfare_grid::explain::grid::remedies(&grid, foreign, &query).count(), 0);

    let size = wayfare_voxel::VoxelSize { width: 3, height: 1, depth: 1 };
    let world = VoxelGrid::new(size, VoxelProfile::flyer()).unwrap();
    let at = |x| world.voxel(wayfare_voxel::BlockPosition::new(x, 0, 0)).unwrap();
    assert_eq!(world.profile(foreign), None);
    let why = wayfare_voxel::explain::why(&world, foreign, at(0), at(2));
    assert_eq!(why, wayfare_voxel::explain::Why::Start(Obstruction::NoSuchProfile));
    let space = world.space_for::<u32>(foreign);
    let answer = wayfare_core::search::solve(&space, &AStar::new(), Query::new(at(0), at(2)));
    assert!(answer.outcome.to_string().contains("not one of this world"), "{}", answer.outcome);
}
