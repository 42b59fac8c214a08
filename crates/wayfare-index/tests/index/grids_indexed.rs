//! Indexes against Dijkstra's algorithm, for all pairs of cells; what is refused; and bytes that
//! somebody tampered with.

use std::ops::ControlFlow;

use proptest::prelude::*;
use wayfare_core::path::validate;
use wayfare_core::search::{
    AStar, FieldQuery, Limit, NoPath, Outcome, Query, distance_field, solve,
};
use wayfare_core::space::{Cost, CostTable, Medium, STRAIGHT, TerrainCost, TerrainId};
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridProfile, GridSpace, Neighbours};
use wayfare_index::index::{
    GridIndex, IndexError, IndexFileError, IndexOptions, IndexProgress, IndexScratch, OtherGrid,
    SightOutcome,
};

fn profile() -> impl Strategy<Value = GridProfile> {
    (any::<bool>(), 1u8..3, any::<bool>()).prop_map(|(four, width, swims)| {
        let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
        let water = TerrainCost::default().in_medium(Medium(1));
        let costs =
            if swims { CostTable::new().with(TerrainId(7), water) } else { CostTable::new() };
        GridProfile { neighbours, width, costs, ..GridProfile::default() }
    })
}

/// Small grids with single walls, blocks and some water.
pub(crate) fn grid() -> impl Strategy<Value = Grid> {
    let blocks = prop::collection::vec((0u32..16, 0u32..12, 1u32..5, 1u32..4), 0..6);
    let dots = prop::collection::vec((0u32..16, 0u32..12, 0u8..5), 0..40);
    (1u32..16, 1u32..12, blocks, dots, profile()).prop_map(
        |(width, height, blocks, dots, profile)| {
            let mut terrain = vec![TerrainId::GROUND; (width * height) as usize];
            for (x, y, wide, high) in blocks {
                for at in (0..wide * high).map(|at| (x + at % wide, y + at / wide)) {
                    if at.0 < width && at.1 < height {
                        terrain[(at.1 * width + at.0) as usize] = TerrainId::BLOCKED;
                    }
                }
            }
            for (x, y, kind) in dots {
                let kind = if kind == 0 { TerrainId(7) } else { TerrainId::BLOCKED };
                terrain[(y % height * width + x % width) as usize] = kind;
            }
            Grid::new(width, height, &terrain, profile).unwrap()
        },
    )
}

