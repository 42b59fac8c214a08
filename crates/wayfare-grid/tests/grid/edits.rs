//! After any sequence of edits a grid answers as one built from its terrain: the same paths,
//! counters, traces, names of islands and gateways.

use proptest::prelude::*;
use wayfare_core::search::{AlgorithmId, Options, Query, Scratch, ScratchOf, Search};
use wayfare_core::space::{CostTable, Medium, TerrainCost, TerrainId};
use wayfare_core::trace::Trace;
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridProfile, GridSpace, Neighbours};

/// Ground, and three kinds that the profiles make of it what they like.
const KINDS: [TerrainId; 5] =
    [TerrainId::GROUND, TerrainId(1), TerrainId(2), TerrainId(3), TerrainId::BLOCKED];

/// A profile: what the kinds cost, how wide its agents are, how they move.
fn any_profile() -> impl Strategy<Value = GridProfile> {
    let rules = prop::sample::select(vec![
        (Neighbours::Four, CornerRule::BothFree),
        (Neighbours::Eight, CornerRule::BothFree),
        (Neighbours::Eight, CornerRule::OneFree),
        (Neighbours::Eight, CornerRule::Always),
    ]);
    (rules, 0u8..5, prop::sample::select(vec![1u8, 1, 1, 2, 3]), 0u8..3).prop_map(
        |((neighbours, corners), costs, width, blur)| {
            let plain = CostTable::new();
            let [one, two, three] = [1, 2, 3].map(TerrainId);
            let costs = match costs {
                // Uniform whatever the terrain.
                0 | 1 => plain,
                // Uniform as long as there is no swamp and no sand.
                2 => plain
                    .with(one, TerrainCost::multiplied(2.0))
                    .with(two, TerrainCost::multiplied(1.000_07)),
                // Two media.
                3 => plain.with(one, TerrainCost::default().in_medium(Medium(1))).without(three),
                _ => plain
                    .with(one, TerrainCost::penalised(1.5))
                    .with(two, TerrainCost::multiplied(3.0).in_medium(Medium(1))),
            };
            GridProfile { neighbours, corners, costs, width, blur, ..GridProfile::default() }
        },
    )
}

/// Caves, chambers with doors, mazes, and terrain of all kinds.
fn any_grid() -> impl Strategy<Value = Grid> {
    let map = (0u32..4, 3u32..9, any::<u64>(), any::<bool>());
    (2u32..44, 2u32..44, map, any_profile()).prop_map(
        |(width, height, (kind, side, seed, is_mixed), profile)| {
            let noise = |x: u32, y: u32| {
                let place = u64::from(x) << 32 | u64::from(y);
                let mixed = place.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed;
                (mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) % 100
            };
            let is_wall = |x: u32, y: u32| match kind {
                0 => noise(x, y) < 25,
                1 => noise(x / 3, y / 2) < 35,
                2 => (x.is_multiple_of(side) || y.is_multiple_of(side)) && noise(x, y) < 85,
                _ => match (x & 1, y & 1) {
                    (0, 0) => true,
                    (1, 1) => false,
                    _ => noise(x, y) < 45,
                },
            };
            let terrain: Vec<TerrainId> = (0..width * height)
                .map(|at| {
                    let (x, y) = (at % width, at / width);
                    if is_wall(x, y) {
                        TerrainId::BLOCKED
                    } else if is_mixed {
                        KINDS[(noise(x + 1000, y) % 4) as usize]
                    } else {
                        TerrainId::GROUND
                    }
                })
                .collect();
            Grid::new(width, height, &terrain, profile).unwrap()
        },
    )
}

/// A rectangle to fill: one cell, part of a line, or an area.
#[derive(Clone, Debug)]
struct Fill {
    x: u32,
    y: u32,
    wide: u32,
    high: u32,
    terrain: TerrainId,
}

impl Fill {
    fn cells(&self, grid: &Grid) -> Vec<(Cell, TerrainId)> {
        let (x, y) = (self.x % grid.width(), self.y % grid.height());
        let places = (y..y + self.high).flat_map(|y| (x..x + self.wide).map(move |x| (x, y)));
        places.filter_map(|(x, y)| Some((grid.cell(x, y)?, self.terrain))).collect()
    }
}

fn any_fill() -> impl Strategy<Value = Fill> {
    let sizes = vec![(1u32, 1u32), (1, 1), (1, 1), (1, 40), (40, 1), (7, 5), (30, 30)];
    let terrain = prop_oneof![prop::sample::select(KINDS.to_vec()), Just(TerrainId::BLOCKED)];
    (0u32..44, 0u32..44, prop::sample::select(sizes), terrain)
        .prop_map(|(x, y, (wide, high), terrain)| Fill { x, y, wide, high, terrain })
}

/// Everything in an answer but the revision of the path.
type Answered = (Vec<Cell>, u64, String, wayfare_core::search::Stats, u64);

fn answer(space: &GridSpace<'_>, algorithm: AlgorithmId, query: Query<Cell, u32>) -> Answered {
    let (mut scratch, mut trace): (ScratchOf<GridSpace<'_>>, _) = (Scratch::new(), Trace::new());
    let answer =
        algorithm.search(&Options::default(), query).finish(space, &mut scratch, &mut trace);
    let (states, cost) = match answer.outcome.best_effort() {
        Some(path) => (path.states().collect(), u64::from(path.cost())),
        None => (Vec::new(), 0),
    };
    (states, cost, answer.outcome.to_string(), answer.stats, trace.hash())
}

/// Asserts that nothing tells an edited grid from one built from its terrain.
fn assert_as_built(edited: &Grid, ends: &[(u32, u32)]) -> Result<(), TestCaseError> {
    let profile = edited.profiles().next().unwrap();
    let terrain: Vec<TerrainId> = edited.cells().map(|cell| edited.terrain(cell)).collect();
    let built = Grid::new(
        edited.width(),
        edited.height(),
        &terrain,
        edited.profile(profile).unwrap().clone(),
    )
    .unwrap();
    let (a, b) = (edited.space(), built.space());
    for cell in built.cells() {
        prop_assert_eq!(a.is_free(cell), b.is_free(cell));
        prop_assert_eq!(a.component(cell), b.component(cell), "{:?}", built.coordinates(cell));
        prop_assert_eq!(edited.penalty(cell, profile), built.penalty(cell, profile));
    }
    prop_assert_eq!(a.gateways().collect::<Vec<_>>(), b.gateways().collect::<Vec<_>>());
    for &(start, goal) in ends {
        let pick =
            |seed: u32| built.cell(seed % built.width(), seed / 64 % built.height()).unwrap();
        for algorithm in [AlgorithmId::Jps, AlgorithmId::AStar, AlgorithmId::Dijkstra] {
            let query = || Query::new(pick(start), pick(goal));
            let (edited, built) = (answer(&a, algorithm, query()), answer(&b, algorithm, query()));
            prop_assert_eq!(edited, built, "{}", algorithm);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_grid_answers_as_one_built_from_its_terrain(
        grid in any_grid(),
        rounds in prop::collection::vec((prop::collection::vec(any_fill(), 1..4), any::<bool>()), 1..8),
        ends in prop::collection::vec(any::<(u32, u32)>(), 3),
    ) {
        let mut grid = grid;
        let original = grid.clone();
        for (fills, is_looked_at) in rounds {
            let cells: Vec<_> = fills.iter().flat_map(|fill| fill.cells(&grid)).collect();
            grid.set_terrains(cells);
            if is_looked_at {
                assert_as_built(&grid, &ends)?;
            }
        }
        assert_as_built(&grid, &ends)?;
        // And back: a grid is as it was when its doors are.
        grid.set_terrains(original.cells().map(|cell| (cell, original.terrain(cell))));
        assert_as_built(&grid, &ends)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cells_scattered_by_one_edit_leave_the_islands_of_a_grid_built_so(
        grid in any_grid(),
        edits in prop::collection::vec(prop::collection::vec((any::<u32>(), 0u32..4), 2..60), 1..6),
    ) {
        let mut grid = grid;
        for cells in edits {
            let cells: Vec<_> = cells
                .into_iter()
                .filter_map(|(at, kind)| {
                    let cell = grid.cell(at % grid.width(), at / 64 % grid.height())?;
                    let free = [TerrainId::GROUND, TerrainId(1)][kind as usize % 2];
                    Some((cell, if kind < 3 { TerrainId::BLOCKED } else { free }))
                })
                .collect();
            grid.set_terrains(cells);
            assert_as_built(&grid, &[])?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_grid_of_changed_costs_and_blur_answers_as_one_built_with_them(
        grid in any_grid(),
        others in prop::collection::vec((any_profile(), any_fill()), 1..4),
        ends in prop::collection::vec(any::<(u32, u32)>(), 3),
    ) {
        let mut grid = grid;
        let profile = grid.profiles().next().unwrap();
        for (other, fill) in others {
            for terrain in KINDS {
                grid.set_cost(profile, terrain, other.costs.get(terrain)).unwrap();
            }
            grid.set_blur(profile, other.blur).unwrap();
            let now = grid.profile(profile).unwrap();
            prop_assert_eq!((&now.costs, now.blur), (&other.costs, other.blur));
            assert_as_built(&grid, &ends)?;
            grid.set_terrains(fill.cells(&grid));
            assert_as_built(&grid, &ends)?;
        }
    }
}

#[test]
fn a_blur_is_checked_and_counts_as_an_edit_once() {
    let mut grid = Grid::from_rows(&["...", ".#."]).unwrap();
    let profile = grid.profiles().next().unwrap();
    let before = grid.revision();
    grid.set_blur(profile, 3).unwrap();
    let after = grid.revision();
    assert!(after > before);
    grid.set_blur(profile, 3).unwrap();
    assert_eq!(grid.revision(), after);
    let refused = grid.set_blur(profile, 65).unwrap_err();
    assert!(refused.to_string().contains("from 0 to 64 cells"), "{refused}");
    assert_eq!(grid.profile(profile).unwrap().blur, 3);
}

#[test]
fn a_door_that_was_shut_and_opened_changes_no_search() {
    let rows: Vec<String> = (0..64)
        .map(|y| {
            let glyph = |x: u32| if x % 16 == 15 && y % 16 != 7 { '#' } else { '.' };
            (0..64).map(glyph).collect()
        })
        .collect();
    let mut grid = Grid::from_rows(&rows.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    let query = Query::new(grid.cell(1, 1).unwrap(), grid.cell(62, 62).unwrap());
    let before = answer(&grid.space(), AlgorithmId::AStar, query.clone());
    let door = grid.cell(31, 23).unwrap();
    let blocked = grid.set_terrain(door, TerrainId::BLOCKED);
    assert_eq!((blocked.cells.len(), blocked.blocked, blocked.freed), (1, 1, 0));
    assert_ne!(answer(&grid.space(), AlgorithmId::AStar, query.clone()), before);
    grid.set_terrain(door, TerrainId::GROUND);
    assert_eq!(answer(&grid.space(), AlgorithmId::AStar, query), before);
}

/// A grid of ground with a block of 6 x 6 cells in every 16 x 16.
fn with_blocks(side: u32, costs: CostTable) -> Grid {
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(|at| (at % side % 16, at / side % 16))
        .map(|(x, y)| (5..11).contains(&x) && (5..11).contains(&y))
        .map(|is_block| if is_block { TerrainId::BLOCKED } else { TerrainId::GROUND })
        .collect();
    let profile = GridProfile { costs, ..GridProfile::default() };
    Grid::new(side, side, &terrain, profile).unwrap()
}

#[test]
fn an_edit_costs_what_it_touches() {
    let swamp = TerrainId(1);
    for costs in [CostTable::new(), CostTable::new().with(swamp, TerrainCost::multiplied(2.0))] {
        let mut grid = with_blocks(512, costs);
        let cell = grid.cell(300, 300).unwrap();
        for terrain in [TerrainId::BLOCKED, TerrainId::GROUND, swamp, TerrainId::GROUND] {
            let edit = grid.set_terrain(cell, terrain);
            assert!(edit.work <= 3_000, "{terrain:?}: {edit:?}");
        }
        // A batch costs at most so much a cell.
        let walls: Vec<Cell> = (0..10)
            .flat_map(|n| (6..506).map(move |y| (50 * n + 12, y)))
            .map(|(x, y)| grid.cell(x, y).unwrap())
            .collect();
        let edit = grid.set_terrains(walls.iter().map(|&cell| (cell, TerrainId::BLOCKED)));
        assert!(edit.work <= 100 * walls.len() as u64, "{edit:?}");
        let edit = grid.set_terrains(walls.iter().map(|&cell| (cell, TerrainId::GROUND)));
        assert!(edit.work <= 100 * walls.len() as u64, "{edit:?}");
    }
}