/// Larger grids of many corners: scattered obstacles, caves, rooms with doors, islands in water.
pub(crate) fn large_grid() -> impl Strategy<Value = Grid> {
    (20u32..60, 20u32..60, 0u32..4, 1u64.., profile()).prop_map(
        |(width, height, kind, seed, profile)| {
            let noise = |x: u32, y: u32| {
                let at = u64::from(y) << 32 | u64::from(x);
                ((at ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33).wrapping_mul(seed) >> 20
            };
            let is_blocked = |x: u32, y: u32| match kind {
                0 => noise(x, y) % 4 == 0,
                1 => {
                    let around = (0..9).map(|at| noise(x + at % 3, y + at / 3) % 100 < 45);
                    around.filter(|&is_wall| is_wall).count() >= 5
                }
                2 => {
                    let is_wall = x.is_multiple_of(5) || y.is_multiple_of(4);
                    is_wall && noise(x / 5 * 8 + y % 4, y / 4 * 8 + x % 5) % 9 != 0
                }
                _ => noise(x / 3, y / 3) % 3 != 0,
            };
            let terrain = |at: u32| match is_blocked(at % width, at / width) {
                true if kind == 3 => TerrainId(7),
                true => TerrainId::BLOCKED,
                false => TerrainId::GROUND,
            };
            let terrain: Vec<TerrainId> = (0..width * height).map(terrain).collect();
            Grid::new(width, height, &terrain, profile).unwrap()
        },
    )
}

/// Asks the index for the path from a cell to all others.
pub(crate) fn check_from<C: Cost>(
    space: &GridSpace<'_, C>,
    index: &GridIndex,
    start: Cell,
) -> Result<(), TestCaseError> {
    let indexed = index.of(space).unwrap();
    let mut scratch = IndexScratch::new();
    let field = distance_field(space, FieldQuery::outward([start])).unwrap();
    for goal in space.grid().cells().filter(|&cell| space.is_free(cell)) {
        let path = indexed.path(start, goal, &mut scratch).into_path();
        match field.cost(goal) {
            Some(cost) => {
                prop_assert_eq!(path.cost(), cost);
                prop_assert_eq!(validate(space, &path, start, goal), Ok(()));
            }
            None => prop_assert!(path.is_empty()),
        }
        scratch.recycle(path);
    }
    Ok(())
}

/// Asks the index for the way between all pairs of cells.
pub(crate) fn check_all_pairs<C: Cost>(
    space: &GridSpace<'_, C>,
    index: &GridIndex,
) -> Result<(), TestCaseError> {
    let indexed = index.of(space).unwrap();
    let mut scratch = IndexScratch::new();
    let free: Vec<Cell> = space.grid().cells().filter(|&cell| space.is_free(cell)).collect();
    for &start in &free {
        let field = distance_field(space, FieldQuery::outward([start])).unwrap();
        for &goal in &free {
            let turns = indexed.turns(start, goal, &mut scratch);
            prop_assert_eq!(turns.path().map(wayfare_core::path::Path::cost), field.cost(goal));
            scratch.recycle(turns.into_path());
            match indexed.path(start, goal, &mut scratch) {
                Outcome::Found(path) => {
                    prop_assert_eq!(Some(path.cost()), field.cost(goal));
                    prop_assert_eq!(validate(space, &path, start, goal), Ok(()));
                    scratch.recycle(path);
                }
                Outcome::Unreachable { reason: NoPath::DifferentIslands { .. }, nearest } => {
                    prop_assert_eq!(field.cost(goal), None);
                    prop_assert_eq!((nearest.states().len(), nearest.end()), (1, Some(start)));
                }
                other => prop_assert!(false, "{other}"),
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn all_pairs_cost_what_dijkstra_says(grid in grid()) {
        let mut index = GridIndex::new(&grid.space()).unwrap();
        check_all_pairs(&grid.space(), &index)?;
        prop_assert_eq!(index.note_sight(&grid.space(), 1 << 20), Ok(SightOutcome::Stored));
        check_all_pairs(&grid.space(), &index)?;
    }

    #[test]
    fn large_grids_cost_what_dijkstra_says(grid in large_grid(), at in any::<prop::sample::Index>()) {
        let space = grid.space();
        let free = free_cells(&grid);
        prop_assume!(!free.is_empty());
        let mut index = GridIndex::new(&space).unwrap();
        let start = free[at.index(free.len())];
        check_from(&space, &index, start)?;
        let again = GridIndex::decode(&space, &index.encode()).unwrap();
        check_from(&space, &again, start)?;
        prop_assert_eq!(index.note_sight(&space, 1 << 20), Ok(SightOutcome::Stored));
        check_from(&space, &index, start)?;
    }

    #[test]
    fn an_edit_makes_the_index_useless_until_it_is_undone(mut grid in grid(), at in (0u32..16, 0u32..12)) {
        let index = GridIndex::new(&grid.space()).unwrap();
        let cell = grid.cell(at.0 % grid.width(), at.1 % grid.height()).unwrap();
        let (before, free_cells) = (grid.terrain(cell), free_cells(&grid));
        let to = if before == TerrainId::BLOCKED { TerrainId::GROUND } else { TerrainId::BLOCKED };
        grid.set_terrain(cell, to);
        if self::free_cells(&grid) == free_cells {
            prop_assert!(index.of(&grid.space()).is_ok()); // the agent was too wide for that cell anyway
        } else {
            prop_assert_eq!(index.of(&grid.space()).err(), Some(OtherGrid));
            let bytes = index.encode();
            prop_assert_eq!(GridIndex::decode(&grid.space(), &bytes).err(), Some(IndexFileError::OtherGrid(OtherGrid)));
        }
        check_all_pairs(&grid.space(), &GridIndex::new(&grid.space()).unwrap())?;
        grid.set_terrain(cell, before);
        check_all_pairs(&grid.space(), &index)?;
    }

    #[test]
    fn bytes_make_the_same_index_again_and_broken_ones_none(
        grid in grid(),
        has_sight in any::<bool>(),
        at in any::<prop::sample::Index>(),
        flip in 1u8..,
        cut in any::<prop::sample::Index>(),
    ) {
        let space = grid.space();
        let mut index = GridIndex::new(&space).unwrap();
        if has_sight {
            index.note_sight(&space, 1 << 20).unwrap();
        }
        let bytes = index.encode();
        let again = GridIndex::decode(&space, &bytes).unwrap();
        prop_assert_eq!(again.size_in_bytes(), index.size_in_bytes());
        prop_assert_eq!(again.encode(), &bytes[..]);
        check_all_pairs(&grid.space_for::<u64>(grid.profiles().next().unwrap()), &again)?;
        let mut broken = bytes.clone();
        broken[at.index(bytes.len())] ^= flip;
        prop_assert!(GridIndex::decode(&space, &broken).is_err());
        prop_assert!(GridIndex::decode(&space, &bytes[..cut.index(bytes.len())]).is_err());
    }

    #[test]
    fn random_bytes_are_no_index(head in 0usize..40, tail in prop::collection::vec(any::<u8>(), 0..200)) {
        let grid = Grid::from_rows(&["..#..", "..#..", "....."]).unwrap();
        let mut bytes = GridIndex::new(&grid.space()).unwrap().encode();
        bytes.truncate(head);
        bytes.extend(tail);
        prop_assert!(GridIndex::decode(&grid.space(), &bytes).is_err());
    }
}

pub(crate) fn free_cells(grid: &Grid) -> Vec<Cell> {
    grid.cells().filter(|&cell| grid.space().is_free(cell)).collect()
}

const ROWS: [&str; 4] = ["..#..", "..#..", "..#..", "....."];

#[test]
fn grids_whose_paths_turn_elsewhere_are_refused() {
    let build = |profile| {
        let terrain: Vec<TerrainId> = (0..9).map(TerrainId).collect();
        GridIndex::new(&Grid::new(3, 3, &terrain, profile).unwrap().space()).map(|_| ())
    };
    for corners in [CornerRule::OneFree, CornerRule::Always] {
        let profile = GridProfile { corners, ..GridProfile::default() };
        assert_eq!(build(profile.clone()), Err(IndexError::Corners(corners)));
        assert_eq!(build(GridProfile { neighbours: Neighbours::Four, ..profile }), Ok(()));
    }
    let costs = CostTable::new().with(TerrainId(3), TerrainCost::multiplied(2.0));
    let profile = GridProfile { costs, ..GridProfile::default() };
    assert_eq!(build(profile), Err(IndexError::NotUniform));
}

#[test]
fn the_index_of_another_agent_is_refused() {
    let mut grid = Grid::from_rows(&ROWS).unwrap();
    let four = GridProfile { neighbours: Neighbours::Four, ..GridProfile::default() };
    let wide = GridProfile { width: 2, ..GridProfile::default() };
    let others = [four, wide].map(|profile| grid.add_profile(profile).unwrap());
    let index = GridIndex::new(&grid.space()).unwrap();
    for other in others {
        assert!(matches!(index.of(&grid.space_for::<u32>(other)), Err(OtherGrid)));
    }
    assert!(index.of(&grid.clone().space()).is_ok());
}

#[test]
fn building_can_be_stopped_at_any_time_and_stops_by_itself_when_it_grows_too_large() {
    let grid = Grid::from_rows(&ROWS).unwrap();
    let mut stages = Vec::new();
    let options = IndexOptions::default();
    GridIndex::build(&grid.space(), options, &mut |progress| {
        stages.push(progress);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(stages.len() > 1 && stages.iter().all(|progress| progress.done <= progress.total));
    for stop in 0..stages.len() {
        let mut heard: Vec<IndexProgress> = Vec::new();
        let built = GridIndex::build(&grid.space(), options, &mut |progress| {
            heard.push(progress);
            if heard.len() > stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((built.err(), &heard[..]), (Some(IndexError::Cancelled), &stages[..=stop]));
    }
    let small = IndexOptions { max_bytes: 10 };
    let built = GridIndex::build(&grid.space(), small, &mut |_| ControlFlow::Continue(()));
    assert_eq!(built.err(), Some(IndexError::TooLarge { max_bytes: 10 }));
}

#[test]
fn the_reasons_why_there_is_no_path_are_those_of_a_search() {
    let grid = Grid::from_rows(&["..#..", ".#.#.", "..#.."]).unwrap();
    let space = grid.space();
    let index = GridIndex::new(&space).unwrap();
    let indexed = index.of(&space).unwrap();
    let cells = [(0, 0), (2, 0), (4, 0), (2, 1)].map(|(x, y)| grid.cell(x, y).unwrap());
    for start in cells {
        for goal in cells {
            let searched = solve(&space, &AStar::new(), Query::new(start, goal)).outcome;
            assert_eq!(indexed.path(start, goal, &mut IndexScratch::new()), searched);
        }
    }
}

#[test]
fn answers_take_no_memory_once_warm() {
    let side = 64;
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(|at| {
            let (x, y) = (at % side, at / side);
            let is_wall =
                (x % 8 == 0 && (y * 7 + x) % 11 != 3) || (y % 8 == 0 && (x * 5 + y) % 13 > 2);
            if is_wall { TerrainId::BLOCKED } else { TerrainId::GROUND }
        })
        .collect();
    let grid = Grid::new(side, side, &terrain, GridProfile::default()).unwrap();
    let space = grid.space();
    let index = GridIndex::new(&space).unwrap();
    let indexed = index.of(&space).unwrap();
    let mut scratch = IndexScratch::new();
    let mut round = || {
        for seed in 0..40 {
            let cell = |seed: u32| grid.cell(seed * 37 % side, seed * 101 % side).unwrap();
            let (start, goal) = (cell(seed + 1), cell(5 * seed + 19));
            let path = indexed.path(start, goal, &mut scratch).into_path();
            scratch.recycle(path);
            let turns = indexed.turns(start, goal, &mut scratch).into_path();
            scratch.recycle(turns);
        }
    };
    round();
    assert_eq!(allocation_counter::measure(round).count_total, 0);
}

/// A corridor to and fro.
fn corridor(side: u32) -> Grid {
    let is_open =
        |x: u32, y: u32| y.is_multiple_of(2) || x == if y % 4 == 1 { side - 1 } else { 0 };
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(
            |at| {
                if is_open(at % side, at / side) { TerrainId::GROUND } else { TerrainId::BLOCKED }
            },
        )
        .collect();
    Grid::new(side, side, &terrain, GridProfile::default()).unwrap()
}

#[test]
fn paths_beyond_the_cost_type_are_named_as_the_reason() {
    // 845,000 steps.
    let grid = corridor(1300);
    let index = GridIndex::new(&grid.space()).unwrap();
    let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(0, 1298).unwrap());
    let outcome = index.of(&grid.space()).unwrap().turns(start, goal, &mut IndexScratch::new());
    assert!(matches!(outcome, Outcome::LimitReached { limit: Limit::CostRange, .. }));
    let space = grid.space_for::<u64>(grid.profiles().next().unwrap());
    let outcome = index.of(&space).unwrap().turns(start, goal, &mut IndexScratch::new());
    let steps = 650 * 1299 + 649 * 2;
    assert_eq!(outcome.path().unwrap().cost(), steps * u64::from(STRAIGHT));
}
